// SPDX-License-Identifier: Apache-2.0
// The coalescer: the lanes of one access become the fewest requests for
// 128-byte blocks, each with the mask of the 32-byte sectors touched, in the
// order in which the lanes first touch them. Stores are coalesced alike: those
// of one instruction to one block make one request, which says which words of
// 4 bytes it writes whole.
// Of atomics each request also says how many turns the unit needs that performs
// them: in one turn every word of a sector can be changed once (seed-facts CU-10,
// atomic_global_throughput of h200: 32 lanes on a line are 10 times as fast as on a
// word), and how many of these change all words. No operation is combined with another.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "memory/transaction.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

struct BlockRequest {
  std::uint64_t block = 0;  ///< virtual address / 128
  memory::SectorMask sectors = 0;
  std::uint8_t atomic_passes = 1;              ///< as in a transaction
  std::uint8_t whole_passes = 0;               ///< the same
  memory::WordMask words = memory::all_words;  ///< the same
  memory::AtomicPackets packets = memory::AtomicPackets::as_store;
};

class Coalescer {
 public:
  /// masks: whether stores say which words they write. packets: whether atomics are packets of a sector.
  Coalescer(bool masks, bool packets) : masks_(masks), packets_(packets) {}

  /// Requests of the access; at most two a lane (a lane may straddle blocks).
  void coalesce(const trace::Instruction& instruction) {
    form(instruction);
    if (instruction.operation == memory::Operation::atomic) count_passes(instruction);
    if (masks_ && instruction.operation == memory::Operation::store) note_words(instruction);
  }
  unsigned size() const { return size_; }
  const BlockRequest& operator[](unsigned i) const { return requests_[i]; }

