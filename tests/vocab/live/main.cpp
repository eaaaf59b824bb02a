// Vocabularies against llama.cpp's own library, side by side in one process: pieces, kinds, end tokens, tokens of short texts, and
// DRY breakers, whose effect on random histories has to be that of a plain DRY over our list.
//
//     bankml_vocab_live [--record OUT.jsonl] FILE.gguf...
//
// --record writes what the library says, as the rows of tests/vectors/vocab-texts.jsonl. Exit status: 0 equal, 1 not, 77 no library
// (environment BANKML_LLAMA_DIR names its folder).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/vocab/breakers.h"
#include "core/vocab/vocab.h"
#include "tests/reference/llama_peer.h"

namespace bankml {
namespace {

using reference::LlamaLibraryPtr;
using reference::LlamaModel;

struct BreakerList {
  explicit BreakerList(const std::vector<Breaker>& list) : breakers(list) {}
  std::vector<Breaker> breakers;
};

class Comparison {
 public:
  Comparison(LlamaLibraryPtr library, const std::string& path)
      : library_(library), path_(path), vocab_(Vocab::from_gguf_path(path)), model_(library, path, true) {}

  int failures() const { return failures_; }
  bool has_tokenizer() const { return vocab_->has_tokenizer(); }

  void vocabulary() {
    expect(static_cast<size_t>(model_.n_vocab()) == vocab_->size(), "size");
    for (int32_t token = 0; token < model_.n_vocab() && vocab_->contains(token); ++token) {
      expect(model_.piece(token, true) == vocab_->piece(token), "piece of " + std::to_string(token));
      expect(model_.piece(token, false) == vocab_->plain_piece(token), "plain piece of " + std::to_string(token));
      expect(model_.is_eog(token) == vocab_->is_eog(token), "end of generation, " + std::to_string(token));
      expect(library_->vocab_is_control(model_.vocab(), token) == ((vocab_->flags(token) & token_control) != 0),
             "control, " + std::to_string(token));
    }
    expect(model_.bos() == vocab_->bos() && model_.eos() == vocab_->eos() && model_.eot() == vocab_->eot(), "bos, eos, eot");
    expect(model_.suppressed() == vocab_->suppress_tokens(), "suppressed tokens");
  }

  void texts(int rounds, nlohmann::json* recorded) {
    for (int i = 0; i < rounds; ++i) {
      const std::string text = random_text();
      const std::vector<int32_t> theirs = model_.tokenize(text, false, false);
      expect(vocab_->tokenize(text) == theirs, "tokens of '" + text + "'");
      if (recorded != nullptr) recorded->push_back({hex(text), theirs});
    }
  }

  void breakers(int rounds) {
    static const std::vector<std::vector<std::string>> lists = {{"\n", ":", "\"", "*"},
                                                                {" ."},
                                                                {" ", "."},
                                                                {" the name"},
                                                                {"\u4e2d\u6587", "\n\n"},
                                                                {"***", "the name"},
                                                                {"'s", " '"},
                                                                {", "},
                                                                {"xy", "h"},
                                                                {"<tag> x"},
                                                                {"a\n\nb"},
                                                                {"\uFF01"},
                                                                {"  ."},
                                                                {std::string(60, '*')}};
    for (const auto& list : lists) {
      TextTokens answers;
      for (const std::string& text : open_breaker_tails(*vocab_, list, answers))
        answers[text] = model_.tokenize(text, false, false);
      const auto prepared = prepared_breakers<BreakerList>(*vocab_, list, answers);
      for (int i = 0; i < rounds; ++i) {
        const std::vector<int32_t> history = random_history(prepared->breakers);
        expect(reference_dry(list, history) == plain_dry(prepared->breakers, history),
               "breakers '" + list[0] + "', round " + std::to_string(i));
      }
    }
  }

 private:
  void expect(bool holds, const std::string& what) {
    if (holds) return;
    if (++failures_ <= 10) std::printf("%s: differs: %s\n", path_.c_str(), what.c_str());
  }

