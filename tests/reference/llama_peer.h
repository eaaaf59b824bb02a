// llama.cpp's own library, loaded at run time: the reference that tests compare with and benches race against.
//
// `LlamaLibrary` opens libllama and its ggml neighbours from one folder (argument, or environment BANKML_LLAMA_DIR; scripts/lib.sh
// fetches it from npm) and keeps the functions used. `LlamaModel` is a GGUF, with its weights or for its vocabulary only.
// `LlamaContext` decodes. `LlamaChain` is a sampler chain, built in the order in which llama-server builds it. Errors are
// std::runtime_error. The library aborts the process on misuse, so callers must not feed it what it does not bear (an empty set,
// NaN, all -inf).
//
// Tested by tests/reference/llama_peer_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/reference/chain_setup.h"
#include "tests/reference/llama_types.h"

namespace bankml::reference {

class LlamaLibrary {
 public:
  // `folder` "" = environment BANKML_LLAMA_DIR. The library prints nothing unless BANKML_LLAMA_LOG=1.
  static std::shared_ptr<const LlamaLibrary> open(const std::string& folder = "");
  // False, with the reason, where there is no library to load (for tests that are skipped by name).
  static bool available(std::string& reason);

  // Loads the CPU backend that fits this machine. Needed before weights are loaded; vocabularies need none.
  void load_backends() const;
  const std::string& folder() const noexcept { return folder_; }

  // Functions, named as in the library without the prefix "llama_".
  PeerModelParams (*model_default_params)();
  PeerContextParams (*context_default_params)();
  void (*log_set)(void (*)(int, const char*, void*), void*);
  PeerModelHandle* (*model_load_from_file)(const char*, PeerModelParams);
  void (*model_free)(PeerModelHandle*);
  PeerContextHandle* (*init_from_model)(PeerModelHandle*, PeerContextParams);
  void (*free_context)(PeerContextHandle*);
  PeerMemory* (*get_memory)(const PeerContextHandle*);
  void (*memory_clear)(PeerMemory*, bool);
  PeerBatch (*batch_get_one)(int32_t*, int32_t);
  int32_t (*decode)(PeerContextHandle*, PeerBatch);
  float* (*get_logits_ith)(PeerContextHandle*, int32_t);
  const PeerVocab* (*model_get_vocab)(const PeerModelHandle*);
  int32_t (*vocab_n_tokens)(const PeerVocab*);
  bool (*vocab_is_eog)(const PeerVocab*, int32_t);
  bool (*vocab_is_control)(const PeerVocab*, int32_t);
  int32_t (*vocab_bos)(const PeerVocab*);
  int32_t (*vocab_eos)(const PeerVocab*);
  int32_t (*vocab_eot)(const PeerVocab*);
  const int32_t* (*vocab_get_suppress_tokens)(const PeerVocab*, int32_t*);
  int32_t (*token_to_piece)(const PeerVocab*, int32_t, char*, int32_t, int32_t, bool);
  int32_t (*tokenize)(const PeerVocab*, const char*, int32_t, int32_t*, int32_t, bool, bool);
  PeerSampler* (*sampler_chain_init)(PeerChainParams);
  void (*sampler_chain_add)(PeerSampler*, PeerSampler*);
  int32_t (*sampler_chain_n)(const PeerSampler*);
  PeerSampler* (*sampler_chain_get)(PeerSampler*, int32_t);
  const char* (*sampler_name)(const PeerSampler*);
  void (*sampler_accept)(PeerSampler*, int32_t);
  void (*sampler_apply)(PeerSampler*, PeerArray*);
  void (*sampler_reset)(PeerSampler*);
  PeerSampler* (*sampler_clone)(const PeerSampler*);
  void (*sampler_free)(PeerSampler*);
  PeerSampler* (*sampler_init_dist)(uint32_t);
  PeerSampler* (*sampler_init_greedy)();
  PeerSampler* (*sampler_init_top_k)(int32_t);
  PeerSampler* (*sampler_init_top_p)(float, size_t);
  PeerSampler* (*sampler_init_min_p)(float, size_t);
  PeerSampler* (*sampler_init_typical)(float, size_t);
  PeerSampler* (*sampler_init_temp)(float);
  PeerSampler* (*sampler_init_temp_ext)(float, float, float);
  PeerSampler* (*sampler_init_xtc)(float, float, size_t, uint32_t);
  PeerSampler* (*sampler_init_top_n_sigma)(float);
  PeerSampler* (*sampler_init_mirostat)(int32_t, uint32_t, float, float, int32_t);
  PeerSampler* (*sampler_init_mirostat_v2)(uint32_t, float, float);
  PeerSampler* (*sampler_init_penalties)(int32_t, int32_t, float, float, float);
  PeerSampler* (*sampler_init_dry)(const PeerVocab*, float, float, int32_t, int32_t, const char**, size_t);
  PeerSampler* (*sampler_init_dry_testing)(float, float, int32_t, int32_t, const std::vector<std::vector<int32_t>>&);
  PeerSampler* (*sampler_init_adaptive_p)(float, float, uint32_t);
  PeerSampler* (*sampler_init_logit_bias)(int32_t, int32_t, const PeerBias*);
  PeerSampler* (*sampler_init_infill)(const PeerVocab*);
  PeerSampler* (*sampler_init_grammar)(const PeerVocab*, const char*, const char*);
  PeerSampler* (*sampler_init_grammar_lazy_patterns)(const PeerVocab*, const char*, const char*, const char**, size_t,
                                                     const int32_t*, size_t);

