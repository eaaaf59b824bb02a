// scripts/bench --grammar: the rows' grammars through the C ABI, beside llama.cpp's own library in the same process.
//
//   bankml_mask_bench FOLDER [--json FILE] [--quick] [--row NAME] [--no-peer]
//
// FOLDER holds what prepare.mjs wrote. Each row's text is walked token by token. First the mask is compared with llama.cpp's at
// every step (`--quick`: at every 16th; its masks take some 50 ms each). Then times, each the least of ten walks for each place, so
// that what else the machine does is left out: *cold* = a new grammar, the vocabulary known; *warm* = masks met before.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "bankml.h"
#include "bankml.hpp"
#include "bench/masks/draws.h"
#include "tests/reference/llama_peer.h"

namespace bankml::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;
int walks = 10;

double since(Clock::time_point start) { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); }

struct Spread {
  double average, p50, p99, maximum;
};

Spread spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (const double time : times) sum += time;
  return {sum / static_cast<double>(times.size()), times[times.size() / 2], times[times.size() * 99 / 100], times.back()};
}

void to_json(Json& json, const Spread& s) { json = {{"average", s.average}, {"p50", s.p50}, {"p99", s.p99}, {"max", s.maximum}}; }

// Per place the least of the walks; `begin` gives the grammar to walk with, `ask` is what is timed.
template <class Begin, class Ask>
Spread walk(const std::vector<int32_t>& tokens, const Begin& begin, const Ask& ask, int rounds = walks) {
  std::vector<double> least(tokens.size(), 1e300);
  for (int round = 0; round < rounds; ++round) {
    auto&& grammar = begin();
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto start = Clock::now();
      ask(grammar);
      least[i] = std::min(least[i], since(start));
      grammar.accept(tokens[i]);
    }
  }
  return spread(least);
}

// Times llama.cpp's masks on the way. Returns nothing where an answer differs.
std::optional<Spread> compare(const reference::LlamaModel& model, Grammar& ours, const std::string& text,
                              const std::vector<int32_t>& tokens, size_t stride) {
  reference::LlamaGrammar theirs(model, text);
  std::vector<double> times;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i % stride == 0) {
      const auto start = Clock::now();
      const std::vector<int32_t> expected = theirs.allowed();
      times.push_back(since(start));
      const std::vector<uint32_t> words = ours.mask();
      std::vector<int32_t> ids;
      for (size_t k = 0; k < words.size() * 32; ++k) {
        if ((words[k / 32] >> (k % 32) & 1) != 0) ids.push_back(static_cast<int32_t>(k));
      }
      if (ids != expected) {
        std::fprintf(stderr, "bench: place %zu: ours allows %zu tokens, llama.cpp %zu\n", i, ids.size(), expected.size());
        return std::nullopt;
      }
    }
    ours.accept(tokens[i]);
    theirs.accept(tokens[i]);
  }
  return spread(times);
}

Json measure(const Vocab& vocab, const std::string& gguf, const std::string& text, const std::vector<int32_t>& tokens) {
  std::vector<uint32_t> words((vocab.size() + 31) / 32);
  const uint32_t* lent = nullptr;
  size_t n_words = 0;
  const auto by_pointer = [&](Grammar& g) { bankml_grammar_mask_ptr(g.get(), &lent, &n_words); };
  const auto copied = [&](Grammar& g) { bankml_grammar_mask(g.get(), words.data(), words.size()); };
  const auto fresh = [&] { return Grammar::from_gbnf(vocab, text); };
  double compile = 1e300;
  for (int round = 0; round < walks; ++round) {
    const auto start = Clock::now();
    const Grammar grammar = fresh();
    compile = std::min(compile, since(start));
  }
  Json json = {{"tokens", tokens.size()}, {"compile_us", compile}};
  Grammar grammar = fresh();
  json["bytes_before"] = grammar.memory();
  std::vector<Vocab> unknown;
  for (int i = 0; i < 3; ++i) {
    unknown.push_back(Vocab::from_gguf(gguf));
    Grammar::from_gbnf(unknown.back(), "root ::= \"\"");  // its trie
  }
  json["first"] = walk(
      tokens,
      [&] {
        const Vocab vocabulary = std::move(unknown.back());
        unknown.pop_back();
        return Grammar::from_gbnf(vocabulary, text);
      },
      by_pointer, static_cast<int>(unknown.size()));
  walk(tokens, fresh, by_pointer);  // the vocabulary's part is made once
  json["cold"] = walk(tokens, fresh, by_pointer);
  const auto again = [&]() -> Grammar& {
    grammar.reset();
    return grammar;
  };
  walk(tokens, again, by_pointer);
  json["masks"] = grammar.mask_fills();
  json["bytes"] = grammar.memory();
  json["warm"] = walk(tokens, again, by_pointer);
  json["warm_copied"] = walk(tokens, again, copied);
  return json;
}

