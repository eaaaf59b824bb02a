// Every change is made on a copy, which then replaces the set: what fails leaves no trace.
// Tested by tests/params/param_set.cpp
#include "core/params/param_set.h"

#include <utility>

#include "core/base/status.h"
#include "core/formats/gguf.h"
#include "core/formats/json.h"
#include "core/params/gguf_defaults.h"
#include "core/params/omitted_steps.h"
#include "core/params/param_value.h"
#include "core/params/request_json.h"

namespace bankml {

namespace param_set_detail {

const ParamRow& known_row(std::string_view name) {
  const size_t index = find_param(name);
  if (index == no_param) throw Failure(Status::arg, "unknown parameter \"" + std::string(name) + "\"");
  return param_row(index);
}

}  // namespace param_set_detail

ParamSet::ParamSet(std::string_view profile) : origins_(param_count(), "default") {
  if (profile != "llama") throw Failure(Status::arg, "unknown profile \"" + std::string(profile) + "\"; known: llama");
}

template <typename Change>
void ParamSet::change_one(std::string_view name, Change change) {
  const ParamRow& row = param_set_detail::known_row(name);
  Params changed = params_;
  change(changed, row);
  std::vector<std::string> omitted = omitted_steps(changed);
  std::string origin = "set";
  params_ = std::move(changed);
  omitted_ = std::move(omitted);
  origins_[find_param(name)] = std::move(origin);
}

void ParamSet::take(Loaded&& loaded) {
  std::vector<std::string> omitted = omitted_steps(loaded.params);
  std::vector<std::string> origins = origins_;
  for (LoadedOrigin& given : loaded.origins) origins[given.param] = std::move(given.origin);
  std::vector<std::string> events = events_;
  for (std::string& warning : loaded.warnings) events.push_back(std::move(warning));
  params_ = std::move(loaded.params);
  origins_ = std::move(origins);
  events_ = std::move(events);
  omitted_ = std::move(omitted);
}

void ParamSet::set_number(std::string_view name, double value) {
  change_one(name, [&](Params& params, const ParamRow& row) { set_param_number(params, row, name, value); });
}

void ParamSet::set_string(std::string_view name, std::string_view value) {
  change_one(name, [&](Params& params, const ParamRow& row) { set_param_string(params, row, name, value); });
}

void ParamSet::set_json(std::string_view name, std::string_view text) {
  change_one(name, [&](Params& params, const ParamRow& row) {
    json::Value value;
    try {
      value = json::parse(text);
    } catch (const Failure& failure) {
      throw Failure(failure.status(), std::string(name) + ": " + failure.text());
    }
    set_param_json(params, row, name, value);
  });
}

void ParamSet::load_request(std::string_view format, std::string_view text) {
  if (format != "llama-server") throw Failure(Status::arg, "unknown format \"" + std::string(format) + "\"; known: llama-server");
  take(load_llama_server_request(params_, text, strict_));
}

void ParamSet::load_gguf(const std::string& path) { take(load_gguf_defaults(params_, gguf::File::from_path(path))); }

void ParamSet::load_gguf_bytes(const void* data, size_t size) {
  take(load_gguf_defaults(params_, gguf::File::from_bytes(std::string_view(static_cast<const char*>(data), size))));
}

void ParamSet::set_text_tokens(const std::string& text, std::vector<int32_t> tokens) {
  params_.text_tokens[text] = std::move(tokens);
}

double ParamSet::get_number(std::string_view name) const { return get_param_number(params_, param_set_detail::known_row(name)); }

std::string ParamSet::get_json(std::string_view name) const {
  std::string text;
  append_param_json(text, params_, param_set_detail::known_row(name));
  return text;
}

std::string ParamSet::to_json() const {
  std::string text = "{";
  for (size_t i = 0; i < param_count(); ++i) {
    if (i > 0) text += ',';
    json::append_string(text, param_row(i).name);
    text += ':';
    append_param_json(text, params_, param_row(i));
  }
  return text + "}";
}

const char* ParamSet::origin(std::string_view name) const noexcept {
  const size_t index = find_param(name);
  return index == no_param ? nullptr : origins_[index].c_str();
}

const char* ParamSet::warning(size_t index) const noexcept {
  if (index < events_.size()) return events_[index].c_str();
  index -= events_.size();
  return index < omitted_.size() ? omitted_[index].c_str() : nullptr;
}

}  // namespace bankml
