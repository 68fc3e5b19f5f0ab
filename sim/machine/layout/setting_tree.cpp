// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/setting_tree.hpp"

#include <utility>

#include "config/schema/path.hpp"

namespace strata::machine {

using config::Value;

int rank(const Value* value, const Value& root) {
  if (value == nullptr) return 0;
  const std::string file = value->where.file_name();
  if (file == "--set") return 2;
  return file == root.where.file_name() ? 1 : 0;
}

Value* at(Value& root, std::string_view path) {
  Value* value = &root;
  for (const config::Segment& segment : config::split_path(path)) {
    if (value->shape == config::Shape::list)
      value = const_cast<Value*>(config::list_entry(*value, segment.text));
    else
      value = value->shape == config::Shape::map ? value->find(segment.text) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

Value& entry(Value& root, std::string_view map, const std::string& key) {
  Value& parent = *at(root, map);
  if (Value* there = parent.find(key)) return *there;
  parent.entries.push_back({key, parent.where, {}});
  return parent.entries.back().value;
}

void put(Value& value, std::string text, const config::Position& where, std::string why) {
  value.shape = config::Shape::scalar;
  value.text = std::move(text);
  value.where = where;
  value.provenance = {config::Origin::derived, std::move(why)};
}

}  // namespace strata::machine
