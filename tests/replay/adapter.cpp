// The library through a binding of another language: a child process that speaks the adapter protocol (README.md) on its standard
// input and output. Calls are matched one to one; nothing is judged here.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <sstream>

#include "tests/replay/hex.h"
#include "tests/replay/library.h"

namespace bankml::replay {
namespace {

static_assert(sizeof(bankml_candidate) == 12 && sizeof(bankml_token_prob) == 8);

std::string word_of(const std::string& text) { return text.empty() ? "-" : to_hex(text); }
std::string text_of(const std::string& word) { return word == "-" ? "" : from_hex(word); }
std::string name_of(Library::Handle handle) { return handle == 0 ? "-" : std::to_string(handle - 1); }
// The adapter may count from 0, which means "none" here.
Library::Handle handle_of(const std::string& word) { return std::stoull(word) + 1; }

std::string list_of(const Library::Tokens& tokens) {
  std::string words;
  for (const int32_t token : tokens) words += " " + std::to_string(token);
  return words;
}

class Child {
 public:
  explicit Child(const std::string& command) : command_(command) {
    int to_child[2], from_child[2];
    // Closed on exec: an end that another adapter inherits would never come to its end of input.
    if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for " + command);
    signal(SIGPIPE, SIG_IGN);  // a dead adapter is an error of the write, not the end of this program
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("cannot start " + command);
    if (pid_ == 0) {
      dup2(to_child[0], STDIN_FILENO);
      dup2(from_child[1], STDOUT_FILENO);
      execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(to_child[0]);
    close(from_child[1]);
    requests_ = fdopen(to_child[1], "w");
    replies_ = fdopen(from_child[0], "r");
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    fclose(requests_);  // end of input: the adapter ends
    fclose(replies_);
    waitpid(pid_, nullptr, 0);
  }

  // The words after `ok`.
  std::vector<std::string> ask(const std::string& line, const void* bytes = nullptr, size_t size = 0) {
    fputs((line + "\n").c_str(), requests_);
    if (size != 0) fwrite(bytes, 1, size, requests_);
    if (fflush(requests_) != 0) throw std::runtime_error("the adapter has ended: " + command_);
    std::istringstream reply(read_line());
    std::string kind, word;
    reply >> kind;
    std::vector<std::string> words;
    while (reply >> word) words.push_back(word);
    if (kind == "error" && words.size() == 2) throw Refused(std::stoi(words[0]), text_of(words[1]));
    if (kind != "ok") throw std::runtime_error("the adapter answered '" + kind + "' to '" + line.substr(0, 80) + "'");
    return words;
  }

  void read_bytes(void* out, size_t size) {
    if (fread(out, 1, size, replies_) != size) throw std::runtime_error("the adapter's bytes end early: " + command_);
  }

 private:
  std::string read_line() {
    std::string line;
    int c;
    while ((c = getc(replies_)) != EOF && c != '\n') line += static_cast<char>(c);
    if (c == EOF) throw std::runtime_error("the adapter has ended: " + command_);
    return line;
  }

  std::string command_;
  pid_t pid_ = -1;
  FILE* requests_ = nullptr;
  FILE* replies_ = nullptr;
};

class Adapter final : public Library {
 public:
  explicit Adapter(const std::string& command) : child_(command) {
    const std::vector<std::string> words = child_.ask("hello");
    name_ = words.at(0) + " " + words.at(1);
  }
  std::string name() override { return name_; }

  Handle vocab(const std::string& path) override { return handle_of(child_.ask("vocab " + word_of(path)).at(0)); }
  VocabInfo vocab_info(Handle vocab) override {
    const auto words = child_.ask("vocab-info " + name_of(vocab));
    return {std::stoull(words.at(0)), std::stoi(words.at(1)), std::stoi(words.at(2)), std::stoi(words.at(3))};
  }
  Piece piece(Handle vocab, int32_t token) override {
    const auto words = child_.ask("piece " + name_of(vocab) + " " + std::to_string(token));
    return {text_of(words.at(0)), static_cast<uint32_t>(std::stoul(words.at(1)))};
  }
  Tokens tokenize(Handle vocab, const std::string& bytes) override {
    Tokens tokens;
    for (const std::string& word : child_.ask("tokenize " + name_of(vocab) + " " + word_of(bytes)))
      tokens.push_back(std::stoi(word));
    return tokens;
  }

