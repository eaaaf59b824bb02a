// The C types of llama.cpp's library that tests and benches need, declared by us so that no header of it is needed.
//
// The layouts are those of release v0.5.0 on x86-64 Linux, read off the structs that the library's own `*_default_params` functions
// fill in. LlamaLibrary compares these defaults with `looks_like_v0_5_0` when it loads, and refuses a library that differs.
//
// Tested by tests/reference/llama_peer_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>

namespace bankml::reference {

struct PeerSampler;  // opaque handles of the library
struct PeerModelHandle;
struct PeerContextHandle;
struct PeerVocab;
struct PeerMemory;

struct PeerCandidate {  // one candidate, as bankml_candidate
  int32_t id;
  float logit;
  float p;
};
static_assert(sizeof(PeerCandidate) == 12);

struct PeerArray {
  PeerCandidate* data;
  size_t size;
  int64_t selected;  // index, -1 = none
  bool sorted;
};
static_assert(offsetof(PeerArray, sorted) == 24);

struct PeerBias {
  int32_t token;
  float bias;
};

struct PeerChainParams {
  bool no_perf;
};

struct PeerModelParams {
  void* devices;
  const void* buffer_overrides;
  int32_t n_gpu_layers;
  int32_t split_mode;
  int32_t load_mode;
  int32_t lazy_mode;
  int32_t main_gpu;
  const float* tensor_split;
  bool (*progress)(float, void*);
  void* progress_data;
  const void* metadata_overrides;
  bool vocab_only;
  bool check_tensors;
  bool use_extra_buffers;
  bool no_host;
  bool no_alloc;
  bool load_mtp;
};

struct PeerContextParams {
  uint32_t n_ctx;
  uint32_t n_batch;
  uint32_t n_ubatch;
  uint32_t n_seq_max;
  uint32_t n_rs_seq;
  uint32_t n_outputs_max;
  uint32_t n_outputs_max_per_seq;
  int32_t n_threads;
  int32_t n_threads_batch;
  int32_t context_type;
  int32_t rope_scaling_type;
  int32_t pooling_type;
  int32_t attention_type;
  int32_t flash_attention_type;
  float rope_freq_base;
  float rope_freq_scale;
  float yarn_ext_factor;
  float yarn_attn_factor;
  float yarn_beta_fast;
  float yarn_beta_slow;
  uint32_t yarn_orig_ctx;
  float defrag_threshold;
  void* eval_callback;
  void* eval_callback_data;
  int32_t type_k;
  int32_t type_v;
  void* abort_callback;
  void* abort_callback_data;
  bool embeddings;
  bool offload_kqv;
  bool no_perf;
  bool op_offload;
  bool swa_full;
  bool kv_unified;
  void* samplers;
  size_t n_samplers;
  void* other_context;
};

struct PeerBatch {
  int32_t n_tokens;
  int32_t* token;
  float* embeddings;
  int32_t* position;
  int32_t* n_sequence_ids;
  int32_t** sequence_id;
  int8_t* logits;
};

#if defined(__x86_64__)
static_assert(sizeof(PeerModelParams) == 0x50 && offsetof(PeerModelParams, vocab_only) == 0x48);
static_assert(sizeof(PeerContextParams) == 0xa0 && offsetof(PeerContextParams, n_threads) == 0x1c &&
              offsetof(PeerContextParams, defrag_threshold) == 0x54 && offsetof(PeerContextParams, samplers) == 0x88);
static_assert(sizeof(PeerBatch) == 56);
#endif

inline bool looks_like_v0_5_0(const PeerModelParams& model, const PeerContextParams& context) noexcept {
  return model.n_gpu_layers == -1 && model.split_mode == 1 && model.main_gpu == 0 && !model.vocab_only && !model.check_tensors &&
         model.use_extra_buffers && !model.no_host && !model.no_alloc && context.n_ctx == 512 && context.n_batch == 2048 &&
         context.n_ubatch == 512 && context.n_seq_max == 1 && context.n_threads == 4 && context.n_threads_batch == 4 &&
         context.rope_scaling_type == -1 && context.flash_attention_type == -1 && context.defrag_threshold == -1.0f &&
         !context.embeddings && context.offload_kqv && context.no_perf && context.op_offload && context.swa_full &&
         context.samplers == nullptr && context.n_samplers == 0;
}

}  // namespace bankml::reference
