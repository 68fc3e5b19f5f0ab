// SPDX-License-Identifier: Apache-2.0
// How physical addresses are spread over memory dies, slices and channels.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::fabric {

/// One bit of the number of the home die: the parity of some address bits.
struct HomeBitSpec {
  std::vector<std::uint32_t> address_bits;  ///< bits of the byte address, each 7 to 47

  static config::Schema<HomeBitSpec> schema();
};

struct AddressMapSpec {
  std::vector<HomeBitSpec> home_bits;  ///< lowest first; 2^n memory dies; none: one die
  std::uint32_t slices = 1;            ///< of one die
  std::uint32_t sets = 1;              ///< of one slice
  std::uint32_t channels = 1;          ///< of one die; the slices are dealt out evenly to them
  Bytes page{2U << 20U};               ///< within which lines are spread evenly
  /// Bits of the byte address, within the page, that do not distinguish slices:
  /// lines that differ in these alone share a slice and are adjacent in DRAM.
  std::vector<std::uint32_t> unit_bits{};
  std::string index = "balanced";  ///< a name of index_policies
  std::uint64_t row_stride = 1;    ///< folded: units whose numbers in a slice differ by so many are pairs in DRAM
  std::uint64_t seed = 1;          ///< of what is hashed

  static config::Schema<AddressMapSpec> schema();
};

}  // namespace strata::fabric
