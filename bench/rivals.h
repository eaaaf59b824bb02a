// What other samplers, each in a process of its own, are compared on: logits, our survivors and our time (bench/rivals/README.md).
#pragma once

#include <string>

namespace bankml::bench {

// Writes logits.f32 (six rows, float32) and expected.json into a folder that exists. Throws std::runtime_error if it cannot.
void write_rivals(const std::string& folder);

}  // namespace bankml::bench
