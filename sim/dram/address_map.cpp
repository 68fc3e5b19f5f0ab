// SPDX-License-Identifier: Apache-2.0
#include "dram/address_map.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace strata::dram {
namespace {

struct Coordinate {
  std::string_view name;
  std::uint32_t Location::* member;
  std::uint64_t left;  ///< values not yet covered by a term
  std::uint64_t taken = 1;
};

/// The settings that determine the number of values of a field.
std::string_view origin_of(std::string_view field) {
  if (field == "pseudo_channel") return "organisation.pseudo_channels";
  if (field == "stack") return "organisation.stack_ids";
  if (field == "bank_group") return "organisation.bank_groups";
  if (field == "bank") return "organisation.banks_per_group";
  if (field == "row") return "organisation.rows";
  return "organisation.page over organisation.access";
}

/// The bits of a bank's number in its pseudo-channel that are XORed with a number of the row.
std::uint32_t hashed_bits(const AddressMapSpec& spec, const OrganisationSpec& organisation) {
  if (!spec.hash_banks && !spec.random_banks) return 0;
  const bool with_stacks = spec.random_banks && std::has_single_bit(organisation.stack_ids);
  const std::uint32_t stacks = with_stacks ? organisation.stack_ids : 1;
  return stacks * organisation.bank_groups * organisation.banks_per_group - 1;
}

}  // namespace

AddressMap::AddressMap(const AddressMapSpec& spec, const OrganisationSpec& organisation)
    : random_(spec.random_banks),
      hash_mask_(hashed_bits(spec, organisation)),
      bank_mask_(organisation.banks_per_group - 1),
      group_mask_(organisation.bank_groups - 1),
      bank_bits_(std::countr_zero(std::bit_floor(organisation.banks_per_group))),
      banks_per_group_(organisation.banks_per_group),
      bank_groups_(organisation.bank_groups),
      stack_bits_from_(bank_bits_ + std::countr_zero(std::bit_floor(organisation.bank_groups))),
      rotation_(spec.random_banks && !std::has_single_bit(organisation.stack_ids) ? organisation.stack_ids : 1),
      digit_bits_(std::max(1, stack_bits_from_)) {
  std::array<Coordinate, 6> coordinates{{
      {"pseudo_channel", &Location::pseudo_channel, organisation.pseudo_channels},
      {"stack", &Location::stack, organisation.stack_ids},
      {"bank_group", &Location::bank_group, organisation.bank_groups},
      {"bank", &Location::bank, organisation.banks_per_group},
      {"column", &Location::column, organisation.page / organisation.access},
      {"row", &Location::row, organisation.rows},
  }};
  std::string_view rest = spec.order;
  bool leading_columns = true;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    const std::size_t colon = word.find(':');
    const std::string_view name = word.substr(0, colon);
    Coordinate* coordinate = nullptr;
    for (Coordinate& candidate : coordinates) {
      if (candidate.name == name) coordinate = &candidate;
    }
    if (coordinate == nullptr) {
      throw std::invalid_argument(fmt::format("address_map.order: there is no field '{}'", name));
    }
    std::uint64_t size = coordinate->left;
    if (colon != std::string_view::npos) {
      const std::string_view digits = word.substr(colon + 1);
      unsigned bits = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || bits == 0 || bits > 31 ||
          coordinate->left % (std::uint64_t{1} << bits) != 0) {
        throw std::invalid_argument(fmt::format("address_map.order: '{}' does not divide {} values, given by {}", word,
                                                coordinate->left, origin_of(name)));
      }
      size = std::uint64_t{1} << bits;
    }
    if (size > 1) {
      fields_.push_back(
          {coordinate->member, size, coordinate->taken, std::has_single_bit(size) ? std::countr_zero(size) : -1});
    }
    if (coordinate->member != &Location::column && size > 1) leading_columns = false;
    if (leading_columns) together_ *= size;
    coordinate->taken *= size;
    coordinate->left /= size;
    capacity_ *= size;
  }
  for (const Coordinate& coordinate : coordinates) {
    if (coordinate.left != 1) {
      throw std::invalid_argument(fmt::format("address_map.order: field '{}' is not covered: {} values remain of {}",
                                              coordinate.name, coordinate.left, origin_of(coordinate.name)));
    }
  }
  if ((spec.hash_banks || spec.random_banks) &&
      !(std::has_single_bit(organisation.banks_per_group) && std::has_single_bit(organisation.bank_groups))) {
    throw std::invalid_argument(
        fmt::format("address_map.{} needs powers of two of organisation.banks_per_group and organisation.bank_groups",
                    spec.random_banks ? "random_banks" : "hash_banks"));
  }
  cut_pieces(organisation);
}

void AddressMap::cut_pieces(const OrganisationSpec& organisation) {
  const std::uint64_t banks = std::uint64_t{organisation.banks_per_group} * organisation.bank_groups;
  unsigned from = 0;
  std::vector<Piece> pieces;
  for (const Field& field : fields_) {
    // The weight of one step of the field in a packed location.
    std::uint64_t step = field.weight;
    if (field.member == &Location::pseudo_channel) step <<= channel_at;
    if (field.member == &Location::bank) step <<= bank_at;
    if (field.member == &Location::bank_group) step = step * organisation.banks_per_group << bank_at;
    if (field.member == &Location::stack) step = step * banks << bank_at;
    if (field.shift < 0 || !std::has_single_bit(step)) return;
    if (field.member != &Location::column) {
      pieces.push_back({(field.size - 1) << from, std::countr_zero(step) - static_cast<int>(from)});
    }
    from += static_cast<unsigned>(field.shift);
  }
  pieces_ = std::move(pieces);
}

Place AddressMap::slow_place(std::uint64_t burst) const {
  const Location at = locate(burst);
  return {at.pseudo_channel, (at.stack * bank_groups_ + at.bank_group) * banks_per_group_ + at.bank, at.row};
}

void AddressMap::hash(Location& location, bool backwards) const {
  const std::uint32_t number = hash_of(location.row);
  location.bank ^= number & bank_mask_;
  location.bank_group ^= (number >> bank_bits_) & group_mask_;
  location.stack ^= number >> stack_bits_from_;
  if (rotation_ == 1) return;
  const auto steps = static_cast<std::uint32_t>((mix(location.row) >> 32U) % rotation_);
  location.stack = (location.stack + (backwards ? rotation_ - steps : steps)) % rotation_;
}

Location AddressMap::locate(std::uint64_t burst) const {
  Location location;
  for (const Field& field : fields_) {
    std::uint64_t digit = 0;
    if (field.shift >= 0) {
      digit = burst & (field.size - 1);
      burst >>= field.shift;
    } else {
      digit = burst % field.size;
      burst /= field.size;
    }
    location.*field.member += static_cast<std::uint32_t>(digit * field.weight);
  }
  if (hash_mask_ != 0 || rotation_ != 1) hash(location, false);
  return location;
}

std::uint64_t AddressMap::burst_at(const Location& location) const {
  Location plain = location;
  if (hash_mask_ != 0 || rotation_ != 1) hash(plain, true);
  std::uint64_t burst = 0;
  std::uint64_t weight = 1;
  for (const Field& field : fields_) {
    burst += plain.*field.member / field.weight % field.size * weight;
    weight *= field.size;
  }
  return burst;
}

}  // namespace strata::dram
