// SPDX-License-Identifier: Apache-2.0
// The row buffer of the bank that holds a block.
#pragma once
#include <cstdint>
#include <optional>

namespace strata::dram {

struct HeldRow {
  std::uint32_t pseudo_channel = 0;
  std::uint32_t bank = 0;  ///< within the pseudo-channel
  std::uint32_t row = 0;   ///< of the block
  std::optional<std::uint32_t> open;
};

}  // namespace strata::dram
