// bankml.hpp: each call of the wrapper does what its C function does, and failures arrive as bankml::Error. Compiled as C++17.
#include "bankml.hpp"

#include <array>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "fixtures.h"

namespace {

constexpr size_t n_vocab = 300;

static_assert(std::is_nothrow_move_constructible_v<bankml::Sampler> && !std::is_copy_constructible_v<bankml::Sampler>);
static_assert(std::is_nothrow_move_assignable_v<bankml::Params> && !std::is_copy_assignable_v<bankml::Params>);

template <class Call>
bankml_status error_of(Call call, std::string* text = nullptr) {
  try {
    call();
    return BANKML_OK;
  } catch (const bankml::Error& error) {
    if (text != nullptr) *text = error.what();
    return error.status();
  }
}

std::vector<float> row(uint64_t seed) {
  std::vector<float> logits(n_vocab);
  fill_logits(logits.data(), n_vocab, seed);
  return logits;
}

void library() {
  CHECK(bankml::version_string() == BANKML_VERSION && bankml::abi_version() == BANKML_ABI_VERSION);
  CHECK(bankml::status_string(BANKML_OK) == "ok");
  CHECK(!bankml::self_check().empty());
  const std::vector<std::string> levels = bankml::cpu_levels();
  CHECK(!levels.empty() && levels[0] == "scalar");
  bankml::cpu_force("scalar");
  CHECK(bankml::cpu_name() == "scalar");
  bankml::cpu_force("auto");
  CHECK(error_of([] { bankml::cpu_force("abacus"); }) == BANKML_ARG);
  CHECK(bankml::param_table().size() == bankml_param_count());
  CHECK(std::string(bankml::param_table().at(0).name).size() > 0);
}

void params() {
  bankml::Params p;
  p.set_number("temperature", 0.5).set_number("top_k", 10).set_string("samplers", "kt").set_json("logit_bias", "[[1, 2.0]]");
  CHECK(p.number("temperature") == 0.5 && p.json("samplers") == "[\"top_k\",\"temperature\"]");
  CHECK(p.to_json().front() == '{' && p.to_json().back() == '}');
  CHECK(p.origin("top_k") == "set" && p.warnings().empty());
  bankml::Params copy = p.clone();
  p.load_request("{\"top_k\": 3}");
  CHECK(p.number("top_k") == 3 && copy.number("top_k") == 10);
  std::string text;
  CHECK(error_of([&] { p.set_number("top_k", 1.5); }, &text) == BANKML_ARG && text.find("top_k") != std::string::npos);
  CHECK(error_of([&] { p.number("samplers"); }) == BANKML_ARG);
  CHECK(error_of([&] { p.json("nothing"); }) == BANKML_ARG);
  CHECK(error_of([&] { p.origin("nothing"); }) == BANKML_ARG);
  CHECK(error_of([&] { p.load_gguf("/no/such/file"); }) == BANKML_IO);
  CHECK(error_of([&] { p.load_gguf_bytes("x", 1); }) == BANKML_PARSE);
  CHECK(error_of([&] { p.strict().load_request("{\"odd\": 1}"); }) == BANKML_ARG);
  CHECK(error_of([] { bankml::Params bad("lama"); }, &text) == BANKML_ARG && text.find("lama") != std::string::npos);

  bankml::Params dry;
  dry.load_request("{\"dry_multiplier\": 1, \"dry_sequence_breakers\": [\"User:\"]}");
  bankml_vocab* bytes = vocab_of_bytes();
  bankml_vocab_free(bytes);
  std::vector<std::string> pieces;
  for (int i = 0; i < 256; ++i) pieces.push_back(std::string(1, static_cast<char>(i)));
  bankml::Vocab vocab(pieces);
  std::vector<bankml::OpenText> open = dry.open_texts(vocab);
  CHECK(!open.empty() && open[0].purpose == "dry_sequence_breakers");
  for (int rounds = 0; rounds < 20 && !open.empty(); ++rounds) {
    std::vector<int32_t> ids;
    for (const char c : open[0].bytes) ids.push_back(static_cast<unsigned char>(c));
    dry.answer_text(0, ids);
    open = dry.open_texts(vocab);
  }
  CHECK(open.empty());
  bankml::Sampler sampler(dry, vocab);
  CHECK(sampler.n_vocab() == 256);
  dry.open_texts();
}

void vocabs() {
  bankml::Vocab v({"a", "bc", "</s>"}, {0, 0, BANKML_TOKEN_EOG}, 2);
  CHECK(v.size() == 3 && v.piece(1) == "bc" && v.flags(2) == BANKML_TOKEN_EOG && v.eos() == 2 && v.eot() == -1 && v.bos() == -1);
  CHECK(v.fingerprint() != 0 && v.breaker_scans() == 0);
  CHECK(error_of([&] { v.piece(3); }) == BANKML_TOKEN);
  CHECK(error_of([&] { v.flags(-1); }) == BANKML_TOKEN);
  CHECK(error_of([&] { v.tokenize("a"); }) == BANKML_ARG);
  CHECK(error_of([] { bankml::Vocab bad({"a"}, {1, 2}); }) == BANKML_LENGTH);
  CHECK(error_of([] { bankml::Vocab::from_gguf("/no/such/file"); }) == BANKML_ARG);
  static gguf_bytes model;
  build_gguf(&model);
  const bankml::Vocab spm = bankml::Vocab::from_gguf_bytes(model.data, model.len);
  CHECK(spm.size() == gguf_vocab_size && spm.piece(263) == " ab");
  CHECK(spm.tokenize("ab") == std::vector<int32_t>{263});
}

void samplers() {
  bankml::Params p;
  p.set_number("seed", 7).set_number("top_k", 20);
  bankml::Sampler s(p, n_vocab), twin = s.clone();
  bankml_params* same = params_of("{\"seed\": 7, \"top_k\": 20}");
  bankml_sampler* c = bankml_sampler_new(same, nullptr, n_vocab, nullptr, 0);
  bankml_params_free(same);
  for (uint64_t i = 0; i < 20; ++i) {
    int32_t expected = -1;
    const std::vector<float> logits = row(i);
    OK(c, bankml_sampler_sample(c, logits.data(), n_vocab, &expected));
    const int32_t token = s.sample(logits);
    CHECK(token == expected && twin.sample(logits.data(), logits.size()) == expected);
    s.accept(token);
    twin.accept(std::vector<int32_t>{token});
  }
  bankml_sampler_free(c);

  const std::vector<float> logits = row(5);
  CHECK(error_of([&] { s.sample(std::vector<float>(5)); }) == BANKML_LENGTH);
  CHECK(error_of([&] { s.accept(-1); }) == BANKML_TOKEN);
  CHECK(error_of([&] { s.candidates(); }) == BANKML_NOT_KEPT);
  std::array<uint32_t, 10> words{};
  words[3] = 1;
  CHECK(s.sample_masked(logits, words) == 96);
  CHECK(s.sample_candidates(std::vector<int32_t>{4}, std::array<float, 1>{0.5f}) == 4);
  CHECK(error_of([&] { s.sample_candidates(std::vector<int32_t>{4, 5}, std::array<float, 1>{0.5f}); }) == BANKML_LENGTH);
  s.keep();
  s.sample(logits);
  CHECK(!s.candidates().empty() && s.candidates().size() <= 20 && s.post_probs(3).size() == 3);
  const bankml::TokenProbs probs = s.token_probs(logits, 11, 100);
  CHECK(probs.top.size() == 100 && probs.top[0].id == best_of(logits.data(), n_vocab) && probs.sampled_p > 0);
  s.keep(false);

  bankml::Workspace w(n_vocab);
  CHECK(w.bytes() > 0);
  s.use_workspace(w);
  s.use_own_workspace();
  CHECK(error_of([&] { s.use_workspace(bankml::Workspace(3)); }) == BANKML_LENGTH);
  s.set_seed(9);
  CHECK(s.seed() == 9 && !s.steps().empty() && !s.plan_name().empty() && s.warnings().empty() && s.bytes() > 0);
  s.clock();
  s.reset();
  CHECK(s.perf(true).draws > 0 && s.perf().draws == 0);
  CHECK(error_of([] { bankml::Sampler bad(size_t{0}); }) == BANKML_ARG);
  CHECK(bankml::Sampler(size_t{50}).n_vocab() == 50);
  twin = std::move(s);
  CHECK(twin.n_vocab() == n_vocab);
}

void batches() {
  std::vector<std::vector<float>> rows(5, std::vector<float>(n_vocab));
  std::vector<bankml::Sampler> samplers, twins;
  std::vector<bankml::BatchItem> items;
  const std::vector<uint32_t> mask(n_vocab / 32 + 1, 0xFFFFFFFFu);
  for (size_t i = 0; i < rows.size(); ++i) {
    fill_logits(rows[i].data(), n_vocab, i);
    samplers.emplace_back(size_t{n_vocab});
    samplers.back().set_seed(static_cast<uint32_t>(i));
    twins.push_back(samplers.back().clone());
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i % 2 == 0)
      items.emplace_back(samplers[i], rows[i].data(), rows[i].size());
    else
      items.emplace_back(samplers[i], rows[i].data(), rows[i].size(), mask.data(), mask.size());
  }
  rows[4][3] = std::numeric_limits<float>::quiet_NaN();
  bankml::Pool pool(2, n_vocab);
  CHECK(pool.threads() == 2 && bankml::Pool().threads() >= 1);
  pool.sample(items);
  for (size_t i = 0; i < 4; ++i) CHECK(items[i].status() == BANKML_OK && items[i].token() == twins[i].sample(rows[i]));
  CHECK(error_of([&] { items[4].token(); }) == BANKML_NONFINITE);
  items.push_back(items[0]);
  CHECK(error_of([&] { pool.sample(items); }) == BANKML_ARG);
  CHECK(error_of([] { bankml::Pool(5000); }) == BANKML_ARG);
}

