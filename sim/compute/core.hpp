// SPDX-License-Identifier: Apache-2.0
// A core: warps that issue memory instructions in order, the load/store unit
// that turns them into line requests, and shared memory. The caches of the
// core are blocks of their own behind the sinks that the machine connects. A
// warp issues a dependent instruction when all its earlier accesses have
// answered; others follow each other at the pace of the load/store unit.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "compute/coalescer.hpp"
#include "compute/core_spec.hpp"
#include "compute/shared_memory.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/pool.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

/// Where a core's requests go, by space; one not connected must not be used.
struct CoreOutlets {
  memory::Sink global;
  memory::Sink scalar;
  memory::Sink texture;
};

/// Told of each instruction that has completed. served_by is the deepest level
/// any of its requests reached; shared memory counts as level 0.
struct CompletionListener {
  using Function = void (*)(void* self, std::uint32_t core, Duration latency, unsigned served_by);
  Function function = nullptr;
  void* self = nullptr;
};

class Core {
 public:
  Core(engine::Simulation& simulation, const CoreSpec& spec, const engine::Clock& clock,
       std::uint32_t index, std::uint8_t die, engine::Pool<memory::Transaction>& pool,
       memory::StageNames& stages);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void connect(const CoreOutlets& outlets) { outlets_ = outlets; }
  void listen(const CompletionListener& listener) { listener_ = listener; }
  /// Journeys of this core's requests are written here; nullptr: nowhere.
  void observe(memory::Journey* journey) { journey_ = journey; }

  std::uint32_t index() const { return index_; }
  std::uint8_t die() const { return die_; }

  /// Puts a warp on the core; it issues its first instruction at t. The stream
  /// must outlive the warp's run.
  void start(trace::WarpStream& stream, Time t);
  /// Warps that have not ended.
  std::uint32_t running() const { return running_; }
  /// Line requests that left the load/store unit.
  std::uint64_t transactions() const { return transactions_; }

 private:
  struct Warp {
    trace::WarpStream* stream = nullptr;
    Core* core = nullptr;
    trace::Instruction instruction;
    bool holds_instruction = false;
    std::uint32_t outstanding = 0;
    std::uint32_t index = 0;
    std::uint8_t deepest = 0;
    Time issued{};
  };

  void on_issue(Warp& warp);
  void on_shared_done(Warp& warp);
  void on_answer(memory::Transaction& transaction);
  void issue(Warp& warp);
  void send(Warp& warp);
  void completed(Warp& warp);
  const memory::Sink& outlet(trace::Space space) const;

  engine::Simulation& simulation_;
  engine::Pool<memory::Transaction>& pool_;
  engine::Clock clock_;
  LoadStoreSpec load_store_;
  SharedMemory shared_;
  std::uint32_t index_;
  std::uint8_t die_;
  CoreOutlets outlets_;
  CompletionListener listener_;
  memory::Journey* journey_ = nullptr;
  memory::Stage address_stage_;
  memory::Stage shared_stage_;
  engine::Handler issue_handler_ = engine::handler<&Core::on_issue>(*this);
  engine::Handler shared_handler_ = engine::handler<&Core::on_shared_done>(*this);
  engine::Handler answer_handler_ = engine::handler<&Core::on_answer>(*this);
  engine::Lane load_store_lane_;
  Coalescer coalescer_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::uint32_t running_ = 0;
  std::uint64_t transactions_ = 0;
};

}  // namespace strata::compute
