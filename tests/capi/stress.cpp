// Eight threads, each with a sampler of its own over one vocabulary, make and draw at once: 10,000 draws each, the tokens of one
// thread. Every chain has another stateful step, and all prepare the same DRY breakers, which the vocabulary keeps for them.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "fixtures.h"

namespace {

constexpr size_t n_vocab = 300, n_rows = 16;
constexpr int draws = 10000;
const char* const requests[] = {
    "{}",
    "{\"repeat_penalty\": 1.2, \"frequency_penalty\": 0.1, \"presence_penalty\": 0.1}",
    "{\"dry_multiplier\": 0.8, \"dry_allowed_length\": 1, \"dry_sequence_breakers\": [\"\\n\", \"a\"]}",
    "{\"dry_multiplier\": 0.5, \"dry_sequence_breakers\": [\"\\n\", \"a\"], \"min_p\": 0.01}",
    "{\"xtc_probability\": 0.5, \"xtc_threshold\": 0.02}",
    "{\"mirostat\": 1}",
    "{\"mirostat\": 2}",
    "{\"samplers\": [\"typ_p\", \"adaptive_p\"], \"typical_p\": 0.9, \"adaptive_target\": 0.3}",
};
constexpr size_t n_threads = sizeof requests / sizeof *requests;

// The tokens that a new sampler draws and accepts, or less than all of them after an error.
std::vector<int32_t> stream(const char* request, const bankml_vocab* vocab, const std::vector<std::vector<float>>& rows) {
  std::vector<int32_t> tokens;
  char err[256] = "";
  bankml_params* params = bankml_params_new(nullptr, err, sizeof err);
  bankml_params_set_number(params, "seed", 42);
  if (bankml_params_load_json(params, "llama-server", request, std::strlen(request)) != BANKML_OK) return tokens;
  bankml_sampler* sampler = bankml_sampler_new(params, vocab, n_vocab, err, sizeof err);
  bankml_params_free(params);
  if (sampler == nullptr) return tokens;
  for (int i = 0; i < draws; ++i) {
    int32_t token = -1;
    if (bankml_sampler_sample(sampler, rows[static_cast<size_t>(i) % n_rows].data(), n_vocab, &token) != BANKML_OK) break;
    if (bankml_sampler_accept(sampler, token) != BANKML_OK) break;
    tokens.push_back(token);
  }
  bankml_sampler_free(sampler);
  return tokens;
}

}  // namespace

int main() {
  std::vector<std::vector<float>> rows(n_rows, std::vector<float>(n_vocab));
  for (size_t i = 0; i < n_rows; ++i) fill_logits(rows[i].data(), n_vocab, i);
  // The threads come first: whatever the vocabulary or the library prepares once, they prepare at the same time.
  bankml_vocab* vocab = vocab_of_bytes();
  std::vector<std::vector<int32_t>> together(n_threads);
  std::vector<std::thread> threads;
  std::atomic<size_t> ready{0};
  for (size_t i = 0; i < n_threads; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < n_threads) std::this_thread::yield();
      together[i] = stream(requests[i], vocab, rows);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(bankml_vocab_breaker_scans(vocab) == 1);  // two requests name the same breakers
  bankml_vocab* fresh = vocab_of_bytes();
  for (size_t i = 0; i < n_threads; ++i) {
    CHECK(together[i].size() == static_cast<size_t>(draws));
    CHECK(together[i] == stream(requests[i], fresh, rows));
  }
  bankml_vocab_free(vocab);
  bankml_vocab_free(fresh);
  return report();
}
