// SPDX-License-Identifier: Apache-2.0
// The page table: from virtual page to physical frame. It is computed, not
// stored, so a table over hundreds of GiB costs no memory; it is injective,
// and the same on every machine for the same seed. Real drivers hand out
// frames that are neither consecutive nor random; the two placements bracket
// them, and scattering runs of frames lies between.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "base/permutation.hpp"
#include "translation/page_table_spec.hpp"

namespace strata::translation {

class PageTable;

/// One way of choosing frames.
struct Placement {
  std::string_view name;
  std::string_view meaning;
  std::uint64_t (*frame)(const PageTable& table, std::uint64_t page);

  static std::uint64_t contiguous(const PageTable& table, std::uint64_t page);
  static std::uint64_t scattered(const PageTable& table, std::uint64_t page);
};

/// Every placement, one a line.
inline constexpr std::array placements{
    Placement{"contiguous", "virtual page n is physical frame n", Placement::contiguous},
    Placement{"scattered", "runs of frames in seeded random order", Placement::scattered},
};

class PageTable {
 public:
  /// Throws std::invalid_argument where the page is no power of two of at
  /// least 128 B, memory holds no whole run of pages, or the placement has no
  /// such name.
  explicit PageTable(const PageTableSpec& spec);

  /// Pages that fit.
  std::uint64_t frames() const { return runs_.size() * run_; }

  /// The frame of a virtual page. Throws std::out_of_range from frames() on.
  std::uint64_t frame(std::uint64_t page) const {
    if (page >= frames()) refuse(page);
    return placement_->frame(*this, page);
  }
  /// The physical block of a virtual one, both in blocks of 128 B.
  std::uint64_t block(std::uint64_t virtual_block) const {
    const std::uint64_t offset = virtual_block & ((std::uint64_t{1} << page_bits_) - 1);
    return (frame(virtual_block >> page_bits_) << page_bits_) | offset;
  }

 private:
  friend struct Placement;
  [[noreturn]] void refuse(std::uint64_t page) const;

  unsigned page_bits_;  ///< log2 of the blocks of a page
  std::uint64_t run_;
  Permutation runs_;
  const Placement* placement_;
};

}  // namespace strata::translation
