// SPDX-License-Identifier: Apache-2.0
#include "config/value/provenance.hpp"

#include <array>
#include <utility>

#include "base/text_distance.hpp"

namespace strata::config {

namespace {

constexpr std::array origins = {Origin::sourced, Origin::derived, Origin::estimated, Origin::fitted, Origin::chosen};

/// Reads `ORIGIN NOTE`; none where it is invalid, which is reported.
Provenance read_provenance(std::string_view text, const Position& where, std::vector<Diagnostic>& diagnostics) {
  const std::size_t blank = text.find_first_of(" \t");
  const std::string_view word = text.substr(0, blank);
  const std::string_view note = blank == std::string_view::npos ? "" : trimmed(text.substr(blank));
  std::vector<std::string> names;
  for (const Origin origin : origins) {
    names.emplace_back(name_of(origin));
    if (name_of(origin) != word) continue;
    if (note.empty()) {
      diagnostics.push_back(where.diagnostic("'" + std::string(word) + "' is not followed by a note",
                                             "state the document, measurement or reason"));
      return {};
    }
    return {origin, std::string(note)};
  }
  std::string hint = did_you_mean(nearest_name(word, names));
  if (hint.empty()) hint = "one of sourced, derived, estimated, fitted, chosen";
  diagnostics.push_back(where.diagnostic("'" + std::string(word) + "' is not a provenance", hint));
  return {};
}

void spread(Value& value, const Provenance& inherited, std::vector<Diagnostic>& diagnostics) {
  if (value.shape == Shape::scalar) {
    if (value.provenance.origin == Origin::none) value.provenance = inherited;
    return;
  }
  Provenance here = inherited;
  for (auto entry = value.entries.begin(); entry != value.entries.end(); ++entry) {
    if (entry->key != "provenance") continue;
    if (entry->value.shape == Shape::scalar) {
      here = read_provenance(entry->value.text, entry->value.where, diagnostics);
    } else {
      diagnostics.push_back(entry->value.where.diagnostic(
          "'provenance' must be a single value, not " + std::string(name_of(entry->value.shape)),
          "for example 'provenance: sourced vendor data sheet'"));
    }
    value.entries.erase(entry);
    break;  // the parser has refused duplicates
  }
  for (Entry& entry : value.entries) spread(entry.value, here, diagnostics);
  for (Value& item : value.items) spread(item, here, diagnostics);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void split_provenance(Value& scalar, std::vector<Diagnostic>& diagnostics) {
  const std::size_t bar = scalar.text.find(" |");
  if (bar == std::string::npos) return;
  const std::string_view after = std::string_view(scalar.text).substr(bar + 2);
  if (!after.empty() && after.front() != ' ') return;
  scalar.provenance = read_provenance(trimmed(after), scalar.where, diagnostics);
  scalar.text = std::string(trimmed(std::string_view(scalar.text).substr(0, bar)));
}

void spread_provenance(Value& tree, std::vector<Diagnostic>& diagnostics) { spread(tree, {}, diagnostics); }

}  // namespace strata::config
