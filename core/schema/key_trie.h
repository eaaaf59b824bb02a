// The keys that a set of names leaves to additional members, as the reference writes them: a trie over the names' characters, and
// at each node what leaves it. Quirks kept (docs/errata.md): a proper beginning of a name is no key; the character that leaves the
// trie may be anything but a quote; names put their characters into classes as they are. Tested by tests/schema/llama_schema.cpp
#pragma once

#include <string>
#include <vector>

namespace bankml::schema {

// The grammar text of such a key with its quotes; it uses the rule `char`. names: UTF-8, not empty as a list.
std::string other_keys(const std::vector<std::string>& names);

}  // namespace bankml::schema
