// SPDX-License-Identifier: Apache-2.0
// Where a physical block lives: its home die, the slice and set that hold it
// there, the slice and set that hold a copy on another die, and its DRAM
// channel. Everything is computed, nothing stored, and the map is injective.
//
// The home die's number is a parity of address bits. The index within a die is
// a policy (index_policies). `balanced`, the one that fits silicon with sharp
// capacity knees, works on pages of 2^n lines:
//
//   * Of the lines of a page that share a home, line r goes to the point
//     q = P r of the interval [0, 1), where P is Pascal's triangle modulo 2
//     (Faure, Acta Arithmetica 41, 1982). Any 2^t lines at a stride of a power of two
//     then fall one into each of the 2^t equal parts of the interval: no
//     stride meets a subset of the slices.
//   * The points of a page are moved by a hash of its number, by exclusive or. A page
//     covers the interval as before, but lines of a stride that each page has few of do
//     not meet the same parts page after page.
//   * The interval is laid around the ring of all sets of the die, slice by
//     slice, and turned by a step for each page. The step is chosen so that
//     after any number of consecutive pages the fullest and the emptiest set
//     differ by one line, and near the golden section so that pages do not
//     favour the same slices.
//   * Lines of a unit, which differ in given address bits alone, share a point
//     but for its lowest bits. Whole units are laid around the ring: the sets of a
//     slice fall into groups of as many, of which a unit brings each a line. So lines
//     that come together go together (H200 writes random pieces of 256 B as fast as
//     its DRAM can, those of 128 B a quarter slower: both lines of a row leave at once).
//   * A copy on a die that is not the home is turned by a hash of the page:
//     what is balanced at home is not so elsewhere by design.
//
// Pages that are not consecutive then meet like independent ones.
//
// `folded` is what an H200 does (docs/notes/slices.md). The points q are cut into slots, the next
// power of two from the slices on: 64 for 47. A slot has the slice of its number; those beyond the
// slices are dealt out to them in turn, and the turn continues with every chunk of two rounds of the
// slots. So a small window meets some slices twice as often as others, and a page all of them
// alike. A slice numbers the units it gets, which gives their sets and their places in DRAM: the
// sets of a page at home follow from its number.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "fabric/address_map_spec.hpp"
#include "fabric/linear_map.hpp"

namespace strata::fabric {

/// The number without the bits at these positions, falling: those above move down to close the gaps.
template <class Number>
Number without_bits(Number number, const std::vector<std::uint32_t>& positions) {
  for (const std::uint32_t position : positions) {
    const Number below = (Number{1} << position) - 1;
    number = ((number >> 1U) & ~below) | (number & below);
  }
  return number;
}

/// A set of a die's slices.
struct Place {
  std::uint32_t slice;
  std::uint32_t set;
  bool operator==(const Place&) const = default;
};

/// A block of a DRAM channel.
struct ChannelBlock {
  std::uint32_t channel;  ///< over all dies: home * channels of a die + channel of the die
  std::uint64_t block;    ///< within the channel, in blocks of 128 B
  bool operator==(const ChannelBlock&) const = default;
};

/// A block as index policies see it.
struct HomeLine {
  std::uint64_t block;  ///< as given
  std::uint64_t page;   ///< counts the pages that have lines at this home
  std::uint32_t line;   ///< counts those of the page's lines, in order of address
  std::uint32_t point;  ///< the same lines spread by Pascal's triangle
};

struct IndexPolicy;

class AddressMap {
 public:
  /// Throws std::invalid_argument where home bits depend on each other, the
  /// page is not 128 B to 8 MiB in a power of two, the slices do not divide
  /// evenly among channels, the policy has no such name or is folded and a page
  /// has fewer units than slices, or the stride of rows is no power of two.
  explicit AddressMap(const AddressMapSpec& spec);

  std::uint32_t homes() const { return std::uint32_t{1} << home_masks_.size(); }
  std::uint32_t slices() const { return slices_; }
  std::uint32_t sets() const { return sets_; }
  /// Channels of all dies.
  std::uint32_t channels() const { return channels_ * homes(); }

  /// The die to whose DRAM a block belongs.
  std::uint32_t home(std::uint64_t block) const;
  /// Slice and set at home.
  Place place(std::uint64_t block) const;
  /// Slice and set on any other die, where lines of other homes may be kept.
  Place copy_place(std::uint64_t block) const;
  /// Channel and block within it. The channel is that of place().slice.
  ChannelBlock channel_block(std::uint64_t block) const;
  /// The same, with the channel counted within the home die; then its two parts alone.
  ChannelBlock within_home(std::uint64_t block) const;
  std::uint32_t channel(std::uint64_t block) const;
  std::uint64_t block_in_channel(std::uint64_t block) const;

