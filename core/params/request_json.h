// A request body of llama-server (POST /completion) as parameters: its field order, clamps, conversions, refusals and texts.
//
// The first refusal in the server's own order of fields is the answer, wherever the field stands in the text; the checks of sampler
// construction come last. Where the server would need its vocabulary this file leaves a text (string biases) or an id (a bias
// beyond the vocabulary is dropped when the sampler is made, which is the same to every draw; a negative one is dropped here).
// Fields of the server that do not concern sampling are checked where a type and a range are all there is to check, and then
// forgotten. Source: llama.cpp b11192, tools/server. Tested by tests/params/request_json.cpp
#pragma once

#include <string_view>

#include "core/params/loaded.h"

namespace bankml {

// Fields that are given replace `base`'s values. strict: unknown fields are refused, otherwise they are warned about.
// Failure(arg) for a refusal, Failure(parse) for text that is no JSON object or holds a number beyond a double.
Loaded load_llama_server_request(const Params& base, std::string_view text, bool strict);

// The server's checks when it makes the sampler, with its texts ("Failed to initialize samplers: ..."). Failure(arg).
void check_server_sampler(const Params& params);

}  // namespace bankml
