// Threads: different samplers in parallel are independent; one sampler in two threads is BUSY, never damaged; so is a shared
// workspace.
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "fixtures.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

constexpr size_t n_vocab = 60000;
constexpr char slow_chain[] = "{\"top_k\": 0, \"typical_p\": 0.9, \"temperature\": 1.5}";  // orders the whole row at each draw

std::vector<float> row(uint64_t seed, size_t n = n_vocab) {
  std::vector<float> logits(n);
  fill_logits(logits.data(), n, seed);
  return logits;
}

std::vector<int32_t> draws(bankml_sampler* s, int n, const std::vector<float>& logits) {
  std::vector<int32_t> tokens;
  for (int i = 0; i < n; ++i) {
    int32_t token = -1;
    if (bankml_sampler_sample(s, logits.data(), logits.size(), &token) != BANKML_OK) token = -2;
    tokens.push_back(token);
  }
  return tokens;
}

// True until two minutes after its making: how threads meet is the machine's choice, so a meeting is waited for, not counted on.
class Patience {
 public:
  bool left() const { return std::chrono::steady_clock::now() < end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::minutes(2);
};

// Four samplers of one vocabulary's size in four threads draw what each draws alone.
void independent() {
  std::vector<bankml_sampler*> samplers;
  std::vector<std::vector<int32_t>> alone(4), together(4);
  for (uint64_t i = 0; i < 4; ++i) samplers.push_back(sampler_of(slow_chain, nullptr, 5000));
  for (size_t i = 0; i < 4; ++i) alone[i] = draws(samplers[i], 50, row(i, 5000));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    bankml_sampler_reset(samplers[i]);
    threads.emplace_back([&, i] { together[i] = draws(samplers[i], 50, row(i, 5000)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < 4; ++i) {
    CHECK(alone[i] == together[i]);
    bankml_sampler_free(samplers[i]);
  }
}

// One thread draws, the other interferes with calls that are refused at best: BUSY is seen, and the tokens are those of a twin.
void one_sampler_in_two_threads() {
  bankml_sampler* s = sampler_of(slow_chain, nullptr, n_vocab);
  bankml_sampler* twin = sampler_of(slow_chain, nullptr, n_vocab);
  const std::vector<float> logits = row(3);
  std::atomic<bool> done{false};
  std::atomic<int> busy{0}, strange{0};
  std::thread other([&] {
    int32_t token = -1;
    while (!done) {
      const bankml_status status = bankml_sampler_sample(s, logits.data(), 1, &token);  // a wrong length
      if (status == BANKML_BUSY)
        ++busy;
      else if (status != BANKML_LENGTH)
        ++strange;
      std::this_thread::yield();
    }
  });
  std::vector<int32_t> tokens;
  for (const Patience patience; (tokens.size() < 30 || busy == 0) && tokens.size() < 10000 && patience.left();) {
    int32_t token = -1;
    const bankml_status status = bankml_sampler_sample(s, logits.data(), n_vocab, &token);
    if (status == BANKML_OK) {
      tokens.push_back(token);
    } else {
      ++(status == BANKML_BUSY ? busy : strange);
      std::this_thread::yield();  // the other thread may have been stopped inside its call
    }
  }
  done = true;
  other.join();
  CHECK(busy > 0);
  CHECK(strange == 0);
  CHECK(tokens.size() >= 30);
  CHECK(draws(twin, static_cast<int>(tokens.size()), logits) == tokens);
  CHECK(draws(twin, 5, logits) == draws(s, 5, logits));
  bankml_sampler_free(s);
  bankml_sampler_free(twin);
}

// Two samplers that were lent one workspace take turns or are told BUSY; each one's tokens stay its own.
void one_workspace_in_two_threads() {
  char err[128];
  bankml_workspace* w = bankml_workspace_new(n_vocab, err, sizeof err);
  bankml_sampler* samplers[2];
  bankml_sampler* twins[2];
  std::vector<int32_t> tokens[2];
  std::atomic<int> busy{0}, strange{0}, ready{0};
  for (int i = 0; i < 2; ++i) {
    samplers[i] = sampler_of(slow_chain, nullptr, n_vocab);
    twins[i] = sampler_of(slow_chain, nullptr, n_vocab);
    OK(samplers[i], bankml_sampler_use_workspace(samplers[i], w));
  }
  const auto work = [&](size_t i) {
    const std::vector<float> logits = row(i);
    ++ready;
    while (ready < 2) std::this_thread::yield();
    for (const Patience patience; (tokens[i].size() < 30 || busy == 0) && tokens[i].size() < 1000 && patience.left();) {
      int32_t token = -1;
      const bankml_status status = bankml_sampler_sample(samplers[i], logits.data(), n_vocab, &token);
      if (status == BANKML_OK) {
        tokens[i].push_back(token);
      } else {
        ++(status == BANKML_BUSY ? busy : strange);
        std::this_thread::yield();
      }
    }
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  CHECK(busy > 0);
  CHECK(strange == 0);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(!tokens[i].empty());
    CHECK(draws(twins[i], static_cast<int>(tokens[i].size()), row(i)) == tokens[i]);
    bankml_sampler_free(samplers[i]);
    bankml_sampler_free(twins[i]);
  }
  bankml_workspace_free(w);
}

// Handles that hold each other may be freed in any order.
void any_order() {
  for (int order = 0; order < 6; ++order) {
    char err[256];
    bankml_vocab* v = vocab_of_bytes();
    bankml_workspace* w = bankml_workspace_new(fixture_vocab_size, err, sizeof err);
    bankml_params* p = params_of("{\"dry_multiplier\": 1, \"dry_sequence_breakers\": [\"\\n\"], \"typical_p\": 0.9, \"top_k\": 0}");
    bankml_sampler* s = bankml_sampler_new(p, v, 0, err, sizeof err);
    if (!CHECK(s != nullptr)) printf("  %s\n", err);
    if (s != nullptr) OK(s, bankml_sampler_use_workspace(s, w));
    bankml_sampler* clone = bankml_sampler_clone(s, err, sizeof err);
    CHECK(clone != nullptr);
    const std::vector<float> logits = row(1, fixture_vocab_size);
    if (order % 2 == 0) bankml_vocab_free(v);
    if (order % 3 == 0) bankml_workspace_free(w);
    bankml_params_free(p);
    if (order < 3) {
      CHECK(draws(s, 3, logits) == draws(clone, 3, logits));
      bankml_sampler_free(s);
      CHECK(draws(clone, 1, logits)[0] >= 0);
      bankml_sampler_free(clone);
    } else {
      bankml_sampler_free(clone);
      CHECK(draws(s, 1, logits)[0] >= 0);
      bankml_sampler_free(s);
    }
    if (order % 2 != 0) bankml_vocab_free(v);
    if (order % 3 != 0) bankml_workspace_free(w);
  }
}

// Another library may have changed the thread's rounding or flush mode: draws are unaffected, and the mode is given back.
void foreign_fp_modes() {
  bankml_sampler* s = sampler_of(slow_chain, nullptr, 5000);
  bankml_sampler* twin = sampler_of(slow_chain, nullptr, 5000);
  const std::vector<float> logits = row(9, 5000);
  const std::vector<int32_t> expected = draws(twin, 20, logits);
  std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
  const unsigned mode = _mm_getcsr() & ~0x3Fu;
#endif
  const std::vector<int32_t> tokens = draws(s, 20, logits);
  const bool kept_rounding = std::fegetround() == FE_UPWARD;
#if defined(__x86_64__)
  const bool kept_flush = (_mm_getcsr() & ~0x3Fu) == mode;
  _mm_setcsr(_mm_getcsr() & ~0x8040u);
  CHECK(kept_flush);
#endif
  std::fesetround(FE_TONEAREST);
  CHECK(kept_rounding);
  CHECK(tokens == expected);
  bankml_sampler_free(s);
  bankml_sampler_free(twin);
}

// Everything that a sequence needs, from the request's text to the reported probabilities, made in the mode in force.
std::vector<float> whole_sequence() {
  bankml_sampler* s =
      sampler_of("{\"samplers\": \"a\", \"adaptive_target\": 0.3, \"adaptive_decay\": 0.7, \"mirostat_tau\": 0.1, \"seed\": 5}",
                 nullptr, 3000);
  bankml_sampler_keep(s, 1);
  std::vector<float> bits;
  for (uint64_t i = 0; i < 12; ++i) {
    std::vector<float> logits = row(i, 3000);
    for (size_t k = 0; k < 2900; ++k) logits[k] -= 98.0f;  // subnormal probabilities
    const int32_t token = draws(s, 1, logits)[0];
    bankml_sampler_accept(s, token);
    std::vector<bankml_token_prob> top(3000);
    size_t count = 0;
    bankml_sampler_post_probs(s, top.size(), top.data(), top.size(), &count);
    bits.push_back(static_cast<float>(token));
    bits.push_back(static_cast<float>(count));
    for (size_t k = 0; k < count; ++k) bits.push_back(top[k].p);
  }
  bankml_sampler_free(s);
  bankml_params* p = bankml_params_new(nullptr, nullptr, 0);
  bankml_params_set_number(p, "temperature", 0.1);
  bankml_params_set_json(p, "min_p", "0.7", 3);
  for (const char* name : {"temperature", "min_p"}) {
    double value = 0;
    bankml_params_get_number(p, name, &value);
    bits.push_back(static_cast<float>(value));
  }
  bankml_params_free(p);
  return bits;
}

void foreign_fp_modes_everywhere() {
  const std::vector<float> expected = whole_sequence();
  for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(direction);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    const std::vector<float> bits = whole_sequence();
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
    std::fesetround(FE_TONEAREST);
    CHECK(bits == expected);
  }
}

}  // namespace

int main() {
  independent();
  one_sampler_in_two_threads();
  one_workspace_in_two_threads();
  any_order();
  foreign_fp_modes();
  foreign_fp_modes_everywhere();
  return report();
}
