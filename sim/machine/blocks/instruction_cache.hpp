// SPDX-License-Identifier: Apache-2.0
// The instruction caches of a machine: each serves some consecutive cores of a die, or one. What a core finds there
// takes no time; for other lines it sends a request. A miss leaves by the way of the core that asked for it, past the
// first-level data caches. They are built when first used.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cache/cache.hpp"
#include "cache/requests/ready_lines.hpp"
#include "engine/port.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

class InstructionCache {
 public:
  InstructionCache(engine::Simulation& simulation, const cache::SharedDesign& design, std::uint32_t number,
                   std::uint32_t first_core, std::uint32_t cores);
  InstructionCache(const InstructionCache&) = delete;
  InstructionCache& operator=(const InstructionCache&) = delete;

  /// Misses of that core leave by this way.
  void join(std::uint32_t core, memory::Sink way_out) { ways_out_[core - first_core_] = way_out; }
  bool present(const memory::Transaction& request) { return ready_.read(request); }
  void fetch(memory::Transaction& request) { port_.send(request, simulation_.now(), Duration{}); }

  const cache::Cache& cache() const { return cache_; }
  const engine::Port& port() const { return port_; }
  std::uint32_t number() const { return number_; }

 private:
  void leave(memory::Transaction& transaction, Time ready) {
    ways_out_[transaction.core - first_core_].take(transaction, ready);
  }

  engine::Simulation& simulation_;
  std::uint32_t number_;
  std::uint32_t first_core_;
  std::vector<memory::Sink> ways_out_;  ///< by core
  cache::Cache cache_;
  cache::ReadyLines ready_{cache_};
  engine::Port port_;
};

/// Those of one process.
class InstructionCaches {
 public:
  InstructionCaches(engine::Simulation& simulation, memory::StageNames& stages, const MachineSpec& spec,
                    engine::Clock clock);

  /// What a core asks for at once.
  Bytes request() const { return request_; }
  InstructionCache& of_core(std::uint32_t core);
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const std::unique_ptr<InstructionCache>& each : caches_)
      if (each) visit(std::as_const(*each));
  }
  /// Drops all of them, with what they hold. What they asked of the caches below is added to the flow.
  void drop(SectorFlow& flow);
  void collect(stats::Collector& collector) const;

 private:
  engine::Simulation& simulation_;
  cache::SharedDesign design_;
  std::uint32_t cores_of_die_;
  std::uint32_t sharing_;  ///< cores
  std::uint32_t of_die_;   ///< caches of a die
  Bytes request_;
  std::vector<std::unique_ptr<InstructionCache>> caches_;
};

}  // namespace strata::machine
