// op `probs`: raw probabilities of a row, the best n_top in order and the p of a named token.
#include <bit>

#include "tests/reference/logits.h"
#include "tests/replay/row.h"

namespace bankml::replay {

void run_probs(const json& row, RowContext& context) {
  require_known(row, "field", {"id", "op", "name", "cat", "kind", "logits_seed", "n_vocab", "n_top", "sampled", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"top", "sampled_p"});
  const auto n_vocab = row.at("n_vocab").get<size_t>();
  const auto n_top = row.at("n_top").get<size_t>();
  const auto kind = row.at("kind").get<std::string>();
  context.logits.resize(n_vocab);
  if (!reference::fill_logits(kind, row.at("logits_seed").get<uint64_t>(), n_vocab, context.logits.data()))
    throw Mismatch("unknown kind " + kind);

  const OwnedSampler sampler(context.library, context.library.sampler(0, 0, n_vocab).handle);
  const auto [top, sampled_p] = context.library.probs(sampler.get(), row.value("sampled", int32_t{-1}), n_top, context.logits);

  if (expect.contains("sampled_p") && std::bit_cast<uint32_t>(sampled_p) != expect["sampled_p"].get<uint32_t>())
    throw Mismatch("sampled_p " + std::to_string(std::bit_cast<uint32_t>(sampled_p)) + ", recorded " + expect["sampled_p"].dump());
  json got = json::array();
  for (const bankml_token_prob& entry : top) got.push_back({entry.id, std::bit_cast<uint32_t>(entry.p)});
  const json& recorded = expect.at("top");
  if (got.size() != recorded.size())
    throw Mismatch("top has " + std::to_string(got.size()) + " entries, recorded " + std::to_string(recorded.size()));
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != recorded[i])
      throw Mismatch("top[" + std::to_string(i) + "] " + got[i].dump() + ", recorded " + recorded[i].dump());
}

}  // namespace bankml::replay
