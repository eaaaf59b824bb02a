// Grammars: what the systems state (C..) and real trouble of others (B..), GBNF and lazy grammars. Each test carries the id of its
// row.
#include "tests/cases/cases.h"

namespace bankml::cases {
namespace {

// Bytes, then texts, then an end token; flags as given.
Vocab bytes_and(std::vector<std::string> texts) {
  std::vector<std::string> pieces;
  for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  pieces.insert(pieces.end(), texts.begin(), texts.end());
  pieces.emplace_back("</s>");
  std::vector<uint32_t> flags(pieces.size(), 0);
  flags.back() = BANKML_TOKEN_EOG | BANKML_TOKEN_CONTROL;
  return Vocab(pieces, flags, static_cast<int32_t>(pieces.size() - 1));
}
constexpr int32_t end_token = 256;  // of bytes_and({})

Ids allowed(Grammar& grammar) {
  const std::vector<uint32_t> words = grammar.mask();
  Ids ids;
  for (size_t i = 0; i < words.size() * 32; ++i) {
    if ((words[i / 32] >> (i % 32) & 1) != 0) ids.push_back(static_cast<int32_t>(i));
  }
  return ids;
}

bool takes(Grammar& grammar, const Ids& tokens) {
  try {
    grammar.accept(tokens);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), BANKML_REJECT);
    return false;
  }
  return true;
}

std::string refusal(const std::string& text) {
  try {
    Grammar::from_gbnf(bytes_and({}), text);
  } catch (const Error& error) {
    return error.what();
  }
  return "ok";
}

bool matches(const std::string& grammar, const std::string& text) {
  Grammar made = Grammar::from_gbnf(bytes_and({}), grammar);
  for (const char c : text) {
    if (!takes(made, {static_cast<uint8_t>(c)})) return false;
  }
  return made.is_complete();
}

// ---- Parsing and limits

TEST(GrammarText, B88_left_recursion_is_refused_by_name) {
  EXPECT_NE(refusal("root ::= root \"a\" | \"b\"").find("left recursion detected for nonterminal at index 0 (rule 'root')"),
            std::string::npos);
  EXPECT_NE(refusal("root ::= e\ne ::= i | b\nb ::= e \"+\" e\ni ::= [0-9]").find("left recursion"), std::string::npos);
}

TEST(GrammarText, B89_nullable_loops_end) {
  EXPECT_TRUE(matches("root ::= (\"a\"*)*", "aaa"));
  for (const char* text : {"root ::= ws \"x\"\nws ::= (sp | nl)*\nsp ::= [ ]*\nnl ::= \"\\n\"", "root ::= (\"\")*"}) {
    const std::string said = refusal(text);
    EXPECT_TRUE(said == "ok" || said.find("line 1") != std::string::npos || said.find("left recursion") != std::string::npos)
        << said;
  }
}

TEST(GrammarText, B91_malformed_text_is_refused_with_its_place) {
  EXPECT_NE(refusal("rout::=\"a\"").find("grammar does not contain a 'root' symbol"), std::string::npos);
  EXPECT_NE(refusal("a :== \"b\"").find("line 1, column 3: expecting ::= at :== \"b\""), std::string::npos);
  EXPECT_NE(refusal(" ").find("no rules"), std::string::npos);
  EXPECT_NE(refusal("root ::= nope").find("Undefined rule identifier 'nope'"), std::string::npos);
  EXPECT_EQ(refusal(""), "ok");  // the reference's way to say that nothing is constrained
}

TEST(GrammarText, B94_bounds_near_2000) {
  EXPECT_EQ(refusal("root ::= \"a\"{0,1999}"), "ok");
  EXPECT_EQ(refusal("root ::= \"a\"{0,2000}"), "ok");
  EXPECT_EQ(refusal("root ::= \"a\"{0,2001}"), "ok");  // kept: without a bound
  EXPECT_NE(refusal("root ::= \"a\"{2001}").find("number of repetitions exceeds sane defaults"), std::string::npos);
}

TEST(GrammarText, B95_129_repetitions) {
  EXPECT_TRUE(matches("root ::= [^\\n\\r]{1,129}", std::string(129, 'x')));
  EXPECT_FALSE(matches("root ::= [^\\n\\r]{1,129}", std::string(130, 'x')));
}

