#include "bench/alone.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "bankml.h"
#include "tests/reference/chain_setup.h"
#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

constexpr size_t n_vocab = 151936;
constexpr size_t n_words = n_vocab / 32;
constexpr size_t batch = 64;

using Clock = std::chrono::steady_clock;

void check(bankml_status status, const char* what) {
  if (status != BANKML_OK) throw std::runtime_error(std::string(what) + ": " + bankml_status_string(status));
}

// Medians over batches of `calls`, so that short calls are not drowned by the clock.
template <class Call>
Times time_of(double seconds, size_t calls, Call&& call) {
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    const auto start = Clock::now();
    for (size_t i = 0; i < calls; ++i) call();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() / static_cast<double>(calls));
  } while (Clock::now() < end || times.size() < 5);
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 9 / 10], times.front()};
}

std::vector<float> row_of(uint64_t seed) {
  std::vector<float> row(n_vocab);
  if (!reference::fill_logits("peaked", seed, n_vocab, row.data())) throw std::runtime_error("no recipe peaked");
  return row;
}

std::vector<uint32_t> mask_of(size_t allowed) {
  std::vector<uint32_t> words(n_words);
  for (size_t k = 0; k < allowed; ++k) {
    const size_t token = k * (n_vocab / allowed);
    words[token / 32] |= 1u << (token % 32);
  }
  return words;
}

reference::VocabHandle vocabulary() {
  reference::SplitMix64 random(1);
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (size_t i = 0; i < n_vocab; ++i) {
    for (size_t n = 1 + random.next() % 12, k = 0; k < n; ++k) bytes += static_cast<char>('a' + random.next() % 26);
    offsets.push_back(bytes.size());
  }
  char error[256] = "";
  reference::VocabHandle vocab(bankml_vocab_new(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, n_vocab,
                                                -1, -1, error, sizeof error),
                               bankml_vocab_free);
  if (!vocab) throw std::runtime_error(error);
  return vocab;
}

void masked(double seconds, const std::function<void(const Alone&)>& each) {
  const std::vector<float> row = row_of(1);
  for (const auto& [name, allowed] :
       {std::pair<const char*, size_t>{"masked_10", 10}, {"masked_1000", 1000}, {"masked_half", n_vocab / 2}}) {
    const reference::SamplerHandle sampler = reference::make_sampler({}, nullptr, n_vocab);
    const std::vector<uint32_t> words = mask_of(allowed);
    int32_t token = -1;
    each({name,
          time_of(seconds, 10,
                  [&] {
                    check(bankml_sampler_sample_masked(sampler.get(), row.data(), n_vocab, words.data(), n_words, &token), name);
                  }),
          "a draw, default chain"});
  }
}

void accepts(double seconds, const std::function<void(const Alone&)>& each) {
  for (const auto& [name, window] : {std::pair<const char*, int32_t>{"accept_64", 64}, {"accept_65536", 65536}}) {
    reference::ChainSetup setup;
    setup.repeat_penalty = 1.1f;
    setup.repeat_last_n = window;
    setup.dry_multiplier = 0.8f;
    setup.dry_penalty_last_n = window;
    setup.dry_breaker_tokens = {{198}};
    const reference::SamplerHandle sampler = reference::make_sampler(setup, nullptr, n_vocab);
    const std::vector<int32_t> history = history_of(static_cast<size_t>(window) + 10, n_vocab);
    check(bankml_sampler_accept_many(sampler.get(), history.data(), history.size()), name);
    size_t i = 0;
    each({name, time_of(seconds, 1000, [&] { check(bankml_sampler_accept(sampler.get(), history[i++ % history.size()]), name); }),
          "a token, penalties and DRY"});
  }
}

void construction(double seconds, const std::function<void(const Alone&)>& each) {
  const auto make = [](const reference::ChainSetup& setup, const bankml_vocab* vocab) {
    return reference::make_sampler(setup, vocab, n_vocab);
  };
  reference::ChainSetup dry;
  dry.dry_multiplier = 0.8f;
  dry.dry_sequence_breakers = {"\n", ":", "a", "*"};
  each({"sampler_new", time_of(seconds, 10, [&] { make({}, nullptr); }), "default chain"});
  Times prepared;
  {
    const reference::VocabHandle vocab = vocabulary();
    make(dry, vocab.get());
    prepared = time_of(seconds, 1, [&] { make(dry, vocab.get()); });
  }
  std::vector<reference::VocabHandle> fresh;
  for (int i = 0; i < 5; ++i) fresh.push_back(vocabulary());
  size_t next = 0;
  each({"breakers_first", time_of(0, 1, [&] { make(dry, fresh[next++].get()); }), "DRY, four breakers, new vocabulary"});
  each({"breakers_again", prepared, "the same, vocabulary seen before"});
  const reference::SamplerHandle sampler = make(dry, fresh[0].get());
  each({"clone",
        time_of(seconds, 10,
                [&] {
                  bankml_sampler* twin = bankml_sampler_clone(sampler.get(), nullptr, 0);
                  check(twin != nullptr ? BANKML_OK : BANKML_NOMEM, "clone");
                  bankml_sampler_free(twin);
                }),
        "with DRY"});
}

void batches(double seconds, const std::function<void(const Alone&)>& each) {
  std::vector<std::vector<float>> rows;
  for (size_t i = 0; i < batch; ++i) rows.push_back(row_of(i));
  std::vector<reference::SamplerHandle> samplers;
  std::vector<bankml_batch_item> items;
  for (size_t i = 0; i < batch; ++i) {
    samplers.push_back(reference::make_sampler({}, nullptr, n_vocab));
    items.push_back({sizeof(bankml_batch_item), 0, -1, 0, samplers[i].get(), rows[i].data(), n_vocab, nullptr, 0, nullptr, 0, 0});
  }
  for (const size_t threads : {1, 2}) {
    bankml_pool* pool = bankml_pool_new(threads, n_vocab, nullptr, 0);
    check(pool != nullptr ? BANKML_OK : BANKML_NOMEM, "pool");
    Times times = time_of(seconds, 1, [&] { check(bankml_batch_sample(pool, items.data(), items.size()), "batch"); });
    bankml_pool_free(pool);
    for (double* time : {&times.median, &times.p90, &times.minimum}) *time /= batch;
    each({"batch_64_threads_" + std::to_string(threads), times, "a draw of 64, default chain, each row of its own (39 MB)"});
  }
}

}  // namespace

void alone(double seconds, const std::function<void(const Alone&)>& each) {
  masked(seconds, each);
  accepts(seconds, each);
  construction(seconds, each);
  batches(seconds, each);
}

}  // namespace bankml::bench
