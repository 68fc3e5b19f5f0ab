// SPDX-License-Identifier: Apache-2.0
// A core: resident warps that issue instructions in order, schedulers that give
// them their turn, pipes for arithmetic and the load/store unit behind. The caches
// of the core are blocks of their own behind the outlets that the machine connects.
//
// A warp runs on until an instruction needs a register whose load is under
// way, or is dependent; a register is free when all lines of its load have
// answered (scoreboard.hpp).
// A result of arithmetic is due at a known time, so it costs no event of its own.
// Then it works for as long as the instruction says and asks for its turn.
// Stores block no warp, but the warp counts as running until they are
// acknowledged. Warps are dealt out to the schedulers by slot; each port of a scheduler
// issues one instruction an interval, or several of different warps, and a warp one. A warp that
// waits, for a value or in the queue of the load/store unit, costs no host time.
//
// Warps come alone, or as a thread block: all on this core, with barriers among
// them; the listener hears when the last has left.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "compute/core_spec.hpp"
#include "compute/instruction_fetch.hpp"
#include "compute/load_store/load_store_unit.hpp"
#include "compute/resident_block.hpp"
#include "compute/scheduling.hpp"
#include "compute/scoreboard.hpp"
#include "compute/stall.hpp"
#include "compute/tensor_memory/tensor_memory.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/pool.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

/// Called for each instruction that has completed: all its lines have answered.
/// latency counts from issue. served_by is the deepest level any of its
/// requests reached; shared memory counts as level 0.
struct CompletionListener {
  using Function = void (*)(void* self, std::uint32_t core, Duration latency, unsigned served_by);
  Function function = nullptr;
  void* self = nullptr;
};

/// What a core counts. Bytes are lanes x bytes a lane.
struct CoreStatistics {
  stats::Counter<"instructions", "instructions", "memory instructions completed"> instructions;
  stats::Counter<"bytes loaded", "bytes", "by instructions completed, through the caches"> bytes_loaded;
  stats::Counter<"bytes stored", "bytes", "by instructions completed, through the caches"> bytes_stored;
  stats::Counter<"shared bytes loaded", "bytes", "by instructions completed, from shared memory"> shared_bytes_loaded;
  stats::Counter<"shared bytes stored", "bytes", "by instructions completed, to shared memory"> shared_bytes_stored;
  stats::Counter<"waits", "instructions", "instructions that waited for a load of their warp"> waits;
  stats::Counter<"issued", "instructions", "instructions of every class issued by warps"> issued;
  stats::Counter<"flops", "operations", "floating-point operations of all lanes"> flops;
  StallTimes stalled{};  ///< of warps, in ticks
};

class Core {
 public:
  Core(engine::Simulation& simulation, const CoreSpec& spec, const engine::Clock& clock, std::uint32_t index,
       std::uint8_t die, engine::Pool<memory::Transaction>& pool, memory::StageNames& stages);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void connect(const CoreOutlets& outlets);
  /// Instructions with a known program counter are fetched from there; without it all are available.
  void connect(const CodeSource& source) { fetch_.connect(source); }
  /// See LoadStoreUnit::join().
  void join(ClusterNetwork& network);
  LoadStoreUnit& load_store_unit() { return unit_; }
  void listen(const CompletionListener& listener) { listener_ = listener; }
  /// Journeys of this core's requests are written here; nullptr: nowhere.
  void observe(memory::Journey* journey) {
    journey_ = journey;
    unit_.observe(journey);
  }

  /// Some of this core's requests are followed.
  void sample(memory::JourneySampler* sampler) { unit_.sample(sampler); }
  /// Receives the atomics of shared memory, in their order; nullptr: none does.
  void watch_atomics(const memory::AtomicListener* listener) { unit_.watch_atomics(listener); }

  std::uint32_t index() const { return index_; }
  std::uint8_t die() const { return die_; }

  /// Reports issue and answer of each line, for a memory with values; nullptr: to none.
  void keep_values(memory::Values* values) { unit_.keep_values(values); }

