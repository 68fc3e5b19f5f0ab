// SPDX-License-Identifier: Apache-2.0
// A machine given as nodes and edges: every machine can be written so and read again, nodes and edges add to a base,
// and what contradicts is refused with its place.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/described/write.hpp"
#include "machine/levels.hpp"
#include "machine/spec.hpp"

namespace strata::machine::test {
namespace {

using Names = std::vector<std::string>;
using Loaded = config::Loaded<MachineSpec>;

std::string structure(const char* name) {
  return (std::filesystem::path(STRATA_SOURCE_DIR) / "docs/guide/structures" / name).string();
}

const tools::Library& library() {
  static const tools::Library made(STRATA_SOURCE_DIR);
  return made;
}

Loaded loaded(const std::string& gpu, const Names& overrides = {}) {
  return config::load<MachineSpec>(library().gpu(gpu), library().configurations(), overrides);
}

Loaded from_text(const std::string& text) {
  return config::load<MachineSpec>(config::Source{text, "mine.yaml"}, library().configurations());
}

std::string as_graph(const Loaded& machine) { return config::write_effective(with_graph(machine.tree), "a machine"); }

/// Paths at which what the model reads differs.
Names differing(const Loaded& a, const Loaded& b) { return config::differing_paths(a.effective(), b.effective()); }

/// All that is wrong with a text, as the user reads it.
std::string refusal(const std::string& text) {
  try {
    from_text(text);
  } catch (const InputError& error) {
    std::string all;
    for (const Diagnostic& each : error.diagnostics()) all += each.text() + '\n';
    return all;
  }
  return "accepted";
}

void check_refused(const std::string& text, const std::string& expected) {
  INFO(text);
  CHECK(refusal(text) == expected + '\n');
}

const std::string b580 = "base: b580\ngraph:\n";

}  // namespace

TEST_CASE("every_machine_written_as_a_graph_is_the_same_machine") {
  Names machines = library().gpus();
  for (const auto& entry : std::filesystem::directory_iterator(structure("")))
    if (entry.path().extension() == ".yaml") machines.push_back(entry.path().string());
  for (const std::string& machine : machines) {
    INFO(machine);
    const Loaded sections = loaded(machine);
    const std::string text = as_graph(sections);
    // No section of a block remains beside the graph.
    for (const char* section : {"\ncore:", "\nl1:", "\nl2:", "\nlevels:", "\ncrossbar:", "\nmemory:", "\nhost:"})
      CHECK(text.find(section) == std::string::npos);
    CHECK(differing(from_text(text), sections) == Names{});
  }
}

TEST_CASE("an_overridden_machine_written_as_a_graph_is_the_same_machine") {
  const std::vector<std::pair<std::string, Names>> machines{
      {"b580", {"l2.bypass=true"}},
      {"mi300x", {"memory_side_cache=none", "l2.bypass=true"}},
      {"b580", {"crossbar.stops.shape=ring", "crossbar.stops.columns=20"}},
      {"b200", {"l2.capacity=192MiB", "network.links[0].bandwidth=2TB/s"}},
      {"h200", {"translation.levels=[]"}},
      {"mi300x", {"memory.interleave=per_die", "pages.placement=contiguous"}}};
  for (const auto& [gpu, overrides] : machines) {
    INFO(gpu << ' ' << fmt::format("{}", fmt::join(overrides, " ")));
    const Loaded sections = loaded(gpu, overrides);
    CHECK(differing(from_text(as_graph(sections)), sections) == Names{});
  }
}

TEST_CASE("a_node_with_its_edges_is_the_section_that_its_position_makes_it") {
  CHECK(differing(loaded(structure("b580-l3-graph.yaml")), loaded(structure("b580-l3.yaml"))) == Names{});
}

TEST_CASE("a_whole_machine_is_described_by_its_graph_alone") {
  const MachineSpec spec = loaded(structure("small-graph.yaml")).spec;
  CHECK(level_names(spec, trace::Space::global) == Names{"L1", "L2", "L3", "DRAM"});
  CHECK(spec.l1.chosen().size == Bytes{1024});
  CHECK(spec.crossbar.request_latency.value == 10);
  REQUIRE(spec.levels.size() == 1);
  CHECK(spec.levels[0].shared_by == Sharers::die);
  CHECK(spec.levels[0].latency.value == 15);
}

TEST_CASE("the_position_of_a_cache_follows_from_its_edges") {
  const std::string cache =
      "{kind: cache, shared_by: group, size: 256 KiB, ways: 16, line: 128 B, hit_latency: 90 clk, data_width: 64 "
      "B/clk}";
  const MachineSpec spec = from_text(b580 + "  nodes:\n    L1.5: " + cache +
                                     "\n  edges:\n    - {from: L1, to: L1.5, latency: 10 ns}\n"
                                     "    - {from: L1.5, to: crossbar, responses: 256 B/clk}\n")
                               .spec;
  REQUIRE(spec.levels.size() == 1);
  CHECK(spec.levels[0].cache.name == "L1.5");
  CHECK(spec.levels[0].shared_by == Sharers::group);
  CHECK(spec.levels[0].latency.value == 10);
  CHECK(spec.crossbar.source_response_width.value == 256);
  CHECK(spec.crossbar.source_request_width.value == loaded("b580").spec.crossbar.source_request_width.value);
}

TEST_CASE("two_new_caches_stand_in_the_order_of_their_edges_not_of_their_nodes") {
  const auto cache = [](const char* name) {
    return fmt::format(
        "    {}: {{kind: cache, shared_by: die, size: 1 MiB, ways: 16, line: 128 B, hit_latency: 90 clk, data_width: "
        "64 "
        "B/clk, sector: 64 B, fill_granularity: 64 B}}\n",
        name);
  };
  const MachineSpec spec = from_text(b580 + "  nodes:\n" + cache("L4") + cache("L3") +
                                     "  edges: [{from: L2, to: L3}, {from: L3, to: L4}, {from: L4, to: DRAM}]\n")
                               .spec;
  CHECK(level_names(spec, trace::Space::global) == Names{"L1", "L2", "L3", "L4", "DRAM", "host memory"});
}

TEST_CASE("a_node_that_is_none_leaves_its_neighbours_connected") {
  CHECK(differing(from_text(b580 + "  nodes: {L2: none}\n"), loaded("b580", {"l2.bypass=true"})) == Names{});
  CHECK(differing(from_text("base: mi300x\ngraph: {nodes: {Infinity Cache: none}}\n"),
                  loaded("mi300x", {"memory_side_cache=none"})) == Names{});
  const MachineSpec less =
      from_text("base: b580\ngraph: {nodes: {L1 TLB: none, texture cache: none, host memory: none}}\n").spec;
  CHECK(less.translation.levels.size() == loaded("b580").spec.translation.levels.size() - 1);
  CHECK_FALSE(less.texture_cache);
  CHECK_FALSE(less.host);
}

TEST_CASE("settings_of_known_nodes_and_edges_change_the_base") {
  const Loaded changed = from_text(
      "base: b200\ngraph:\n  nodes:\n    L2: {tag_latency: 9 clk}\n    L1 TLB: {entries: 64}\n"
      "  edges:\n    - {from: die 0, to: die 1, name: slow, bandwidth: 1 TB/s, latency: 100 ns}\n"
      "    - {from: L1 TLB, to: L2 TLB, latency: 20 clk}\n");
  CHECK(differing(changed, loaded("b200", {"l2.cache.tag_latency=9clk", "translation.levels[0].entries=64",
                                           "translation.levels[0].miss_latency=20clk", "network.links[0].name=slow",
                                           "network.links[0].bandwidth=1TB/s", "network.links[0].latency=100ns"})) ==
        Names{});
}

TEST_CASE("a_file_laid_on_a_graph_changes_its_sections") {
  const std::string base = structure("b580-l3-graph.yaml");
  const Loaded smaller = from_text("base: " + base + "\nmemory_side_cache: {cache: {size: 2 MiB}}\n");
  CHECK(smaller.spec.memory_side_cache->cache.size == Bytes{2U << 20U});
  const Loaded graph = from_text("base: " + base + "\ngraph: {nodes: {L3: {size: 2 MiB}}}\n");
  CHECK(differing(graph, smaller) == Names{});
}

TEST_CASE("a_part_in_a_node_changes_the_base_as_in_a_section") {
  CHECK(differing(from_text("base: b580\ngraph: {nodes: {DRAM: {channel: {use: gddr6-16000}}}}\n"),
                  from_text("base: b580\nmemory: {channel: {use: gddr6-16000}}\n")) == Names{});
}

TEST_CASE("a_total_that_was_chosen_is_written_as_the_parts_that_it_gave") {
  const Loaded chosen = from_text("base: b580\nmemory: {bandwidth: 400 GB/s, published_peak: none}\n");
  CHECK(differing(from_text(as_graph(chosen)), chosen).size() <= 1);  // the total itself, in whole MT/s
}

TEST_CASE("edges_decide_what_looks_pages_up") {
  CHECK(from_text("base: h200\ngraph: {edges: [{from: SM, to: L1 TLB}]}\n").spec.translate_before_l1);
  CHECK_FALSE(from_text("base: h200\ngraph: {edges: [{from: L1, to: L1 TLB}]}\n").spec.translate_before_l1);
}

TEST_CASE("a_graph_that_no_machine_has_is_refused_at_its_place") {
  check_refused("base: b580\ngraph: 5\n",
                "mine.yaml:2:8: 'graph' must be a map of 'nodes' and 'edges' (see docs/guide/structures.md)");
  check_refused(b580 + "  node: {}\n", "mine.yaml:3:3: 'graph' has no 'node' (it has 'nodes' and 'edges')");
  check_refused(b580 + "  nodes: [L3]\n", "mine.yaml:3:3: 'nodes' must be a map of nodes by their names, not a list");
  check_refused(b580 + "  nodes: {L3: 4 MiB}\n", "mine.yaml:3:11: node 'L3' must be a map of settings, or 'none'");
  check_refused(b580 + "  nodes: {L2: {index: {page: 4 KiB}}}\n",
                "mine.yaml:3:16: 'index' of node 'L2' belongs to the edge that reaches it (write edges: [{from: ..., "
                "to: L2, index: ...}])");
  check_refused(b580 + "  nodes: {L2: {kind: TLB}}\n",
                "mine.yaml:3:22: node 'L2' is of kind 'cache' (leave 'kind' out, or choose another name)");
  check_refused(b580 + "  nodes: {xbar: {kind: crossbar}}\n",
                "mine.yaml:3:11: the node of kind 'crossbar' is called 'crossbar'");
  check_refused(b580 + "  edges: [{from: L2, to: L8}]\n", "mine.yaml:3:26: there is no node 'L8' (did you mean 'L1'?)");
  check_refused(b580 + "  edges: [{from: DRAM, to: L2}]\n",
                "mine.yaml:3:11: no edge leads from 'DRAM', a memory, to 'L2', a cache");
  check_refused(b580 + "  edges: [{from: L2, to: DRAM, width: 64 B/clk}]\n",
                "mine.yaml:3:32: an edge from 'L2' to 'DRAM' has no 'width' (it has latency, depth)");
  check_refused(b580 + "  edges: [{from: L2}]\n",
                "mine.yaml:3:11: an edge needs the names of two nodes (write {from: A, to: B})");
  check_refused(b580 + "  edges: [{from: L2, to: L2}]\n",
                "mine.yaml:3:11: no edge leads from 'L2', a cache, to 'L2', a cache");
  check_refused(b580 + "  nodes: {DRAM: none}\n", "mine.yaml:3:11: 'DRAM' cannot be left out: every machine has one");
  // An edge that the machine would not have.
  check_refused(
      b580 + "  edges: [{from: L1, to: host memory}]\n",
      "mine.yaml:3:11: the machine has no edge from 'L1' to 'host memory' ('L1' leads to 'crossbar', 'L1 TLB')");
  check_refused("base: mi300x\ngraph: {edges: [{from: L2, to: Infinity Cache}]}\n",
                "mine.yaml:2:17: the machine has no edge from 'L2' to 'Infinity Cache' ('L2' leads to 'network')");
  check_refused(
      "base: b580\ntranslate_before_l1: true\ngraph: {edges: [{from: L1, to: L1 TLB}]}\n",
      "mine.yaml:3:17: 'translate_before_l1' is set in the same file at mine.yaml:2:22 already (remove one of "
      "them)");
  check_refused(
      "base: b200\nnetwork: {links: [{from: 0, to: 1, bandwidth: 1 TB/s, latency: 100 ns}]}\ngraph: "
      "{edges: [{from: die 1, to: die 0, bandwidth: 3 TB/s, latency: 20 ns}]}\n",
      "mine.yaml:3:17: the links between dies are set in the same file at mine.yaml:2:11 already (remove one "
      "of them)");
  // A setting that no block has.
  check_refused(b580 + "  nodes:\n    L2:\n      ways: 18\n\n      replacment: lru\n",
                "mine.yaml:7:7: unknown key 'l2.cache.replacment' (did you mean 'replacement'?)");
  check_refused(
      b580 + "  nodes: {L2 TLB: {shared_by: core}}\n",
      "mine.yaml:3:20: unknown key 'translation.levels[1].shared_by' (known here: name, entries, ways, entry_reach, "
      "replacement, scope, miss_latency, misses_per_clock)");
  check_refused(b580 + "  nodes: {tex2: {kind: texture cache}}\n",
                "mine.yaml:3:11: a machine has one node of kind 'texture cache', here 'texture cache' (change that "
                "node, or set it to none)");
  check_refused(b580 + "  nodes: {die 0: {kind: cache}}\n",
                "mine.yaml:3:11: 'die 0' cannot be the name of a node (edges between dies have these names)");
  check_refused(b580 + "  nodes: {L1: none}\n", "mine.yaml:3:11: 'L1' cannot be left out: every machine has one");
  check_refused(
      "base: b580\nl2: 5\ngraph: {nodes: {L2: {kind: cache, ways: 18}}, edges: [{from: crossbar, to: L2}, "
      "{from: L2, to: DRAM}, {from: core, to: L1}]}\n",
      "mine.yaml:3:110: there is no node 'core' (nodes are Xe core, L1, crossbar, DRAM, texture cache, instruction "
      "cache, host memory, L1 TLB, L2 TLB, page walker, L2)");
  const std::string l3 = "{kind: cache, size: 1 MiB, ways: 16, line: 128 B}";
  check_refused(b580 + "  nodes: {L3: " + l3 + "}\n",
                "mine.yaml:3:11: no edge leads to 'L3' (write edges: [{from: ..., to: ...}])");
  check_refused(b580 + "  nodes: {L3: " + l3 + "}\n  edges: [{from: L2, to: L3}]\n",
                "mine.yaml:3:11: no edge leads on from 'L3' to memory (write edges: [{from: L3, to: ...}])");
  check_refused(b580 + "  nodes: {L3: " + l3 + "}\n  edges: [{from: L1, to: L3}, {from: L3, to: crossbar}]\n",
                "mine.yaml:3:11: 'L3' is between the L1s and the crossbar without 'shared_by' (set shared_by: core or "
                "shared_by: group, or lead to it from behind the crossbar)");
  check_refused("base: b580\nl2: {cache: {size: 1 MiB}}\ngraph: {nodes: {L2: {size: 2 MiB}}}\n",
                "mine.yaml:3:28: 'size' is set in the same file at mine.yaml:2:20 already (remove one of them)");
  check_refused("base: b200\ngraph: {edges: [{from: die 0, to: L2}]}\n",
                "mine.yaml:2:35: a link joins two dies, and 'L2' is none (dies are 'die N')");
  check_refused("name: nothing\ngraph: {nodes: {L1: " + l3 + "}}\n",
                "mine.yaml:2:1: 'graph' has no node of kind 'core' (every path begins there)");
}

}  // namespace strata::machine::test
