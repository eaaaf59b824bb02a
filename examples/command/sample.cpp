// bankml sample: logits in, tokens out.
#include <cstdio>
#include <memory>

#include "examples/command/commands.h"
#include "examples/command/logits_file.h"
#include "examples/command/param_flags.h"
#include "examples/command/print.h"

namespace command {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ParamFlags flags;
  std::string logits;
  std::string vocab;
  std::string gguf;
  size_t n_vocab = 0;
  std::string history;
  std::string mask;
  size_t rows = 0;
  size_t draws = 1;
  size_t probs = 0;
  bool accept = false;
  bool candidates = false;
  bool json = false;
};

// Everything that one invocation draws with.
struct Session {
  const Options& options;
  Params params;
  Vocab vocab;
  LogitRows logits;
  std::vector<uint32_t> mask;
  Sampler sampler;
};

Json with_piece(const Session& session, int32_t token) {
  Json entry = {{"id", token}};
  if (session.vocab) entry["piece"] = piece_bytes(session.vocab.get(), token);
  return entry;
}

int32_t draw(Session& session, size_t row) {
  bankml_sampler* sampler = session.sampler.get();
  const float* logits = session.logits.row(row);
  const size_t n = session.logits.n_vocab;
  int32_t token = -1;
  bankml_status status = BANKML_OK;
  if (session.mask.empty()) {
    status = bankml_sampler_sample(sampler, logits, n, &token);
  } else {
    const size_t words = (n + 31) / 32;
    const size_t mask_row = session.mask.size() > words ? row : 0;
    status = bankml_sampler_sample_masked(sampler, logits, n, session.mask.data() + mask_row * words, words, &token);
  }
  check(sampler, status, "row " + std::to_string(row));
  return token;
}

Json probabilities(Session& session, size_t row, int32_t token, double& token_p) {
  std::vector<bankml_token_prob> list(session.options.probs);
  size_t count = 0;
  float sampled_p = 0;
  check(session.sampler.get(), bankml_sampler_token_probs(session.sampler.get(), session.logits.row(row), session.logits.n_vocab,
                                                          token, list.size(), list.data(), list.size(), &count, &sampled_p));
  token_p = static_cast<double>(sampled_p);
  Json result = Json::array();
  for (size_t i = 0; i < count; ++i) {
    Json entry = with_piece(session, list[i].id);
    entry["p"] = list[i].p;
    result.push_back(entry);
  }
  return result;
}

Json survivors(Session& session) {
  size_t count = 0;
  bankml_sampler_candidates(session.sampler.get(), nullptr, 0, &count);
  std::vector<bankml_candidate> list(count);
  check(session.sampler.get(), bankml_sampler_candidates(session.sampler.get(), list.data(), list.size(), &count));
  Json result = Json::array();
  for (const bankml_candidate& candidate : list) {
    Json entry = with_piece(session, candidate.id);
    entry["logit"] = candidate.logit;
    entry["p"] = candidate.p;
    result.push_back(entry);
  }
  return result;
}

void print_list(const char* title, const Json& list) {
  std::printf("  %s\n", title);
  for (const Json& entry : list) {
    std::printf("    %8d  p %-12.6g", entry["id"].get<int>(), entry["p"].get<double>());
    if (entry.contains("logit")) std::printf("  logit %-10.6g", entry["logit"].get<double>());
    std::printf("%s\n", entry.contains("piece") ? ("  " + quoted(entry["piece"].get<std::string>())).c_str() : "");
  }
}

void print_draw(const Session& session, const Json& result) {
  if (session.options.json) {
    std::printf("%s\n", dump(result).c_str());
    return;
  }
  std::printf("%d", result["token"].get<int>());
  if (result.contains("piece")) std::printf("\t%s", quoted(result["piece"].get<std::string>()).c_str());
  std::printf("\n");
  if (result.contains("probs")) {
    const std::string title = "before the chain (the drawn token: p " + Json(result["p"]).dump() + ")";
    print_list(title.c_str(), result["probs"]);
  }
  if (result.contains("candidates")) print_list("after the chain", result["candidates"]);
}

void run_row(Session& session, size_t row) {
  for (size_t i = 0; i < session.options.draws; ++i) {
    const int32_t token = draw(session, row);
    Json result = {{"row", row}, {"token", token}};
    if (session.vocab) result["piece"] = piece_bytes(session.vocab.get(), token);
    result["seed"] = bankml_sampler_get_seed(session.sampler.get());
    if (session.options.candidates) result["candidates"] = survivors(session);
    if (session.options.probs > 0) {
      double token_p = 0;
      result["probs"] = probabilities(session, row, token, token_p);
      result["p"] = token_p;
    }
    if (session.options.accept) check(session.sampler.get(), bankml_sampler_accept(session.sampler.get(), token));
    print_draw(session, result);
  }
}

