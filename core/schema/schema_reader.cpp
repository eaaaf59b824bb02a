// Tested by tests/schema/llama_schema.cpp
#include "core/schema/schema_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/base/status.h"
#include "core/schema/constant_text.h"

namespace bankml::schema {
namespace schema_reader {

using json::Value;

constexpr const char* formats[] = {"uuid", "uuid1", "uuid2", "uuid3", "uuid4", "uuid5", "date", "time", "date-time"};

bool is_known_format(const std::string& name) {
  return std::any_of(std::begin(formats), std::end(formats), [&](const char* known) { return name == known; });
}

// Members in the order of first appearance, each with its last value.
std::vector<std::pair<std::string, const Value*>> members_of(const Value& object) {
  std::vector<std::pair<std::string, const Value*>> all;
  std::map<std::string, size_t> place;
  for (const json::Member& member : object.members()) {
    const auto [at, is_new] = place.emplace(member.name, all.size());
    if (is_new) {
      all.emplace_back(member.name, &member.value);
    } else {
      all[at->second].second = &member.value;
    }
  }
  return all;
}

// A whole number as the reference's library converts it.
int64_t as_int64(const Value& number) {
  if (number.number_kind() == json::NumberKind::unsigned_integer) return static_cast<int64_t>(number.unsigned_integer());
  if (number.number_kind() == json::NumberKind::signed_integer) return number.signed_integer();
  const double x = number.real();
  // Outside of 64 bits x86 gives the lowest integer.
  if (!(x >= -0x1p63 && x < 0x1p63)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(x);
}

class Reader {
 public:
  explicit Reader(const Value& root) : root_(root) {}

  Document run() {
    document_.root = visit(root_, "#");
    return std::move(document_);
  }

 private:
  [[noreturn]] static void fail(const std::string& path, const std::string& message) {
    throw Failure(Status::schema, "JSON schema conversion failed:\nJSON schema error at " + path + ": " + message);
  }

  uint32_t add(Node node) {
    if (document_.nodes.size() >= max_nodes)
      throw Failure(Status::limit, "the JSON schema has more than max_nodes = " + std::to_string(max_nodes) + " parts");
    document_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(document_.nodes.size() - 1);
  }
  uint32_t builtin(const char* name) {
    Node node;
    node.kind = Node::builtin;
    node.text = name;
    return add(std::move(node));
  }

  // A schema whose `type` is taken for `type` (of an array of types), or its own.
  uint32_t visit(const Value& schema, const std::string& path, const Value* type = nullptr) {
    if (++depth_ > max_depth)
      throw Failure(Status::limit, "the JSON schema nests deeper than max_depth = " + std::to_string(max_depth));
    const uint32_t node = decide(schema, path, type);
    --depth_;
    return node;
  }

  uint32_t decide(const Value& schema, const std::string& path, const Value* given) {
    if (!schema.is_object()) fail(path, "schema must be an object");
    if (const Value* ref = schema.find("$ref")) return reference(*ref, path);
    for (const char* keyword : {"oneOf", "anyOf"}) {
      if (const Value* members = schema.find(keyword)) return either(*members, path + "/" + keyword);
    }
    const Value* type = given != nullptr ? given : schema.find("type");
    if (type != nullptr && type->is_array()) {
      if (type->items().empty()) fail(path, "type must not be empty");
      Node node;
      node.kind = Node::either;
      for (size_t i = 0; i < type->items().size(); ++i)
        node.parts.push_back(visit(schema, path + "/type/" + std::to_string(i), &type->items()[i]));
      return add(std::move(node));
    }
    if (const Value* constant = schema.find("const")) {
      Node node;
      node.kind = Node::exactly;
      node.text = constant_text(*constant);
      return add(std::move(node));
    }
    if (const Value* values = schema.find("enum")) {
      if (!values->is_array() || values->items().empty()) fail(path, "enum must be a non-empty array");
      Node node;
      node.kind = Node::one_of;
      for (const Value& value : values->items()) node.texts.push_back(constant_text(value));
      return add(std::move(node));
    }
    if (type != nullptr && !type->is_null() && !type->is_string()) fail(path, "type must be a string or an array of strings");
    const std::string name = type == nullptr || type->is_null() ? "" : type->string();
    const bool no_type = name.empty();
    const Value* additional = schema.find("additionalProperties");
    const bool shaped =
        schema.find("properties") != nullptr || (additional != nullptr && !(additional->is_boolean() && additional->boolean()));
    if ((no_type || name == "object") && shaped) return object(schema, path);
    if (no_type || name == "object" || name == "string") {
      if (const Value* members = schema.find("allOf")) return all_of(*members, path + "/allOf");
    }
    if (name == "object") return object(schema, path);
    if (name == "array" || (no_type && (schema.find("items") != nullptr || schema.find("prefixItems") != nullptr)))
      return array(schema, path);
    if (name == "string" || (no_type && says_string(schema))) return string(schema, path);
    if (name == "integer") return integer(schema, path);
    if (name == "number" || name == "boolean" || name == "null") return builtin(name.c_str());
    if (no_type) return add(Node{});
    fail(path, "unrecognized type " + name);
  }

  static bool says_string(const Value& schema) {
    const Value* format = schema.find("format");
    return schema.find("pattern") != nullptr || schema.find("minLength") != nullptr || schema.find("maxLength") != nullptr ||
           (format != nullptr && (!format->is_string() || is_known_format(format->string())));
  }

  static void require_schemas(const Value& members, const std::string& path) {
    if (!members.is_array()) fail(path, "must be an array of schemas");
    if (members.items().empty()) fail(path, "must not be empty");
  }

  uint32_t either(const Value& members, const std::string& path) {
    require_schemas(members, path);
    Node node;
    node.kind = Node::either;
    for (size_t i = 0; i < members.items().size(); ++i)
      node.parts.push_back(visit(members.items()[i], path + "/" + std::to_string(i)));
    return add(std::move(node));
  }

  uint32_t object(const Value& schema, const std::string& path) {
    Node node;
    node.kind = Node::object;
    const Value* properties = schema.find("properties");
    if (properties != nullptr && !properties->is_object()) fail(path, "properties must be an object");
    std::vector<std::string> required;
    if (const Value* list = schema.find("required"); list != nullptr && list->is_array()) {
      for (const Value& name : list->items()) {
        if (name.is_string()) required.push_back(name.string());
      }
    }
    if (properties != nullptr) {
      for (const auto& [name, value] : members_of(*properties)) {
        const bool needed = std::find(required.begin(), required.end(), name) != required.end();
        node.properties.push_back({name, visit(*value, path + "/properties/" + name), needed});
      }
    }
    const Value* additional = schema.find("additionalProperties");
    if (additional == nullptr) {
      node.additional = properties == nullptr ? Node::any_value : Node::none;
    } else if (additional->is_boolean()) {
      node.additional = additional->boolean() ? Node::any_value : Node::none;
    } else if (additional->is_object()) {
      node.item = visit(*additional, path + "/additionalProperties");
      node.additional = Node::schema;
    } else {
      fail(path, "additionalProperties must be a boolean or a schema");
    }
    return add(std::move(node));
  }

  // A count keyword. Its low 32 bits count, as in the reference.
  static std::optional<uint64_t> count(const Value& schema, const char* keyword, const std::string& path) {
    const Value* value = schema.find(keyword);
    if (value == nullptr) return std::nullopt;
    const auto low = value->is_number() ? static_cast<int32_t>(static_cast<uint64_t>(as_int64(*value))) : -1;
    if (!value->is_number() || value->number_kind() == json::NumberKind::real || low < 0)
      fail(path, std::string(keyword) + " must be a non-negative integer");
    return static_cast<uint64_t>(low);
  }
  static std::optional<uint64_t> most(const Value& schema, const char* keyword, const std::string& path) {
    const std::optional<uint64_t> value = count(schema, keyword, path);
    return value == 0x7FFFFFFFu ? std::nullopt : value;  // the reference's word for "no maximum"
  }

  uint32_t array(const Value& schema, const std::string& path) {
    Node node;
    const Value* items = schema.find("items");
    const char* keyword = items != nullptr ? "/items" : "/prefixItems";
    if (items == nullptr) items = schema.find("prefixItems");
    if (items != nullptr && items->is_array()) {
      node.kind = Node::tuple;
      for (size_t i = 0; i < items->items().size(); ++i)
        node.parts.push_back(visit(items->items()[i], path + keyword + "/" + std::to_string(i)));
      return add(std::move(node));
    }
    node.kind = Node::array;
    if (items != nullptr) {
      node.item = visit(*items, path + keyword);
      node.has_item = true;
    }
    node.least = count(schema, "minItems", path).value_or(0);
    node.most = most(schema, "maxItems", path);
    return add(std::move(node));
  }

  uint32_t string(const Value& schema, const std::string& path) {
    const Value* pattern = schema.find("pattern");
    if (pattern != nullptr && !pattern->is_string()) fail(path, "pattern must be a string");
    const Value* format = schema.find("format");
    if (format != nullptr && !format->is_string()) fail(path, "format must be a string");
    Node node;
    node.least = count(schema, "minLength", path).value_or(0);
    node.most = most(schema, "maxLength", path);
    if (pattern != nullptr && !pattern->string().empty()) {
      node.kind = Node::pattern;
      node.text = pattern->string();
    } else if (format != nullptr && is_known_format(format->string())) {
      node.kind = Node::format;
      node.text = format->string().substr(0, 4) == "uuid" ? "uuid" : format->string();
    } else if (node.least > 0 || node.most.has_value()) {
      node.kind = Node::string;
    } else {
      return builtin("string");
    }
    return add(std::move(node));
  }

  // Fractions are rounded inwards, exclusive whole values shift by one.
  static std::optional<int64_t> bound(const Value& schema, const char* inclusive, const char* exclusive, bool lower,
                                      const std::string& path) {
    const Value* value = schema.find(inclusive);
    const char* name = inclusive;
    const bool shift = value == nullptr;
    if (value == nullptr) {
      value = schema.find(exclusive);
      name = exclusive;
    }
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) fail(path, std::string(name) + " must be a number");
    if (value->number_kind() == json::NumberKind::real) {
      const double x = value->real();
      if (x != std::floor(x)) {
        const double inwards = lower ? std::ceil(x) : std::floor(x);
        if (!(inwards >= -0x1p63 && inwards < 0x1p63)) return std::numeric_limits<int64_t>::min();
        return static_cast<int64_t>(inwards);
      }
    }
    const int64_t whole = as_int64(*value);
    if (!shift) return whole;
    return static_cast<int64_t>(static_cast<uint64_t>(whole) + (lower ? 1u : ~uint64_t{0}));
  }

  uint32_t integer(const Value& schema, const std::string& path) {
    Node node;
    node.kind = Node::integer;
    node.minimum = bound(schema, "minimum", "exclusiveMinimum", true, path);
    node.maximum = bound(schema, "maximum", "exclusiveMaximum", false, path);
    // The ends of the range are no bounds.
    if (node.minimum == std::numeric_limits<int64_t>::min()) node.minimum.reset();
    if (node.maximum == std::numeric_limits<int64_t>::max()) node.maximum.reset();
    if (!node.minimum.has_value() && !node.maximum.has_value()) {
      node.kind = Node::builtin;
      node.text = "integer";
    }
    return add(std::move(node));
  }

  uint32_t all_of(const Value& members, const std::string& path) {
    require_schemas(members, path);
    Node node;
    node.kind = Node::all_of;
    for (size_t i = 0; i < members.items().size(); ++i)
      node.parts.push_back(visit(members.items()[i], path + "/" + std::to_string(i)));
    return add(std::move(node));
  }

  // ---- $ref

  const Value& resolve(const Value& ref, const std::string& path) {
    if (!ref.is_string()) fail(path, "$ref must be a string");
    const std::string& text = ref.string();
    if (text.compare(0, 2, "#/") != 0)
      fail(path, "unsupported $ref " + text + ", only references into the same document are supported");
    const Value* at = &root_;
    for (size_t begin = 2; begin <= text.size();) {
      const size_t end = std::min(text.find('/', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      if (at->is_object()) {
        at = at->find(part);
        if (at == nullptr) fail(path, "cannot resolve $ref " + text + ", " + part + " not found");
      } else if (at->is_array()) {
        char* behind = nullptr;
        const long index = std::strtol(part.c_str(), &behind, 10);
        if (behind == part.c_str() || index < 0 || static_cast<size_t>(index) >= at->items().size())
          fail(path, "cannot resolve $ref " + text + ", " + part + " is out of range");
        at = &at->items()[static_cast<size_t>(index)];
      } else {
        fail(path, "cannot resolve $ref " + text + ", " + part + " not found");
      }
      begin = end + 1;
    }
    return *at;
  }

  uint32_t reference(const Value& ref, const std::string& path) {
    const Value& target = resolve(ref, path);
    const std::string& text = ref.string();
    if (document_.targets.emplace(text, 0).second) {
      // Known before it is read, so that it may refer to itself.
      const uint32_t node = visit(target, text);
      document_.targets[text] = node;
    }
    Node node;
    node.kind = Node::reference;
    node.text = text;
    return add(std::move(node));
  }

  const Value& root_;
  Document document_;
  uint32_t depth_ = 0;
};

}  // namespace schema_reader

Document read_schema(const json::Value& root) { return schema_reader::Reader(root).run(); }

}  // namespace bankml::schema
