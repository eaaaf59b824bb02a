// What every step of the chain is: a transformation of the candidate set, with the state it needs.
//
// A step's arithmetic is `apply`, on Candidates, and is the readable definition. Steps that only change a few logits by id also
// offer `edit`, the same change on a Row without storage; fast openings use it. Steps that draw own an engine and can undo their
// draws, so that a failing call leaves the state as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/error_text.h"
#include "core/base/state_bytes.h"
#include "core/base/status.h"
#include "core/candidates/candidates.h"
#include "core/candidates/row.h"

namespace bankml {

class Step {
 public:
  virtual ~Step() = default;

  // Name in the glossary's spelling: "top_k", "typical", "temperature", ...
  virtual const char* name() const noexcept = 0;

  // Transforms the set. Steps that select set `set.selected`. On failure (no_candidate, nonfinite) writes `error`; the caller
  // rewinds.
  virtual Status apply(Candidates& set, ErrorText& error) noexcept = 0;

  // Sparse steps only (logit_bias, penalties, dry): the same change as edits of the row. False = not offered; nothing changed.
  virtual bool edit(Row&, Work&) noexcept { return false; }
  // The largest number of edits that `edit` can add.
  virtual size_t edit_capacity() const noexcept { return 0; }

  // Makes room for `n` more tokens in windows beyond 65,536, which grow by doubling. May throw bad_alloc, with nothing changed; the
  // chain calls it on every step before the first accept, so that accepting many tokens is all or nothing.
  virtual void reserve(size_t) {}
  // A token was chosen, here or elsewhere.
  virtual void accept(int32_t) noexcept {}

  // State as after construction, engines seeded with `seed`.
  virtual void reset(uint32_t) noexcept {}
  // Engines only.
  virtual void seed(uint32_t) noexcept {}

  // Around a draw: mark remembers the drawing state (engine, mu, pending token), rewind restores it.
  virtual void mark() noexcept {}
  virtual void rewind() noexcept {}

  // What accept and draws have changed, and back. Tokens that load meets are checked against n_vocab; Failure(state), with this step
  // spoilt: the chain loads copies.
  virtual void save_state(StateWriter&) const {}
  virtual void load_state(StateReader&, size_t) {}

  virtual std::unique_ptr<Step> clone() const = 0;
  virtual size_t bytes() const noexcept { return 0; }
};

}  // namespace bankml
