// One flag for every parameter of the library's table, and where else parameters come from.
//
// Names, ranges, defaults and help lines are read from the library, so a new parameter needs no line here. Later sources replace
// earlier ones: the defaults of the library, those of a model file, a request, the flags.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "examples/command/common.h"

namespace command {

class ParamFlags {
 public:
  void add_to(CLI::App& app);

  bool any_given() const;  // a request or a flag
  // Puts the request and the flags over `params`.
  void apply(bankml_params* params) const;

 private:
  struct Flag {
    bankml_param_spec spec;
    CLI::Option* option = nullptr;
    std::string value;
  };

  std::vector<Flag> flags_;
  CLI::Option* request_option_ = nullptr;
  std::string request_;
  bool strict_ = false;
};

// "0 ... 1", "0 or more", "any number", ...
std::string range_text(const bankml_param_spec& spec);

// Tokens of a text, for breakers and biases given as text.
using Tokenize = std::function<std::vector<int32_t>(const std::string& text)>;
void answer_open_texts(bankml_params* params, const bankml_vocab* vocab, const Tokenize& tokenize);

}  // namespace command
