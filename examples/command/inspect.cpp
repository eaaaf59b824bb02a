// bankml inspect: what a GGUF file says about sampling and its vocabulary.
#include <cstdio>
#include <memory>

#include "examples/command/commands.h"
#include "examples/command/common.h"
#include "examples/command/print.h"

namespace command {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string path;
  size_t pieces = 16;
  bool json = false;
};

constexpr struct {
  uint32_t flag;
  const char* name;
} flag_names[] = {{BANKML_TOKEN_CONTROL, "control"}, {BANKML_TOKEN_EOG, "end-of-generation"},
                  {BANKML_TOKEN_BYTE, "byte"},       {BANKML_TOKEN_USER_DEFINED, "user-defined"},
                  {BANKML_TOKEN_UNUSED, "unused"},   {BANKML_TOKEN_UNKNOWN, "unknown"}};

Json sampling_defaults(const bankml_params* params) {
  Json result = Json::object();
  for (size_t i = 0; i < bankml_param_count(); ++i) {
    const std::string name = param_spec(i).name;
    const std::string origin = bankml_params_origin(params, name.c_str());
    if (origin.starts_with("gguf:")) result[name] = {{"value", Json::parse(param_json(params, name))}, {"key", origin.substr(5)}};
  }
  return result;
}

Json token_entry(const bankml_vocab* vocab, int32_t token) { return {{"id", token}, {"piece", piece_bytes(vocab, token)}}; }

// Of each flag: how many tokens, and the first few.
Json special_tokens(const bankml_vocab* vocab, size_t shown) {
  Json result = Json::object();
  for (const auto& [flag, name] : flag_names) {
    size_t count = 0;
    Json first = Json::array();
    for (size_t i = 0; i < bankml_vocab_size(vocab); ++i) {
      const auto token = static_cast<int32_t>(i);
      uint32_t flags = 0;
      if (bankml_vocab_flags(vocab, token, &flags) != BANKML_OK || (flags & flag) == 0) continue;
      if (++count <= shown || flag == BANKML_TOKEN_EOG) first.push_back(token_entry(vocab, token));
    }
    if (count > 0) result[name] = {{"count", count}, {"tokens", first}};
  }
  return result;
}

// The library tokenizes SentencePiece vocabularies itself, and only those.
bool is_sentencepiece(const bankml_vocab* vocab) {
  const uint8_t text[] = {'a'};
  size_t count = 0;
  const bankml_status status = bankml_vocab_tokenize(vocab, text, sizeof text, nullptr, 0, &count);
  return status == BANKML_OK || status == BANKML_BUFFER;
}

Json vocabulary(const bankml_vocab* vocab, size_t shown) {
  char fingerprint[17];
  std::snprintf(fingerprint, sizeof fingerprint, "%016llx", static_cast<unsigned long long>(bankml_vocab_fingerprint(vocab)));
  Json result = {{"size", bankml_vocab_size(vocab)},
                 {"kind", is_sentencepiece(vocab) ? "SentencePiece" : "byte-level BPE"},
                 {"fingerprint", fingerprint},
                 {"bos", bankml_vocab_bos(vocab)},
                 {"eos", bankml_vocab_eos(vocab)},
                 {"eot", bankml_vocab_eot(vocab)},
                 {"special", special_tokens(vocab, shown)}};
  Json pieces = Json::array();
  const size_t size = bankml_vocab_size(vocab);
  const size_t n = std::min(shown, size);
  for (size_t i = 0; i < n; ++i)
    pieces.push_back(token_entry(vocab, static_cast<int32_t>(i * size / n)));  // spread over the vocabulary
  result["pieces"] = pieces;
  return result;
}

std::string token_text(const Json& entry) { return entry["id"].dump() + " " + quoted(entry["piece"].get<std::string>()); }

std::string tokens_text(const Json& list) {
  std::string text;
  for (const Json& entry : list) text += (text.empty() ? "" : "  ") + token_text(entry);
  return text;
}

void print_text(const Json& report) {
  std::vector<std::vector<std::string>> rows;
  const Json& sampling = report["sampling"];
  rows.push_back({"sampling defaults", sampling.empty() ? "none (the library's own apply)" : ""});
  for (const auto& [name, entry] : sampling.items()) {
    rows.push_back({"  " + name, dump(entry["value"]) + "  (" + entry["key"].get<std::string>() + ")"});
  }
  const Json& vocab = report["vocabulary"];
  if (vocab.is_string()) {
    rows.push_back({"vocabulary", vocab.get<std::string>()});
    return print_table(rows);
  }
  rows.push_back({"vocabulary", vocab["size"].dump() + " tokens, " + vocab["kind"].get<std::string>() + ", fingerprint " +
                                    vocab["fingerprint"].get<std::string>()});
  for (const char* name : {"bos", "eos", "eot"})
    rows.push_back({std::string("  ") + name, vocab[name] == -1 ? "none" : vocab[name].dump()});
  for (const auto& [name, entry] : vocab["special"].items()) {
    const size_t left = entry["count"].get<size_t>() - entry["tokens"].size();
    rows.push_back({"  " + name, entry["count"].dump() + ": " + tokens_text(entry["tokens"]) + (left > 0 ? "  ..." : "")});
  }
  rows.push_back({"  pieces", tokens_text(vocab["pieces"])});
  print_table(rows);
}

void run(const Options& options) {
  const Params params = new_params();
  check(params.get(), bankml_params_load_gguf(params.get(), options.path.c_str()));
  print_warnings(params.get());
  Json report = {{"file", options.path}, {"sampling", sampling_defaults(params.get())}};
  char text[error_size] = "";
  const Vocab vocab(bankml_vocab_from_gguf(options.path.c_str(), text, sizeof text));
  report["vocabulary"] = vocab ? vocabulary(vocab.get(), options.pieces) : Json(std::string("unreadable: ") + text);
  if (options.json) {
    std::printf("%s\n", dump(report).c_str());
  } else {
    print_text(report);
  }
}

}  // namespace

void add_inspect(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("inspect", "Shows a GGUF file's sampling defaults and vocabulary");
  sub->description(
      "Shows what a model file says about sampling: its own defaults (general.sampling.*), its vocabulary, the tokens that end\n"
      "a generation. Only the metadata is read, never the weights.");
  sub->add_option("FILE", options->path, "GGUF file")->required();
  sub->add_option("--pieces", options->pieces, "How many tokens to show of each kind")
      ->check(at_least_one())
      ->capture_default_str()
      ->type_name("INT");
  sub->add_flag("--json", options->json, "Print JSON");
  sub->callback([options] { run(*options); });
}

}  // namespace command
