// SPDX-License-Identifier: Apache-2.0
// The load/store unit: the pipes on which memory instructions leave the warps.
// Each way out (first-level cache, scalar cache, texture cache, bulk copies) has a pipe of
// its own, and so has shared memory, except where its banks are also those of
// the L1: there both go one after the other through one pipe.
//
// A pipe is a queue of a few instructions in front of a server. When the queue
// is full, warps wait behind it, one instruction each, and continue in order of arrival. Where the core's scheduling is
// by age, those that access shared memory wait in a separate queue and continue by age, before any younger one of the
// other queue (NVIDIA's stall reasons lg_throttle and mio_throttle are two). The server takes the next instruction when
// it is done with the one before (the pace of lines, of passes over the lanes and of passes over the banks), when no
// line of an earlier one still waits for a credit of the port behind, and when the bound on loads in flight allows. So
// pressure from the caches climbs to the warps, and what is under way is bounded by the queues. A pipe that is
// saturated costs an event an instruction; one that is idle none. The answers of its lines are known in advance:
// together they cost one event, when the last has come.
//
// What caches answer enters the registers over a path of finite width, where one is
// given: a load completes when its turn has come. Shared memory has a path of its own.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "compute/core_spec.hpp"
#include "compute/load_store/access.hpp"
#include "compute/load_store/coalescer.hpp"
#include "compute/load_store/line_flow.hpp"
#include "compute/load_store/shared_memory.hpp"
#include "compute/ring.hpp"
#include "compute/scheduling.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/pool.hpp"
#include "engine/simulation.hpp"
#include "memory/atomic_listener.hpp"
#include "memory/journey_sampler.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"
#include "memory/values.hpp"
#include "stats/collector.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

/// A way out for line requests. A line may leave at `departs` and is `way`
/// underway before the cache sees it. port: where lines wait that find no
/// free place; nullptr: there is always a free place.
struct Outlet {
  using Function = void (*)(void* self, memory::Transaction& line, Time departs, Duration way);
  Function function = nullptr;
  void* self = nullptr;
  engine::Port* port = nullptr;
};

/// Where a core's requests go, by space; one not connected must not be used.
struct CoreOutlets {
  Outlet global;
  Outlet scalar;
  Outlet texture;
  Outlet bulk;
};

class Cluster;
class ClusterNetwork;

/// The listener of what happens to instructions.
struct AccessListener {
  void* self = nullptr;
  /// The instruction of that warp, which had to wait, is in the queue.
  void (*entered)(void* self, std::uint32_t warp) = nullptr;
  void (*completed)(void* self, const Access& access) = nullptr;
};

class LoadStoreUnit {
 public:
  LoadStoreUnit(engine::Simulation& simulation, const CoreSpec& spec, const SchedulingPolicy& policy,
                const engine::Clock& clock, std::uint32_t core, std::uint8_t die,
                engine::Pool<memory::Transaction>& pool, memory::StageNames& stages, const AccessListener& listener);
  LoadStoreUnit(const LoadStoreUnit&) = delete;
  LoadStoreUnit& operator=(const LoadStoreUnit&) = delete;

  void connect(const CoreOutlets& outlets);
  /// Accesses to other cores' shared memory go that way; without it there must be none.
  void join(ClusterNetwork& network) { network_ = &network; }
  /// The warp of that slot is of a block of the cluster; nullptr: of none.
  void belongs_to(std::uint32_t slot, const Cluster* cluster) {
    if (clusters_.size() <= slot) clusters_.resize(slot + std::size_t{1});
    clusters_[slot] = cluster;
  }
  void observe(memory::Journey* journey) { journey_ = journey; }
  void sample(memory::JourneySampler* sampler) { sampler_ = sampler; }
  /// Receives the atomics of shared memory, in their order; nullptr: none does.
  void watch_atomics(const memory::AtomicListener* listener) { atomic_listener_ = listener; }
  /// The number of a level that lies between the first and all others; none without a call.
  void stands_behind_first(std::uint8_t level) { behind_first_ = level; }
  /// Reports issue and answer of each line; nullptr: to none.
  void keep_values(memory::Values* values) { values_ = values; }

  /// There is a way to that space; an instruction of any other must not enter.
  bool reaches(trace::Space space) const;
  /// An instruction of at least one lane. True: it is in the queue; false: it
  /// waits and must stay where it is until entered() is called.
  bool enter(std::uint32_t warp, std::uint64_t age, const trace::Instruction& instruction);

  /// For how long reads of whole rows keep the banks of shared memory busy.
  Duration bank_time(std::uint64_t bytes) const { return shared_.time_of(rows_of(bytes)); }
  /// Whole rows of shared memory are read or written: operands of a product, or a tile, also of another core's copy unit.
  /// When the banks, which are asked now, begin with them.
  Time move_rows(std::uint64_t bytes) { return shared_.reserve(simulation_.now(), rows_of(bytes)); }

  /// The banks are asked now, by another core; when its data are read or written.
  Time serve_other(const RemotePart& part);
  /// What another core read for this one comes at t.
  void answered_by_other(Access& access, Time t) {
    simulation_.at(t, engine::Priority::completion, shared_done_, &access);
  }
  /// A stage of what is under way ends at t.
  void mark(memory::Stage stage, Time t) {
    if (journey_ != nullptr) journey_->mark(stage, t);
  }

  const LineFlow& flow() const { return flow_; }
  std::uint32_t loads_in_flight() const { return loads_; }
  /// Instructions that found their queue full.
  std::uint64_t stood_in_line() const { return stood_in_line_; }
  void collect(stats::Collector& collector) const;

