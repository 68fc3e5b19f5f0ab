// SPDX-License-Identifier: Apache-2.0
// The index policy `folded`: slots of a power of two, of which those beyond the slices are dealt out to the slices.
#include <algorithm>
#include <bit>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "fabric/address_map.hpp"

namespace strata::fabric {

void AddressMap::build_fold() {
  slot_bits_ = static_cast<std::uint32_t>(std::bit_width(slices_ - 1U));
  const std::uint32_t page_units = home_lines_bits_ - unit_bits_;
  if (slot_bits_ > page_units)
    throw InvalidRequest("with the policy folded a page has a line, or a unit of lines, for each slice of a die");
  round_bits_ = std::min(1U, page_units - slot_bits_);
}

// Of the slots, E are beyond the slices, whose number is L. Chunk c deals these out to the slices c E, c E + 1, ...
// modulo L. So before chunk c slice s had its own slot for c chunks and others for ceil((c E - s) / L); each brings it
// a unit a round.
AddressMap::Unit AddressMap::folded(const HomeLine& line) const {
  const std::uint32_t rest_bits = home_lines_bits_ - slot_bits_ - round_bits_;  // of a point, below the round
  const std::uint64_t point = line.point ^ moved(line.page).points;
  const std::uint64_t in_round = point >> rest_bits & ((std::uint64_t{1} << round_bits_) - 1);
  // The first bits of a point choose the place within a quarter of the slots, the last two the quarter. Lines that follow
  // each other differ in the place, so they mostly get different slices wherever the slots beyond the slices go.
  const std::uint64_t leading = point >> (home_lines_bits_ - slot_bits_);
  const std::uint32_t quarter_bits = std::min(2U, slot_bits_);
  const std::uint64_t quarter = leading & ((std::uint64_t{1} << quarter_bits) - 1);
  const std::uint64_t slot = quarter << (slot_bits_ - quarter_bits) | leading >> quarter_bits;

  const std::uint64_t chunk =
      line.page << (rest_bits - unit_bits_) | unit_number(line.line) >> (slot_bits_ + round_bits_);
  const std::uint64_t dealt = chunk * ((std::uint64_t{1} << slot_bits_) - slices_);
  std::uint64_t slice = slot;
  std::uint64_t number = chunk + dealt / slices_;
  if (slot >= slices_) {
    slice = (dealt + slot) % slices_;
    ++number;
  }
  if (slice < dealt % slices_) ++number;
  return {static_cast<std::uint32_t>(slice), number << round_bits_ | in_round};
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
std::uint64_t IndexPolicy::folded_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice) {
  const std::uint64_t number = map.folded(line).number;
  const std::uint64_t rotated = (std::uint64_t{2} << map.stride_bits_) - 1;
  const std::uint64_t placed = (number & ~rotated) | (number << 1U & rotated) | (number >> map.stride_bits_ & 1U);
  const std::uint64_t of_channel = placed * map.slices_per_channel_ + slice % map.slices_per_channel_;
  return of_channel << map.unit_bits_ | (line.point & ((std::uint64_t{1} << map.unit_bits_) - 1));
}

}  // namespace strata::fabric
