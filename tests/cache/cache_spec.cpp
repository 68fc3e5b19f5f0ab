// SPDX-License-Identifier: Apache-2.0
// The values that the configuration of a cache accepts, and the messages for others.
#include "cache/spec/cache_spec.hpp"

#include "cache/tags/sectors.hpp"
#include "catch.hpp"
#include "config/yaml/parse.hpp"
#include "replacement/table.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::literals;

namespace {

struct Bound {
  CacheSpec spec;
  std::vector<Diagnostic> diagnostics;
};

const std::string good = "name: L2\nsize: 640 KiB\nways: 20\nhit_latency: 30 clk\ndata_width: 64 B/clk\n";

Bound bound_with(const std::string& more) {
  Bound bound;
  bound.spec = config::bind_spec<CacheSpec>(config::parse(good + more, "cache.yaml"), bound.diagnostics);
  return bound;
}

std::string only_message(const Bound& bound) {
  REQUIRE(bound.diagnostics.size() == 1);
  return bound.diagnostics[0].message;
}

}  // namespace

TEST_CASE("a_cache_needs_only_name_size_latency_and_width") {
  const Bound bound = bound_with("");
  REQUIRE(bound.diagnostics.empty());
  CHECK(bound.spec.sets() == (640U << 10U) / (20U * 128U));
  CHECK(bound.spec.mshr_count() == bound.spec.lines());
}

TEST_CASE("every_policy_of_the_table_is_a_name_of_the_configuration") {
  for (const auto& row : replacement::ReplacementTable::rows()) {
    const Bound bound = bound_with("replacement: " + std::string(row.name) + "\n");
    CHECK(bound.diagnostics.empty());
    CHECK(bound.spec.replacement == row.name);
  }
  CHECK(bound_with("replacement: lur\n").diagnostics.size() == 1);
}

TEST_CASE("parts_larger_than_the_line_are_reported") {
  const Bound bound = bound_with("line: 64 B\nsector: 128 B\nfill_granularity: 128 B\n");
  REQUIRE(bound.diagnostics.size() == 2);
  CHECK(bound.diagnostics[0].message == "'sector' must not exceed 'line' (64 B), but is 128 B");
  CHECK(bound.diagnostics[1].message == "'fill_granularity' must not exceed 'line' (64 B), but is 128 B");
}

TEST_CASE("lines_of_two_blocks_need_sectors_of_64_b_and_refuse_incompatible_settings") {
  const std::string wide = "line: 256 B\nsector: 64 B\nfill_granularity: 64 B\n";
  const Bound bound = bound_with(wide);
  REQUIRE(bound.diagnostics.empty());
  CHECK(bound.spec.lines() == bound_with("").spec.lines() / 2);
  const std::string is = "'line' is 256 B, more than the 128 B of a request: ";
  CHECK(only_message(bound_with("line: 256 B\n")) == is + "needs a 'sector' of 64 B or more");
  CHECK(only_message(bound_with(wide + "compression: ratio\n")) == is + "cannot be combined with 'compression'");
  CHECK(only_message(bound_with(wide + "prefetcher: next_line\n")) ==
        is + "cannot be combined with 'prefetcher', which fetches each line by one request");
  CHECK(only_message(bound_with(wide + "writeback_buffer: 1\n")) ==
        is + "needs a 'writeback_buffer' of 2 or more: a dirty line is written back by two requests");
  CHECK(
      only_message(bound_with(wide + "dirty_ways: 1\nwriteback_buffer: 3\n")) ==
      is + "needs a 'writeback_buffer' of 4 or more beside 'dirty_ways': a dirty line is written back by two requests");
  CHECK(only_message(bound_with(wide + "masked_lines: 0\n")) ==
        "'masked_lines' needs lines of 128 B with sectors of 32 B");
  CHECK(bound_with("line: 512 B\n").diagnostics.size() == 1);
}

