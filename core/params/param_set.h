// Params with where each value came from, what was ignored on the way, and the rules of every source.
//
// Needs no model and no vocabulary. Every member that changes values either succeeds or throws Failure and changes nothing. Values
// are replaced by later sources: start with the profile's defaults, load the model file's, then the request.
// Tested by tests/params/param_set.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/params/loaded.h"
#include "core/params/params.h"
#include "core/params/table.h"

namespace bankml {

class ParamSet {
 public:
  explicit ParamSet(std::string_view profile = "llama");  // Failure(arg) for a profile that does not exist

  const Params& values() const noexcept { return params_; }

  // Native setters; origin "set". Failure(arg), and Failure(parse) for malformed JSON.
  void set_number(std::string_view name, double value);
  void set_string(std::string_view name, std::string_view value);
  void set_json(std::string_view name, std::string_view text);

  // A whole request; origin "request". format: "llama-server". Failure(arg) for a refusal, with that system's text.
  void load_request(std::string_view format, std::string_view text);
  // Unknown fields of a request are refused instead of ignored with a warning.
  void set_strict(bool on) noexcept { strict_ = on; }

  // A model file's own defaults (metadata general.sampling.*); origin "gguf:general.sampling.temp". Failure(io), Failure(parse).
  void load_gguf(const std::string& path);
  void load_gguf_bytes(const void* data, size_t size);

  // What the host's tokenizer makes of a text of these params (a breaker's tail, a string bias).
  void set_text_tokens(const std::string& text, std::vector<int32_t> tokens);

  double get_number(std::string_view name) const;            // Failure(arg): unknown name, or a list
  std::string get_json(std::string_view name) const;         // Failure(arg): unknown name
  std::string to_json() const;                               // all, as one object in the table's order
  const char* origin(std::string_view name) const noexcept;  // nullptr for an unknown name

  // What was ignored or dropped, oldest first; then steps that are configured but not listed in `samplers`, as of now.
  size_t warning_count() const noexcept { return events_.size() + omitted_.size(); }
  const char* warning(size_t index) const noexcept;  // nullptr past the end

 private:
  template <typename Change>
  void change_one(std::string_view name, Change change);
  void take(Loaded&& loaded);

  Params params_;
  std::vector<std::string> origins_;  // by row of the table
  std::vector<std::string> events_;
  std::vector<std::string> omitted_;
  bool strict_ = false;
};

}  // namespace bankml
