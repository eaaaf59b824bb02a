// Choosing a case. Values are drawn from lists that hold the borders of every branch (k around 128 and 1,024, windows as long as
// the prompt, V = 1 and 2), mixed with plain random ones. Chains are short on average, so that a difference points at a step.
#include "tests/differential/live_case.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace bankml::differential {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

const std::vector<std::string> step_names = {"penalties", "dry",   "top_n_sigma", "top_k",      "typ_p",
                                             "top_p",     "min_p", "xtc",         "temperature"};

int32_t small_or(Dice& dice, std::initializer_list<int64_t> values, int64_t high) {
  return static_cast<int32_t>(dice.chance(0.6) ? dice.pick(values) : dice.between(0, high));
}

void choose_truncation(Dice& dice, reference::ChainSetup& setup, size_t n_vocab) {
  const auto v = static_cast<int64_t>(n_vocab);
  if (dice.chance(0.7))
    setup.top_k = small_or(dice, {0, 0, -1, 1, 2, 40, 100, 127, 128, 129, 200, 256, 1000, 1023, 1024, 1025, v, v - 1, v + 1}, v);
  if (dice.chance(0.6))
    setup.top_p = dice.chance(0.7) ? dice.pick({1.0f, 0.95f, 0.9f, 0.5f, 0.0f, 0.999f, 0.99999f}) : dice.real(0, 1);
  if (dice.chance(0.6)) setup.min_p = dice.chance(0.7) ? dice.pick({0.0f, 0.05f, 0.5f, 1.0f, 0.001f, 1e-20f}) : dice.real(0, 1);
  if (dice.chance(0.35)) setup.typical_p = dice.chance(0.7) ? dice.pick({0.9f, 0.5f, 0.2f, 0.0f, 0.99f}) : dice.real(0, 1);
  if (dice.chance(0.3)) setup.top_n_sigma = dice.chance(0.7) ? dice.pick({1.0f, 2.0f, 0.5f, 0.0f, 3.0f}) : dice.real(-1, 4);
  if (dice.chance(0.35)) {
    setup.xtc_probability = dice.pick({0.5f, 1.0f, 0.1f, 0.0f});
    setup.xtc_threshold = dice.pick({0.1f, 0.01f, 0.5f, 0.5001f, 0.0f, 0.3f, 1e-5f});
  }
  if (dice.chance(0.35)) setup.min_keep = small_or(dice, {1, 2, 3, 10, v, v + 3}, std::min<int64_t>(v, 200));
}

void choose_temperature(Dice& dice, reference::ChainSetup& setup) {
  setup.temperature = dice.pick({0.8f, 0.8f, 1.0f, 0.0f, 1.5f, 0.1f, 5.0f, -1.0f, 0.01f, 1e-3f, 100.0f, 1e-30f});
  if (dice.chance(0.25)) {
    setup.dynatemp_range = dice.pick({0.5f, 1.0f, 0.1f, 3.0f, -0.5f});
    setup.dynatemp_exponent = dice.pick({1.0f, 1.0f, 0.5f, 2.0f, -1.0f, 0.0f});
  }
}

int32_t choose_window(Dice& dice, size_t prompt_length) {
  const auto length = static_cast<int64_t>(prompt_length);
  return static_cast<int32_t>(
      dice.chance(0.02) ? 70000
                        : std::max<int64_t>(0, dice.pick({int64_t{64}, int64_t{0}, int64_t{1}, int64_t{2}, length, length - 1,
                                                          length + 1, length / 2, int64_t{1024}, int64_t{8}})));
}

void choose_penalties(Dice& dice, reference::ChainSetup& setup, size_t prompt_length) {
  if (!dice.chance(0.45)) return;
  setup.repeat_last_n = choose_window(dice, prompt_length);
  setup.repeat_penalty = dice.pick({1.0f, 1.1f, 1.3f, 2.0f, 0.5f, 1.0000001f, 1e-3f});
  if (dice.chance(0.5)) setup.frequency_penalty = dice.pick({0.0f, 0.5f, -0.7f, 2.0f, 1e-3f, 100.0f});
  if (dice.chance(0.5)) setup.presence_penalty = dice.pick({0.0f, 0.5f, -1.5f, 2.0f, 30.0f});
}

