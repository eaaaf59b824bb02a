// Two names are compared in a folded form (lower case, separators removed), but only spellings that the server's own table holds
// match: "top-k" and "topk" do, "top-n_sigma" does not.
// Tested by tests/params/step_names.cpp
#include "core/params/step_names.h"

#include <array>
#include <string>

namespace bankml {

namespace step_names_detail {

struct StepName {
  StepKind kind;
  const char* name;
  char letter;
};

constexpr std::array<StepName, 11> names = {{{StepKind::dry, "dry", 'd'},
                                             {StepKind::top_k, "top_k", 'k'},
                                             {StepKind::typical, "typ_p", 'y'},
                                             {StepKind::top_p, "top_p", 'p'},
                                             {StepKind::top_n_sigma, "top_n_sigma", 's'},
                                             {StepKind::min_p, "min_p", 'm'},
                                             {StepKind::temperature, "temperature", 't'},
                                             {StepKind::xtc, "xtc", 'x'},
                                             {StepKind::infill, "infill", 'i'},
                                             {StepKind::penalties, "penalties", 'e'},
                                             {StepKind::adaptive_p, "adaptive_p", 'a'}}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Whether `given` is `name` with every '_' kept, every one replaced by '-', or every one left out.
bool matches(std::string_view given, std::string_view name) {
  if (given == name) return true;
  std::string dashed;
  std::string bare;
  for (char c : name) {
    dashed += c == '_' ? '-' : c;
    if (c != '_') bare += c;
  }
  return given == dashed || given == bare;
}

}  // namespace step_names_detail

const char* step_request_name(StepKind kind) noexcept {
  for (const auto& entry : step_names_detail::names) {
    if (entry.kind == kind) return entry.name;
  }
  return "";
}

std::optional<StepKind> step_from_request_name(std::string_view name) {
  const std::string given = step_names_detail::lower(name);
  if (given == "nucleus") return StepKind::top_p;
  if (given == "temp") return StepKind::temperature;
  if (given == "typ") return StepKind::typical;
  for (const auto& entry : step_names_detail::names) {
    if (step_names_detail::matches(given, entry.name)) return entry.kind;
  }
  return std::nullopt;
}

std::optional<StepKind> step_from_native_name(std::string_view name) {
  const std::string given = step_names_detail::lower(name);
  if (given == "typical" || given == "typical_p") return StepKind::typical;
  return step_from_request_name(given);
}

std::optional<StepKind> step_from_letter(char letter) noexcept {
  for (const auto& entry : step_names_detail::names) {
    if (entry.letter == letter) return entry.kind;
  }
  return std::nullopt;
}

}  // namespace bankml
