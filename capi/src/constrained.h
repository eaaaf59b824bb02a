// A draw under a grammar; the caller is alone on the sampler and on the grammar. Defined in grammar.cpp.
#pragma once

#include "capi/src/handles.h"

namespace bankml::capi {

// As bankml_sampler_sample_constrained. May throw, with the sampler as before.
Status sample_constrained(Sampler& sampler, const float* logits, size_t n, bankml_grammar& g, uint32_t flags, int32_t* token,
                          int32_t* redrawn, ErrorText& error);

}  // namespace bankml::capi
