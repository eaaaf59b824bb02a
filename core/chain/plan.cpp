#include "core/math/fp_env.h"

#include "core/chain/plan.h"

#include <algorithm>
#include <limits>

#include "core/chain/texts.h"
#include "core/params/omitted_steps.h"
#include "core/steps/adaptive_p.h"
#include "core/steps/draw.h"
#include "core/steps/dry.h"
#include "core/steps/infill.h"
#include "core/steps/logit_bias.h"
#include "core/steps/min_p.h"
#include "core/steps/mirostat.h"
#include "core/steps/mirostat_v2.h"
#include "core/steps/penalties.h"
#include "core/steps/temperature.h"
#include "core/steps/top_k.h"
#include "core/steps/top_n_sigma.h"
#include "core/steps/top_p.h"
#include "core/steps/typical.h"
#include "core/steps/xtc.h"

namespace bankml {
namespace plan_detail {

// A list longer than this comes from no one who wants a token; a request must not buy windows and engines without end.
constexpr size_t most_steps = 1024;

// The biases in the reference's order: the request's entries, then those of ignore_eos, then the vocabulary's suppressed tokens.
std::vector<TokenBias> all_biases(const Params& params, const Vocab* vocab, size_t n_vocab, std::vector<std::string>& warnings) {
  std::vector<TokenBias> list;
  for (const BiasEntry& entry : resolved_biases(params, vocab)) {
    if (entry.token < 0 || static_cast<size_t>(entry.token) >= n_vocab) {
      warnings.push_back("logit_bias: token " + std::to_string(entry.token) + " is outside [0, " + std::to_string(n_vocab) +
                         ") and matches nothing");
    } else {
      list.push_back({entry.token, entry.bias});
    }
  }
  constexpr float banned = -std::numeric_limits<float>::infinity();
  if (params.ignore_eos) {
    if (vocab == nullptr) throw Failure(Status::arg, "ignore_eos needs a vocabulary: it bans the tokens that end generation");
    for (const int32_t token : vocab->eog_tokens()) list.push_back({token, banned});
  }
  if (vocab != nullptr) {
    for (const int32_t token : vocab->suppress_tokens()) list.push_back({token, banned});
  }
  return list;
}

class Builder {
 public:
  Builder(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab, uint32_t seed)
      : p_(params), vocab_(std::move(vocab)), n_vocab_(n_vocab), seed_(seed) {}

  template <class S, class... Args>
  void add(Args&&... args) {
    steps_.push_back(std::make_unique<S>(std::forward<Args>(args)...));
  }

  // The step in the order's place, unless it is off. adaptive_p selects, so it stands last whatever its place.
  void add_listed(StepKind kind) {
    const size_t min_keep = static_cast<size_t>(p_.min_keep);
    switch (kind) {
      case StepKind::penalties:
        if (!Penalties::off(p_.repeat_last_n, p_.repeat_penalty, p_.frequency_penalty, p_.presence_penalty)) {
          add<Penalties>(static_cast<size_t>(p_.repeat_last_n), p_.repeat_penalty, p_.frequency_penalty, p_.presence_penalty);
        }
        break;
      case StepKind::dry:
        if (!Dry::off(p_.dry_multiplier, p_.dry_base, p_.dry_penalty_last_n)) {
          add<Dry>(p_.dry_multiplier, p_.dry_base, static_cast<size_t>(p_.dry_allowed_length),
                   static_cast<size_t>(p_.dry_penalty_last_n), resolved_breakers(p_, vocab_.get(), n_vocab_));
        }
        break;
      case StepKind::top_n_sigma:
        if (!TopNSigma::off(p_.top_n_sigma)) add<TopNSigma>(p_.top_n_sigma);
        break;
      case StepKind::top_k:
        if (!TopK::off(p_.top_k)) add<TopK>(p_.top_k);
        break;
      case StepKind::typical:
        if (!Typical::off(p_.typical_p)) add<Typical>(p_.typical_p, min_keep);
        break;
      case StepKind::top_p:
        if (!TopP::off(p_.top_p)) add<TopP>(p_.top_p, min_keep);
        break;
      case StepKind::min_p:
        if (!MinP::off(p_.min_p)) add<MinP>(p_.min_p, min_keep);
        break;
      case StepKind::xtc:
        if (!Xtc::off(p_.xtc_probability, p_.xtc_threshold)) add<Xtc>(p_.xtc_probability, p_.xtc_threshold, min_keep, seed_);
        break;
      case StepKind::temperature:
        add<Temperature>(p_.temperature, p_.dynatemp_range, p_.dynatemp_exponent);
        break;
      case StepKind::infill:
        if (vocab_ == nullptr) throw Failure(Status::arg, "infill needs a vocabulary: it compares the tokens' pieces");
        add<Infill>(vocab_);
        break;
      case StepKind::adaptive_p:
        break;
    }
  }

  std::vector<std::unique_ptr<Step>> take() { return std::move(steps_); }

 private:
  const Params& p_;
  std::shared_ptr<const Vocab> vocab_;
  size_t n_vocab_;
  uint32_t seed_;
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace plan_detail

std::vector<std::unique_ptr<Step>> build_steps(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab,
                                               uint32_t seed, std::vector<std::string>& warnings) {
  std::vector<TokenBias> biases = plan_detail::all_biases(params, vocab.get(), n_vocab, warnings);
  for (std::string& text : omitted_steps(params)) warnings.push_back(std::move(text));
  plan_detail::Builder chain(params, std::move(vocab), n_vocab, seed);
  if (!biases.empty()) chain.add<LogitBias>(std::move(biases));
  if (params.mirostat != 0) {
    // Mirostat replaces the order; a range of the temperature is not used.
    chain.add<Temperature>(params.temperature);
    if (params.mirostat == 1) {
      chain.add<Mirostat>(params.mirostat_tau, params.mirostat_eta, seed);
    } else {
      chain.add<MirostatV2>(params.mirostat_tau, params.mirostat_eta, seed);
    }
    return chain.take();
  }
  if (params.samplers.size() > plan_detail::most_steps) {
    throw Failure(Status::limit, "samplers: " + std::to_string(params.samplers.size()) + " steps, at most " +
                                     std::to_string(plan_detail::most_steps));
  }
  for (const StepKind kind : params.samplers) chain.add_listed(kind);
  if (std::find(params.samplers.begin(), params.samplers.end(), StepKind::adaptive_p) != params.samplers.end()) {
    chain.add<AdaptiveP>(params.adaptive_target, params.adaptive_decay, seed);
  } else {
    chain.add<Dist>(seed);
  }
  return chain.take();
}

}  // namespace bankml
