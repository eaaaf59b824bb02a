// Against repetition: the same prompt drawn greedily without help, with penalties, and with DRY.
//
// A request body in llama-server's own format configures each run; DRY's breakers are strings, so the sampler needs the vocabulary.
// A breaker whose tail needs tokens would be among params.open_texts(vocab); here the tokenizer of the model answers it.
#include <iostream>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

static void run(const Model& model, const bankml::Vocab& vocab, const std::string& title, const std::string& request) {
  const std::string prompt = "\"I have seen the map,\" said the hen.";
  bankml::Params params;
  params.load_request(request);
  const auto open = params.open_texts(vocab);
  for (size_t i = 0; i < open.size(); ++i) params.answer_text(i, model.tokenize(open[i].bytes));
  bankml::Sampler sampler(params, vocab);
  Context context(model);
  const std::vector<int32_t> ids = model.tokenize(prompt);
  sampler.accept(ids);
  context.eval(ids);

  std::cout << title << ": " << request << "\n  " << prompt;
  for (int i = 0; i < 60; ++i) {
    const int32_t token = sampler.sample(context.logits());
    sampler.accept(token);
    if (token == model.eos()) break;
    for (const char c : model.piece(token)) std::cout << (c == '\n' ? ' ' : c);
    context.step(token);
  }
  std::cout << '\n';
}

int main() try {
  const Model model;
  const auto vocab = bankml::Vocab::from_gguf_bytes(model.gguf().data(), model.gguf().size());
  run(model, vocab, "greedy", R"({"temperature": 0})");
  run(model, vocab, "penalties", R"({"temperature": 0, "repeat_penalty": 1.3, "frequency_penalty": 0.2})");
  run(model, vocab, "dry", R"({"temperature": 0, "dry_multiplier": 0.8, "dry_sequence_breakers": ["\n"]})");
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
