// Loading llama.cpp's library, and its samplers in the order in which llama-server chains them.
//
// libllama finds its ggml neighbours through its own run path ($ORIGIN), so opening it by absolute path is enough. libggml is
// opened as well, for the one function that loads a CPU backend. Order of a chain (llama.cpp, common/sampling.cpp): logit_bias if
// there is any; then, without mirostat, the steps listed and dist or adaptive_p; with mirostat, temperature and mirostat alone.
//
// Tested by tests/reference/llama_peer_test.cpp
#include "tests/reference/llama_peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace bankml::reference {
namespace {

namespace fs = std::filesystem;

// Token sequences as breakers are reachable only through a test hook of the library, a C++ function with this mangled name.
constexpr const char* dry_testing_symbol = "_Z30llama_sampler_init_dry_testingffiiRKSt6vectorIS_IiSaIiEESaIS1_EE";

std::string requested_folder(const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* variable = std::getenv("BANKML_LLAMA_DIR");
  return variable == nullptr ? "" : variable;
}

// "libllama.v0.5.0.so", "libllama.so": the file whose name is `stem` followed by ".".
fs::path find_library(const std::string& folder, const std::string& stem) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(stem + ".", 0) == 0 && name.find(".so") != std::string::npos) return fs::absolute(entry.path());
  }
  throw std::runtime_error("no " + stem + " in '" + folder + "'");
}

void* open_library(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(std::string("cannot load llama.cpp's library: ") + dlerror());
  return handle;
}

template <class Function>
void resolve(void* handle, const std::string& name, Function& function) {
  void* address = dlsym(handle, name.c_str());
  if (address == nullptr) throw std::runtime_error("llama.cpp's library has no function " + name);
  function = reinterpret_cast<Function>(address);
}

void say_nothing(int, const char*, void*) {}

}  // namespace

std::shared_ptr<const LlamaLibrary> LlamaLibrary::open(const std::string& folder) {
  std::shared_ptr<LlamaLibrary> library(new LlamaLibrary);
  library->folder_ = requested_folder(folder);
  if (library->folder_.empty()) throw std::runtime_error("BANKML_LLAMA_DIR names no folder with llama.cpp's library");
  void* llama = open_library(find_library(library->folder_, "libllama"));
  library->ggml_ = open_library(find_library(library->folder_, "libggml"));

#define BANKML_BIND(name) resolve(llama, "llama_" #name, library->name)
  BANKML_BIND(model_default_params);
  BANKML_BIND(context_default_params);
  BANKML_BIND(log_set);
  BANKML_BIND(model_load_from_file);
  BANKML_BIND(model_free);
  BANKML_BIND(init_from_model);
  resolve(llama, "llama_free", library->free_context);
  BANKML_BIND(get_memory);
  BANKML_BIND(memory_clear);
  BANKML_BIND(batch_get_one);
  BANKML_BIND(decode);
  BANKML_BIND(get_logits_ith);
  BANKML_BIND(model_get_vocab);
  BANKML_BIND(vocab_n_tokens);
  BANKML_BIND(vocab_is_eog);
  BANKML_BIND(vocab_is_control);
  BANKML_BIND(vocab_bos);
  BANKML_BIND(vocab_eos);
  BANKML_BIND(vocab_eot);
  BANKML_BIND(vocab_get_suppress_tokens);
  BANKML_BIND(token_to_piece);
  BANKML_BIND(tokenize);
  BANKML_BIND(sampler_chain_init);
  BANKML_BIND(sampler_chain_add);
  BANKML_BIND(sampler_chain_n);
  BANKML_BIND(sampler_chain_get);
  BANKML_BIND(sampler_name);
  BANKML_BIND(sampler_accept);
  BANKML_BIND(sampler_apply);
  BANKML_BIND(sampler_reset);
  BANKML_BIND(sampler_clone);
  BANKML_BIND(sampler_free);
  BANKML_BIND(sampler_init_dist);
  BANKML_BIND(sampler_init_greedy);
  BANKML_BIND(sampler_init_top_k);
  BANKML_BIND(sampler_init_top_p);
  BANKML_BIND(sampler_init_min_p);
  BANKML_BIND(sampler_init_typical);
  BANKML_BIND(sampler_init_temp);
  BANKML_BIND(sampler_init_temp_ext);
  BANKML_BIND(sampler_init_xtc);
  BANKML_BIND(sampler_init_top_n_sigma);
  BANKML_BIND(sampler_init_mirostat);
  BANKML_BIND(sampler_init_mirostat_v2);
  BANKML_BIND(sampler_init_penalties);
  BANKML_BIND(sampler_init_dry);
  resolve(llama, dry_testing_symbol, library->sampler_init_dry_testing);
  BANKML_BIND(sampler_init_adaptive_p);
  BANKML_BIND(sampler_init_logit_bias);
  BANKML_BIND(sampler_init_infill);
  BANKML_BIND(sampler_init_grammar);
  BANKML_BIND(sampler_init_grammar_lazy_patterns);
#undef BANKML_BIND

  if (!looks_like_v0_5_0(library->model_default_params(), library->context_default_params()))
    throw std::runtime_error("llama.cpp's library in '" + library->folder_ + "' has other parameter structs than release v0.5.0");
  if (std::getenv("BANKML_LLAMA_LOG") == nullptr) library->log_set(say_nothing, nullptr);
  return library;
}

