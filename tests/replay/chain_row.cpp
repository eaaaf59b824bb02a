// op `chain`: prompt tokens into the chain, then draw, compare, accept, step by step.
//
// With a grammar: the redraw flow of llama-server, whether each token was redrawn, grammar first, then sampler.
// Compared: every token, the number of surviving candidates, their fingerprint over (id, logit, p) in order, and the first four of
// step 0, which show where a difference begins. A twin that keeps no candidates, and so may take shortcuts to the token alone,
// draws beside the sampler.
#include <bit>

#include "tests/reference/fnv.h"
#include "tests/reference/logits.h"
#include "tests/replay/params_json.h"
#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

std::string at_step(size_t step, const std::string& what) { return "step " + std::to_string(step) + ": " + what; }

json bits_of(const bankml_candidate& c) { return {c.id, std::bit_cast<uint32_t>(c.logit), std::bit_cast<uint32_t>(c.p)}; }

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

uint32_t library_flags(RowContext& context, const json& row, int32_t token) {
  return context.library.piece(context.vocab(row.at("vocab")), token).flags;
}

// Draws the row with the fast paths in `disable` switched off; returns the opening that it took.
std::string draw_row(const json& row, RowContext& context, const std::vector<std::string>& disable) {
  const json& expect = row.at("expect");
  const size_t steps = expect.at("tokens").size();
  Library& library = context.library;
  const Library::Handle vocab = row.contains("vocab") ? context.vocab(row["vocab"]) : 0;
  const OwnedParams params(library, params_from_json(library, row.at("params"), vocab));
  if (!disable.empty()) library.set(params.get(), "disable", json(disable).dump());
  answer_texts(library, params.get(), vocab, row.value("texts", json::object()));
  const Library::Sampler made = library.sampler(params.get(), vocab, row.value("n_vocab", size_t{0}));
  const OwnedSampler sampler(library, made.handle);
  const OwnedSampler twin(library, library.sampler(params.get(), vocab, row.value("n_vocab", size_t{0})).handle);
  const bool constrained = row.contains("grammar");
  const OwnedGrammar grammar(library, constrained ? library.grammar(vocab, row["grammar"].get<std::string>()) : 0);
  library.keep(sampler.get());
  for (const OwnedSampler* one : {&sampler, &twin}) library.accept(one->get(), row.value("prompt", Library::Tokens()));
  const auto kind = row.at("kind").get<std::string>();
  const auto seed = row.at("logits_seed").get<uint64_t>();
  const auto seed_step = row.value("seed_step", uint64_t{1});
  context.logits.resize(made.n_vocab);
  for (size_t step = 0; step < steps; ++step) {
    if (!reference::fill_logits(kind, seed + step * seed_step, context.logits.size(), context.logits.data()))
      throw Mismatch("unknown kind " + kind);
    try {
      const auto draw = [&](const OwnedSampler& one) {
        return constrained ? library.sample_constrained(one.get(), grammar.get(), context.logits)
                           : Library::Drawn{library.sample(one.get(), context.logits), false};
      };
      const auto [token, redrawn] = draw(sampler);
      if (constrained && redrawn != expect.at("redrawn").at(step).get<bool>()) throw Mismatch(at_step(step, "redrawn differs"));
      compare_step(library.candidates(sampler.get()), token, expect, step);
      const auto [alone, again] = draw(twin);
      if (alone != token || again != redrawn)
        throw Mismatch(at_step(step, "token " + std::to_string(alone) + " where no candidates are kept"));
      if (constrained) library.advance(grammar.get(), token);
      for (const OwnedSampler* one : {&sampler, &twin}) library.accept(one->get(), {token});
    } catch (const Refused& refused) {
      throw Mismatch(at_step(step, std::string(bankml_status_string(refused.status)) + ": " + refused.what()));
    }
  }
  return library.plan(sampler.get());
}

}  // namespace

void run_chain(const json& row, RowContext& context) {
  require_known(row, "field",
                {"id", "op", "name", "cat", "kind", "logits_seed", "seed_step", "n_vocab", "steps", "prompt", "params", "vocab",
                 "texts", "grammar", "expect"});
  const json& expect = row.at("expect");
  require_known(expect, "expect", {"tokens", "n_candidates", "candidates_fnv", "first_candidates", "redrawn"});
  const bool constrained = row.contains("grammar");
  // Under a grammar the sequence may end early, with an end token.
  const size_t steps = constrained ? expect.at("tokens").size() : row.at("steps").get<size_t>();
  if (constrained && steps < row.at("steps").get<size_t>() &&
      (library_flags(context, row, expect["tokens"].back().get<int32_t>()) & BANKML_TOKEN_EOG) == 0) {
    throw Mismatch("the recorded tokens end without an end token");
  }
  for (const char* list : {"tokens", "n_candidates", "candidates_fnv"})
    if (expect.at(list).size() != steps) throw Mismatch(std::string("expect.") + list + " does not have one entry a step");

  std::vector<std::string> disable;
  std::string plan = draw_row(row, context, disable);
  ++context.plans[plan];
  while (context.force_off && plan != "plain") {
    disable.push_back(plan);
    try {
      plan = draw_row(row, context, disable);
    } catch (const Mismatch& mismatch) {
      throw Mismatch("without the fast path " + disable.back() + ": " + mismatch.what());
    }
    if (plan == disable.back()) throw Mismatch("the fast path " + plan + " was taken though disabled");
  }
}

}  // namespace bankml::replay
