// SPDX-License-Identifier: Apache-2.0
// A machine as a graph: its blocks are nodes, alike ones together, and the connections between them edges. Derived from
// the rows and maps that the machine is wired by (levels_of(), address_maps.hpp, shapes.hpp), so that it cannot
// contradict them. Each node and edge names the settings that describe it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/quantity.hpp"
#include "fabric/address_map_spec.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

enum class NodeKind : std::uint8_t {
  core,
  shared_memory,
  cluster_network,  ///< between the cores of a group, to the shared memory of others
  copy_unit,        ///< of bulk copies from memory into shared memory
  cache,
  victim_cache,
  memory_side_cache,  ///< any level in front of the channels of a memory die
  tlb,
  page_walker,
  concentrator,  ///< a wire that several sources of a crossbar share, or a coalescer of their reads
  crossbar,
  router,  ///< a stop of a ring or a mesh, a die of the network between dies, an output of a crossbar without L2
  memory,
  host_memory
};
std::string_view name(NodeKind kind);

/// Who shares an instance of a node.
enum class SharedBy : std::uint8_t { core, some_cores, cluster, group, die, memory_die, machine };
std::string_view name(SharedBy shared_by);

using Width = std::variant<BytesPerClock, BytesPerSecond>;
using Latency = std::variant<Cycles, Nanoseconds>;

struct Node {
  std::string name;
  NodeKind kind = NodeKind::core;
  std::string path;                             ///< of its settings
  std::uint64_t instances = 1;                  ///< of the machine
  SharedBy shared_by = SharedBy::core;          ///< an instance
  std::uint64_t parts = 1;                      ///< of one instance: slices, channels, stops, parallel walks
  std::optional<Bytes> capacity{};              ///< of one instance; of a TLB the memory that its entries cover
  std::optional<Width> port{};                  ///< data out of one part
  std::optional<Frequency> clock{};             ///< in which its port counts
  std::optional<AddressRangeSpec> addresses{};  ///< that it homes; none: all
  std::optional<Bytes> apart{};                 ///< from the first address of one instance to that of the next
  bool copies = false;                          ///< an instance may hold copies of lines that other instances hold

  bool caches() const {
    return kind == NodeKind::cache || kind == NodeKind::victim_cache || kind == NodeKind::memory_side_cache;
  }
};

/// Which requests an edge carries.
enum class Carries : std::uint8_t {
  all,
  own_home,      ///< for blocks whose home is the same die
  other_homes,   ///< for blocks whose home is another die
  bypass,        ///< for addresses that the level between does not home
  own_bypass,    ///< the same of blocks whose home is the same die
  translation,   ///< look-ups of pages, and no data
  shared_space,  ///< accesses to shared memory
  bulk_space,    ///< bulk copies into shared memory
  code,          ///< fetches of instructions
  host           ///< for addresses of the host
};
std::string_view name(Carries carries);

struct Edge {
  std::size_t from = 0, to = 0;  ///< of Graph::nodes
  Carries carries = Carries::all;
  std::string name{};                                           ///< of a link
  std::optional<std::uint32_t> from_instance{}, to_instance{};  ///< that a link joins; none: each with its own
  bool both_ways = false;                                       ///< requests in both directions
  /// Of one wire; none: never the limit. Stores: of their data, where they have a wire of their own.
  std::optional<Width> requests{}, stores{}, responses{};
  std::optional<Latency> latency{}, back{};  ///< of requests and of responses, without waiting; none: no time
  Frequency clock{};                         ///< in which widths and latencies count
  std::optional<std::uint32_t> depth{};      ///< requests in the buffer at its end
  bool enough = false;                       ///< the buffer is as deep as width and latency need
  std::string index{};                       ///< policy by which a block selects a part of the node
  std::vector<fabric::HomeBitSpec> homes{};  ///< address bits by which it selects an instance
  std::string pages{};                       ///< placement of pages, where addresses are translated
  std::vector<std::string> settings{};       ///< that give all this
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  /// Nodes on the way of a load from global memory that every level homes and misses, whose home is the nearest.
  std::vector<std::size_t> path_of_load;
};

/// The spec must be consistent().
Graph graph_of(const MachineSpec& spec);

}  // namespace strata::machine
