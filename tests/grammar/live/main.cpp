// Random grammars, random walks, both test vocabularies: the allowed set, what accept says, and the texts of refusals against
// llama.cpp's own library, in one process.
//
//   bankml_grammar_live [--cases N] [--seed S] [--record FILE]
//
// --record writes the library's answers to lazy grammars as rows of tests/vectors (grammar-lazy.jsonl is made so).
// What the library does not bear is not given to it: texts that we refuse because it would hang or abort, end tokens that are not
// allowed. A case runs in a child of its own, so one that takes the library more than `most_seconds` (stacks that double), or that
// makes it abort, costs that case. Each kind is counted.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bankml.hpp"
#include "tests/reference/fnv.h"
#include "tests/grammar/random_grammar.h"
#include "tests/patterns/random_pattern.h"
#include "tests/reference/llama_peer.h"

namespace {

using bankml::reference::LlamaGrammar;
using bankml::reference::LlamaLibrary;
using bankml::reference::LlamaModel;
using Json = nlohmann::ordered_json;

// What the library prints in front of the text that it refuses; "" if it says nothing (then only its log does).
std::string peer_message(const std::string& printed, const std::string& text) {
  const std::string head = "error parsing grammar: ";
  const size_t at = printed.find(head);
  const size_t end = printed.rfind("\n\n" + text);
  return at == std::string::npos || end == std::string::npos ? "" : printed.substr(at + head.size(), end - at - head.size());
}

std::string our_message(const std::string& text) {
  const size_t colon = text.rfind("grammar, line ", 0) == 0 ? text.find(": ") + 2 : 0;
  return text.substr(colon);
}

// A text with one damage: a byte removed, doubled or replaced.
std::string damaged(std::string text, std::mt19937& dice) {
  static const char bytes[] = "\"[]()|{}*+?.-<>!\\#:=\n\r \tax09\xC3\xE2\x80_^,;";
  const size_t at = dice() % text.size();
  switch (dice() % 3) {
    case 0:
      text.erase(at, 1);
      break;
    case 1:
      text.insert(at, 1, bytes[dice() % (sizeof bytes - 1)]);
      break;
    default:
      text[at] = bytes[dice() % (sizeof bytes - 1)];
  }
  return text;
}

constexpr unsigned most_seconds = 1;

// Random triggers, as options for us and as the library wants them: words and full patterns rewritten to patterns.
struct LazySetup {
  bankml::GrammarOptions options;
  LlamaGrammar::Lazy peer;
  Json triggers = Json::array();
};
std::unique_ptr<LazySetup> random_triggers(std::mt19937& dice, size_t n_vocab) {
  auto setup = std::make_unique<LazySetup>();
  setup->options.set_number("lazy", 1);
  for (auto n = 1 + dice() % 3; n > 0; --n) {
    std::string text;
    const int kind = static_cast<int>(dice() % 4);
    if (kind == BANKML_TRIGGER_TOKEN) {
      const auto token = static_cast<int32_t>(dice() % n_vocab);
      setup->options.trigger_token(token);
      setup->peer.tokens.push_back(token);
      setup->triggers.push_back({{"kind", "token"}, {"token", token}});
      continue;
    }
    if (kind == BANKML_TRIGGER_WORD) {
      static const char* const words[] = {"a", "ab", "b", "(a", " a", "a.b", "c*", "\n", "the", "e"};
      text = words[dice() % (sizeof words / sizeof *words)];
    } else {
      do text = bankml::patterns::random_pattern(dice, 2);
      while (text.size() > 40 || bankml::patterns::loops_of(text) > 3);
      if (dice() % 4 == 0) text = "^" + text + "$";
      if (dice() % 20 == 0) text = damaged(text + "(", dice);
    }
    setup->options.trigger(kind, text);
    static const char* const kinds[] = {"token", "word", "pattern", "pattern_full"};
    setup->triggers.push_back({{"kind", kinds[kind]}, {"text", text}});
    std::string pattern;
    if (kind == BANKML_TRIGGER_WORD) {
      for (const char c : text) pattern += (std::strchr(".^$|()*+?[]{}\\", c) != nullptr ? "\\" : "") + std::string(1, c);
    } else if (kind == BANKML_TRIGGER_PATTERN_FULL) {
      pattern = text.empty() ? "^$" : (text.front() == '^' ? "" : "^") + text + (text.back() == '$' ? "" : "$");
    } else {
      pattern = text;
    }
    setup->peer.patterns.push_back(pattern);
  }
  return setup;
}

struct Counts {
  std::map<std::string, size_t> kinds;
  size_t failed = 0;
};

void one_case(const LlamaModel& model, const bankml::Vocab& vocab, const std::string& vocab_name, std::ostream& record,
              std::mt19937& dice, Counts& counts) {
  std::string text = bankml::grammar::random_grammar(dice);
  const bool broken = dice() % 3 == 0;
  if (broken) text = damaged(text, dice);
  const std::unique_ptr<LazySetup> lazy = dice() % 2 == 0 ? random_triggers(dice, vocab.size()) : nullptr;
  const auto fail = [&](const std::string& why) {
    ++counts.failed;
    const std::string triggers = lazy ? lazy->triggers.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n" : "";
    std::cout << "FAILED: " << why << "\n" << text << "\n" << triggers;
  };
  std::string refused;
  std::unique_ptr<bankml::Grammar> ours;
  try {
    ours = std::make_unique<bankml::Grammar>(lazy ? bankml::Grammar::from_gbnf(vocab, text, lazy->options)
                                                  : bankml::Grammar::from_gbnf(vocab, text));
  } catch (const bankml::Error& error) {
    refused = our_message(error.what());
    if (refused.empty()) refused = "?";
  }
  if (refused.find("through a rule that may match nothing") != std::string::npos ||
      refused.find("maximum below its minimum") != std::string::npos) {
    ++counts.kinds["refused by us, endless in the library"];
    return;
  }
  if (refused.find("is no special piece") != std::string::npos) {
    ++counts.kinds["a text that needs a tokenizer"];
    return;
  }
  std::unique_ptr<LlamaGrammar> theirs;
  std::string printed;
  try {
    theirs = lazy ? std::make_unique<LlamaGrammar>(model, text, lazy->peer) : std::make_unique<LlamaGrammar>(model, text);
  } catch (const std::runtime_error& error) {
    printed = error.what();
  }
  if (refused.rfind("trigger ", 0) == 0 && refused.find("not supported") != std::string::npos) {
    ++counts.kinds["a pattern with look-ahead or back-references"];
    return;
  }
  if (refused.rfind("trigger ", 0) == 0 && theirs == nullptr) {
    ++counts.kinds[printed.rfind("raised: ", 0) == 0 ? "patterns that both refuse" : "grammar and pattern refused"];
    return;
  }
  if ((theirs == nullptr) != !refused.empty())
    return fail("ours: " + (refused.empty() ? "accepted" : refused) + ", library: " + (theirs ? "accepted" : printed));
  if (theirs == nullptr) {
    const std::string message = peer_message(printed, text);  // ours is cut at the border, behind 511 bytes
    ++counts.kinds[message.empty() ? "refused without a text" : "refused with the same text"];
    if (!message.empty() && message != refused && (refused.size() < 450 || message.compare(0, refused.size(), refused) != 0))
      return fail("ours: " + refused + "\nlibrary: " + message);
    return;
  }
  Json row = {{"op", "grammar"}, {"vocab", vocab_name}, {"grammar", text}};
  if (lazy) row["triggers"] = lazy->triggers;
  Json& expect = row["expect"];
  expect["allowed"] = expect["allowed_fnv"] = expect["tokens"] = Json::array();
  bool woke = false;
  size_t steps = 0;
  for (; steps < 12; ++steps) {
    const std::vector<uint32_t> words = ours->mask();
    std::vector<int32_t> ids;
    for (size_t i = 0; i < words.size() * 32; ++i) {
      if ((words[i / 32] >> (i % 32) & 1) != 0) ids.push_back(static_cast<int32_t>(i));
    }
    const std::vector<int32_t> expected = theirs->allowed();
    if (ids != expected)
      return fail("step " + std::to_string(steps) + ": " + std::to_string(ids.size()) + " allowed, library " +
                  std::to_string(expected.size()));
    bankml::reference::Fnv64 hash;
    for (const int32_t id : expected) hash.add(id);
    expect["allowed"].push_back(expected.size());
    expect["allowed_fnv"].push_back(hash.hex());
    const bool waits = lazy && ids.size() == vocab.size();
    ++counts.kinds[waits  ? "places where a lazy grammar waits, for both"
                   : lazy ? "places behind a trigger with equal allowed sets"
                          : "places with equal allowed sets"];
    const bool stray = ids.empty() || dice() % 10 == 0;
    const auto token = stray ? static_cast<int32_t>(dice() % vocab.size()) : ids[dice() % ids.size()];
    if (model.is_eog(token) && !waits && !ours->is_complete()) break;  // the library aborts
    bool taken = true;
    try {
      ours->accept(token);
    } catch (const bankml::Error&) {
      taken = false;
    }
    if (theirs->accept(token) != taken) return fail("step " + std::to_string(steps) + ": accept of " + std::to_string(token));
    if (!taken) {
      ++counts.kinds["refused tokens"];
      break;
    }
    expect["tokens"].push_back(token);
    woke = woke || (waits && ours->mask() != words);
  }
  if (lazy && woke) record << row.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

// The case in a child; its counts come back as lines.
template <class Body>
void in_child(Counts& counts, const Body& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    Counts own;
    body(own);
    std::cout.flush();
    std::string lines;
    for (const auto& [kind, count] : own.kinds) lines += std::to_string(count) + " " + kind + "\n";
    if (write(ends[1], lines.data(), lines.size()) < 0) _exit(2);
    _exit(own.failed == 0 ? 0 : 1);
  }
  close(ends[1]);
  std::string lines;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) lines.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    ++counts.kinds[WTERMSIG(status) == SIGALRM ? "the library takes too long" : "the library aborts"];
  } else if (WEXITSTATUS(status) != 0) {
    ++counts.failed;
  }
  std::istringstream stream(lines);
  size_t count;
  std::string kind;
  while (stream >> count && std::getline(stream >> std::ws, kind)) counts.kinds[kind] += count;
}

}  // namespace