  static std::string hex(const std::string& text) {
    std::string out;
    for (const char c : text) {
      char buffer[3];
      std::snprintf(buffer, sizeof buffer, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += buffer;
    }
    return out;
  }

  size_t below(size_t n) { return static_cast<size_t>(random_()) % n; }
  int32_t any_token() { return static_cast<int32_t>(below(vocab_->size())); }

  std::string random_text() {
    static const char* const words[] = {" ",      "\n",     "\n\n",       "the",   " the",   " name", "\u4e2d",
                                        "\u6587", "\u00e9", "\U0001F600", "<tag>", "\u2581", "  ",    "\t",
                                        "<unk>",  "</s>",   "'s",         ".",     "*",      "x"};
    std::string out;
    switch (below(4)) {
      case 0:
        for (size_t n = 1 + below(30); n > 0; --n) out += static_cast<char>(' ' + below(95));
        break;
      case 1:
        for (size_t n = 1 + below(12); n > 0; --n) out += vocab_->piece(any_token());
        break;
      case 2:
        for (size_t n = 1 + below(20); n > 0; --n) out += static_cast<char>(1 + below(255));
        break;
      default:
        for (size_t n = 1 + below(15); n > 0; --n) out += words[below(20)];
    }
    return out;
  }

  // Built of breakers and of few other tokens, often twice the same: histories in which DRY has something to say.
  std::vector<int32_t> random_history(const std::vector<Breaker>& breakers) {
    std::vector<int32_t> few;
    for (int i = 0; i < 4; ++i)
      few.push_back(breakers.empty() || below(2) == 0 ? any_token() : breakers[below(breakers.size())].head);
    std::vector<int32_t> history;
    for (size_t length = 3 + below(25); history.size() < length;) {
      if (!breakers.empty() && below(3) == 0) {
        const Breaker& breaker = breakers[below(breakers.size())];
        history.push_back(breaker.head);
        history.insert(history.end(), breaker.tail.begin(), breaker.tail.end());
      } else {
        history.push_back(few[below(few.size())]);
      }
    }
    if (below(2) == 0) {
      const std::vector<int32_t> once = history;
      history.insert(history.end(), once.begin(), once.end());
    }
    return history;
  }

  using Penalties = std::map<int32_t, float>;

  Penalties reference_dry(const std::vector<std::string>& list, const std::vector<int32_t>& history) const {
    std::vector<const char*> strings;
    for (const std::string& string : list) strings.push_back(string.c_str());
    reference::PeerSampler* step = library_->sampler_init_dry(model_.vocab(), 1.0f, 2.0f, 1, 1024, strings.data(), strings.size());
    for (const int32_t token : history) library_->sampler_accept(step, token);
    std::vector<reference::PeerCandidate> candidates;
    for (int32_t token = 0; token < model_.n_vocab(); ++token) candidates.push_back({token, 0.0f, 0.0f});
    reference::PeerArray set{candidates.data(), candidates.size(), -1, false};
    library_->sampler_apply(step, &set);
    library_->sampler_free(step);
    Penalties out;
    for (size_t i = 0; i < set.size; ++i) {
      if (set.data[i].logit != 0.0f) out[set.data[i].id] = -set.data[i].logit;
    }
    return out;
  }

  // DRY with multiplier 1, base 2, allowed length 1, as its definition says it, in quadratic time.
  static Penalties plain_dry(const std::vector<Breaker>& breakers, const std::vector<int32_t>& history) {
    const size_t n = history.size();
    const auto back = [&](size_t i) { return history[n - 1 - i]; };
    size_t limit = n;
    for (size_t i = 0; i < n && limit == n; ++i) {
      bool matched = false;
      size_t longest = 0;
      for (const Breaker& breaker : breakers) {
        if (breaker.head != back(i) || breaker.tail.size() > i) continue;
        bool same = true;
        for (size_t k = 0; k < breaker.tail.size(); ++k) same = same && breaker.tail[k] == back(i - 1 - k);
        if (!same) continue;
        matched = true;
        longest = std::max(longest, breaker.tail.size());
      }
      if (matched) limit = i - longest;
    }
    Penalties out;
    for (size_t i = 1; i < n && limit >= 1; ++i) {
      size_t length = 0;
      while (length < limit && i + length < n && back(length) == back(i + length)) ++length;
      if (length < 1) continue;
      const int32_t next = back(i - 1);
      bool is_breaker = false;
      for (const Breaker& breaker : breakers) is_breaker = is_breaker || (breaker.head == next && breaker.tail.empty());
      if (!is_breaker)
        out[next] = std::max(out[next], static_cast<float>(std::ldexp(1.0, static_cast<int>(std::min<size_t>(length - 1, 127)))));
    }
    return out;
  }

  LlamaLibraryPtr library_;
  std::string path_;
  std::shared_ptr<const Vocab> vocab_;
  LlamaModel model_;
  std::mt19937_64 random_{7};
  int failures_ = 0;
};

int run(int argc, char** argv) {
  std::string reason;
  if (!reference::LlamaLibrary::available(reason)) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  const auto library = reference::LlamaLibrary::open();
  std::string record;
  int failures = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--record" && i + 1 < argc) {
      record = argv[++i];
      continue;
    }
    Comparison comparison(library, argument);
    nlohmann::json texts = nlohmann::json::array();
    comparison.vocabulary();
    // Its byte-level tokenizer ends the process on bytes that are no UTF-8, so only what we answer ourselves is asked.
    if (comparison.has_tokenizer()) comparison.texts(record.empty() ? 2000 : 120, record.empty() ? nullptr : &texts);
    if (record.empty()) comparison.breakers(argument.find("test") != std::string::npos ? 150 : 60);
    std::printf("%s: %d differences\n", argument.c_str(), comparison.failures());
    failures += comparison.failures();
    if (!record.empty()) {
      const std::string name = argument.substr(argument.rfind('/') + 1);
      std::ofstream(record, std::ios::app) << nlohmann::json{{"op", "texts"}, {"vocab", name}, {"texts", texts}}.dump() << "\n";
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bankml

int main(int argc, char** argv) { return bankml::run(argc, argv); }
