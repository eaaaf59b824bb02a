// Tested by tests/schema/llama_schema.cpp
#include "core/schema/gbnf_writer.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/base/status.h"
#include "core/schema/constant_text.h"
#include "core/schema/gbnf_rules.h"
#include "core/schema/int_bounds.h"
#include "core/schema/key_trie.h"
#include "core/schema/pattern_text.h"

namespace bankml::schema {
namespace gbnf_writer {

constexpr size_t max_name = 4000;       // bytes of a name that keys are told apart from
constexpr uint32_t max_nesting = 256;  // references followed

class Writer {
 public:
  explicit Writer(const Document& document) : document_(document) {}

  std::string run() {
    visit(document_.root, "");
    if (!bad_patterns_.empty()) {
      std::string text = "JSON schema conversion failed:";
      for (const std::string& line : bad_patterns_) text += "\n" + line;
      throw Failure(Status::schema, text);
    }
    return rules_.text();
  }

 private:
  static std::string below(const std::string& name, const std::string& part) { return name + (name.empty() ? "" : "-") + part; }

  // The name of the rule that stands for the node.
  std::string visit(uint32_t index, const std::string& name) {
    if (++depth_ > max_nesting)
      throw Failure(Status::limit, "the JSON schema nests deeper than max_nesting = " + std::to_string(max_nesting));
    const std::string rule = rule_of(document_.nodes[index], name);
    --depth_;
    return rule;
  }

  std::string rule_of(const Node& node, const std::string& name) {
    const std::string own = GbnfRules::is_reserved(name) ? name + "-" : name.empty() ? "root" : name;
    switch (node.kind) {
      case Node::any:
        return builtin(own, "value");
      case Node::builtin:
        return builtin(own, node.text);
      case Node::either: {
        std::string text;
        for (size_t i = 0; i < node.parts.size(); ++i) {
          const std::string part = visit(node.parts[i], below(name, (name.empty() ? "alternative-" : "") + std::to_string(i)));
          text += (i > 0 ? " | " : "") + part;
        }
        return rules_.add(own, text);
      }
      case Node::all_of:
        return rule_of(joined(node), name);
      case Node::exactly:
        return rules_.add(own, literal(node.text));
      case Node::one_of: {
        std::string text;
        for (const std::string& value : node.texts) text += (text.empty() ? "" : " | ") + literal(value);
        return rules_.add(own, "(" + text + ")");
      }
      case Node::object:
        return rules_.add(own, object(node, name));
      case Node::array: {
        const std::string item = node.has_item ? visit(node.item, below(name, "item")) : builtin("value", "value");
        return rules_.add(own, "\"[\" space " + repeated(item, node.least, node.most, "\",\" space") + " space \"]\"");
      }
      case Node::tuple: {
        std::string text = "\"[\" space ";
        for (size_t i = 0; i < node.parts.size(); ++i)
          text += (i > 0 ? "\",\" space " : "") + visit(node.parts[i], below(name, "tuple-" + std::to_string(i))) + " ";
        return rules_.add(own, text + "space \"]\"");
      }
      case Node::string: {
        const std::string character = builtin("char", "char");
        return rules_.add(own, "\"\\\"\" " + repeated(character, node.least, node.most) + " \"\\\"\"");
      }
      case Node::pattern:
        return pattern(node, own);
      case Node::format:
        if (node.text == "uuid") return builtin(own == "root" ? "root" : "uuid", "uuid");
        return builtin(own == "root" ? "root" : node.text + "-string", node.text + "-string");
      case Node::integer:
        return rules_.add(own, int_bounds(node.minimum, node.maximum));
      case Node::reference:
        return rules_.add(own, reference(node.text));
    }
    return "";
  }

  // ---- allOf

  struct Collected {
    std::vector<Property> properties;
    std::vector<std::string> values;  // of enums, each time one occurs
    bool some_enum = false;
  };

  // Objects contribute their properties, enums their values; references are followed; all else is dropped.
  void collect(uint32_t index, bool required, Collected& out) const {
    const Node* node = &document_.nodes[index];
    for (uint32_t steps = 0; node->kind == Node::reference; ++steps) {
      if (steps > max_nesting) throw Failure(Status::limit, "allOf: references go in a circle at " + node->text);
      node = &document_.nodes[document_.targets.at(node->text)];
    }
    if (node->kind == Node::object) {
      for (const Property& property : node->properties) out.properties.push_back({property.name, property.value, required});
    } else if (node->kind == Node::one_of) {
      out.some_enum = true;
      out.values.insert(out.values.end(), node->texts.begin(), node->texts.end());
    }
  }

