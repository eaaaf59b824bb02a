// What the chain's tests share: rows of logits, params from a lambda, draws that must succeed.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/chain/sampler.h"

namespace bankml::chain_test {

inline std::vector<float> random_row(size_t n, uint32_t seed, float spread = 3.0f) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0.0f, spread);
  std::vector<float> row(n);
  for (float& logit : row) logit = normal(engine);
  return row;
}

template <class Change>
Params params_with(Change&& change) {
  Params params;
  params.seed = 7;
  change(params);
  return params;
}

inline int32_t draw(Sampler& sampler, const std::vector<float>& row, const uint32_t* mask = nullptr) {
  int32_t token = -1;
  ErrorText error;
  EXPECT_EQ(sampler.sample(row.data(), row.size(), mask, &token, error), Status::ok) << error.c_str();
  return token;
}

inline void feed(Sampler& sampler, const std::vector<int32_t>& tokens) {
  ErrorText error;
  ASSERT_EQ(sampler.accept(tokens.data(), tokens.size(), error), Status::ok) << error.c_str();
}

inline std::vector<std::string> names(const Sampler& sampler) {
  std::vector<std::string> out;
  for (const auto& step : sampler.steps()) out.emplace_back(step->name());
  return out;
}

inline std::string failure_text(const Params& params, std::shared_ptr<const Vocab> vocab, size_t n_vocab, Status expected) {
  try {
    const Sampler sampler(params, std::move(vocab), n_vocab);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), expected) << failure.text();
    return failure.text();
  }
  ADD_FAILURE() << "the sampler was built";
  return "";
}

// A vocabulary from plain strings; token i has piece pieces[i].
inline std::shared_ptr<const Vocab> vocab_of(const std::vector<std::string>& pieces, int32_t eos = -1) {
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, pieces.size(), eos, -1);
}

}  // namespace bankml::chain_test