void grammars() {
  const bankml::Vocab vocab({"a", "b", "ab", "<e>"}, {0, 0, 0, BANKML_TOKEN_EOG | BANKML_TOKEN_CONTROL}, 3);
  bankml::GrammarOptions options;
  options.set_string("root", "r").set_number("max_states", 100).token_text("<b>", 1);
  bankml::Grammar grammar = bankml::Grammar::from_gbnf(vocab, "r ::= \"a\" <b> \"a\"", options);
  CHECK(grammar.mask() == std::vector<uint32_t>{1} && grammar.test(0) && !grammar.test(1));
  CHECK(grammar.forced() == "a" && !grammar.is_complete() && !grammar.is_dead());
  grammar.accept(std::vector<int32_t>{0, 1});
  bankml::Grammar copy = grammar.clone();
  copy.accept(0);
  uint32_t word = 0;
  copy.mask(&word, 1);
  CHECK(copy.is_complete() && word == 8);
  grammar.load(copy.save());
  CHECK(grammar.is_complete());
  grammar.rollback(3);
  CHECK(grammar.test(0) && error_of([&] { grammar.accept(1); }) == BANKML_REJECT);
  grammar.reset();
  CHECK(grammar.warm(4) <= 4 && grammar.memory() > 0 && grammar.mask_fills() > 0);
  CHECK(error_of([&] { bankml::Grammar::from_gbnf(vocab, "r ::= )"); }) == BANKML_ARG);
  bankml::GrammarOptions lazy;
  lazy.set_number("lazy", 1).trigger(BANKML_TRIGGER_WORD, "ab").trigger_token(1);
  bankml::Grammar waits = bankml::Grammar::from_gbnf(vocab, "root ::= \"ab\" \"a\"", lazy);
  CHECK(waits.mask() == std::vector<uint32_t>{15} && error_of([&] { waits.accept(1); }) == BANKML_REJECT);
  waits.accept(std::vector<int32_t>{0, 2});
  CHECK(waits.mask() == std::vector<uint32_t>{1});
  bankml::Sampler sampler(bankml::Params(), vocab);
  const bankml::ConstrainedToken drawn = sampler.sample_constrained(std::vector<float>{0, 9, 9, 9}, grammar);
  CHECK(drawn.token == 0 && drawn.redrawn);
  const std::vector<float> row{0, 9, 9, 9};
  bankml::Sampler other = sampler.clone();
  std::vector<bankml::BatchItem> items;
  items.emplace_back(sampler, row.data(), row.size(), grammar);
  items.emplace_back(other, row.data(), row.size(), copy, BANKML_GRAMMAR_FIRST);
  bankml::Pool(2).sample(items);
  CHECK(items[0].token() == 0 && items[0].redrawn() && items[1].token() == 3 && !items[1].redrawn());
  items[1] = bankml::BatchItem(other, row.data(), row.size(), grammar);
  CHECK(error_of([&] { bankml::Pool(1).sample(items); }) == BANKML_ARG);
}

