#include "bench/race.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "core/simd/kernels.h"
#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

constexpr size_t n_logits_rows = 6;
constexpr size_t draws_compared = 4;  // of each row, before and after the timing

using Clock = std::chrono::steady_clock;

// Calls `run` until the budget is spent, at least 3 times; `exactly` times if that is not 0.
template <class Run>
void time_calls(double seconds, std::vector<double>& times, Run&& run, size_t exactly = 0) {
  const Clock::time_point start = Clock::now();
  const auto more = [&](size_t calls) {
    if (exactly != 0) return calls < exactly;
    return calls < 3 || std::chrono::duration<double>(Clock::now() - start).count() < seconds;
  };
  for (size_t calls = 0; more(calls); ++calls) {
    const Clock::time_point before = Clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
  }
}

Times summary(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 9 / 10], times.front()};
}

void compare(Rival& ours, Rival& peer, const std::vector<std::vector<float>>& logits, const std::string& what) {
  for (size_t i = 0; i < logits.size() * draws_compared; ++i) {
    const std::vector<float>& row = logits[i % logits.size()];
    const int64_t a = ours.run(row.data(), row.size()), b = peer.run(row.data(), row.size());
    if (a != b)
      throw std::runtime_error(what + ": draw " + std::to_string(i) + " differs, ours " + std::to_string(a) + ", llama.cpp's " +
                               std::to_string(b));
  }
}

}  // namespace

Result race(const reference::LlamaLibraryPtr& library, const Row& row, const std::string& recipe, size_t n_vocab, double seconds) {
  std::vector<std::vector<float>> logits(n_logits_rows, std::vector<float>(n_vocab));
  for (size_t i = 0; i < logits.size(); ++i) {
    if (!reference::fill_logits(recipe, 1000 + i, n_vocab, logits[i].data())) throw std::runtime_error("no recipe " + recipe);
  }
  const std::vector<int32_t> history = history_of(row.history, n_vocab);
  const std::string what = row.name + ", " + recipe + ", V " + std::to_string(n_vocab);
  const auto ours = make_ours(row, n_vocab, history);
  const auto peer = make_llama(library, row, n_vocab, history);
  compare(*ours, *peer, logits, what);

  std::vector<double> ours_us, peer_us, scan_us;
  const double share = seconds / static_cast<double>(n_logits_rows);
  volatile float keep = 0;
  for (const std::vector<float>& one : logits) {
    const size_t before = peer_us.size();
    time_calls(share, peer_us, [&] { peer->run(one.data(), one.size()); });
    const size_t calls = row.same_draws ? peer_us.size() - before : 0;
    time_calls(share, ours_us, [&] { ours->run(one.data(), one.size()); }, calls);
    time_calls(share / 4, scan_us, [&] { keep = simd::kernels().maximum(one.data(), one.size()); });
  }
  static_cast<void>(keep);
  // The timed draws moved the engines differently often; two fresh sides prove that speed was not bought with a token.
  compare(*make_ours(row, n_vocab, history), *make_llama(library, row, n_vocab, history), logits, what + ", again");
  return {row.name, recipe, n_vocab, summary(ours_us), summary(peer_us), summary(scan_us), target_of(row, recipe)};
}

}  // namespace bankml::bench
