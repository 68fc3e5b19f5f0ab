// SPDX-License-Identifier: Apache-2.0
#include "fabric/address_map.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "catch.hpp"

namespace strata::fabric {
namespace {

using namespace literals;

constexpr std::uint64_t page_lines = (2U << 20U) / 128;

// Two sides of 47 slices, the home by parity inside the page and by page.
AddressMapSpec two_sides() {
  AddressMapSpec spec;
  spec.home_bits = {{{12, 13, 15, 17, 19, 21, 22, 24}}};
  spec.slices = 47;
  spec.sets = 256;
  spec.channels = 47;
  return spec;
}

// As on H200: four lines, which differ in bits 7 and 9, share a slice.
AddressMapSpec in_units() {
  AddressMapSpec spec = two_sides();
  spec.unit_bits = {7, 9};
  return spec;
}

AddressMapSpec folded() {
  AddressMapSpec spec = in_units();
  spec.index = "folded";
  spec.row_stride = 16;
  return spec;
}

// The lines of a unit are 1 MiB apart: in different chunks of a page.
AddressMapSpec folded_far_apart() {
  AddressMapSpec spec = folded();
  spec.unit_bits = {7, 20};
  return spec;
}

// Four I/O dies with 32 slices each; two stacks of 16 channels each.
AddressMapSpec four_dies() {
  AddressMapSpec spec;
  spec.home_bits = {{{12, 14, 18, 23}}, {{13, 16, 19, 25}}};
  spec.slices = 32;
  spec.sets = 1024;
  spec.channels = 32;
  return spec;
}

// No count here is a power of two, and a page covers its few sets many times.
AddressMapSpec odd_die() {
  AddressMapSpec spec;
  spec.slices = 9;
  spec.sets = 25;
  spec.channels = 3;
  return spec;
}

struct Spread {
  std::uint64_t least;
  std::uint64_t most;
};

// The number of lines of `pages` consecutive pages in each set of home 0.
Spread over_sets(const AddressMap& map, std::uint64_t first_page, std::uint64_t pages) {
  std::vector<std::uint64_t> count(std::size_t{map.slices()} * map.sets());
  for (std::uint64_t b = first_page * page_lines; b < (first_page + pages) * page_lines; ++b) {
    if (map.home(b) != 0) continue;
    const Place place = map.place(b);
    ++count[std::size_t{place.slice} * map.sets() + place.set];
  }
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  return {*least, *most};
}

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

TEST_CASE("lines_of_a_unit_share_a_slice_and_are_adjacent_in_dram") {
  const AddressMap map(GENERATE(in_units(), folded()));
  std::uint64_t split = 0;
  std::uint64_t units = 0;
  for (std::uint64_t block = 0; block < 2 * page_lines; ++block) {
    if ((block & 0b101U) != 0) continue;  // address bits 7 and 9
    ++units;
    const ChannelBlock first = map.channel_block(block);
    bool together = true;
    for (const std::uint64_t other : {block | 1U, block | 4U, block | 5U}) {
      together = together && map.place(other).slice == map.place(block).slice;
      const ChannelBlock there = map.channel_block(other);
      if (there.channel == first.channel) CHECK(there.block / 4 == first.block / 4);
    }
    split += together ? 0 : 1;
  }
  CHECK(units == page_lines / 2);
  CHECK(split == 0);
}

TEST_CASE("a_unit_brings_a_line_to_each_set_of_a_group_and_pairs_stay_pairs") {
  const AddressMap map(GENERATE(in_units(), folded()));
  for (std::uint64_t block = 0; block < 3 * page_lines; ++block) {
    if ((block & 0b101U) != 0) continue;
    const std::uint32_t group = map.place(block).set / 4;
    std::set<std::uint32_t> sets;
    for (const std::uint64_t line : {block, block | 1U, block | 4U, block | 5U}) {
      CHECK(map.place(line).set / 4 == group);
      CHECK(map.place(line).set / 2 == map.place(line ^ 1U).set / 2);
      sets.insert(map.place(line).set);
    }
    CHECK(sets.size() == 4);
  }
}

TEST_CASE("no_stride_keeps_to_one_set_of_a_group") {
  const AddressMap map(GENERATE(in_units(), folded()));
  const std::uint64_t stride = std::uint64_t{1} << GENERATE(range(3U, 18U));  // 1 KiB to 16 MiB
  std::array<unsigned, 4> met{};
  for (std::uint64_t i = 0; i < 4096; ++i) ++met[map.place(i * stride).set % 4];
  for (const unsigned of_set : met) CHECK(of_set == Approx(1024).epsilon(0.1));
}

TEST_CASE("slices_whose_sets_make_no_groups_still_take_units") {
  AddressMapSpec spec = GENERATE(in_units(), folded());
  spec.sets = GENERATE(253U, 254U);
  const AddressMap map(spec);
  std::set<std::pair<std::uint32_t, std::uint64_t>> blocks;
  for (std::uint64_t block = 0; block < 2 * page_lines; ++block) {
    REQUIRE(map.place(block).set < spec.sets);
    const ChannelBlock at = map.channel_block(block);
    CHECK(blocks.insert({at.channel, at.block}).second);
  }
}

// The numbers are those of an H200 (docs/notes/slices.md): 64 slots a side, 17 of them beyond its 47 slices.
TEST_CASE("folded_slots_load_the_slices_of_a_window_as_an_h200_does") {
  const AddressMap map(folded());
  // Of windows of so many units of both sides: how many slices of one side get how many units.
  const auto loads = [&](std::uint64_t page, std::uint64_t window, std::uint64_t of_units) {
    std::vector<std::uint64_t> units(47);
    for (std::uint64_t unit = window * of_units; unit < (window + 1) * of_units; ++unit) {
      const std::uint64_t block = page * page_lines + ((unit & 1U) << 1U | unit >> 1U << 3U);
      if (map.home(block) == 0) ++units[map.place(block).slice];
    }
    std::map<std::uint64_t, int> slices;
    for (const std::uint64_t of_slice : units) ++slices[of_slice];
    return slices;
  };
  using Loads = std::map<std::uint64_t, int>;
  for (const std::uint64_t page : {0U, 1U, 77U, 4099U}) {
    CAPTURE(page);
    for (std::uint64_t window = 0; window < 32; ++window) CHECK(loads(page, window, 128) == Loads{{1, 30}, {2, 17}});
    for (std::uint64_t window = 0; window < 16; ++window) CHECK(loads(page, window, 256) == Loads{{2, 30}, {4, 17}});
    for (std::uint64_t window = 0; window < 8; ++window) CHECK(loads(page, window, 512) == Loads{{4, 13}, {6, 34}});
    for (std::uint64_t window = 0; window < 4; ++window) CHECK(loads(page, window, 1024) == Loads{{10, 26}, {12, 21}});
    const Loads whole = loads(page, 0, 4096);
    CHECK(whole == Loads{{42, 10}, {44, 37}});
  }
  // Eight units that follow each other, 4 KiB of one side: as a rule eight slices.
  std::uint64_t distinct = 0;
  for (std::uint64_t window = 0; window < 512; ++window)
    for (const auto& [units, slices] : loads(5, window, 8)) distinct += units == 0 ? 0U : static_cast<unsigned>(slices);
  CHECK(static_cast<double>(distinct) > 0.98 * 2048);
}

TEST_CASE("folded_pages_that_follow_each_other_fill_all_sets_evenly") {
  const AddressMap map(folded());
  // A slice numbers its units in turn, and two slices are never more than a round of one slot, two units, apart.
  for (const std::uint64_t pages : {1U, 3U, 29U, 47U}) {
    const Spread spread = over_sets(map, 5, pages);
    CAPTURE(pages, spread.least, spread.most);
    CHECK(spread.most - spread.least <= 2);
  }
}

TEST_CASE("a_stride_of_rows_says_which_units_of_a_slice_are_adjacent_in_dram") {
  const std::uint64_t stride = GENERATE(1U, 2U, 16U);
  AddressMapSpec spec = folded();
  spec.row_stride = stride;
  const AddressMap map(spec);
  spec.row_stride = 1;
  const AddressMap in_order(spec);
  std::map<std::uint64_t, std::uint64_t> places;  // of units of slice 3 of home 0, by number
  for (std::uint64_t block = 0; block < 40 * page_lines; ++block)
    if ((block & 0b101U) == 0 && map.home(block) == 0 && map.place(block).slice == 3)
      places[in_order.block_in_channel(block) / 4] = map.block_in_channel(block) / 4;
  REQUIRE(places.size() > 1000);
  for (std::uint64_t number = 0; number < 1000; ++number) {
    // Without gaps; the lower half of twice the stride has even places, the upper half the odd ones beside them.
    const std::uint64_t group = number / (2 * stride) * 2 * stride;
    CHECK(places.at(number) == group + (number - group) % stride * 2 + (number - group) / stride);
  }
}

TEST_CASE("copies_of_folded_units_keep_together_and_have_distinct_places") {
  AddressMapSpec spec = folded();
  spec.sets = GENERATE(253U, 254U, 256U);
  const AddressMap map(spec);
  for (const std::uint64_t page : {0U, 77U, 4099U}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    std::uint64_t lines = 0;
    for (std::uint64_t b = page * page_lines; b < (page + 1) * page_lines; ++b) {
      if (map.home(b) == 0) continue;
      const Place place = map.copy_place(b);
      REQUIRE(place.slice < spec.slices);
      REQUIRE(place.set < spec.sets);
      places.insert({place.slice, place.set});
      ++lines;
      if (spec.sets % 4 != 0) continue;
      const Place first = map.copy_place(b & ~std::uint64_t{5});
      CHECK(place.slice == first.slice);
      CHECK(place.set / 4 == first.set / 4);
    }
    CHECK(places.size() == lines);
  }
}

TEST_CASE("slots_that_a_page_cannot_fill_are_refused") {
  AddressMapSpec spec = folded();
  spec.page = Bytes{64U << 10U};  // 64 units on each side: a round of the slots
  CHECK_NOTHROW(AddressMap(spec));
  spec.page = Bytes{32U << 10U};
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec = folded();
  spec.row_stride = 3;
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
}

TEST_CASE("bits_that_do_not_distinguish_slices_are_refused") {
  AddressMapSpec spec = in_units();
  spec.unit_bits = {6};
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec.unit_bits = {21};  // outside a page of 2 MiB
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec.unit_bits = {12};  // determines the home
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
  spec.unit_bits = {7};
  spec.index = "avalanche";
  CHECK_THROWS_AS(AddressMap(spec), std::invalid_argument);
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
