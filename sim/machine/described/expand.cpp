// SPDX-License-Identifier: Apache-2.0
#include "machine/described/expand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "machine/described/die_links.hpp"
#include "machine/described/edge_settings.hpp"
#include "machine/described/faults.hpp"
#include "machine/described/nodes.hpp"
#include "machine/described/path.hpp"
#include "machine/described/sections.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

using config::Entry;
using config::Shape;
using config::Value;

namespace {

class Expansion {
 public:
  Expansion(Value& tree, std::vector<Diagnostic>& diagnostics)
      : tree_(tree), diagnostics_(diagnostics), description_(take_blocks(tree)), links_(tree) {}

  void run(Value graph) {
    if (graph.shape != Shape::map)
      return refuse(graph.where, "'graph' must be a map of 'nodes' and 'edges'", "see docs/guide/structures.md");
    for (Entry& entry : graph.entries)
      if (entry.key == "nodes")
        change_nodes(description_, entry.value, diagnostics_);
      else if (entry.key != "edges")
        refuse(entry.where, fmt::format("'graph' has no '{}'", entry.key), "it has 'nodes' and 'edges'");
    if (Value* given = graph.find("edges")) edges(*given);
    if (!diagnostics_.empty()) return;
    follow(graph.where);
  }

 private:
  void refuse(const config::Position& where, std::string message, std::string hint) {
    diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
  }

  // Edges.

  void edges(Value& all) {
    if (all.shape != Shape::list)
      return refuse(all.where, fmt::format("'edges' must be a list, not {}", name_of(all.shape)),
                    "write edges: [{from: A, to: B}]");
    std::vector<Connection> given;
    for (Value& edge : all.items) {
      if (std::optional<Connection> made = connection(edge)) given.push_back(std::move(*made));
    }
    for (const Connection& edge : given) replace(edge);
    description_.connections.insert(description_.connections.end(), given.begin(), given.end());
  }

  std::optional<Connection> connection(Value& edge) {
    Value from;
    Value to;
    if (edge.shape != Shape::map || !take(edge, "from", from) || !take(edge, "to", to) || from.text.empty() ||
        to.text.empty()) {
      refuse(edge.where, "an edge needs the names of two nodes", "write {from: A, to: B}");
      return std::nullopt;
    }
    if (links_.take(from, to, edge, diagnostics_)) return std::nullopt;
    const Block* const source = description_.find(from.text);
    const Block* const target = description_.find(to.text);
    if (source == nullptr) unknown_node(description_, from.text, from.where, diagnostics_);
    if (target == nullptr) unknown_node(description_, to.text, to.where, diagnostics_);
    if (source == nullptr || target == nullptr) return std::nullopt;
    if (source == target || !may_lead(source->kind, target->kind)) {
      refuse(edge.where,
             fmt::format("no edge leads from '{}', a {}, to '{}', a {}", from.text, info(source->kind).name, to.text,
                         info(target->kind).name),
             "");
      return std::nullopt;
    }
    return Connection{from.text, to.text, std::move(edge), false};
  }

  /// An edge takes the place of the implied ones of its path that leave the same node or reach the same one.
  void replace(const Connection& edge) {
    const auto kind = [this](const std::string& node) { return description_.find(node)->kind; };
    const auto of_pages = [&kind](const Connection& each) { return translates(kind(each.to)); };
    const auto of_loads = [&kind](const Connection& each) {
      return on_path(kind(each.from)) && on_path(kind(each.to));
    };
    std::erase_if(description_.connections, [&](const Connection& each) {
      const bool same_from = each.from == edge.from;
      const bool same_to = each.to == edge.to;
      const bool one_path = (of_pages(each) && of_pages(edge)) || (of_loads(each) && of_loads(edge));
      return each.implied && ((same_from && same_to) || (one_path && (same_from || same_to)));
    });
  }

  // Positions.

  void follow(const config::Position& where) {
    const std::vector<Placed> placed = placed_blocks(description_, memory_is_apart(tree_), where, diagnostics_);
    if (!diagnostics_.empty()) return;
    for (const Connection& edge : description_.connections)
      if (!edge.implied) set(edge);
    asked_by_core();
    put_blocks(tree_, placed, diagnostics_);
    links_.put(tree_, diagnostics_);
    if (diagnostics_.empty()) compare();
  }

  /// Writes what an edge sets into the settings of its blocks.
  void set(const Connection& edge) {
    Block& from = *description_.find(edge.from);
    Block& to = *description_.find(edge.to);
    const std::vector<EdgeSetting> known = edge_settings(from.kind, to.kind);
    for (const Entry& entry : edge.settings.entries) {
      const auto row = std::ranges::find(known, entry.key, &EdgeSetting::name);
      if (row == known.end()) {
        std::vector<std::string_view> names;
        for (const EdgeSetting& each : known) names.push_back(each.name);
        refuse(entry.where, fmt::format("an edge from '{}' to '{}' has no '{}'", edge.from, edge.to, entry.key),
               names.empty() ? "it has no settings" : fmt::format("it has {}", fmt::join(names, ", ")));
        continue;
      }
      Block& owner = row->of_from ? from : to;
      Value over = empty_map(entry.value.where);
      place(over, row->path) = entry.value;
      refuse_twice(owner.settings, over, diagnostics_);
      merge(owner.settings, std::move(over), diagnostics_);
    }
  }

  /// Whether the first TLB is asked by cores or by what misses the first caches.
  void asked_by_core() {
    for (const Connection& edge : description_.connections) {
      const Block& from = *description_.find(edge.from);
      if (edge.implied || translates(from.kind) || !translates(description_.find(edge.to)->kind)) continue;
      Value over = empty_map(edge.settings.where);
      place(over, "translate_before_l1") = scalar(from.kind == BlockKind::core ? "true" : "false", edge.settings.where);
      const std::string_view given = text_of(tree_, "translate_before_l1");
      if (given != text_of(over, "translate_before_l1")) refuse_twice(tree_, over, diagnostics_);
      merge(tree_, std::move(over), diagnostics_);
    }
  }

  /// Every edge must be one of the machine that the sections describe.
  void compare() {
    Value made = tree_;
    const Description machine = take_blocks(made);
    for (const Connection& edge : description_.connections) {
      const auto same = [&edge](const Connection& each) { return each.from == edge.from && each.to == edge.to; };
      if (edge.implied || std::ranges::any_of(machine.connections, same)) continue;
      std::vector<std::string> ends;
      for (const Connection& each : machine.connections)
        if (each.from == edge.from) ends.push_back("'" + each.to + "'");
      refuse(edge.settings.where, fmt::format("the machine has no edge from '{}' to '{}'", edge.from, edge.to),
             ends.empty() ? "" : fmt::format("'{}' leads to {}", edge.from, fmt::join(ends, ", ")));
    }
  }

  Value& tree_;
  std::vector<Diagnostic>& diagnostics_;
  Description description_;
  DieLinks links_;
};

}  // namespace

void MachineSpec::expand(Value& tree, std::vector<Diagnostic>& diagnostics) { expand_graph(tree, diagnostics); }

void expand_graph(Value& tree, std::vector<Diagnostic>& diagnostics) {
  Value graph;
  if (!take(tree, "graph", graph)) return;
  std::vector<Diagnostic> own;
  Expansion(tree, own).run(std::move(graph));
  diagnostics.insert(diagnostics.end(), own.begin(), own.end());
}

}  // namespace strata::machine
