// The last lines of scripts/demo: the example model's logits, drawn from by bankml and by llama.cpp's own library, token by token.
//
//   side_by_side_tiny [N]     N tokens for each of four parameter sets (default 250); exit 1 at a difference, 77 without the
//   library
//
// The model's vocabulary is unknown to llama.cpp, so DRY's breakers are handed to both sides as tokens.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "examples/tiny-model/tiny_model.h"
#include "tests/reference/llama_peer.h"
#include "tests/side_by_side/pair.h"
#include "tests/side_by_side/recipes.h"

namespace {

using namespace bankml;

// Tokens that contain one of the default breakers: each a head with nothing after it, which is what those strings come to, having
// one byte each.
std::vector<std::vector<int32_t>> default_breakers(const tiny_model* model) {
  std::vector<std::vector<int32_t>> heads;
  for (size_t i = 0; i < tiny_model_n_vocab(model); ++i) {
    size_t n = 0;
    const char* piece = tiny_model_piece(model, static_cast<int32_t>(i), &n);
    if (std::string_view(piece, n).find_first_of("\n:\"*") != std::string_view::npos) heads.push_back({static_cast<int32_t>(i)});
  }
  return heads;
}

int run(size_t n_tokens) {
  char err[256] = "";
  tiny_model* model = tiny_model_load(nullptr, err, sizeof err);
  if (model == nullptr) throw std::runtime_error(err);
  const auto library = reference::LlamaLibrary::open();
  const size_t n_vocab = tiny_model_n_vocab(model);
  const std::string prompt = "Once upon a time";
  std::vector<int32_t> ids(prompt.size());
  ids.resize(tiny_model_tokenize(model, prompt.data(), prompt.size(), ids.data(), ids.size()));

  side_by_side::Sums sums;
  for (const auto& [name, setup] : side_by_side::small_tour(default_breakers(model))) {
    side_by_side::Pair pair(library, setup, nullptr, n_vocab, nullptr);
    tiny_context* context = tiny_context_new(model);
    pair.accept(ids);
    const float* logits = tiny_context_eval(context, ids.data(), ids.size());
    for (size_t i = 0; i < n_tokens; ++i) {
      int32_t token = -1;
      if (!pair.draw(logits, token)) break;
      logits = tiny_context_step(context, token);
    }
    tiny_context_free(context);
    const side_by_side::Sums& one = pair.sums();
    std::printf("  %-12s %zu of %zu equal, %6.1f candidates left a draw; bankml %6.2f us a token, llama.cpp %6.2f us\n",
                name.c_str(), one.equal, one.draws, one.mean_survivors(), side_by_side::median(one.ours_us),
                side_by_side::median(one.peer_us));
    if (!pair.difference().empty()) std::printf("  DIFFERENT: %s\n", pair.difference().c_str());
    sums += one;
  }
  tiny_model_free(model);
  std::printf(
      "%zu tokens drawn by bankml and by llama.cpp's own library from the same logits: %zu equal%s; "
      "bankml takes %.2f us a token, llama.cpp %.2f us (medians)\n",
      sums.draws, sums.equal, sums.equal == sums.draws ? ", candidates too" : "", side_by_side::median(sums.ours_us),
      side_by_side::median(sums.peer_us));
  return sums.equal == sums.draws ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string reason;
  if (!reference::LlamaLibrary::available(reason)) {
    std::printf("not compared with llama.cpp's library: %s\n", reason.c_str());
    return 77;
  }
  try {
    return run(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 250);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
