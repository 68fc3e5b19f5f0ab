// SPDX-License-Identifier: Apache-2.0
// One DRAM channel with its controller: what a memory controller port leads to.
//
// A transaction asks for the sectors of `fetched`; they become as many bursts
// as hold them, grouped by the row they live in. It waits in the input buffer,
// whose credit it holds, until its queue (reads and writes have one each) has a
// place; there it gives the credit back. It is accepted at the first edge of
// the memory clock at or after that, its first command goes out one command
// edge later at the earliest, and a read is answered when its last beat has
// passed plus ControllerSpec::latency. A write is posted, as in every published
// controller: it is answered an edge after it is accepted, and its data then
// belongs to the controller. `store` and `writeback` are writes, all else
// reads. The sender must have left a return path.
//
// Events: one where a request may be served, for all commands up to there; a
// lone read costs one, plus its answer.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "dram/address_map.hpp"
#include "dram/held_row.hpp"
#include "dram/scheduler/scheduler.hpp"
#include "engine/clock.hpp"
#include "engine/port.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"
#include "stats/collector.hpp"

namespace strata::dram {

/// Turns the machine's block number into one that counts within the channel;
/// without a function the block number is taken as it is. The block that selects the channel
/// may compute the number with it: a transaction then carries it as its destination.
struct LocalBlock {
  std::uint64_t (*function)(const void* self, std::uint64_t block) = nullptr;
  const void* self = nullptr;
  bool given = false;

  std::uint64_t operator()(std::uint64_t block) const { return function == nullptr ? block : function(self, block); }
};

class Channel {
 public:
  /// edges: a clock of TimingSpec::tick_rate(). seed: shifts the refreshes of
  /// this channel against those of others, unless they are in step. like: a channel of the same spec, so that the host's
  /// caches hold what does not change once for both. Throws std::invalid_argument if the
  /// spec has problems().
  Channel(engine::Simulation& simulation, engine::Clock edges, const ChannelSpec& spec, memory::StageNames& stages,
          std::uint64_t seed, LocalBlock local = {}, const Channel* like = nullptr);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// For the port that leads here, which must be input_depth() deep.
  engine::Handler receiver() { return engine::handler<&Channel::accept>(*this); }
  std::uint32_t input_depth() const { return input_depth_; }
  /// Blocks that it holds; numbers past them wrap around.
  std::uint64_t blocks() const { return map_.capacity() / bursts_per_block_; }
  void accept(memory::Transaction& transaction);

  /// Timing-free access, for warm-up: leaves the row of the block open (with
  /// closed pages, nothing). Only while nothing is queued.
  void touch(std::uint64_t block) { touch_local(local_(block)); }
  /// The same, by the number of the block in this channel.
  void touch_local(std::uint64_t local);

  /// The row buffer of the bank that holds the block's first burst. Commands that no request
  /// waits for, such as refreshes, may not have been issued yet.
  HeldRow held_row(std::uint64_t block) const;

  /// Requests that have a place in a queue, and how many there are.
  std::uint32_t in_queues() const { return scheduler_.queued(false) + scheduler_.queued(true); }
  std::uint32_t queue_places() const { return queue_places_; }
  /// Sectors that fit in a burst.
  unsigned sectors_of_burst() const { return static_cast<unsigned>(memory::sectors_per_block / bursts_per_block_); }
  /// The present, in ticks of the queues' figures.
  Tick ticks() const { return tick_at_or_after(simulation_.now()); }
  /// Whether no request is held, posted writes included.
  bool idle() const { return held_ == 0; }
  /// Figures up to now: commands that no request has waited for yet are caught up with.
  Statistics statistics();
  /// The same, without catching up: reading it changes no order of events.
  Statistics counted() const { return scheduler_.statistics_at(tick_at_or_after(simulation_.now())); }
  void reset_statistics();
  /// Share of the data buses' time since the last reset that carried data.
  double data_bus_share();
  /// Requests in the queues, mean over the time since the last reset.
  double mean_queue();
  /// Reports the figures since the start, or the last reset.
  void collect(stats::Collector& collector) const;
  /// Hears every command: the column commands of a request together, refreshes
  /// of idle times late, all others in order of ticks. Null by default.
  void listen(CommandListener listener) { scheduler_.listen(listener); }

 private:
  struct Design {
    explicit Design(const ChannelSpec& spec) : timing(spec.timing), map(spec.address_map, spec.organisation) {}
    Timing timing;
    AddressMap map;
  };

  void on_wake();
  void served(const Request& request, Tick run_begun);
  void take_in(memory::Transaction& transaction, Tick accepted);
  std::size_t split(std::uint64_t block, unsigned bursts,
                    std::array<Scheduler::Part, memory::sectors_per_block>& parts) const;
  void take_in_waiting(Tick accepted);
  void arm();
  Tick tick_at_or_after(Time t) const { return (t.ticks + edges_.period().ticks - 1) / edges_.period().ticks; }
  Time time(Tick t) const { return {t * edges_.period().ticks}; }
  static bool is_write(const memory::Transaction& t) {
    return t.operation == memory::Operation::store || t.operation == memory::Operation::writeback;
  }

  engine::Simulation& simulation_;
  engine::Clock edges_;
  std::shared_ptr<const Design> design_;
  const AddressMap& map_;
  LocalBlock local_;
  engine::Handler wake_;
  std::uint32_t pseudo_channels_;
  std::uint32_t input_depth_;
  std::uint32_t queue_places_;
  std::uint64_t bursts_per_block_;
  bool one_part_;                             ///< all of a block is one part of a request
  std::array<std::uint8_t, 16> bursts_of_{};  ///< by sectors asked for, a bit for each burst
  Tick latency_;                              ///< of controller and PHY
  Tick unseen_;                               ///< a request may have been served so long before that can be observed
  memory::Stage queue_stage_, bank_stage_, data_stage_, controller_stage_;
  Scheduler scheduler_;
  engine::MessageList input_;
  Tick armed_ = never;
  Tick counted_from_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace strata::dram
