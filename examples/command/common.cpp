#include "examples/command/common.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

namespace command {

namespace {

void warn(const std::string& text) { std::fprintf(stderr, "bankml: warning: %s\n", one_line(text).c_str()); }

template <typename Handle, typename Make>
Handle made(Make make) {
  char text[error_size] = "";
  Handle handle(make(text, sizeof text));
  if (!handle) throw Error(text);
  return handle;
}

}  // namespace

Params new_params() {
  return made<Params>([](char* text, size_t size) { return bankml_params_new(nullptr, text, size); });
}

Vocab vocab_from_gguf(const std::string& path) {
  return made<Vocab>([&](char* text, size_t size) { return bankml_vocab_from_gguf(path.c_str(), text, size); });
}

Sampler new_sampler(const bankml_params* params, const bankml_vocab* vocab, size_t n_vocab) {
  return made<Sampler>([&](char* text, size_t size) { return bankml_sampler_new(params, vocab, n_vocab, text, size); });
}

void check(const bankml_params* params, bankml_status status) {
  if (status == BANKML_OK) return;
  const std::string text = bankml_params_error(params);
  throw Error(text.empty() ? bankml_status_string(status) : text);
}

void check(const bankml_sampler* sampler, bankml_status status, const std::string& where) {
  if (status == BANKML_OK) return;
  const std::string text = bankml_sampler_error(sampler);
  throw Error((where.empty() ? "" : where + ": ") + (text.empty() ? bankml_status_string(status) : text));
}

std::string param_json(const bankml_params* params, const std::string& name) {
  size_t needed = 0;
  bankml_params_get_json(params, name.c_str(), nullptr, 0, &needed);
  std::string text(needed, '\0');
  check(params, bankml_params_get_json(params, name.c_str(), text.data(), text.size(), &needed));
  text.resize(text.empty() ? 0 : text.size() - 1);
  return text;
}

bankml_param_spec param_spec(size_t index) {
  bankml_param_spec spec{};
  spec.struct_size = sizeof spec;
  if (bankml_param_info(index, &spec) != BANKML_OK) throw Error("the library's parameter table cannot be read");
  return spec;
}

std::string read_file(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  const auto fail = [&] { throw Error("cannot read " + path + ": " + std::strerror(errno)); };
  if (file == nullptr) fail();
  std::string bytes;
  char buffer[1 << 16];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.append(buffer, n);
  const bool failed = std::ferror(file) != 0;
  if (failed) fail();
  if (file != stdin) std::fclose(file);
  return bytes;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

void print_warnings(const bankml_params* params) {
  for (size_t i = 0; const char* text = bankml_params_warning(params, i); ++i) warn(text);
}

void print_warnings(const bankml_sampler* sampler, const bankml_params* params) {
  std::set<std::string> said;
  for (size_t i = 0; const char* text = bankml_params_warning(params, i); ++i) said.insert(text);
  print_warnings(params);
  for (size_t i = 0; const char* text = bankml_sampler_warning(sampler, i); ++i) {
    if (!said.contains(text)) warn(text);
  }
}

}  // namespace command
