// bankml, the library in a shell. Errors are one line on stderr, and where they lie in a text that line of it with a caret below;
// exit status 1, or 2 where the command line itself is wrong. Tested by tests/command/command_test.py
#include <bankml.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "examples/command/commands.h"
#include "examples/command/common.h"
#include "examples/command/grammar_text.h"

namespace {

// Breaks descriptions into lines; the parser indents them.
class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr size_t width = 88;
    std::string rest = CLI::Formatter::make_option_desc(option);
    std::string wrapped;
    while (rest.size() > width) {
      const size_t space = rest.rfind(' ', width);
      if (space == std::string::npos || space == 0) break;
      wrapped += rest.substr(0, space) + "\n";
      rest.erase(0, space + 1);
    }
    return wrapped + rest;
  }
};

// Parameters are written with '_' in requests and with '-' on command lines; flags take both.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> result;
  for (int i = argc - 1; i > 0; --i) {  // the parser takes them in reverse
    std::string argument = argv[i];
    if (argument.starts_with("--")) {
      for (size_t at = 2; at < argument.size() && argument[at] != '='; ++at) {
        if (argument[at] == '_') argument[at] = '-';
      }
    }
    result.push_back(argument);
  }
  return result;
}

int fail(int status, const std::string& text) {
  std::fprintf(stderr, "bankml: %s\n", command::one_line(text).c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Samples from a language model's logits: the token that llama-server would draw, bit for bit.", "bankml");
  app.set_version_flag("--version",
                       [] { return std::string("bankml ") + bankml_version_string() + " (" + bankml_cpu_name() + ")"; });
  app.require_subcommand(1);
  app.formatter(std::make_shared<WrappingFormatter>());
  app.get_formatter()->column_width(32);
  app.footer("bankml SUBCOMMAND --help explains each; `bankml params` lists every sampling parameter.");
  command::add_sample(app);
  command::add_params(app);
  command::add_inspect(app);
  command::add_generate(app);
  command::add_grammar(app);
  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::Success& success) {  // help and version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::string help = "bankml";
    for (const CLI::App* chosen : app.get_subcommands()) {
      help += " " + chosen->get_name();
      for (const CLI::App* below : chosen->get_subcommands()) help += " " + below->get_name();
    }
    return fail(2, std::string(error.what()) + " (see " + help + " --help)");
  } catch (const command::ErrorAt& error) {
    std::fflush(stdout);
    fail(1, error.what());
    std::fputs(error.excerpt().c_str(), stderr);
    return 1;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    return fail(1, error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail(1, "cannot write to stdout");
  return 0;
}