bool LlamaLibrary::available(std::string& reason) {
  try {
    open();
    return true;
  } catch (const std::exception& error) {
    reason = error.what();
    return false;
  }
}

void LlamaLibrary::load_backends() const {
  void (*load)(const char*);
  resolve(ggml_, "ggml_backend_load_all_from_path", load);
  load(folder_.c_str());
}

LlamaModel::LlamaModel(LlamaLibraryPtr library, const std::string& gguf_path, bool vocab_only) : library_(std::move(library)) {
  PeerModelParams params = library_->model_default_params();
  params.vocab_only = vocab_only;
  params.n_gpu_layers = 0;
  handle_ = library_->model_load_from_file(gguf_path.c_str(), params);
  if (handle_ == nullptr) throw std::runtime_error("llama.cpp's library cannot load '" + gguf_path + "'");
  vocab_ = library_->model_get_vocab(handle_);
}

LlamaModel::~LlamaModel() { library_->model_free(handle_); }

std::vector<int32_t> LlamaModel::suppressed() const {
  int32_t count = 0;
  const int32_t* ids = library_->vocab_get_suppress_tokens(vocab_, &count);
  return ids == nullptr ? std::vector<int32_t>() : std::vector<int32_t>(ids, ids + count);
}

std::string LlamaModel::piece(int32_t token, bool special) const {
  std::string bytes(64, '\0');
  int32_t length = library_->token_to_piece(vocab_, token, bytes.data(), static_cast<int32_t>(bytes.size()), 0, special);
  if (length < 0) {
    bytes.resize(static_cast<size_t>(-length));
    length = library_->token_to_piece(vocab_, token, bytes.data(), static_cast<int32_t>(bytes.size()), 0, special);
  }
  bytes.resize(static_cast<size_t>(std::max(length, 0)));
  return bytes;
}

std::vector<int32_t> LlamaModel::tokenize(std::string_view text, bool add_special, bool parse_special) const {
  const auto length = static_cast<int32_t>(text.size());
  std::vector<int32_t> tokens(text.size() + 8);
  int32_t count = library_->tokenize(vocab_, text.data(), length, tokens.data(), static_cast<int32_t>(tokens.size()), add_special,
                                     parse_special);
  if (count < 0) {
    tokens.resize(static_cast<size_t>(-count));
    count = library_->tokenize(vocab_, text.data(), length, tokens.data(), static_cast<int32_t>(tokens.size()), add_special,
                               parse_special);
  }
  tokens.resize(static_cast<size_t>(std::max(count, 0)));
  return tokens;
}

LlamaContext::LlamaContext(const LlamaModel& model, uint32_t n_ctx, int32_t n_threads) : model_(model) {
  PeerContextParams params = model.library().context_default_params();
  params.n_ctx = n_ctx;
  params.n_threads = n_threads;
  params.n_threads_batch = n_threads;
  handle_ = model.library().init_from_model(model.handle(), params);
  if (handle_ == nullptr) throw std::runtime_error("llama.cpp's library cannot make a context");
}

LlamaContext::~LlamaContext() { model_.library().free_context(handle_); }

const float* LlamaContext::decode(const std::vector<int32_t>& tokens) {
  if (tokens.empty()) throw std::runtime_error("nothing to decode");
  std::vector<int32_t> copy = tokens;  // the batch borrows a mutable pointer
  const LlamaLibrary& library = model_.library();
  const int32_t status = library.decode(handle_, library.batch_get_one(copy.data(), static_cast<int32_t>(copy.size())));
  if (status != 0) throw std::runtime_error("llama.cpp's decode failed with " + std::to_string(status));
  return library.get_logits_ith(handle_, -1);
}

void LlamaContext::clear() { model_.library().memory_clear(model_.library().get_memory(handle_), true); }