  /// Puts a warp on the core; it issues its first instruction at t. The stream
  /// must outlive the warp's run. The number by which its requests name the warp. Throws
  /// std::invalid_argument if the core is full.
  std::uint32_t start(trace::WarpStream& stream, Time t);
  /// Puts all warps of a block on the core; they begin at t. origin: when the
  /// kernel began. Throws std::invalid_argument if too few warps are free.
  void start_block(std::unique_ptr<trace::BlockStreams> streams, std::uint32_t warps, Time t, Time origin,
                   const BlockListener& listener);
  /// The number of the block that a resident warp belongs to.
  std::uint64_t block_of(std::uint32_t warp) const { return warps_[warp]->block->listener.block; }
  /// Of a warp; nullptr once it has ended.
  trace::WarpStream* stream(std::uint32_t warp) const { return warps_[warp]->stream; }
  /// Warps that have not ended.
  std::uint32_t running() const { return running_; }
  /// When the last access so far had been answered.
  Time last_answer() const { return last_answer_; }
  /// Line requests that left the load/store unit.
  std::uint64_t transactions() const { return unit_.flow().entered(); }
  const CoreStatistics& statistics() const { return statistics_; }
  /// Little's law: after a drained run area() equals latencies().
  const LineFlow& flow() const { return unit_.flow(); }
  void collect(stats::Collector& collector) const;

 private:
  struct Scheduler;
  struct Warp {
    trace::WarpStream* stream = nullptr;  ///< nullptr: the slot is free
    Scoreboard registers;
    std::uint32_t loads = 0;  ///< and atomics, under way
    std::uint32_t stores = 0;
    std::uint32_t left_behind = 0;  ///< stores under way of warps that had this slot before
    std::uint32_t slot = 0;
    std::uint32_t number = 0;  ///< within its block
    std::uint64_t arrival = 0;
    std::uint64_t code_line = 0;  ///< that it issues from: see InstructionFetch
    bool blocked = false;
    bool ended = false;
    Stall stall = Stall::pause;
    Time since{};       ///< stalled for this reason since then
    Time next_issue{};  ///< where a scheduler has several ports: not before
    Time origin{};      ///< of its kernel
    Scheduler* scheduler = nullptr;
    ResidentBlock* block = nullptr;
    std::uint64_t cluster_phase = 0;               ///< of the barrier of its cluster, in which it arrived
    std::uint32_t waits_behind = Barrier::nobody;  ///< at a barrier: who came before
    trace::Instruction instruction;                ///< the next, or the one that waits for the load/store unit

    bool must_wait() const {
      if (instruction.op_class == trace::OpClass::fence) return loads + stores > 0;
      if (loads == 0) return false;
      return (instruction.dependent && instruction.is_access()) || registers.awaits_access(instruction);
    }
  };
  /// A class of arithmetic on one scheduler.
  struct Pipe {
    Duration occupancy{};  ///< of one warp instruction
    Duration latency{};
    std::uint8_t lane = 0;
    bool booked = false;  ///< it takes fewer instructions than its port may issue
  };
  /// Issues instructions of some classes.
  struct Port {
    std::vector<Candidate> ready;     ///< in the order in which they became ready
    std::vector<engine::Lane> lanes;  ///< as many as it issues an interval
    std::uint32_t last = 0;           ///< the slot that issued last
    bool scheduled = false;
    engine::Lane& soonest();
  };
  struct Scheduler {
    std::vector<Port> ports;
    std::vector<engine::Lane> pipes;
    std::vector<std::uint32_t> free_slots;
    std::uint32_t resident = 0;
  };

