// SPDX-License-Identifier: Apache-2.0
// The index policies of an address map: how lines are spread over the slices
// and sets of a die, and how those of one channel are numbered.
#include "base/random.hpp"
#include "fabric/address_map.hpp"

namespace strata::fabric {

Place IndexPolicy::balanced_place(const AddressMap& map, const HomeLine& line, bool copy) {
  const AddressMap::Moved& moved = map.moved(line.page);
  const std::uint64_t point = line.point ^ moved.points;
  const std::uint64_t turn = copy ? scale_to(mix(map.seed_, line.page), map.ring_) : moved.turn;
  const std::uint64_t in_ring =
      (((point >> map.group_bits_) * map.ring_) >> (map.home_lines_bits_ - map.group_bits_)) + turn;
  const std::uint64_t group = in_ring < map.ring_ ? in_ring : in_ring - map.ring_;
  const std::uint64_t within = (line.point ^ AddressMap::swap(line.page)) & ((std::uint64_t{1} << map.group_bits_) - 1);
  return map.at(group << map.group_bits_ | within);
}

// The units of a page that a channel holds are an arc of the interval [0, 1).
// They are numbered chunk by chunk, a chunk being 2^n units that follow one
// another in address: of those, one falls into each 2^n-th of the interval, so
// the number of that cell, counted from the first of the arc, distinguishes them.
// Neighbours in a DRAM row are so near in address that streams hit open rows.
// An arc does not begin with a cell, so a chunk leaves a slot or two unused; nor
// need it begin with a unit, so that two channels may share one.
std::uint64_t IndexPolicy::balanced_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice) {
  const AddressMap::Moved& moved = map.moved(line.page);
  const std::uint64_t arc_begin =
      std::uint64_t{slice / map.slices_per_channel_} * map.slices_per_channel_ * (map.sets_ >> map.group_bits_);
  const std::uint64_t unturned = arc_begin >= moved.turn ? arc_begin - moved.turn : arc_begin + map.ring_ - moved.turn;
  const std::uint64_t first = ((unturned << (map.home_lines_bits_ - map.group_bits_)) + map.ring_ - 1) / map.ring_
                              << map.group_bits_;
  const std::uint32_t cell_bits = map.home_lines_bits_ - map.unit_bits_ - map.chunk_bits_;
  const std::uint32_t line_bits = map.unit_bits_ + cell_bits;  // of a cell
  const std::uint64_t cells = std::uint64_t{1} << map.chunk_bits_;
  const std::uint64_t slot = (((line.point ^ moved.points) >> line_bits) - (first >> line_bits)) & (cells - 1);
  const std::uint64_t chunk = (line.page << cell_bits) + (map.unit_number(line.line) >> map.chunk_bits_);
  const std::uint64_t within = line.point & ((std::uint64_t{1} << map.unit_bits_) - 1);
  return (chunk * map.chunk_slots_ + slot) << map.unit_bits_ | within;
}

Place IndexPolicy::avalanche_place(const AddressMap& map, const HomeLine& line, bool) {
  return map.at(scale_to(mix(map.seed_, line.block), std::uint64_t{map.slices_} * map.sets_));
}

// Distinguished by the number within the home alone: channels then share one
// numbering, of which each uses its part, and no two lines of a row are near.
std::uint64_t IndexPolicy::avalanche_block(const AddressMap& map, const HomeLine& line, std::uint32_t) {
  return (line.page << map.home_lines_bits_) + line.line;
}

Place IndexPolicy::modulo_place(const AddressMap& map, const HomeLine& line, bool) {
  const std::uint64_t number = avalanche_block(map, line, 0);
  const std::uint64_t position = number % (std::uint64_t{map.slices_} * map.sets_);
  return {static_cast<std::uint32_t>(position % map.slices_), static_cast<std::uint32_t>(position / map.slices_)};
}

std::uint64_t IndexPolicy::modulo_block(const AddressMap& map, const HomeLine& line, std::uint32_t slice) {
  const std::uint64_t number = avalanche_block(map, line, slice);
  return number / map.slices_ * map.slices_per_channel_ + number % map.slices_ % map.slices_per_channel_;
}

}  // namespace strata::fabric
