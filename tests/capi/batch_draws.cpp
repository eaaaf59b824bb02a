// Many draws in batches equal many single draws: 10^5 by default, 10^6 with BANKML_TEST_LONG, over vocabularies up to 4,096 and
// every kind of chain. Also what ThreadSanitizer watches (there 10^4). And a pool or a grammar in use by
// another thread is BUSY.
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

// Two threads whose items name one grammar: an item is drawn, or is BUSY and its sampler as before. Clones never meet.
void one_grammar_in_two_threads() {
  char err[256] = "";
  bankml_vocab* const vocab = vocab_of_bytes();
  constexpr size_t n = fixture_vocab_size;
  const char text[] = "root ::= ([a-z] root | \"(\" root \")\")?";
  bankml_grammar* const shared = bankml_grammar_from_gbnf(vocab, text, sizeof text - 1, nullptr, err, sizeof err);
  if (!CHECK(shared != nullptr)) return;
  std::vector<float> row(n);
  fill_logits(row.data(), n, 2);
  std::atomic<int> strange{0}, drawn{0}, busy{0};
  // Made here: the checks of the fixtures count without a lock.
  const auto grammar = [&] { return bankml_grammar_from_gbnf(vocab, text, sizeof text - 1, nullptr, err, sizeof err); };
  const auto sampler = [&] { return sampler_of("{\"top_k\": 0}", vocab, n); };
  bankml_grammar* const clones[2] = {bankml_grammar_clone(shared, err, sizeof err), bankml_grammar_clone(shared, err, sizeof err)};
  bankml_grammar* const apart[4] = {grammar(), grammar(), grammar(), grammar()};
  bankml_sampler* const samplers[4] = {sampler(), sampler(), sampler(), sampler()};
  bankml_sampler* const twins[4] = {sampler(), sampler(), sampler(), sampler()};
  const auto work = [&](int thread) {
    bankml_sampler* const s = samplers[thread];
    bankml_sampler* const twin = twins[thread];
    bankml_grammar* const alone = apart[thread];
    bankml_grammar* const own = thread < 2 ? clones[thread] : nullptr;
    for (int i = 0; i < 1000; ++i) {
      bankml_grammar* const g = own != nullptr ? own : shared;
      bankml_batch_item item = {sizeof item, -77, -1, 0, s, row.data(), n, nullptr, 0, g, 0, -1};
      if (bankml_batch_sample(nullptr, &item, 1) != BANKML_OK) ++strange;
      if (item.status == BANKML_BUSY && own == nullptr) {
        ++busy;
        continue;
      }
      int32_t token = -1, redrawn = -1;
      const bankml_status status = bankml_sampler_sample_constrained(twin, row.data(), n, alone, 0, &token, &redrawn);
      if (status != BANKML_OK || item.status != BANKML_OK || item.token != token || item.redrawn != redrawn) ++strange;
      // On along its own way, where it has one.
      if (own != nullptr && (bankml_grammar_accept(own, token) != BANKML_OK || bankml_grammar_accept(alone, token) != BANKML_OK))
        ++strange;
      ++drawn;
    }
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  CHECK(drawn == 2000);
  std::thread c(work, 2), d(work, 3);
  c.join();
  d.join();
  CHECK(strange == 0);
  CHECK(drawn + busy == 4000 && drawn > 2000);
  for (bankml_grammar* const g : {clones[0], clones[1], shared}) bankml_grammar_free(g);
  for (int i = 0; i < 4; ++i) {
    bankml_grammar_free(apart[i]);
    bankml_sampler_free(samplers[i]);
    bankml_sampler_free(twins[i]);
  }
  bankml_vocab_free(vocab);
}

}  // namespace

int main() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  equal_draws(10000);
#else
  equal_draws(std::getenv("BANKML_TEST_LONG") != nullptr ? 1000000 : 100000);
#endif
  one_pool_in_two_threads();
  one_grammar_in_two_threads();
  return report();
}
