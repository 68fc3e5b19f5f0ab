// SPDX-License-Identifier: Apache-2.0
#include "translation/page_table.hpp"

#include <stdexcept>
#include <vector>

#include "catch.hpp"

namespace strata::translation {
namespace {

using namespace literals;

constexpr std::uint64_t blocks = (2U << 20U) / 128;

PageTableSpec spec_of(const char* placement, Bytes memory, std::uint64_t run) {
  PageTableSpec spec;
  spec.placement = placement;
  spec.memory = memory;
  spec.run = run;
  return spec;
}

TEST_CASE("no_two_pages_share_a_frame") {
  GIVEN("192 GiB of memory and every placement") {
    const char* const placement = GENERATE("contiguous", "scattered");
    const std::uint64_t run = GENERATE(1U, 7U, 512U);
    PageTable table(spec_of(placement, 192_GiB, run));
    THEN("each frame is used once, but for an incomplete last run") {
      const std::uint64_t frames = 192_GiB / 2_MiB;
      CHECK(table.frames() == frames - frames % run);
      std::vector<bool> used(frames);
      for (std::uint64_t page = 0; page < table.frames(); ++page) {
        const std::uint64_t frame = table.frame(page);
        if (frame >= frames || used[frame]) FAIL("frame of page " << page);
        used[frame] = true;
      }
    }
  }
}

TEST_CASE("a_page_keeps_its_inside") {
  PageTable table(spec_of("scattered", 64_GiB, 1));
  for (const std::uint64_t page : {0U, 1U, 31000U}) {
    const std::uint64_t first = table.block(page * blocks);
    CHECK(first % blocks == 0);
    CHECK(table.block(page * blocks + 12345) == first + 12345);
  }
}

TEST_CASE("a_run_of_pages_stays_together") {
  PageTable table(spec_of("scattered", 64_GiB, 16));
  std::uint64_t joins = 0;
  for (std::uint64_t page = 1; page < table.frames(); ++page) {
    const bool follows = table.frame(page) == table.frame(page - 1) + 1;
    if (page % 16 != 0) CHECK(follows);
    if (page % 16 == 0 && follows) ++joins;
  }
  CHECK(joins < table.frames() / 16 / 20);  // runs themselves follow each other by chance only
}

TEST_CASE("contiguous_is_the_identity_and_the_seed_matters_when_scattered") {
  PageTable contiguous(spec_of("contiguous", 1_GiB, 1));
  CHECK(contiguous.block(987654) == 987654);
  PageTableSpec spec = spec_of("scattered", 64_GiB, 1);
  PageTable one(spec);
  spec.seed = 2;
  PageTable two(spec);
  unsigned same = 0;
  for (std::uint64_t page = 0; page < 1000; ++page) same += one.frame(page) == two.frame(page) ? 1 : 0;
  CHECK(same < 10);
}

// Four pieces of 8 pages, of each of which six are there.
PageTableSpec in_domains(const char* placement) {
  PageTableSpec spec = spec_of(placement, 64_MiB, 1);
  spec.domains = 4;
  spec.domain = 16_MiB;
  spec.domain_memory = 12_MiB;
  return spec;
}

TEST_CASE("striped_pages_go_round_the_domains") {
  PageTable table(in_domains("striped"));
  for (std::uint64_t page = 0; page < 24; ++page) CHECK(table.frame(page) == page % 4 * 8 + page / 4);
  CHECK_THROWS_AS(table.frame(24), std::out_of_range);
}

TEST_CASE("a_page_lies_where_it_is_first_touched_and_stays_there") {
  PageTable table(in_domains("first_touch"));
  CHECK(table.by_access());
  CHECK(table.frame_for(30, 2) == 16);  // a look-up does not place a page
  CHECK(table.frame(5, 3) == 24);
  CHECK(table.frame(5, 0) == 24);
  CHECK(table.frame_for(5, 1) == 24);
  CHECK(table.frame(30, 2) == 16);
  CHECK(table.frame(31, 2) == 17);
  THEN("what a full domain cannot take goes to the next") {
    for (std::uint64_t page = 10; page < 14; ++page) CHECK(table.frame(page, 2) == 18 + page - 10);
    CHECK(table.frame(14, 2) == 25);
  }
  THEN("no more pages are placed than there are") {
    for (std::uint64_t page = 6; page < 27; ++page) table.frame(page, 1);
    CHECK_THROWS_AS(table.frame(27, 1), std::out_of_range);
  }
}

TEST_CASE("assigned_pages_lie_in_their_domain_whatever_the_placement") {
  const char* const placement = GENERATE("contiguous", "striped", "first_touch");
  PageTable table(in_domains(placement));
  table.assign(3 * 2097152, 2 * 2097152, 1);  // pages 3 and 4
  CHECK(table.frame(3, 0) == 13);             // the last of the six
  CHECK(table.frame(4, 3) == 12);
  CHECK(table.frame(0, 0) == 0);
  CHECK_NOTHROW(table.assign(3 * 2097152, 1, 1));
  CHECK_THROWS_AS(table.assign(4 * 2097152 + 100, 8, 2), std::invalid_argument);
  CHECK_THROWS_AS(table.assign(8 * 2097152, 7 * 2097152, 2), std::out_of_range);
}

TEST_CASE("placements_of_domains_need_domains") {
  CHECK_THROWS_AS(PageTable(spec_of("striped", 1_GiB, 1)), std::invalid_argument);
  CHECK_THROWS_AS(PageTable(spec_of("first_touch", 1_GiB, 1)), std::invalid_argument);
}

TEST_CASE("a_spec_that_does_not_fit_is_refused") {
  PageTable table(spec_of("scattered", 1_GiB, 1));
  CHECK_NOTHROW(table.block(512 * blocks - 1));
  CHECK_THROWS_AS(table.block(512 * blocks), std::out_of_range);
  CHECK_THROWS_AS(PageTable(spec_of("scattered", 1_GiB, 513)), std::invalid_argument);
  CHECK_THROWS_AS(PageTable(spec_of("scatter", 1_GiB, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace strata::translation
