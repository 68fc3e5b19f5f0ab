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
      .required("name", &CarveOutSpec::name, "used by l1.carve_out")
      .required("size", &CarveOutSpec::size, "capacity of the L1", range(128_B, 64_MiB))
      .optional("shared", &CarveOutSpec::shared,
                "capacity of shared memory; a kernel whose blocks need more than the chosen entry has gets the "
                "smallest entry that is sufficient",
                range(0_B, 64_MiB));
}

Schema<L1Spec> L1Spec::schema() {
  return Schema<L1Spec>("L1", "the first-level data cache of a core")
      .optional("capacity", &L1Spec::capacity,
                "the L1 of one core: determines the size of the chosen carve-out; if not set, computed from it",
                range(128_B, 64_MiB))
      .required("carve_outs", &L1Spec::carve_outs, "the sizes that a program can choose from", entries(1, 64))
      .required("carve_out", &L1Spec::carve_out, "name of the chosen one")
      .required("cache", &L1Spec::cache, "the cache itself; its size is the carve-out's")
      .optional("victim_cache", &L1Spec::victim_cache, "a victim cache behind it; none: evicted lines are dropped")
      .check("carve_out", [](const L1Spec& l1) -> std::string {
        for (const CarveOutSpec& option : l1.carve_outs)
          if (option.name == l1.carve_out) {
            // If the data array is a pool, its size need not be whole sets.
            const std::uint64_t part = l1.cache.line.value * (l1.cache.data_pool ? 1 : l1.cache.ways);
            if (option.size.value % part != 0)
              return fmt::format(
                  "leaves {} B, the size of its entry of l1.carve_outs, which is not a whole number of {} of {} B\n"
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

Schema<InstructionCacheSpec> InstructionCacheSpec::schema() {
  return Schema<InstructionCacheSpec>(
             "instruction cache",
             "the lines of code that cores have fetched; an instruction whose program counter is not known is "
             "always available")
      .optional("cores", &InstructionCacheSpec::cores, "consecutive cores of a compute die that share an instance",
                range(1, 256))
      .required("cache", &InstructionCacheSpec::cache, "the cache itself");
}

Schema<IndexSpec> IndexSpec::schema() {
  return Schema<IndexSpec>("index", "how blocks are spread over dies, slices and sets")
      .optional("home_bits", &IndexSpec::home_bits, "bits of the home die's number, lowest first; none: one memory die",
                entries(0, 6))
      .optional("policy", &IndexSpec::policy, "mapping of blocks to slices and sets",
                one_of(names_of(fabric::index_policies)))
      .optional("page", &IndexSpec::page, "blocks are spread evenly within pages of this size", range(128_B, 8_MiB),
                config::power_of_two())
      .optional("unit_bits", &IndexSpec::unit_bits,
                "address bits within the page that do not select a slice: lines that differ only in these share a "
                "slice and are adjacent in DRAM; only with balanced and folded",
                range(7, 22), entries(0, 8))
      .optional("row_stride", &IndexSpec::row_stride,
                "with folded a slice numbers its lines (units of lines) chunk by chunk; those whose numbers differ by "
                "so many are adjacent in DRAM, in pairs",
                range<std::uint64_t>(1, 1024), config::power_of_two())
      .optional("seed", &IndexSpec::seed, "of the hash");
}

Schema<L2Spec> L2Spec::schema() {
  return Schema<L2Spec>("L2", "the cache of a compute die, in slices; l2.bypass=true removes it")
      .required("slices_per_die", &L2Spec::slices_per_die, "slices of one compute die", range(1, 4096))
      .optional("capacity", &L2Spec::capacity,
                "all slices of all dies together: determines cache.size; if not set, computed from it",
                range(128_B, 1048576_GiB))
      .optional("partitioned", &L2Spec::partitioned,
                "each block has a home die; other dies send requests to it and keep a copy. Off: private to the die")
      .optional("bypass", &L2Spec::bypass, "no L2: the crossbar's outputs, as many as slices, lead to memory")
      .optional("index", &L2Spec::index, "mapping of blocks to slices and sets")
      .required("cache", &L2Spec::cache, "one slice")
      .check("cache", [](const L2Spec& l2) -> std::string {
        // Fetches from another die leave one of each for requests on which that die waits.
        const cache::CacheSpec& c = l2.cache;
        if (!l2.partitioned || (c.mshr_count() >= 2 && c.ways >= 2 && c.lines() >= 2)) return {};
        return fmt::format(
            "needs 2 MSHRs, 2 ways and 2 lines or more where the L2 is partitioned, or dies can deadlock by requests "
            "to each other, but has {}, {} and {}\nset {}",
            c.mshr_count(), c.ways, c.lines(),
            c.mshr_count() < 2 ? "@cache.mshrs=2" : (c.ways < 2 ? "@cache.ways=2" : "@cache.size larger"));
      });
}

Schema<AddressRangeSpec> AddressRangeSpec::schema() {
  return Schema<AddressRangeSpec>("address range",
                                  "physical addresses for which a level is the home; other requests bypass it")
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
                "all slices of all dies together: determines cache.size; if not set, computed from it",
                range(128_B, 1048576_GiB))
      .optional("index", &MemorySideCacheSpec::index, "mapping of blocks to homes, slices and sets")
      .optional("addresses", &MemorySideCacheSpec::addresses,
                "physical addresses for which it is the home; other requests bypass it; not set: all")
      .optional("latency", &MemorySideCacheSpec::latency, "from the die's edge to a slice's tags",
                range(0_ns, 100'000_ns))
      .required("cache", &MemorySideCacheSpec::cache, "one slice")
      .optional("probe_filter", &MemorySideCacheSpec::probe_filter,
                "a directory of the copies in private L2s, in slices beside those of the cache; not set: no coherent "
                "access leaves copies there");
}

Schema<LevelSpec> LevelSpec::schema() {
  return Schema<LevelSpec>("level", "a further level of caches between the L1s and the memory")
      .required("shared_by", &LevelSpec::shared_by, "sharers of an instance, which determine its position",
                choices<Sharers>({{"core", Sharers::core, "one core: behind its L1 and the translation of addresses"},
                                  {"group", Sharers::group,
                                   "the cores of a group: between them and the crossbar, of which it is one source"},
                                  {"die", Sharers::die, "the cores of a compute die: behind its L2"},
                                  {"memory_die", Sharers::memory_die,
                                   "all users of a memory die: in front of its memory-side cache"}}))
      .optional("slices", &LevelSpec::slices, "slices of one instance", range(1, 4096))
      .optional("capacity", &LevelSpec::capacity,
                "all slices of all instances together: determines cache.size; if not set, computed from it",
                range(128_B, 1048576_GiB))
      .optional("index", &LevelSpec::index, "mapping of blocks to slices and sets")
      .optional("addresses", &LevelSpec::addresses,
                "physical addresses for which it is the home; other requests bypass it; not set: all")
      .optional("latency", &LevelSpec::latency, "from the level above to a slice's tags", range(0_ns, 100'000_ns))
      .required("cache", &LevelSpec::cache, "one slice");
}

}  // namespace strata::machine
