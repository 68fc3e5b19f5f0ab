// SPDX-License-Identifier: Apache-2.0
// The tree that a configuration file is read into: maps, lists and scalars,
// each with the place it was written at, scalars still as the text that the
// user typed. No number is read here, so none can be misread (`010` stays
// `010`); binding a spec does that, knowing what unit is wanted. A merged tree
// keeps for each value the place of the file that set it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace strata::config {

/// Where a value was written. `file` is the name shown to the user, `--set` for overrides.
struct Position {
  std::shared_ptr<const std::string> file;
  std::size_t line = 0;    ///< from 1
  std::size_t column = 0;  ///< from 1, in characters

  std::string file_name() const { return file ? *file : std::string(); }
  /// `file:line:column`, or the file alone where it has no lines (`--set`).
  std::string text() const;
  Diagnostic diagnostic(std::string message, std::string hint = {}) const;
};

/// How a number came to be what it is.
enum class Origin : std::uint8_t {
  none,       ///< nothing was said
  sourced,    ///< a document states it; the note names which
  derived,    ///< arithmetic over sourced numbers; the note says which
  estimated,  ///< not published; the note gives the reason for this figure
  fitted,     ///< tuned on a measurement; the note names which
  chosen,     ///< a free choice of the modeller or user
};

std::string_view name_of(Origin origin);

struct Provenance {
  Origin origin = Origin::none;
  std::string note;
  /// `fitted h200/latency_footprint plateau`; empty for none.
  std::string text() const;
};

enum class Shape : std::uint8_t { scalar, list, map };

/// `a map`, `a list` or `a single value`: for messages.
std::string_view name_of(Shape shape);

struct Entry;

struct Value {
  Shape shape = Shape::scalar;
  Position where;              ///< of a map or list: of the key or dash that opens it
  std::string text;            ///< scalars: without the provenance
  bool quoted = false;         ///< scalars: written in quotes
  Provenance provenance;       ///< scalars
  std::vector<Entry> entries;  ///< maps, in the order written
  std::vector<Value> items;    ///< lists

  /// The entry's value, or null; linear in the number of entries.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
};

struct Entry {
  std::string key;
  Position where;
  Value value;
};

/// The list entry whose map has `name: NAME`, or which stands at that index; null where neither.
const Value* list_entry(const Value& list, std::string_view name_or_index);
/// The `name` of a list's entry; empty where it has none.
std::string_view entry_name(const Value& entry);

/// Lays `over` on `under`: maps merge key by key; scalars and lists replace.
/// A map laid on a list changes entries of it, each key being an entry's name
/// or index; keys that fit no entry are reported in `diagnostics`.
void merge(Value& under, Value over, std::vector<Diagnostic>& diagnostics);

}  // namespace strata::config