void run(const Options& given) {
  Options options = given;
  Session session{options, new_params(), nullptr, {}, {}, nullptr};
  bankml_params* params = session.params.get();
  if (!options.gguf.empty()) check(params, bankml_params_load_gguf(params, options.gguf.c_str()));
  options.flags.apply(params);
  if (!options.vocab.empty()) session.vocab = vocab_from_gguf(options.vocab);
  session.logits = read_logits(options.logits, options.n_vocab, bankml_vocab_size(session.vocab.get()));
  session.sampler = new_sampler(params, session.vocab.get(), session.logits.n_vocab);
  print_warnings(session.sampler.get(), params);
  if (!options.mask.empty()) session.mask = read_mask(options.mask, session.logits.n_vocab, session.logits.count());
  if (options.probs == 0) {
    double n_probs = 0;
    check(params, bankml_params_get_number(params, "n_probs", &n_probs));
    options.probs = n_probs > 0 ? static_cast<size_t>(n_probs) : 0;
  }
  options.probs = std::min(options.probs, session.logits.n_vocab);
  if (options.candidates) check(session.sampler.get(), bankml_sampler_keep(session.sampler.get(), 1));
  const std::vector<int32_t> history = parse_tokens(options.history);
  check(session.sampler.get(), bankml_sampler_accept_many(session.sampler.get(), history.data(), history.size()), "--history");
  const size_t rows = options.rows == 0 ? session.logits.count() : std::min(options.rows, session.logits.count());
  for (size_t row = 0; row < rows; ++row) run_row(session, row);
}

}  // namespace

void add_sample(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("sample", "Draws tokens from logits in a file or on stdin");
  sub->description(
      "Draws one token from each row of logits and prints its id (and its piece, with --vocab).\n\n"
      "The steps run in this order, each on what the one before it left: logit_bias, penalties, dry, top_n_sigma, top_k, typical,\n"
      "top_p, min_p, xtc, temperature; then the draw. The same seed draws the same tokens on every machine.");
  sub->footer(
      "Examples:\n"
      "  bankml sample logits.npy --temp 0.7 --top-p 0.9 --seed 1\n"
      "  bankml sample logits.f32 --n-vocab 32000 --history 1,15,15 --repeat-penalty 1.2 --accept\n"
      "  cat logits.f32 | bankml sample - --request '{\"top_k\": 20, \"seed\": 1}' --probs 5 --candidates --json");
  sub->add_option("LOGITS", options->logits,
                  "float32 logits: .npy of shape (n_vocab) or (rows, n_vocab), or raw little-endian bytes; - = stdin")
      ->required();
  sub->add_option("--vocab", options->vocab,
                  "GGUF file with the vocabulary: shows pieces, and is needed by ignore_eos, infill and DRY's text breakers")
      ->type_name("FILE");
  sub->add_option("--gguf", options->gguf, "GGUF file whose own sampling defaults are used")->type_name("FILE");
  sub->add_option("--n-vocab", options->n_vocab,
                  "Logits in a row (default: the last dimension of a .npy; the vocabulary's size; all of a raw file)")
      ->check(at_least_one())
      ->type_name("INT");
  sub->add_option("--history", options->history, "Tokens so far, for penalties and DRY: ids with commas or blanks between")
      ->type_name("IDS");
  sub->add_option("--mask", options->mask,
                  "Allowed tokens: raw little-endian uint32 words, bit i of word w is token 32*w + i; for all rows or one each")
      ->type_name("FILE");
  sub->add_option("--rows", options->rows, "Only the first rows (default: all)")->check(at_least_one())->type_name("INT");
  sub->add_option("--draws", options->draws, "Draws from each row")->check(at_least_one())->capture_default_str()->type_name("INT");
  sub->add_flag("--accept", options->accept, "Add each drawn token to the history, as a generation loop does");
  sub->add_option("--probs", options->probs,
                  "Also print the most probable tokens before the chain (default: n_probs of the request)")
      ->check(at_least_one())
      ->type_name("INT");
  sub->add_flag("--candidates", options->candidates, "Also print the tokens that the chain left, in its order");
  sub->add_flag("--json", options->json, "Print one JSON object a draw");
  options->flags.add_to(*sub);
  sub->callback([options] { run(*options); });
}

}  // namespace command