TEST(GrammarText, B97_products_of_repetitions_meet_a_limit) {
  EXPECT_NE(refusal("root ::= b{0,2000}\nb ::= a{0,2000}\na ::= \"" + std::string(10000, 'x') + "\"{2000}").find("max_states"),
            std::string::npos);
  EXPECT_EQ(refusal("root ::= \"[\" s (\",\" s){5,15} \"]\"\ns ::= \"\\\"\" [a-z]{20,40} \"\\\"\""), "ok");
  EXPECT_EQ(refusal("root ::= (\"[\" ([a-z]{20,100} \",\"){5,15} \"]\"){5,15}"), "ok");
  EXPECT_NE(refusal("root ::= (\"[\" ([a-z]{20,200} \",\"){5,15} \"]\"){5,15}").find("exceeds sane defaults"), std::string::npos);
}

// ---- Matching

TEST(GrammarMatching, B77_clones_go_their_own_ways) {
  Grammar a = Grammar::from_gbnf(bytes_and({}), "root ::= \"ab\" [0-9]");
  Grammar b = a.clone();
  const Ids before = allowed(b);
  a.accept(Ids{'a', 'b'});
  EXPECT_EQ(allowed(b), before);
}

TEST(GrammarMatching, B98_a_second_accept_is_refused_and_changes_nothing) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"a\" \"b\"");
  EXPECT_TRUE(takes(grammar, {'a'}));
  EXPECT_FALSE(takes(grammar, {'a'}));
  EXPECT_TRUE(takes(grammar, {'b'}));
}

TEST(GrammarMatching, B100_the_grammar_goes_before_truncation) {
  const Vocab vocab({"a", "b", "{"});
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"{\"");
  const std::vector<float> row{5, 4, 0};
  for (const uint32_t flags : {0u, static_cast<uint32_t>(BANKML_GRAMMAR_FIRST)}) {
    Sampler s(params(neutral({{"top_k", "2"}})), vocab);
    EXPECT_EQ(s.sample_constrained(row, grammar, flags).token, 2);
  }
}

TEST(GrammarMatching, B101_unused_and_empty_tokens_stay_out) {
  const Vocab vocab({"{", "}", "a", "<unused49>", ""}, {0, 0, 0, BANKML_TOKEN_UNUSED, 0});
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"{\" [a-z]+ \"}\"");
  Sampler s(params(neutral({{"temperature", "0"}})), vocab);
  for (const auto& [best, drawn] : {std::pair{0, 0}, {2, 2}, {1, 1}}) {
    std::vector<float> row{0, 0, 0, 9, 8};
    row[static_cast<size_t>(best)] = 5;
    const ConstrainedToken token = s.sample_constrained(row, grammar);
    EXPECT_EQ(token.token, drawn);
    EXPECT_TRUE(token.redrawn);
    EXPECT_FALSE(grammar.test(3) || grammar.test(4));
    grammar.accept(token.token);
  }
}

TEST(GrammarMatching, B103_every_end_token_may_end) {
  std::vector<std::string> pieces{"x", "a", "b", "c", "d", "e", "f", "<e1>", "<e2>"};
  std::vector<uint32_t> flags(9, 0);
  flags[7] = flags[8] = BANKML_TOKEN_EOG | BANKML_TOKEN_CONTROL;
  Grammar grammar = Grammar::from_gbnf(Vocab(pieces, flags, 7), "root ::= \"x\"");
  EXPECT_TRUE(takes(grammar, {0}));
  EXPECT_EQ(allowed(grammar), (Ids{7, 8}));
}

TEST(GrammarMatching, B104_many_at_once_and_one_by_one_agree_on_the_end) {
  Grammar many = Grammar::from_gbnf(bytes_and({}), "root ::= \"a\""), one = many.clone();
  EXPECT_TRUE(takes(many, {'a', end_token}));
  EXPECT_TRUE(takes(one, {'a'}) && takes(one, {end_token}));
  EXPECT_EQ(allowed(many), allowed(one));
  EXPECT_FALSE(takes(many, {end_token, 'a'}));
  EXPECT_FALSE(takes(one, {'a'}));
}

TEST(GrammarMatching, B106_a_failed_accept_and_a_step_back_behind_the_end) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"ab\"");
  EXPECT_FALSE(takes(grammar, {'a', 'c'}));
  EXPECT_TRUE(takes(grammar, {'a', 'b'}));
  const Ids before = allowed(grammar);
  EXPECT_TRUE(takes(grammar, {end_token}));
  grammar.rollback(1);
  EXPECT_EQ(allowed(grammar), before);
}

