// SPDX-License-Identifier: Apache-2.0
// The page table: from virtual page to physical frame. Where frames are computed and not
// stored, a table over hundreds of GiB costs no memory; it is injective, and the same on every
// machine for the same seed. Real drivers hand out frames that are neither consecutive nor
// random; contiguous and scattered bracket them, and scattering runs of frames lies between.
//
// Where each memory die has a piece of the address space, a domain, pages may also go round
// the domains, or come to lie in that of the core that accesses them first, as an operating
// system places them on a machine of non-uniform memory access. A domain that is full is
// skipped. A domain can also be assigned to pages before anything accesses them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/permutation.hpp"
#include "translation/page_table_spec.hpp"

namespace strata::translation {

class PageTable;

/// One way of choosing frames.
struct Placement {
  std::string_view name;
  std::string_view meaning;
  std::uint64_t (*frame)(const PageTable& table, std::uint64_t page);  ///< null: the first access decides
  bool of_domains = false;                                             ///< of use only where memory is in domains
  bool across_domains = false;                                         ///< frames of any domain, in no order of theirs
  bool seeded = false;                                                 ///< reads PageTableSpec::run and seed

  static std::uint64_t contiguous(const PageTable& table, std::uint64_t page);
  static std::uint64_t scattered(const PageTable& table, std::uint64_t page);
  static std::uint64_t striped(const PageTable& table, std::uint64_t page);
};

/// Every placement, one a line.
inline constexpr std::array placements{
    Placement{"contiguous", "virtual page n is physical frame n", Placement::contiguous},
    Placement{"scattered", "runs of frames in seeded random order", Placement::scattered, false, true, true},
    Placement{"striped", "consecutive pages in consecutive memory dies; with memory.interleave = per_die",
              Placement::striped, true},
    Placement{"first_touch",
              "in the memory die nearest to the core that accesses it first; with memory.interleave = per_die", nullptr,
              true},
};
/// Of that name; null: there is none.
const Placement* find_placement(std::string_view name);

class PageTable {
 public:
  /// Throws std::invalid_argument where the page is no power of two of at
  /// least 128 B, memory holds no whole run of pages, or the placement has no
  /// such name.
  explicit PageTable(const PageTableSpec& spec);

  /// Pages that fit.
  std::uint64_t frames() const { return runs_.size() * run_; }

  /// The frame of a virtual page that a core whose nearest domain is `domain` accesses.
  /// Throws std::out_of_range from frames() on, or where every domain is full.
  std::uint64_t frame(std::uint64_t page, std::uint32_t domain = 0) {
    if (page >= frames()) refuse(page);
    return computed() ? placement_->frame(*this, page) : placed(page, domain);
  }
  /// The same answer, but nothing is placed by it.
  std::uint64_t frame_for(std::uint64_t page, std::uint32_t domain = 0) const;
  /// The physical block of a virtual one, both in blocks of 128 B.
  std::uint64_t block(std::uint64_t virtual_block, std::uint32_t domain = 0) {
    return within(frame(virtual_block >> page_bits_, domain), virtual_block);
  }
  std::uint64_t block_for(std::uint64_t virtual_block, std::uint32_t domain = 0) const {
    return within(frame_for(virtual_block >> page_bits_, domain), virtual_block);
  }
  /// Whether accesses decide where pages come to lie.
  bool by_access() const { return placement_->frame == nullptr; }

  /// The pages of a stretch of virtual addresses, in bytes, come to lie in that domain. Before
  /// they are accessed. Throws std::invalid_argument where a page is to lie in another one
  /// already, std::out_of_range where the domain is full.
  void assign(std::uint64_t first, std::uint64_t bytes, std::uint32_t domain);

 private:
  friend struct Placement;
  /// Frames of a domain that are free: those placed by access come from its beginning, those assigned from its end.
  struct Domain {
    std::uint64_t next;
    std::uint64_t end;
  };
  bool computed() const { return placement_->frame != nullptr && places_.empty(); }
  std::uint64_t placed(std::uint64_t page, std::uint32_t domain);
  /// None: it is yet to be placed by an access.
  std::optional<std::uint64_t> known_frame(std::uint64_t page) const;
  std::uint64_t within(std::uint64_t frame, std::uint64_t virtual_block) const {
    const std::uint64_t offset = virtual_block & ((std::uint64_t{1} << page_bits_) - 1);
    return (frame << page_bits_) | offset;
  }
  std::size_t with_free_frame(std::uint64_t page, std::uint32_t domain) const;
  [[noreturn]] void refuse(std::uint64_t page) const;

  unsigned page_bits_;  ///< log2 of the blocks of a page
  std::uint64_t run_;
  Permutation runs_;
  const Placement* placement_;
  std::uint64_t domain_frames_ = 0;  ///< from the beginning of a domain to that of the next
  std::vector<Domain> domains_;
  std::unordered_map<std::uint64_t, std::uint64_t> places_;  ///< pages that are not where the placement computes
};

}  // namespace strata::translation
