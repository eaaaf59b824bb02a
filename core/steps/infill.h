// infill: for filling a gap in code: prefers an end over a doubtful continuation, and merges tokens that begin alike.
//
// Tested by tests/steps/infill.cpp
#pragma once

#include "core/math/fp_env.h"

#include <memory>

#include "core/steps/step.h"
#include "core/vocab/vocab.h"

namespace bankml {

class Infill : public Step {
 public:
  // vocab: pieces and end-of-generation tokens; tokens beyond its size count as text with empty pieces.
  explicit Infill(std::shared_ptr<const Vocab> vocab) : vocab_(std::move(vocab)) {}

  const char* name() const noexcept override { return "infill"; }
  Status apply(Candidates& set, ErrorText& error) noexcept override;
  std::unique_ptr<Step> clone() const override { return std::make_unique<Infill>(*this); }

 private:
  bool is_end(int32_t token) const noexcept { return vocab_->contains(token) && vocab_->is_eog(token); }
  std::string_view piece(int32_t token) const noexcept {
    return vocab_->contains(token) ? vocab_->plain_piece(token) : std::string_view();
  }
  void merge_prefixes(Candidates& set) const noexcept;
  void keep_ends(Candidates& set) const noexcept;

  std::shared_ptr<const Vocab> vocab_;
};

}  // namespace bankml
