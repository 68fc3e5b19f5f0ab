// SPDX-License-Identifier: Apache-2.0
#include "completed_settings.hpp"

#include "config/schema/info.hpp"
#include "machine/spec.hpp"

namespace strata::cli {

namespace {

std::string words_of(const config::FieldInfo& field) {
  std::string words;
  if (field.child && field.shape != config::Shape::list) words += " map";
  for (const config::ChoiceInfo& choice : field.choices) words += ' ' + choice.name;
  if (field.kind == "true or false") words += " true false";
  if (field.may_be_none) words += " none";
  return words;
}

void collect(const config::SchemaInfo& schema, const std::string& prefix, std::string& lines) {
  for (const config::FieldInfo& field : schema.fields) {
    const std::string path = prefix + field.name;
    const bool list = field.shape == config::Shape::list;
    // An entry of a list is set; of a list of maps, its settings.
    if (!list || !field.child) lines += (lines.empty() ? "" : "\n") + path + (list ? "[]" : "") + words_of(field);
    if (field.child) collect(*field.child, path + (list ? "[]." : "."), lines);
  }
}

}  // namespace

std::string completed_settings() {
  std::string lines;
  collect(*machine::MachineSpec::schema().info(), "", lines);
  return lines;
}

}  // namespace strata::cli
