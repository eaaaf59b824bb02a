// One live case, step by step: both sides get the same row, and every surviving candidate is compared bit for bit. A twin of our
// sampler that keeps no candidates, and so may take shortcuts to the token alone, must give the same statuses and tokens.
//
// Where the reference has no answer (an empty set, NaN, +inf, nothing but -inf, from the row or made by a step) the peer is not run
// further, and ours must answer with a status that says so and keep its state. One exception: a temperature whose scaling overflows
// acts as T = 0 with us.
#include "tests/differential/compare.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

namespace bankml::differential {
namespace {

using reference::LlamaChain;
using reference::PeerArray;
using reference::SamplerHandle;
using Walk = LlamaChain::Walk;

class CaseRun {
 public:
  CaseRun(const World& world, const LiveCase& live, Tally& tally);
  void run();

 private:
  bool step(size_t index, const Step& plan);  // false: the reference cannot go on
  bool plain(size_t index);
  bool masked(size_t index);
  bool subset(size_t index);
  bool compare(size_t index, bankml_status status, const Walk& walk);
  void compare_sets(size_t index);
  bool survivors_are_finite();
  void handle_event(size_t index, Event event);
  void accept(size_t index, int32_t token);
  // Makes the call on the twin too and compares.
  template <class Call>
  bankml_status both(size_t index, Call&& call);
  bankml_sampler* twin() const { return twin_.get(); }

