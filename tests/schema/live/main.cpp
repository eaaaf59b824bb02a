// Random schemas against llama.cpp's own converter: equal texts of refusals, and grammars whose allowed sets are equal along random
// walks. The converter stands in libllama-common beside libllama and takes its own JSON type, of 16 bytes.
//
//   bankml_schema_live [--cases N] [--seed S]
//
// Each case runs in a child, so one that makes the converter hang or overflow costs that case. Each kind is counted.
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

#include "core/grammar/grammar.h"
#include "core/schema/llama_schema.h"
#include "tests/schema/random_schema.h"

namespace {

using bankml::Vocab;
using bankml::grammar::Grammar;

constexpr unsigned most_seconds = 3;

void (*destroy_json)(void*) = nullptr;
struct PeerJson {  // returned through memory, as the library's own type is
  alignas(8) unsigned char bytes[16];
  PeerJson(const PeerJson&) = delete;
  ~PeerJson() { destroy_json(bytes); }
};
PeerJson (*parse_json)(const std::string&) = nullptr;
std::string (*to_grammar)(const PeerJson&, bool) = nullptr;

template <class Function>
bool find(void* library, const char* symbol, Function& out) {
  void* const found = dlsym(library, symbol);
  std::memcpy(&out, &found, sizeof out);
  return found != nullptr;
}

bool open_peer(std::string& reason) {
  const char* folder = std::getenv("BANKML_LLAMA_DIR");
  if (folder == nullptr) {
    reason = "BANKML_LLAMA_DIR names no folder with llama.cpp's library";
    return false;
  }
  void* const library = dlopen((std::string(folder) + "/libllama-common.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || !find(library, "_ZN11common_jsonD1Ev", destroy_json) ||
      !find(library, "_ZN11common_json5parseERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", parse_json) ||
      !find(library, "_Z22json_schema_to_grammarB5cxx11RK11common_jsonb", to_grammar)) {
    const char* error = dlerror();
    reason = std::string("llama.cpp's converter cannot be loaded: ") + (error == nullptr ? "other symbols" : error);
    return false;
  }
  return true;
}

struct Counts {
  std::map<std::string, size_t> kinds;
  size_t failed = 0;
};

void one_case(const std::shared_ptr<const Vocab>& vocab, std::mt19937& dice, Counts& counts) {
  const std::string schema = bankml::schema::RandomSchema(dice).document();
  const auto fail = [&](const std::string& why) {
    ++counts.failed;
    std::cout << "FAILED: " << why << "\n  " << schema << "\n";
  };
  std::string theirs, their_error, ours, our_error;
  try {
    theirs = to_grammar(parse_json(schema), true);
  } catch (const std::exception& error) {
    their_error = error.what();
  }
  bool limit = false;
  try {
    ours = bankml::schema::llama_gbnf(schema);
  } catch (const bankml::Failure& failure) {
    our_error = failure.text();
    limit = failure.status() == bankml::Status::limit;
  }
  if (limit) {
    ++counts.kinds["above one of our limits"];
    return;
  }
  if (their_error != our_error) return fail("ours: " + our_error + "\n  library: " + their_error);
  if (!their_error.empty()) {
    ++counts.kinds["refused with the same text"];
    return;
  }
  std::unique_ptr<Grammar> a, b;
  const auto made = [&](const std::string& text, std::string& error) {
    try {
      return Grammar::from_gbnf(vocab, text, {});
    } catch (const bankml::Failure& failure) {
      error = failure.text();
      return std::unique_ptr<Grammar>();
    }
  };
  a = made(theirs, their_error);
  b = made(ours, our_error);
  if ((a == nullptr) != (b == nullptr))
    return fail("parsed: library " + (a ? std::string("yes") : their_error) + ", ours " + (b ? std::string("yes") : our_error) +
                "\n" + theirs + "\n---\n" + ours);
  if (a == nullptr) {
    ++counts.kinds["grammars that both do not parse"];
    return;
  }
  bankml::ErrorText error;
  for (int walk = 0; walk < 6; ++walk) {
    a->reset();
    b->reset();
    for (size_t step = 0; step < 60; ++step) {
      const std::vector<uint32_t> words = a->mask();
      if (words != b->mask())
        return fail("walk " + std::to_string(walk) + " step " + std::to_string(step) + "\n" + theirs + "\n---\n" + ours);
      ++counts.kinds["places with equal allowed sets"];
      std::vector<int32_t> ids;
      for (size_t i = 0; i < vocab->size(); ++i) {
        if ((words[i / 32] >> (i % 32) & 1) != 0) ids.push_back(static_cast<int32_t>(i));
      }
      if (ids.empty()) break;
      const int32_t token = ids[dice() % ids.size()];
      if (vocab->is_eog(token) || a->accept(&token, 1, error) != bankml::Status::ok ||
          b->accept(&token, 1, error) != bankml::Status::ok)
        break;
    }
  }
  ++counts.kinds["schemas walked"];
}

template <class Body>
void in_child(Counts& counts, const Body& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(2);  // warnings of the converter
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
    ++counts.kinds[WTERMSIG(status) == SIGALRM ? "takes too long" : "the library crashes"];
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
  size_t cases = std::getenv("BANKML_TEST_LONG") != nullptr ? 20000 : 2000;
  unsigned seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--cases") == 0) cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  std::string reason;
  if (!open_peer(reason)) {
    std::cout << "skipped: " << reason << "\n";
    return 77;
  }
  const auto vocab = Vocab::from_gguf_path(std::string(BANKML_SOURCE_DIR) + "/tests/vectors/vocab/spm-test.gguf");
  Counts counts;
  std::mt19937 dice(seed);
  for (size_t i = 0; i < cases && counts.failed < 10; ++i) {
    std::mt19937 own(dice());
    in_child(counts, [&](Counts& made) { one_case(vocab, own, made); });
  }
  for (const auto& [kind, count] : counts.kinds) std::cout << count << " " << kind << "\n";
  std::cout << cases - counts.failed << " passed, " << counts.failed << " failed\n";
  return counts.failed != 0;
}
