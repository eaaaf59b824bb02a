// How a draw begins: a fast opening from the caller's row to the first short set, or the plain one.
//
// Which openings exist is the table in opening.cpp: the longest known prefix of the chain decides, once, when the sampler is built.
// An opening runs the sparse steps (logit_bias, penalties, dry) as edits of the row, then its truncation; the steps behind it are
// the plain ones. Some stand for the whole chain and leave the drawn token alone (the try_... files), unless candidates are kept.
// Each can be switched off by name (params key `disable`).
//
// Tested by tests/chain/opening.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/candidates/candidates.h"
#include "core/candidates/fast_scratch.h"
#include "core/candidates/row.h"
#include "core/params/params.h"
#include "core/steps/step.h"

namespace bankml {

class Opening {
 public:
  Opening() = default;  // plain
  Opening(const Params& params, const std::vector<std::unique_ptr<Step>>& steps, size_t n_vocab);

  const char* name() const noexcept;
  bool plain() const noexcept { return kind_ == Kind::plain; }
  // A fast opening may find at draw time that it does not pay; then the plain one follows and needs its storage.
  bool may_fall_back() const noexcept { return kind_ != Kind::top_k; }

  // How many steps of the chain's start are sparse; a fast opening stands for the first `length` steps, which begin with these.
  size_t sparse() const noexcept { return sparse_; }
  size_t length() const noexcept { return length_; }
  // Whether the opening uses the memory of a whole set.
  bool needs_whole_set() const noexcept { return kind_ >= Kind::mirostat; }
  // Candidates that the set must have room for otherwise, and the k that the scratch must be made for.
  size_t set_capacity(size_t n_vocab) const noexcept;
  size_t scratch_k() const noexcept { return k_; }
  bool needs_masses() const noexcept { return kind_ == Kind::draw || kind_ == Kind::xtc || kind_ == Kind::dynamic_temperature; }

  // What the opening stands for behind the sparse steps, on a scanned row with its edits sorted. `steps` are the chain's, `keep`
  // tells whether the surviving candidates are wanted. `next` becomes the first step that is left to do.
  // False = not proven, or of no use; set and steps are unchanged.
  bool open(const Row& row, const std::vector<std::unique_ptr<Step>>& steps, bool keep, size_t& next, Candidates& set,
            FastScratch& scratch) const noexcept;

 private:
  enum class Kind : uint8_t {
    plain,
    top_k,
    bucket_top_k,
    min_p,
    draw,
    top_n_sigma,
    mirostat,
    mirostat_v2,
    xtc,
    top_p,
    dynamic_temperature,
    typical
  };
  bool choose_ending(const std::vector<std::unique_ptr<Step>>& steps, const Params& params, size_t n_vocab) noexcept;
  bool ends_in_draw(const std::vector<std::unique_ptr<Step>>& steps, size_t at) noexcept;

  Kind kind_ = Kind::plain;
  size_t sparse_ = 0;
  size_t length_ = 0;
  size_t k_ = 1;
  float min_p_ = 0;
  size_t min_keep_ = 0;
  float t_ = 1;  // temperature
  float sigma_ = 0;
  bool draw_follows_ = false;
};

}  // namespace bankml
