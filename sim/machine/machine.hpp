// SPDX-License-Identifier: Apache-2.0
// A machine: every block of a spec, wired. The only place that knows all
// blocks. A load goes core, L1, translation, crossbar, L2 slice of the core's
// die; what misses there goes to the block's home: the home die's L2 slice
// where the L2 is partitioned, the memory-side cache where there is one, and
// the DRAM channel. Further levels stand where levels.hpp says. touch() walks the same way through the
// same tags without time, so that a machine can be warmed before a run.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/clock.hpp"
#include "engine/processes.hpp"
#include "fabric/die_network.hpp"
#include "machine/account/contents.hpp"
#include "machine/account/level_traffic.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/atlas.hpp"
#include "machine/blocks/compute_die.hpp"
#include "machine/blocks/core_front.hpp"
#include "machine/blocks/die_routes.hpp"
#include "machine/blocks/host_path.hpp"
#include "machine/blocks/memory_die.hpp"
#include "machine/blocks/probe_routes.hpp"
#include "machine/blocks/write_back.hpp"
#include "machine/layout/processes.hpp"
#include "machine/meter.hpp"
#include "machine/spec.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

/// Which caches a touch() goes through. past_caches: it updates TLBs and DRAM rows alone; space, cache operator and
/// operation make no difference.
enum class Reach : std::uint8_t { every_level, past_first_level, past_caches };

/// Which caches of the compute dies forget() empties: the L2s alone, or the levels behind them as well.
enum class DieLevels : std::uint8_t { l2, all };

/// Throws InvalidRequest where a machine has a block that does not report how words move: see Machine::keep_values().
void check_values(const MachineSpec& spec);

class Machine {
 public:
  /// The spec must have passed its schema. Throws InvalidRequest where parts of
  /// it do not fit each other: see consistency.hpp. Divided by die, what listens to cores is called by several
  /// processes, and the order of its calls is that of time for each alone.
  explicit Machine(const MachineSpec& spec, Division division = Division::whole);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineSpec& spec() const { return spec_; }
  engine::Processes& processes() { return processes_; }
  const engine::Processes& processes() const { return processes_; }
  /// Of a machine that is not divided.
  engine::Simulation& simulation() { return processes_[0]; }
  const engine::Timebase& timebase() const { return timebase_; }
  const engine::Clock& core_clock() const { return core_clock_; }
  const memory::StageNames& stages() const { return stages_; }

  /// Cores are given by their index. Puts a warp on a core; its completions go to the listener, its milestones
  /// to the journey if one is given. The stream must outlive the run. The warp's number on the core.
  std::uint32_t start(std::uint32_t index, trace::WarpStream& stream, const compute::CompletionListener& listener,
                      memory::Journey* journey = nullptr);
  /// Puts a block on a core; its warps begin at t. origin: when its kernel began.
  void start_block(std::uint32_t index, std::unique_ptr<trace::BlockStreams> streams, std::uint32_t warps, Time t,
                   Time origin, const compute::BlockListener& done, const compute::CompletionListener& listener);
  /// Every so many requests one is followed, by the sampler of its core's process; {}: none is.
  void sample(std::span<memory::JourneySampler> samplers) { samplers_ = samplers; }
  /// The listener of every atomic from now on, wherever it is performed; nullptr: none.
  void watch_atomics(const memory::AtomicListener* listener);
  /// Loads are answered with values from now on. Before the first request. Throws InvalidRequest where
  /// the machine has a block that does not report how words move.
  void keep_values(memory::Values& values);
  /// What a release by a core writes back, of these blocks of the address space (address / 128), so
  /// that every die can read it: true once that has been done, so ask again later.
  bool release(std::uint32_t index, std::span<const std::uint64_t> virtual_blocks);
  /// What an acquire by a core invalidates, of these blocks: copies that stores of other cores do not reach.
  void acquire(std::uint32_t index, std::span<const std::uint64_t> virtual_blocks);
  /// Instructions of warps that start from now on are of this kernel.
  void run_code_of(const std::string& kernel) { code_.run(kernel); }
  /// Empties the data caches of the cores, as between two kernels. Only while nothing is under way.
  void forget_first_levels();
  /// Translations that cores share are there from the start: see Translator.
  void assume_pages_used() {
    for (OfProcess& each : of_process_) each.translator.assume_pages_used();
  }
  /// Empties them, once they have written back. Only while nothing is under way.
  void forget(DieLevels levels);
  /// Another split of the cores' arrays between L1 and shared memory, by a name of
  /// l1.carve_outs; the caches of the cores are then empty. Only while nothing is under way.
  void split_arrays(const std::string& carve_out);
  /// Runs until all work is done, or until simulation().stop() or at_window pauses: false, and
  /// run() resumes from there. Throws observe::Deadlock when requests wait for each other.
  bool run();
  bool run(engine::Executor& executor, const engine::Processes::AtWindow& at_window);
  /// One access of `bytes` at a virtual byte address, without time. Past the first level it
  /// continues as after a miss there, and leaves that level unchanged.
  void touch(std::uint32_t index, std::uint64_t address, std::uint64_t bytes, trace::Space space,
             memory::CacheOperator cache_operator, Reach reach = Reach::every_level,
             memory::Operation operation = memory::Operation::load);
  /// Brings to the host's caches what touch() of that address will read: called
  /// some touches ahead, it hides the host's memory latency. Changes nothing.
  void expect(std::uint32_t index, std::uint64_t address);
  /// What a load of a core from a virtual byte address would find on its way, through the L1.
  Contents contents(std::uint32_t index, std::uint64_t address);
  /// The pages of these addresses come to lie in a memory die, wherever pages.placement would put them.
  /// Before they are accessed. Throws InvalidRequest where memory dies have no pieces of the address space.
  void place_pages(const trace::Region& region, std::uint32_t memory_die);

