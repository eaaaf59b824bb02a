// Tested by tests/grammar/masks.cpp
#include "core/grammar/space.h"

#include <algorithm>
#include <utility>

namespace bankml::grammar {
namespace space {

size_t bytes_of(const Mask& mask) noexcept { return sizeof mask + mask.words.capacity() * sizeof(uint32_t); }

}  // namespace space

Space::Space(std::shared_ptr<const Program> program, std::shared_ptr<const Vocab> vocab, const Options& options)
    : vocab_(std::move(vocab)),
      decoding_(options.decoding),
      machine_(program, options.max_bytes / 2),
      shapes_(std::move(program), options.max_bytes / 2, true),
      fill_(shapes_, *vocab_, options.decoding, options.plain_nodes) {}

MaskPtr Space::keep(std::vector<uint32_t> words) {
  ++fills_;
  const bool empty = std::all_of(words.begin(), words.end(), [](uint32_t word) { return word == 0; });
  const auto mask = std::make_shared<const Mask>(std::move(words), empty);
  masks_.push_back(mask);
  mask_bytes_ += space::bytes_of(*mask);
  asked_for(mask);
  if (mask_bytes_ > max_mask_bytes) drop_oldest();
  return mask;
}

MaskPtr Space::asked_for(const MaskPtr& mask) noexcept {
  mask->used = ++clock_;
  return mask;
}

// Down to three quarters, so that this is rare.
void Space::drop_oldest() {
  std::sort(masks_.begin(), masks_.end(), [](const MaskPtr& a, const MaskPtr& b) { return a->used > b->used; });
  size_t kept = 0;
  mask_bytes_ = 0;
  for (; kept < masks_.size(); ++kept) {
    const size_t bytes = space::bytes_of(*masks_[kept]);
    if (kept > 0 && mask_bytes_ + bytes > max_mask_bytes / 4 * 3) break;
    mask_bytes_ += bytes;
  }
  if (kept == masks_.size()) return;
  const uint64_t oldest = masks_[kept - 1]->used;
  const auto gone = [oldest](const MaskPtr& mask) { return mask != nullptr && mask->used < oldest; };
  for (MaskPtr& mask : by_config_) {
    if (gone(mask)) mask = nullptr;
  }
  std::erase_if(by_shape_, [&](const auto& entry) { return gone(entry.second); });
  std::erase_if(inside_, [&](const auto& entry) { return gone(entry.second); });
  masks_.resize(kept);
}

MaskPtr Space::fill(Config shape) {
  std::vector<uint32_t> words(tables().words());
  if (!fill_.run(shape, words)) return nullptr;
  return keep(std::move(words));
}

// Only pieces that begin with the bytes that are missing can follow, and there are few of them.
MaskPtr Space::fill_inside(Config config, Unfinished inside) {
  std::vector<uint32_t> words(tables().words());
  const auto allow = [&words](int32_t token) { words[static_cast<size_t>(token) / 32] |= 1u << (token % 32); };
  for (const int32_t token : tables().continuations()) {
    if (allows(machine_, *vocab_, decoding_, config, inside, token)) allow(token);
  }
  if (machine_.complete(config) && decoding_ == Decoding::llama) {  // whose end tokens look at no unfinished character
    for (const int32_t token : vocab_->eog_tokens()) allow(token);
  }
  return keep(std::move(words));
}

// Where a mask looked deeper once, others at the same states do too, mostly: begin there.
MaskPtr Space::fill_shape(Config config) {
  uint32_t& depth = depth_of_[shapes_.shortened(machine_, config, 0)];
  for (depth = std::max(depth, 1u);; depth = depth < 64 ? depth * 4 : UINT32_MAX) {
    const Config shape = shapes_.shortened(machine_, config, depth);
    const auto known = by_shape_.find(shape);
    if (known != by_shape_.end() && known->second == nullptr) continue;
    if (known != by_shape_.end()) return asked_for(known->second);
    const MaskPtr made = fill(shape);
    by_shape_[shape] = made;
    if (made != nullptr) return made;
  }
}

// The end of a long repetition is near: settled states hide that from the longest pieces, and only from them.
MaskPtr Space::with_long_pieces(Config config, const MaskPtr& mask) {
  std::vector<uint32_t> words = mask->words;
  bool changed = false;
  for (const int32_t token : tables().longer_than(machine_.program().level() - 2)) {
    uint32_t& word = words[static_cast<size_t>(token) / 32];
    const uint32_t bit = 1u << (token % 32);
    const uint32_t now = allows(machine_, *vocab_, decoding_, config, {}, token) ? bit : 0;
    changed = changed || (word & bit) != now;
    word = (word & ~bit) | now;
  }
  return changed ? keep(std::move(words)) : mask;
}

MaskPtr Space::mask(Config config, Unfinished inside) {
  if (inside.need > 0) {
    const uint64_t key = static_cast<uint64_t>(inside.value) << 2 | inside.need;
    if (inside_of_ != config) inside_.clear();
    inside_of_ = config;
    const auto known = inside_.find(key);
    if (known != inside_.end()) return asked_for(known->second);
    const MaskPtr made = fill_inside(config, inside);
    inside_[key] = made;
    return made;
  }
  if (config < by_config_.size() && by_config_[config] != nullptr) return asked_for(by_config_[config]);
  MaskPtr made = fill_shape(config);
  if (machine_.scarce(config)) made = with_long_pieces(config, made);
  if (by_config_.size() <= config) by_config_.resize(config + 1 + config / 2);
  by_config_[config] = made;
  return made;
}

}  // namespace bankml::grammar
