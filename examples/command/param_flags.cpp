#include "examples/command/param_flags.h"

#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace command {

namespace {

std::string dashed(std::string name) {
  for (char& c : name) {
    if (c == '_') c = '-';
  }
  return name;
}

// "--temperature,--temp"
std::string flag_names(const bankml_param_spec& spec) {
  std::string names = "--" + dashed(spec.name);
  std::string aliases = spec.aliases;
  while (!aliases.empty()) {
    const size_t end = std::min(aliases.find(','), aliases.size());
    names += ",--" + dashed(aliases.substr(0, end));
    aliases.erase(0, std::min(end + 1, aliases.size()));
  }
  return names;
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

std::string require_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? "'" + text + "' is not a number" : "";
}

std::string help_line(const bankml_param_spec& spec) {
  const std::string range = range_text(spec);
  return std::string(spec.doc) + " [" + (range.empty() ? "" : range + "; ") + "default " + spec.default_json + "]";
}

bool is_json_text(const std::string& text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string::npos && (text[start] == '[' || text[start] == '{' || text[start] == '"');
}

}  // namespace

std::string range_text(const bankml_param_spec& spec) {
  if (spec.kind == BANKML_KIND_BOOLEAN || spec.kind == BANKML_KIND_JSON) return "";
  const bool integer = spec.kind == BANKML_KIND_INTEGER;
  const bool open_below = spec.min <= (integer ? static_cast<double>(INT32_MIN) : static_cast<double>(-FLT_MAX));
  const bool open_above = spec.max >= (integer ? static_cast<double>(INT32_MAX) : static_cast<double>(FLT_MAX));
  const std::string kind = integer ? "integer" : "number";
  if (open_below && open_above) return "any " + kind;
  if (spec.min > 0 && spec.min < 1e-30 && open_above) return kind + " above 0";
  if (open_above) return kind + ", " + number_text(spec.min) + " or more";
  return kind + ", " + number_text(spec.min) + " ... " + number_text(spec.max);
}

void ParamFlags::add_to(CLI::App& app) {
  request_option_ =
      app.add_option("--request", request_, "Request body of llama-server: a file, or the JSON text itself; flags win over it")
          ->type_name("FILE|JSON")
          ->group("Sampling parameters");
  app.add_flag("--strict", strict_, "Refuse fields of the request that are not known")->group("Sampling parameters");
  flags_.resize(bankml_param_count());
  for (size_t i = 0; i < flags_.size(); ++i) {
    Flag& flag = flags_[i];
    flag.spec = param_spec(i);
    const std::string step = flag.spec.step;
    const std::string help = help_line(flag.spec);
    if (flag.spec.kind == BANKML_KIND_BOOLEAN) {
      flag.option = app.add_flag(flag_names(flag.spec), help);
    } else {
      flag.option = app.add_option(flag_names(flag.spec), flag.value, help);
      if (flag.spec.kind == BANKML_KIND_JSON) {
        flag.option->type_name("JSON");
      } else {
        flag.option->type_name(flag.spec.kind == BANKML_KIND_INTEGER ? "INT" : "NUMBER")->check(CLI::Validator(require_number, ""));
      }
    }
    flag.option->group(step.empty() ? "Sampling parameters" : "Sampling parameters, step " + step);
  }
}

bool ParamFlags::any_given() const {
  for (const Flag& flag : flags_) {
    if (flag.option->count() > 0) return true;
  }
  return request_option_->count() > 0;
}

void ParamFlags::apply(bankml_params* params) const {
  check(params, bankml_params_strict(params, strict_));
  if (request_option_->count() > 0) {
    const std::string text = is_json_text(request_) ? request_ : read_file(request_);
    check(params, bankml_params_load_json(params, "llama-server", text.data(), text.size()));
  }
  for (const Flag& flag : flags_) {
    if (flag.option->count() == 0) continue;
    const char* name = flag.spec.name;
    if (flag.spec.kind == BANKML_KIND_BOOLEAN) {
      check(params, bankml_params_set_number(params, name, 1));
    } else if (flag.spec.kind != BANKML_KIND_JSON) {
      check(params, bankml_params_set_number(params, name, std::strtod(flag.value.c_str(), nullptr)));
    } else if (is_json_text(flag.value)) {
      check(params, bankml_params_set_json(params, name, flag.value.data(), flag.value.size()));
    } else {
      check(params, bankml_params_set_string(params, name, flag.value.c_str()));
    }
  }
}

void answer_open_texts(bankml_params* params, const bankml_vocab* vocab, const Tokenize& tokenize) {
  size_t count = 0;
  check(params, bankml_params_text_count(params, vocab, &count));
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* bytes = nullptr;
    size_t size = 0;
    const char* purpose = nullptr;
    check(params, bankml_params_text(params, i, &bytes, &size, &purpose));
    const std::vector<int32_t> tokens = tokenize(std::string(reinterpret_cast<const char*>(bytes), size));
    check(params, bankml_params_set_text_tokens(params, i, tokens.data(), tokens.size()));
  }
}

}  // namespace command