 private:
  static constexpr std::size_t bulk_pipe = 3;
  static constexpr std::size_t shared_pipe = 4;  ///< before it, the outlets

  struct InLine {
    std::uint32_t warp = 0;
    const trace::Instruction* instruction = nullptr;
    Time issued{};
    std::uint64_t age = 0;  ///< the lower, the earlier its warp came to the core; no two warps have the same
  };
  /// What an instruction still needs to become line requests.
  struct LineList {
    memory::Operation operation{};
    memory::CacheOperator cache_operator{};
    std::vector<BlockRequest> lines;  ///< sized at its first use, for any instruction
  };
  struct Queued {
    Access* access = nullptr;
    std::uint32_t list = 0;
  };
  struct Pipe {
    Pipe(std::uint64_t depth, std::uint64_t warps);
    LoadStoreUnit* unit = nullptr;
    Ring<Queued> queue;
    std::vector<LineList> lists;  ///< of the instructions in the queue
    std::vector<std::uint32_t> free_lists;
    Ring<InLine> line;                ///< as they came
    std::vector<InLine> by_warp;      ///< what each warp waits with, of those that continue by age
    std::vector<std::uint64_t> ages;  ///< of these warps, the oldest last: age and warp
    bool anyone_in_line() const { return !line.empty() || !ages.empty(); }
    void stand_in_line(const InLine& entry, bool by_age);
    /// Of the first of both lines the one of the older warp.
    InLine next_in_line();
    engine::Lane lane;
    bool serving = false;
    bool wake_scheduled = false;
    engine::Handler drained;
  };

  std::size_t pipe_of(trace::Space space) const;
  bool by_age(const trace::Instruction& instruction) const {
    return age_in_line_ && instruction.space == trace::Space::shared;
  }
  void admit(Pipe& pipe, const InLine& entry);
  std::uint64_t rows_of(std::uint64_t bytes) const { return (bytes + row_bytes_ - 1) / row_bytes_; }
  /// A part for each core whose shared memory lanes reach. Throws InvalidRequest if a block's cluster has no such block.
  void form_parts(Access& access, const trace::Instruction& instruction) const;
  RemotePart part_of(Access& access, const trace::Instruction& lanes, std::uint32_t peer) const;
  void form_shared(Access& access, const trace::Instruction& instruction);
  void form_lines(Access& access, const trace::Instruction& instruction, LineList& list);
  void form_copy(Access& access, const trace::Instruction& instruction) const;
  std::uint32_t put_requests(std::vector<BlockRequest>& lines) const;
  Duration address_path(const trace::Instruction& instruction) const;
  void serve(Pipe& pipe);
  bool may_go(const Access& access) const;
  Time free_at(const Pipe& pipe, const Access& access) const;
  void send(Pipe& pipe, Access& access, const LineList& list);
  void complete(Access& access);
  /// When the rows of a tile are written to shared memory, of all cores that get it, or read from it; the banks are
  /// asked now.
  Time tile_moved(const Access& copy);
  void on_wake(Pipe& pipe);
  void on_shared_done(Access& access);
  void on_returned(Access& access);
  void on_answer(memory::Transaction& transaction);
  void on_held(memory::Transaction& transaction);
  void gather(memory::Transaction& transaction);
  void reached(Access& access, std::uint8_t level) const;
  void on_answered(Access& access);

  engine::Simulation& simulation_;
  engine::Pool<memory::Transaction>& pool_;
  LoadStoreSpec spec_;
  bool age_in_line_;
  bool shares_array_;
  SharedMemory shared_;
  std::uint32_t core_;
  std::uint8_t die_;
  std::uint8_t behind_first_ = 0xFF;
  AccessListener listener_;
  std::array<Outlet, shared_pipe> outlets_{};
  ClusterNetwork* network_ = nullptr;
  std::vector<const Cluster*> clusters_;  ///< by slot of a warp
  memory::Journey* journey_ = nullptr;
  memory::JourneySampler* sampler_ = nullptr;
  const memory::AtomicListener* atomic_listener_ = nullptr;
  memory::Values* values_ = nullptr;
  memory::Stage queue_stage_, address_stage_, shared_stage_, return_stage_;
  Duration scalar_address_, vector_address_, per_extra_pass_, wide_, pass_time_;
  Duration per_line_, per_stored_line_, per_store_;
  double return_ticks_;  ///< of a byte
  engine::Lane return_lane_;
  Duration copy_setup_{}, copy_per_line_{};
  std::uint32_t row_bytes_;  ///< of all banks
  std::uint64_t copied_lines_most_ = 0;
  std::uint64_t copied_lines_ = 0;  ///< of bulk copies, under way
  std::uint32_t lines_at_once_;
  unsigned request_sectors_;  ///< of a line request, at most
  engine::Handler wake_ = engine::handler<&LoadStoreUnit::on_wake>(*this);
  engine::Handler shared_done_ = engine::handler<&LoadStoreUnit::on_shared_done>(*this);
  engine::Handler returned_ = engine::handler<&LoadStoreUnit::on_returned>(*this);
  engine::HandlerNumber answer_ = simulation_.number(engine::handler<&LoadStoreUnit::on_answer>(*this));
  engine::Handler held_ = engine::handler<&LoadStoreUnit::on_held>(*this);
  engine::Handler answered_ = engine::handler<&LoadStoreUnit::on_answered>(*this);
  Coalescer coalescer_;
  AccessTable accesses_;
  std::array<Pipe, shared_pipe + 1> pipes_;
  std::uint32_t loads_ = 0;  ///< through outlets
  std::uint32_t loads_most_;
  LineFlow flow_;
  std::uint64_t stood_in_line_ = 0;
};

}  // namespace strata::compute
