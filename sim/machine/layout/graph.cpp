// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/layout/address_maps.hpp"
#include "machine/layout/graph_builder.hpp"
#include "machine/layout/shapes.hpp"

namespace strata::machine {

std::string_view name(NodeKind kind) {
  switch (kind) {
    case NodeKind::core:
      return "core";
    case NodeKind::shared_memory:
      return "shared memory";
    case NodeKind::cluster_network:
      return "cluster network";
    case NodeKind::copy_unit:
      return "copy unit";
    case NodeKind::cache:
      return "cache";
    case NodeKind::victim_cache:
      return "victim cache";
    case NodeKind::memory_side_cache:
      return "memory-side cache";
    case NodeKind::tlb:
      return "TLB";
    case NodeKind::page_walker:
      return "page walker";
    case NodeKind::concentrator:
      return "concentrator";
    case NodeKind::crossbar:
      return "crossbar";
    case NodeKind::router:
      return "router";
    case NodeKind::memory:
      return "memory";
    case NodeKind::host_memory:
      return "host memory";
  }
  return "";
}

std::string_view name(SharedBy shared_by) {
  switch (shared_by) {
    case SharedBy::core:
      return "core";
    case SharedBy::some_cores:
      return "some cores";
    case SharedBy::cluster:
      return "cluster";
    case SharedBy::group:
      return "group";
    case SharedBy::die:
      return "die";
    case SharedBy::memory_die:
      return "memory die";
    case SharedBy::machine:
      return "machine";
  }
  return "";
}

std::string_view name(Carries carries) {
  switch (carries) {
    case Carries::all:
      return "all";
    case Carries::own_home:
      return "own home";
    case Carries::other_homes:
      return "other homes";
    case Carries::bypass:
      return "bypass";
    case Carries::own_bypass:
      return "own home, bypass";
    case Carries::translation:
      return "pages";
    case Carries::bulk_space:
      return "bulk copies";
    case Carries::code:
      return "instructions";
    case Carries::shared_space:
      return "shared memory";
    case Carries::host:
      return "host";
  }
  return "";
}

namespace {

SharedBy sharers_of(Sharers sharers) {
  switch (sharers) {
    case Sharers::core:
      return SharedBy::core;
    case Sharers::group:
      return SharedBy::group;
    case Sharers::die:
      return SharedBy::die;
    case Sharers::memory_die:
      return SharedBy::memory_die;
  }
  return SharedBy::core;
}

// In clusters of `most`; the last of a group has the rest.
std::uint64_t clusters_of(const fabric::CrossbarShape& shape) {
  const std::uint32_t most = std::max(shape.sources_per_cluster, 1U);
  const auto of = [most](std::uint32_t size) { return (size + most - 1) / most; };
  std::uint64_t all = 0;
  for (const std::uint32_t size : shape.group_sizes) all += of(size);
  if (!shape.group_sizes.empty()) return all;
  return std::uint64_t{shape.sources / shape.sources_per_group} * of(shape.sources_per_group) +
         of(shape.sources % shape.sources_per_group);
}

// What is left of an edge's requests where a level homes some of them.
Carries passing_by(Carries carries) {
  const bool own = carries == Carries::own_home || carries == Carries::own_bypass;
  return own ? Carries::own_bypass : Carries::bypass;
}

}  // namespace

std::size_t GraphBuilder::add(Node node) {
  graph_.nodes.push_back(std::move(node));
  return graph_.nodes.size() - 1;
}

void GraphBuilder::join(std::size_t from, std::size_t to, Edge edge) {
  edge.from = from;
  edge.to = to;
  graph_.edges.push_back(std::move(edge));
}

void GraphBuilder::lead_to(std::size_t node, const Edge& edge) {
  for (const End& end : ends_) {
    Edge own = edge;
    if (end.carries != Carries::all) own.carries = end.carries;
    join(end.node, node, std::move(own));
  }
  ends_ = {{node}};
  graph_.path_of_load.push_back(node);
}

void GraphBuilder::level(const Level& level) {
  const bool at_memory = level.shared_by == Sharers::memory_die;
  // Behind a partitioned L2 there are blocks of the own home alone.
  const bool one_home = at_memory || (level.shared_by == Sharers::die && !level.is_l2() && spec_.l2.partitioned);
  const std::size_t node = add({.name = level.cache->name,
                                .kind = at_memory ? NodeKind::memory_side_cache : NodeKind::cache,
                                .path = level.path + ".cache",
                                .instances = level.instances,
                                .shared_by = sharers_of(level.shared_by),
                                .parts = level.slices,
                                .capacity = Bytes{level.slices * level.cache->size.value},
                                .port = level.cache->data_width,
                                .clock = level.clock,
                                .addresses = level.addresses,
                                .copies = !one_home && level.instances > 1});
  if (level.is_l2()) return;  // the crossbar leads to it
  const std::vector<End> beside = level.addresses ? ends_ : std::vector<End>{};
  lead_to(node, {.latency = level.latency,
                 .clock = level.clock,
                 .depth = static_cast<std::uint32_t>(level.cache->input_depth),
                 .index = level_map_of(spec_, level).index,
                 .settings = {level.path + ".latency", level.path + ".cache.input_depth", level.path + ".index.policy",
                              level.slices_path}});
  for (const End& end : beside) ends_.push_back({end.node, passing_by(end.carries)});
}

void GraphBuilder::levels(Sharers sharers) {
  for (const Level& each : levels_)
    if (each.shared_by == sharers && !each.is_l2()) level(each);
}

// A wire that sources share stands between them and the crossbar. The edge is that out of a source before, and that
// into the crossbar afterwards.
void GraphBuilder::concentrators(Edge& edge) {
  const fabric::CrossbarSpec& crossbar = spec_.crossbar;
  const fabric::CrossbarShape shape = crossbar_shape(spec_);
  const auto coalesced_by = [&](fabric::CoalescerScope scope) {
    return crossbar.coalescer && crossbar.coalescer->scope == scope;
  };
  const auto reach = [&](const char* name, SharedBy shared_by, std::uint64_t of_die, fabric::CoalescerScope scope) {
    const std::size_t node = add({.name = name,
                                  .kind = NodeKind::concentrator,
                                  .path = coalesced_by(scope) ? "crossbar.coalescer" : "crossbar",
                                  .instances = spec_.dies.compute * of_die,
                                  .shared_by = shared_by});
    lead_to(node, edge);
  };
  if (crossbar.cluster_write_width.value > 0 || coalesced_by(fabric::CoalescerScope::cluster)) {
    reach("crossbar cluster", SharedBy::cluster, clusters_of(shape), fabric::CoalescerScope::cluster);
    edge = {.stores = limited(crossbar.cluster_write_width),
            .clock = spec_.clocks.core,
            .settings = {"crossbar.cluster_write_width", "dies.cores_per_cluster"}};
  }
  const bool wires = crossbar.group_request_width.value > 0 || crossbar.group_write_width.value > 0 ||
                     crossbar.group_response_width.value > 0;
  if (!wires && !coalesced_by(fabric::CoalescerScope::group)) return;
  reach("crossbar group", SharedBy::group, groups_of_die(spec_.dies), fabric::CoalescerScope::group);
  edge = {.requests = limited(crossbar.group_request_width),
          .stores = limited(crossbar.group_write_width),
          .responses = limited(crossbar.group_response_width),
          .clock = spec_.clocks.core,
          .settings = {"crossbar.group_request_width", "crossbar.group_write_width", "crossbar.group_response_width"}};
}

void GraphBuilder::crossbar() {
  const fabric::CrossbarSpec& crossbar = spec_.crossbar;
  Edge in{.requests = limited(crossbar.source_request_width),
          .stores = limited(crossbar.source_write_width),
          .responses = limited(crossbar.source_response_width),
          .clock = spec_.clocks.core,
          .depth = crossbar.stand_aside,
          .settings = {"crossbar.source_request_width", "crossbar.source_write_width", "crossbar.source_response_width",
                       "crossbar.stand_aside"}};
  concentrators(in);
  Node node{.name = "crossbar",
            .kind = NodeKind::crossbar,
            .path = "crossbar",
            .instances = spec_.dies.compute,
            .shared_by = SharedBy::die};
  if (crossbar.stops) {
    const bool ring = crossbar.stops->shape == fabric::StopShape::ring;
    node.name = ring ? "ring of the crossbar" : "mesh of the crossbar";
    node.kind = NodeKind::router;
    node.path = "crossbar.stops";
    node.parts = std::uint64_t{crossbar.stops->columns} * (ring ? 1 : crossbar.stops->rows);
  }
  const std::size_t added = add(std::move(node));
  lead_to(added, in);
  if (crossbar.stops)
    join(added, added,
         {.both_ways = true,
          .requests = limited(crossbar.stops->link_width),
          .responses = limited(crossbar.stops->link_width),
          .latency = crossbar.stops->hop_latency,
          .back = crossbar.stops->hop_latency,
          .clock = spec_.clocks.l2,
          .settings = {"crossbar.stops.link_width", "crossbar.stops.hop_latency", "crossbar.stops.columns"}});
  l2();
}

void GraphBuilder::l2() {
  const fabric::CrossbarSpec& crossbar = spec_.crossbar;
  const std::size_t node = graph_.nodes.size();
  if (spec_.l2.bypass)
    add({.name = "crossbar output",
         .kind = NodeKind::router,
         .path = "l2.slices_per_die",
         .instances = spec_.dies.compute,
         .shared_by = SharedBy::die,
         .parts = spec_.l2.slices_per_die});
  else
    level(*std::find_if(levels_.begin(), levels_.end(), [](const Level& each) { return each.is_l2(); }));
  lead_to(node, {.requests = limited(crossbar.destination_request_width),
                 .responses = limited(crossbar.destination_response_width),
                 .latency = crossbar.request_latency,
                 .back = crossbar.response_latency,
                 .clock = spec_.clocks.l2,
                 .depth = crossbar.depth == 0 ? std::nullopt : std::optional(crossbar.depth),
                 .enough = crossbar.depth == 0,
                 .index = l2_map_of(spec_).index,
                 .settings = {"crossbar.destination_request_width", "crossbar.destination_response_width",
                              "crossbar.request_latency", "crossbar.response_latency", "crossbar.depth",
                              "l2.index.policy", "l2.slices_per_die"}});
}

Graph GraphBuilder::build() {
  cores();
  levels(Sharers::core);
  levels(Sharers::group);
  crossbar();
  if (!spec_.dies.apart()) between_dies();
  levels(Sharers::die);
  if (spec_.dies.apart()) between_dies();
  memory_dies();
  return std::move(graph_);
}

Graph graph_of(const MachineSpec& spec) { return GraphBuilder(spec).build(); }

}  // namespace strata::machine
