// The smallest C++ consumer: the program of main.c through bankml.hpp.
#include <bankml.hpp>
#include <cstdio>
#include <vector>

int main() {
  bankml::Params params;
  params.set_number("seed", 42);
  bankml::Sampler sampler(params, 1000);
  std::vector<float> logits(1000);
  std::printf("%s:", bankml::version_string().c_str());
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 1000; ++k) logits[static_cast<size_t>(k)] = static_cast<float>((k * 7919 + i * 31) % 1009) / 128.0f;
    const int32_t token = sampler.sample(logits);
    sampler.accept(token);
    std::printf(" %d", static_cast<int>(token));
  }
  std::printf("\n");
}