 private:
  LlamaLibrary() = default;
  std::string folder_;
  void* ggml_ = nullptr;
};

using LlamaLibraryPtr = std::shared_ptr<const LlamaLibrary>;

class LlamaModel {
 public:
  LlamaModel(LlamaLibraryPtr library, const std::string& gguf_path, bool vocab_only);
  ~LlamaModel();
  LlamaModel(const LlamaModel&) = delete;
  LlamaModel& operator=(const LlamaModel&) = delete;

  const LlamaLibrary& library() const noexcept { return *library_; }
  const LlamaLibraryPtr& library_ptr() const noexcept { return library_; }
  PeerModelHandle* handle() const noexcept { return handle_; }
  const PeerVocab* vocab() const noexcept { return vocab_; }
  int32_t n_vocab() const { return library_->vocab_n_tokens(vocab_); }
  int32_t bos() const { return library_->vocab_bos(vocab_); }
  int32_t eos() const { return library_->vocab_eos(vocab_); }
  int32_t eot() const { return library_->vocab_eot(vocab_); }
  bool is_eog(int32_t token) const { return library_->vocab_is_eog(vocab_, token); }
  std::vector<int32_t> suppressed() const;  // tokenizer.ggml.suppress_tokens
  // Bytes of a token; `special`: control tokens are rendered as their text, otherwise as nothing.
  std::string piece(int32_t token, bool special) const;
  // add_special: the model's own BOS/EOS rule; parse_special: control tokens in the text count as such.
  std::vector<int32_t> tokenize(std::string_view text, bool add_special, bool parse_special) const;

 private:
  LlamaLibraryPtr library_;
  PeerModelHandle* handle_ = nullptr;
  const PeerVocab* vocab_ = nullptr;
};

class LlamaContext {
 public:
  LlamaContext(const LlamaModel& model, uint32_t n_ctx, int32_t n_threads);
  ~LlamaContext();
  LlamaContext(const LlamaContext&) = delete;
  LlamaContext& operator=(const LlamaContext&) = delete;

  // Appends tokens to the sequence and returns the logits after the last one: n_vocab floats, valid until the next decode.
  const float* decode(const std::vector<int32_t>& tokens);
  void clear();  // empties the sequence

 private:
  const LlamaModel& model_;
  PeerContextHandle* handle_ = nullptr;
};

class LlamaChain {
 public:
  // `model` is needed for string breakers, infill and suppressed tokens; may be null. n_vocab: of the logits.
  LlamaChain(LlamaLibraryPtr library, const ChainSetup& setup, int32_t n_vocab, const LlamaModel* model = nullptr);
  ~LlamaChain();
  LlamaChain(LlamaChain&& other) noexcept;
  LlamaChain& operator=(LlamaChain&&) = delete;

  LlamaChain clone() const;
  void reset() { library_->sampler_reset(chain_); }
  void accept(int32_t token) { library_->sampler_accept(chain_, token); }
  void accept(const std::vector<int32_t>& tokens);

  // One draw as the server makes it: fill a fresh set with the logits, run the chain. The survivors stay in `candidates()`.
  int32_t sample(const float* logits, size_t n);
  // The chain over a set that is in `set` already; returns the selected token.
  int32_t apply(PeerArray& set);
  const PeerArray& candidates() const noexcept { return array_; }

  // The steps one by one, with a look at the set before each: the library aborts or computes nonsense on an empty set, NaN, +inf or
  // nothing but -inf. Unless `sound`, `step` is the library's name of the step that made such a set ("" = the row itself), and the
  // chain is of no use any more.
  struct Walk {
    enum Verdict {
      sound,
      spoiled,      // no answer
      lone_banned,  // one candidate is left, and it is banned; `token` is set where only dist was still to come
      not_a_number  // a token was selected, but the weights it was drawn by are NaN or infinite
    } verdict = sound;
    std::string step;
    int32_t token = -1;
    bool only_banned = false;  // spoiled by NaN or +inf of tokens that were banned before that step
    bool huge = false;  // a logit beyond 3.3e8 met a step: the library's bucket sort puts it into the lowest bucket, misordered
  };
  Walk sample_with_care(const int32_t* ids, const float* logits, size_t n);  // ids null = 0...n-1

 private:
  LlamaChain(LlamaLibraryPtr library, PeerSampler* chain) : library_(std::move(library)), chain_(chain) {}
  LlamaLibraryPtr library_;
  PeerSampler* chain_ = nullptr;
  std::vector<PeerCandidate> set_;
  std::vector<float> before_;  // logits before a step
  PeerArray array_{nullptr, 0, -1, false};
};

// A grammar of the library. Null handles and aborts are its answer to much; `error` catches what it prints when it refuses a text.
class LlamaGrammar {
 public:
  // Throws std::runtime_error with the library's message where it refuses the text.
  LlamaGrammar(const LlamaModel& model, const std::string& gbnf, const std::string& root = "root");
  // A lazy one. Throws what the regular expressions throw, too.
  struct Lazy {
    std::vector<std::string> patterns;
    std::vector<int32_t> tokens;
  };
  LlamaGrammar(const LlamaModel& model, const std::string& gbnf, const Lazy& triggers);
  ~LlamaGrammar();
  LlamaGrammar(const LlamaGrammar&) = delete;
  LlamaGrammar& operator=(const LlamaGrammar&) = delete;

  std::vector<int32_t> allowed();  // ascending
  // False = it raised; it is of no use any more. End tokens that are not allowed make it abort: never pass them.
  bool accept(int32_t token);

 private:
  const LlamaModel& model_;
  PeerSampler* handle_ = nullptr;
};

}  // namespace bankml::reference