TEST(GrammarMatching, B107_a_mask_behind_the_end_has_the_end_alone) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"a\"");
  EXPECT_TRUE(takes(grammar, {'a', end_token}));
  EXPECT_EQ(allowed(grammar), Ids{end_token});
  EXPECT_FALSE(takes(grammar, {'a'}));
}

TEST(GrammarMatching, B109_bytes_not_characters) {
  EXPECT_TRUE(matches("root ::= \"\\U0001F600\" [\\u00e0-\\u00ff]", "\xF0\x9F\x98\x80\xC3\xA9"));
  EXPECT_TRUE(matches("root ::= \"\xF0\x9F\x98\x80\"", "\xF0\x9F\x98\x80"));
}

TEST(GrammarMatching, B110_pieces_are_the_bytes_they_stand_for) {
  const Vocab vocab = Vocab::from_gguf(std::string(BANKML_SOURCE_DIR) + "/tests/vectors/vocab/spm-test.gguf");
  size_t words = 0, bytes = 0;
  for (int32_t token = 0; static_cast<size_t>(token) < vocab.size(); ++token) {
    const std::string piece = vocab.piece(token);
    const bool word =
        piece.size() > 2 && piece[0] == ' ' && piece.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 1) == std::string::npos;
    if (!word && piece != " ") continue;
    Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"" + piece + "\"");
    EXPECT_TRUE(grammar.test(token)) << piece;
    ++(word ? words : bytes);
  }
  EXPECT_GT(words, 10u);
  EXPECT_GT(bytes, 0u);
}

TEST(GrammarMatching, B112_triggers_do_not_pile_up) {
  const Vocab vocab = bytes_and({});
  GrammarOptions options;
  options.set_number("lazy", 1);
  for (int i = 0; i < 139; ++i) options.trigger(BANKML_TRIGGER_WORD, "<|tool_" + std::to_string(i) + "|>");
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"<|tool_138|>\" [0-9]+", options);
  const std::string wait = "a < b <|tool |>";
  size_t memory = 0;
  for (int request = 0; request < 31; ++request) {
    for (int i = 0; i < 4000; ++i) grammar.accept(static_cast<uint8_t>(wait[static_cast<size_t>(i) % wait.size()]));
    EXPECT_EQ(allowed(grammar).size(), vocab.size());
    for (const char c : std::string("<|tool_138|>")) grammar.accept(static_cast<uint8_t>(c));
    EXPECT_EQ(allowed(grammar).size(), 10u);
    if (request == 0) memory = grammar.memory();
    grammar.reset();
  }
  EXPECT_LE(grammar.memory(), memory + 65536);
}

TEST(GrammarMatching, B130_an_end_token_that_the_grammar_names_is_a_dead_end) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"ok\" <[256]>");  // kept: end tokens are looked at first
  EXPECT_TRUE(takes(grammar, {'o', 'k'}));
  EXPECT_TRUE(grammar.is_dead());
  EXPECT_FALSE(takes(grammar, {end_token}));
}

TEST(GrammarMatching, B131_a_token_as_trigger) {
  const Vocab vocab({"q", "b", "c", "d", "e", "a", "f"});
  GrammarOptions options;
  options.set_number("lazy", 1).trigger_token(5);
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"a\" \"b\"", options);
  grammar.accept(1);
  EXPECT_EQ(allowed(grammar).size(), 7u);
  grammar.accept(5);
  EXPECT_EQ(allowed(grammar), Ids{1});
}

// ---- Claims

TEST(GrammarClaims, C45_the_draw_stands_if_allowed_else_a_second_one_under_the_mask) {
  const Vocab vocab({"a", "b", "c"});
  Grammar first = Grammar::from_gbnf(vocab, "root ::= \"a\""), other = Grammar::from_gbnf(vocab, "root ::= \"b\"");
  const Values values = neutral({{"temperature", "1"}, {"repeat_penalty", "1.5"}});
  Sampler s(params(values), vocab);
  const std::vector<float> row{30, 1, 2};
  s.accept(0);
  const uint64_t before = s.perf().random_outputs;
  EXPECT_FALSE(s.sample_constrained(row, first).redrawn);
  const uint64_t one = s.perf().random_outputs - before;
  const ConstrainedToken again = s.sample_constrained(row, other);
  EXPECT_TRUE(again.redrawn);
  EXPECT_EQ(again.token, 1);
  EXPECT_EQ(s.perf().random_outputs - before, 3 * one);
}