void stops_and_replies() {
  bankml::Stop stop({"END", "\n\n"});
  CHECK(stop.feed("a E") == "a " && stop.held() == 1 && stop.matched() == -1);
  bankml::Stop copy = stop.clone();
  CHECK(stop.feed("ND") == "" && stop.matched() == 0);
  CHECK(stop.clone().matched() == 0);
  CHECK(stop.flush() == "" && stop.matched() == -1);
  CHECK(copy.flush() == "E");
  copy.feed("\n");
  copy.reset();
  CHECK(copy.feed("\n!") == "\n!");
  CHECK(bankml::Stop({"b"}, BANKML_STOP_INCLUDE).feed("abc") == "ab");
  CHECK(error_of([] { bankml::Stop({""}); }) == BANKML_ARG);

  const bankml::Vocab vocab({"a", "\xF0"});
  bankml::Reply reply("openai-completions", vocab);
  reply.text_offset(3);
  reply.add(0, 0.5f, {{1, 0.25f}});
  CHECK(reply.json() ==
        "{\"tokens\":[\"a\"],\"token_logprobs\":[-0.6931472],\"top_logprobs\":[{\"bytes:\\\\xf0\":-1.3862944,"
        "\"a\":-0.6931472}],\"text_offset\":[3]}");
  reply.clear();
  reply.add(1, 1.0f, {}, "b");
  CHECK(reply.json() == "{\"tokens\":[\"b\"],\"token_logprobs\":[0.0],\"top_logprobs\":[{\"b\":0.0}],\"text_offset\":[4]}");
  CHECK(error_of([&] { reply.add(-1, 1.0f); }) == BANKML_TOKEN);
  CHECK(error_of([&] { bankml::Reply("xml", vocab); }) == BANKML_ARG);
}

}  // namespace

int main() {
  for (void (*part)() : {library, params, vocabs, samplers, batches, grammars, stops_and_replies}) {
    try {
      part();
    } catch (const std::exception& error) {
      printf("not expected: %s\n", error.what());
      CHECK(!"no exception");
    }
  }
  return report();
}
