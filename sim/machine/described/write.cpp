// SPDX-License-Identifier: Apache-2.0
#include "machine/described/write.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "machine/described/die_links.hpp"
#include "machine/described/edge_settings.hpp"
#include "machine/described/sections.hpp"
#include "machine/layout/setting_tree.hpp"

namespace strata::machine {

using config::Effective;
using config::Entry;
using config::Shape;
using config::Value;

namespace {

Effective effective(const Value& value, std::string key = {}) {
  Effective made;
  made.key = std::move(key);
  made.shape = value.shape;
  made.text = value.text;
  made.set_by = value.where;
  made.provenance = value.provenance;
  for (const Entry& entry : value.entries) made.children.push_back(effective(entry.value, entry.key));
  for (const Value& item : value.items) made.children.push_back(effective(item));
  return made;
}

Value edge_of(const Connection& connection, Description& description) {
  Block& from = *description.find(connection.from);
  Block& to = *description.find(connection.to);
  Value edge = empty_map(to.settings.where);
  place(edge, "from") = scalar(connection.from, edge.where);
  place(edge, "to") = scalar(connection.to, edge.where);
  for (const EdgeSetting& each : edge_settings(from.kind, to.kind)) {
    Value setting;
    if (take(each.of_from ? from.settings : to.settings, each.path, setting))
      place(edge, each.name) = std::move(setting);
  }
  return edge;
}

Value node_of(Block& block) {
  const BlockKindInfo& kind = info(block.kind);
  Value node = empty_map(block.settings.where);
  place(node, "kind") = scalar(std::string(kind.name), node.where);
  Value gone;
  if (!kind.named.empty()) take(block.settings, kind.named, gone);
  Value slice;
  const bool has_slices = kind.is_cache() && take(block.settings, "cache", slice);
  for (Entry& entry : block.settings.entries) node.entries.push_back(std::move(entry));
  if (has_slices)
    for (Entry& entry : slice.entries) node.entries.push_back(std::move(entry));
  return node;
}

/// Totals that follow from the size of a part: a change of that would contradict them.
void drop_totals(Value& tree) {
  const auto derived = [](Value& map, std::string_view path) {
    const Value* const there = at(map, path);
    return there != nullptr && there->provenance.origin == config::Origin::derived;
  };
  const auto drop = [&derived](Value& map, const char* total, std::string_view part) {
    Value gone;
    if (derived(map, total) || derived(map, part)) take(map, total, gone);
  };
  for (const char* section : {"l1", "l2", "memory_side_cache"})
    if (Value* map = tree.find(section)) drop(*map, "capacity", "cache.size");
  if (Value* levels = tree.find("levels"))
    for (Value& level : levels->items) drop(level, "capacity", "cache.size");
  if (Value* memory = tree.find("memory")) drop(*memory, "bandwidth", "channel.timing.data_rate");
}

/// The links of `network` as edges between dies, after those between blocks.
void links_of(Description& description, const DieLinks& dies, Value& edges) {
  Block* const network = description.find(info(BlockKind::network).node);
  Value links;
  if (network == nullptr || !take(network->settings, "links", links)) return;
  for (Value& link : links.items) {
    for (const char* end : {"from", "to"}) {
      Value& node = place(link, end);
      node = scalar(dies.name(node.text.empty() ? 0 : std::stoull(node.text)), node.where);
    }
    edges.items.push_back(std::move(link));
  }
}

}  // namespace

Effective with_graph(Value tree) {
  drop_totals(tree);
  const DieLinks dies(tree);
  Description description = take_blocks(tree);
  Value graph = empty_map(tree.where);
  Value edges = empty_map(tree.where);
  edges.shape = Shape::list;
  for (const Connection& connection : description.connections) edges.items.push_back(edge_of(connection, description));
  links_of(description, dies, edges);
  Value& nodes = place(graph, "nodes");
  for (Block& block : description.blocks) nodes.entries.push_back({block.name, block.settings.where, node_of(block)});
  place(graph, "edges") = std::move(edges);
  place(tree, "graph") = std::move(graph);
  return effective(tree);
}

}  // namespace strata::machine