namespace {

PeerSampler* make_dry(const LlamaLibrary& library, const ChainSetup& setup, const LlamaModel* model) {
  if (!setup.dry_is_on()) return nullptr;
  if (setup.dry_sequence_breakers.empty())
    return library.sampler_init_dry_testing(setup.dry_multiplier, setup.dry_base, setup.dry_allowed_length,
                                            setup.dry_penalty_last_n, setup.dry_breaker_tokens);
  if (model == nullptr) throw std::runtime_error("string breakers need a vocabulary");
  std::vector<const char*> strings;
  for (const std::string& breaker : setup.dry_sequence_breakers) strings.push_back(breaker.c_str());
  return library.sampler_init_dry(model->vocab(), setup.dry_multiplier, setup.dry_base, setup.dry_allowed_length,
                                  setup.dry_penalty_last_n, strings.data(), strings.size());
}

PeerSampler* make_step(const LlamaLibrary& library, const std::string& name, const ChainSetup& setup, int32_t n_vocab,
                       const LlamaModel* model) {
  const auto min_keep = static_cast<size_t>(setup.min_keep);
  if (name == "penalties")
    return library.sampler_init_penalties(n_vocab, setup.repeat_last_n, setup.repeat_penalty, setup.frequency_penalty,
                                          setup.presence_penalty);
  if (name == "dry") return make_dry(library, setup, model);
  if (name == "top_n_sigma") return library.sampler_init_top_n_sigma(setup.top_n_sigma);
  if (name == "top_k") return library.sampler_init_top_k(setup.top_k);
  if (name == "typ_p") return library.sampler_init_typical(setup.typical_p, min_keep);
  if (name == "top_p") return library.sampler_init_top_p(setup.top_p, min_keep);
  if (name == "min_p") return library.sampler_init_min_p(setup.min_p, min_keep);
  if (name == "xtc") return library.sampler_init_xtc(setup.xtc_probability, setup.xtc_threshold, min_keep, setup.seed);
  if (name == "temperature") return library.sampler_init_temp_ext(setup.temperature, setup.dynatemp_range, setup.dynatemp_exponent);
  if (name == "infill") {
    if (model == nullptr) throw std::runtime_error("infill needs a vocabulary");
    return library.sampler_init_infill(model->vocab());
  }
  if (name == "adaptive_p") return nullptr;  // always last, see below
  throw std::runtime_error("unknown step '" + name + "'");
}

std::vector<PeerBias> merged_biases(const ChainSetup& setup, const LlamaModel* model) {
  std::vector<PeerBias> biases;
  for (const auto& [token, bias] : setup.logit_bias) biases.push_back({token, bias});
  if (model != nullptr)
    for (const int32_t token : model->suppressed()) biases.push_back({token, -std::numeric_limits<float>::infinity()});
  return biases;
}

}  // namespace

LlamaChain::LlamaChain(LlamaLibraryPtr library, const ChainSetup& setup, int32_t n_vocab, const LlamaModel* model)
    : library_(std::move(library)), chain_(library_->sampler_chain_init({true})) {
  const auto add = [this](PeerSampler* step) {
    if (step != nullptr) library_->sampler_chain_add(chain_, step);
  };
  try {
    const std::vector<PeerBias> biases = merged_biases(setup, model);
    if (!biases.empty()) add(library_->sampler_init_logit_bias(n_vocab, static_cast<int32_t>(biases.size()), biases.data()));
    if (setup.mirostat != 0) {
      add(library_->sampler_init_temp(setup.temperature));
      add(setup.mirostat == 1 ? library_->sampler_init_mirostat(n_vocab, setup.seed, setup.mirostat_tau, setup.mirostat_eta, 100)
                              : library_->sampler_init_mirostat_v2(setup.seed, setup.mirostat_tau, setup.mirostat_eta));
      return;
    }
    for (const std::string& name : setup.samplers) add(make_step(*library_, name, setup, n_vocab, model));
    const bool adaptive = std::find(setup.samplers.begin(), setup.samplers.end(), "adaptive_p") != setup.samplers.end();
    add(adaptive ? library_->sampler_init_adaptive_p(setup.adaptive_target, setup.adaptive_decay, setup.seed)
                 : library_->sampler_init_dist(setup.seed));
  } catch (...) {
    library_->sampler_free(chain_);
    throw;
  }
}

LlamaChain::~LlamaChain() {
  if (chain_ != nullptr) library_->sampler_free(chain_);
}

LlamaChain::LlamaChain(LlamaChain&& other) noexcept
    : library_(std::move(other.library_)),
      chain_(std::exchange(other.chain_, nullptr)),
      set_(std::move(other.set_)),
      array_(other.array_) {}

LlamaChain LlamaChain::clone() const { return LlamaChain(library_, library_->sampler_clone(chain_)); }

