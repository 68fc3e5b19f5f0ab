// SPDX-License-Identifier: Apache-2.0
#include "config/schema/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "base/text_distance.hpp"
#include "config/schema/scalar.hpp"

namespace strata::config {

namespace {
/// A reader mends a screen of errors at a time; more would hide them.
constexpr std::size_t most_listed = 100;
constexpr std::size_t most_names_in_hint = 12;

std::string nearest_or_all(std::string_view word, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(nearest_name(word, names));
  if (hint.empty() && !names.empty() && names.size() <= most_names_in_hint) {
    hint = fmt::format("known here: {}", fmt::join(names, ", "));
  }
  return hint;
}
}  // namespace

std::string Reader::join(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + '.' + std::string(name);
}

void Reader::error(const Position& where, std::string message, std::string hint) {
  ++count_;
  if (count_ <= most_listed) diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
}

bool Reader::wants(const Value& value, Shape shape, const std::string& path, std::string_view what) {
  if (value.shape == shape) return true;
  const std::string named = path.empty() ? "the configuration" : "'" + path + "'";
  const std::string got = value.shape == Shape::scalar ? "'" + value.text + "'" : std::string(name_of(value.shape));
  error(value.where, fmt::format("{} must be {}, not {}", named, name_of(shape), got), std::string(what));
  return false;
}

void Reader::missing(const Value& map, const FieldInfo& field, const std::string& path) {
  const std::string units = field.units.empty() ? "" : " in " + field.units;
  error(map.where, fmt::format("'{}' is missing", join(path, field.name)),
        fmt::format("{}{}: {}", field.phrase, units, field.meaning));
}

void Reader::refuse_unknown(const Value& map, const SchemaInfo& schema, const std::string& path) {
  std::set<std::string, std::less<>> known;
  for (const FieldInfo& field : schema.fields) known.insert(field.name);
  for (const Entry& entry : map.entries) {
    if (known.contains(entry.key)) continue;
    const bool listed = count_ < most_listed;
    error(entry.where, fmt::format("unknown key '{}'", join(path, entry.key)),
          listed ? nearest_or_all(entry.key, schema.names()) : std::string());
  }
}

void Reader::refuse_same_names(const Value& list, const std::string& path) {
  std::map<std::string, Position, std::less<>> seen;
  for (const Value& item : list.items) {
    const std::string_view name = entry_name(item);
    if (name.empty()) continue;
    const Position& where = item.find("name")->where;
    const auto [first, fresh] = seen.emplace(std::string(name), where);
    if (!fresh) {
      error(where, fmt::format("'{}' has two entries named '{}'", path, name), "first at " + first->second.text());
    }
  }
}

void Reader::finish() {
  if (count_ <= most_listed) return;
  Diagnostic rest = diagnostics_.back();
  rest.line = rest.column = 0;
  rest.message = fmt::format("and {} more errors", count_ - most_listed);
  rest.hint.clear();
  diagnostics_.push_back(rest);
}

Misfit unknown_choice(std::string_view text, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(nearest_name(text, names));
  return {fmt::format("must be one of {}, not '{}'", fmt::join(names, ", "), text), std::move(hint)};
}

}  // namespace strata::config
