// Places in the text, and what to do when the shared space is full: take a new one and accept the same tokens again there.
// Tested by tests/grammar/grammar.cpp
#include "core/grammar/grammar.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/grammar/forced.h"
#include "core/grammar/gbnf_parser.h"
#include "core/grammar/mask_fill.h"
#include "core/grammar/productive.h"
#include "core/grammar/token_text.h"

namespace bankml::grammar {
namespace grammar_state {

constexpr std::string_view magic = "bkmlgrm1";

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(static_cast<uint8_t>(value >> (8 * i))));
}

uint64_t get(std::string_view bytes, size_t at, int width) {
  uint64_t value = 0;
  for (int i = 0; i < width; ++i)
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[at + static_cast<size_t>(i)])) << (8 * i);
  return value;
}

uint64_t fnv(uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  return (hash ^ 0xFF) * 0x100000001B3u;  // texts one after another stay apart
}

uint64_t fingerprint(std::string_view text, const Options& options) {
  uint64_t hash = fnv(fnv(0xCBF29CE484222325u, text), options.root);
  for (const auto& [piece, token] : options.token_texts) hash = fnv(fnv(hash, piece), std::to_string(token));
  if (options.lazy) hash = fnv(hash, "lazy");
  if (options.decoding == Decoding::strict) hash = fnv(hash, "strict");
  for (const Trigger& trigger : options.triggers) {
    if (options.lazy) hash = fnv(fnv(hash, trigger.text), std::to_string(trigger.kind) + " " + std::to_string(trigger.id));
  }
  return hash;
}

}  // namespace grammar_state

std::unique_ptr<Grammar> Grammar::from_gbnf(std::shared_ptr<const Vocab> vocab, std::string_view text, const Options& options) {
  if (vocab == nullptr) throw Failure(Status::arg, "a grammar needs a vocabulary");
  ParseSetup setup;
  if (!text.empty()) setup.root = options.root;
  setup.max_elements = options.max_states;
  setup.token_of_text = [&](std::string_view name) { return token_of_text(*vocab, options.token_texts, name); };
  auto shared = std::make_shared<Shared>();
  shared->unconstrained = text.empty();
  const CharTables& tables = vocab->char_tables(options.decoding);
  Rules rules = parse_gbnf(text.empty() ? "root ::=" : text, setup);
  if (options.decoding == Decoding::strict) leave_out_dead_ends(rules, *vocab);
  shared->program = std::make_shared<const Program>(std::move(rules), tables.longest(), options.settled_level);
  if (options.lazy) shared->triggers = Triggers(options.triggers, *vocab);
  std::vector<uint32_t> words(tables.words(), 0xFFFFFFFFu);
  if (vocab->size() % 32 != 0) words.back() = (1u << (vocab->size() % 32)) - 1;
  shared->everything = std::make_shared<const Mask>(std::move(words), false);
  shared->vocab = std::move(vocab);
  shared->options = options;
  shared->text = text;
  shared->fingerprint = grammar_state::fingerprint(text, options);
  shared->space = std::make_shared<Space>(shared->program, shared->vocab, options);
  return std::unique_ptr<Grammar>(new Grammar(std::move(shared)));
}

Grammar::Grammar(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  space_ = shared_->space;
  begin();
}

std::unique_ptr<Grammar> Grammar::clone() const {
  std::unique_ptr<Grammar> copy(new Grammar(shared_));
  copy->space_ = space_;
  copy->tokens_ = tokens_;
  copy->places_ = places_;
  std::shared_ptr<Waiting>& searches = copy->places_.back().searches;
  if (searches != nullptr) searches = std::make_shared<Waiting>(*searches);
  copy->pinned_ = pinned_;
  return copy;
}

Grammar::Place Grammar::first_place() const {
  Place place{space_->machine().start(), {}, shared_->options.lazy && !shared_->unconstrained, nullptr};
  if (place.waits) place.searches = std::make_shared<Waiting>(shared_->triggers);
  return place;
}

