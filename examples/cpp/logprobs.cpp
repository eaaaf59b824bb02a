// Log-probabilities, as an API reports them: of the drawn token and of the five likeliest, before sampling; and what is left of
// them after the chain.
#include <cmath>
#include <cstdio>
#include <iostream>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

static std::string shown(const Model& model, int32_t token) {
  std::string text(1, '\'');
  for (const char c : model.piece(token)) text += c == '\n' ? std::string("\\n") : std::string(1, c);
  return text + "'";
}

static std::string listed(const Model& model, const std::vector<bankml_token_prob>& probs) {
  std::string line;
  for (const auto& [id, p] : probs) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3f", std::log(static_cast<double>(p)));
    line.append(" ").append(shown(model, id)).append(" ").append(number);
  }
  return line;
}

int main() try {
  const Model model;
  bankml::Params params;
  params.set_number("seed", 3);
  bankml::Sampler sampler(params, model.n_vocab());
  sampler.keep();  // post_probs reads the survivors of the last draw
  Context context(model);
  context.eval(model.tokenize("Once upon a time there was a"));

  for (int i = 0; i < 6; ++i) {
    const int32_t token = sampler.sample(context.logits());
    const bankml::TokenProbs before = sampler.token_probs(context.logits(), token, 5);
    std::printf("%s %.3f\n", shown(model, token).c_str(), std::log(static_cast<double>(before.sampled_p)));
    std::printf("  before:%s\n  after: %s\n", listed(model, before.top).c_str(), listed(model, sampler.post_probs(5)).c_str());
    sampler.accept(token);
    context.step(token);
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
