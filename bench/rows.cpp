#include "bench/rows.h"

#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

template <class Change>
Row row(const char* name, double target, Change&& change) {
  Row r;
  r.name = name;
  r.setup.seed = 20260101;
  r.target = target;
  change(r);
  return r;
}

// No step truncates before the one that the row is about.
void open_chain(Row& r) {
  r.setup.top_k = 0;
  r.setup.top_p = 1.0f;
  r.setup.min_p = 0.0f;
}

std::vector<Row> make_rows() {
  return {
      row("default", 12, [](Row& r) { r.target_ties = 5; }),
      row("greedy", 14,
          [](Row& r) {
            r.setup.top_k = 1;
            r.setup.temperature = 0.0f;
          }),
      row("penalties_64", 35,
          [](Row& r) {
            r.setup.repeat_penalty = 1.1f;
            r.setup.frequency_penalty = 0.1f;
            r.setup.presence_penalty = 0.1f;
            r.history = 64;
            r.target_ties = 15;
          }),
      row("dry_1024", 28,
          [](Row& r) {
            r.setup.dry_multiplier = 0.8f;
            r.setup.dry_penalty_last_n = 1024;
            r.setup.dry_breaker_tokens = {{198}, {25}, {1}, {9}};
            r.history = 1024;
            r.target_ties = 12;
          }),
      row("top_k_200", 16, [](Row& r) { r.setup.top_k = 200; }),
      row("top_p", 28,
          [](Row& r) {
            open_chain(r);
            r.setup.top_p = 0.95f;
            r.target_real = 14;
          }),
      row("min_p", 25,
          [](Row& r) {
            open_chain(r);
            r.setup.min_p = 0.05f;
          }),
      row("none", 18, [](Row& r) { open_chain(r); }),
      row("typical", 3,
          [](Row& r) {
            open_chain(r);
            r.setup.typical_p = 0.9f;
            r.target_real = 35;
          }),
      row("mirostat_2", 25, [](Row& r) { r.setup.mirostat = 2; }),
      row("mirostat_1", 20, [](Row& r) { r.setup.mirostat = 1; }),
      row("dynamic_temperature", 15,
          [](Row& r) {
            open_chain(r);
            r.setup.dynatemp_range = 0.5f;
            r.target_real = 35;
          }),
      row("xtc", 15,
          [](Row& r) {
            open_chain(r);
            r.setup.xtc_probability = 0.5f;
            r.same_draws = true;
          }),
      row("xtc_acting", 15,
          [](Row& r) {
            open_chain(r);
            r.setup.xtc_probability = 1.0f;
          }),
      row("xtc_idle", 15,
          [](Row& r) {
            open_chain(r);
            r.setup.xtc_probability = 1e-6f;
          }),
      row("top_n_sigma", 15,
          [](Row& r) {
            r.setup.top_n_sigma = 1.0f;
            r.target_ties = 10;
          }),
      row("everything", 30,
          [](Row& r) {
            r.setup.repeat_penalty = 1.1f;
            r.setup.dry_multiplier = 0.8f;
            r.setup.dry_penalty_last_n = 1024;
            r.setup.dry_breaker_tokens = {{198}, {25}, {1}, {9}};
            r.setup.top_n_sigma = 1.0f;
            r.setup.typical_p = 0.9f;
            r.setup.xtc_probability = 0.5f;
            r.setup.dynatemp_range = 0.3f;
            r.history = 1024;
            r.same_draws = true;
          }),
      row("token_probs_20", 9, [](Row& r) { r.n_top = 20; }),
  };
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = make_rows();
  return all;
}

double target_of(const Row& row, const std::string& recipe) {
  if (recipe == "ties" || recipe == "bf16" || recipe == "f16") return row.target_ties;
  return recipe == "real" && row.target_real > 0 ? row.target_real : row.target;
}

std::vector<int32_t> history_of(size_t length, size_t n_vocab) {
  reference::SplitMix64 random(length);
  std::vector<int32_t> tokens;
  while (tokens.size() < length) {
    if (tokens.size() > 8 && random.next() % 3 == 0) {  // a phrase of 2 to 6 tokens comes back
      const size_t from = random.next() % (tokens.size() - 6);
      for (size_t i = 0, n = 2 + random.next() % 5; i < n; ++i) tokens.push_back(tokens[from + i]);
    } else {
      tokens.push_back(static_cast<int32_t>(random.next() % n_vocab));
    }
  }
  tokens.resize(length);
  return tokens;
}

}  // namespace bankml::bench