// Breakers travel as JSON strings, so a piece that is cut inside a character cannot be one.
bool is_json_text(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty() && text.find('\0') == std::string::npos;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

std::vector<std::string> choose_strings(Dice& dice, const VocabFacts& vocab) {
  static const std::vector<std::string> fixed = {
      "\n", ":", "\"", "*", "***", "the name", "\xE4\xB8\xAD\xE6\x96\x87", "\n\n", "ing", " ", std::string(60, 'x')};
  std::vector<std::string> strings;
  for (int64_t i = dice.between(1, 4); i > 0; --i) {
    if (dice.chance(0.5)) {
      strings.push_back(dice.pick(fixed));
      continue;
    }
    const std::string text = dice.pick(vocab.pieces) + dice.pick(vocab.pieces);
    const size_t from = dice.next() % (text.size() + 1);
    const std::string part = text.substr(from, dice.next() % 12);
    if (!part.empty() && is_json_text(part)) strings.push_back(part);
  }
  if (strings.empty()) strings.push_back("\n");
  return strings;
}

void choose_dry(Dice& dice, LiveCase& live, const std::vector<VocabFacts>& vocabs) {
  reference::ChainSetup& setup = live.setup;
  if (!dice.chance(0.45)) return;
  setup.dry_multiplier = dice.pick({0.8f, 0.8f, 1.5f, -0.5f, 5.0f, 0.0f, 1e30f, -1e30f});
  setup.dry_base = dice.pick({1.75f, 1.75f, 1.2f, 1.0f, 3.0f, 1.0000005f, 0.5f, 1000.0f});
  setup.dry_allowed_length = dice.pick({2, 2, 0, 1, 3, 10});
  setup.dry_penalty_last_n = choose_window(dice, live.prompt.size());
  if (live.vocab >= 0 && dice.chance(0.7)) {
    setup.dry_sequence_breakers = choose_strings(dice, vocabs[static_cast<size_t>(live.vocab)]);
    return;
  }
  for (int64_t i = dice.between(0, 4); i > 0; --i) {
    std::vector<int32_t> breaker;
    for (int64_t length = dice.between(1, 4); length > 0; --length)
      breaker.push_back(dice.chance(0.8) && !live.prompt.empty() ? dice.pick(live.prompt)
                                                                 : static_cast<int32_t>(dice.next() % live.n_vocab));
    setup.dry_breaker_tokens.push_back(std::move(breaker));
  }
}

void choose_biases(Dice& dice, LiveCase& live) {
  if (!dice.chance(0.3)) return;
  const auto v = static_cast<int64_t>(live.n_vocab);
  for (int64_t i = dice.between(1, dice.chance(0.1) ? 300 : 6); i > 0; --i) {
    const int64_t token = dice.chance(0.05) ? dice.pick({int64_t{-1}, v, v + 100, int64_t{2147483647}}) : dice.between(0, v - 1);
    const float bias = dice.chance(0.3) ? -infinity : dice.pick({1.0f, -1.0f, 5.0f, -20.0f, 0.0f, 1e-3f, 100.0f});
    live.setup.logit_bias.emplace_back(static_cast<int32_t>(token), bias);
  }
}

void choose_order(Dice& dice, LiveCase& live) {
  reference::ChainSetup& setup = live.setup;
  if (dice.chance(0.12)) {
    setup.mirostat = dice.pick({1, 2});
    setup.mirostat_tau = dice.pick({5.0f, 3.0f, 8.0f, 0.5f, 0.0f, 20.0f});
    setup.mirostat_eta = dice.pick({0.1f, 0.5f, 0.0f, 1.0f});
    return;
  }
  if (dice.chance(0.55)) {
    setup.samplers.clear();
    for (int64_t i = dice.between(0, 6); i > 0; --i) setup.samplers.push_back(dice.pick(step_names));
    if (live.vocab >= 0 && live.n_vocab <= 900 && dice.chance(0.3)) setup.samplers.push_back("infill");
    if (setup.samplers.empty() && dice.chance(0.5)) setup.samplers.push_back("temperature");
  }
  if (dice.chance(0.1)) {
    setup.samplers.insert(setup.samplers.begin() + static_cast<std::ptrdiff_t>(dice.next() % (setup.samplers.size() + 1)),
                          "adaptive_p");
    setup.adaptive_target = dice.pick({0.5f, 0.1f, 0.9f, -1.0f, 0.0f, 1.0f});
    setup.adaptive_decay = dice.pick({0.9f, 0.0f, 0.99f, 0.5f});
  }
}

// A small alphabet and repeated phrases, or DRY and penalties would never have anything to find.
std::vector<int32_t> choose_prompt(Dice& dice, size_t n_vocab) {
  const size_t length = dice.chance(0.2) ? 0 : dice.chance(0.05) ? dice.log_uniform(500, 2500) : dice.log_uniform(1, 200);
  const size_t alphabet = std::min(n_vocab, dice.pick({size_t{1}, size_t{2}, size_t{4}, size_t{10}, size_t{100}, n_vocab}));
  const uint64_t first = dice.next() % (n_vocab - alphabet + 1);
  std::vector<int32_t> prompt;
  while (prompt.size() < length) {
    if (prompt.size() > 4 && dice.chance(0.15)) {
      const size_t from = dice.next() % prompt.size();
      const size_t count = std::min(prompt.size() - from, size_t{1} + dice.next() % 12);
      for (size_t i = 0; i < count; ++i) prompt.push_back(prompt[from + i]);
    } else {
      prompt.push_back(static_cast<int32_t>(first + dice.next() % alphabet));
    }
  }
  return prompt;
}

RowTwist choose_twist(Dice& dice) {
  RowTwist twist;
  twist.seed = dice.next();
  if (!dice.chance(0.35)) return twist;
  twist.kind = dice.pick({RowTwist::some_banned, RowTwist::plateau, RowTwist::scaled, RowTwist::signed_zeros, RowTwist::one_left,
                          RowTwist::subnormal});
  twist.amount = twist.kind == RowTwist::scaled ? dice.pick({1e9, 3e7, 1e20, 0.01, 1e-6, 20.0, -1.0}) : dice.pick({0.01, 0.3, 0.9});
  return twist;
}

std::vector<Step> choose_steps(Dice& dice, size_t n_vocab) {
  const int64_t most = n_vocab > 20000 ? 2 : n_vocab > 2000 ? 4 : 10;
  std::vector<Step> steps(static_cast<size_t>(dice.between(1, most)));
  const bool other_draws = dice.chance(0.3);
  for (Step& step : steps) {
    if (other_draws) step.draw = dice.pick({Draw::plain, Draw::masked, Draw::redraw, Draw::candidates});
    if (dice.chance(0.06)) step.event = dice.pick({Event::clone, Event::reset});
    step.accept_other = dice.chance(0.05);
    step.post_probs = dice.chance(0.1);
    if (dice.chance(0.08))
      step.n_top = static_cast<int32_t>(dice.pick({size_t{0}, size_t{1}, size_t{5}, size_t{20}, size_t{129}, n_vocab}));
  }
  return steps;
}

}  // namespace