TEST(GrammarClaims, C46_no_mask_is_made_while_draws_fit) {
  const Vocab vocab({"a", "b", "c"});
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= [abc]*");
  Sampler s(params(neutral({})), vocab);
  for (int i = 0; i < 100; ++i) {
    const ConstrainedToken token = s.sample_constrained(std::vector<float>{1, 2, 3}, grammar);
    EXPECT_FALSE(token.redrawn);
    grammar.accept(token.token);
  }
  EXPECT_EQ(grammar.mask_fills(), 0u);
}

TEST(GrammarClaims, C103_an_end_needs_a_complete_path) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"ab\"");
  grammar.accept('a');
  EXPECT_FALSE(grammar.test(end_token));
  grammar.accept('b');
  EXPECT_TRUE(grammar.test(end_token));
}

TEST(GrammarClaims, C104_empty_pieces_and_NUL_are_never_allowed) {
  Grammar grammar = Grammar::from_gbnf(Vocab({"", std::string("\0a", 2), std::string(1, '\0'), "a"}), "root ::= (.|\"\\x00\")*");
  EXPECT_EQ(allowed(grammar), Ids{3});
}

TEST(GrammarClaims, C105_one_path_is_enough) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({"ac"}), "root ::= \"ab\" | \"ac\"");
  EXPECT_TRUE(grammar.test(256));
  EXPECT_TRUE(takes(grammar, {256}));
}

TEST(GrammarClaims, C106_a_character_split_over_tokens) {
  Grammar grammar = Grammar::from_gbnf(Vocab({"\xE4\xBD", "\xA0", "a"}), "root ::= \"\\u4f60\"");
  EXPECT_EQ(allowed(grammar), Ids{0});
  EXPECT_TRUE(takes(grammar, {0}));
  EXPECT_EQ(allowed(grammar), Ids{1});
  EXPECT_TRUE(takes(grammar, {1}));
  EXPECT_TRUE(grammar.is_complete());
}

TEST(GrammarClaims, C107_an_early_end_is_an_error_and_changes_nothing) {
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "root ::= \"b\"");
  EXPECT_FALSE(takes(grammar, {end_token}));
  EXPECT_EQ(allowed(grammar), Ids{'b'});
}

TEST(GrammarClaims, C108_a_lazy_grammar_masks_from_its_trigger_on) {
  GrammarOptions options;
  options.set_number("lazy", 1).trigger(BANKML_TRIGGER_PATTERN, "b");
  const Vocab vocab = bytes_and({"ab"});
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"b\" [0-9]+", options);
  EXPECT_EQ(allowed(grammar).size(), vocab.size());
  grammar.accept(256);
  EXPECT_EQ(allowed(grammar), (Ids{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}));
}

TEST(GrammarClaims, C109_left_recursion_through_what_may_be_empty) {
  EXPECT_NE(refusal("root ::= a\na ::= b a \"x\" | \"y\"\nb ::= | \"z\"").find("left recursion"), std::string::npos);
}

TEST(GrammarClaims, C110_the_start_rule_is_named_by_the_caller) {
  GrammarOptions options;
  options.set_string("root", "value");
  Grammar grammar = Grammar::from_gbnf(bytes_and({}), "value ::= \"v\"\nroot ::= \"r\"", options);
  EXPECT_EQ(allowed(grammar), Ids{'v'});
}

TEST(GrammarClaims, C111_grammar_first_is_one_draw) {
  const Vocab vocab({"a", "b", "c"});
  Grammar grammar = Grammar::from_gbnf(vocab, "root ::= \"b\" | \"c\"");
  Sampler first(params(neutral({})), vocab), redraw(params(neutral({})), vocab);
  const std::vector<float> row{30, 1, 2};
  const ConstrainedToken a = first.sample_constrained(row, grammar, BANKML_GRAMMAR_FIRST);
  const ConstrainedToken b = redraw.sample_constrained(row, grammar);
  EXPECT_FALSE(a.redrawn);
  EXPECT_TRUE(b.redrawn);
  EXPECT_EQ(2 * first.perf().random_outputs, redraw.perf().random_outputs);
}

}  // namespace
}  // namespace bankml::cases
