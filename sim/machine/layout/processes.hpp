// SPDX-License-Identifier: Apache-2.0
// Which dies of a machine run as one process: see engine::Processes.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// Into how many processes a machine is divided. Who observes events of several dies in their order
/// needs one.
enum class Division : std::uint8_t { whole, by_die };

struct ProcessPlan {
  std::uint32_t count = 1;
  std::vector<std::uint32_t> of_memory_die, of_compute_die;
  double lookahead_ns = 0;  ///< where there are several

  /// By node of the network between the dies.
  std::vector<std::uint32_t> of_nodes(bool apart) const;
};

/// By die, each compute die that is apart goes with the memory die to which it has the shortest link.
/// One process where dies share more than links: where the first access places pages, where levels behind
/// a partitioned L2 are written back at the end of a kernel one after the other, and where a link takes no
/// time. The way to a host is shared as well, so what accesses the host's memory needs one process.
ProcessPlan plan_processes(const MachineSpec& spec, Division division);

}  // namespace strata::machine
