// The best token of a row of logits: temperature 0 makes the draw greedy.
#include <cstdio>

#include "bankml.hpp"

int main() {
  const std::vector<float> logits = {0.5f, 2.0f, -1.0f, 3.5f, 3.0f};
  bankml::Params params;
  params.set_number("temperature", 0);
  bankml::Sampler sampler(params, logits.size());
  std::printf("status: ok, token: %d\n", sampler.sample(logits));
}
