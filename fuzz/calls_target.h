// Any bytes as a program of calls on samplers: parameters, a chain, rows, masks, subsets, history, clones, batches of bankml.h.
//
// Two samplers run the program: one as it is, one with every fast path off. They must give the same status, token, candidates and
// probabilities after each call, and a call that fails must leave its sampler as it was: it is compared with a clone made before.
// Throws std::runtime_error with the call's number where a promise is broken. Tested by tests/capi/calls.cpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bankml.h"

namespace bankml::fuzz {

// The bytes as a stream of choices; behind its end every choice is the first one.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool done() const { return at_ >= size_; }
  uint8_t byte() { return done() ? 0 : data_[at_++]; }
  uint32_t word() { return byte() | uint32_t{byte()} << 8 | uint32_t{byte()} << 16 | uint32_t{byte()} << 24; }
  size_t below(size_t n) { return n <= 256 ? byte() % n : (byte() | size_t{byte()} << 8) % n; }
  template <class T, size_t N>
  T of(const T (&list)[N]) {
    return list[below(N)];
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

using SamplerOwner = std::unique_ptr<bankml_sampler, decltype(&bankml_sampler_free)>;
using ParamsOwner = std::unique_ptr<bankml_params, decltype(&bankml_params_free)>;
using WorkspaceOwner = std::unique_ptr<bankml_workspace, decltype(&bankml_workspace_free)>;

class CallProgram {
 public:
  CallProgram(const uint8_t* data, size_t size) : choices_(data, size) {}
  void run();

 private:
  static constexpr const char* fast_paths =
      "draw,top_k,bucket_top_k,min_p,top_n_sigma,top_p,typical,xtc,mirostat,mirostat_v2,dynamic_temperature";

  ParamsOwner make_params();
  bool make_samplers();
  void next_call();
  void fill_row();
  double number(double min, double max);
  int32_t token();
  // Makes the call on both samplers; a failed one must have changed nothing.
  template <class Call>
  bankml_status both(const char* what, Call&& call);
  void same_survivors();
  void unchanged(bankml_sampler* sampler, bankml_sampler* before, const char* what);
  void require(bool holds, const std::string& what) const {
    if (!holds) throw std::runtime_error("call " + std::to_string(calls_) + ": " + what);
  }
  static SamplerOwner clone(bankml_sampler* sampler) { return {bankml_sampler_clone(sampler, nullptr, 0), bankml_sampler_free}; }

  Choices choices_;
  size_t n_vocab_ = 1;
  size_t calls_ = 0;
  bool keeps_ = false;
  std::vector<float> row_;
  std::vector<uint32_t> mask_;
  WorkspaceOwner workspace_{nullptr, bankml_workspace_free};
  SamplerOwner fast_{nullptr, bankml_sampler_free};
  SamplerOwner plain_{nullptr, bankml_sampler_free};
};

inline double CallProgram::number(double min, double max) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0,     1,    min, max,      0.5,       0.05,         0.95,  2,    40,    0.8,  1.1, -1,      64,
                           1e-30, 1e30, 5,   infinity, -infinity, std::nan(""), 1e-45, 1000, 1e300, -0.0, 0.3, 0.999999};
  return choices_.of(values);
}

inline ParamsOwner CallProgram::make_params() {
  ParamsOwner params(bankml_params_new(nullptr, nullptr, 0), bankml_params_free);
  require(params != nullptr, "params_new");
  const size_t changes = choices_.below(12);
  for (size_t i = 0; i < changes; ++i) {
    bankml_param_spec spec{};
    spec.struct_size = sizeof spec;
    require(bankml_param_info(choices_.below(bankml_param_count()), &spec) == BANKML_OK, "param_info");
    if (spec.kind == BANKML_KIND_JSON) continue;
    const std::string before = bankml_params_origin(params.get(), spec.name);
    double old = 0, now = 0;
    bankml_params_get_number(params.get(), spec.name, &old);
    if (bankml_params_set_number(params.get(), spec.name, number(spec.min, spec.max)) == BANKML_OK) continue;
    require(*bankml_params_error(params.get()) != 0, std::string("refused without a text: ") + spec.name);
    bankml_params_get_number(params.get(), spec.name, &now);
    require(old == now && before == bankml_params_origin(params.get(), spec.name),
            std::string("refused, yet changed: ") + spec.name);
  }
  if (choices_.below(2) != 0) {
    std::string order;
    const size_t steps = choices_.below(9);
    for (size_t i = 0; i < steps; ++i) order += "dkypsmtxea"[choices_.below(10)];
    bankml_params_set_string(params.get(), "samplers", order.c_str());
  }
  if (choices_.below(4) == 0) {
    std::string biases = "[";
    const size_t count = choices_.below(6);
    for (size_t i = 0; i < count; ++i) {
      const char* const values[] = {"1.5", "-2", "false", "0", "100", "-1e30", "3e38"};
      biases += (i == 0 ? "[" : ",[") + std::to_string(token()) + "," + choices_.of(values) + "]";
    }
    biases += "]";
    bankml_params_set_json(params.get(), "logit_bias", biases.c_str(), biases.size());
  }
  bankml_params_set_json(params.get(), "dry_sequence_breakers", "[]", 2);  // pieces need a vocabulary
  bankml_params_set_number(params.get(), "seed", choices_.word() & 0xFFFF);
  return params;
}

