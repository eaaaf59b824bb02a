// Masks over real vocabularies against the plain simulation, every token at every place:
//
//   bankml_grammar_real [--places N] [--seed S] VOCABULARY...
//
// A vocabulary is a GGUF file, or a file of pieces (bench/masks/pieces.mjs: for each token its length as 4 little-endian bytes,
// then its bytes; the last token ends). Walks are random: the grammars of bench/masks and random ones, a quarter of them with long
// repetitions. The plain simulation takes up to a second a place. Without a vocabulary the test is skipped by name.
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <type_traits>

#include "core/grammar/gbnf_parser.h"
#include "core/grammar/grammar.h"
#include "tests/grammar/random_grammar.h"
#include "tests/reference/plain_strict_grammar.h"

namespace {

using bankml::Vocab;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::shared_ptr<const Vocab> load(const std::string& path) {
  if (path.size() > 5 && path.substr(path.size() - 5) == ".gguf") return Vocab::from_gguf_path(path);
  const std::string file = contents(path);
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (size_t at = 0; at + 4 <= file.size();) {
    size_t length = 0;
    for (size_t i = 0; i < 4; ++i) length |= static_cast<size_t>(static_cast<uint8_t>(file[at + i])) << (8 * i);
    bytes += file.substr(at + 4, length);
    offsets.push_back(bytes.size());
    at += 4 + length;
  }
  const auto n = static_cast<int32_t>(offsets.size() - 1);
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), nullptr, static_cast<size_t>(n), n - 1,
                            -1);
}

// A repetition that real pieces do not exhaust, now and then one that ends soon.
std::string repeating(std::mt19937& dice) {
  static const char* const sets[] = {"[a-z ]", "[^\"\\\\]", "([a-z] | \"-\" \" \")", "(\" \"? [a-zA-Z])", "[ \\n\\t]", "."};
  static const size_t counts[] = {3, 30, 140, 300};
  const size_t high = counts[dice() % 4];
  const size_t low = dice() % 3 == 0 ? high : dice() % 2 == 0 ? high / 2 : 0;
  return "root ::= \"<\"? " + std::string(sets[dice() % 6]) + "{" + std::to_string(low) + "," + std::to_string(high) + "} \">\"\n";
}

// Places compared; throws with the first difference. Plain is the simulation of the byte layer.
template <class Plain>
size_t walk(const std::shared_ptr<const Vocab>& vocab, const std::string& text, std::mt19937& dice, size_t most) {
  const bankml::grammar::Rules rules =
      bankml::grammar::parse_gbnf(text, {"root", 1000000, [](std::string_view) { return int64_t{-1}; }});
  Plain plain(rules, *vocab);
  bankml::grammar::Options options;
  const bool strict = std::is_same_v<Plain, bankml::reference::PlainStrictGrammar>;
  options.decoding = strict ? bankml::Decoding::strict : bankml::Decoding::llama;
  const auto ours = bankml::grammar::Grammar::from_gbnf(vocab, text, options);
  bankml::ErrorText error;
  size_t places = 0;
  while (places < most && plain.stack_count() < 200) {
    const std::vector<uint32_t> words = ours->mask();
    std::vector<int32_t> ids;
    for (int32_t token = 0; token < static_cast<int32_t>(vocab->size()); ++token) {
      const bool allowed = (words[static_cast<size_t>(token) / 32] >> (token % 32) & 1) != 0;
      if (allowed != plain.allows(token)) {
        throw std::runtime_error("place " + std::to_string(places) + ", token " + std::to_string(token) + ": " +
                                 (allowed ? "allowed" : "not allowed") + " by the mask alone\n" + text);
      }
      if (allowed && !vocab->is_eog(token)) ids.push_back(token);
    }
    ++places;
    if (ids.empty()) break;
    // Some steps without a look, so that walks reach the far end of repetitions.
    for (size_t steps = 1 + dice() % 4; steps > 0 && !ids.empty(); --steps) {
      const int32_t token = ids[dice() % ids.size()];
      if (steps == 1 || plain.allows(token)) {
        if (!plain.accept(token)) return places;
        if (ours->accept(&token, 1, error) != bankml::Status::ok) throw std::runtime_error("refused an allowed token\n" + text);
      }
    }
  }
  return places;
}

}  // namespace

int main(int argc, char** argv) {
  size_t wanted = 1000;
  unsigned seed = 1;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--places") == 0 && i + 1 < argc) {
      wanted = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else {
      paths.push_back(argv[i]);
    }
  }
  if (paths.empty()) {
    std::cout << "skipped: no vocabulary was named\n";
    return 77;
  }
  size_t failed = 0, passed = 0;
  for (const std::string& path : paths) {
    const auto vocab = load(path);
    std::mt19937 dice(seed);
    size_t places = 0;
    while (places < wanted && failed == 0) {
      std::string text;
      const auto kind = dice() % 4;
      if (kind == 0) {
        static const char* const names[] = {"json", "c", "arithmetic", "letters"};
        text = contents(std::string(BANKML_SOURCE_DIR) + "/bench/masks/" + names[dice() % 4] + ".gbnf");
      } else if (kind == 1) {
        text = repeating(dice);
      } else {
        text = bankml::grammar::random_grammar(dice);
      }
      try {
        // Every third text in the strict byte layer.
        const size_t most = std::min<size_t>(wanted - places, 12);
        places += dice() % 3 == 0 ? walk<bankml::reference::PlainStrictGrammar>(vocab, text, dice, most)
                                  : walk<bankml::reference::PlainGrammar>(vocab, text, dice, most);
      } catch (const bankml::Failure&) {
        // A random text that is refused.
      } catch (const std::runtime_error& error) {
        ++failed;
        std::cout << "FAILED: " << path << ": " << error.what() << "\n";
      }
    }
    std::cout << path << ": " << vocab->size() << " tokens, " << places << " places\n";
    passed += places;
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed != 0;
}
