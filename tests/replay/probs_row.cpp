// op `probs`: raw probabilities of a row, the best n_top in order and the p of a named token.
#include <bit>

#include "tests/reference/logits.h"
#include "tests/replay/params_json.h"
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

  char error[512] = "";
  const SamplerHandle sampler(bankml_sampler_new(nullptr, nullptr, n_vocab, error, sizeof error), bankml_sampler_free);
  if (!sampler) throw Mismatch(std::string("sampler_new: ") + error);
  std::vector<bankml_token_prob> top(n_top);
  size_t count = 0;
  float sampled_p = -1.0f;
  const bankml_status status =
      bankml_sampler_token_probs(sampler.get(), context.logits.data(), n_vocab, row.value("sampled", int32_t{-1}), n_top,
                                 top.data(), top.size(), &count, &sampled_p);
  if (status != BANKML_OK) throw Mismatch(std::string(bankml_status_string(status)) + ": " + bankml_sampler_error(sampler.get()));

  if (expect.contains("sampled_p") && std::bit_cast<uint32_t>(sampled_p) != expect["sampled_p"].get<uint32_t>())
    throw Mismatch("sampled_p " + std::to_string(std::bit_cast<uint32_t>(sampled_p)) + ", recorded " + expect["sampled_p"].dump());
  json got = json::array();
  for (size_t i = 0; i < count; ++i) got.push_back({top[i].id, std::bit_cast<uint32_t>(top[i].p)});
  const json& recorded = expect.at("top");
  if (got.size() != recorded.size())
    throw Mismatch("top has " + std::to_string(got.size()) + " entries, recorded " + std::to_string(recorded.size()));
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != recorded[i])
      throw Mismatch("top[" + std::to_string(i) + "] " + got[i].dump() + ", recorded " + recorded[i].dump());
}

}  // namespace bankml::replay
