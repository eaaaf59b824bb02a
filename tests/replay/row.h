// One recorded case (a line of a vectors file) and what it takes to run it: the interface between the program and the operations.
//
// An operation throws Mismatch with the reason; returning means that every recorded result was reproduced. It sees the library
// through its public interface only, in whatever language (library.h).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/replay/library.h"

namespace bankml::replay {

using nlohmann::json;

struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What one thread runs its rows with.
struct RowContext {
  Library& library;
  std::string vocab_folder;                       // of the project, for vocabularies that do not lie beside the recorded file
  std::string folder;                             // of the recorded file, where its vocabularies are looked for first
  std::vector<float> logits;                      // scratch
  std::map<std::string, Library::Handle> vocabs;  // by path, loaded once
  bool force_off = false;               // chains once more without their fast path, then without the next, to the plain one
  std::map<std::string, size_t> plans;  // the openings that chains took, how often

  // By base name, from either folder. Throws Refused if it does not load.
  Library::Handle vocab(const std::string& name);
};

// Throws unless every member of `row` is in `known`: a field that this program does not understand would be a check not made.
void require_known(const json& row, const char* what, std::initializer_list<const char*> known);

void run_chain(const json& row, RowContext& context);
void run_grammar(const json& row, RowContext& context);
void run_probs(const json& row, RowContext& context);
void run_request(const json& row, RowContext& context);
void run_vocab(const json& row, RowContext& context);
void run_texts(const json& row, RowContext& context);

// Dispatches on `op`; an unknown one is a Mismatch.
void run_row(const json& row, RowContext& context);

// The vocabulary size that a row works on, 0 if it has none of its own.
size_t row_vocab_size(const json& row, RowContext& context);

}  // namespace bankml::replay
