// What all clones of a grammar share: the program, one machine, and the masks made so far. One lock; a space that is full is
// replaced by an empty one, and each clone moves over when it is next used (grammar.cpp).
//
// Masks are kept by configuration and, on a miss, by the configuration shortened to 1, 4, 16 or 64 frames in a second machine, so
// equal surroundings at different depths share one. Together they take at most `max_mask_bytes`: the ones that were not asked for
// longest go first; a clone keeps its own alive. Tested by
// tests/grammar/masks.cpp and tests/grammar/grammar.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/grammar/machine.h"
#include "core/grammar/mask_fill.h"
#include "core/grammar/options.h"
#include "core/grammar/program.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

struct Mask {
  std::vector<uint32_t> words;
  bool empty;
  mutable uint64_t used = 0;  // when it was asked for last; behind the lock of the space
  Mask(std::vector<uint32_t> w, bool e) : words(std::move(w)), empty(e) {}
};
using MaskPtr = std::shared_ptr<const Mask>;

class Space {
 public:
  Space(std::shared_ptr<const Program> program, std::shared_ptr<const Vocab> vocab, const Options& options);

  Machine& machine() noexcept { return machine_; }
  MaskPtr mask(Config config, Unfinished inside);
  uint64_t fills() const noexcept { return fills_; }  // masks computed
  size_t bytes() const noexcept { return machine_.bytes() + shapes_.bytes() + fill_.bytes() + mask_bytes_; }

 private:
  static constexpr size_t max_mask_bytes = size_t{8} << 20;
  MaskPtr fill(Config shape);
  MaskPtr fill_shape(Config config);
  MaskPtr with_long_pieces(Config config, const MaskPtr& mask);
  MaskPtr fill_inside(Config config, Unfinished inside);
  MaskPtr keep(std::vector<uint32_t> words);
  MaskPtr asked_for(const MaskPtr& mask) noexcept;
  void drop_oldest();

  const CharTables& tables() const { return vocab_->char_tables(decoding_); }

  std::shared_ptr<const Vocab> vocab_;
  Decoding decoding_;
  Machine machine_;
  Machine shapes_;  // where masks are computed
  MaskFill fill_;
  std::vector<MaskPtr> masks_;  // all that are kept
  std::vector<MaskPtr> by_config_;
  std::unordered_map<Config, MaskPtr> by_shape_;   // null = the shortened stack is too short
  std::unordered_map<Config, uint32_t> depth_of_;  // of a stack cut to its states: frames that a mask took
  std::unordered_map<uint64_t, MaskPtr> inside_;   // of one unfinished character at a time
  Config inside_of_ = 0;
  uint64_t clock_ = 0;
  size_t mask_bytes_ = 0;
  uint64_t fills_ = 0;
};

struct Shared {
  std::shared_ptr<const Vocab> vocab;
  std::shared_ptr<const Program> program;
  Options options;
  std::string text;            // GBNF, as it was given
  uint64_t fingerprint = 0;    // of text and options
  Triggers triggers;           // of a lazy grammar
  bool unconstrained = false;  // an empty text: the reference's way to say "no grammar"
  MaskPtr everything;          // all tokens
  std::mutex mutex;
  std::shared_ptr<Space> space;
};

}  // namespace bankml::grammar