int run(const std::string& folder, const std::string& json_file, const std::vector<std::string>& only, bool quick, bool peer) {
  std::ifstream file(folder + "/rows.json");
  const Json rows = Json::parse(file);
  const Vocab vocab = Vocab::from_gguf(folder + "/llama3.gguf");
  std::unique_ptr<reference::LlamaModel> model;
  if (peer) model = std::make_unique<reference::LlamaModel>(reference::LlamaLibrary::open(), folder + "/llama3.gguf", true);
  Json results = Json::array();
  std::printf("%-16s %6s %9s | %8s %8s %8s %8s | %8s %8s | %8s %8s | %6s %9s | %10s\n", "row", "tokens", "compile", "cold avg",
              "p50", "p99", "max", "first", "max", "warm", "copied", "masks", "bytes", "llama.cpp");
  bool equal = true;
  for (const Json& row : rows) {
    const std::string name = row["name"], text = row["grammar"];
    if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
    const std::vector<int32_t> tokens = row["tokens"];
    std::optional<Spread> theirs;
    if (peer) {
      Grammar grammar = Grammar::from_gbnf(vocab, text);
      theirs = compare(*model, grammar, text, tokens, quick ? 16 : 1);
      equal = equal && theirs.has_value();
    }
    Json json = {{"row", name}};
    json.update(measure(vocab, folder + "/llama3.gguf", text, tokens));
    if (theirs) json["llama.cpp"] = *theirs;
    const Json& cold = json["cold"];
    std::printf("%-16s %6zu %9.1f | %8.2f %8.2f %8.1f %8.1f | %8.1f %8.0f | %8.3f %8.3f | %6d %9.0f | %10.0f\n", name.c_str(),
                tokens.size(), json["compile_us"].get<double>(), cold["average"].get<double>(), cold["p50"].get<double>(),
                cold["p99"].get<double>(), cold["max"].get<double>(), json["first"]["average"].get<double>(),
                json["first"]["max"].get<double>(), json["warm"]["average"].get<double>(),
                json["warm_copied"]["average"].get<double>(), json["masks"].get<int>(), json["bytes"].get<double>(),
                theirs ? theirs->p50 : 0.0);
    std::fflush(stdout);
    results.push_back(json);
  }
  if (only.empty()) draws(vocab, rows[0]["grammar"], rows[0]["tokens"], results);
  if (!json_file.empty()) std::ofstream(json_file) << results.dump(1) << '\n';
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace bankml::bench

int main(int argc, char** argv) {
  CLI::App app("Masks of grammars beside llama.cpp's own library.");
  std::string folder, json;
  std::vector<std::string> only;
  bool quick = false, no_peer = false;
  app.add_option("FOLDER", folder, "what bench/masks/prepare.mjs wrote")->required();
  app.add_option("--json", json, "write the results to this file");
  app.add_option("--row", only, "only these rows (repeatable)");
  app.add_option("--walks", bankml::bench::walks, "walks of which the least time is taken for each place");
  app.add_flag("--quick", quick, "compare with llama.cpp at every 16th place only");
  app.add_flag("--no-peer", no_peer, "do not compare, only time");
  CLI11_PARSE(app, argc, argv);
  try {
    return bankml::bench::run(folder, json, only, quick, !no_peer);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
