// A real model, drawn from by bankml and by llama.cpp's own chain at every step: tokens and surviving candidates must be the same.
//
//   real_model MODEL.gguf [--prompts N] [--tokens N]     (default 2 prompts, 12 tokens; --prompts 10 --tokens 48 is the long run)
//
// llama.cpp's library evaluates the model, one thread. Each of the parameter sets of recipes.cpp continues each prompt on its own,
// as a server would: the prompt's tokens are accepted first, the token that was drawn is evaluated next. Before that the
// vocabularies are compared: pieces, end-of-generation tokens, tokens of short texts (SentencePiece). Ends with `N passed, N
// failed`: one count for each parameter set on each prompt, and one for each comparison of vocabularies. Exit 77 where llama.cpp's
// library cannot be loaded.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/reference/llama_peer.h"
#include "tests/side_by_side/pair.h"
#include "tests/side_by_side/recipes.h"

namespace {

using namespace bankml;
using side_by_side::Sums;
using Clock = std::chrono::steady_clock;

const char* const prompts[] = {
    "The capital of France is a city that",
    "<start_of_turn>user\nWrite a short poem about the sea.<end_of_turn>\n<start_of_turn>model\n",
    "Once upon a time there was a miller who had three sons. Once upon a time there was",
    "def fibonacci(n):\n    \"\"\"Returns the n-th Fibonacci number.\"\"\"\n",
    "<start_of_turn>user\nList five fruits, one a line: name: colour<end_of_turn>\n<start_of_turn>model\n",
    "{\"name\": \"Ada\", \"born\": 1815, \"works\": [",
    "Die Hauptstadt von Österreich ist",
    "1 2 4 8 16 32 64 128",
    "<start_of_turn>user\nExplain in one sentence why the sky is blue.<end_of_turn>\n<start_of_turn>model\n",
    "日本の首都は",
};
constexpr size_t n_prompts = sizeof prompts / sizeof *prompts;

struct Counts {
  size_t passed = 0, failed = 0;

