// SPDX-License-Identifier: Apache-2.0
#include "fabric/address_map.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "address_maps.hpp"
#include "catch.hpp"

namespace strata::fabric {
namespace {

using namespace literals;
using namespace maps;

TEST_CASE("home_is_the_parity_of_the_named_address_bits") {
  GIVEN("the bits 12, 13, 15, 17, 19") {
    AddressMapSpec spec = two_sides();
    spec.home_bits = {{{12, 13, 15, 17, 19}}};
    const AddressMap map(spec);
    THEN("each byte address follows the formula") {
      for (std::uint64_t address = 0; address < (8U << 20U); address += 128) {
        const std::uint64_t parity =
            ((address >> 12U) ^ (address >> 13U) ^ (address >> 15U) ^ (address >> 17U) ^ (address >> 19U)) & 1U;
        if (map.home(address / 128) != parity) FAIL("home of " << address);
      }
      CHECK(map.homes() == 2);
    }
  }
}

TEST_CASE("contiguous_pages_fill_all_sets_evenly") {
  const AddressMapSpec spec = GENERATE(two_sides(), four_dies(), odd_die(), in_units());
  const AddressMap map(spec);
  const std::uint64_t ring = std::uint64_t{spec.slices} * spec.sets;
  const std::uint64_t lines = page_lines / map.homes();
  for (const std::uint64_t first : {0U, 5U, 1000U}) {
    for (const std::uint64_t pages : {1U, 2U, 3U, 11U, 29U, 47U, 94U}) {
      const Spread spread = over_sets(map, first, pages);
      CAPTURE(first, pages);
      CHECK(spread.least == pages * lines / ring);
      CHECK(spread.most == (pages * lines + ring - 1) / ring);
    }
  }
}

TEST_CASE("lines_of_every_page_have_distinct_places") {
  const AddressMapSpec spec = GENERATE(two_sides(), four_dies(), in_units(), folded(), folded_far_apart());
  const AddressMap map(spec);
  // In a page, the lines of a home use a set twice as rarely as possible.
  for (const std::uint64_t page : {0U, 1U, 77U, 4099U}) {
    std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> sets(map.homes());
    for (std::uint64_t b = page * page_lines; b < (page + 1) * page_lines; ++b) {
      const Place place = map.place(b);
      REQUIRE(place.slice < spec.slices);
      REQUIRE(place.set < spec.sets);
      sets[map.home(b)].insert({place.slice, place.set});
    }
    for (const auto& of_home : sets) {
      CHECK(of_home.size() == std::min<std::size_t>(page_lines / map.homes(), std::size_t{spec.slices} * spec.sets));
    }
  }
}

/// How often slices are met by `count` lines, `lines_stride` apart.
Spread over_slices(const AddressMap& map, std::uint64_t lines_stride, std::uint64_t count) {
  std::vector<std::uint64_t> meets(std::size_t{map.slices()} * map.homes());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t block = i * lines_stride;
    ++meets[map.home(block) * map.slices() + map.place(block).slice];
  }
  const auto [least, most] = std::minmax_element(meets.begin(), meets.end());
  return {*least, *most};
}

TEST_CASE("a_stride_of_a_power_of_two_meets_slices_as_evenly_as_a_random_choice") {
  const AddressMapSpec spec = GENERATE(two_sides(), four_dies(), folded());
  const AddressMap map(spec);
  const std::uint64_t stride = std::uint64_t{1} << GENERATE(range(0U, 14U));
  // As few lines as one column of a matrix has, and many.
  for (const std::uint64_t of_slice : {40U, 400U}) {
    const Spread spread = over_slices(map, stride, of_slice * spec.slices * map.homes());
    CAPTURE(spec.slices, stride * 128, of_slice, spread.least, spread.most);
    // Five standard deviations of such a choice.
    const auto mean = static_cast<double>(of_slice);
    CHECK(static_cast<double>(spread.least) >= mean - 5 * std::sqrt(mean));
    CHECK(static_cast<double>(spread.most) <= mean + 5 * std::sqrt(mean));
  }
}

TEST_CASE("lines_of_one_page_at_a_stride_below_the_home_bits_fall_evenly") {
  const AddressMapSpec spec = GENERATE(two_sides(), four_dies());
  const AddressMap map(spec);
  const std::uint64_t stride = std::uint64_t{1} << GENERATE(range(0U, 6U));
  const Spread spread = over_slices(map, stride, page_lines / stride);
  const std::uint64_t lines = page_lines / stride / map.homes();
  CAPTURE(spec.slices, stride * 128, spread.least, spread.most);
  // Each of `lines` parts of the ring has one, and a slice is cut by at most two ends of parts.
  CHECK(spread.least + 1 >= lines / spec.slices);
  CHECK(spread.most <= lines / spec.slices + 2);
}

TEST_CASE("a_window_as_small_as_a_row_of_slices_is_spread") {
  GIVEN("32 lines that follow one another, of one home") {
    const AddressMap map(two_sides());
    for (const std::uint64_t first : {0U, 32U, 4096U, 100000U}) {
      std::set<std::uint32_t> slices;
      for (std::uint64_t b = first; b < first + 32; ++b) slices.insert(map.place(b).slice);
      THEN("no two share a slice") { CHECK(slices.size() == 32); }
    }
  }
}

TEST_CASE("copies_are_not_balanced_against_the_lines_at_home") {
  GIVEN("44 contiguous pages: 22 MiB x 2 over two sides of 47 x 256 sets") {
    const AddressMap map(two_sides());
    std::vector<std::uint64_t> count(std::size_t{47} * 256);
    for (std::uint64_t b = 0; b < 44 * page_lines; ++b) {
      if (map.home(b) == 0) continue;
      const Place place = map.copy_place(b);
      ++count[std::size_t{place.slice} * 256 + place.set];
    }
    THEN("sets differ, yet each page alone is even: about binomial of 44 pages") {
      const double mean = 44.0 * 8192 / (47 * 256);
      const double alone = mean / 44;
      double variance = 0;
      for (const std::uint64_t n : count) {
        variance += (static_cast<double>(n) - mean) * (static_cast<double>(n) - mean);
      }
      variance /= static_cast<double>(count.size());
      const double binomial = 44 * alone * (1 - alone);
      CHECK(variance > 0.5 * binomial);
      CHECK(variance < 2 * binomial);
    }
  }
}

TEST_CASE("channel_blocks_are_injective") {
  AddressMapSpec spec = GENERATE(two_sides(), four_dies(), odd_die(), in_units(), folded(), folded_far_apart());
  // Units need the policy balanced or folded.
  if (spec.unit_bits.empty()) spec.index = GENERATE(as<std::string>(), "balanced", "folded", "avalanche", "modulo");
  if (spec.slices == 32) spec.channels = GENERATE(32U, 8U, 1U);
  const AddressMap map(spec);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> seen;
  std::uint64_t highest = 0;
  constexpr std::uint64_t pages = 24;
  for (std::uint64_t b = 0; b < pages * page_lines; ++b) {
    const ChannelBlock at = map.channel_block(b);
    if (at.channel != map.home(b) * spec.channels + map.place(b).slice / (spec.slices / spec.channels)) {
      FAIL("channel and slice disagree at block " << b);
    }
    seen.emplace_back(at.channel, at.block);
    highest = std::max(highest, at.block);
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  if (spec.index == "balanced" || spec.index == "folded") {
    const double dense = static_cast<double>(pages * page_lines) / map.channels();
    CHECK(static_cast<double>(highest) < 1.2 * dense);
  }
}

TEST_CASE("a_stream_finds_dram_rows_together") {
  GIVEN("rows of 2 KiB in each of 94 channels") {
    const AddressMap map(two_sides());
    constexpr std::uint64_t window = std::uint64_t{512} * 1024 / 128;
    WHEN("a window of 512 KiB is read") {
      std::set<std::pair<std::uint32_t, std::uint64_t>> rows;
      for (std::uint64_t b = 0; b < window; ++b) {
        const ChannelBlock at = map.channel_block(b);
        rows.insert({at.channel, at.block / 16});
      }
      THEN("each row opened serves at least eight of its sixteen blocks") {
        CHECK(static_cast<double>(window) / static_cast<double>(rows.size()) >= 8);
      }
    }
  }
}

TEST_CASE("homes_by_high_address_bits_alone_keep_a_page_on_one_die") {
  AddressMapSpec spec = four_dies();
  spec.home_bits = {{{22}}, {{24}}};
  const AddressMap map(spec);
  for (std::uint64_t page = 0; page < 64; ++page) {
    const auto expected = static_cast<std::uint32_t>(((page >> 1U) & 1U) | (((page >> 3U) & 1U) << 1U));
    for (std::uint64_t b = page * page_lines; b < (page + 1) * page_lines; b += 97) {
      if (map.home(b) != expected) FAIL("home of page " << page);
    }
  }
  // Pages of one home: 0 1 4 5, 16 17 ...; 32 of the first 128 pages are whole rotations of the
  // ring.
  const Spread spread = over_sets(map, 0, 128);
  CHECK(spread.least == 32 * page_lines / (32 * 1024));
  CHECK(spread.most == spread.least);
}

TEST_CASE("modulo_and_avalanche_are_a_modulus_and_a_hash") {
  AddressMapSpec spec = two_sides();
  spec.home_bits.clear();
  spec.index = "modulo";
  const AddressMap modulo(spec);
  for (std::uint64_t b = 0; b < 100000; b += 331) {
    CHECK(modulo.place(b) == Place{static_cast<std::uint32_t>(b % 47), static_cast<std::uint32_t>(b / 47 % 256)});
    CHECK(modulo.channel_block(b) == ChannelBlock{static_cast<std::uint32_t>(b % 47), b / 47});
  }
  spec.index = "avalanche";
  const AddressMap avalanche(spec);
  // Sets fill like urns: with a mean of 8 lines the variance is 8.
  std::vector<std::uint64_t> count(std::size_t{47} * 256);
  const std::uint64_t lines = 8 * count.size();
  for (std::uint64_t b = 0; b < lines; ++b) {
    const Place place = avalanche.place(b);
    ++count[std::size_t{place.slice} * 256 + place.set];
  }
  double variance = 0;
  for (const std::uint64_t n : count) {
    variance += (static_cast<double>(n) - 8) * (static_cast<double>(n) - 8);
  }
  CHECK(variance / static_cast<double>(count.size()) == Approx(8).epsilon(0.1));
}

TEST_CASE("impossible_address_maps_are_refused") {
  AddressMapSpec spec = two_sides();
  spec.home_bits = {{{12, 13}}, {{13, 14}}, {{12, 14}}};
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);  // the third is the sum of the others
  spec = two_sides();
  spec.channels = 10;
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec = two_sides();
  spec.index = "balance";
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec = two_sides();
  spec.page = 3_MiB;
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
}

}  // namespace
}  // namespace strata::fabric
