// SPDX-License-Identifier: Apache-2.0
#include "machine/described/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/printable.hpp"
#include "base/text_distance.hpp"
#include "machine/caches_spec.hpp"
#include "machine/described/edge_settings.hpp"
#include "machine/described/faults.hpp"

namespace strata::machine {

using config::Entry;
using config::Shape;
using config::Value;

namespace {

/// Settings of a node that belong to the level, or to the L1 or L2, that it becomes; the others are of one slice.
const std::set<std::string>& settings_of_level() {
  static const std::set<std::string> all = [] {
    std::set<std::string> names{"provenance"};
    const auto add = [&names](const config::SchemaInfo& section) {
      for (std::string& name : section.names()) names.insert(std::move(name));
    };
    add(*L1Spec::schema().info());
    add(*L2Spec::schema().info());
    add(*LevelSpec::schema().info());
    add(*InstructionCacheSpec::schema().info());
    add(*MemorySideCacheSpec::schema().info());
    for (const char* elsewhere : {"cache", "latency", "index", "victim_cache", "bypass"}) names.erase(elsewhere);
    return names;
  }();
  return all;
}

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
      block->settings.where = node.where;
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
    if (!is_name(node)) return;
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
    if (block == nullptr && !kind->section.empty()) {
      const auto same = std::ranges::find(description_.blocks, kind->kind, &Block::kind);
      if (same != description_.blocks.end())
        return refuse(node.where, fmt::format("a machine has one node of kind '{}', here '{}'", kind->name, same->name),
                      "change that node, or set it to none");
    }
    if (block == nullptr) {
      description_.blocks.push_back({node.key, kind->kind, std::move(settings)});
    } else {
      refuse_twice(block->settings, settings, diagnostics_);
      merge(block->settings, std::move(settings), diagnostics_);
    }
  }

  /// Whether edges and messages can name it.
  bool is_name(const Entry& node) {
    const bool of_a_die =
        node.key.starts_with("die ") || node.key.starts_with("memory die ") || node.key.starts_with("compute die ");
    if (!node.key.empty() && printable(node.key) == node.key && node.key.find('|') == std::string::npos && !of_a_die)
      return true;
    refuse(node.where, fmt::format("'{}' cannot be the name of a node", node.key),
           of_a_die ? "edges between dies have these names" : "");
    return false;
  }

  const BlockKindInfo* kind_of(const Entry& node, const Value* given) {
    std::vector<std::string> names;
    for (const BlockKindInfo& each : block_kinds()) {
      const bool here = given == nullptr ? each.node == node.key : each.name == given->text;
      if (here && !each.node.empty() && each.node != node.key) {
        refuse(node.where, fmt::format("the node of kind '{}' is called '{}'", each.name, each.node), "");
        return nullptr;
      }
      if (here) return &each;
      names.emplace_back(each.name);
    }
    const std::string near = given != nullptr ? did_you_mean(nearest_name(given->text, names)) : "";
    refuse(given != nullptr ? given->where : node.where,
           given != nullptr ? fmt::format("node '{}' has no kind '{}'", node.key, given->text)
                            : fmt::format("node '{}' is new and has no 'kind'", node.key),
           near.empty() ? fmt::format("kinds are {}", fmt::join(names, ", ")) : near);
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
        const bool of_slice = kind.is_cache() && !settings_of_level().contains(entry.key);
        Value& map = of_slice ? place(settings, "cache") : settings;
        map.entries.push_back(std::move(entry));
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