  const LiveCase& live_;
  Tally& tally_;
  Dice dice_;
  SamplerHandle ours_;
  SamplerHandle twin_;
  std::unique_ptr<LlamaChain> theirs_;
  reference::ParamsHandle params_{nullptr, bankml_params_free};
  std::vector<float> row_;
  std::vector<bankml_candidate> survivors_;
  int32_t token_ = -1;
};

SamplerHandle make_ours(const World& world, const LiveCase& live) {
  const SharedVocab* vocab = live.vocab < 0 ? nullptr : &world.vocabs[static_cast<size_t>(live.vocab)];
  const auto tokenize = [vocab](const std::string& text) { return vocab->theirs->tokenize(text, false, false); };
  SamplerHandle sampler =
      reference::make_sampler(live.setup, vocab == nullptr ? nullptr : vocab->ours.get(), live.n_vocab, tokenize);
  if (bankml_sampler_keep(sampler.get(), 1) != BANKML_OK) throw Difference("keep");
  return sampler;
}

SamplerHandle clone_of(bankml_sampler* sampler, bool keep) {
  char error[256] = "";
  SamplerHandle copy(bankml_sampler_clone(sampler, error, sizeof error), bankml_sampler_free);
  if (!copy) throw Difference(std::string("clone: ") + error);
  if (bankml_sampler_keep(copy.get(), keep) != BANKML_OK) throw Difference("keep on a clone");
  return copy;
}

CaseRun::CaseRun(const World& world, const LiveCase& live, Tally& tally)
    : live_(live), tally_(tally), dice_(live.step_seed, 0), ours_(make_ours(world, live)), twin_(clone_of(ours_.get(), false)) {
  const reference::LlamaModel* model = live.vocab < 0 ? nullptr : world.vocabs[static_cast<size_t>(live.vocab)].theirs.get();
  theirs_ = std::make_unique<LlamaChain>(world.library, live.setup, static_cast<int32_t>(live.n_vocab), model);
  survivors_.resize(live.n_vocab);
  ++tally.plans[bankml_sampler_plan_name(ours_.get())];
}

std::string at(size_t step, const std::string& what) { return "step " + std::to_string(step) + ": " + what; }

void CaseRun::run() {
  theirs_->accept(live_.prompt);
  for (bankml_sampler* sampler : {ours_.get(), twin()}) {
    if (bankml_sampler_accept_many(sampler, live_.prompt.data(), live_.prompt.size()) != BANKML_OK)
      throw Difference(std::string("accept_many: ") + bankml_sampler_error(sampler));
  }
  for (size_t index = 0; index < live_.steps.size(); ++index)
    if (!step(index, live_.steps[index])) return;
}

bool CaseRun::step(size_t index, const Step& plan) {
  fill_row(live_, index, row_);
  handle_event(index, plan.event);
  if (plan.n_top >= 0) {
    compare_token_probs(ours_.get(), row_, static_cast<size_t>(plan.n_top), static_cast<int32_t>(dice_.next() % live_.n_vocab));
    ++tally_.prob_rows;
  }
  bool go_on = true;
  switch (plan.draw) {
    case Draw::plain:
      go_on = plain(index);
      break;
    case Draw::masked:
      go_on = masked(index);
      break;
    case Draw::redraw:
      go_on = plain(index) && masked(index);
      break;
    case Draw::candidates:
      go_on = subset(index);
      break;
  }
  if (!go_on) return false;
  if (plan.post_probs) compare_post_probs(ours_.get(), survivors_, theirs_->candidates().sorted, 1 + dice_.next() % 40);
  accept(index, plan.accept_other ? static_cast<int32_t>(dice_.next() % live_.n_vocab) : token_);
  return true;
}

template <class Call>
bankml_status CaseRun::both(size_t index, Call&& call) {
  int32_t token = -1;
  const bankml_status status = call(ours_.get(), &token_);
  const bankml_status twin_status = call(twin(), &token);
  if (twin_status != status)
    throw Difference(at(index, std::string("without candidates: ") + bankml_sampler_error(twin()) +
                                   ", with: " + bankml_sampler_error(ours_.get())));
  if (status == BANKML_OK && token != token_)
    throw Difference(at(index, "token " + std::to_string(token) + " without candidates, " + std::to_string(token_) + " with"));
  return status;
}

bool CaseRun::plain(size_t index) {
  const bankml_status status =
      both(index, [&](bankml_sampler* s, int32_t* token) { return bankml_sampler_sample(s, row_.data(), row_.size(), token); });
  return compare(index, status, theirs_->sample_with_care(nullptr, row_.data(), row_.size()));
}

// Ours gets the row with poison under forbidden tokens and the mask; the peer gets -inf there.
bool CaseRun::masked(size_t index) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const double density = dice_.pick({0.9, 0.5, 0.05, 0.0});
  std::vector<uint32_t> words((row_.size() + 31) / 32 + dice_.next() % 2, 0xFFFFFFFFu);
  std::vector<float> poisoned = row_, expected = row_;
  const float poison = dice_.pick({std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 50.0f});
  const bool use_poison = dice_.chance(0.5);
  const size_t kept = dice_.next() % row_.size();
  for (size_t i = 0; i < row_.size(); ++i) {
    if (i == kept || dice_.chance(density)) continue;
    words[i / 32] &= ~(1u << (i % 32));
    expected[i] = -infinity;
    if (use_poison) poisoned[i] = poison;
  }
  ++tally_.masked;
  const bankml_status status = both(index, [&](bankml_sampler* s, int32_t* token) {
    return bankml_sampler_sample_masked(s, poisoned.data(), poisoned.size(), words.data(), words.size(), token);
  });
  const Walk walk = theirs_->sample_with_care(nullptr, expected.data(), expected.size());
  // The reference may answer with a forbidden token (infill puts the end of turn into a slot): ours then has no candidate.
  const auto chosen = static_cast<size_t>(walk.token);
  if (walk.verdict == Walk::sound && (words[chosen / 32] >> (chosen % 32) & 1u) == 0) {
    ++tally_.refusals;
    if (status != BANKML_NO_CANDIDATE) throw Difference(at(index, "the mask forbids token " + std::to_string(walk.token)));
    return false;
  }
  return compare(index, status, walk);
}

bool CaseRun::subset(size_t index) {
  std::vector<int32_t> ids(live_.n_vocab);
  std::iota(ids.begin(), ids.end(), 0);
  for (size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[dice_.next() % i]);
  ids.resize(std::min<size_t>(ids.size(), 1 + dice_.next() % 1024));
  std::vector<float> logits(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) logits[i] = row_[static_cast<size_t>(ids[i])];
  ++tally_.subsets;
  const bankml_status status = both(index, [&](bankml_sampler* s, int32_t* token) {
    return bankml_sampler_sample_candidates(s, ids.data(), logits.data(), ids.size(), token);
  });
  return compare(index, status, theirs_->sample_with_care(ids.data(), logits.data(), ids.size()));
}

bool CaseRun::compare(size_t index, bankml_status status, const Walk& walk) {
  const std::string text = std::string(bankml_status_string(status)) + ": " + bankml_sampler_error(ours_.get());
  const bool refused = status == BANKML_NONFINITE || status == BANKML_NO_CANDIDATE;
  const bool scaled = walk.step.find("temp") != std::string::npos;
  if (scaled && (walk.verdict == Walk::spoiled || walk.verdict == Walk::lone_banned)) {
    ++tally_.overflows;
    // A dynamic temperature can be infinite (entropy 0 to a negative power), which makes NaN of -inf: that is refused.
    if (status != BANKML_OK && !(refused && (live_.setup.dynatemp_range > 0 || walk.huge)))
      throw Difference(at(index, "a scaling that overflows must act as T = 0, but ours says " + text));
    return false;
  }
  if ((walk.verdict == Walk::lone_banned && (walk.token < 0 || refused)) ||
      (refused && (walk.verdict == Walk::not_a_number || walk.huge))) {
    ++tally_.undecided;
    if (status != BANKML_OK && !refused) throw Difference(at(index, "ours says " + text));
    return false;
  }
  if (walk.only_banned) {  // the reference makes NaN of a banned token; ours may let it stay banned
    ++tally_.undecided;
    if (status != BANKML_OK && !refused) throw Difference(at(index, "ours says " + text));
    return false;
  }
  if (walk.verdict == Walk::spoiled) {
    ++tally_.refusals;
    // A bucket sort puts +inf into its lowest bucket, so a large top_k can drop what a penalty spoiled: then a sane answer is one.
    if (status == BANKML_OK && !walk.step.empty() && survivors_are_finite()) return false;
    if (!refused) throw Difference(at(index, "the reference has no answer after step '" + walk.step + "', ours says " + text));
    return false;
  }
  if (status != BANKML_OK) throw Difference(at(index, "ours says " + text));
  ++tally_.draws;
  compare_sets(index);
  if (token_ != walk.token)
    throw Difference(at(index, "token " + std::to_string(token_) + ", theirs " + std::to_string(walk.token)));
  return true;
}

bool CaseRun::survivors_are_finite() {
  survivors_.resize(live_.n_vocab);
  size_t count = 0;
  if (bankml_sampler_candidates(ours_.get(), survivors_.data(), survivors_.size(), &count) != BANKML_OK) return false;
  const auto finite = [](const bankml_candidate& c) { return c.logit < std::numeric_limits<float>::infinity() && c.p <= 1.0f; };
  return std::all_of(survivors_.begin(), survivors_.begin() + static_cast<std::ptrdiff_t>(count), finite);
}

std::string show(int32_t id, float logit, float p) {
  return "(" + std::to_string(id) + ", " + std::to_string(std::bit_cast<uint32_t>(logit)) + ", " +
         std::to_string(std::bit_cast<uint32_t>(p)) + ")";
}

void CaseRun::compare_sets(size_t index) {
  const PeerArray& theirs = theirs_->candidates();
  survivors_.resize(live_.n_vocab);
  size_t count = 0;
  if (bankml_sampler_candidates(ours_.get(), survivors_.data(), survivors_.size(), &count) != BANKML_OK)
    throw Difference(at(index, std::string("candidates: ") + bankml_sampler_error(ours_.get())));
  survivors_.resize(count);
  if (count != theirs.size)
    throw Difference(at(index, std::to_string(count) + " candidates, theirs " + std::to_string(theirs.size)));
  if (std::memcmp(survivors_.data(), theirs.data, count * sizeof(bankml_candidate)) == 0) return;
  for (size_t i = 0; i < count; ++i) {
    const bankml_candidate& a = survivors_[i];
    const reference::PeerCandidate& b = theirs.data[i];
    if (std::memcmp(&a, &b, sizeof a) != 0)
      throw Difference(at(index, "candidate " + std::to_string(i) + " of " + std::to_string(count) + ": " +
                                     show(a.id, a.logit, a.p) + ", theirs " + show(b.id, b.logit, b.p)));
  }
}

// After a clone the original makes one more draw, which must not touch the clone. The reference's adaptive_p restarts its engine in
// a clone, ours goes on: there the peer's original stands in for its clone.
void CaseRun::handle_event(size_t index, Event event) {
  if (event == Event::none) return;
  if (event == Event::reset) {
    ++tally_.resets;
    theirs_->reset();
    for (bankml_sampler* sampler : {ours_.get(), twin()})
      if (bankml_sampler_reset(sampler) != BANKML_OK) throw Difference(at(index, "reset"));
    return;
  }
  ++tally_.clones;
  SamplerHandle copy = clone_of(ours_.get(), true), twin_copy = clone_of(twin(), false);
  const auto& samplers = live_.setup.samplers;
  const bool adaptive = live_.setup.mirostat == 0 && std::find(samplers.begin(), samplers.end(), "adaptive_p") != samplers.end();
  std::unique_ptr<LlamaChain> peer_copy = adaptive ? nullptr : std::make_unique<LlamaChain>(theirs_->clone());
  int32_t unused = -1;
  for (bankml_sampler* sampler : {ours_.get(), twin()}) bankml_sampler_sample(sampler, row_.data(), row_.size(), &unused);
  ours_ = std::move(copy);
  twin_ = std::move(twin_copy);
  if (!adaptive) theirs_ = std::move(peer_copy);
}

void CaseRun::accept(size_t index, int32_t token) {
  theirs_->accept(token);
  for (bankml_sampler* sampler : {ours_.get(), twin()}) {
    if (bankml_sampler_accept(sampler, token) != BANKML_OK)
      throw Difference(at(index, std::string("accept: ") + bankml_sampler_error(sampler)));
  }
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  draws += other.draws;
  refusals += other.refusals;
  overflows += other.overflows;
  undecided += other.undecided;
  masked += other.masked;
  subsets += other.subsets;
  prob_rows += other.prob_rows;
  clones += other.clones;
  resets += other.resets;
  for (const auto& [plan, count] : other.plans) plans[plan] += count;
  return *this;
}

void run_case(const World& world, const LiveCase& live, Tally& tally) { CaseRun(world, live, tally).run(); }

}  // namespace bankml::differential
