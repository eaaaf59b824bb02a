// Many draws in batches equal many single draws: 10^5 by default, 10^6 with BANKML_TEST_LONG, over vocabularies up to 4,096 and
// every kind of chain. Also what ThreadSanitizer watches (there 10^4). And a pool in use by another thread is BUSY.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "fixtures.h"

namespace {

constexpr size_t batch = 64;
const char* const chains[] = {"{}",
                              "{\"temperature\": 0}",
                              "{\"top_k\": 0, \"temperature\": 1.2}",
                              "{\"mirostat\": 1, \"top_k\": 0}",
                              "{\"mirostat\": 2, \"top_k\": 0}",
                              "{\"top_k\": 0, \"typical_p\": 0.8}",
                              "{\"repeat_penalty\": 1.2, \"presence_penalty\": 0.5}",
                              "{\"dry_multiplier\": 0.8, \"dry_allowed_length\": 1}",
                              "{\"top_k\": 0, \"xtc_probability\": 0.5, \"xtc_threshold\": 0.02}",
                              "{\"adaptive_target\": 0.4}",
                              "{\"top_k\": 200}",
                              "{\"top_k\": 0, \"min_p\": 0.02}"};

struct Sequence {
  size_t n_vocab;
  bankml_sampler* batched;
  bankml_sampler* single;
  std::vector<float> row;
};

void equal_draws(long draws) {
  char err[256] = "";
  bankml_pool* pool = bankml_pool_new(4, 4096, err, sizeof err);
  if (!CHECK(pool != nullptr)) return;
  std::vector<Sequence> sequences;
  for (size_t i = 0; i < batch; ++i) {
    const size_t sizes[] = {1, 2, 33, 257, 1000, 4096};
    const char* chain = chains[i % (sizeof chains / sizeof *chains)];
    const size_t n = i < 8 ? 4096 : sizes[i % 6];
    sequences.push_back({n, sampler_of(chain, nullptr, n), sampler_of(chain, nullptr, n), std::vector<float>(n)});
    fill_logits(sequences[i].row.data(), n, i);
  }
  long differences = 0, failures = 0;
  uint64_t round = 0;
  for (long drawn = 0; drawn < draws; drawn += batch, ++round) {
    std::vector<bankml_batch_item> items(batch);
    for (size_t i = 0; i < batch; ++i) {
      Sequence& s = sequences[i];
      s.row[round % s.n_vocab] = static_cast<float>(round % 17) - 4.0f;  // the row changes, cheaply
      items[i] = {sizeof(bankml_batch_item), 0, -1, 0, s.batched, s.row.data(), s.n_vocab, nullptr, 0, nullptr, 0, 0};
    }
    if (bankml_batch_sample(pool, items.data(), batch) != BANKML_OK) ++failures;
    for (size_t i = 0; i < batch; ++i) {
      Sequence& s = sequences[i];
      int32_t token = -1;
      const bankml_status status = bankml_sampler_sample(s.single, s.row.data(), s.n_vocab, &token);
      if (status != items[i].status || token != items[i].token) ++differences;
      if (status != BANKML_OK) continue;
      bankml_sampler_accept(s.single, token);
      bankml_sampler_accept(s.batched, token);
    }
  }
  CHECK(differences == 0);
  CHECK(failures == 0);
  printf("%ld draws in batches of %zu, %ld differences\n", draws, batch, differences);
  for (const Sequence& s : sequences) {
    bankml_sampler_free(s.batched);
    bankml_sampler_free(s.single);
  }
  bankml_pool_free(pool);
}

// Two threads on one pool: each batch is drawn whole or refused whole.
void one_pool_in_two_threads() {
  constexpr size_t n = 2000;
  char err[256] = "";
  bankml_pool* pool = bankml_pool_new(2, 0, err, sizeof err);
  std::vector<float> row(n);
  fill_logits(row.data(), n, 1);
  std::atomic<int> strange{0}, drawn{0};
  bankml_sampler* const samplers[2] = {sampler_of(nullptr, nullptr, n), sampler_of(nullptr, nullptr, n)};
  bankml_sampler* const twins[2] = {sampler_of(nullptr, nullptr, n), sampler_of(nullptr, nullptr, n)};
  const auto work = [&](int thread) {
    bankml_sampler* const s = samplers[thread];
    bankml_sampler* const twin = twins[thread];
    for (int i = 0; i < 400; ++i) {
      bankml_batch_item item = {sizeof item, -77, -1, 0, s, row.data(), n, nullptr, 0, nullptr, 0, 0};
      const bankml_status status = bankml_batch_sample(pool, &item, 1);
      if (status == BANKML_BUSY) {
        if (item.status != -77) ++strange;
        std::this_thread::yield();
        continue;
      }
      int32_t token = -1;
      bankml_sampler_sample(twin, row.data(), n, &token);
      if (status != BANKML_OK || item.status != BANKML_OK || item.token != token) ++strange;
      ++drawn;
    }
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  CHECK(strange == 0);
  CHECK(drawn > 0);
  for (int i = 0; i < 2; ++i) {
    bankml_sampler_free(samplers[i]);
    bankml_sampler_free(twins[i]);
  }
  bankml_pool_free(pool);
}

}  // namespace

int main() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  equal_draws(10000);
#else
  equal_draws(std::getenv("BANKML_TEST_LONG") != nullptr ? 1000000 : 100000);
#endif
  one_pool_in_two_threads();
  return report();
}