 private:
  void form(const trace::Instruction& instruction) {
    size_ = 0;
    if (instruction.strided && instruction.lane_stride <= instruction.bytes_per_lane) {
      const std::uint64_t first = instruction.addresses[0];
      const std::uint64_t span = std::uint64_t{instruction.lanes - 1U} * instruction.lane_stride;
      return add_all(first / memory::sector_bytes,
                     (first + span + instruction.bytes_per_lane - 1) / memory::sector_bytes);
    }
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      const std::uint64_t first = instruction.address(lane);
      const std::uint64_t last = first + instruction.bytes_per_lane - 1;
      for (std::uint64_t sector = first / memory::sector_bytes; sector <= last / memory::sector_bytes; ++sector)
        add(sector);
    }
  }
  /// A run of sectors without a gap.
  void add_all(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t in_block = memory::sectors_per_block;
    for (std::uint64_t block = first / in_block; block <= last / in_block; ++block) {
      const std::uint64_t from = block == first / in_block ? first % in_block : 0;
      const std::uint64_t to = block == last / in_block ? last % in_block : in_block - 1;
      requests_[size_++] = {block, static_cast<memory::SectorMask>((2U << to) - (1U << from))};
    }
  }
  void add(std::uint64_t sector) {
    const std::uint64_t block = sector / memory::sectors_per_block;
    const auto bit = static_cast<memory::SectorMask>(1U << (sector % memory::sectors_per_block));
    if (const unsigned i = find(block); i < size_) {
      requests_[i].sectors |= bit;
      return;
    }
    requests_[size_++] = {block, bit};
  }
  /// Which request is of the block; size_: none. The last request first:
  /// neighbouring lanes mostly share a block.
  unsigned find(std::uint64_t block) const {
    for (unsigned i = size_; i-- > 0;)
      if (requests_[i].block == block) return i;
    return size_;
  }

  /// Which words are written whole.
  void note_words(const trace::Instruction& instruction) {
    if (instruction.strided && instruction.lane_stride <= instruction.bytes_per_lane) {
      const std::uint64_t first = instruction.addresses[0];
      const std::uint64_t span = std::uint64_t{instruction.lanes - 1U} * instruction.lane_stride;
      const std::uint64_t last = first + span + instruction.bytes_per_lane - 1;
      for (unsigned i = 0; i < size_; ++i) {
        const std::uint64_t begin = requests_[i].block * memory::block_bytes;
        const std::uint64_t from = std::max(first, begin) - begin;
        const std::uint64_t to = std::min(last, begin + memory::block_bytes - 1) - begin + 1;
        requests_[i].words =
            below(to / memory::word_bytes) & ~below((from + memory::word_bytes - 1) / memory::word_bytes);
      }
      return;
    }
    for (unsigned i = 0; i < size_; ++i) written_[i] = {};
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      std::uint64_t at = instruction.address(lane);
      for (std::uint64_t left = instruction.bytes_per_lane; left > 0;) {
        // Half a block at a time: its bytes are the bits of a word of the host. What wraps
        // around the address space has no request.
        const std::uint64_t some = std::min(left, bytes_of_half - at % bytes_of_half);
        if (const unsigned i = find(at / memory::block_bytes); i < size_)
          written_[i][at / bytes_of_half % 2] |= ~std::uint64_t{0} >> (bytes_of_half - some) << (at % bytes_of_half);
        at += some;
        left -= some;
      }
    }
    for (unsigned i = 0; i < size_; ++i)
      requests_[i].words = whole_words(written_[i][0]) | whole_words(written_[i][1]) << (memory::words_per_block / 2);
  }
  /// The first words of a block, so many; 32: all.
  static memory::WordMask below(std::uint64_t count) {
    return static_cast<memory::WordMask>((std::uint64_t{1} << count) - 1);
  }
  /// From a bit a byte to a bit a word of four.
  static memory::WordMask whole_words(std::uint64_t bytes) {
    bytes &= bytes >> 2U;
    bytes &= bytes >> 1U;
    bytes &= 0x1111'1111'1111'1111U;
    bytes = (bytes | bytes >> 3U) & 0x0303'0303'0303'0303U;
    bytes = (bytes | bytes >> 6U) & 0x000F'000F'000F'000FU;
    bytes = (bytes | bytes >> 12U) & 0x0000'00FF'0000'00FFU;
    return static_cast<memory::WordMask>((bytes | bytes >> 24U) & 0xFFFFU);
  }

  /// A request has the turns of its sectors, one after the other; a sector has as
  /// many as lanes access the most accessed of its words.
  void count_passes(const trace::Instruction& instruction) {
    if (count_regular(instruction)) return;
    for (unsigned i = 0; i < size_; ++i) {
      wanted_[i] = {};
      requests_[i].atomic_passes = 0;
    }
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      const std::uint64_t first = instruction.address(lane);
      const std::uint64_t last = first + instruction.bytes_per_lane - 1;
      for (std::uint64_t sector = first / memory::sector_bytes; sector <= last / memory::sector_bytes; ++sector) {
        const unsigned i = find(sector / memory::sectors_per_block);
        // Wide operations share no word or all: the first decides.
        const std::uint64_t word = std::max(first, sector * memory::sector_bytes) / memory::word_bytes;
        Wanted& wanted = wanted_[i];
        std::uint8_t& most = wanted.most[sector % memory::sectors_per_block];
        if (++wanted.lanes[word % memory::words_per_block] <= most) continue;
        ++most;
        ++requests_[i].atomic_passes;
      }
    }
    for (unsigned i = 0; i < size_; ++i) {
      note_whole_passes(requests_[i], wanted_[i], instruction.bytes_per_lane);
      if (packets_) requests_[i].packets = packets_of(requests_[i], wanted_[i]);
    }
  }

  /// The same for lanes on one word, or on words that follow each other, without a look at each; false: others.
  bool count_regular(const trace::Instruction& instruction) {
    const std::uint64_t bytes = instruction.bytes_per_lane;
    const std::uint64_t first = instruction.addresses[0];
    const std::uint64_t end = first + instruction.lanes * bytes;
    if (bytes < memory::word_bytes || bytes >= memory::sector_bytes || !std::has_single_bit(bytes) ||
        first % bytes != 0 || end < first)
      return false;
    if (instruction.lanes == 1 || (instruction.strided && instruction.lane_stride == 0)) {
      requests_[0].atomic_passes = instruction.lanes;
      if (packets_) requests_[0].packets = memory::AtomicPackets::one_word;
      return true;
    }
    if (!instruction.strided || instruction.lane_stride != bytes) return false;
    for (unsigned i = 0; i < size_; ++i) {
      BlockRequest& request = requests_[i];
      const std::uint64_t begin = request.block * memory::block_bytes;
      const std::uint64_t from = std::max(first, begin) - begin;
      const std::uint64_t to = std::min(end - 1, begin + memory::block_bytes - 1) - begin + 1;
      const std::uint64_t whole_from = (from + memory::sector_bytes - 1) / memory::sector_bytes;
      const std::uint64_t whole_to = to / memory::sector_bytes;
      request.atomic_passes = static_cast<std::uint8_t>((to + memory::sector_bytes - 1) / memory::sector_bytes -
                                                        from / memory::sector_bytes);
      request.whole_passes = static_cast<std::uint8_t>(whole_to > whole_from ? whole_to - whole_from : 0);
      if (packets_) request.packets = packets_of(request, static_cast<unsigned>((to - from) / bytes));
    }
    return true;
  }

  static constexpr std::uint64_t bytes_of_half = memory::block_bytes / 2;
  /// The words of a block that the lanes of an atomic access.
  struct Wanted {
    std::array<std::uint8_t, memory::words_per_block> lanes;   ///< by word
    std::array<std::uint8_t, memory::sectors_per_block> most;  ///< of any word, by sector
  };

  /// In a sector so many passes change every word as lanes access the least accessed of its words. Wide lanes are
  /// counted at their first word: those that are not aligned to their width change no sector whole.
  static void note_whole_passes(BlockRequest& request, const Wanted& wanted, unsigned bytes_per_lane) {
    constexpr unsigned words = memory::words_per_block / memory::sectors_per_block;
    const unsigned apart = std::max(1U, bytes_per_lane / static_cast<unsigned>(memory::word_bytes));  // words counted
    request.whole_passes = 0;
    for (unsigned sector = 0; sector < memory::sectors_per_block; ++sector) {
      std::uint8_t least = wanted.most[sector];
      for (unsigned word = 0; word < words && least > 0; word += apart)
        least = std::min(least, wanted.lanes[sector * words + word]);
      request.whole_passes = static_cast<std::uint8_t>(request.whole_passes + least);
    }
  }

  static memory::AtomicPackets packets_of(const BlockRequest& request, const Wanted& wanted) {
    const auto words =
        static_cast<unsigned>(std::ranges::count_if(wanted.lanes, [](unsigned lanes) { return lanes > 0; }));
    return packets_of(request, words);
  }
  static memory::AtomicPackets packets_of(const BlockRequest& request, unsigned words) {
    if (words == 1) return memory::AtomicPackets::one_word;
    const bool whole = words * memory::word_bytes == memory::sector_count(request.sectors) * memory::sector_bytes;
    return whole ? memory::AtomicPackets::whole_sectors : memory::AtomicPackets::some_words;
  }

  std::array<BlockRequest, std::size_t{2} * trace::most_lanes> requests_;
  std::array<Wanted, std::size_t{2} * trace::most_lanes> wanted_;
  std::array<std::array<std::uint64_t, 2>, std::size_t{2} * trace::most_lanes> written_;  ///< a bit a byte
  unsigned size_ = 0;
  bool masks_;
  bool packets_;
};

}  // namespace strata::compute
