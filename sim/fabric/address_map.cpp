// SPDX-License-Identifier: Apache-2.0
#include "fabric/address_map.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

#include "base/invalid_request.hpp"
#include "memory/transaction.hpp"

namespace strata::fabric {

namespace {

constexpr unsigned block_bits = 7;
static_assert((std::uint64_t{1} << block_bits) == memory::block_bytes);

const IndexPolicy& policy_named(const std::string& name) {
  if (const IndexPolicy* policy = find_index_policy(name)) return *policy;
  throw InvalidRequest("there is no index policy '" + name + "'");
}

// Without hardware flags compilers call a library for a count of bits.
std::uint32_t parity(std::uint64_t x) {
  x ^= x >> 32U;
  x ^= x >> 16U;
  x ^= x >> 8U;
  x ^= x >> 4U;
  return 0x6996U >> (x & 0xFU) & 1U;
}

}  // namespace

const IndexPolicy* find_index_policy(std::string_view name) {
  for (const IndexPolicy& policy : index_policies)
    if (policy.name == name) return &policy;
  return nullptr;
}

AddressMap::AddressMap(const AddressMapSpec& spec)
    : page_bits_(static_cast<std::uint32_t>(std::countr_zero(spec.page.value / memory::block_bytes))),
      slices_(spec.slices),
      sets_(spec.sets),
      channels_(spec.channels),
      slices_per_channel_(0),
      ring_(0),
      seed_(spec.seed),
      policy_(&policy_named(spec.index)) {
  if (!std::has_single_bit(spec.page.value) || spec.page.value < memory::block_bytes ||
      page_bits_ > LinearMap::most_bits) {
    throw InvalidRequest("a page is a power of two from 128 B to 8 MiB");
  }
  if (slices_ == 0 || sets_ == 0 || channels_ == 0 || slices_ % channels_ != 0) {
    throw InvalidRequest("the slices of a die do not divide evenly among its channels");
  }
  slices_per_channel_ = slices_ / channels_;
  for (const HomeBitSpec& bit : spec.home_bits) {
    std::uint64_t mask = 0;
    for (const std::uint32_t position : bit.address_bits) {
      if (position < block_bits || position > 47) {
        throw InvalidRequest("a home bit uses address bits 7 to 47");
      }
      mask ^= std::uint64_t{1} << (position - block_bits);
    }
    home_masks_.push_back(mask);
  }
  std::uint64_t units = 0;
  for (const std::uint32_t position : spec.unit_bits) {
    if (position < block_bits || position >= block_bits + page_bits_) {
      throw InvalidRequest("a bit that does not select a slice lies within the page and above bit 6");
    }
    units |= std::uint64_t{1} << (position - block_bits);
  }
  if (units != 0 && !policy_->takes_units) {
    throw InvalidRequest("bits that do not select a slice need the policy balanced or folded");
  }
  if (!std::has_single_bit(spec.row_stride)) throw InvalidRequest("a stride of rows is a power of two");
  build_page_map(units);
  stride_bits_ = static_cast<std::uint32_t>(std::countr_zero(spec.row_stride));
  if (policy_->folds) build_fold();
  group_bits_ = std::min(unit_bits_, static_cast<std::uint32_t>(std::countr_zero(sets_)));
  ring_ = std::uint64_t{slices_} * (sets_ >> group_bits_);
  step_ = choose_step();
  // A chunk brings at least eight units to each channel; see balanced_block().
  const std::uint32_t page_units = home_lines_bits_ - unit_bits_;
  while (chunk_bits_ < page_units && (std::uint64_t{1} << chunk_bits_) < std::uint64_t{8} * channels_) {
    ++chunk_bits_;
  }
  const std::uint64_t cell = std::uint64_t{1} << (page_units - chunk_bits_);
  const std::uint64_t arc = ((std::uint64_t{1} << page_units) + channels_ - 1) / channels_ + (unit_bits_ == 0 ? 0 : 1);
  chunk_slots_ = std::min((arc + cell - 2) / cell + 1, std::uint64_t{1} << chunk_bits_);
}

// Solves the home bits for one address bit each (Gauss and Jordan over GF(2)):
// with the home known, that bit follows from the others. The lowest bit inside the page is
// used, so the other bits keep the order of addresses.
void AddressMap::build_page_map(std::uint64_t units) {
  std::vector<std::uint64_t> rows = home_masks_;
  const std::uint64_t in_page = (std::uint64_t{1} << page_bits_) - 1;
  std::uint64_t offset_pivots = 0;
  for (std::uint64_t& row : rows) {
    if (row == 0) throw InvalidRequest("the home bits are not independent of each other");
    const auto pivot = static_cast<unsigned>(std::countr_zero((row & in_page) != 0 ? row & in_page : row));
    if (pivot < page_bits_) {
      offset_pivots |= std::uint64_t{1} << pivot;
    } else {
      page_pivots_.push_back(pivot - page_bits_);
    }
    for (std::uint64_t& other : rows) {
      if (&other != &row && ((other >> pivot) & 1U) != 0) other ^= row;
    }
  }
  std::sort(page_pivots_.rbegin(), page_pivots_.rend());

  home_lines_bits_ = page_bits_ - static_cast<std::uint32_t>(std::popcount(offset_pivots));
  if ((offset_pivots & units) != 0) {
    throw InvalidRequest("a home bit must be a function of bits that do not select a slice");
  }
  unit_bits_ = static_cast<std::uint32_t>(std::popcount(units));
  const std::uint32_t spread = home_lines_bits_ - unit_bits_;
  std::array<std::uint64_t, LinearMap::most_bits> images{};
  unsigned column = 0;  // of HomeLine::line
  unsigned of_unit = 0;
  for (unsigned bit = 0; bit < page_bits_; ++bit) {
    if (((offset_pivots >> bit) & 1U) != 0) continue;
    images[bit] = std::uint64_t{1} << column;
    if (((units >> bit) & 1U) != 0) {
      images[bit] |= std::uint64_t{1} << (LinearMap::most_bits + of_unit++);
      unit_columns_.insert(unit_columns_.begin(), column++);
      continue;
    }
    // Row i, column j of Pascal's triangle modulo 2 is one where i's bits are among j's (Lucas).
    const unsigned pascal = column - of_unit;
    // The lines of a unit are permuted with every bit, so no stride uses only one of them.
    if (unit_bits_ != 0) images[bit] |= std::uint64_t{1} << (LinearMap::most_bits + pascal % unit_bits_);
    for (unsigned row = 0; row < spread; ++row) {
      if ((row & pascal) == row) {
        images[bit] |= std::uint64_t{1} << (LinearMap::most_bits + home_lines_bits_ - 1 - row);
      }
    }
    ++column;
  }
  page_map_ = LinearMap(images);
}

// The number of a line's unit among those of its page and home.
std::uint32_t AddressMap::unit_number(std::uint32_t line) const { return without_bits(line, unit_columns_); }

// A turn by K places of the ring shifts the pattern of a page's remainders by K units/ring
// of one. If that is units/ring plus a whole number, pages join without gap or overlap: K = 1
// plus a multiple of ring / gcd(ring, units).
std::uint64_t AddressMap::choose_step() const {
  const std::uint64_t unit = ring_ / std::gcd(ring_, std::uint64_t{1} << (home_lines_bits_ - group_bits_));
  const std::uint64_t golden = ring_ * 618'034 / 1'000'000;
  const auto distance = [&](std::uint64_t k) { return k < golden ? golden - k : k - golden; };
  std::uint64_t best = 1 % ring_;
  for (std::uint64_t k = 1; k < ring_; k += unit) {
    if (std::gcd(k, ring_) == 1 && distance(k) < distance(best)) best = k;
  }
  return best;
}

std::uint32_t AddressMap::home(std::uint64_t block) const {
  std::uint32_t number = 0;
  for (std::size_t bit = 0; bit < home_masks_.size(); ++bit) {
    number |= parity(block & home_masks_[bit]) << bit;
  }
  return number;
}

Place AddressMap::place(std::uint64_t block) const { return policy_->place(*this, line_of(block), false); }

Place AddressMap::copy_place(std::uint64_t block) const { return policy_->place(*this, line_of(block), true); }

ChannelBlock AddressMap::within_home(std::uint64_t block) const {
  const HomeLine line = line_of(block);
  if (policy_->folds) {
    const Unit unit = folded(line);
    return {unit.slice / slices_per_channel_, block_of(line, unit)};
  }
  const std::uint32_t slice = policy_->place(*this, line, false).slice;
  return {slice / slices_per_channel_, policy_->channel_block(*this, line, slice)};
}

ChannelBlock AddressMap::channel_block(std::uint64_t block) const {
  ChannelBlock found = within_home(block);
  found.channel += home(block) * channels_;
  return found;
}

std::uint32_t AddressMap::channel(std::uint64_t block) const { return place(block).slice / slices_per_channel_; }

std::uint64_t AddressMap::block_in_channel(std::uint64_t block) const { return within_home(block).block; }

}  // namespace strata::fabric
