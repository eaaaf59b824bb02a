// Handles of the C library with their destructors, and errors as one line of text.
#pragma once

#include <bankml.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace command {

// A failure of what was asked: one line on stderr, exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <auto free_handle>
struct Freer {
  template <typename Handle>
  void operator()(Handle* handle) const noexcept {
    free_handle(handle);
  }
};
using Params = std::unique_ptr<bankml_params, Freer<bankml_params_free>>;
using Vocab = std::unique_ptr<bankml_vocab, Freer<bankml_vocab_free>>;
using Sampler = std::unique_ptr<bankml_sampler, Freer<bankml_sampler_free>>;

constexpr size_t error_size = 1024;

// Constructors of the library as ones that throw.
Params new_params();
Vocab vocab_from_gguf(const std::string& path);
Sampler new_sampler(const bankml_params* params, const bankml_vocab* vocab, size_t n_vocab);

void check(const bankml_params* params, bankml_status status);  // throws Error with the params' text
void check(const bankml_sampler* sampler, bankml_status status, const std::string& where = "");

std::string param_json(const bankml_params* params, const std::string& name);
bankml_param_spec param_spec(size_t index);

std::string read_file(const std::string& path);  // "-" = stdin
std::string one_line(std::string text);          // line breaks become spaces

// What was ignored, to stderr.
void print_warnings(const bankml_params* params);
void print_warnings(const bankml_sampler* sampler, const bankml_params* params);

}  // namespace command
