// SPDX-License-Identifier: Apache-2.0
// How the graph of a machine grows from the cores to memory. Internal to graph.
#pragma once
#include <string>
#include <vector>

#include "machine/layout/graph.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

class GraphBuilder {
 public:
  explicit GraphBuilder(const MachineSpec& spec) : spec_(spec), levels_(levels_of(spec)) {}
  Graph build();

 private:
  /// A node whose misses, or whose requests, have no way on yet.
  struct End {
    std::size_t node;
    Carries carries = Carries::all;
  };

  std::size_t add(Node node);
  void join(std::size_t from, std::size_t to, Edge edge);
  /// From every end to the node; it is the only end then.
  void lead_to(std::size_t node, const Edge& edge);

  // graph_core.cpp
  void cores();
  std::size_t first_level(const char* path, const cache::CacheSpec& cache);
  std::size_t copy_unit();
  std::size_t scalar_caches();
  std::size_t instruction_cache();
  void victims();
  void shared_memory();
  void translation(const std::vector<End>& askers);
  // graph.cpp
  void level(const Level& level);
  void levels(Sharers sharers);
  void crossbar();
  void concentrators(Edge& edge);
  void l2();
  // graph_memory.cpp
  void between_dies();
  void links(std::size_t of_memory, std::size_t of_compute);
  void memory_dies();

  bool has_network() const { return spec_.dies.compute > 1 || spec_.dies.memory > 1; }
  std::uint64_t cores_of_machine() const { return spec_.dies.compute * spec_.dies.cores_per_die; }

  const MachineSpec& spec_;
  std::vector<Level> levels_;
  Graph graph_;
  std::vector<End> ends_;
};

/// A width of a setting where 0 is never the limit.
inline std::optional<Width> limited(BytesPerClock width) {
  return width.value > 0 ? std::optional<Width>(width) : std::nullopt;
}

}  // namespace strata::machine