 private:
  friend struct IndexPolicy;
  HomeLine line_of(std::uint64_t block) const;
  void build_page_map(std::uint64_t units);
  void build_fold();
  /// Of a page's home: the slice of a line's unit, and how many units that slice has before it.
  struct Unit {
    std::uint32_t slice;
    std::uint64_t number;
  };
  Unit folded(const HomeLine& line) const;
  std::uint64_t block_of(const HomeLine& line, const Unit& unit) const;
  /// How slots become slices, where they are folded. Shifts are of a line's point or of its number in page and home.
  struct Fold {
    std::uint32_t slot_shift = 0;   ///< leaves the bits of the slot
    std::uint32_t round_shift = 0;  ///< leaves the slot and, below it, the round
    std::uint32_t chunk_shift = 0;  ///< leaves the chunk within the page
    std::uint32_t chunk_bits = 0;   ///< log2 of the chunks of a page
    std::uint32_t round_bits = 0;   ///< log2 of the units that a slot has in a chunk
    std::uint32_t quarter_bits = 0;
    std::uint32_t place_bits = 0;  ///< of a slot within its quarter
    std::uint64_t beyond = 0;      ///< slots beyond the slices
    bool units_within = true;      ///< the bits that do not select a slice are below those of the chunk
  };
  std::uint64_t choose_step() const;
  /// position: counts the sets of a die.
  Place at(std::uint64_t position) const;
  /// How the points of a page are moved.
  struct Moved {
    std::uint64_t page = ~std::uint64_t{0};
    std::uint64_t turn = 0;    ///< by so many places of the ring, at home
    std::uint64_t points = 0;  ///< before, by exclusive or
  };
  const Moved& moved(std::uint64_t page) const;
  /// Which lines of a unit change places, for pages that are met at a stride.
  static std::uint64_t swap(std::uint64_t page) {
    page ^= page >> 8U;
    page ^= page >> 4U;
    return page ^ page >> 2U;
  }

  std::uint32_t unit_number(std::uint32_t line) const;

  std::uint32_t page_bits_;            ///< log2 of the lines of a page
  std::uint32_t home_lines_bits_ = 0;  ///< log2 of those that share a home
  std::uint32_t slices_;
  std::uint32_t sets_;
  std::uint32_t channels_;
  std::uint32_t slices_per_channel_;
  std::uint64_t ring_;  ///< all groups of sets of a die
  std::uint64_t seed_;
  std::uint64_t step_ = 0;
  std::uint32_t chunk_bits_ = 0;
  std::uint64_t chunk_slots_ = 1;
  Fold fold_{};
  std::uint32_t stride_bits_ = 0;  ///< log2 of AddressMapSpec::row_stride
  const IndexPolicy* policy_;
  std::uint32_t unit_bits_ = 0;              ///< log2 of the lines of a unit
  std::uint32_t group_bits_ = 0;             ///< log2 of the sets of a group
  std::vector<std::uint32_t> unit_columns_;  ///< their bits among those of HomeLine::line, falling
  std::vector<std::uint64_t> home_masks_;    ///< over block numbers
  std::vector<std::uint32_t> page_pivots_;   ///< page bits that follow from the home, falling
  LinearMap page_map_;                       ///< offset in page to line and point

  /// Of the pages asked for last: a division spared for most lines.
  mutable std::array<Moved, 256> moved_{};
};

/// One way of spreading blocks over the slices and sets of a die.
struct IndexPolicy {
  std::string_view name;
  std::string_view meaning;
  Place (*place)(const AddressMap& map, const HomeLine& line, bool copy);
  /// slice: that of the line's place at home.
  std::uint64_t (*channel_block)(const AddressMap& map, const HomeLine& line, std::uint32_t slice);
  /// Consecutive pages fill all sets alike: twice the lines of a cache renew each of its sets.
  bool fills_evenly = false;
  bool takes_units = false;  ///< AddressMapSpec::unit_bits may be given
  bool folds = false;        ///< slots onto slices: folded_index.cpp

  static Place balanced_place(const AddressMap& map, const HomeLine& line, bool copy);
  static std::uint64_t balanced_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice);
  static Place folded_place(const AddressMap& map, const HomeLine& line, bool copy);
  static std::uint64_t folded_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice);
  static Place avalanche_place(const AddressMap& map, const HomeLine& line, bool copy);
  static std::uint64_t avalanche_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice);
  static Place modulo_place(const AddressMap& map, const HomeLine& line, bool copy);
  static std::uint64_t modulo_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice);
};

/// Every policy, one a line.
// clang-format off
inline constexpr std::array index_policies{
    IndexPolicy{"balanced", "each page covers slices and sets evenly", IndexPolicy::balanced_place, IndexPolicy::balanced_block, true, true},
    IndexPolicy{"folded", "a power of two of slots; those beyond the slices are dealt out to them, other ones every two rounds", IndexPolicy::folded_place, IndexPolicy::folded_block, false, true, true},
    IndexPolicy{"avalanche", "a hash of the whole block number", IndexPolicy::avalanche_place, IndexPolicy::avalanche_block},
    IndexPolicy{"modulo", "neighbouring lines on neighbouring slices, no hash", IndexPolicy::modulo_place, IndexPolicy::modulo_block},
};
// clang-format on
/// nullptr: there is none of that name.
const IndexPolicy* find_index_policy(std::string_view name);

// ---- asked for every line of every level -------------------------------------

inline HomeLine AddressMap::line_of(std::uint64_t block) const {
  const std::uint64_t page = without_bits(block >> page_bits_, page_pivots_);
  const std::uint64_t word = page_map_(block & ((std::uint64_t{1} << page_bits_) - 1));
  return {block, page, static_cast<std::uint32_t>(word & 0xFFFFU),
          static_cast<std::uint32_t>(word >> LinearMap::most_bits)};
}

inline Place AddressMap::at(std::uint64_t position) const {
  const auto of_die = static_cast<std::uint32_t>(position);
  return {of_die / sets_, of_die % sets_};
}

inline const AddressMap::Moved& AddressMap::moved(std::uint64_t page) const {
  Moved& memo = moved_[page % moved_.size()];
  if (memo.page != page) {
    const std::uint64_t units = (std::uint64_t{1} << home_lines_bits_) - (std::uint64_t{1} << unit_bits_);
    memo = {page, (page % ring_) * step_ % ring_, mix(~seed_, page) & units};
  }
  return memo;
}

}  // namespace strata::fabric
