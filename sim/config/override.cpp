// SPDX-License-Identifier: Apache-2.0
#include "config/override.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/text_distance.hpp"
#include "config/schema/path.hpp"
#include "config/yaml/parse.hpp"

namespace strata::config {

namespace {

Position place(std::size_t offset) { return {std::make_shared<const std::string>("--set"), 1, offset + 1}; }

/// Marks values set by the override that have no mark.
void mark_chosen(Value& value) {
  if (value.shape == Shape::scalar && value.provenance.origin == Origin::none) {
    value.provenance = {Origin::chosen, "--set"};
  }
  for (Entry& entry : value.entries) mark_chosen(entry.value);
  for (Value& item : value.items) mark_chosen(item);
}

/// Finds the place that a path names, checking each step against the schema.
/// Missing maps are created.
class Walk {
 public:
  Walk(const SchemaInfo& schema, std::string_view path, std::string_view noun, std::vector<Diagnostic>& diagnostics)
      : schema_(schema), path_(path), noun_(noun), diagnostics_(diagnostics) {}

  Value* find(Value& root) {
    const std::vector<Segment> segments = split_path(path_);
    if (segments.empty()) {
      tell(0, fmt::format("'{}' is not a path", path_), "such as l2.cache.size or levels[0].cache.size");
      return nullptr;
    }
    const SchemaInfo* schema = &schema_;
    const FieldInfo* field = nullptr;
    Value* at = &root;
    for (const Segment& segment : segments) {
      if (field != nullptr && field->shape == Shape::list && !in_entry_) {
        at = step_into_list(*at, segment);
        schema = field->child.get();
        in_entry_ = true;
      } else {
        if (schema == nullptr) {
          tell(segment.offset, fmt::format("'{}' is a single value and has no '{}'", before(segment), segment.text),
               "");
          return nullptr;
        }
        field = schema->find(segment.text);
        if (field == nullptr) return unknown(*schema, segment);
        at = step_into_map(*at, *field, segment);
        schema = field->shape == Shape::map ? field->child.get() : nullptr;
        in_entry_ = false;
      }
      if (at == nullptr) return nullptr;
    }
    return at;
  }

 private:
  std::string_view before(const Segment& segment) const {
    return segment.offset == 0 ? "" : path_.substr(0, segment.offset - 1);
  }

  Value* unknown(const SchemaInfo& schema, const Segment& segment) {
    std::string hint = did_you_mean(nearest_path(schema_, before(segment), segment.text, schema.names()));
    // A handful of names that no path leads to: all of them can be said.
    if (hint.empty() && noun_ != "setting" && !schema.names().empty())
      hint = fmt::format("{}s: {}", noun_, fmt::join(schema.names(), ", "));
    tell(segment.offset, fmt::format("there is no {} '{}'", noun_, path_), std::move(hint));
    return nullptr;
  }

  Value* step_into_map(Value& map, const FieldInfo& field, const Segment& segment) {
    if (map.shape != Shape::map) {
      // `none`, or a wrong value that the path replaces by a map.
      map = Value{};
      map.shape = Shape::map;
      map.where = place(0);
    }
    if (Value* value = map.find(field.name)) return value;
    Value fresh;
    fresh.shape = field.shape;
    fresh.where = place(segment.offset);
    map.entries.push_back({field.name, place(segment.offset), std::move(fresh)});
    return &map.entries.back().value;
  }

  Value* step_into_list(Value& list, const Segment& segment) {
    if (list.shape == Shape::list) {
      if (const Value* item = list_entry(list, segment.text)) return const_cast<Value*>(item);
    }
    std::vector<std::string> names;
    for (const Value& item : list.items) {
      if (!entry_name(item).empty()) names.emplace_back(entry_name(item));
    }
    const std::string near = nearest_name(segment.text, names);
    const std::string hint = near.empty() ? fmt::format("it has {} entries, counted from 0", list.items.size())
                                          : did_you_mean(fmt::format("{}.{}", before(segment), near));
    tell(segment.offset, fmt::format("'{}' has no entry '{}'", before(segment), segment.text), hint);
    return nullptr;
  }

  void tell(std::size_t offset, std::string message, std::string hint) {
    diagnostics_.push_back(place(offset).diagnostic(std::move(message), std::move(hint)));
  }

  const SchemaInfo& schema_;
  std::string_view path_;
  std::string_view noun_;
  std::vector<Diagnostic>& diagnostics_;
  bool in_entry_ = false;
};

}  // namespace

void apply_override(Value& root, const SchemaInfo& schema, std::string_view argument,
                    std::vector<Diagnostic>& diagnostics, std::string_view noun) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) {
    diagnostics.push_back(place(0).diagnostic(fmt::format("'{}' has no '='", argument), "write PATH=VALUE"));
    return;
  }
  Value copy = root;  // so that a refused override leaves no half-made maps
  Walk walk(schema, argument.substr(0, equals), noun, diagnostics);
  Value* target = walk.find(copy);
  if (target == nullptr) return;
  try {
    Value value = parse_fragment(argument.substr(equals + 1), place(equals + 1));
    mark_chosen(value);
    *target = std::move(value);
  } catch (const InputError& error) {
    diagnostics.insert(diagnostics.end(), error.diagnostics().begin(), error.diagnostics().end());
    return;
  }
  root = std::move(copy);
}

void name_overrides(const std::vector<std::string>& overrides,
                    const std::function<std::vector<Diagnostic>(const std::vector<std::string>&)>& wrong_with,
                    std::vector<Diagnostic>& diagnostics) {
  const auto of_file = [](const Diagnostic& diagnostic) { return !diagnostic.file.starts_with("--"); };
  if (overrides.empty() || std::none_of(diagnostics.begin(), diagnostics.end(), of_file)) return;
  std::vector<std::vector<Diagnostic>> without;  // each of them
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    std::vector<std::string> others = overrides;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    without.push_back(wrong_with(others));
  }
  const std::vector<Diagnostic> without_all = wrong_with({});
  const auto has = [](const std::vector<Diagnostic>& all, const Diagnostic& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  for (Diagnostic& diagnostic : diagnostics) {
    if (!of_file(diagnostic) || has(without_all, diagnostic)) continue;
    std::vector<std::string> taking_part;
    for (std::size_t i = 0; i < overrides.size(); ++i)
      if (!has(without[i], diagnostic)) taking_part.push_back("--set " + overrides[i]);
    // Each of several is enough.
    if (taking_part.empty())
      for (const std::string& argument : overrides) taking_part.push_back("--set " + argument);
    Diagnostic place = diagnostic;
    place.message.clear();
    place.hint.clear();
    std::string where = place.text();
    if (where.ends_with(": ")) where.resize(where.size() - 2);
    const std::string_view message = diagnostic.message;
    const std::size_t end = message.starts_with('\'') ? message.find('\'', 1) : std::string_view::npos;
    where =
        end == std::string_view::npos ? "at " + where : fmt::format("{} set by {}", message.substr(1, end - 1), where);
    diagnostic = {fmt::format("{}", fmt::join(taking_part, " ")), 0, 0, std::move(diagnostic.message),
                  diagnostic.hint.empty() ? where : where + "; " + diagnostic.hint};
  }
}

}  // namespace strata::config
