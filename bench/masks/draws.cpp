#include "bench/masks/draws.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "bankml.h"
#include "tests/reference/chain_setup.h"
#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t n_rows = 6;
constexpr int walks = 5;

void check(bankml_status status) {
  if (status != BANKML_OK) throw std::runtime_error(std::string("draw: ") + bankml_status_string(status));
}

struct Drawn {
  double average;  // microseconds a draw, the least of the walks for each place
  size_t redraws;  // of the last walk
};

// The rows' logits, the wanted token's raised so that it has nearly all of the probability.
template <class Draw>
Drawn walk(std::vector<std::vector<float>>& rows, const std::vector<int32_t>& tokens, Grammar& grammar, const Draw& draw) {
  std::vector<double> least(tokens.size(), 1e300);
  size_t redraws = 0;
  for (int round = 0; round < walks; ++round) {
    grammar.reset();
    redraws = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      std::vector<float>& row = rows[i % n_rows];
      const float kept = row[static_cast<size_t>(tokens[i])];
      row[static_cast<size_t>(tokens[i])] = *std::max_element(row.begin(), row.end()) + 6.0f;
      const auto start = Clock::now();
      redraws += draw(row) ? 1 : 0;
      least[i] = std::min(least[i], std::chrono::duration<double, std::micro>(Clock::now() - start).count());
      row[static_cast<size_t>(tokens[i])] = kept;
      grammar.accept(tokens[i]);
    }
  }
  double sum = 0;
  for (const double time : least) sum += time;
  return {sum / static_cast<double>(tokens.size()), redraws};
}

}  // namespace

void draws(const Vocab& vocab, const std::string& text, const std::vector<int32_t>& tokens, nlohmann::ordered_json& results) {
  const size_t n = vocab.size();
  std::vector<std::vector<float>> rows(n_rows, std::vector<float>(n));
  for (size_t i = 0; i < n_rows; ++i) {
    if (!reference::fill_logits("real", i, n, rows[i].data())) throw std::runtime_error("no recipe real");
  }
  Grammar grammar = Grammar::from_gbnf(vocab, text);
  const auto sampler = reference::make_sampler({}, nullptr, n);
  int32_t token = -1, redrawn = 0;
  const auto constrained = [&](uint32_t flags) {
    return [&, flags](const std::vector<float>& row) {
      check(bankml_sampler_sample_constrained(sampler.get(), row.data(), n, grammar.get(), flags, &token, &redrawn));
      return redrawn != 0;
    };
  };
  const Drawn plain = walk(rows, tokens, grammar, [&](const std::vector<float>& row) {
    check(bankml_sampler_sample(sampler.get(), row.data(), n, &token));
    return false;
  });
  const Drawn checked = walk(rows, tokens, grammar, constrained(0));
  const Drawn first = walk(rows, tokens, grammar, constrained(BANKML_GRAMMAR_FIRST));
  std::printf("\na draw, default chain, through the JSON text%14s %8s %9s\n", "us", "x", "redraws");
  const auto print = [&](const char* name, const Drawn& drawn) {
    std::printf("  %-40s %14.2f %8.2f %8.1f%%\n", name, drawn.average, drawn.average / plain.average,
                100.0 * static_cast<double>(drawn.redraws) / static_cast<double>(tokens.size()));
    results.push_back({{"row", name}, {"us", drawn.average}, {"x", drawn.average / plain.average}, {"redraws", drawn.redraws}});
  };
  print("unconstrained", plain);
  print("draw, test, draw again if refused", checked);
  print("grammar first", first);
}

}  // namespace bankml::bench
