// bankml grammar: what a grammar's text says (check), how a text goes through it (walk), what it allows at a place (mask).
#include <algorithm>
#include <cstdio>
#include <memory>

#include "examples/command/commands.h"
#include "examples/command/grammar_text.h"
#include "examples/command/logits_file.h"
#include "examples/command/print.h"

namespace command {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file;
  std::string root = "root";
  std::string dialect = "llama";
  std::string vocab;
  std::string text;
  std::string tokens;
  Triggers triggers;
  size_t show = 8;
  bool whole = false;
  bool ids = false;
  bool json = false;
};

struct Session {
  explicit Session(const Options& given)
      : options(given),
        vocab(given.vocab.empty() ? vocab_of_bytes() : vocab_from_gguf(given.vocab)),
        grammar(grammar_from_file(vocab.get(), given.file, given.root, given.triggers, given.dialect)) {}
  const Options& options;
  Vocab vocab;
  Grammar grammar;
};

std::vector<int32_t> tokens_of(const Session& session) {
  if (!session.options.tokens.empty()) return parse_tokens(session.options.tokens);
  return longest_pieces(session.vocab.get(), session.options.text);
}

// `3 tokens: "0" "1" ...`
std::string listed(const Session& session, const std::vector<int32_t>& tokens) {
  std::string text = std::to_string(tokens.size()) + (tokens.size() == 1 ? " token" : " tokens");
  for (size_t i = 0; i < std::min(tokens.size(), session.options.show); ++i)
    text += (i == 0 ? ": " : " ") + quoted(piece_bytes(session.vocab.get(), tokens[i]));
  return text + (tokens.size() > session.options.show ? " ..." : "");
}

void run_check(const Options& options) {
  const Session session(options);
  int32_t dead = 0;
  check(session.grammar.get(), bankml_grammar_is_dead(session.grammar.get(), &dead));
  const std::string forced = forced_bytes(session.grammar.get());
  std::string says = dead != 0 ? "it allows no text at all" : may_end(session.grammar.get()) ? "the empty text fits" : "";
  if (!forced.empty()) says = "every text begins with " + quoted(forced);
  std::printf("ok%s\n", says.empty() ? "" : (": " + says).c_str());
}

// One place of a walk, before its token.
Json place(const Session& session, size_t at) {
  const std::vector<int32_t> allowed = allowed_tokens(session.grammar.get(), session.vocab.get());
  Json row = {{"at", at}, {"allowed", allowed.size()}, {"may_end", may_end(session.grammar.get())}};
  row["forced"] = forced_bytes(session.grammar.get());
  return row;
}

void print_place(const Session& session, const Json& row) {
  if (session.options.json) {
    std::printf("%s\n", dump(row).c_str());
    return;
  }
  std::string line = row["at"].dump() + "\t";
  line += row.contains("token") ? row["token"].dump() + " " + quoted(row["piece"].get<std::string>()) : "(end of the text)";
  line += "\tof " + row["allowed"].dump() + " allowed";
  if (row["may_end"].get<bool>()) line += ", may end";
  if (const auto forced = row["forced"].get<std::string>(); !forced.empty()) line += ", forced " + quoted(forced);
  std::printf("%s\n", line.c_str());
}

void run_walk(const Options& options) {
  Session session(options);
  std::string text;
  const std::vector<int32_t> tokens = tokens_of(session);
  for (const int32_t token : tokens) text += piece_bytes(session.vocab.get(), token);
  size_t at = 0;
  for (const int32_t token : tokens) {
    Json row = place(session, at);
    const std::string piece = piece_bytes(session.vocab.get(), token);
    row["token"] = token;
    row["piece"] = piece;
    const bankml_status status = bankml_grammar_accept(session.grammar.get(), token);
    if (status == BANKML_REJECT) {
      std::fflush(stdout);
      const auto allowed = allowed_tokens(session.grammar.get(), session.vocab.get());
      throw ErrorAt("byte " + std::to_string(at) + ": " + quoted(piece) + " (token " + std::to_string(token) +
                        ") is refused; allowed: " + listed(session, allowed),
                    text, at);
    }
    check(session.grammar.get(), status);
    print_place(session, row);
    at += piece.size();
  }
  const Json end = place(session, at);
  print_place(session, end);
  if (options.whole && !end["may_end"].get<bool>()) {
    std::fflush(stdout);
    const auto allowed = allowed_tokens(session.grammar.get(), session.vocab.get());
    throw ErrorAt("byte " + std::to_string(at) + ": the text may not end here; allowed: " + listed(session, allowed), text, at);
  }
}