int main(int argc, char** argv) {
  size_t cases = 5000;
  unsigned seed = 1;
  std::ofstream record;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--cases") == 0) cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--record") == 0) record.open(argv[i + 1], std::ios::app);
    if (std::strcmp(argv[i], "--seed") == 0) seed = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  std::string reason;
  if (!LlamaLibrary::available(reason)) {
    std::cout << "skipped: " << reason << "\n";
    return 77;
  }
  const auto library = LlamaLibrary::open();
  Counts counts;
  std::mt19937 dice(seed);
  for (const char* name : {"spm-test.gguf", "bpe-test.gguf"}) {
    const std::string path = std::string(BANKML_SOURCE_DIR) + "/tests/vectors/vocab/" + name;
    const LlamaModel model(library, path, true);
    const bankml::Vocab vocab = bankml::Vocab::from_gguf(path);
    for (size_t i = 0; i < cases / 2 && counts.failed < 10; ++i) {
      std::mt19937 own(dice());
      in_child(counts, [&](Counts& made) { one_case(model, vocab, name, record, own, made); });
    }
  }
  for (const auto& [kind, count] : counts.kinds) std::cout << count << " " << kind << "\n";
  std::cout << cases - counts.failed << " passed, " << counts.failed << " failed\n";
  return counts.failed != 0;
}