  void add(bool ok, const std::string& what) {
    ok ? ++passed : ++failed;
    if (!ok) std::printf("FAILED: %s\n", what.c_str());
  }
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string piece_of(const bankml_vocab* vocab, int32_t token) {
  const uint8_t* bytes = nullptr;
  size_t n = 0;
  if (bankml_vocab_piece(vocab, token, &bytes, &n) != BANKML_OK) return "";
  return std::string(bytes, bytes + n);
}

bool ends(const bankml_vocab* vocab, int32_t token) {
  uint32_t flags = 0;
  bankml_vocab_flags(vocab, token, &flags);
  return (flags & BANKML_TOKEN_EOG) != 0;
}

std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out;
}

std::vector<int32_t> own_tokens(const bankml_vocab* vocab, const std::string& text) {
  std::vector<int32_t> ids(text.size() + 1);
  size_t n = 0;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  if (bankml_vocab_tokenize(vocab, bytes, text.size(), ids.data(), ids.size(), &n) != BANKML_OK) return {-1};
  ids.resize(n);
  return ids;
}

// Pieces, end-of-generation set and short texts as both sides know them. Returns the end-of-generation tokens.
std::vector<int32_t> compare_vocabularies(const bankml_vocab* vocab, const reference::LlamaModel& model, Counts& counts) {
  const auto n = static_cast<int32_t>(bankml_vocab_size(vocab));
  counts.add(n == model.n_vocab(), "the vocabularies have the same size");
  size_t pieces = 0, end_flags = 0;
  std::vector<int32_t> ended;
  for (int32_t token = 0; token < n; ++token) {
    pieces += piece_of(vocab, token) != model.piece(token, true);
    end_flags += ends(vocab, token) != model.is_eog(token);
    if (ends(vocab, token)) ended.push_back(token);
  }
  counts.add(pieces == 0, std::to_string(pieces) + " pieces differ");
  counts.add(end_flags == 0, std::to_string(end_flags) + " tokens end generation on one side only");
  counts.add(ended == std::vector<int32_t>{1, 106, 212}, "the end-of-generation tokens are 1, 106 and 212");
  counts.add(
      bankml_vocab_eos(vocab) == model.eos() && bankml_vocab_eot(vocab) == model.eot() && bankml_vocab_bos(vocab) == model.bos(),
      "begin, end and end-of-turn tokens");
  std::string list;
  for (const int32_t token : ended)
    list.append(" ").append(std::to_string(token)).append(" ").append(in_one_line(piece_of(vocab, token)));
  std::printf("%d pieces compared; generation ends at%s\n", n, list.c_str());

  size_t texts = 0, tried = 0;
  std::vector<std::string> short_texts = {"",
                                          " ",
                                          "\n",
                                          "\n\n",
                                          ":",
                                          "\"",
                                          "*",
                                          " the",
                                          "the",
                                          "nce upon",
                                          "ce upon a",
                                          " A",
                                          "  two",
                                          "\t",
                                          "x\n y",
                                          "\xc3\xb6sterreich",
                                          "\xe6\x97\xa5\xe6\x9c\xac",
                                          "\xf0\x9f\xa6\x8a!",
                                          "12345",
                                          "\xff\xfe",
                                          "a\xcc\x81",
                                          "</s>",
                                          "<eos>",
                                          "<start_of_turn>",
                                          "it's",
                                          "..."};
  for (const char* prompt : prompts)
    for (size_t i = 0; i + 1 < std::strlen(prompt); i += 3)
      short_texts.emplace_back(prompt + i, std::min<size_t>(std::strlen(prompt) - i, 40));
  for (const std::string& text : short_texts) {
    ++tried;
    if (own_tokens(vocab, text) == model.tokenize(text, false, false)) continue;
    if (texts++ == 0) std::printf("first text with other tokens: '%s'\n", in_one_line(text).c_str());
  }
  counts.add(texts == 0, std::to_string(texts) + " of " + std::to_string(tried) + " short texts have other tokens");
  return ended;
}

// Share of a token's time that `us` microseconds of drawing are.
double percent(double us, double model_us) { return 100.0 * us / (us + model_us); }

void report(const std::string& name, const Sums& sums, double model_us) {
  const double ours = side_by_side::median(sums.ours_us), peer = side_by_side::median(sums.peer_us);
  std::printf("%-20s %6zu of %6zu equal %9.1f left | bankml %8.1f us %5.2f%% | llama.cpp %8.1f us %5.2f%% | %5.1fx\n", name.c_str(),
              sums.equal, sums.draws, sums.mean_survivors(), ours, percent(ours, model_us), peer, percent(peer, model_us),
              peer / ours);
  std::fflush(stdout);
}

const Sums* named(const std::vector<std::pair<std::string, Sums>>& results, std::string_view name) {
  for (const auto& [one, sums] : results)
    if (one == name) return &sums;
  return nullptr;
}

int run(const char* path, size_t used_prompts, size_t n_tokens) {
  const auto library = reference::LlamaLibrary::open();
  library->load_backends();
  const reference::LlamaModel model(library, path, false);
  reference::LlamaContext context(model, 512, 1);
  char err[512] = "";
  const reference::VocabHandle vocab(bankml_vocab_from_gguf(path, err, sizeof err), bankml_vocab_free);
  if (!vocab) throw std::runtime_error(err);
  const size_t n_vocab = bankml_vocab_size(vocab.get());

  Counts counts;
  const std::vector<int32_t> ended = compare_vocabularies(vocab.get(), model, counts);
  const auto recipes = side_by_side::every_step(ended);
  std::printf("%zu parameter sets on %zu prompts, %zu tokens each, %zu logits a token; %% = share of a token's time\n\n",
              recipes.size(), used_prompts, n_tokens, n_vocab);

  std::vector<std::pair<std::string, Sums>> results;
  std::vector<std::string> texts;
  Sums total;
  std::vector<double> model_times;  // microseconds of each evaluation of one token
  size_t differences = 0;
  for (const auto& [name, setup] : recipes) {
    Sums sums;
    for (size_t p = 0; p < used_prompts; ++p) {
      const std::vector<int32_t> ids = model.tokenize(prompts[p], true, true);
      context.clear();
      const float* logits = context.decode(ids);
      side_by_side::Pair pair(library, setup, vocab.get(), n_vocab, &model);
      pair.accept(ids);
      std::string text;
      bool ended_here = false;
      for (size_t i = 0; i < n_tokens; ++i) {
        int32_t token = -1;
        if (!pair.draw(logits, token)) break;
        ended_here = ended_here || ends(vocab.get(), token);
        if (!ended_here) text += piece_of(vocab.get(), token);
        if (i + 1 == n_tokens) break;
        const auto start = Clock::now();
        logits = context.decode({token});
        model_times.push_back(1e6 * seconds_since(start));
      }
      const bool same = pair.difference().empty() && pair.sums().equal == n_tokens;
      differences += !same;
      counts.add(same, name + ", prompt " + std::to_string(p + 1) + ", " + reference::describe(setup) + ": " + pair.difference());
      sums += pair.sums();
      if (name == "default")
        texts.push_back(
            std::string("'").append(in_one_line(prompts[p])).append("' goes on '").append(in_one_line(text)).append("'"));
    }
    report(name, sums, side_by_side::median(model_times));
    results.emplace_back(name, sums);
    total += sums;
  }

  std::printf("\nText of the default chain (up to the end of generation):\n");
  for (const std::string& text : texts) std::printf("  %s\n", text.c_str());
  const double model_us = side_by_side::median(model_times);
  const std::string verdict =
      differences == 0 ? "candidates too, no difference" : std::to_string(differences) + " runs with a DIFFERENCE";
  std::printf("\n%zu tokens drawn by bankml and by llama.cpp's own library from the same logits: %zu equal; %s.\n", total.draws,
              total.equal, verdict.c_str());
  std::printf("The model takes %.1f ms a token on one thread (%.1f tokens a second).\n", model_us / 1000.0, 1e6 / model_us);
  const auto sentence = [&](const char* name) {
    const Sums* s = named(results, name);
    if (s == nullptr || s->draws == 0) return;
    const double ours = side_by_side::median(s->ours_us), peer = side_by_side::median(s->peer_us);
    std::printf("  %-20s bankml %8.3f ms, %5.2f%% of a token's time; llama.cpp %8.3f ms, %5.2f%%\n", name, ours / 1000.0,
                percent(ours, model_us), peer / 1000.0, percent(peer, model_us));
  };
  std::printf(
      "Drawing from %zu logits is a small part of that with the default chain, and a large one where the whole vocabulary is "
      "ordered:\n",
      n_vocab);
  for (const char* name : {"default", "top_p, top_k 0", "temperature alone", "typical, top_k 0", "mirostat 1", "mirostat 2"})
    sentence(name);
  std::printf("%zu passed, %zu failed\n", counts.passed, counts.failed);
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = nullptr;
  size_t used_prompts = 2, n_tokens = 12;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--prompts" && i + 1 < argc) {
      used_prompts = std::clamp<size_t>(std::strtoul(argv[++i], nullptr, 10), 1, n_prompts);
    } else if (argument == "--tokens" && i + 1 < argc) {
      n_tokens = std::clamp<size_t>(std::strtoul(argv[++i], nullptr, 10), 1, 256);
    } else if (path == nullptr && argument[0] != '-') {
      path = argv[i];
    } else {
      path = nullptr;
      break;
    }
  }
  if (path == nullptr) {
    std::fprintf(stderr, "usage: real_model MODEL.gguf [--prompts N] [--tokens N]\n");
    return 2;
  }
  std::string reason;
  if (!reference::LlamaLibrary::available(reason)) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  try {
    return run(path, used_prompts, n_tokens);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