LiveCase make_case(uint64_t seed, uint64_t index, const std::vector<VocabFacts>& vocabs) {
  Dice dice(seed, index);
  LiveCase live;
  live.n_vocab = dice.chance(0.04) ? static_cast<size_t>(dice.between(1, 2)) : dice.log_uniform(1, 160000);
  if (!vocabs.empty() && dice.chance(0.2)) {
    live.vocab = static_cast<int>(dice.next() % vocabs.size());
    live.n_vocab = vocabs[static_cast<size_t>(live.vocab)].size + (dice.chance(0.2) ? dice.next() % 100 + 1 : 0);
  }
  live.recipe = dice.pick(reference::recipe_names());
  live.logits_seed = dice.next() >> 8;
  live.same_row = dice.chance(0.3);
  live.twist = choose_twist(dice);
  live.setup.seed = static_cast<uint32_t>(dice.chance(0.1) ? dice.pick({uint64_t{0}, uint64_t{1}, uint64_t{0xFFFFFFFEu}})
                                                           : dice.next() % 0xFFFFFFFFu);
  live.prompt = choose_prompt(dice, live.n_vocab);
  choose_order(dice, live);
  choose_truncation(dice, live.setup, live.n_vocab);
  choose_temperature(dice, live.setup);
  choose_penalties(dice, live.setup, live.prompt.size());
  choose_dry(dice, live, vocabs);
  choose_biases(dice, live);
  live.steps = choose_steps(dice, live.n_vocab);
  live.step_seed = dice.next();
  // The pieces of padding tokens do not exist on the reference's side.
  const bool padded = live.vocab >= 0 && live.n_vocab != vocabs[static_cast<size_t>(live.vocab)].size;
  if (padded) std::erase(live.setup.samplers, std::string("infill"));
  return live;
}

void fill_row(const LiveCase& live, size_t step, std::vector<float>& logits) {
  logits.resize(live.n_vocab);
  reference::fill_logits(live.recipe, live.logits_seed + (live.same_row ? 0 : step), live.n_vocab, logits.data());
  const RowTwist& twist = live.twist;
  reference::SplitMix64 random(twist.seed + step);
  const auto hit = [&] { return static_cast<double>(random.next() >> 11) / 9007199254740992.0 < twist.amount; };
  const float greatest = *std::max_element(logits.begin(), logits.end());
  switch (twist.kind) {
    case RowTwist::none:
      break;
    case RowTwist::some_banned:
      for (float& logit : logits) logit = hit() ? -infinity : logit;
      break;
    case RowTwist::plateau:
      for (float& logit : logits) logit = hit() ? greatest : logit;
      break;
    case RowTwist::scaled:
      for (float& logit : logits) logit *= static_cast<float>(twist.amount);
      for (float& logit : logits) logit = logit < infinity ? logit : 0.0f;
      break;
    case RowTwist::signed_zeros:
      for (float& logit : logits) logit = hit() ? (random.next() % 2 == 0 ? 0.0f : -0.0f) : logit;
      break;
    case RowTwist::one_left: {
      const size_t kept = random.next() % logits.size();
      const float value = logits[kept];
      std::fill(logits.begin(), logits.end(), -infinity);
      logits[kept] = value;
      break;
    }
    case RowTwist::subnormal:
      for (float& logit : logits) logit *= 1e-39f;
      break;
  }
}

std::string describe(const LiveCase& live) {
  std::string text = "V " + std::to_string(live.n_vocab) + ", recipe " + live.recipe + ", logits_seed " +
                     std::to_string(live.logits_seed) + ", twist " + std::to_string(live.twist.kind) + ", prompt " +
                     std::to_string(live.prompt.size()) + " tokens, steps " + std::to_string(live.steps.size());
  if (live.vocab >= 0) text += ", vocabulary " + std::to_string(live.vocab);
  return text + ", " + reference::describe(live.setup);
}

}  // namespace bankml::differential
