// SPDX-License-Identifier: Apache-2.0
// A core with its own caches and its place in translation: everything between
// the load/store unit and the crossbar.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/cache.hpp"
#include "cache/victim/victim_cache.hpp"
#include "compute/cluster/cluster_network.hpp"
#include "compute/core.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/blocks/compute_die.hpp"
#include "machine/blocks/instruction_cache.hpp"
#include "machine/layout/code_memory.hpp"
#include "machine/spec.hpp"
#include "stats/collector.hpp"
#include "translation/page_table.hpp"
#include "translation/translator.hpp"

namespace strata::machine {

/// The caches of cores are alike.
struct CoreDesigns {
  /// As the arrays of the spec are split now.
  CoreDesigns(memory::StageNames& stages, const MachineSpec& spec, engine::Clock clock);

  cache::SharedDesign l1;
  cache::SharedDesign scalar, second_scalar, texture;  ///< null: none
  std::uint8_t second_scalar_level = 0;                ///< its number among level_names() of the scalar space
};

/// What a core shares with the others.
struct Shared {
  engine::Simulation& simulation;
  memory::StageNames& stages;
  engine::Pool<memory::Transaction>& pool;
  const MachineSpec& spec;
  engine::Clock core_clock;
  translation::PageTable& pages;
  translation::Translator& translator;
  const fabric::AddressMap& home_map;  ///< gives a block's home die
  const CoreDesigns& designs;
  const LevelDesigns& of_core;  ///< levels behind the first-level caches, of one core
  const CodeMemory& code;
  InstructionCaches* instruction_caches = nullptr;  ///< null: there are none
  compute::ClusterNetwork* cluster = nullptr;       ///< to the shared memory of others, if there is one
};

/// The last translations of a core, by page: the page table is a computation,
/// and a chase within few pages need not repeat it for each load. Holds no
/// state of the machine; TLBs are the Translator's.
class PageMemo {
 public:
  /// host: the first block of the host's memory, which lies as it is addressed.
  PageMemo(Bytes page, std::uint64_t host)
      : page_bits_(static_cast<unsigned>(std::countr_zero(page.value / memory::block_bytes))), host_(host) {}

  std::uint64_t block(translation::PageTable& pages, std::uint64_t virtual_block, std::uint32_t domain) {
    if (virtual_block >= host_) return virtual_block;
    const std::uint64_t page = virtual_block >> page_bits_;
    Entry& entry = entries_[page % entries_.size()];
    if (entry.page != page) entry = {page, pages.block(page << page_bits_, domain)};
    return entry.first_block + (virtual_block & ((std::uint64_t{1} << page_bits_) - 1));
  }

 private:
  struct Entry {
    std::uint64_t page = ~std::uint64_t{0};
    std::uint64_t first_block = 0;
  };
  unsigned page_bits_;
  std::uint64_t host_;
  std::array<Entry, 64> entries_;
};

class CoreFront {
 public:
  /// index: over all cores; die: its compute die; domain: the memory die nearest to it, where those have pieces
  /// of the address space.
  CoreFront(const Shared& shared, std::uint32_t index, ComputeDie& die, std::uint8_t die_index, std::uint32_t domain);
  CoreFront(const CoreFront&) = delete;
  CoreFront& operator=(const CoreFront&) = delete;

  compute::Core& core() { return core_; }
  const compute::Core& core() const { return core_; }
  const cache::Cache& l1() const { return l1_; }
  /// The first-level caches.
  template <class Visit>
  void visit_caches(const Visit& visit) const {
    visit(l1_);
    if (scalar_) visit(*scalar_);
    if (texture_) visit(*texture_);
  }
  /// The cache behind that of scalars; nullptr: there is none.
  const cache::Cache* second_scalar() const { return second_scalar_ ? &*second_scalar_ : nullptr; }
  /// See Machine::keep_values().
  void keep_values(memory::Values& values);
  /// Drops a physical block from its caches, which have nothing of it that is not below as well.
  void invalidate(std::uint64_t block);
  /// Empties its caches; they hold nothing that is not below as well.
  void forget() {
    l1_.drop_all();
    if (victims_) victims_->drop_all();
    if (scalar_) scalar_->drop_all();
    if (second_scalar_) second_scalar_->drop_all();
    if (texture_) texture_->drop_all();
    levels_.visit([](cache::Cache& cache) { cache.drop_all(); });
  }
  /// What its first-level caches asked of those below, and what it asked of the die.
  void first_levels_leave(SectorFlow& flow) const;
  void leaves(SectorFlow& flow) const;
  void collect(stats::Collector& collector) const;
  void collect_ports(std::vector<const engine::Port*>& ports) const;
  /// Line requests of bulk copies, which pass none of its first-level caches.
  const Arrivals& bulk_copies() const { return bulk_copies_; }
  std::uint8_t die() const { return core_.die(); }
  /// The physical block of a virtual one.
  std::uint64_t block(std::uint64_t virtual_block) { return memo_.block(shared_.pages, virtual_block, domain_); }

  /// A request without time. through_first: else the first-level cache is bypassed as if it missed.
  void touch(std::uint64_t virtual_block, memory::SectorMask sectors, trace::Space space,
             memory::CacheOperator cache_operator, bool through_first,
             memory::Operation operation = memory::Operation::load);
  CacheLevels& levels() { return levels_; }
  const CacheLevels& levels() const { return levels_; }

 private:
  /// From the load/store unit into the buffer of a first-level cache.
  struct WayIn {
    WayIn(CoreFront& owner, engine::Simulation& simulation, std::string name, const engine::Handler& receiver,
          std::uint32_t depth)
        : front(owner), port(simulation, std::move(name), receiver, Duration{}, depth) {}
    CoreFront& front;
    engine::Port port;
    static void take(void* self, memory::Transaction& transaction, Time departs, Duration underway);
  };

  compute::Outlet way_into(cache::Cache& first);
  /// The cache that accesses of that space come to first; nullptr: none of the core's.
  cache::Cache* first_of(trace::Space space);
  /// A line of a bulk copy, past the first-level caches.
  static void copy_in(void* self, memory::Transaction& transaction, Time departs, Duration underway);
  /// See compute::CodeSource.
  static bool code_present(void* self, memory::Transaction& request);
  static void fetch_code(void* self, memory::Transaction& request);
  void leave(memory::Transaction& transaction, Time ready);
  void to_second_scalar(memory::Transaction& transaction, Time ready) {
    transaction.serviced_level = shared_.designs.second_scalar_level;
    second_scalar_->take(transaction, ready);
  }
  /// A miss of the instruction cache, which is looked up by virtual addresses.
  void leave_code(memory::Transaction& transaction, Time ready);
  void to_levels(memory::Transaction& transaction, Time ready);
  void into_die(memory::Transaction& transaction, Time ready) { die_.from_core(transaction, within_die_, ready); }

  const Shared& shared_;
  PageMemo memo_;
  std::uint32_t domain_;
  ComputeDie& die_;
  std::uint32_t within_die_;
  compute::Core core_;
  CacheLevels levels_;
  cache::Cache l1_;
  std::optional<cache::VictimCache> victims_;
  std::optional<cache::Cache> scalar_, second_scalar_;
  std::optional<cache::Cache> texture_;
  InstructionCache* instruction_cache_ = nullptr;  ///< of the first fetch
  std::deque<WayIn> ways_in_;
  Arrivals bulk_copies_;
};

}  // namespace strata::machine