void Grammar::begin() {
  tokens_.clear();
  places_.assign(1, first_place());
  pinned_ = nullptr;
}

void Grammar::undo_to(size_t n) noexcept {
  tokens_.resize(n);
  places_.resize(n + 1);
  pinned_ = nullptr;
}

// Runs `body` under the lock. If the space is full, once more in a new one.
template <class Body>
auto Grammar::in_space(const Body& body) {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  try {
    if (space_ != shared_->space) move_to_new_space();
    return body();
  } catch (const Failure& failure) {
    if (failure.status() != Status::limit) throw;
  }
  shared_->space = std::make_shared<Space>(shared_->program, shared_->vocab, shared_->options);
  move_to_new_space();
  return body();
}

void Grammar::move_to_new_space() {
  std::vector<int32_t> tokens;
  tokens.swap(tokens_);
  const std::vector<Place> places = places_;
  const std::shared_ptr<Space> space = space_;
  try {
    space_ = shared_->space;
    replay(tokens);
  } catch (...) {
    space_ = space;
    places_ = places;
    tokens_ = std::move(tokens);
    throw;
  }
}

void Grammar::replay(const std::vector<int32_t>& tokens) {
  begin();
  for (const int32_t token : tokens) accept_one(token);
}

void Grammar::accept_one(int32_t token) {
  const Vocab& vocab = *shared_->vocab;
  const Place& here = places_.back();
  Place next;
  if (here.waits) {
    next = behind_waiting(token);
  } else if (shared_->unconstrained) {
    next = here;
  } else if (vocab.is_eog(token)) {
    if (!complete_here()) {
      throw Failure(Status::reject, "the grammar refuses the end token " + std::to_string(token) + ": its text is not complete");
    }
    next = here;
  } else {
    next = behind(here, token, vocab.piece(token));
  }
  tokens_.push_back(token);
  places_.push_back(std::move(next));
  if (places_.size() > kept_span) places_[places_.size() - 1 - kept_span].searches = nullptr;
  pinned_ = nullptr;
}

// Behind a token that counts as `piece`, its text or the end of it; end tokens are nothing special here.
Grammar::Place Grammar::behind(const Place& here, int32_t token, std::string_view piece) {
  Machine& machine = space_->machine();
  Place next{here.config, {}, false, nullptr};
  const auto refuse = [&] {
    throw Failure(Status::reject, "Unexpected empty grammar stack after accepting piece: " + std::string(piece) + " (" +
                                      std::to_string(token) + ")");
  };
  if (strict()) {
    next.config = behind_strictly(here, token, piece, next.inside);
    if (next.config == Machine::dead) refuse();
    return next;
  }
  decode_piece(piece, here.inside, chars_, next.inside);
  Config config = chars_.empty() ? machine.characters_only(here.config) : here.config;
  for (const uint32_t c : chars_) {
    if (config == Machine::dead) break;
    config = machine.step(config, machine.program().class_of(c));
  }
  if (machine.has_tokens(here.config)) {
    config = machine.join(config, machine.step_token(here.config, static_cast<uint32_t>(token)));
  }
  if (config == Machine::dead) refuse();
  next.config = config;
  return next;
}

// A place has one unfinished character, so where a token goes through a reference, and its text through characters that it leaves
// unfinished, the reference alone counts.
Config Grammar::behind_strictly(const Place& here, int32_t token, std::string_view piece, Unfinished& inside) {
  Machine& machine = space_->machine();
  Config config = Machine::dead;
  if (shared_->vocab->is_text(token) && decode_strict(piece, here.inside, chars_, inside)) {
    config = machine.characters_only(here.config);
    for (const uint32_t c : chars_) {
      if (config == Machine::dead) break;
      config = machine.step(config, machine.program().class_of(c));
    }
    if (!can_go_on(machine, config, inside)) config = Machine::dead;
  }
  if (config == Machine::dead) inside = {};
  if (here.inside.need > 0 || !machine.has_tokens(here.config)) return config;
  const Config referenced = machine.step_token(here.config, static_cast<uint32_t>(token));
  if (referenced == Machine::dead) return config;
  if (inside.need == 0) return machine.join(config, referenced);
  inside = {};
  return referenced;
}

