// SPDX-License-Identifier: Apache-2.0
// The index policy `folded`: slots of a power of two, of which those beyond the slices are dealt out to the slices.
#include <algorithm>
#include <bit>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "fabric/address_map.hpp"

namespace strata::fabric {

void AddressMap::build_fold() {
  const auto slot_bits = static_cast<std::uint32_t>(std::bit_width(slices_ - 1U));
  const std::uint32_t page_units = home_lines_bits_ - unit_bits_;
  if (slot_bits > page_units)
    throw InvalidRequest("with the policy folded a page has a line, or a unit of lines, for each slice of a die");
  fold_.round_bits = std::min(1U, page_units - slot_bits);
  fold_.slot_shift = home_lines_bits_ - slot_bits;
  fold_.round_shift = fold_.slot_shift - fold_.round_bits;
  fold_.chunk_bits = page_units - slot_bits - fold_.round_bits;
  fold_.chunk_shift = home_lines_bits_ - fold_.chunk_bits;
  fold_.quarter_bits = std::min(2U, slot_bits);
  fold_.place_bits = slot_bits - fold_.quarter_bits;
  fold_.beyond = (std::uint64_t{1} << slot_bits) - slices_;
  fold_.units_within = unit_columns_.empty() || unit_columns_.front() < fold_.chunk_shift;
}

// Of the slots, E are beyond the slices, whose number is L. Chunk c deals these out to the slices c E, c E + 1, ...
// modulo L. So before chunk c slice s had its own slot for c chunks and others for ceil((c E - s) / L); each brings it
// a unit a round.
AddressMap::Unit AddressMap::folded(const HomeLine& line) const {
  const std::uint64_t point = line.point ^ moved(line.page).points;
  const std::uint64_t in_round = point >> fold_.round_shift & ((std::uint64_t{1} << fold_.round_bits) - 1);
  // The first bits of a point choose the place within a quarter of the slots, the last two the quarter. Lines that
  // follow each other differ in the place, so they mostly get different slices wherever the slots beyond the slices go.
  const std::uint64_t leading = point >> fold_.slot_shift;
  const std::uint64_t quarter = leading & ((std::uint64_t{1} << fold_.quarter_bits) - 1);
  const std::uint64_t slot = quarter << fold_.place_bits | leading >> fold_.quarter_bits;

  const std::uint64_t of_page =
      fold_.units_within ? line.line >> fold_.chunk_shift : unit_number(line.line) >> (fold_.chunk_shift - unit_bits_);
  const std::uint64_t chunk = line.page << fold_.chunk_bits | of_page;
  const std::uint64_t dealt = chunk * fold_.beyond;
  const std::uint64_t whole = dealt / slices_;
  const std::uint64_t part = dealt - whole * slices_;
  std::uint64_t slice = slot;
  std::uint64_t number = chunk + whole;
  if (slot >= slices_) {
    slice = part + slot - slices_;
    if (slice >= slices_) slice -= slices_;
    ++number;
  }
  if (slice < part) ++number;
  return {static_cast<std::uint32_t>(slice), number << fold_.round_bits | in_round};
}

Place IndexPolicy::folded_place(const AddressMap& map, const HomeLine& line, bool copy) {
  const std::uint64_t in_unit = (std::uint64_t{1} << map.unit_bits_) - 1;
  const AddressMap::Unit unit = map.folded(line);
  const std::uint64_t of_slice = unit.number << map.unit_bits_ | ((line.point ^ AddressMap::swap(line.page)) & in_unit);
  const std::uint64_t position = std::uint64_t{unit.slice} * map.sets_ + of_slice % map.sets_;
  if (!copy) return map.at(position);
  const std::uint64_t all = std::uint64_t{map.slices_} * map.sets_;
  const std::uint64_t turned = position + (scale_to(mix(map.seed_, line.page), map.ring_) << map.group_bits_);
  return map.at(turned < all ? turned : turned - all);
}

// The lowest bits of a unit's number rotated by one: the one that says which half of twice the stride comes last.
std::uint64_t AddressMap::block_of(const HomeLine& line, const Unit& unit) const {
  const std::uint64_t rotated = (std::uint64_t{2} << stride_bits_) - 1;
  const std::uint64_t placed =
      (unit.number & ~rotated) | (unit.number << 1U & rotated) | (unit.number >> stride_bits_ & 1U);
  const std::uint64_t of_channel = placed * slices_per_channel_ + unit.slice % slices_per_channel_;
  return of_channel << unit_bits_ | (line.point & ((std::uint64_t{1} << unit_bits_) - 1));
}

std::uint64_t IndexPolicy::folded_block(const AddressMap& map, const HomeLine& line, std::uint32_t) {
  return map.block_of(line, map.folded(line));
}

}  // namespace strata::fabric
