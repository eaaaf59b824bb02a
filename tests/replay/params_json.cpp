#include "tests/replay/params_json.h"

#include <string>
#include <vector>

#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

void check(bankml_status status, const bankml_params* params) {
  if (status != BANKML_OK) throw Mismatch(std::string("params: ") + bankml_params_error(params));
}

void set(bankml_params* params, const char* name, const json& value) {
  const std::string text = value.dump();
  check(bankml_params_set_json(params, name, text.data(), text.size()), params);
}

// The files write -inf as null, the setter takes false.
json with_false_for_null(json biases) {
  for (json& entry : biases)
    if (entry.is_array() && entry.size() == 2 && entry[1].is_null()) entry[1] = false;
  return biases;
}

uint8_t hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint8_t>(c - 'a' + 10);
  throw Mismatch("texts: bad hex digit");
}

std::vector<uint8_t> from_hex(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(hex_digit(hex[i]) * 16 + hex_digit(hex[i + 1])));
  return bytes;
}

std::string to_hex(const uint8_t* bytes, size_t length) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (size_t i = 0; i < length; ++i) {
    hex += digits[bytes[i] >> 4];
    hex += digits[bytes[i] & 15];
  }
  return hex;
}

void check_own_tokenizer(const bankml_vocab* vocab, const json& texts) {
  std::vector<int32_t> tokens;
  for (const auto& [hex, expected] : texts.items()) {
    if (!tokenize(vocab, hex, tokens)) return;
    if (json(tokens) != expected)
      throw Mismatch("tokenize " + hex + ": got " + json(tokens).dump() + ", recorded " + expected.dump());
  }
}

}  // namespace

ParamsHandle new_params() {
  char error[512] = "";
  ParamsHandle params(bankml_params_new(nullptr, error, sizeof error), bankml_params_free);
  if (!params) throw Mismatch(std::string("params_new: ") + error);
  return params;
}

ParamsHandle params_from_json(const json& values, const bankml_vocab* vocab) {
  ParamsHandle params = new_params();
  // String breakers need pieces. Where a case has no vocabulary, or gives its breakers as tokens, the default strings do not apply.
  if (vocab == nullptr || values.contains("dry_breaker_tokens")) set(params.get(), "dry_sequence_breakers", json::array());
  for (const auto& [name, value] : values.items())
    set(params.get(), name.c_str(), name == "logit_bias" ? with_false_for_null(value) : value);
  return params;
}

bool tokenize(const bankml_vocab* vocab, const std::string& hex, std::vector<int32_t>& tokens) {
  const std::vector<uint8_t> bytes = from_hex(hex);
  tokens.resize(bytes.size() + 8);
  size_t count = 0;
  const bankml_status status = bankml_vocab_tokenize(vocab, bytes.data(), bytes.size(), tokens.data(), tokens.size(), &count);
  if (status == BANKML_ARG) return false;
  if (status != BANKML_OK) throw Mismatch("tokenize " + hex + ": " + bankml_status_string(status));
  tokens.resize(count);
  return true;
}

void answer_texts(bankml_params* params, const bankml_vocab* vocab, const json& texts) {
  if (vocab != nullptr) check_own_tokenizer(vocab, texts);
  size_t count = 0;
  check(bankml_params_text_count(params, vocab, &count), params);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* bytes = nullptr;
    size_t length = 0;
    const char* purpose = nullptr;
    check(bankml_params_text(params, i, &bytes, &length, &purpose), params);
    const std::string hex = to_hex(bytes, length);
    if (!texts.contains(hex)) throw Mismatch("open text " + hex + " (" + purpose + ") has no recorded tokens");
    const auto tokens = texts[hex].get<std::vector<int32_t>>();
    check(bankml_params_set_text_tokens(params, i, tokens.data(), tokens.size()), params);
  }
}

}  // namespace bankml::replay
