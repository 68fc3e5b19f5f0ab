// SPDX-License-Identifier: Apache-2.0
// The graph of a machine agrees with the rows that the machine is wired by, for every GPU and every example of another
// structure, and its settings are there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/layout/graph.hpp"
#include "machine/layout/numa.hpp"
#include "machine/levels.hpp"

namespace strata::machine::test {
namespace {

using namespace strata::literals;
using Names = std::vector<std::string>;

struct Drawn {
  config::Loaded<MachineSpec> loaded;
  Graph graph;
  const MachineSpec& spec() const { return loaded.spec; }

  const Node& node(const std::string& wanted) const {
    const auto found = std::ranges::find(graph.nodes, wanted, &Node::name);
    INFO(wanted);
    REQUIRE(found != graph.nodes.end());
    return *found;
  }
  std::vector<Edge> edges(const std::string& from, const std::string& to) const {
    std::vector<Edge> all;
    for (const Edge& edge : graph.edges)
      if (graph.nodes[edge.from].name == from && graph.nodes[edge.to].name == to) all.push_back(edge);
    return all;
  }
  Edge edge(const std::string& from, const std::string& to) const {
    const std::vector<Edge> all = edges(from, to);
    INFO(from << " to " << to);
    REQUIRE(all.size() == 1);
    return all.front();
  }
  Names path() const {
    Names names;
    for (const std::size_t node : graph.path_of_load) names.push_back(graph.nodes[node].name);
    return names;
  }
};

std::string structure(const char* name) {
  return (std::filesystem::path(STRATA_SOURCE_DIR) / "docs/guide/structures" / name).string();
}

Drawn drawn(const std::string& gpu, const Names& overrides = {}) {
  const tools::Library library(STRATA_SOURCE_DIR);
  Drawn made{config::load<MachineSpec>(library.gpu(gpu), library.configurations(), overrides), {}};
  made.graph = graph_of(consistent(made.spec()));
  return made;
}

Names every_machine() {
  Names all = tools::Library(STRATA_SOURCE_DIR).gpus();
  for (const auto& entry : std::filesystem::directory_iterator(structure("")))
    if (entry.path().extension() == ".yaml") all.push_back(entry.path().string());
  return all;
}

// The levels that may serve a load of global memory.
Names served_by(const Drawn& machine) {
  Names names;
  for (const std::size_t n : machine.graph.path_of_load) {
    const Node& node = machine.graph.nodes[n];
    if (node.kind == NodeKind::memory) names.push_back(node.name);
    if (!node.caches() || node.kind == NodeKind::victim_cache) continue;
    names.push_back(node.name);
    const bool asked_by_others = std::ranges::any_of(
        machine.graph.edges, [n](const Edge& edge) { return edge.to == n && edge.carries == Carries::other_homes; });
    if (asked_by_others) names.push_back("far " + node.name);
  }
  for (const Node& node : machine.graph.nodes)
    if (node.kind == NodeKind::host_memory) names.push_back(node.name);
  return names;
}

void check_path(const Drawn& machine) {
  CHECK(served_by(machine) == level_names(machine.spec(), trace::Space::global));
  const std::vector<std::size_t>& path = machine.graph.path_of_load;
  for (std::size_t i = 1; i < path.size(); ++i) {
    INFO(machine.graph.nodes[path[i - 1]].name << " to " << machine.graph.nodes[path[i]].name);
    CHECK(std::ranges::any_of(machine.graph.edges, [&](const Edge& edge) {
      return (edge.from == path[i - 1] && edge.to == path[i]) ||
             (edge.both_ways && edge.from == path[i] && edge.to == path[i - 1]);
    }));
  }
}

void check_capacities(const Drawn& machine) {
  std::size_t at = 0;
  const std::vector<Capacity> expected = capacities(machine.spec());
  for (const std::size_t n : machine.graph.path_of_load) {
    const Node& node = machine.graph.nodes[n];
    if (!node.caches() || node.kind == NodeKind::victim_cache) continue;
    INFO(node.name);
    REQUIRE(at < expected.size());
    if (expected[at].level == "near " + node.name) CHECK(node.capacity->value == expected[at++].bytes);
    const bool all =
        node.kind == NodeKind::memory_side_cache || (at > 0 && expected[at - 1].level.starts_with("near "));
    CHECK(expected[at].level == node.name);
    CHECK(node.capacity->value * (all ? node.instances : 1) == expected[at++].bytes);
  }
  CHECK(at == expected.size());
  std::uint64_t dram = 0;
  for (const Node& node : machine.graph.nodes)
    if (node.kind == NodeKind::memory) dram += node.capacity->value * node.instances;
  CHECK(dram == machine.spec().memory.size.value);
}

void check_settings(const Drawn& machine) {
  const config::Effective root = machine.loaded.effective();
  for (const Node& node : machine.graph.nodes) {
    INFO(node.name << ": " << node.path);
    CHECK(config::find_path(root, node.path) != nullptr);
  }
  for (const Edge& edge : machine.graph.edges) {
    INFO(machine.graph.nodes[edge.from].name << " to " << machine.graph.nodes[edge.to].name);
    CHECK_FALSE(edge.settings.empty());
    for (const std::string& path : edge.settings) {
      INFO(path);
      CHECK(config::find_path(root, path) != nullptr);
    }
  }
}

// From the first node along edges, in both directions where they are such.
void check_connected(const Drawn& machine) {
  std::set<std::size_t> reached{0};
  for (bool grows = true; grows;) {
    grows = false;
    for (const Edge& edge : machine.graph.edges) {
      if (reached.contains(edge.from)) grows |= reached.insert(edge.to).second;
      if (edge.both_ways && reached.contains(edge.to)) grows |= reached.insert(edge.from).second;
    }
  }
  CHECK(reached.size() == machine.graph.nodes.size());
  std::set<std::string> names;
  for (const Node& node : machine.graph.nodes) CHECK(names.insert(node.name).second);
}

void check_all(const Drawn& machine) {
  check_path(machine);
  check_capacities(machine);
  check_settings(machine);
  check_connected(machine);
}

}  // namespace

TEST_CASE("the_graph_of_every_machine_agrees_with_its_levels_capacities_and_settings") {
  const Names machines = every_machine();
  REQUIRE(machines.size() == 29);
  for (const std::string& machine : machines) {
    INFO(machine);
    check_all(drawn(machine));
  }
}

TEST_CASE("the_graph_of_an_overridden_structure_agrees_as_well") {
  const std::vector<std::pair<std::string, Names>> machines{
      {"b580", {"l2.bypass=true"}},
      {"mi300x", {"l2.bypass=true"}},
      {"mi300x", {"memory_side_cache=none", "l2.bypass=true"}},
      {"b580", {"crossbar.stops.shape=ring", "crossbar.stops.columns=20"}},
      {"b580", {"host.bandwidth=63GB/s", "host.latency=100ns", "host.memory_latency=120ns"}},
      {structure("b580-part-l3.yaml"), {"host.bandwidth=63GB/s", "host.latency=100ns", "host.memory_latency=120ns"}},
      {"mi300x", {"memory.interleave=per_die", "pages.placement=contiguous"}}};
  for (const auto& [gpu, overrides] : machines) {
    INFO(gpu << ' ' << fmt::format("{}", fmt::join(overrides, " ")));
    check_all(drawn(gpu, overrides));
  }
}

TEST_CASE("the_dies_of_a_b200_ask_the_l2_of_the_home") {
  const Drawn b200 = drawn("b200");
  const MachineSpec& spec = b200.spec();
  const Node& l2 = b200.node("L2");
  CHECK(l2.kind == NodeKind::cache);
  CHECK(l2.shared_by == SharedBy::die);
  CHECK(l2.instances == 2);
  CHECK(l2.parts == spec.l2.slices_per_die);
  CHECK(l2.copies);
  CHECK(l2.path == "l2.cache");
  CHECK(b200.node("L1").instances == spec.dies.compute * spec.dies.cores_per_die);
  CHECK(b200.node("L1").capacity == spec.l1.chosen().size);
  const Edge asks = b200.edge("L2", "die router");
  CHECK(asks.carries == Carries::other_homes);
  REQUIRE(asks.homes.size() == 1);
  CHECK(asks.homes.front().address_bits == spec.l2.index.home_bits.front().address_bits);
  CHECK(b200.edge("die router", "L2").depth == spec.l2.cache.input_depth);
  CHECK(b200.edge("L2", "DRAM").carries == Carries::own_home);
  const Edge link = b200.edge("die router", "die router");
  CHECK(link.both_ways);
  CHECK(link.from_instance == 0U);
  CHECK(link.to_instance == 1U);
  CHECK(std::get<BytesPerSecond>(link.requests.value()) == spec.network.links.front().bandwidth);
  CHECK(std::get<Nanoseconds>(link.latency.value()) == spec.network.links.front().latency);
}

TEST_CASE("a_load_of_an_mi300x_passes_routers_to_an_infinity_cache_without_copies") {
  const Drawn mi300x = drawn("mi300x");
  const MachineSpec& spec = mi300x.spec();
  CHECK(mi300x.node("L2").instances == 8);
  CHECK(mi300x.node("L2").copies);
  const Node& side = mi300x.node("Infinity Cache");
  CHECK(side.kind == NodeKind::memory_side_cache);
  CHECK(side.shared_by == SharedBy::memory_die);
  CHECK(side.instances == 4);
  CHECK(side.parts == spec.memory_side_cache->slices_per_die);
  CHECK_FALSE(side.copies);
  CHECK_FALSE(side.addresses.has_value());
  CHECK(mi300x.edge("L2", "compute die router").homes.size() == 2);
  const Names path = mi300x.path();
  const Names end{"L2", "compute die router", "memory die router", "Infinity Cache", "DRAM"};
  REQUIRE(path.size() > end.size());
  CHECK(Names(path.end() - 5, path.end()) == end);
  CHECK(mi300x.edges("compute die router", "memory die router").size() == 8);
  CHECK(mi300x.edges("compute die router", "memory die router").size() +
            mi300x.edges("memory die router", "memory die router").size() ==
        spec.network.links.size());
}

TEST_CASE("the_addresses_of_an_mi300x_of_four_numa_domains_are_those_of_its_memory_dies") {
  const Drawn mi300x = drawn("mi300x", {"memory.interleave=per_die", "pages.placement=contiguous"});
  CHECK(mi300x.node("DRAM").apart == Bytes{domain_bytes(mi300x.spec())});
  CHECK_FALSE(drawn("mi300x").node("DRAM").apart.has_value());
}

TEST_CASE("a_b580_has_one_l2_behind_one_crossbar") {
  const Drawn b580 = drawn("b580");
  const MachineSpec& spec = b580.spec();
  CHECK(b580.node("L2").instances == 1);
  CHECK(b580.node("L2").capacity == spec.l2.capacity);
  CHECK_FALSE(b580.node("L2").copies);
  CHECK(b580.node("L1").copies);
  const Edge to_l2 = b580.edge("crossbar", "L2");
  CHECK(std::get<Cycles>(to_l2.latency.value()) == spec.crossbar.request_latency);
  CHECK(std::get<Cycles>(to_l2.back.value()) == spec.crossbar.response_latency);
  CHECK(to_l2.enough == (spec.crossbar.depth == 0));
  CHECK(to_l2.index == spec.l2.index.policy);
  CHECK(std::get<Nanoseconds>(b580.edge("L2", "DRAM").latency.value()) == spec.memory.latency);
}

TEST_CASE("requests_for_other_addresses_bypass_a_level_that_homes_a_range") {
  const Drawn part = drawn(structure("b580-part-l3.yaml"));
  const Node& l3 = part.node("L3");
  REQUIRE(l3.addresses.has_value());
  CHECK(l3.addresses->to == 32_MiB);
  CHECK(part.edge("L2", "L3").carries == Carries::all);
  CHECK(part.edge("L2", "DRAM").carries == Carries::bypass);
  CHECK(part.edge("L3", "DRAM").carries == Carries::all);
  CHECK(drawn(structure("b580-l3.yaml")).edges("L2", "DRAM").empty());
}

TEST_CASE("past_the_l2_of_the_home_die_only_blocks_of_that_home_bypass_a_level") {
  const Drawn b200 = drawn(
      "b200", {"memory_side_cache={slices_per_die: 60, index: {policy: avalanche}, addresses: {from: 0 B, to: 32 MiB}, "
               "cache: {name: L3, size: 1 MiB, ways: 16, tag_latency: 5 clk, hit_latency: 20 clk, fill_latency: 2 clk, "
               "data_width: 64 B/clk, mshrs: 64}}"});
  CHECK(b200.edge("L2", "L3").carries == Carries::own_home);
  CHECK(b200.edge("L2", "DRAM").carries == Carries::own_bypass);
  CHECK(name(Carries::own_bypass) == "own home, bypass");
}

TEST_CASE("a_level_of_render_slices_is_between_the_l1s_and_the_crossbar") {
  const Drawn slices = drawn(structure("b580-render-slices.yaml"));
  const Node& level = slices.node("L1.5");
  CHECK(level.shared_by == SharedBy::group);
  CHECK(level.instances == groups_of_die(slices.spec().dies));
  CHECK(level.capacity == 1_MiB);
  CHECK(level.path == "levels[0].cache");
  CHECK(std::get<BytesPerClock>(slices.edge("L1.5", "crossbar").requests.value()) == 256_B_clk);
}

TEST_CASE("far_memory_is_a_memory_die_behind_a_separate_link") {
  const Drawn far = drawn(structure("b580-far-memory.yaml"));
  const std::vector<Edge> links = far.edges("compute die router", "memory die router");
  REQUIRE(links.size() == 2);
  CHECK(links[1].name == "far memory");
  CHECK(links[1].from_instance == 0U);
  CHECK(links[1].to_instance == 1U);
  CHECK(std::get<BytesPerSecond>(links[1].requests.value()) == 64_GB_s);
  CHECK(far.node("DRAM").instances == 2);
  CHECK(far.node("DRAM").apart == 16_GiB);
}

TEST_CASE("a_ring_in_a_die_is_a_router_joined_with_itself") {
  const Drawn ring = drawn("b580", {"crossbar.stops.shape=ring", "crossbar.stops.columns=20"});
  const Node& stops = ring.node("ring of the crossbar");
  CHECK(stops.kind == NodeKind::router);
  CHECK(stops.parts == 20);
  CHECK(ring.edge("ring of the crossbar", "ring of the crossbar").both_ways);
}

TEST_CASE("a_victim_cache_is_behind_its_l1") {
  const Drawn victim = drawn(structure("b580-victim.yaml"));
  CHECK(victim.edges("L1", "crossbar").empty());
  CHECK(victim.node("victim cache").capacity == 1_KiB);
}

TEST_CASE("a_buffer_shows_the_depth_that_was_set") {
  const Drawn set = drawn("b200", {"crossbar.depth=77", "network.links[0].depth=55"});
  const auto into_l2 = set.edges("crossbar", "L2");
  REQUIRE(into_l2.size() == 1);
  CHECK(into_l2.front().depth == 77U);
  CHECK_FALSE(into_l2.front().enough);
  CHECK(set.edge("die router", "die router").depth == 55U);
}

}  // namespace strata::machine::test
