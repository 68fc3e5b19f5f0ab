// SPDX-License-Identifier: Apache-2.0
#include "config/value/value.hpp"

#include <charconv>
#include <map>
#include <utility>

#include "base/text_distance.hpp"

namespace strata::config {

std::string Position::text() const {
  if (!file) return {};
  if (*file == "--set" || line == 0) return *file;
  return *file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

Diagnostic Position::diagnostic(std::string message, std::string hint) const {
  return {file_name(), line, column, std::move(message), std::move(hint)};
}

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::none:
      return "";
    case Origin::sourced:
      return "sourced";
    case Origin::derived:
      return "derived";
    case Origin::estimated:
      return "estimated";
    case Origin::fitted:
      return "fitted";
    case Origin::chosen:
      return "chosen";
  }
  return "";
}

std::string Provenance::text() const {
  if (origin == Origin::none) return {};
  return std::string(name_of(origin)) + ' ' + note;
}

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::scalar:
      return "a single value";
    case Shape::list:
      return "a list";
    case Shape::map:
      return "a map";
  }
  return "";
}

const Value* Value::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

std::string_view entry_name(const Value& entry) {
  const Value* name = entry.find("name");
  return name != nullptr && name->shape == Shape::scalar ? std::string_view(name->text) : std::string_view();
}

const Value* list_entry(const Value& list, std::string_view name_or_index) {
  for (const Value& item : list.items) {
    if (!name_or_index.empty() && entry_name(item) == name_or_index) return &item;
  }
  std::size_t index = 0;
  const char* end = name_or_index.data() + name_or_index.size();
  const auto [stop, error] = std::from_chars(name_or_index.data(), end, index);
  const bool whole = error == std::errc() && stop == end;
  return whole && index < list.items.size() ? &list.items[index] : nullptr;
}

namespace {
void merge_into_list(Value& list, Value over, std::vector<Diagnostic>& diagnostics) {
  for (Entry& entry : over.entries) {
    auto* target = const_cast<Value*>(list_entry(list, entry.key));
    if (target != nullptr) {
      merge(*target, std::move(entry.value), diagnostics);
      continue;
    }
    std::vector<std::string> names;
    for (const Value& item : list.items) names.emplace_back(entry_name(item));
    diagnostics.push_back(
        entry.where.diagnostic("no entry of the list at " + list.where.text() + " is named '" + entry.key + "'",
                               did_you_mean(nearest_name(entry.key, names))));
  }
}
}  // namespace

void merge(Value& under, Value over, std::vector<Diagnostic>& diagnostics) {
  if (under.shape == Shape::list && over.shape == Shape::map) {
    merge_into_list(under, std::move(over), diagnostics);
    return;
  }
  if (under.shape != Shape::map || over.shape != Shape::map) {
    under = std::move(over);
    return;
  }
  std::map<std::string, std::size_t, std::less<>> index;
  for (std::size_t i = 0; i < under.entries.size(); ++i) index.emplace(under.entries[i].key, i);
  for (Entry& entry : over.entries) {
    const auto known = index.find(entry.key);
    if (known == index.end()) {
      under.entries.push_back(std::move(entry));
    } else {
      Entry& target = under.entries[known->second];
      merge(target.value, std::move(entry.value), diagnostics);
      target.where = std::move(entry.where);
    }
  }
  under.where = std::move(over.where);
}

}  // namespace strata::config
