// SPDX-License-Identifier: Apache-2.0
#include "machine/described/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_distance.hpp"

namespace strata::machine {

using config::Shape;
using config::Value;

void unknown_node(const Description& description, const std::string& name, const config::Position& where,
                  std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> names;
  for (const Block& block : description.blocks) names.push_back(block.name);
  const std::string near = did_you_mean(nearest_name(name, names));
  diagnostics.push_back(where.diagnostic(fmt::format("there is no node '{}'", name),
                                         near.empty() ? fmt::format("nodes are {}", fmt::join(names, ", ")) : near));
}

namespace {
/// At two places of one file: a part that both trees use has the same place.
bool set_apart(const config::Position& one, const config::Position& other) {
  return one.file_name() == other.file_name() && (one.line != other.line || one.column != other.column);
}
}  // namespace

void refuse_twice(const Value& under, const Value& over, std::vector<Diagnostic>& diagnostics) {
  for (const config::Entry& entry : over.entries) {
    const Value* const there = under.find(entry.key);
    if (there == nullptr) continue;
    if (there->shape == Shape::map && entry.value.shape == Shape::map) {
      refuse_twice(*there, entry.value, diagnostics);
    } else if (set_apart(there->where, entry.value.where)) {
      diagnostics.push_back(entry.value.where.diagnostic(
          fmt::format("'{}' is set in the same file at {} already", entry.key, there->where.text()),
          "remove one of them"));
    }
  }
}

}  // namespace strata::machine