// While waiting. A trigger token is the grammar's first; behind a pattern's offset all tokens are, to the end of the text, the one
// that the offset divides with the end of its piece.
Grammar::Place Grammar::behind_waiting(int32_t token) {
  const Vocab& vocab = *shared_->vocab;
  Place next{space_->machine().start(), {}, false, nullptr};
  if (shared_->triggers.has_token(token)) return behind(next, token, vocab.piece(token));
  std::shared_ptr<Waiting> searches = searches_here();
  if ((places_.size() - 1) % kept_every == 0) {
    searches = std::make_shared<Waiting>(*searches);
  } else {
    places_.back().searches = nullptr;  // they move on; should they be needed here again, they are made again
  }
  const std::optional<size_t> begin = searches->feed(vocab.piece(token), scratch_);
  if (!begin) {
    next.waits = true;
    next.searches = std::move(searches);
    return next;
  }
  size_t at = 0;
  const auto take = [&](int32_t taken) {
    std::string_view piece = vocab.piece(taken);
    const size_t end = at + piece.size();
    if (end > *begin) {
      if (at < *begin) piece.remove_prefix(*begin - at);
      next = behind(next, taken, piece);
    }
    at = end;
  };
  for (const int32_t taken : tokens_) take(taken);
  take(token);
  return next;
}

// Those of the last place, made again from the nearest ones before it if they are gone.
std::shared_ptr<Waiting> Grammar::searches_here() {
  if (places_.back().searches != nullptr) return places_.back().searches;
  size_t from = places_.size() - 1;
  while (from > 0 && places_[from].searches == nullptr) --from;
  auto searches = places_[from].searches == nullptr ? std::make_shared<Waiting>(shared_->triggers)
                                                    : std::make_shared<Waiting>(*places_[from].searches);
  for (; from + 1 < places_.size(); ++from) searches->feed(shared_->vocab->piece(tokens_[from]), scratch_);
  places_.back().searches = searches;
  return searches;
}

Status Grammar::accept(const int32_t* tokens, size_t n, ErrorText& error) {
  for (size_t i = 0; i < n; ++i) {
    if (!shared_->vocab->contains(tokens[i])) {
      return error.set(Status::token, "token %d is outside the vocabulary of %zu", static_cast<int>(tokens[i]),
                       shared_->vocab->size());
    }
  }
  const size_t before = tokens_.size();
  const auto failed = [&](const Failure& failure) {
    undo_to(before);
    return error.set(failure.status(), "%s", failure.text().c_str());
  };
  try {
    in_space([&] {
      undo_to(before);  // a second try begins where the first one did
      for (size_t i = 0; i < n; ++i) accept_one(tokens[i]);
    });
    return Status::ok;
  } catch (const Failure& failure) {
    return failed(failure);
  } catch (const std::bad_alloc&) {
    return failed(Failure(Status::nomem, "out of memory"));
  }
}

const std::vector<uint32_t>& Grammar::mask() {
  if (free()) {
    pinned_ = shared_->everything;
  } else if (pinned_ == nullptr) {
    pinned_ = in_space([&] { return space_->mask(places_.back().config, places_.back().inside); });
  }
  return pinned_->words;
}

bool Grammar::is_dead() {
  mask();
  return pinned_->empty;
}

bool Grammar::is_complete() {
  return free() || in_space([&] { return complete_here(); });
}

bool Grammar::test(int32_t token) {
  if (!shared_->vocab->contains(token)) return false;
  return free() ||
         in_space([&] {
           return allows(space_->machine(), *shared_->vocab, shared_->options.decoding, places_.back().config,
                         places_.back().inside, token);
         });
}

