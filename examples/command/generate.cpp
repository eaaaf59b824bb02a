// bankml generate: text from the example model, to see parameters at work.
#include <chrono>
#include <cstdio>
#include <memory>

#include "examples/command/commands.h"
#include "examples/command/grammar_text.h"
#include "examples/command/output.h"
#include "examples/command/param_flags.h"
#include "examples/tiny-model/tiny_model.h"

namespace command {

namespace {

struct Options {
  ParamFlags flags;
  std::string model;
  std::string prompt = "Once upon a time";
  std::string grammar;
  Triggers triggers;
  OutputOptions output;
  size_t tokens = 128;
  bool quiet = false;
};

template <auto free_handle>
using Owner = Freer<free_handle>;
using Model = std::unique_ptr<tiny_model, Owner<tiny_model_free>>;
using Context = std::unique_ptr<tiny_context, Owner<tiny_context_free>>;

std::vector<int32_t> tokenize(const tiny_model* model, const std::string& text) {
  std::vector<int32_t> tokens(tiny_model_tokenize(model, text.data(), text.size(), nullptr, 0));
  tiny_model_tokenize(model, text.data(), text.size(), tokens.data(), tokens.size());
  return tokens;
}

// The chain, the seed that replays this text, and how long it took.
void print_summary(bankml_sampler* sampler, size_t tokens, double seconds) {
  std::string chain;
  for (size_t i = 0; const char* step = bankml_sampler_step_name(sampler, i); ++i)
    chain += (i == 0 ? "" : " > ") + std::string(step);
  bankml_perf perf{};
  perf.struct_size = sizeof perf;
  check(sampler, bankml_sampler_perf(sampler, &perf, 0));
  const double count = tokens > 0 ? static_cast<double>(tokens) : 1;
  std::fprintf(stderr, "chain: %s\nseed: %lu\n%zu tokens in %.2f s, %.0f tokens/s; sampling %.1f us a token\n", chain.c_str(),
               static_cast<unsigned long>(bankml_sampler_get_seed(sampler)), tokens, seconds,
               seconds > 0 ? static_cast<double>(tokens) / seconds : 0.0, (perf.sample_us + perf.accept_us) / count);
}

void run(const Options& options) {
  char text[error_size] = "";
  const Model model(tiny_model_load(options.model.empty() ? nullptr : options.model.c_str(), text, sizeof text));
  if (!model) throw Error(text);
  size_t gguf_size = 0;
  const void* gguf = tiny_model_gguf(model.get(), &gguf_size);

  const Params params = new_params();
  check(params.get(), bankml_params_load_gguf_bytes(params.get(), gguf, gguf_size));
  options.flags.apply(params.get());
  const Vocab vocab(bankml_vocab_from_gguf_bytes(gguf, gguf_size, text, sizeof text));
  if (!vocab) throw Error(text);
  answer_open_texts(params.get(), vocab.get(), [&](const std::string& piece) { return tokenize(model.get(), piece); });
  const Sampler sampler = new_sampler(params.get(), vocab.get(), 0);
  print_warnings(sampler.get(), params.get());
  check(sampler.get(), bankml_sampler_clock(sampler.get(), 1));

  const Grammar grammar =
      options.grammar.empty() ? nullptr : grammar_from_file(vocab.get(), options.grammar, "root", options.triggers);

  const Context context(tiny_context_new(model.get()));
  if (!context) throw Error("no memory for the model's state");
  const std::vector<int32_t> prompt = tokenize(model.get(), options.prompt);
  // The prompt's tokens come first, so that penalties and DRY see them.
  check(sampler.get(), bankml_sampler_accept_many(sampler.get(), prompt.data(), prompt.size()));
  double n_probs = 0;
  check(params.get(), bankml_params_get_number(params.get(), "n_probs", &n_probs));
  const size_t n_top = n_probs > 0 ? static_cast<size_t>(n_probs) : 0;
  Output output(options.output, vocab.get());
  if (options.output.json.empty()) std::printf("%s", options.prompt.c_str());
  const auto start = std::chrono::steady_clock::now();
  const float* logits =
      prompt.empty() ? tiny_context_logits(context.get()) : tiny_context_eval(context.get(), prompt.data(), prompt.size());
  size_t drawn = 0;
  const char* stop_type = "limit";
  while (drawn < options.tokens) {
    int32_t token = -1;
    const size_t n = tiny_model_n_vocab(model.get());
    if (grammar) {
      check(sampler.get(), bankml_sampler_sample_constrained(sampler.get(), logits, n, grammar.get(), 0, &token, nullptr));
      check(grammar.get(), bankml_grammar_accept(grammar.get(), token));
    } else {
      check(sampler.get(), bankml_sampler_sample(sampler.get(), logits, n, &token));
    }
    check(sampler.get(), bankml_sampler_accept(sampler.get(), token));
    ++drawn;
    if (output.add(sampler.get(), logits, n, token, n_top)) break;
    uint32_t flags = 0;
    if (bankml_vocab_flags(vocab.get(), token, &flags) == BANKML_OK && (flags & BANKML_TOKEN_EOG) != 0) {
      stop_type = "eos";
      break;
    }
    logits = tiny_context_step(context.get(), token);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  output.end(stop_type);
  if (!options.quiet) print_summary(sampler.get(), drawn, seconds);
}

}  // namespace

void add_generate(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("generate", "Writes a story with the built-in example model, to see parameters at work");
  sub->description(
      "Generates text with a small language model that is built into this program. The text goes to stdout as it is drawn, the\n"
      "chain, the seed and the speed to stderr. Parameters start from the model's own defaults; flags win over them.");
  sub->footer(
      "Try:\n"
      "  bankml generate --temp 0            the most probable text, always the same\n"
      "  bankml generate --temp 2 --seed 1   too hot: words fall apart\n"
      "  bankml generate --mirostat 2 --mirostat-tau 3\n"
      "  bankml generate --dry-multiplier 0.8 --tokens 300\n"
      "  bankml generate --stop '.' --json llama-server --n-probs 3 --quiet\n"
      "  echo 'root ::= [A-Z] [a-z ]{20,60} \".\"' | bankml generate --prompt '' --grammar-file -");
  sub->add_option("--prompt", options->prompt, "Text to go on from")->capture_default_str()->type_name("TEXT");
  sub->add_option("--grammar-file", options->grammar, "Grammar (GBNF) that the text behind the prompt must fit")->type_name("FILE");
  add_triggers(sub, options->triggers);
  sub->add_option("--tokens", options->tokens, "At most this many; an end-of-generation token ends the text earlier")
      ->check(at_least_one())
      ->capture_default_str()
      ->type_name("INT");
  sub->add_option("--stop", options->output.stops, "Ends the text where this would begin; may be given more than once")
      ->type_size(1)
      ->allow_extra_args(false)
      ->type_name("TEXT");
  sub->add_flag("--include-stop", options->output.include_stop, "The stop string is part of the text");
  sub->add_option(
         "--json", options->output.json,
         "One JSON object instead of the text, with the probabilities of each token as this system writes them: llama-server,\n"
         "llama-server-chat, openai-chat or openai-completions; --n-probs says how many of the best")
      ->check(CLI::IsMember({"llama-server", "llama-server-chat", "openai-chat", "openai-completions"}).description(""))
      ->type_name("FORMAT");
  sub->add_option("--model", options->model, "Another GGUF file of the example model's kind")->type_name("FILE");
  sub->add_flag("--quiet", options->quiet, "Only the text");
  options->flags.add_to(*sub);
  sub->callback([options] { run(*options); });
}

}  // namespace command
