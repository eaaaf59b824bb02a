// Names of the chain's steps: how requests, GGUF files and the native setters spell them.
//
// The canonical spelling here is llama-server's ("typ_p" for the typical step), so that a samplers list that this library prints
// can be sent to that server. Accepted: that spelling, the same with '-' or without '_', in any case, and "nucleus", "temp", "typ".
// The native setters also accept "typical" and "typical_p". Tested by tests/params/step_names.cpp
#pragma once

#include <optional>
#include <string_view>

#include "core/params/params.h"

namespace bankml {

constexpr std::string_view step_letters = "dkypsmtxiea";

const char* step_request_name(StepKind kind) noexcept;
std::optional<StepKind> step_from_request_name(std::string_view name);  // as llama-server
std::optional<StepKind> step_from_native_name(std::string_view name);   // and the glossary's
std::optional<StepKind> step_from_letter(char letter) noexcept;

}  // namespace bankml
