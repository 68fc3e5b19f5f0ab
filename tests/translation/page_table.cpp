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
    const PageTable table(spec_of(placement, 192_GiB, run));
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
  const PageTable table(spec_of("scattered", 64_GiB, 1));
  for (const std::uint64_t page : {0U, 1U, 31000U}) {
    const std::uint64_t first = table.block(page * blocks);
    CHECK(first % blocks == 0);
    CHECK(table.block(page * blocks + 12345) == first + 12345);
  }
}

TEST_CASE("a_run_of_pages_stays_together") {
  const PageTable table(spec_of("scattered", 64_GiB, 16));
  std::uint64_t joins = 0;
  for (std::uint64_t page = 1; page < table.frames(); ++page) {
    const bool follows = table.frame(page) == table.frame(page - 1) + 1;
    if (page % 16 != 0) CHECK(follows);
    if (page % 16 == 0 && follows) ++joins;
  }
  CHECK(joins < table.frames() / 16 / 20);  // runs themselves follow each other by chance only
}

TEST_CASE("contiguous_is_the_identity_and_the_seed_matters_when_scattered") {
  const PageTable contiguous(spec_of("contiguous", 1_GiB, 1));
  CHECK(contiguous.block(987654) == 987654);
  PageTableSpec spec = spec_of("scattered", 64_GiB, 1);
  const PageTable one(spec);
  spec.seed = 2;
  const PageTable two(spec);
  unsigned same = 0;
  for (std::uint64_t page = 0; page < 1000; ++page)
    same += one.frame(page) == two.frame(page) ? 1 : 0;
  CHECK(same < 10);
}

TEST_CASE("what_does_not_fit_is_refused") {
  const PageTable table(spec_of("scattered", 1_GiB, 1));
  CHECK_NOTHROW(table.block(512 * blocks - 1));
  CHECK_THROWS_AS(table.block(512 * blocks), std::out_of_range);
  CHECK_THROWS_AS(PageTable(spec_of("scattered", 1_GiB, 513)), std::invalid_argument);
  CHECK_THROWS_AS(PageTable(spec_of("scatter", 1_GiB, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace strata::translation
