// Loading works on copies of the steps, which take the place of the others once everything has been read.
// Tested by tests/chain/state.cpp
#include "core/math/fp_env.h"

#include "core/chain/state.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/base/state_bytes.h"
#include "core/chain/sampler.h"
#include "core/params/param_value.h"
#include "core/params/table.h"

namespace bankml {
namespace sampler_state {

constexpr std::string_view magic = "bkmlsmp1";

Failure refused(const char* why) { return Failure(Status::state, std::string("the sampler's state bytes ") + why); }

}  // namespace sampler_state

uint64_t state_fingerprint(const Params& params) {
  std::string text;
  for (size_t i = 0; i < param_count(); ++i) {
    const ParamRow& row = param_row(i);
    if (row.seed != nullptr || row.json == JsonParam::disable || std::string_view(row.name) == "n_probs") continue;
    text += row.name;
    text += '=';
    append_param_json(text, params, row);
    text += '\n';
  }
  for (const auto& [bytes, tokens] : params.text_tokens) {
    text += bytes;
    for (const int32_t token : tokens) text += " " + std::to_string(token);
    text += '\n';
  }
  return fnv64(text);
}

std::string Sampler::save() const {
  StateWriter out;
  out.text(sampler_state::magic);
  out.u64(state_fingerprint(params_));
  out.u64(n_vocab_);
  out.u32(seed_in_use_);
  out.u32(requested_seed_);
  out.u32(static_cast<uint32_t>(steps_.size()));
  for (const auto& step : steps_) step->save_state(out);
  const uint64_t checksum = fnv64(out.bytes());
  out.u64(checksum);
  return out.bytes();
}

void Sampler::load(std::string_view bytes) {
  const size_t head = sampler_state::magic.size();
  if (bytes.size() < head + 8 || bytes.substr(0, head - 1) != sampler_state::magic.substr(0, head - 1)) {
    throw sampler_state::refused("are not a saved sampler");
  }
  if (bytes[head - 1] != sampler_state::magic[head - 1]) throw sampler_state::refused("are of another version");
  const std::string_view body = bytes.substr(0, bytes.size() - 8);
  if (StateReader(bytes.substr(body.size())).u64() != fnv64(body)) throw sampler_state::refused("are damaged");
  StateReader in(body.substr(head));
  if (in.u64() != state_fingerprint(params_)) throw sampler_state::refused("belong to other parameters");
  if (in.u64() != n_vocab_) throw sampler_state::refused("belong to another n_vocab");
  const uint32_t seed_in_use = in.u32(), requested = in.u32();
  if (in.u32() != steps_.size()) throw sampler_state::refused("belong to another chain");
  std::vector<std::unique_ptr<Step>> loaded;
  loaded.reserve(steps_.size());
  for (const auto& step : steps_) {
    loaded.push_back(step->clone());
    loaded.back()->load_state(in, n_vocab_);
  }
  if (in.left() != 0) throw sampler_state::refused("are damaged");
  steps_ = std::move(loaded);
  seed_in_use_ = seed_in_use;
  requested_seed_ = requested;
  kept_in_ = nullptr;
}

}  // namespace bankml