  void on_begin(Warp& warp) { advance(warp); }
  void on_due(Warp& warp) { consider(warp); }
  void on_worked(Warp& warp) { make_ready(warp); }
  void on_result(Warp& warp) { take_pipe(warp); }
  void consider(Warp& warp);
  void on_turn(Port& port);
  void advance(Warp& warp);
  void fetched(Warp& warp);
  void may_go_on(Warp& warp);
  void take_pipe(Warp& warp);
  void execute(Warp& warp);
  void execute_repeated(Warp& warp);
  void arrive(Warp& warp);
  void meet_cluster(Warp& warp);
  void open_if_complete(ResidentBlock& block, Barrier& barrier);
  void leave_block(Warp& warp);
  template <class Use>
  auto with_tensor_memory(const Warp& warp, Use use);
  void access_tensor_memory(Warp& warp);
  void use_tensor_memory(Warp& warp);
  /// Until it may be issued, of an instruction that uses Tensor Memory.
  Duration tensor_delay(const Warp& warp);
  /// When all of them are free for the product, which has them from then on.
  Time reserve_tensor_units(const Warp& warp);
  Duration product_occupancy(const Warp& warp);
  void serve_awaiting_columns();
  /// Throws InvalidRequest if the block, which ends, has columns left.
  void require_columns_freed(const ResidentBlock& block) const;
  Warp& take_slot();
  void build_pipes(const CoreSpec& spec, const engine::Clock& clock);
  void build_ports(const CoreSpec& spec);
  std::uint8_t port_of(const trace::Instruction& instruction) const {
    return instruction.is_access() ? port_of_space_[static_cast<std::size_t>(instruction.space)]
                                   : port_of_class_[static_cast<std::size_t>(instruction.op_class)];
  }
  bool several_ports() const { return port_names_.size() > 1; }
  Port& port_for(const Warp& warp) { return warp.scheduler->ports[port_of(warp.instruction)]; }
  /// The warp has waited for what it waited for; now it waits for this.
  void wait_for(Warp& warp, Stall stall) {
    statistics_.stalled[static_cast<std::size_t>(warp.stall)] += simulation_.now() - warp.since;
    warp.stall = stall;
    warp.since = simulation_.now();
  }
  void make_ready(Warp& warp);
  void issue(Port& port);
  void find_spaces();
  /// Throws InvalidRequest: the core has no such memory.
  [[noreturn]] void refuse_space(trace::Space space) const;
  void issued(Warp& warp);
  void completed(const Access& access);
  /// Of a warp that has ended: nothing it must stay for is under way.
  bool may_leave(const Warp& warp) const { return warp.loads == 0 && (warp.stores == 0 || !exit_waits_for_stores_); }
  void retire(Warp& warp);

  engine::Simulation& simulation_;
  std::uint32_t index_;
  std::uint8_t die_;
  std::string name_;
  std::uint64_t most_warps_;
  bool exit_waits_for_stores_;
  Duration issue_interval_;
  Duration barrier_;
  Duration barrier_arrival_;
  engine::Lane barrier_unit_;
  Duration cycle_;
  Duration latency_;  ///< of arithmetic without a pipe
  std::vector<std::string> pipe_names_;
  std::vector<std::string> port_names_;
  std::array<std::uint8_t, trace::op_classes.size()> port_of_class_{};
  std::array<std::uint8_t, trace::spaces.size()> port_of_space_{};
  std::array<Pipe, trace::op_classes.size()> pipes_;  ///< by class
  std::array<bool, trace::spaces.size()> reached_{};  ///< by space: accesses have a way there
  const SchedulingPolicy& policy_;
  CompletionListener listener_;
  memory::Journey* journey_ = nullptr;
  engine::Handler begin_ = engine::handler<&Core::on_begin>(*this);
  engine::Handler due_ = engine::handler<&Core::on_due>(*this);
  engine::Handler worked_ = engine::handler<&Core::on_worked>(*this);
  engine::Handler result_ = engine::handler<&Core::on_result>(*this);
  engine::Handler turn_ = engine::handler<&Core::on_turn>(*this);
  InstructionFetch fetch_;
  LoadStoreUnit unit_;
  std::vector<Scheduler> schedulers_;
  std::vector<std::unique_ptr<Warp>> warps_;  ///< by slot
  std::vector<std::unique_ptr<ResidentBlock>> blocks_;
  std::vector<ResidentBlock*> free_blocks_;
  std::vector<Warp*> released_;  ///< of the barrier that opens
  std::optional<TensorMemory> tensor_;
  std::deque<Warp*> awaiting_columns_;  ///< as they came
  engine::Lane product_lane_;           ///< where no pipe executes products
  std::uint64_t arrivals_ = 0;
  Time last_answer_{};
  std::uint32_t running_ = 0;
  CoreStatistics statistics_;
};

}  // namespace strata::compute
