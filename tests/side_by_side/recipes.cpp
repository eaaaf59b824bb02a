// See the header. String breakers are llama-server's default ones.
#include "tests/side_by_side/recipes.h"

#include <limits>

namespace bankml::side_by_side {

using reference::ChainSetup;

std::vector<Recipe> every_step(const std::vector<int32_t>& ended) {
  const std::vector<std::string> breakers = {"\n", ":", "\"", "*"};
  std::vector<Recipe> all;
  const auto add = [&all](const char* name, auto change) {
    ChainSetup setup;
    setup.seed = static_cast<uint32_t>(1000 + all.size());
    change(setup);
    all.push_back({name, setup});
  };
  add("default", [](ChainSetup&) {});
  add("greedy", [](ChainSetup& s) { s.temperature = 0.0f; });
  add("penalties", [](ChainSetup& s) { s.repeat_penalty = 1.1f, s.frequency_penalty = 0.2f, s.presence_penalty = 0.1f; });
  add("dry", [&](ChainSetup& s) { s.dry_multiplier = 0.8f, s.dry_penalty_last_n = 512, s.dry_sequence_breakers = breakers; });
  add("dry, long breakers", [&](ChainSetup& s) {
    s.dry_multiplier = 0.8f, s.dry_allowed_length = 1, s.dry_sequence_breakers = {" the", "\n\n", "once upon", ". A"};
  });
  add("top_n_sigma", [](ChainSetup& s) { s.top_n_sigma = 1.0f; });
  add("top_k 200", [](ChainSetup& s) { s.top_k = 200, s.top_p = 1.0f, s.min_p = 0.0f; });
  add("top_p, top_k 0", [](ChainSetup& s) { s.top_k = 0, s.min_p = 0.0f; });
  add("min_p, top_k 0", [](ChainSetup& s) { s.top_k = 0, s.top_p = 1.0f; });
  add("typical, top_k 0", [](ChainSetup& s) { s.top_k = 0, s.top_p = 1.0f, s.min_p = 0.0f, s.typical_p = 0.9f; });
  add("xtc", [](ChainSetup& s) { s.xtc_probability = 0.5f; });
  add("dynamic temperature",
      [](ChainSetup& s) { s.top_k = 0, s.top_p = 1.0f, s.min_p = 0.0f, s.dynatemp_range = 0.5f, s.dynatemp_exponent = 1.2f; });
  add("temperature alone", [](ChainSetup& s) { s.top_k = 0, s.top_p = 1.0f, s.min_p = 0.0f; });
  add("adaptive_p", [](ChainSetup& s) { s.samplers = {"top_k", "min_p", "temperature", "adaptive_p"}, s.adaptive_target = 0.4f; });
  add("logit_bias, no end", [&](ChainSetup& s) {
    for (const int32_t token : ended) s.logit_bias.emplace_back(token, -std::numeric_limits<float>::infinity());
    s.logit_bias.emplace_back(600, 2.5f), s.logit_bias.emplace_back(601, -1.0f);
  });
  add("infill", [](ChainSetup& s) { s.samplers = {"top_k", "top_p", "infill", "temperature"}; });
  add("own order", [](ChainSetup& s) {
    s.samplers = {"temperature", "min_p", "top_k", "top_p", "top_k"}, s.temperature = 1.3f, s.top_k = 150;
  });
  add("everything", [&](ChainSetup& s) {
    s.repeat_penalty = 1.1f, s.dry_multiplier = 0.5f, s.dry_sequence_breakers = breakers, s.top_n_sigma = 3.0f, s.typical_p = 0.98f;
    s.xtc_probability = 0.3f, s.dynatemp_range = 0.3f, s.min_keep = 2;
  });
  add("mirostat 1", [](ChainSetup& s) { s.mirostat = 1; });
  add("mirostat 2", [](ChainSetup& s) { s.mirostat = 2; });
  return all;
}

std::vector<Recipe> small_tour(const std::vector<std::vector<int32_t>>& breakers) {
  ChainSetup normal, greedy, mirostat, dry;
  normal.seed = mirostat.seed = dry.seed = 42;
  greedy.temperature = 0.0f;
  mirostat.mirostat = 2;
  mirostat.mirostat_tau = 3.0f;
  dry.dry_multiplier = 0.8f;
  dry.dry_breaker_tokens = breakers;
  return {{"default", normal}, {"greedy", greedy}, {"mirostat 2", mirostat}, {"dry", dry}};
}

}  // namespace bankml::side_by_side
