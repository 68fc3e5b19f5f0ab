// SPDX-License-Identifier: Apache-2.0
// Lines that share a slice, as on H200: units, and slices found by a table (folded).
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "address_maps.hpp"
#include "catch.hpp"
#include "fabric/address_map.hpp"

namespace strata::fabric {
namespace {

using namespace maps;

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

}  // namespace
}  // namespace strata::fabric