inline bool CallProgram::make_samplers() {
  const size_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 300, 1000, 2049, 4500};
  n_vocab_ = choices_.of(sizes);
  const ParamsOwner params = make_params();
  fast_ = {bankml_sampler_new(params.get(), nullptr, n_vocab_, nullptr, 0), bankml_sampler_free};
  bankml_params_set_string(params.get(), "disable", fast_paths);
  char text[512] = "";
  plain_ = {bankml_sampler_new(params.get(), nullptr, n_vocab_, text, sizeof text), bankml_sampler_free};
  require((fast_ == nullptr) == (plain_ == nullptr), std::string("only one could be made: ") + text);
  require(plain_ != nullptr || *text != 0, "refused without a text");
  row_.assign(n_vocab_, 0.0f);
  mask_.assign((n_vocab_ + 31) / 32, 0);
  return plain_ != nullptr;
}

// Rows of every kind that a path treats apart: noise, few values, equal, peaked, damaged, huge, tiny.
inline void CallProgram::fill_row() {
  const size_t kind = choices_.below(10);
  uint64_t state = choices_.word() * 2u + 1u;
  const auto draw = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33);
  };
  const auto unit = [&draw] { return static_cast<float>(draw() & 0xFFFFFF) / 16777216.0f; };
  for (float& logit : row_) {
    switch (kind) {
      case 0:
        logit = 10.0f * unit() - 5.0f;
        break;
      case 1:
        logit = static_cast<float>(draw() % 4);
        break;
      case 2:
        logit = 1.0f;
        break;
      case 3:
        logit = (unit() + unit() + unit() - 1.5f) * 4.0f;
        break;
      case 4:
        logit = unit() < 0.01f ? 12.0f + unit() : -3.0f * unit();
        break;
      case 5:
        logit = std::bit_cast<float>(draw() & 0x807FFFFFu);
        break;  // subnormals
      case 6:
        logit = 3e38f * (unit() - 0.5f) * 2.0f;
        break;
      case 7:
        logit = unit() < 0.5f ? -std::numeric_limits<float>::infinity() : 4.0f * unit();
        break;
      case 8:
        logit = std::bit_cast<float>(std::bit_cast<uint32_t>(8.0f * unit()) & 0xFFFF0000u);
        break;  // bf16
      default:
        logit = -100.0f * unit() * unit();
        break;
    }
  }
  if (choices_.below(16) == 0) {
    const float damaged[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f, 3e38f,
                             -std::numeric_limits<float>::infinity()};
    row_[choices_.below(n_vocab_)] = choices_.of(damaged);
  }
  if (choices_.below(64) == 0) row_.assign(n_vocab_, -std::numeric_limits<float>::infinity());
}

// Mostly ids of the vocabulary, sometimes their neighbours.
inline int32_t CallProgram::token() {
  const int32_t outside[] = {-1, static_cast<int32_t>(n_vocab_), INT32_MAX, INT32_MIN};
  return choices_.below(12) == 0 ? choices_.of(outside) : static_cast<int32_t>(choices_.below(n_vocab_));
}

inline void CallProgram::unchanged(bankml_sampler* sampler, bankml_sampler* before, const char* what) {
  const SamplerOwner after = clone(sampler);
  require(after != nullptr, "clone");
  std::vector<float> row(n_vocab_);
  for (size_t i = 0; i < n_vocab_; ++i) row[i] = static_cast<float>((i * 37) % 101) * 0.05f;
  for (int draw = 0; draw < 3; ++draw) {
    int32_t one = -1, other = -1;
    const bankml_status first = bankml_sampler_sample(after.get(), row.data(), n_vocab_, &one);
    const bankml_status second = bankml_sampler_sample(before, row.data(), n_vocab_, &other);
    require(first == second && one == other, std::string(what) + " failed and changed the sampler");
    if (first == BANKML_OK && (bankml_sampler_accept(after.get(), one) | bankml_sampler_accept(before, one)) != BANKML_OK) break;
  }
}

template <class Call>
bankml_status CallProgram::both(const char* what, Call&& call) {
  const SamplerOwner before = clone(fast_.get());
  require(before != nullptr, "clone");
  int32_t one = -1, other = -1;
  const bankml_status status = call(fast_.get(), &one);
  const bankml_status plain = call(plain_.get(), &other);
  require(status == plain, std::string(what) + ": status " + std::to_string(status) + " (" + bankml_sampler_plan_name(fast_.get()) +
                               "), plain " + std::to_string(plain));
  require(one == other, std::string(what) + ": token " + std::to_string(one) + " (" + bankml_sampler_plan_name(fast_.get()) +
                            "), plain " + std::to_string(other));
  require((*bankml_sampler_error(fast_.get()) != 0) == (status != BANKML_OK),
          std::string(what) + ": the text of status " + std::to_string(status));
  if (status != BANKML_OK) {
    require(status != BANKML_INTERNAL, std::string(what) + ": " + bankml_sampler_error(fast_.get()));
    unchanged(fast_.get(), before.get(), what);
  }
  return status;
}

