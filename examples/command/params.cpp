// bankml params: the table of parameters, or the values in force with where each came from.
#include <cstdio>
#include <memory>

#include "examples/command/commands.h"
#include "examples/command/param_flags.h"
#include "examples/command/print.h"

namespace command {

namespace {

struct Options {
  ParamFlags flags;
  CLI::Option* gguf_option = nullptr;
  std::string gguf;
  bool json = false;
};

const char* kind_name(int32_t kind) {
  switch (kind) {
    case BANKML_KIND_INTEGER:
      return "integer";
    case BANKML_KIND_NUMBER:
      return "number";
    case BANKML_KIND_BOOLEAN:
      return "boolean";
    default:
      return "json";
  }
}

void print_all(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < bankml_param_count(); ++i) {
    const bankml_param_spec spec = param_spec(i);
    nlohmann::ordered_json row = {
        {"name", spec.name}, {"aliases", spec.aliases}, {"kind", kind_name(spec.kind)}, {"step", spec.step}};
    row["default"] = nlohmann::ordered_json::parse(spec.default_json);
    if (spec.kind == BANKML_KIND_INTEGER || spec.kind == BANKML_KIND_NUMBER) {
      row["min"] = spec.min;
      row["max"] = spec.max;
    }
    row["doc"] = spec.doc;
    list.push_back(row);

    const std::string range = range_text(spec);
    std::string doc = std::string(spec.doc) + "." + (range.empty() ? "" : " Accepts: " + range + ".");
    if (spec.kind == BANKML_KIND_JSON) doc += std::string(" Default: ") + spec.default_json + ".";
    if (*spec.aliases != '\0') doc += std::string(" Also: ") + spec.aliases + ".";
    rows.push_back({spec.name, spec.kind == BANKML_KIND_JSON ? "" : spec.default_json, spec.step, doc});
  }
  if (json) {
    std::printf("%s\n", dump(list).c_str());
    return;
  }
  rows.insert(rows.begin(), {"parameter", "default", "step", "what it does"});
  print_table(rows);
}

void print_values(const bankml_params* params, bool json) {
  nlohmann::ordered_json object;
  std::vector<std::vector<std::string>> rows = {{"parameter", "origin", "value"}};
  for (size_t i = 0; i < bankml_param_count(); ++i) {
    const char* name = param_spec(i).name;
    const std::string value = param_json(params, name);
    object[name] = {{"value", nlohmann::ordered_json::parse(value)}, {"origin", bankml_params_origin(params, name)}};
    rows.push_back({name, bankml_params_origin(params, name), value});
  }
  if (json) {
    std::printf("%s\n", dump(object).c_str());
  } else {
    print_table(rows);
  }
}

void run(const Options& options) {
  if (options.gguf_option->count() == 0 && !options.flags.any_given()) return print_all(options.json);
  const Params params = new_params();
  if (options.gguf_option->count() > 0) check(params.get(), bankml_params_load_gguf(params.get(), options.gguf.c_str()));
  options.flags.apply(params.get());
  print_warnings(params.get());
  print_values(params.get(), options.json);
}

}  // namespace

void add_params(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("params", "Lists the sampling parameters, or the values in force");
  sub->description(
      "Without arguments: every sampling parameter with its default, its range and what it does.\n"
      "With a request, a model file or flags: the values in force and where each came from. Later sources win:\n"
      "library default, model file (general.sampling.*), request, flags. No model is loaded.");
  sub->footer("Example: bankml params --gguf model.gguf --request '{\"temperature\": 0.5}' --top-k 20");
  options->gguf_option =
      sub->add_option("--gguf", options->gguf, "Model file whose own sampling defaults are used")->type_name("FILE");
  sub->add_flag("--json", options->json, "Print JSON");
  options->flags.add_to(*sub);
  sub->callback([options] { run(*options); });
}

}  // namespace command