  Handle params() override { return handle_of(child_.ask("params").at(0)); }
  void set(Handle params, const std::string& name, const std::string& json_text) override {
    child_.ask("set " + name_of(params) + " " + name + " " + word_of(json_text));
  }
  void load(Handle params, const std::string& format, const std::string& text) override {
    child_.ask("load " + name_of(params) + " " + format + " " + word_of(text));
  }
  std::string get(Handle params, const std::string& name) override {
    return text_of(child_.ask("get " + name_of(params) + " " + name).at(0));
  }
  double number(Handle params, const std::string& name) override {
    return std::bit_cast<double>(uint64_t{std::stoull(child_.ask("number " + name_of(params) + " " + name).at(0), nullptr, 16)});
  }
  std::vector<Parameter> table() override {
    const auto words = child_.ask("table");
    std::vector<Parameter> rows;
    for (size_t i = 0; i < words.size(); i += 2) rows.push_back({words[i], text_of(words.at(i + 1))});
    return rows;
  }
  std::vector<OpenText> texts(Handle params, Handle vocab) override {
    const auto words = child_.ask("texts " + name_of(params) + " " + name_of(vocab));
    std::vector<OpenText> open;
    for (size_t i = 0; i < words.size(); i += 2) open.push_back({text_of(words[i]), words.at(i + 1)});
    return open;
  }
  void answer(Handle params, size_t i, const Tokens& tokens) override {
    child_.ask("answer " + name_of(params) + " " + std::to_string(i) + list_of(tokens));
  }

  Sampler sampler(Handle params, Handle vocab, size_t n_vocab) override {
    const auto words = child_.ask("sampler " + name_of(params) + " " + name_of(vocab) + " " + std::to_string(n_vocab));
    return {handle_of(words.at(0)), std::stoull(words.at(1))};
  }
  void keep(Handle sampler) override { child_.ask("keep " + name_of(sampler)); }
  void accept(Handle sampler, const Tokens& tokens) override { child_.ask("accept " + name_of(sampler) + list_of(tokens)); }
  int32_t sample(Handle sampler, const std::vector<float>& logits) override {
    const std::string line = "sample " + name_of(sampler) + " " + std::to_string(logits.size());
    return std::stoi(child_.ask(line, logits.data(), logits.size() * sizeof(float)).at(0));
  }
  std::vector<bankml_candidate> candidates(Handle sampler) override {
    return read_list<bankml_candidate>(child_.ask("candidates " + name_of(sampler)).at(0));
  }
  Probs probs(Handle sampler, int32_t sampled, size_t n_top, const std::vector<float>& logits) override {
    const std::string line = "probs " + name_of(sampler) + " " + std::to_string(sampled) + " " + std::to_string(n_top) + " " +
                             std::to_string(logits.size());
    const auto words = child_.ask(line, logits.data(), logits.size() * sizeof(float));
    const auto bits = static_cast<uint32_t>(std::stoul(words.at(1)));
    return {read_list<bankml_token_prob>(words.at(0)), std::bit_cast<float>(bits)};
  }

  Handle grammar(Handle vocab, const std::string& gbnf, const std::vector<Trigger>& triggers) override {
    std::string request = "grammar " + name_of(vocab) + " " + word_of(gbnf);
    for (const Trigger& trigger : triggers)
      request += " " + trigger.kind + " " + (trigger.kind == "token" ? std::to_string(trigger.token) : word_of(trigger.text));
    return handle_of(child_.ask(request).at(0));
  }
  Handle schema(Handle vocab, const std::string& json) override {
    return handle_of(child_.ask("schema " + name_of(vocab) + " " + word_of(json)).at(0));
  }
  std::vector<uint32_t> mask(Handle grammar) override { return read_list<uint32_t>(child_.ask("mask " + name_of(grammar)).at(0)); }
  void advance(Handle grammar, int32_t token) override { child_.ask("advance " + name_of(grammar) + " " + std::to_string(token)); }
  Drawn sample_constrained(Handle sampler, Handle grammar, const std::vector<float>& logits) override {
    const std::string line =
        "sample-constrained " + name_of(sampler) + " " + name_of(grammar) + " " + std::to_string(logits.size());
    const auto words = child_.ask(line, logits.data(), logits.size() * sizeof(float));
    return {std::stoi(words.at(0)), words.at(1) == "1"};
  }

  void free_grammar(Handle grammar) noexcept override { free("grammar", grammar); }
  void free_params(Handle params) noexcept override { free("params", params); }
  void free_sampler(Handle sampler) noexcept override { free("sampler", sampler); }

 private:
  template <class Item>
  std::vector<Item> read_list(const std::string& count) {
    std::vector<Item> items(std::stoull(count));
    child_.read_bytes(items.data(), items.size() * sizeof(Item));
    return items;
  }
  void free(const char* kind, Handle handle) noexcept {
    try {
      child_.ask(std::string("free ") + kind + " " + name_of(handle));
    } catch (const std::exception&) {  // an adapter that is gone is reported by the next call
    }
  }

  Child child_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Library> adapter(const std::string& command) {
  if constexpr (std::endian::native != std::endian::little)  // raw numbers are sent as they lie in memory
    throw std::runtime_error("adapters need a little-endian machine");
  return std::make_unique<Adapter>(command);
}

}  // namespace bankml::replay
