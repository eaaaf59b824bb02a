#include "examples/command/print.h"

#include <algorithm>
#include <cstdio>

namespace command {

std::string piece_bytes(const bankml_vocab* vocab, int32_t token) {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
  if (vocab == nullptr || bankml_vocab_piece(vocab, token, &bytes, &size) != BANKML_OK) return "";
  return std::string(reinterpret_cast<const char*>(bytes), size);
}

std::string quoted(const std::string& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  const bool utf8 = nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore) ==
                    nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string text = "\"";
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
      text += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string dump(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print_table(const std::vector<std::vector<std::string>>& rows, size_t width) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i + 1 < row.size(); ++i) line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    const size_t indent = line.size();
    std::string rest = row.empty() ? "" : row.back();
    while (indent + rest.size() > width && indent + 20 < width) {
      const size_t space = rest.rfind(' ', width - indent);
      if (space == std::string::npos || space == 0) break;
      std::printf("%s%s\n", line.c_str(), rest.substr(0, space).c_str());
      rest.erase(0, space + 1);
      line.assign(indent, ' ');
    }
    line += rest;
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

}  // namespace command
