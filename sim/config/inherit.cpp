// SPDX-License-Identifier: Apache-2.0
#include "config/inherit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text_distance.hpp"
#include "config/yaml/parse.hpp"

namespace strata::config {

bool is_path(std::string_view base) {
  return base.find('/') != std::string_view::npos || base.ends_with(".yaml") || base.ends_with(".yml");
}

namespace {

/// A chain of this length is an error of a generator, and would recurse as deep.
constexpr std::size_t longest_chain = 32;

/// Parts that use other parts twice would otherwise double at every step.
constexpr std::size_t most_values = 1'000'000;

std::size_t count_values(const Value& value) {
  std::size_t count = 1;
  for (const Entry& entry : value.entries) count += count_values(entry.value);
  for (const Value& item : value.items) count += count_values(item);
  return count;
}

class Loader {
 public:
  Loader(const Library& library, const Expand& expand) : library_(library), expand_(expand) {}

  /// The whole tree of a source; an empty map where it could not be read, which is reported.
  Value load(const Source& source, SourceKind kind) {
    const std::pair read(kind, source.file);
    if (const auto known = done_.find(read); known != done_.end()) return known->second;
    chain_.push_back(source.file);
    Value tree;
    tree.shape = Shape::map;
    try {
      Value own = parse(source.text, source.file);
      std::optional<Entry> base = take(own, "base");
      expand_uses(own);
      if (base) tree = load_base(*base);
      merge(tree, std::move(own), diagnostics_);
      if (expand_ && kind == SourceKind::base) expand_(tree, diagnostics_);
    } catch (const InputError& error) {
      diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
    chain_.pop_back();
    return done_.emplace(read, std::move(tree)).first->second;
  }

  std::vector<Diagnostic> take_diagnostics() { return std::move(diagnostics_); }

 private:
  static std::optional<Entry> take(Value& map, std::string_view key) {
    const auto found =
        std::find_if(map.entries.begin(), map.entries.end(), [&](const Entry& entry) { return entry.key == key; });
    if (found == map.entries.end()) return std::nullopt;
    Entry entry = std::move(*found);
    map.entries.erase(found);
    return entry;
  }

  static Value empty_map() {
    Value value;
    value.shape = Shape::map;
    return value;
  }

  Value load_base(const Entry& base) {
    if (base.value.shape != Shape::scalar) {
      tell(base.value.where, fmt::format("'base' must be one name, not {}", name_of(base.value.shape)),
           "to take several, use 'use:'");
      return empty_map();
    }
    return load_named(SourceKind::base, base.value);
  }

  /// Merges the parts of every map of the tree under the map's own keys.
  void expand_uses(Value& value) {
    for (Entry& entry : value.entries) {
      if (entry.key != "use") expand_uses(entry.value);
    }
    for (Value& item : value.items) expand_uses(item);
    const std::optional<Entry> use = take(value, "use");
    if (!use) return;
    Value under = empty_map();
    for (const Value* name : names_of(*use)) merge(under, load_named(SourceKind::part, *name), diagnostics_);
    merge(under, std::move(value), diagnostics_);
    value = std::move(under);
  }

  std::vector<const Value*> names_of(const Entry& use) {
    std::vector<const Value*> names;
    if (use.value.shape == Shape::scalar) names.push_back(&use.value);
    for (const Value& item : use.value.items) names.push_back(&item);
    const bool plain =
        std::all_of(names.begin(), names.end(), [](const Value* name) { return name->shape == Shape::scalar; });
    if (use.value.shape != Shape::map && plain) return names;
    tell(use.value.where, "'use' must be the name of a part or a list of names", "");
    return {};
  }

  Value load_named(SourceKind kind, const Value& name) {
    const bool base = kind == SourceKind::base;
    const bool by_path = base && is_path(name.text) && library_.path_from;
    const std::string wanted = by_path ? library_.path_from(chain_.back(), name.text) : name.text;
    std::optional<Source> source;
    if (library_.find) {
      try {
        source = library_.find(kind, wanted);
      } catch (const InputError& error) {
        diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
        return empty_map();
      }
    }
    if (!source) {
      if (by_path)
        tell(name.where, fmt::format("there is no file '{}'", wanted), "a path is relative to the folder of this file");
      else
        tell(name.where, fmt::format("there is no {} '{}'", base ? "configuration" : "part", name.text),
             names_instead(name.text, base ? library_.bases : library_.parts, base));
      return empty_map();
    }
    const auto first = std::find(chain_.begin(), chain_.end(), source->file);
    if (first != chain_.end()) {
      std::string round;
      for (auto file = first; file != chain_.end(); ++file) round += *file + " -> ";
      tell(name.where, fmt::format("'{}: {}' is circular", base ? "base" : "use", name.text), round + source->file);
      return empty_map();
    }
    if (chain_.size() >= longest_chain) {
      tell(name.where, fmt::format("more than {} files inherit from one another", longest_chain),
           "put what some of them set into one file");
      return empty_map();
    }
    Value tree = load(*source, kind);
    values_ += count_values(tree);
    if (values_ > most_values) {
      if (!too_large_)
        tell(name.where, fmt::format("more than {} values in all", most_values), "do parts use each other repeatedly?");
      too_large_ = true;
      return empty_map();
    }
    return tree;
  }

  static std::string names_instead(const std::string& name, const std::vector<std::string>& names, bool base) {
    std::string hint = did_you_mean(nearest_name(name, names));
    if (!hint.empty() || names.empty()) return hint;
    return fmt::format("there are {}{}", fmt::join(names, ", "),
                       base ? "; a file is named by its path, as ./mine.yaml" : "");
  }

  void tell(const Position& where, std::string message, std::string hint) {
    diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
  }

  const Library& library_;
  const Expand& expand_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<std::string> chain_;                            ///< files being read, outermost first
  std::map<std::pair<SourceKind, std::string>, Value> done_;  ///< each file is read once
  std::size_t values_ = 0;                                    ///< of all bases and parts merged so far
  bool too_large_ = false;
};

}  // namespace

Value load_tree(const Source& source, const Library& library, const Expand& expand) {
  Loader loader(library, expand);
  Value tree = loader.load(source, SourceKind::base);
  throw_if_any(loader.take_diagnostics());
  return tree;
}

}  // namespace strata::config
