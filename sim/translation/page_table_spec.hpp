// SPDX-License-Identifier: Apache-2.0
// How virtual pages are placed in physical memory.
#pragma once
#include <cstdint>
#include <string>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::translation {

struct PageTableSpec {
  Bytes page{2U << 20U};                   ///< allocation unit of the driver
  Bytes memory{std::uint64_t{64} << 30U};  ///< physical; whole pages of it are used
  std::string placement = "scattered";     ///< a name of placements
  std::uint64_t run = 1;                   ///< pages that stay together when scattered
  std::uint64_t seed = 1;                  ///< of the scattering
  /// Where memory is in pieces, one for each memory die: how many, from the beginning of one to that
  /// of the next, and how much of each is there.
  std::uint32_t domains = 1;
  Bytes domain{0};
  Bytes domain_memory{0};

  static config::Schema<PageTableSpec> schema();
};

}  // namespace strata::translation
