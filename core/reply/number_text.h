// Numbers of a reply as the two kinds of system write them.
//
// Both lay the digits out alike: a point always, at least one digit on each side of it, an exponent of at least two digits below
// 1e-4 and from 1e15 on (-0.6931471824645996, 0.0, 5.960464477539063e-08). They differ in the digits. llama-server's JSON library
// (nlohmann-json 3.11) widens the float to a double and writes that with Grisu2 (Loitsch, 2010), which reads back as the same
// double but is not always the shortest or the nearest such text; so Grisu2 it is here too, for the doubles that are floats.
// OpenAI's replies carry the shortest digits that read back as the same float.
// Tested by tests/reply/number_text_test.cpp, against nlohmann-json itself
#pragma once

#include <string>

namespace bankml::reply {

// value is finite.
void append_widened(std::string& out, float value);   // llama-server
void append_shortest(std::string& out, float value);  // OpenAI

}  // namespace bankml::reply
