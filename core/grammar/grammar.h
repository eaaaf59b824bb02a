// A grammar that constrains one sequence: what is allowed next, and what was accepted.
//
// Allowed and accepted is what llama.cpp allows and accepts, quirks included; where it aborts or raises, accept refuses and
// nothing changes. With Decoding::strict pieces are read as UTF-8 is defined, control and unused tokens match references alone, a
// token is allowed only if something completes the text behind it, and end tokens exactly where the text is complete. Clones share
// everything but their place in the text. Every method may be called from the thread that owns the object; clones may be used from
// different threads.
//
// A lazy grammar waits for a trigger (triggers.h): meanwhile everything is allowed and every token taken. Source: llama.cpp b11192,
// src/llama-grammar.cpp. Tested by tests/grammar/grammar.cpp, tests/grammar/strict.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error_text.h"
#include "core/base/status.h"
#include "core/grammar/options.h"
#include "core/grammar/space.h"
#include "core/vocab/vocab.h"

namespace bankml::grammar {

class Grammar {
 public:
  // An empty text is no constraint: everything is allowed, ending too.
  // Throws Failure: parse with line and column, limit, open_text, arg.
  static std::unique_ptr<Grammar> from_gbnf(std::shared_ptr<const Vocab> vocab, std::string_view text, const Options& options);
  std::unique_ptr<Grammar> clone() const;

  const std::string& text() const noexcept { return shared_->text; }  // the GBNF
  const Vocab& vocab() const noexcept { return *shared_->vocab; }

  // Words of the mask for this place, (vocabulary size + 31) / 32 of them, valid until the next call. Throws Failure(limit).
  const std::vector<uint32_t>& mask();
  bool is_dead();                                               // nothing is allowed
  bool is_complete();                                           // ending is allowed
  bool waits() const noexcept { return places_.back().waits; }  // lazy, and no trigger yet
  bool test(int32_t token);                                     // of the vocabulary

  // All tokens or none. Refusals (reject, token, limit) leave everything as it was.
  Status accept(const int32_t* tokens, size_t n, ErrorText& error);
  const std::vector<int32_t>& tokens() const noexcept { return tokens_; }
  Status rollback(size_t n, ErrorText& error);
  void reset();

  // The longest bytes with which every text from here on begins, at most `most`.
  std::string forced(size_t most = 4096);

  // Computes masks of places that may come next, at most n. How many were new.
  size_t warm(size_t n);

  // Fingerprints and the accepted tokens. load replays them; Failure(state) for damaged or foreign bytes, nothing changed.
  std::string save() const;
  void load(std::string_view bytes);

  uint64_t mask_fills() const;
  size_t bytes() const;  // of the shared part

 private:
  struct Place {
    Config config;  // the start while waiting
    Unfinished inside;
    bool waits = false;
    // While waiting, of the last place, and of every 16th of the last few, which clones share and which are not changed.
    std::shared_ptr<Waiting> searches;
  };
  static constexpr size_t kept_every = 16, kept_span = 64;
  explicit Grammar(std::shared_ptr<Shared> shared);
  bool strict() const noexcept { return shared_->options.decoding == Decoding::strict; }
  bool complete_here() const {
    return space_->machine().complete(places_.back().config) && (!strict() || places_.back().inside.need == 0);
  }
  bool free() const noexcept { return shared_->unconstrained || waits(); }  // everything is allowed here

  template <class Body>
  auto in_space(const Body& body);
  void move_to_new_space();
  void replay(const std::vector<int32_t>& tokens);
  void accept_one(int32_t token);
  Place behind(const Place& here, int32_t token, std::string_view piece);
  Config behind_strictly(const Place& here, int32_t token, std::string_view piece, Unfinished& inside);
  Place behind_waiting(int32_t token);
  std::shared_ptr<Waiting> searches_here();
  Place first_place() const;
  void begin();
  void undo_to(size_t n) noexcept;

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Space> space_;
  std::vector<int32_t> tokens_;
  std::vector<Place> places_;    // before each token and now
  MaskPtr pinned_;               // of this place, or null
  std::vector<uint32_t> chars_;  // scratch
  patterns::Scratch scratch_;
};

}  // namespace bankml::grammar
