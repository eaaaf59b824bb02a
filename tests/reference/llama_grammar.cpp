// The library's grammars. It prints why it refuses a text to standard error, so that is caught in a file meanwhile.
//
// Tested by tests/grammar/live
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "tests/reference/llama_peer.h"

namespace bankml::reference {
namespace {

// What is written to standard error while `body` runs.
template <class Body>
std::string caught(const Body& body) {
  std::fflush(stderr);
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file");
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  body();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

}  // namespace

LlamaGrammar::LlamaGrammar(const LlamaModel& model, const std::string& gbnf, const std::string& root) : model_(model) {
  const std::string printed =
      caught([&] { handle_ = model.library().sampler_init_grammar(model.vocab(), gbnf.c_str(), root.c_str()); });
  if (handle_ == nullptr) throw std::runtime_error(printed);
}

LlamaGrammar::LlamaGrammar(const LlamaModel& model, const std::string& gbnf, const Lazy& triggers) : model_(model) {
  std::vector<const char*> patterns;
  for (const std::string& pattern : triggers.patterns) patterns.push_back(pattern.c_str());
  std::string raised;
  const std::string printed = caught([&] {
    try {
      handle_ = model.library().sampler_init_grammar_lazy_patterns(model.vocab(), gbnf.c_str(), "root", patterns.data(),
                                                                   patterns.size(), triggers.tokens.data(), triggers.tokens.size());
    } catch (const std::exception& error) {
      raised = error.what();
    }
  });
  if (!raised.empty()) throw std::runtime_error("raised: " + raised);
  if (handle_ == nullptr) throw std::runtime_error(printed);
}

LlamaGrammar::~LlamaGrammar() { model_.library().sampler_free(handle_); }

std::vector<int32_t> LlamaGrammar::allowed() {
  std::vector<PeerCandidate> set(static_cast<size_t>(model_.n_vocab()));
  for (size_t i = 0; i < set.size(); ++i) set[i] = {static_cast<int32_t>(i), 1.0f, 0.0f};
  PeerArray array{set.data(), set.size(), -1, false};
  model_.library().sampler_apply(handle_, &array);
  std::vector<int32_t> ids;
  for (const PeerCandidate& candidate : set) {
    if (candidate.logit == 1.0f) ids.push_back(candidate.id);
  }
  return ids;
}

bool LlamaGrammar::accept(int32_t token) {
  try {
    model_.library().sampler_accept(handle_, token);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace bankml::reference
