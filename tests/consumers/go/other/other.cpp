// A second C++ library in the same program: containers, a regular expression and an exception, compiled with other options than
// bankml.
#include <regex>
#include <stdexcept>
#include <string>

extern "C" int other_words(const char* text) {
  try {
    const std::string all(text);
    const std::regex word("[a-z]+");
    int n = 0;
    for (std::sregex_iterator i(all.begin(), all.end(), word), end; i != end; ++i) ++n;
    if (n == 0) throw std::invalid_argument("no words");
    return n;
  } catch (const std::exception&) {
    return -1;
  }
}
