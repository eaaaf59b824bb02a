// Many sequences at once, as a server has them: one sampler each, one vocabulary for all, one workspace a thread.
//
// Steps that order the whole vocabulary (here: typical) need scratch memory; lending one workspace to all samplers of a thread
// keeps eight sequences from owning eight. Sequence i uses the seed of the request plus i, so the text does not depend on who draws
// it.
#include <algorithm>
#include <array>
#include <iostream>
#include <thread>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

constexpr size_t sequences = 8, threads = 2, tokens = 24;

int main() try {
  const Model model;
  std::array<std::string, sequences> texts, errors;
  const auto work = [&](size_t thread) {
    try {
      bankml::Workspace workspace(model.n_vocab());
      bankml::Params params;
      params.set_number("top_k", 0).set_number("typical_p", 0.9);
      std::vector<bankml::Sampler> samplers;
      std::vector<Context> contexts;
      for (size_t s = thread; s < sequences; s += threads) {
        params.set_number("seed", static_cast<double>(100 + s));
        samplers.emplace_back(params, model.n_vocab()).use_workspace(workspace);
        contexts.emplace_back(model);
      }
      for (size_t i = 0; i < tokens; ++i)
        for (size_t k = 0; k < samplers.size(); ++k) {
          const int32_t token = samplers[k].sample(contexts[k].logits());
          samplers[k].accept(token);
          texts[thread + k * threads] += model.piece(token);
          contexts[k].step(token);
        }
    } catch (const std::exception& error) {
      errors[thread] = error.what();
    }
  };
  std::vector<std::thread> pool;
  for (size_t t = 0; t < threads; ++t) pool.emplace_back(work, t);
  for (std::thread& thread : pool) thread.join();
  for (const std::string& error : errors)
    if (!error.empty()) throw std::runtime_error(error);
  for (size_t s = 0; s < sequences; ++s) {
    std::replace(texts[s].begin(), texts[s].end(), '\n', ' ');
    std::cout << s << ": " << texts[s] << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
