// SPDX-License-Identifier: Apache-2.0
#include "compute/load_store/banks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace strata::compute {

namespace {

constexpr unsigned most_banks = 256;

// The distinct words that one phase accesses in each bank; of atomics here, all.
class Phase {
 public:
  Phase(unsigned banks, bool shared) : banks_(banks), shared_(shared) {
    std::fill_n(wanted_.begin(), banks, std::uint16_t{0});
  }
  void need(std::uint64_t word) {
    const auto bank = static_cast<unsigned>(word % banks_);
    unsigned at = first_[bank];
    for (unsigned i = 0; shared_ && i < wanted_[bank]; ++i, at = next_[at])
      if (words_[at] == word) return;
    words_[size_] = word;
    next_[size_] = first_[bank];
    first_[bank] = static_cast<std::uint16_t>(size_++);
    busiest_ = std::max<unsigned>(busiest_, ++wanted_[bank]);
  }
  unsigned busiest() const { return busiest_; }

 private:
  unsigned banks_;
  bool shared_;  ///< lanes share a word
  unsigned size_ = 0;
  unsigned busiest_ = 1;
  std::array<std::uint64_t, most_banks> words_;
  std::array<std::uint16_t, most_banks> next_, first_, wanted_;
};

// Each lane's address is that of its partner, a lane or two lanes away.
bool in_pairs(const trace::Instruction& instruction) {
  const auto agree = [&](unsigned apart) {
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      const unsigned partner = lane ^ apart;
      if (partner < instruction.lanes && instruction.address(partner) != instruction.address(lane)) return false;
    }
    return true;
  };
  return agree(1) || agree(2);
}

}  // namespace

bool Banks::pairs_join(const trace::Instruction& instruction) const {
  return pairs_share_ && instruction.bytes_per_lane > word_bytes_ && in_pairs(instruction);
}

// Shifted by whole words, an access takes as many passes: a stream repeats itself.
Banks::Taken Banks::strided(const trace::Instruction& instruction) const {
  const Key key{instruction.lane_stride, instruction.lanes, instruction.bytes_per_lane,
                offset_in_word(instruction.addresses[0]), performed_here(instruction)};
  Strided& known = strided_[((key.stride * 0x9E37'79B1U >> 24U) ^ key.bytes ^ key.lanes) % patterns];
  if (!(known.key == key)) known = {key, counted(instruction)};
  return known.taken;
}

Banks::Taken Banks::counted(const trace::Instruction& instruction) const {
  const unsigned passes = count(instruction);
  return {passes, pairs_join(instruction) ? count(instruction, 2) : passes};
}

Banks::Taken Banks::remembered(const trace::Instruction& instruction) const {
  Pattern fresh;
  const std::uint64_t base = instruction.addresses[0];
  std::uint64_t beyond = 0;
  for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
    const std::uint64_t apart = instruction.addresses[lane] - base + (std::uint64_t{1} << 31U);
    fresh.apart[lane] = static_cast<std::uint32_t>(apart);
    beyond |= apart;
  }
  if (beyond >> 32U != 0) return counted(instruction);  // too far apart for 32 bits
  fresh.key = {0, instruction.lanes, instruction.bytes_per_lane, offset_in_word(base), performed_here(instruction)};
  const std::uint32_t some =
      fresh.apart[1] + 3 * fresh.apart[instruction.lanes / 2U] + 5 * fresh.apart[instruction.lanes - 1U];
  Pattern& known = seen_[(some * 0x9E37'79B1U >> 24U) % patterns];
  if (!(known.key == fresh.key) ||
      std::memcmp(known.apart.data(), fresh.apart.data(), instruction.lanes * sizeof fresh.apart[0]) != 0) {
    known = fresh;
    known.taken = counted(instruction);
  }
  return known.taken;
}

// sharing: the number of lanes that count as one.
unsigned Banks::count(const trace::Instruction& instruction, unsigned sharing) const {
  const auto words_per_lane = static_cast<unsigned>((instruction.bytes_per_lane + word_bytes_ - 1) / word_bytes_);
  const unsigned words_per_phase = performed_here(instruction) ? atomics_ : banks_;
  const unsigned lanes_per_phase = std::max(1U, words_per_phase / words_per_lane) * sharing;
  unsigned total = 0;
  for (unsigned first = 0; first < instruction.lanes; first += lanes_per_phase) {
    Phase phase(banks_, !performed_here(instruction));
    const unsigned end = std::min<unsigned>(first + lanes_per_phase, instruction.lanes);
    for (unsigned lane = first; lane < end; ++lane) {
      const std::uint64_t word = instruction.address(lane) / word_bytes_;
      for (unsigned w = 0; w < words_per_lane; ++w) phase.need(word + w);
    }
    total += phase.busiest();
  }
  return std::max(total, 1U);
}

}  // namespace strata::compute