  /// What has been counted so far.
  Meter meter() { return Meter(*this); }
  /// Where addresses, dies and cores lie.
  Atlas atlas() const { return Atlas(*this); }

 private:
  friend class Meter;
  friend class Atlas;
  friend class Dispatcher;
  friend class StreamValues;

  /// Has the L2s and the levels behind them in the compute dies write back what is dirty, at the end of
  /// a kernel that was over at t. Once no request is under way.
  void write_back_dies(Time t);
  CoreFront& core(std::uint32_t index);
  void touch_past_caches(std::uint32_t index, std::uint64_t address, std::uint64_t bytes);
  /// Of a resident warp, as requests name it; nullptr once it has ended.
  trace::WarpStream* stream(std::uint32_t core, std::uint32_t warp) { return this->core(core).core().stream(warp); }
  std::uint32_t process_of(std::uint32_t core) const { return plan_.of_compute_die[core / spec_.dies.cores_per_die]; }
  memory::JourneySampler* sampler_of(std::uint32_t core) {
    return samplers_.empty() ? nullptr : &samplers_[process_of(core)];
  }
  std::uint32_t nearest_domain(std::uint32_t core) const;
  /// Every slice of a level that exists: visit(slice, its instance, its number there).
  template <class Visit>
  void visit_slices(const Level& level, const Visit& visit) const;
  /// The same, visit(const CacheLevel&, instance); of the L2 there is none.
  template <class Visit>
  void visit_instances(const Level& level, const Visit& visit) const;
  /// Transactions under way.
  std::size_t alive() const;
  const fabric::AddressMap& build_processes();
  void build_dies();
  /// What the dies and cores of one process share.
  struct OfProcess {
    OfProcess(Machine& machine, engine::Simulation& simulation);
    engine::Pool<memory::Transaction> pool;
    translation::Translator translator;
    fabric::AddressMap l2_map;
    fabric::AddressMap memory_map;  ///< gives homes and channels
    CoreDesigns core_designs;
    std::deque<LevelDesign> levels;  ///< of levels_ but the L2
    LevelDesigns of_core, of_memory_die;
    DieDesign die;
    std::optional<compute::ClusterNetwork> cluster;
    std::optional<InstructionCaches> instruction_caches;
    Shared core;
    WriteBack write_back;
  };
  /// The maps of addresses are alike in all.
  const fabric::AddressMap& memory_map() const { return of_process_.front().memory_map; }

  MachineSpec spec_;
  std::vector<Level> levels_;  ///< of caches, below the first
  engine::Timebase timebase_;
  engine::Clock core_clock_;
  ProcessPlan plan_;
  engine::Processes processes_;
  memory::StageNames stages_;
  translation::PageTable pages_;
  CodeMemory code_;
  std::deque<OfProcess> of_process_;
  DieRoutes routes_;
  std::deque<ComputeDie> compute_dies_;
  std::unique_ptr<HostPath> host_;
  std::deque<MemoryDie> memory_dies_;
  std::unique_ptr<fabric::DieNetwork> network_;
  std::optional<ProbeRoutes> probe_routes_;        ///< none: no probe filter
  std::vector<std::unique_ptr<CoreFront>> cores_;  ///< built when first used
  std::span<memory::JourneySampler> samplers_;
  const memory::AtomicListener* atomic_listener_ = nullptr;
  memory::Values* values_ = nullptr;
  SectorFlow of_former_cores_;  ///< before their arrays were split otherwise
  std::size_t figures_ = 0;     ///< of the last snapshot
};

template <class Visit>
void Machine::visit_slices(const Level& level, const Visit& visit) const {
  const auto all_of = [&](const std::deque<cache::Cache>& slices, std::size_t instance) {
    for (std::size_t s = 0; s < slices.size(); ++s) visit(slices[s], instance, s);
  };
  if (level.is_l2())
    for (std::size_t d = 0; d < compute_dies_.size(); ++d) all_of(compute_dies_[d].slices(), d);
  visit_instances(level, [&](const CacheLevel& of, std::size_t instance) { all_of(of.slices(), instance); });
}

template <class Visit>
void Machine::visit_instances(const Level& level, const Visit& visit) const {
  if (level.is_l2()) return;
  const auto of = [&](const CacheLevels& levels, std::size_t instance) {
    visit(levels.levels()[level.place], instance);
  };
  switch (level.shared_by) {
    case Sharers::core:
      for (std::size_t c = 0; c < cores_.size(); ++c)
        if (cores_[c]) of(std::as_const(*cores_[c]).levels(), c);
      return;
    case Sharers::group:
      for (std::size_t d = 0; d < compute_dies_.size(); ++d)
        for (std::size_t g = 0; g < compute_dies_[d].groups().size(); ++g)
          of(compute_dies_[d].groups()[g], d * compute_dies_[d].groups().size() + g);
      return;
    case Sharers::die:
      for (std::size_t d = 0; d < compute_dies_.size(); ++d) of(compute_dies_[d].behind_l2(), d);
      return;
    case Sharers::memory_die:
      for (std::size_t m = 0; m < memory_dies_.size(); ++m) of(memory_dies_[m].levels(), m);
      return;
  }
}

inline std::uint32_t Atlas::process_of(std::uint32_t core) const { return machine_.process_of(core); }

}  // namespace strata::machine
