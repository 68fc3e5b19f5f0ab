// SPDX-License-Identifier: Apache-2.0
#include "config/explain.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/printable.hpp"
#include "config/schema/path.hpp"

namespace strata::config {

namespace {

struct Found {
  const FieldInfo* field = nullptr;  ///< null: an entry of a list
  const SchemaInfo* schema = nullptr;
};

/// The description of a path; indices of list entries are skipped.
Found find_description(const SchemaInfo& root, const std::vector<Segment>& segments, std::string_view path) {
  const auto refuse = [&](const Segment& segment, std::string_view valid, const std::vector<std::string>& names) {
    const Position where{std::make_shared<const std::string>("--path"), 1, segment.offset + 1};
    throw InputError(where.diagnostic(fmt::format("there is no setting '{}'", path),
                                      did_you_mean(nearest_path(root, valid, segment.text, names))));
  };
  Found found{nullptr, &root};
  bool at_list = false;
  for (const Segment& segment : segments) {
    const std::string_view valid = segment.offset == 0 ? "" : path.substr(0, segment.offset - 1);
    if (at_list) {
      found = {nullptr, found.field->child.get()};
      at_list = false;
      continue;
    }
    if (found.schema == nullptr) refuse(segment, valid, {});
    const FieldInfo* field = found.schema->find(segment.text);
    if (field == nullptr) refuse(segment, valid, found.schema->names());
    at_list = field->shape == Shape::list;
    found = {field, field->child.get()};
  }
  return found;
}

std::string value_text(const Effective& node) {
  if (node.absent) return "none";
  if (node.shape == Shape::scalar) return node.text;
  return fmt::format("{} of {}", name_of(node.shape), node.children.size());
}

}  // namespace

std::string Explanation::text() const {
  std::string out = path + '\n';
  for (const auto& [label, text] : lines) out += fmt::format("  {:<11} {}\n", label + ':', printable(text));
  return out;
}

std::string indexed_path(const Effective& root, std::string_view path) {
  std::string indexed;
  const Effective* at = &root;
  for (const Segment& segment : split_path(path)) {
    if (at->shape == Shape::list) {
      const Effective* const entry = find_path(root, indexed + '.' + segment.text);
      if (entry == nullptr) return std::string(path);
      indexed += fmt::format("[{}]", entry - at->children.data());
      at = entry;
    } else {
      at = at->find(segment.text);
      if (at == nullptr) return std::string(path);
      indexed += (indexed.empty() ? "" : ".") + segment.text;
    }
  }
  return indexed;
}

Explanation explain_path(const SchemaInfo& schema, const Effective& root, std::string_view path) {
  const std::vector<Segment> segments = split_path(path);
  if (segments.empty()) {
    throw InputError(Diagnostic{"--path", 1, 1, fmt::format("'{}' is not a path", path),
                                "such as l2.cache.size or levels[0].cache.size"});
  }
  const Found found = find_description(schema, segments, path);
  const Effective* node = find_path(root, path);

  Explanation out;
  out.path = std::string(path);
  const auto add = [&](const char* label, std::string text) {
    if (!text.empty()) out.lines.emplace_back(label, std::move(text));
  };
  if (const FieldInfo* field = found.field) {
    add("meaning", field->meaning);
    add("kind", field->kind);
    add("unit", field->units);
    add("range", field->range);
    std::string choices;
    for (const ChoiceInfo& choice : field->choices) choices += (choices.empty() ? "" : ", ") + choice.name;
    add("choices", choices);
    add("default", field->required ? "none: it must be given" : field->default_text);
  } else if (found.schema != nullptr) {
    add("meaning", found.schema->meaning);
    add("kind", found.schema->name);
  }
  if (node == nullptr) {
    add("value", "not in this configuration");
    return out;
  }
  add("value", value_text(*node));
  add("set by", node->set_by ? node->set_by->text() : "default");
  add("provenance", node->provenance.text());
  return out;
}

}  // namespace strata::config
