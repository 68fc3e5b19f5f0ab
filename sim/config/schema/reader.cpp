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
/// A user corrects one screen of errors at a time; more would hide them.
constexpr std::size_t most_listed = 100;
constexpr std::size_t most_names_in_hint = 12;

std::string nearest_or_all(std::string_view word, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(nearest_name(word, names));
  if (hint.empty() && !names.empty() && names.size() <= most_names_in_hint) {
    hint = fmt::format("known here: {}", fmt::join(names, ", "));
  }
  return hint;
}
// `l2: {cache: {size: ...}}` for `l2.cache.size`.
std::string as_maps(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return fmt::format("{}: ...", path);
  return fmt::format("{}: {{{}}}", path.substr(0, dot), as_maps(path.substr(dot + 1)));
}
}  // namespace

std::string Reader::join(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + '.' + std::string(name);
}

void Reader::error(const Position& where, std::string message, std::string hint) {
  ++count_;
  if (count_ <= most_listed) diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
}

bool Reader::expects(const Value& value, Shape shape, const std::string& path, std::string_view what) {
  if (value.shape == shape) return true;
  const std::string named = path.empty() ? "the configuration" : "'" + path + "'";
  const std::string got = value.shape == Shape::scalar ? "'" + value.text + "'" : std::string(name_of(value.shape));
  std::string hint(what);
  if (value.shape == Shape::scalar && value.text == "none") {
    if (shape == Shape::list) hint = "[] is the empty list";
    if (shape == Shape::map)
      hint += fmt::format("{}it is required: remove this value, or give a map", hint.empty() ? "" : "; ");
  }
  error(value.where, fmt::format("{} must be {}, not {}", named, name_of(shape), got), std::move(hint));
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
    const std::size_t dot = entry.key.find('.');
    std::string hint;
    if (listed && dot != std::string::npos && known.contains(entry.key.substr(0, dot)))
      hint = fmt::format("paths are for --set; in a file write '{}'", as_maps(entry.key));
    else if (listed)
      hint = nearest_or_all(entry.key, schema.names());
    error(entry.where, fmt::format("unknown key '{}'", join(path, entry.key)), std::move(hint));
  }
}

void Reader::wrong_length(const Value& list, const std::string& path, std::size_t least, std::size_t most) {
  const std::size_t count = list.items.size();
  const std::size_t off = count < least ? least - count : count - most;
  error(list.where, fmt::format("'{}' must have {} to {} entries, not {}", path, least, most, count),
        fmt::format("{} {} of them", count < least ? "add" : "leave out", off));
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
