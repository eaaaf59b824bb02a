// Pieces and tables as text and JSON.
#pragma once

#include <bankml.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace command {

std::string piece_bytes(const bankml_vocab* vocab, int32_t token);  // "" without a vocabulary
std::string quoted(const std::string& bytes);                       // printable, in quotes; other bytes as \n, \xNN

// One JSON text on one line; bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::ordered_json& value);

// Rows of cells in columns, the last one wrapped at `width`; written to stdout.
void print_table(const std::vector<std::vector<std::string>>& rows, size_t width = 120);

}  // namespace command
