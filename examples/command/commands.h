// The subcommands: each adds itself to the parser; its callback does the work and throws Error.
#pragma once

#include <CLI/CLI.hpp>

namespace command {

void add_sample(CLI::App& app);
void add_params(CLI::App& app);
void add_inspect(CLI::App& app);
void add_generate(CLI::App& app);
void add_grammar(CLI::App& app);

inline CLI::Validator at_least_one() { return CLI::Range(1, 2147483647).description(""); }

}  // namespace command
