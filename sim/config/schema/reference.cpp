// SPDX-License-Identifier: Apache-2.0
#include "config/schema/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace strata::config {

namespace {

/// Text escaped for a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// The anchor that renderers of Markdown derive from a heading.
std::string anchor(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '/') continue;
    out += c == ' ' ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

std::string kind_cell(const FieldInfo& field) {
  std::string out = field.child ? fmt::format("[{}](#{})", field.kind, anchor(field.child->name)) : field.kind;
  if (!field.units.empty()) out += " in " + field.units;
  return out;
}

std::string default_cell(const FieldInfo& field) {
  if (field.required) return "required";
  return field.default_text.empty() ? "" : fmt::format("`{}`", field.default_text);
}

void write_section(const SchemaInfo& schema, std::string& out) {
  out += fmt::format("\n## {}\n\n{}\n\n| key | kind | range | default | meaning |\n| --- | --- | --- | --- | --- |\n",
                     schema.name, schema.meaning);
  for (const FieldInfo& field : schema.fields) {
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.name, cell(kind_cell(field)), cell(range_text(field)),
                       cell(default_cell(field)), cell(field.meaning));
  }
  for (const FieldInfo& field : schema.fields) {
    const bool explained = std::any_of(field.choices.begin(), field.choices.end(), [](const ChoiceInfo& choice) {
      return !choice.meaning.empty() && choice.meaning != choice.name;
    });
    if (!explained) continue;
    out += fmt::format("\n`{}` is one of:\n\n", field.name);
    for (const ChoiceInfo& choice : field.choices) out += fmt::format("- `{}`: {}\n", choice.name, choice.meaning);
  }
}

void gather(const SchemaInfo& schema, std::vector<const SchemaInfo*>& met) {
  const bool known =
      std::any_of(met.begin(), met.end(), [&](const SchemaInfo* other) { return other->name == schema.name; });
  if (known) return;
  met.push_back(&schema);
  for (const FieldInfo& field : schema.fields) {
    if (field.child) gather(*field.child, met);
  }
}

}  // namespace

std::string range_text(const FieldInfo& field) {
  std::string out = field.range;
  for (const ChoiceInfo& choice : field.choices) out += fmt::format("{}`{}`", out.empty() ? "" : ", ", choice.name);
  return out;
}

std::string reference_page(const SchemaInfo& schema) {
  std::vector<const SchemaInfo*> sections;
  gather(schema, sections);
  std::string out =
      fmt::format("# Settings of {}\n\nThis page is generated from the descriptions in the code.\n", schema.name);
  for (const SchemaInfo* section : sections) write_section(*section, out);
  return out;
}

}  // namespace strata::config
