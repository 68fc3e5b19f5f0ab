// SPDX-License-Identifier: Apache-2.0
#include "config/schema/info.hpp"

namespace strata::config {

const FieldInfo* SchemaInfo::find(std::string_view field) const {
  for (const FieldInfo& candidate : fields) {
    if (candidate.name == field) return &candidate;
  }
  return nullptr;
}

std::vector<std::string> SchemaInfo::names() const {
  std::vector<std::string> all;
  for (const FieldInfo& field : fields) all.push_back(field.name);
  return all;
}

namespace {
void collect(const SchemaInfo& schema, const std::string& prefix, std::vector<std::string>& out) {
  for (const FieldInfo& field : schema.fields) {
    const std::string path = prefix + field.name + (field.shape == Shape::list ? "[]" : "");
    if (field.child) {
      collect(*field.child, path + '.', out);
    } else {
      out.push_back(path);
    }
  }
}
}  // namespace

std::vector<std::string> all_paths(const SchemaInfo& schema) {
  std::vector<std::string> paths;
  collect(schema, "", paths);
  return paths;
}

}  // namespace strata::config
