// SPDX-License-Identifier: Apache-2.0
// Maps of addresses that several tests ask, and how evenly lines fall into their sets.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/address_map.hpp"

namespace strata::fabric::maps {

inline constexpr std::uint64_t page_lines = (2U << 20U) / 128;

// Two sides of 47 slices, the home by parity inside the page and by page.
inline AddressMapSpec two_sides() {
  AddressMapSpec spec;
  spec.home_bits = {{{12, 13, 15, 17, 19, 21, 22, 24}}};
  spec.slices = 47;
  spec.sets = 256;
  spec.channels = 47;
  return spec;
}

// As on H200: four lines, which differ in bits 7 and 9, share a slice.
inline AddressMapSpec in_units() {
  AddressMapSpec spec = two_sides();
  spec.unit_bits = {7, 9};
  return spec;
}

inline AddressMapSpec folded() {
  AddressMapSpec spec = in_units();
  spec.index = "folded";
  spec.row_stride = 16;
  return spec;
}

// The lines of a unit are 1 MiB apart: in different chunks of a page.
inline AddressMapSpec folded_far_apart() {
  AddressMapSpec spec = folded();
  spec.unit_bits = {7, 20};
  return spec;
}

// Four I/O dies with 32 slices each; two stacks of 16 channels each.
inline AddressMapSpec four_dies() {
  AddressMapSpec spec;
  spec.home_bits = {{{12, 14, 18, 23}}, {{13, 16, 19, 25}}};
  spec.slices = 32;
  spec.sets = 1024;
  spec.channels = 32;
  return spec;
}

// No count here is a power of two, and a page covers its few sets many times.
inline AddressMapSpec odd_die() {
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
inline Spread over_sets(const AddressMap& map, std::uint64_t first_page, std::uint64_t pages) {
  std::vector<std::uint64_t> count(std::size_t{map.slices()} * map.sets());
  for (std::uint64_t b = first_page * page_lines; b < (first_page + pages) * page_lines; ++b) {
    if (map.home(b) != 0) continue;
    const Place place = map.place(b);
    ++count[std::size_t{place.slice} * map.sets() + place.set];
  }
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  return {*least, *most};
}

}  // namespace strata::fabric::maps
