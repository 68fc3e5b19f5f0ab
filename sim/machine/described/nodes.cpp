// SPDX-License-Identifier: Apache-2.0
#include "machine/described/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "machine/described/edge_settings.hpp"
#include "machine/described/faults.hpp"

namespace strata::machine {

using config::Entry;
using config::Shape;
using config::Value;

namespace {

/// Of a cache as an entry of `levels` has them; the others are of one slice.
const std::set<std::string_view> settings_of_level{"shared_by",   "slices",    "capacity",   "addresses",
                                                   "partitioned", "carve_out", "carve_outs", "provenance"};

class NodeChanges {
 public:
  NodeChanges(Description& description, std::vector<Diagnostic>& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}

  void change(Value& all) {
    if (all.shape != Shape::map)
      return refuse(all.where, fmt::format("'nodes' must be a map of nodes by their names, not {}", name_of(all.shape)),
                    "");
    for (Entry& node : all.entries) {
      if (node.value.shape == Shape::scalar && node.value.text == "none")
        remove(node);
      else if (node.value.shape == Shape::map)
        add_or_change(node);
      else
        refuse(node.where, fmt::format("node '{}' must be a map of settings, or 'none'", node.key), "");
    }
  }

 private:
  void refuse(const config::Position& where, std::string message, std::string hint) {
    diagnostics_.push_back(where.diagnostic(std::move(message), std::move(hint)));
  }

  void remove(const Entry& node) {
    Block* const block = description_.find(node.key);
    if (block == nullptr) return unknown_node(description_, node.key, node.where, diagnostics_);
    const bool needed = block->kind == BlockKind::core || block->kind == BlockKind::crossbar ||
                        block->kind == BlockKind::memory || block->kind == BlockKind::page_walker;
    if (needed || follows(BlockKind::core, *block))
      return refuse(node.where, fmt::format("'{}' cannot be left out: every machine has one", node.key), "");
    if (follows(BlockKind::crossbar, *block)) {
      // Its slices remain as outputs of the crossbar.
      block->kind = BlockKind::output;
      block->name = info(BlockKind::output).node;
      for (Connection& edge : description_.connections) {
        if (edge.from == node.key) edge.from = block->name;
        if (edge.to == node.key) edge.to = block->name;
      }
      return;
    }
    bridge(*block);
    std::erase_if(description_.connections,
                  [&](const Connection& edge) { return edge.from == node.key || edge.to == node.key; });
    std::erase_if(description_.blocks, [&](const Block& each) { return each.name == node.key; });
  }

  /// Connects what leads to a block of a path with what it leads to.
  void bridge(const Block& block) {
    if (!on_path(block.kind) && !translates(block.kind)) return;
    std::vector<Connection> made;
    for (const Connection& to : description_.connections)
      for (const Connection& from : description_.connections)
        if (to.to == block.name && from.from == block.name) made.push_back({to.from, from.to, empty_map({}), true});
    description_.connections.insert(description_.connections.end(), made.begin(), made.end());
  }

  bool follows(BlockKind kind, const Block& block) {
    return std::ranges::any_of(description_.connections, [&](const Connection& edge) {
      const Block* const from = description_.find(edge.from);
      return edge.to == block.name && from != nullptr && from->kind == kind && block.kind == BlockKind::cache;
    });
  }

  void add_or_change(Entry& node) {
    Value kind_text;
    const bool kind_given = take(node.value, "kind", kind_text);
    Block* block = description_.find(node.key);
    const BlockKindInfo* kind = block != nullptr ? &info(block->kind) : nullptr;
    if (kind == nullptr || kind_given) {
      const BlockKindInfo* const wanted = kind_of(node, kind_given ? &kind_text : nullptr);
      if (wanted == nullptr) return;
      if (kind != nullptr && kind != wanted)
        return refuse(kind_text.where, fmt::format("node '{}' is of kind '{}'", node.key, kind->name),
                      "leave 'kind' out, or choose another name");
      kind = wanted;
    }
    if (!kind->named.empty() && node.value.find("name") != nullptr)
      return refuse(node.value.find("name")->where, fmt::format("the name of node '{}' is its key", node.key),
                    "leave 'name' out");
    Value settings = of_block(*kind, node);
    if (block == nullptr) {
      description_.blocks.push_back({node.key, kind->kind, std::move(settings)});
    } else {
      refuse_twice(block->settings, settings, diagnostics_);
      merge(block->settings, std::move(settings), diagnostics_);
    }
  }

  const BlockKindInfo* kind_of(const Entry& node, const Value* given) {
    std::vector<std::string_view> names;
    for (const BlockKindInfo& each : block_kinds()) {
      const bool here = given == nullptr ? each.node == node.key : each.name == given->text;
      if (here && !each.node.empty() && each.node != node.key) {
        refuse(node.where, fmt::format("the node of kind '{}' is called '{}'", each.name, each.node), "");
        return nullptr;
      }
      if (here) return &each;
      names.push_back(each.name);
    }
    refuse(given != nullptr ? given->where : node.where,
           given != nullptr ? fmt::format("node '{}' has no kind '{}'", node.key, given->text)
                            : fmt::format("node '{}' is new and has no 'kind'", node.key),
           fmt::format("kinds are {}", fmt::join(names, ", ")));
    return nullptr;
  }

  /// The settings of a node as Block has them: those of a slice of a cache apart from those of the level.
  Value of_block(const BlockKindInfo& kind, Entry& node) {
    Value settings = empty_map(node.where);
    for (Entry& entry : node.value.entries) {
      if (kind.is_cache() && (entry.key == "latency" || entry.key == "index")) {
        refuse(entry.where, fmt::format("'{}' of node '{}' belongs to the edge that reaches it", entry.key, node.key),
               fmt::format("write edges: [{{from: ..., to: {}, {}: ...}}]", node.key, entry.key));
      } else {
        const bool of_slice = kind.is_cache() && !settings_of_level.contains(entry.key);
        place(settings, of_slice ? "cache." + entry.key : entry.key) = std::move(entry.value);
      }
    }
    return settings;
  }

  Description& description_;
  std::vector<Diagnostic>& diagnostics_;
};

}  // namespace

void change_nodes(Description& description, Value& nodes, std::vector<Diagnostic>& diagnostics) {
  NodeChanges(description, diagnostics).change(nodes);
}

}  // namespace strata::machine