void LlamaChain::accept(const std::vector<int32_t>& tokens) {
  for (const int32_t token : tokens) accept(token);
}

int32_t LlamaChain::sample(const float* logits, size_t n) {
  set_.resize(n);
  for (size_t i = 0; i < n; ++i) set_[i] = {static_cast<int32_t>(i), logits[i], 0.0f};
  array_ = {set_.data(), n, -1, false};
  return apply(array_);
}

namespace {

using Walk = LlamaChain::Walk;

Walk::Verdict judge(const PeerArray& set) {
  bool any = false;
  for (size_t i = 0; i < set.size; ++i) {
    const float logit = set.data[i].logit;
    if (!(logit < std::numeric_limits<float>::infinity())) return Walk::spoiled;  // NaN or +inf
    any = any || logit > -std::numeric_limits<float>::infinity();
  }
  if (any) return Walk::sound;
  return set.size == 1 ? Walk::lone_banned : Walk::spoiled;
}

constexpr float banned = -std::numeric_limits<float>::infinity();

// Whether every unusable logit belongs to a token that was banned before the step, which kept the order of the set.
bool only_banned_ones(const PeerArray& set, const std::vector<float>& before) {
  bool any_left = false;
  for (size_t i = 0; i < set.size; ++i) {
    const float logit = set.data[i].logit;
    if (!(logit < std::numeric_limits<float>::infinity()) && before[i] != banned) return false;
    any_left = any_left || (before[i] != banned && logit != banned);
  }
  return any_left;
}

bool keeps_order(const std::string& step) { return step == "penalties" || step == "dry" || step == "logit-bias"; }

// 6.4 times the logit must fit an int, or the library's bucket index is the lowest one.
bool has_huge_logit(const PeerArray& set) {
  for (size_t i = 0; i < set.size; ++i)
    if (set.data[i].logit > 3.3e8f) return true;
  return false;
}

bool has_finite_weights(const PeerArray& set) {
  for (size_t i = 0; i < set.size; ++i)
    if (!(set.data[i].p < std::numeric_limits<float>::infinity())) return false;
  return true;
}

}  // namespace

Walk LlamaChain::sample_with_care(const int32_t* ids, const float* logits, size_t n) {
  set_.resize(n);
  for (size_t i = 0; i < n; ++i) set_[i] = {ids == nullptr ? static_cast<int32_t>(i) : ids[i], logits[i], 0.0f};
  array_ = {set_.data(), n, -1, false};
  Walk walk;
  walk.verdict = judge(array_) == Walk::sound ? Walk::sound : Walk::spoiled;
  const int32_t steps = library_->sampler_chain_n(chain_);
  // dist does not look at the logit of a lone candidate, so a set that is spoiled that way just before it still has an answer.
  const auto last_is_dist = [&] {
    return library_->sampler_name(library_->sampler_chain_get(chain_, steps - 1)) == std::string("dist");
  };
  bool lone_banned = false;
  for (int32_t i = 0; walk.verdict == Walk::sound && i < steps; ++i) {
    PeerSampler* step = library_->sampler_chain_get(chain_, i);
    walk.huge = walk.huge || has_huge_logit(array_);
    before_.resize(array_.size);
    for (size_t j = 0; j < array_.size; ++j) before_[j] = array_.data[j].logit;
    library_->sampler_apply(step, &array_);
    if (i + 1 == steps) break;
    walk.verdict = judge(array_);
    if (walk.verdict == Walk::sound) continue;
    walk.step = library_->sampler_name(step);
    walk.only_banned = walk.verdict == Walk::spoiled && keeps_order(walk.step) && only_banned_ones(array_, before_);
    lone_banned = walk.verdict == Walk::lone_banned;
    if (lone_banned && i + 2 == steps && last_is_dist()) walk.verdict = Walk::sound;
  }
  if (walk.verdict != Walk::sound) return walk;
  if (array_.selected < 0 || static_cast<size_t>(array_.selected) >= array_.size)
    throw std::runtime_error("llama.cpp's chain selected nothing");
  walk.token = array_.data[array_.selected].id;
  if (!has_finite_weights(array_)) walk.verdict = Walk::not_a_number;
  if (lone_banned) walk.verdict = Walk::lone_banned;
  return walk;
}

int32_t LlamaChain::apply(PeerArray& set) {
  library_->sampler_apply(chain_, &set);
  if (set.selected < 0 || static_cast<size_t>(set.selected) >= set.size)
    throw std::runtime_error("llama.cpp's chain selected nothing");
  return set.data[set.selected].id;
}

}  // namespace bankml::reference
