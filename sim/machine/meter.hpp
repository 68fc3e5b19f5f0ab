// SPDX-License-Identifier: Apache-2.0
// What a machine has counted: every block under its name, the sums by level, and whether they balance.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "machine/account/level_traffic.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

class Machine;

/// A view: the machine must outlive it.
class Meter {
 public:
  explicit Meter(Machine& machine) : machine_(machine) {}

  /// Every counter and every resource, by name. Resources are those of blocks
  /// that have been used.
  stats::Snapshot snapshot();
  /// What each level has done so far, from core to memory.
  std::vector<LevelTraffic> traffic();
  /// The same, where DRAM commands that no request waits for may be missing: to be read during
  /// a run, without a change of its order of events.
  std::vector<LevelTraffic> counted_traffic() const;
  /// Line requests that left the cores so far.
  std::uint64_t transactions() const;
  /// When the last access of any core so far had been answered.
  Time last_answer() const;
  /// The number of the block that a warp of a core belongs to; both are in use.
  std::uint64_t block_of(std::uint32_t core, std::uint32_t warp) const;
  /// When the last write-back that Machine::write_back_dies() began was answered.
  Time dies_written_back() const;
  /// Where buffers between blocks keep a link or a slice from its width, in words.
  std::vector<std::string> shortages() const;
  /// Little's law and conservation, level by level (level_balance.hpp): Machine::run() asks for it when
  /// nothing is left to do; the ends of a timed window are for the caller to check. Throws
  /// observe::Imbalance.
  void require_balance() const;

 private:
  /// Whether many requests found all fetches of the caches of that name under way.
  bool fetches_stall(const std::string& name) const;

  Machine& machine_;
};

}  // namespace strata::machine