TEST_CASE("whole_sets_are_required") {
  Bound bound;
  bound.spec = config::bind_spec<CacheSpec>(
      config::parse("name: L2\nsize: 641 KiB\nways: 20\nhit_latency: 30 clk\ndata_width: 64 B/clk\n", "cache.yaml"),
      bound.diagnostics);
  CHECK(only_message(bound) ==
        "'size' must be whole sets of 20 ways x 128 B = 2560 B, but 656384 B leaves 1024 B over");
}

TEST_CASE("contradictions_are_reported") {
  CHECK(only_message(bound_with("sector: 64 B\nfill_granularity: 32 B\n")) ==
        "'fill_granularity' must be at least one sector (64 B)");
  CHECK(only_message(bound_with("tag_latency: 31 clk\n")) ==
        "'hit_latency' is 30 clk, and must not be below 'tag_latency', 31 clk");
  CHECK(only_message(bound_with("write_allocate: none\n")) ==
        "'write_allocate' must be sector in a write-back cache, which keeps stores until they are "
        "written back");
  CHECK(only_message(bound_with("bypass_cg: true\n")) ==
        "'bypass_cg' needs write_through: a dropped line must not be dirty");
  CHECK(only_message(bound_with("write_policy: write_through\nperforms_atomics: true\n")) ==
        "'performs_atomics' needs write_back: the cache must keep the result of an atomic");
  CHECK(only_message(bound_with("atomics_take_fill_port: true\n")) ==
        "'atomics_take_fill_port' needs a port that fills take time at: give 'fill_width'");
}

TEST_CASE("a_pool_of_data_needs_whole_lines_and_more_tags_than_lines") {
  const auto pooled = [](const std::string& size, const std::string& more) {
    Bound bound;
    bound.spec =
        config::bind_spec<CacheSpec>(config::parse("name: L1\nsize: " + size + "\nways: 4\nhit_latency: 30 clk\n" +
                                                       "data_width: 64 B/clk\ndata_pool: {tag_sets: 512}\n" + more,
                                                   "cache.yaml"),
                                     bound.diagnostics);
    return bound;
  };
  const Bound good_pool = pooled("216 KiB", "");  // no whole number of sets is needed
  REQUIRE(good_pool.diagnostics.empty());
  CHECK(good_pool.spec.sets() == 512);
  CHECK(good_pool.spec.lines() == 216 * 1024 / 128);
  CHECK(pooled("1664 B", "").diagnostics.empty());
  CHECK(only_message(pooled("1700 B", "")) == "'size' must be whole lines of 128 B");
  CHECK(only_message(pooled("257 KiB", "")) ==
        "'size' has data for 2056 lines, but 'data_pool.tag_sets' 512 x 'ways' 4 have tags for 2048; 1024 sets have "
        "enough");
  CHECK(pooled("216 KiB", "replacement: srrip\n").diagnostics.empty());
}

TEST_CASE("sector_groups_widen_and_cover") {
  for (const std::uint64_t size : {32U, 64U, 128U}) {
    const SectorGroups groups(size);
    const unsigned width = static_cast<unsigned>(size) / 32;
    for (unsigned mask = 0; mask < 16; ++mask) {
      unsigned touched = 0, covered = 0, bits = 0;
      for (unsigned sector = 0; sector < 4; ++sector) {
        bits += mask >> sector & 1U;
        bool any = false, all = true;
        for (unsigned other = 0; other < 4; ++other) {
          if (other / width != sector / width) continue;
          any = any || (mask >> other & 1U) != 0;
          all = all && (mask >> other & 1U) != 0;
        }
        touched |= unsigned{any} << sector;
        covered |= unsigned{all} << sector;
      }
      CHECK(groups.touched(static_cast<SectorMask>(mask)) == touched);
      CHECK(groups.covered(static_cast<SectorMask>(mask)) == covered);
      CHECK(count(static_cast<SectorMask>(mask)) == bits);
    }
  }
}