Status Grammar::rollback(size_t n, ErrorText& error) {
  if (n > tokens_.size()) {
    return error.set(Status::arg, "rollback of %zu tokens, but only %zu were accepted", n, tokens_.size());
  }
  undo_to(tokens_.size() - n);
  return Status::ok;
}

void Grammar::reset() { undo_to(0); }

std::string Grammar::forced(size_t most) {
  if (free()) return {};
  return in_space([&] { return forced_text(space_->machine(), places_.back().config, places_.back().inside, most); });
}

size_t Grammar::warm(size_t n) {
  return in_space([&] {
    const uint64_t before = space_->fills();
    Machine& machine = space_->machine();
    std::vector<Config> queue{places_.back().config};
    for (size_t i = 0; i < queue.size() && i < n; ++i) {
      space_->mask(queue[i], {});
      const uint32_t classes = std::min(machine.program().class_count(), 256u);
      for (uint32_t cls = 0; cls < classes && queue.size() < n; ++cls) {
        const Config next = machine.step(queue[i], cls);
        if (next != Machine::dead && std::find(queue.begin(), queue.end(), next) == queue.end()) queue.push_back(next);
      }
    }
    return static_cast<size_t>(space_->fills() - before);
  });
}

std::string Grammar::save() const {
  std::string out(grammar_state::magic);
  grammar_state::put(out, shared_->vocab->fingerprint(), 8);
  grammar_state::put(out, shared_->fingerprint, 8);
  grammar_state::put(out, tokens_.size(), 8);
  for (const int32_t token : tokens_) grammar_state::put(out, static_cast<uint32_t>(token), 4);
  grammar_state::put(out, grammar_state::fnv(0xCBF29CE484222325u, out), 8);
  return out;
}

void Grammar::load(std::string_view bytes) {
  constexpr size_t head = grammar_state::magic.size() + 24;
  const auto damaged = [](const char* why) { return Failure(Status::state, std::string("the grammar's state bytes ") + why); };
  if (bytes.size() < head + 8 || bytes.substr(0, grammar_state::magic.size()) != grammar_state::magic) {
    throw damaged("are not a saved grammar");
  }
  const std::string_view body = bytes.substr(0, bytes.size() - 8);
  const uint64_t n = grammar_state::get(bytes, head - 8, 8);
  if (n != (body.size() - head) / 4 || (body.size() - head) % 4 != 0 ||
      grammar_state::get(bytes, body.size(), 8) != grammar_state::fnv(0xCBF29CE484222325u, body)) {
    throw damaged("are damaged");
  }
  if (grammar_state::get(bytes, head - 24, 8) != shared_->vocab->fingerprint()) throw damaged("belong to another vocabulary");
  if (grammar_state::get(bytes, head - 16, 8) != shared_->fingerprint) throw damaged("belong to another grammar");
  const std::unique_ptr<Grammar> fresh(new Grammar(shared_));
  std::vector<int32_t> tokens;
  for (size_t i = 0; i < n; ++i) tokens.push_back(static_cast<int32_t>(grammar_state::get(bytes, head + 4 * i, 4)));
  ErrorText error;
  const Status status = fresh->accept(tokens.data(), tokens.size(), error);
  if (status == Status::nomem || status == Status::limit) throw Failure(status, error.c_str());
  if (status != Status::ok) throw damaged("hold tokens that the grammar refuses");
  space_ = fresh->space_;
  tokens_.swap(fresh->tokens_);
  places_.swap(fresh->places_);
  pinned_ = nullptr;
}

uint64_t Grammar::mask_fills() const {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  return space_->fills();
}

size_t Grammar::bytes() const {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  return sizeof *this + sizeof(Shared) + shared_->text.capacity() + shared_->program->bytes() + shared_->space->bytes();
}

}  // namespace bankml::grammar
