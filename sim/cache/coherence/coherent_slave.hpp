// SPDX-License-Identifier: Apache-2.0
// The coherent slave of a slice of a memory-side cache, with its slice of the probe filter. Coherent accesses to the
// blocks of the slice are ordered here, before they enter it: what it admits is performed or read in that order.
//
// An atomic is a coherent write: where the filter counts copies of other dies, these are probed first, and the atomic is
// admitted when all have answered, behind the dirty data that came with the answers. A coherent load is admitted at once
// and enters its die in the filter. Accesses to a block whose probes are under way wait for it, in order. Where the
// filter has no entry left for a block, the entry of its set that was used least recently is evicted: its copies are
// dropped by probes as well, and the access waits for that.
//
// Probes and answers travel as parcels, which always drain, and need nothing of what a waiting access holds. So every
// wait ends.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/coherence/probe.hpp"
#include "cache/coherence/probe_filter.hpp"
#include "engine/pool.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"

namespace strata::cache {

struct ProbeFilterStatistics {
  stats::Counter<"filter hits", "requests", "coherent accesses whose block had copies in L2s"> hits;
  stats::Counter<"filter misses", "requests", "coherent accesses whose block had none"> misses;
  stats::Counter<"filter evictions", "lines", "entries evicted for others, their copies dropped"> evictions;
  stats::Counter<"probes sent", "messages", "to dies with copies: for an atomic of another die, or for an eviction">
      probes;
  stats::Counter<"probes answered with data", "messages", "of these, with dirty sectors"> with_data;
  stats::Counter<"sectors probed", "sectors", "that came with these answers and were written here"> sectors;
  stats::Counter<"coherent waits", "requests", "coherent accesses that waited for probes, of theirs or of others">
      waits;
};

/// What all slaves of a machine have in common.
struct CoherentSlaveDesign {
  Duration lookup{};  ///< from the arrival of an access at the die to the departure of its probes
  std::uint32_t sets = 1, ways = 1, dies = 1;
  memory::Stage stage{};  ///< of waiting for probes
};

class CoherentSlave {
 public:
  struct Master {
    std::uint32_t node;
    engine::Handler probed;
  };

  /// node: of the memory die, among those of the network. admit: takes what may enter the slice now.
  CoherentSlave(engine::Simulation& simulation, const CoherentSlaveDesign& design, std::uint8_t home_die,
                memory::Sink admit);
  CoherentSlave(const CoherentSlave&) = delete;
  CoherentSlave& operator=(const CoherentSlave&) = delete;

  /// masters: by die. Before the first request.
  void connect(ParcelSink network, const std::vector<Master>& masters);
  /// A coherent access; its set() is that of the memory-side cache.
  void take(memory::Transaction& transaction, Time ready);
  /// A copy that is counted is not there; set: as of an access.
  void gone(std::uint64_t block, std::uint32_t set, std::uint32_t die);

  const ProbeFilter& filter() const { return filter_; }
  /// Accesses that wait.
  std::uint64_t waiting() const;
  /// No L2 has a copy any more. While no request is under way.
  void forget() { filter_.clear(); }
  const ProbeFilterStatistics& statistics() const { return statistics_; }
  void collect(stats::Collector& collector) const;

 private:
  /// Probes of a block are under way.
  struct Turn {
    std::uint64_t block = 0;
    std::uint32_t set = 0;                 ///< of the filter
    std::uint32_t awaited = 0;             ///< answers
    memory::Transaction* first = nullptr;  ///< the atomic that they are for; null: the entry is evicted
    engine::MessageList waiting;
  };
  enum class Seen : std::uint8_t { first, again, probed };

  Turn* turn_of(std::uint64_t block);
  void wait(Turn& turn, memory::Transaction& transaction, Time ready);
  void proceed(memory::Transaction& transaction, Time ready, Seen seen);
  Turn& probe(std::uint64_t block, std::uint32_t set, ProbeFilter::Dies dies, Time ready);
  /// A new entry; none: the access waits.
  std::uint32_t make_entry(memory::Transaction& transaction, std::uint32_t set, Time ready);
  bool over(const Turn& turn) const;
  void end(Turn& turn);
  void on_answer(memory::Parcel& parcel);
  void on_written(memory::Transaction& data);

  engine::Simulation& simulation_;
  const CoherentSlaveDesign& design_;
  std::uint8_t home_die_;
  memory::Sink admit_;
  ParcelSink network_;
  const std::vector<Master>* masters_ = nullptr;
  ProbeFilter filter_;
  std::vector<Turn*> turns_;
  engine::Pool<Turn> turn_pool_;
  engine::Pool<Probe> probes_;
  engine::Handler answer_ = engine::handler<&CoherentSlave::on_answer>(*this);
  engine::HandlerNumber written_ = simulation_.number(engine::handler<&CoherentSlave::on_written>(*this));
  ProbeFilterStatistics statistics_;
};

}  // namespace strata::cache
