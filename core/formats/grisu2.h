// Digits of a double as nlohmann-json writes them, the JSON library of llama-server: Grisu2 (Loitsch, 2010). They read back as the
// same double, but are not always the shortest or the nearest such digits.
// Tested by tests/formats/grisu2_test.cpp, tests/reply/number_text_test.cpp, against nlohmann-json itself
#pragma once

#include <string>

namespace bankml::json {

struct Digits {
  char text[20];
  int n = 0;
  int exponent = 0;  // value = text * 10^exponent
};

Digits grisu2(double value) noexcept;  // value > 0, finite

// A point always, at least one digit on each side of it, an exponent of at least two digits below 1e-4 and from 1e15 on.
void append_digits(std::string& out, const Digits& digits);

}  // namespace bankml::json
