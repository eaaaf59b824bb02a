// op `chain`: prompt tokens into the chain, then draw, compare, accept, step by step.
//
// Compared: every token, the number of surviving candidates, their fingerprint over (id, logit, p) in order, and the first four of
// step 0, which show where a difference begins.
#include <bit>

#include "tests/reference/fnv.h"
#include "tests/reference/logits.h"
#include "tests/replay/params_json.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

std::string at_step(size_t step, const std::string& what) { return "step " + std::to_string(step) + ": " + what; }

json bits_of(const bankml_candidate& c) { return {c.id, std::bit_cast<uint32_t>(c.logit), std::bit_cast<uint32_t>(c.p)}; }

void check(bankml_status status, const bankml_sampler* sampler, size_t step) {
  if (status != BANKML_OK)
    throw Mismatch(at_step(step, std::string(bankml_status_string(status)) + ": " + bankml_sampler_error(sampler)));
}

std::vector<bankml_candidate> survivors(bankml_sampler* sampler, size_t step) {
  std::vector<bankml_candidate> candidates(bankml_sampler_n_vocab(sampler));
  size_t count = 0;
  check(bankml_sampler_candidates(sampler, candidates.data(), candidates.size(), &count), sampler, step);
  candidates.resize(count);
  return candidates;
}

void compare_first(const std::vector<bankml_candidate>& candidates, const json& expected) {
  json got = json::array();
  for (size_t i = 0; i < candidates.size() && i < expected.size(); ++i) got.push_back(bits_of(candidates[i]));
  if (got != expected) throw Mismatch(at_step(0, "first candidates " + got.dump() + ", recorded " + expected.dump()));
}

void compare_step(const std::vector<bankml_candidate>& candidates, int32_t token, const json& expect, size_t step) {
  if (step == 0 && expect.contains("first_candidates")) compare_first(candidates, expect["first_candidates"]);
  if (token != expect["tokens"][step].get<int32_t>())
    throw Mismatch(at_step(step, "token " + std::to_string(token) + ", recorded " + expect["tokens"][step].dump()));
  if (candidates.size() != expect["n_candidates"][step].get<size_t>())
    throw Mismatch(
        at_step(step, std::to_string(candidates.size()) + " candidates, recorded " + expect["n_candidates"][step].dump()));
  reference::Fnv64 hash;
  for (const bankml_candidate& candidate : candidates) {
    hash.add(candidate.id);
    hash.add(candidate.logit);
    hash.add(candidate.p);
  }
  if (hash.hex() != expect["candidates_fnv"][step].get<std::string>())
    throw Mismatch(at_step(step, "candidates " + hash.hex() + ", recorded " + expect["candidates_fnv"][step].dump()));
}

}  // namespace

void run_chain(const json& row, RowContext& context) {
  require_known(row, "field",
                {"id", "op", "name", "cat", "kind", "logits_seed", "seed_step", "n_vocab", "steps", "prompt", "params", "vocab",
                 "texts", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"tokens", "n_candidates", "candidates_fnv", "first_candidates"});
  const auto steps = row.at("steps").get<size_t>();
  for (const char* list : {"tokens", "n_candidates", "candidates_fnv"})
    if (expect.at(list).size() != steps) throw Mismatch(std::string("expect.") + list + " does not have one entry a step");

  const bankml_vocab* vocab = row.contains("vocab") ? context.vocabs.find(row["vocab"], context.folder) : nullptr;
  const ParamsHandle params = params_from_json(row.at("params"), vocab);
  answer_texts(params.get(), vocab, row.value("texts", json::object()));
  char error[512] = "";
  const SamplerHandle sampler(bankml_sampler_new(params.get(), vocab, row.value("n_vocab", size_t{0}), error, sizeof error),
                              bankml_sampler_free);
  if (!sampler) throw Mismatch(std::string("sampler_new: ") + error);
  check(bankml_sampler_keep(sampler.get(), 1), sampler.get(), 0);

  const auto prompt = row.value("prompt", std::vector<int32_t>());
  check(bankml_sampler_accept_many(sampler.get(), prompt.data(), prompt.size()), sampler.get(), 0);
  const auto kind = row.at("kind").get<std::string>();
  const auto seed = row.at("logits_seed").get<uint64_t>();
  const auto seed_step = row.value("seed_step", uint64_t{1});
  context.logits.resize(bankml_sampler_n_vocab(sampler.get()));
  for (size_t step = 0; step < steps; ++step) {
    if (!reference::fill_logits(kind, seed + step * seed_step, context.logits.size(), context.logits.data()))
      throw Mismatch("unknown kind " + kind);
    int32_t token = -1;
    check(bankml_sampler_sample(sampler.get(), context.logits.data(), context.logits.size(), &token), sampler.get(), step);
    compare_step(survivors(sampler.get(), step), token, expect, step);
    check(bankml_sampler_accept(sampler.get(), token), sampler.get(), step);
  }
}

}  // namespace bankml::replay