void run_mask(const Options& options) {
  Session session(options);
  for (const int32_t token : tokens_of(session)) check(session.grammar.get(), bankml_grammar_accept(session.grammar.get(), token));
  const std::vector<int32_t> allowed = allowed_tokens(session.grammar.get(), session.vocab.get());
  if (options.json) {
    Json result = {{"n_vocab", bankml_vocab_size(session.vocab.get())}, {"may_end", may_end(session.grammar.get())}};
    result["forced"] = forced_bytes(session.grammar.get());
    result["allowed"] = Json::array();
    for (const int32_t token : allowed) {
      if (options.ids) {
        result["allowed"].push_back(token);
      } else {
        result["allowed"].push_back({{"id", token}, {"piece", piece_bytes(session.vocab.get(), token)}});
      }
    }
    std::printf("%s\n", dump(result).c_str());
    return;
  }
  for (const int32_t token : allowed) {
    if (options.ids) {
      std::printf("%d\n", token);
    } else {
      std::printf("%d\t%s\n", token, quoted(piece_bytes(session.vocab.get(), token)).c_str());
    }
  }
}

CLI::App* add_one(CLI::App& app, const std::shared_ptr<Options>& options, const char* name, const char* line,
                  const std::string& description, void (*run)(const Options&)) {
  CLI::App* sub = app.add_subcommand(name, line);
  sub->description(description);
  sub->add_option("FILE", options->file, "The grammar, GBNF text; - = stdin")->required();
  sub->add_option("--root", options->root, "The rule with which a text begins")->capture_default_str()->type_name("NAME");
  sub->add_option("--vocab", options->vocab,
                  "GGUF file with the vocabulary (default: a token for each byte, and an end token </s>)")
      ->type_name("FILE");
  sub->add_option("--dialect", options->dialect,
                  "llama: tokens mean what they mean to llama.cpp; strict: UTF-8 as it is defined, no dead ends")
      ->check(CLI::IsMember({"llama", "strict"}))
      ->capture_default_str()
      ->type_name("NAME");
  add_triggers(sub, options->triggers);
  sub->callback([options, run] { run(*options); });
  return sub;
}

void add_tokens(CLI::App* sub, const std::shared_ptr<Options>& options, const char* flag, const char* text_help) {
  CLI::Option* text = sub->add_option(flag, options->text, text_help);
  if (flag[0] == '-') text->type_name("TEXT");
  sub->add_option("--tokens", options->tokens, "Token ids instead, with commas or blanks between")
      ->excludes(text)
      ->type_name("IDS");
}

}  // namespace

void add_grammar(CLI::App& app) {
  CLI::App* group = app.add_subcommand("grammar", "Checks a grammar, follows a text through it, shows what it allows");
  group->description(
      "Looks at a grammar in llama.cpp's GBNF, with no model: an error has its line and column, and the place below a caret.\n"
      "A text is cut into tokens from the front, each time the longest piece that fits; without --vocab these are its bytes.");
  group->require_subcommand(1);
  group->footer(
      "Examples:\n"
      "  bankml grammar check json.gbnf\n"
      "  bankml grammar walk json.gbnf '{\"a\": [1, 2]}' --whole\n"
      "  bankml grammar mask json.gbnf --vocab model.gguf --after '{\"a\": ' --json\n"
      "  bankml grammar walk call.gbnf 'I will look: <call>f()' --trigger-word '<call>'");
  auto options = std::make_shared<Options>();
  add_one(*group, options, "check", "Reads a grammar and says what is wrong with it",
          "Exit status 0 if the grammar can be used, 1 if not. References to tokens (<text>) need --vocab.", run_check);

  options = std::make_shared<Options>();
  CLI::App* walk = add_one(
      *group, options, "walk", "Goes through a text, token by token",
      "Prints for each place its byte, the token that comes, how many tokens were allowed, whether the text could end there, and\n"
      "the bytes that any continuation begins with. Exit status 1 where a token is refused.",
      run_walk);
  add_tokens(walk, options, "TEXT", "The text; without it and --tokens only the start is shown");
  walk->add_flag("--whole", options->whole, "Exit status 1 also if the text may not end at its end");
  walk->add_option("--show", options->show, "How many allowed tokens to list at a refusal")
      ->check(at_least_one())
      ->capture_default_str()
      ->type_name("INT");
  walk->add_flag("--json", options->json, "Print one JSON object a place");

  options = std::make_shared<Options>();
  CLI::App* mask = add_one(*group, options, "mask", "Lists the tokens that are allowed at a place",
                           "Prints id and piece of every token that is allowed at the start, or behind a text.", run_mask);
  add_tokens(mask, options, "--after", "What comes before the place");
  mask->add_flag("--ids", options->ids, "Ids alone");
  mask->add_flag("--json", options->json, "Print one JSON object");
}

}  // namespace command
