// SPDX-License-Identifier: Apache-2.0
#include "cache/spec/cache_spec.hpp"

#include <bit>

#include <fmt/format.h>

#include "cache/compression/table.hpp"
#include "cache/misses/mshr_table.hpp"
#include "cache/prefetch/table.hpp"
#include "replacement/choices.hpp"

namespace strata::cache {

using config::choices;
using config::range;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

namespace {

std::vector<config::Named<std::string>> prefetchers() {
  std::vector<config::Named<std::string>> table{
      {std::string(no_prefetcher), std::string(no_prefetcher), "no prefetcher: lines are fetched on demand"}};
  for (const auto& row : PrefetcherTable::rows())
    table.push_back({std::string(row.name), std::string(row.name), std::string(row.meaning)});
  return table;
}

std::vector<config::Named<std::string>> compressions() {
  std::vector<config::Named<std::string>> table{
      {std::string(no_compression), std::string(no_compression), "no compression: every line takes its full size"}};
  for (const auto& row : CompressionTable::rows())
    table.push_back({std::string(row.name), std::string(row.name), std::string(row.meaning)});
  return table;
}

// Multiples of a part next to a size.
std::string next_sizes(std::uint64_t size, std::uint64_t part) {
  const std::uint64_t below = size / part * part;
  return below == 0 ? fmt::format("set @size={}B", part) : fmt::format("set @size={}B or {}B", below, below + part);
}

std::string whole_sets(const CacheSpec& c) {
  if (c.data_pool) {
    if (c.size % c.line != Bytes{0})
      return fmt::format("must be whole lines of {} B\n{}", c.line.value, next_sizes(c.size.value, c.line.value));
    const std::string beyond = beyond_tags(c);
    return beyond.empty() ? "" : fmt::format("{}\nset @data_pool.tag_sets={}", beyond, enough_tag_sets(c));
  }
  const std::uint64_t set = c.line.value * c.ways;
  if (c.size.value % set == 0) return {};
  return fmt::format("must be whole sets of {} ways x {} B = {} B, but {} B leaves {} B over\n{}", c.ways, c.line.value,
                     set, c.size.value, c.size.value % set, next_sizes(c.size.value, set));
}

// A tag word has four bits of valid sectors and a request names one block.
std::string wide_line(const CacheSpec& c) {
  if (c.line.value <= memory::block_bytes) return {};
  const std::string is = fmt::format("is {} B, more than the {} B of a request: ", c.line.value, memory::block_bytes);
  if (c.sector.value < 2 * memory::sector_bytes)
    return is + fmt::format("needs a 'sector' of {0} B or more\nset @sector={0}B", 2 * memory::sector_bytes);
  if (c.compression != no_compression) return is + "cannot be combined with 'compression'\nset @compression=none";
  if (c.prefetcher != no_prefetcher)
    return is + "cannot be combined with 'prefetcher', which fetches each line by one request\nset @prefetcher=none";
  if (c.write_policy == WritePolicy::write_through) return {};
  const std::uint64_t places = c.dirty_ways ? 4 : 2;
  if (c.writeback_buffer >= places) return {};
  return is + fmt::format(
                  "needs a 'writeback_buffer' of {0} or more{1}: a dirty line is written back by two requests\n"
                  "set @writeback_buffer={0}",
                  places, c.dirty_ways ? " beside 'dirty_ways'" : "");
}

std::string within_line(const char* field, Bytes part, Bytes line) {
  if (part <= line) return {};
  return fmt::format("must not exceed 'line' ({0} B), but is {1} B\nset @{2}={0}B", line.value, part.value, field);
}

std::string masked(const CacheSpec& c) {
  if (!c.masked_lines) return {};
  const std::string without =
      fmt::format("set @masked_lines=none{}", c.incomplete_lines ? " and @incomplete_lines=none" : "");
  if (c.write_allocate == WriteAllocate::none)
    return "needs write_allocate sector: a store that does not allocate keeps no words\n" + without;
  if (c.line.value != memory::block_bytes || c.sector.value != memory::sector_bytes)
    return fmt::format("needs lines of {} B with sectors of {} B\n{}", memory::block_bytes, memory::sector_bytes,
                       without);
  if (c.mshr_count() >= 4 && c.writeback_buffer >= 2) return {};
  return fmt::format(
      "needs 4 'mshrs' and a 'writeback_buffer' of 2 or more, but has {} and {}: evicted lines use them\nset {}{}{}, "
      "or {}",
      c.mshr_count(), c.writeback_buffer, c.mshr_count() < 4 ? "@mshrs=4" : "",
      c.mshr_count() < 4 && c.writeback_buffer < 2 ? " and " : "", c.writeback_buffer < 2 ? "@writeback_buffer=2" : "",
      without.substr(4));
}

}  // namespace

std::uint64_t enough_tag_sets(const CacheSpec& c) { return std::bit_ceil((c.lines() + c.ways - 1) / c.ways); }

std::string beyond_tags(const CacheSpec& c) {
  if (!c.data_pool || c.lines() <= c.data_pool->tag_sets * c.ways) return {};
  return fmt::format(
      "has data for {} lines, but 'data_pool.tag_sets' {} x 'ways' {} have tags for {}; {} sets have enough", c.lines(),
      c.data_pool->tag_sets, c.ways, c.data_pool->tag_sets * c.ways, enough_tag_sets(c));
}

config::Schema<CacheSpec> CacheSpec::schema() {
  return config::Schema<CacheSpec>("cache", "a set-associative, sectored cache with MSHRs")
      .required("name", &CacheSpec::name, "name in stages and statistics")
      .required("size", &CacheSpec::size, "capacity of one instance", range(128_B, 4_GiB))
      .optional("ways", &CacheSpec::ways, "associativity: lines of a set", range(1, 512))
      .optional("data_pool", &CacheSpec::data_pool,
                "tags separate from data: more tags than lines; none: every tag has a line")
      .optional("compression", &CacheSpec::compression,
                "number of data sectors that a line takes, so that a set holds more lines; affects capacity and hit "
                "latency, not widths",
                choices(compressions()))
      .optional("compressed_sectors", &CacheSpec::compressed_sectors,
                "sectors of 32 B that each line takes under ratio", range<std::uint64_t>(1, 4))
      .optional("compression_seed", &CacheSpec::compression_seed, "of the random sizes under bdi_like")
      .optional("tag_ways", &CacheSpec::tag_ways, "tags for each of 'ways' if lines are compressed",
                range<std::uint64_t>(1, 4))
      .optional("decompression_latency", &CacheSpec::decompression_latency,
                "added to hit_latency of loads if lines are compressed", range(0_clk, 10000_clk))
      .optional("line", &CacheSpec::line, "bytes that share a tag", range(32_B, 256_B), config::power_of_two())
      .optional("sector", &CacheSpec::sector,
                "the smallest valid part of a line; 64 B or more in lines of 256 B, whose two blocks of 128 B are "
                "fetched and written back separately",
                range(32_B, 128_B), config::power_of_two())
      .optional("fill_granularity", &CacheSpec::fill_granularity,
                "bytes that a miss requests from the next level, aligned", range(32_B, 128_B), config::power_of_two())
      .optional("replacement", &CacheSpec::replacement, "policy that selects the line to evict",
                choices(replacement::named_policies()))
      .optional("prefetcher", &CacheSpec::prefetcher,
                "which lines are prefetched, within the 4 KiB of a load; the slices of a die share one prefetcher",
                choices(prefetchers()))
      .optional("prefetch_degree", &CacheSpec::prefetch_degree, "lines that the prefetcher requests at once",
                range(1, 16))
      .optional("write_policy", &CacheSpec::write_policy, "store policy",
                choices<WritePolicy>(
                    {{"write_through", WritePolicy::write_through, "a store is forwarded to the next level at once"},
                     {"write_back", WritePolicy::write_back,
                      "the line stays dirty; dirty sectors are written back on eviction"}}))
      .optional("write_allocate", &CacheSpec::write_allocate, "whether a store that misses allocates its line",
                choices<WriteAllocate>(
                    {{"none", WriteAllocate::none, "a store changes only a line that is present"},
                     {"sector", WriteAllocate::sector, "the stored sectors become valid without a fetch"}}))
      .optional("streaming", &CacheSpec::streaming,
                "a load that misses proceeds even if all ways of its set have pending fills, and allocates a line when "
                "its data arrive")
      .optional("bypass_cg", &CacheSpec::bypass_cg, "a load marked cg drops the line and bypasses this cache")
      .optional("masked_lines", &CacheSpec::masked_lines,
                "maximum number of lines with partly written sectors; beyond it the oldest is completed from the next "
                "level and cleaned (write_back) or dropped (write_through). 0: the bound of incomplete_lines; none: "
                "such sectors count as whole or are not kept",
                range<std::uint64_t>(0, 1 << 20))
      .optional("incomplete_lines", &CacheSpec::incomplete_lines,
                "maximum number of dirty lines with invalid sectors; beyond it the oldest is cleaned. none: no bound",
                range<std::uint64_t>(1, 1 << 20))
      .optional("dirty_ways", &CacheSpec::dirty_ways,
                "maximum number of dirty lines of a set; beyond it one of them is cleaned, under lru the least "
                "recently used. none: no bound",
                range<std::uint64_t>(1, 65536))
      .optional("performs_atomics", &CacheSpec::performs_atomics,
                "atomics are performed here; otherwise they drop the line and are forwarded")
      .optional("tag_latency", &CacheSpec::tag_latency, "from lookup to the forwarding of a miss",
                range(0_clk, 10000_clk))
      .required("hit_latency", &CacheSpec::hit_latency,
                "from lookup to the first data of the response, tag_latency included", range(1_clk, 10000_clk))
      .optional("fill_latency", &CacheSpec::fill_latency,
                "from the arrival of fetched data to the first data of the response", range(0_clk, 10000_clk))
      .optional("lookups_per_clock", &CacheSpec::lookups_per_clock, "lookups of the tags per clock", range(0.01, 64.0))
      .optional("misses_per_clock", &CacheSpec::misses_per_clock, "misses forwarded per clock; none: no bound",
                range(0.01, 64.0))
      .required("data_width", &CacheSpec::data_width, "width of responses", range(1_B_clk, 65536_B_clk))
      .optional("write_width", &CacheSpec::write_width, "width of stores into the array; none: as data_width",
                range(1_B_clk, 65536_B_clk))
      .optional("stores_apart", &CacheSpec::stores_apart,
                "stores enter the array by a port of their own; otherwise they take turns with responses")
      .optional("fill_width", &CacheSpec::fill_width, "width of fills into the array; none: no bound",
                range(1_B_clk, 65536_B_clk))
      .optional("banks", &CacheSpec::banks,
                "banks of the data array, over which lines are hashed; 1: no bank conflicts",
                range<std::uint64_t>(1, 64), config::power_of_two())
      .optional("bank_width", &CacheSpec::bank_width, "width of one bank if there are several; none: as data_width",
                range(1_B_clk, 65536_B_clk))
      .optional("input_depth", &CacheSpec::input_depth, "requests in the buffer in front of the tags", range(1, 65536))
      .optional("mshrs", &CacheSpec::mshrs, "maximum number of pending fetches; none: as many as the cache has lines",
                range<std::uint64_t>(1, MshrTable::most))
      .optional("merges_per_mshr", &CacheSpec::merges_per_mshr, "further requests that may wait for a pending fetch",
                range(0, 65536))
      .optional("writeback_buffer", &CacheSpec::writeback_buffer, "written-back lines in flight to the next level",
                range(1, 65536))
      .optional("atomic_passes_per_clock", &CacheSpec::atomic_passes_per_clock,
                "passes of the atomics unit per clock; a pass changes each 4 B word of one sector of 32 B once, so "
                "lanes on one word, or on several sectors, take one pass each",
                range(0.001, 64.0))
      .optional("partial_passes_per_clock", &CacheSpec::partial_passes_per_clock,
                "the same for passes that leave words of their sector alone; none: atomic_passes_per_clock",
                range(0.001, 64.0))
      .optional("atomic_latency", &CacheSpec::atomic_latency, "latency added by the atomics unit",
                range(0_clk, 10000_clk))
      .optional("atomics_take_fill_port", &CacheSpec::atomics_take_fill_port,
                "passes of the atomics unit and fills wait for each other: one port writes both into the array")
      .check("atomics_take_fill_port",
             [](const CacheSpec& c) {
               return c.atomics_take_fill_port && !c.fill_width
                          ? "needs a port that fills take time at: give 'fill_width'"
                          : "";
             })
      .check("size", whole_sets)
      .check("compression",
             [](const CacheSpec& c) {
               return c.compression != no_compression && c.data_pool
                          ? "cannot be combined with 'data_pool': a compressed set shares sectors, a pool shares lines"
                          : "";
             })
      .check("sector", [](const CacheSpec& c) { return within_line("sector", c.sector, c.line); })
      .check("line", wide_line)
      .check("bank_width",
             [](const CacheSpec& c) {
               return !c.bank_width || c.banks > 1 ? ""
                                                   : "needs 'banks' of 2 or more: one bank is as wide as 'data_width'";
             })
      .check("fill_granularity",
             [](const CacheSpec& c) { return within_line("fill_granularity", c.fill_granularity, c.line); })
      .check("fill_granularity",
             [](const CacheSpec& c) {
               return c.fill_granularity >= c.sector
                          ? std::string()
                          : fmt::format("must be at least one sector ({0} B)\nset @fill_granularity={0}B",
                                        c.sector.value);
             })
      .check("hit_latency",
             [](const CacheSpec& c) {
               return c.hit_latency >= c.tag_latency
                          ? std::string()
                          : fmt::format(
                                "is {0} clk, and must not be below 'tag_latency', {1} clk\nset @hit_latency={1}clk",
                                c.hit_latency.value, c.tag_latency.value);
             })
      .check("write_allocate",
             [](const CacheSpec& c) {
               return c.write_policy == WritePolicy::write_back && c.write_allocate == WriteAllocate::none
                          ? "must be sector in a write-back cache, which keeps stores until they are "
                            "written back\nset @write_allocate=sector"
                          : "";
             })
      .check("streaming",
             [](const CacheSpec& c) {
               return c.streaming && c.write_policy == WritePolicy::write_back
                          ? "needs write_through: arriving data must not evict a dirty line\nset @streaming=false"
                          : "";
             })
      .check("bypass_cg",
             [](const CacheSpec& c) {
               return c.bypass_cg && c.write_policy == WritePolicy::write_back
                          ? "needs write_through: a dropped line must not be dirty\nset @bypass_cg=false"
                          : "";
             })
      .check("masked_lines", masked)
      .check("incomplete_lines",
             [](const CacheSpec& c) {
               if (c.incomplete_lines && c.write_policy == WritePolicy::write_through)
                 return "needs write_back: no line is dirty if stores are forwarded\nset @incomplete_lines=none";
               return c.incomplete_lines && !c.masked_lines
                          ? "needs 'masked_lines'\nset @incomplete_lines=none, or @masked_lines=0"
                          : "";
             })
      .check("dirty_ways",
             [](const CacheSpec& c) {
               if (!c.dirty_ways) return "";
               if (c.write_policy == WritePolicy::write_through)
                 return "needs write_back: no line is dirty if stores are forwarded\nset @dirty_ways=none";
               return c.writeback_buffer >= 3
                          ? ""
                          : "needs a 'writeback_buffer' of 3 or more: one line may be evicted and two cleaned at once\n"
                            "set @writeback_buffer=3, or @dirty_ways=none";
             })
      .check("performs_atomics",
             [](const CacheSpec& c) {
               return c.performs_atomics && c.write_policy == WritePolicy::write_through
                          ? "needs write_back: the cache must keep the result of an atomic\nset "
                            "@performs_atomics=false, or @write_policy=write_back and @write_allocate=sector"
                          : "";
             })
      .check("size", [](const CacheSpec& c) {
        return c.mshrs || c.lines() <= MshrTable::most
                   ? std::string()
                   : fmt::format("has {0} lines, too many for 'mshrs: none' ({1} at most)\nset @mshrs={1}", c.lines(),
                                 MshrTable::most);
      });
}

}  // namespace strata::cache