inline void CallProgram::same_survivors() {
  std::vector<bankml_candidate> ours(n_vocab_), plain(n_vocab_);
  size_t n = 0, m = 0;
  const bankml_status status = bankml_sampler_candidates(fast_.get(), ours.data(), n_vocab_, &n);
  require(status == bankml_sampler_candidates(plain_.get(), plain.data(), n_vocab_, &m) && n == m, "survivors: number");
  require(status != BANKML_OK || std::memcmp(ours.data(), plain.data(), n * sizeof(bankml_candidate)) == 0, "survivors: bits");
}

inline void CallProgram::next_call() {
  ++calls_;
  const size_t kind = choices_.below(16);
  if (kind <= 6) {  // a draw, and mostly the token accepted
    if (kind != 0) fill_row();
    size_t n = n_vocab_;
    if (choices_.below(32) == 0) n = n / 2;
    int32_t drawn = -1;
    const bankml_status status = both("sample", [&](bankml_sampler* s, int32_t* token) {
      const bankml_status result = bankml_sampler_sample(s, row_.data(), n, token);
      drawn = *token;
      return result;
    });
    if (status == BANKML_OK) {
      require(drawn >= 0 && static_cast<size_t>(drawn) < n_vocab_, "a token out of range");
      if (keeps_) same_survivors();
      if (kind % 2 == 0) both("accept", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_accept(s, drawn); });
    }
  } else if (kind <= 8) {
    fill_row();
    const uint8_t density = choices_.byte();
    for (uint32_t& word : mask_) word = density < 128 ? choices_.word() : 0;
    mask_[choices_.below(mask_.size())] |= 1u << choices_.below(32);
    const size_t n_words = choices_.below(20) == 0 ? mask_.size() - 1 : mask_.size();
    both("sample_masked", [&](bankml_sampler* s, int32_t* token) {
      return bankml_sampler_sample_masked(s, row_.data(), n_vocab_, mask_.data(), n_words, token);
    });
  } else if (kind == 9) {
    fill_row();
    std::vector<int32_t> ids;
    const size_t count = choices_.below(40);
    for (size_t i = 0; i < count; ++i) ids.push_back(choices_.below(8) == 0 ? token() : static_cast<int32_t>((i * 7) % n_vocab_));
    if (count > n_vocab_) return;
    both("sample_candidates", [&](bankml_sampler* s, int32_t* token) {
      return bankml_sampler_sample_candidates(s, ids.data(), row_.data(), ids.size(), token);
    });
  } else if (kind == 10) {
    std::vector<int32_t> ids;
    const size_t count = choices_.below(20);
    for (size_t i = 0; i < count; ++i) ids.push_back(token());
    both("accept_many", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_accept_many(s, ids.data(), ids.size()); });
  } else if (kind == 11) {
    keeps_ = choices_.below(2) != 0;
    both("keep", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_keep(s, keeps_); });
  } else if (kind == 12) {
    const uint32_t seed = choices_.word() & 0xFFFF;
    both("set_seed", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_set_seed(s, seed); });
  } else if (kind == 13) {
    both("reset", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_reset(s); });
  } else if (kind == 14) {
    const size_t n_top = choices_.below(30);
    std::vector<bankml_token_prob> ours(n_vocab_), plain(n_vocab_);
    size_t n = 0, m = 0;
    float one = -1, other = -1;
    const int32_t sampled = token();
    const bankml_status status =
        bankml_sampler_token_probs(fast_.get(), row_.data(), n_vocab_, sampled, n_top, ours.data(), n_vocab_, &n, &one);
    require(status ==
                bankml_sampler_token_probs(plain_.get(), row_.data(), n_vocab_, sampled, n_top, plain.data(), n_vocab_, &m, &other),
            "token_probs: status");
    require(n == m && std::memcmp(ours.data(), plain.data(), n * sizeof(bankml_token_prob)) == 0 &&
                std::bit_cast<uint32_t>(one) == std::bit_cast<uint32_t>(other),
            "token_probs: bits");
  } else {
    SamplerOwner copy = clone(fast_.get());
    require(copy != nullptr, "clone");
    fast_ = std::move(copy);  // keep and lent workspaces are the original's
    both("keep", [&](bankml_sampler* s, int32_t*) { return bankml_sampler_keep(s, keeps_); });
    if (choices_.below(2) != 0) {
      if (workspace_ == nullptr) workspace_ = {bankml_workspace_new(n_vocab_, nullptr, 0), bankml_workspace_free};
      require(bankml_sampler_use_workspace(fast_.get(), workspace_.get()) == BANKML_OK, "use_workspace");
    }
  }
}

inline void CallProgram::run() {
  if (!make_samplers()) return;
  while (!choices_.done() && calls_ < 200) next_call();
}

inline void calls(const uint8_t* data, size_t size) { CallProgram(data, size).run(); }

}  // namespace bankml::fuzz
