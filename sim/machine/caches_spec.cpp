// SPDX-License-Identifier: Apache-2.0
#include "machine/caches_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fabric/address_map.hpp"
#include "machine/names_of.hpp"

namespace strata::machine {

using config::choices;
using config::entries;
using config::one_of;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

namespace {

// An address range consists of whole lines, whatever their length.
constexpr std::uint64_t bytes_of_range = (4_KiB).value;

}  // namespace

Schema<CarveOutSpec> CarveOutSpec::schema() {
  return Schema<CarveOutSpec>("carve-out", "a share of a core's array that serves as L1")
      .required("name", &CarveOutSpec::name, "as l1.carve_out chooses it")
      .required("size", &CarveOutSpec::size, "L1 that this leaves", range(128_B, 64_MiB))
      .optional("shared", &CarveOutSpec::shared,
                "shared memory beside it; a kernel whose blocks take more than the chosen one has gets "
                "the least that holds them",
                range(0_B, 64_MiB));
}

Schema<L1Spec> L1Spec::schema() {
  return Schema<L1Spec>("L1", "the first-level data cache of a core")
      .optional("capacity", &L1Spec::capacity,
                "the L1 of one core: chooses the size of the chosen carve-out; if not set, follows from it",
                range(128_B, 64_MiB))
      .required("carve_outs", &L1Spec::carve_outs, "the sizes that a program can choose from", entries(1, 64))
      .required("carve_out", &L1Spec::carve_out, "the chosen one, by name")
      .required("cache", &L1Spec::cache, "the cache itself; its size is the carve-out's")
      .optional("victim_cache", &L1Spec::victim_cache, "a victim cache behind it; none: evicted lines are dropped")
      .check("carve_out", [](const L1Spec& l1) -> std::string {
        for (const CarveOutSpec& option : l1.carve_outs)
          if (option.name == l1.carve_out) {
            // Where the data array is a pool, tags do not bind it to whole sets.
            const std::uint64_t part = l1.cache.line.value * (l1.cache.data_pool ? 1 : l1.cache.ways);
            if (option.size.value % part != 0)
              return fmt::format(
                  "leaves {} B, the size of its entry of l1.carve_outs, which is no whole number of {} of {} B\n"
                  "set @carve_outs[{}].size={}B",
                  option.size.value, l1.cache.data_pool ? "lines" : "sets", part, &option - l1.carve_outs.data(),
                  std::max<std::uint64_t>(option.size.value / part, 1) * part);
            const std::string beyond = cache::beyond_tags(l1.chosen());
            return beyond.empty() ? ""
                                  : fmt::format(
                                        "leaves {} B, the size of its entry of l1.carve_outs, which {}\n"
                                        "set @cache.data_pool.tag_sets={}",
                                        option.size.value, beyond, cache::enough_tag_sets(l1.chosen()));
          }
        return fmt::format("is '{}', which is not one of {}", l1.carve_out, fmt::join(names_of(l1.carve_outs), ", "));
      });
}

const CarveOutSpec& L1Spec::for_shared(std::uint64_t bytes) const {
  const CarveOutSpec* chosen = &carve_outs.front();
  for (const CarveOutSpec& option : carve_outs)
    if (option.name == carve_out) chosen = &option;
  if (!chosen->shared || chosen->shared->value >= bytes) return *chosen;
  const CarveOutSpec* least = nullptr;
  for (const CarveOutSpec& option : carve_outs) {
    if (!option.shared || option.shared->value < bytes) continue;
    if (least == nullptr || option.shared->value < least->shared->value) least = &option;
  }
  return least == nullptr ? *chosen : *least;
}

cache::CacheSpec L1Spec::chosen() const {
  cache::CacheSpec spec = cache;
  for (const CarveOutSpec& option : carve_outs)
    if (option.name == carve_out) spec.size = option.size;
  return spec;
}

Schema<IndexSpec> IndexSpec::schema() {
  return Schema<IndexSpec>("index", "how blocks are spread over dies, slices and sets")
      .optional("home_bits", &IndexSpec::home_bits, "bits of the home die's number, lowest first; none: one memory die",
                entries(0, 6))
      .optional("policy", &IndexSpec::policy, "how a block finds slice and set",
                one_of(names_of(fabric::index_policies)))
      .optional("page", &IndexSpec::page, "blocks are spread evenly within pages of this size", range(128_B, 8_MiB),
                config::power_of_two())
      .optional("unit_bits", &IndexSpec::unit_bits,
                "address bits within the page that do not select a slice: lines that differ in "
                "these alone share a slice and are adjacent in DRAM; with balanced alone",
                range(7, 22), entries(0, 8))
      .optional("seed", &IndexSpec::seed, "of what is hashed");
}

Schema<L2Spec> L2Spec::schema() {
  return Schema<L2Spec>("L2", "the cache of a compute die, in slices; l2.bypass=true leaves it out")
      .required("slices_per_die", &L2Spec::slices_per_die, "slices of one compute die", range(1, 4096))
      .optional("capacity", &L2Spec::capacity,
                "all slices of all dies together: chooses cache.size; if not set, follows from it",
                range(128_B, 1048576_GiB))
      .optional("partitioned", &L2Spec::partitioned,
                "each block has a home die; other dies ask it and keep a copy. Off: private to the die")
      .optional("bypass", &L2Spec::bypass, "no L2: the crossbar's outputs, as many as slices, lead to memory")
      .optional("index", &L2Spec::index, "how blocks find their slice and set")
      .required("cache", &L2Spec::cache, "one slice")
      .check("cache", [](const L2Spec& l2) -> std::string {
        // Fetches from another die leave one of each to what that die waits for.
        const cache::CacheSpec& c = l2.cache;
        if (!l2.partitioned || (c.mshr_count() >= 2 && c.ways >= 2 && c.lines() >= 2)) return {};
        return fmt::format(
            "needs 2 MSHRs, 2 ways and 2 lines or more where the L2 is partitioned, or dies that ask "
            "each other wait for each other, but has {}, {} and {}\nset {}",
            c.mshr_count(), c.ways, c.lines(),
            c.mshr_count() < 2 ? "@cache.mshrs=2" : (c.ways < 2 ? "@cache.ways=2" : "@cache.size larger"));
      });
}

Schema<AddressRangeSpec> AddressRangeSpec::schema() {
  return Schema<AddressRangeSpec>("address range",
                                  "physical addresses that a level homes; requests for others bypass it")
      .optional("from", &AddressRangeSpec::from, "the first of them", range(0_B, 65536_GiB))
      .required("to", &AddressRangeSpec::to, "the first beyond them", range(4_KiB, 65536_GiB))
      .check("from",
             [](const AddressRangeSpec& r) -> std::string {
               return r.from.value % bytes_of_range == 0 ? "" : "is not a multiple of 4 KiB, so it would divide a line";
             })
      .check("to", [](const AddressRangeSpec& r) -> std::string {
        if (r.to.value % bytes_of_range != 0) return "is not a multiple of 4 KiB, so it would divide a line";
        return r.from.value < r.to.value ? "" : "is not beyond from, so the range is empty\nset @to larger";
      });
}

Schema<MemorySideCacheSpec> MemorySideCacheSpec::schema() {
  return Schema<MemorySideCacheSpec>("memory-side cache", "a cache in front of the channels (MALL)")
      .required("slices_per_die", &MemorySideCacheSpec::slices_per_die, "slices of one memory die", range(1, 4096))
      .optional("capacity", &MemorySideCacheSpec::capacity,
                "all slices of all dies together: chooses cache.size; if not set, follows from it",
                range(128_B, 1048576_GiB))
      .optional("index", &MemorySideCacheSpec::index, "how blocks find home, slice and set")
      .optional("addresses", &MemorySideCacheSpec::addresses,
                "physical addresses that it homes; requests for others bypass it; not set: all")
      .optional("latency", &MemorySideCacheSpec::latency, "from the die's edge to a slice's tags",
                range(0_ns, 100'000_ns))
      .required("cache", &MemorySideCacheSpec::cache, "one slice");
}

Schema<LevelSpec> LevelSpec::schema() {
  return Schema<LevelSpec>("level", "a further level of caches between the L1s and the memory")
      .required("shared_by", &LevelSpec::shared_by, "who shares an instance, and so where it stands",
                choices<Sharers>({{"core", Sharers::core, "one core: behind its L1 and the translation of addresses"},
                                  {"group", Sharers::group,
                                   "the cores of a group: between them and the crossbar, of which it is one source"},
                                  {"die", Sharers::die, "the cores of a compute die: behind its L2"},
                                  {"memory_die", Sharers::memory_die,
                                   "all who use a memory die: in front of its memory-side cache"}}))
      .optional("slices", &LevelSpec::slices, "slices of one instance", range(1, 4096))
      .optional("capacity", &LevelSpec::capacity,
                "all slices of all instances together: chooses cache.size; if not set, follows from it",
                range(128_B, 1048576_GiB))
      .optional("index", &LevelSpec::index, "how blocks find slice and set")
      .optional("addresses", &LevelSpec::addresses,
                "physical addresses that it homes; requests for others bypass it; not set: all")
      .optional("latency", &LevelSpec::latency, "from the level above to a slice's tags", range(0_ns, 100'000_ns))
      .required("cache", &LevelSpec::cache, "one slice");
}

}  // namespace strata::machine
