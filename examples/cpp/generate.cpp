// The generation loop: prompt in, text out, with the sampling defaults that the model's own file asks for.
//
// The order matters: the prompt's tokens are accepted first, then every drawn one. Penalties and DRY look at them.
#include <iostream>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

int main(int argc, char** argv) try {
  const std::string prompt = argc > 1 ? argv[1] : "Once upon a time";
  const Model model;
  const auto gguf = model.gguf();
  const auto vocab = bankml::Vocab::from_gguf_bytes(gguf.data(), gguf.size());
  bankml::Params params;
  params.load_gguf_bytes(gguf.data(), gguf.size());  // general.sampling.*
  params.set_number("seed", 42);
  bankml::Sampler sampler(params, vocab);

  Context context(model);
  const std::vector<int32_t> ids = model.tokenize(prompt);
  sampler.accept(ids);
  context.eval(ids);

  std::cout << prompt;
  for (int i = 0; i < 120; ++i) {
    const int32_t token = sampler.sample(context.logits());
    sampler.accept(token);
    if (vocab.flags(token) & BANKML_TOKEN_EOG) break;
    std::cout << model.piece(token);
    context.step(token);
  }
  std::cout << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