  // Quirks kept: the branches of a union are optional, every property of another member is required; with enums, the values that
  // occur exactly as often as there are members, if there are any.
  Node joined(const Node& node) const {
    Collected all;
    for (const uint32_t part : node.parts) {
      const Node& member = document_.nodes[part];
      if (member.kind != Node::either) {
        collect(part, true, all);
        continue;
      }
      for (const uint32_t branch : member.parts) collect(branch, false, all);
    }
    Node made;
    made.kind = Node::one_of;
    if (all.some_enum) {
      for (const std::string& value : all.values) {
        const auto times = static_cast<size_t>(std::count(all.values.begin(), all.values.end(), value));
        if (times == node.parts.size() && std::find(made.texts.begin(), made.texts.end(), value) == made.texts.end())
          made.texts.push_back(value);
      }
      if (!made.texts.empty()) return made;
    }
    made.kind = Node::object;
    // A name given twice is written twice, both times with the last schema, required if it is required anywhere.
    std::set<std::string> required;
    for (const Property& property : all.properties) {
      if (property.required) required.insert(property.name);
    }
    for (const Property& property : all.properties)
      made.properties.push_back({property.name, property.value, required.contains(property.name)});
    return made;
  }

  std::string builtin(const std::string& own, const std::string& name) {
    return rules_.add_builtin(own == "root" ? "root" : name, name);
  }

  std::string pattern(const Node& node, const std::string& own) {
    size_t parts = 0;
    const PatternText text =
        pattern_text(node.text, [&](const std::string& part) { return rules_.add(own + "-" + std::to_string(parts++), part); });
    if (text.any_string) return builtin(own, "string");
    if (!text.error.empty()) {
      bad_patterns_.push_back(text.error);
      return own;
    }
    return rules_.add(own, "\"\\\"\" (" + text.text + ") \"\\\"\"");
  }

  // References that differ only in what names cannot have share the rule of the one that was finished first.
  std::string reference(const std::string& text) {
    const std::string name = "ref" + text.substr(1);
    const std::string rule = GbnfRules::cleaned(name);
    if (rules_.has(rule) || !resolving_.insert(text).second) return rule;
    const std::string made = visit(document_.targets.at(text), name);
    resolving_.erase(text);
    return made;
  }

  // Required members in order, then optional ones, each at most once, then additional ones.
  std::string object(const Node& node, const std::string& name) {
    std::map<std::string, std::string> pairs;
    std::vector<std::string> required, optional, names;
    for (const Property& property : node.properties) {
      const std::string value = visit(property.value, below(name, property.name));
      const std::string pair = literal(constant_text(property.name)) + " space \":\" space " + value;
      pairs[property.name] = rules_.add(below(name, property.name) + "-kv", pair);
      (property.required ? required : optional).push_back(property.name);
      names.push_back(property.name);
    }
    const bool more = node.additional != Node::none;
    if (more) {
      const std::string value =
          node.additional == Node::schema ? visit(node.item, below(name, "additional-value")) : builtin("value", "value");
      const std::string key = names.empty() ? builtin("string", "string") : rules_.add(below(name, "additional-k"), keys(names));
      // Quirk kept: a property named `*` and the additional ones have one slot.
      pairs["*"] = rules_.add(below(name, "additional-kv"), key + " \":\" space " + value);
      optional.push_back("*");
    }
    if (required.empty() && optional.empty()) return "\"{\" space \"}\"";
    std::string text = "\"{\" space ";
    for (size_t i = 0; i < required.size(); ++i) text += (i > 0 ? "\",\" space " : "") + pairs.at(required[i]) + " ";
    if (!optional.empty()) text += optional_pairs(name, optional, pairs, !required.empty()) + " ";
    return text + "space \"}\"";
  }

  std::string keys(const std::vector<std::string>& names) {
    builtin("char", "char");
    for (const std::string& one : names) {
      if (one.size() > max_name)
        throw Failure(Status::limit, "a property's name has more than max_name = " + std::to_string(max_name) + " bytes");
    }
    return other_keys(names);
  }

  std::string optional_pairs(const std::string& name, const std::vector<std::string>& optional,
                             const std::map<std::string, std::string>& pairs, bool behind_others) {
    // `rests[i]`: what may come behind the i-th optional member, from the next one on.
    std::vector<std::string> rests(optional.size() + 1);
    const auto slot = [&](size_t i) {  // the member itself, where `*` stands for any number of them
      const std::string& pair = pairs.at(optional[i]);
      return optional[i] == "*" ? pair + " (\",\" space " + pair + ")*" : pair;
    };
    for (size_t i = optional.size(); i-- > 1;) {
      const std::string rest = rests[i + 1].empty() ? "" : " " + rests[i + 1];
      rests[i] = rules_.add(below(name, optional[i - 1]) + "-rest", "(\",\" space " + slot(i) + ")?" + rest);
    }
    std::string text;
    for (size_t i = 0; i < optional.size(); ++i)
      text += (i > 0 ? " | " : "") + slot(i) + (rests[i + 1].empty() ? "" : " " + rests[i + 1]);
    return behind_others ? "(\",\" space (" + text + "))?" : "(" + text + ")?";
  }

  const Document& document_;
  GbnfRules rules_;
  std::set<std::string> resolving_;
  std::vector<std::string> bad_patterns_;
  uint32_t depth_ = 0;
};

}  // namespace gbnf_writer

std::string write_gbnf(const Document& document) { return gbnf_writer::Writer(document).run(); }

}  // namespace bankml::schema
