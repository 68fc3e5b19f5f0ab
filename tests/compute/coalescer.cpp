// SPDX-License-Identifier: Apache-2.0
#include "compute/load_store/coalescer.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "base/random.hpp"
#include "catch.hpp"

namespace strata::compute {
namespace {

using memory::block_bytes;
using memory::sector_bytes;

trace::Instruction access(unsigned lanes, unsigned bytes, const std::function<std::uint64_t(unsigned)>& address) {
  trace::Instruction instruction;
  instruction.lanes = static_cast<std::uint8_t>(lanes);
  instruction.bytes_per_lane = static_cast<std::uint8_t>(bytes);
  for (unsigned lane = 0; lane < lanes; ++lane) instruction.addresses[lane] = address(lane);
  return instruction;
}

Coalescer coalesced(const trace::Instruction& instruction) {
  Coalescer coalescer(true, true);
  coalescer.coalesce(instruction);
  return coalescer;
}

Coalescer coalesced(memory::Operation operation, unsigned lanes, unsigned bytes,
                    const std::function<std::uint64_t(unsigned)>& address) {
  trace::Instruction instruction = access(lanes, bytes, address);
  instruction.operation = operation;
  return coalesced(instruction);
}

unsigned sectors_of(const Coalescer& coalescer) {
  unsigned sum = 0;
  for (unsigned i = 0; i < coalescer.size(); ++i)
    sum += static_cast<unsigned>(std::popcount(static_cast<unsigned>(coalescer[i].sectors)));
  return sum;
}

}  // namespace

TEST_CASE("contiguous_lanes_make_one_request_a_block") {
  const std::uint64_t base = 10 * block_bytes;
  // 32 lanes of b bytes cover 32 b / 128 blocks and 32 b / 32 sectors.
  for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U}) {
    CAPTURE(bytes);
    const Coalescer c = coalesced(access(32, bytes, [&](unsigned lane) { return base + lane * bytes; }));
    CHECK(c.size() == (32 * bytes + block_bytes - 1) / block_bytes);
    CHECK(sectors_of(c) == 32 * bytes / sector_bytes);
    for (unsigned i = 0; i < c.size(); ++i) CHECK(c[i].block == 10 + i);
  }
}

TEST_CASE("lanes_a_block_apart_make_a_request_each") {
  const Coalescer c = coalesced(access(32, 4, [](unsigned lane) { return lane * block_bytes; }));
  CHECK(c.size() == 32);
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(c[i].block == i);
    CHECK(c[i].sectors == 0b0001);
  }
}

TEST_CASE("lanes_a_sector_apart_fill_blocks_by_sectors") {
  const Coalescer c = coalesced(access(32, 4, [](unsigned lane) { return lane * sector_bytes; }));
  CHECK(c.size() == 32 * sector_bytes / block_bytes);
  for (unsigned i = 0; i < c.size(); ++i) CHECK(c[i].sectors == memory::all_sectors);
}

TEST_CASE("lanes_at_one_address_make_one_request_of_one_sector") {
  for (unsigned sector = 0; sector < memory::sectors_per_block; ++sector) {
    const Coalescer c = coalesced(access(64, 8, [&](unsigned) { return 7 * block_bytes + sector * sector_bytes + 8; }));
    REQUIRE(c.size() == 1);
    CHECK(c[0].block == 7);
    CHECK(c[0].sectors == 1U << sector);
  }
}

TEST_CASE("a_straddling_lane_requests_both_lines") {
  GIVEN("a lane of 8 bytes, 4 of them beyond a sector") {
    const Coalescer c = coalesced(access(1, 8, [](unsigned) { return sector_bytes - 4; }));
    THEN("one request has both sectors") {
      REQUIRE(c.size() == 1);
      CHECK(c[0].sectors == 0b0011);
    }
  }
  GIVEN("a lane of 8 bytes, 4 of them beyond a block") {
    const Coalescer c = coalesced(access(1, 8, [](unsigned) { return 5 * block_bytes - 4; }));
    THEN("there are two requests, the last sector of one block and the first of the next") {
      REQUIRE(c.size() == 2);
      CHECK(c[0].block == 4);
      CHECK(c[0].sectors == 0b1000);
      CHECK(c[1].block == 5);
      CHECK(c[1].sectors == 0b0001);
    }
  }
  GIVEN("64 lanes that all straddle blocks of their own") {
    const Coalescer c = coalesced(access(64, 16, [](unsigned lane) { return (2 * lane + 1) * block_bytes - 8; }));
    THEN("all 128 requests fit") { CHECK(c.size() == 2 * 64); }
  }
}

TEST_CASE("requests_come_in_the_order_in_which_lanes_first_touch_them") {
  const std::uint64_t blocks[] = {9, 2, 9, 5, 2, 1};
  const Coalescer c =
      coalesced(access(6, 4, [&](unsigned lane) { return blocks[lane] * block_bytes + (lane % 4) * sector_bytes; }));
  REQUIRE(c.size() == 4);
  CHECK(c[0].block == 9);
  CHECK(c[0].sectors == 0b0101);  // lanes 0 and 2
  CHECK(c[1].block == 2);
  CHECK(c[1].sectors == 0b0011);  // lanes 1 and 4
  CHECK(c[2].block == 5);
  CHECK(c[3].block == 1);
}

TEST_CASE("an_access_leaves_no_state_for_the_next") {
  Coalescer coalescer(true, true);
  coalescer.coalesce(access(32, 4, [](unsigned lane) { return lane * block_bytes; }));
  coalescer.coalesce(access(1, 4, [](unsigned) { return 0; }));
  REQUIRE(coalescer.size() == 1);
  CHECK(coalescer[0].sectors == 0b0001);
}

TEST_CASE("scattered_lanes_ask_for_exactly_the_sectors_they_touch") {
  RandomSequence random(3);
  for (int round = 0; round < 200; ++round) {
    const unsigned lanes = 1 + static_cast<unsigned>(random.below(64));
    const unsigned bytes = 1U << random.below(5);
    const auto instruction = access(lanes, bytes, [&](unsigned) { return random.below(4000); });
    std::map<std::uint64_t, unsigned> wanted;  // sectors by block, byte by byte
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned b = 0; b < bytes; ++b) {
        const std::uint64_t at = instruction.addresses[lane] + b;
        wanted[at / block_bytes] |= 1U << (at % block_bytes / sector_bytes);
      }
    const Coalescer c = coalesced(instruction);
    REQUIRE(c.size() == wanted.size());
    for (unsigned i = 0; i < c.size(); ++i) REQUIRE(c[i].sectors == wanted.at(c[i].block));
  }
}

TEST_CASE("CU-10: an_atomic_takes_a_turn_for_each_sector_and_each_further_lane_on_a_word") {
  const auto atomic = [](unsigned lanes, unsigned bytes, const auto& address) {
    return coalesced(memory::Operation::atomic, lanes, bytes, address);
  };
  // One word for all: as many passes as lanes.
  for (const unsigned lanes : {1U, 2U, 32U, 64U}) {
    const Coalescer c = atomic(lanes, 4, [](unsigned) { return 3 * block_bytes + 44; });
    REQUIRE(c.size() == 1);
    CHECK(c[0].atomic_passes == lanes);
  }
  // The 32 words of a line: its four sectors. Each of them for two lanes: twice.
  CHECK(atomic(32, 4, [](unsigned lane) { return lane * 4U; })[0].atomic_passes == 4);
  CHECK(atomic(64, 4, [](unsigned lane) { return lane % 32 * 4U; })[0].atomic_passes == 8);
  // The 16 words of 8 B of a line.
  CHECK(atomic(16, 8, [](unsigned lane) { return lane * 8U; })[0].atomic_passes == 4);
  // A line each: one pass of each.
  const Coalescer apart = atomic(32, 4, [](unsigned lane) { return lane * block_bytes; });
  REQUIRE(apart.size() == 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(apart[i].atomic_passes == 1);
  // Halves of one word are one word.
  CHECK(atomic(2, 2, [](unsigned lane) { return lane * 2U; })[0].atomic_passes == 2);
  // In the first sector three lanes on one word, two on another: three. In the last: one.
  const std::uint64_t at[] = {0, 8, 0, 8, 0, 96};
  const Coalescer mixed = atomic(6, 4, [&](unsigned lane) { return at[lane]; });
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].atomic_passes == 3 + 1);
  // No state remains for the next access, and other accesses have no passes.
  Coalescer again(true, true);
  trace::Instruction same = access(32, 4, [](unsigned) { return 0U; });
  same.operation = memory::Operation::atomic;
  for (int round = 0; round < 2; ++round) {
    again.coalesce(same);
    CHECK(again[0].atomic_passes == 32);
  }
  same.operation = memory::Operation::store;
  again.coalesce(same);
  CHECK(again[0].atomic_passes == 1);
}

TEST_CASE("an_atomic_says_how_many_of_its_passes_change_every_word_of_a_sector") {
  const auto whole = [](unsigned lanes, unsigned bytes, const auto& address) {
    const Coalescer c = coalesced(memory::Operation::atomic, lanes, bytes, address);
    REQUIRE(c.size() == 1);
    return unsigned{c[0].whole_passes};
  };
  CHECK(whole(1, 4, [](unsigned) { return 4U; }) == 0);
  CHECK(whole(32, 4, [](unsigned) { return 64U; }) == 0);
  CHECK(whole(7, 4, [](unsigned lane) { return lane * 4U; }) == 0);
  CHECK(whole(8, 4, [](unsigned lane) { return lane * 4U; }) == 1);
  CHECK(whole(32, 4, [](unsigned lane) { return lane * 4U; }) == 4);
  // Two whole sectors, each of them twice; then one of the lanes repeats a word instead.
  CHECK(whole(32, 4, [](unsigned lane) { return lane % 16 * 4U; }) == 4);
  CHECK(whole(32, 4, [](unsigned lane) { return (lane == 31 ? 0 : lane % 16) * 4U; }) == 3);
  // Words of 8 B: four lanes change a sector.
  CHECK(whole(4, 8, [](unsigned lane) { return lane * 8U; }) == 1);
  CHECK(whole(3, 8, [](unsigned lane) { return lane * 8U; }) == 0);
  CHECK(whole(2, 16, [](unsigned lane) { return lane * 16U; }) == 1);
  CHECK(whole(32, 8, [](unsigned lane) { return lane % 16 * 8U; }) == 8);
}

TEST_CASE("an_atomic_is_packets_by_the_words_that_it_changes") {
  using memory::AtomicPackets;
  const auto packets = [](unsigned lanes, const auto& address) {
    const Coalescer c = coalesced(memory::Operation::atomic, lanes, 4, address);
    REQUIRE(c.size() == 1);
    return c[0].packets;
  };
  CHECK(packets(1, [](unsigned) { return 4U; }) == AtomicPackets::one_word);
  CHECK(packets(32, [](unsigned) { return 64U; }) == AtomicPackets::one_word);
  CHECK(packets(2, [](unsigned lane) { return lane * 4U; }) == AtomicPackets::some_words);
  CHECK(packets(4, [](unsigned lane) { return lane * 32U; }) == AtomicPackets::some_words);
  CHECK(packets(8, [](unsigned lane) { return lane * 4U; }) == AtomicPackets::whole_sectors);
  CHECK(packets(32, [](unsigned lane) { return lane * 4U; }) == AtomicPackets::whole_sectors);
  // As a store where the core does not say so, and any other access.
  Coalescer plain(true, false);
  trace::Instruction same = access(32, 4, [](unsigned) { return 0U; });
  same.operation = memory::Operation::atomic;
  plain.coalesce(same);
  CHECK(plain[0].packets == AtomicPackets::as_store);
  CHECK(coalesced(memory::Operation::store, 32, 4, [](unsigned lane) { return lane * 4U; })[0].packets ==
        AtomicPackets::as_store);
}

TEST_CASE("a_store_marks_the_words_that_it_writes_whole") {
  const auto store = [](unsigned lanes, unsigned bytes, const auto& address) {
    return coalesced(memory::Operation::store, lanes, bytes, address);
  };
  // Lane l writes word l: all 32.
  CHECK(store(32, 4, [](unsigned lane) { return lane * 4U; })[0].words == memory::all_words);
  // The first word of each sector.
  CHECK(store(4, 4, [](unsigned lane) { return lane * 32U; })[0].words == 0x0101'0101U);
  // From the second word on, over the edge of the block.
  const Coalescer shifted = store(32, 4, [](unsigned lane) { return 4 + lane * 4U; });
  REQUIRE(shifted.size() == 2);
  CHECK(shifted[0].words == (memory::all_words & ~memory::WordMask{1}));
  CHECK(shifted[1].words == 1);
  // Bytes 2 to 9: the word between is whole.
  CHECK(store(8, 1, [](unsigned lane) { return 2 + lane; })[0].words == 0b10);
  // Four lanes of a byte each make a word, in whatever order.
  CHECK(store(4, 1, [](unsigned lane) { return 99 - lane; })[0].words == 1U << 24U);
  // Half a word each, of three words: only the middle one has both halves.
  const std::uint64_t halves[] = {0, 4, 6, 8};
  CHECK(store(4, 2, [&](unsigned lane) { return halves[lane]; })[0].words == 0b10);
}

TEST_CASE("stores_at_the_end_of_the_address_space_and_past_it_end") {
  for (const bool strided : {false, true})
    for (const std::uint64_t back : {1U, 4U, 60U, 64U, 200U}) {
      trace::Instruction instruction = access(3, 4, [&](unsigned lane) { return 0 - back + lane * 4; });
      instruction.operation = memory::Operation::store;
      instruction.strided = strided;
      instruction.lane_stride = 4;
      const Coalescer c = coalesced(instruction);
      for (unsigned i = 0; i < c.size(); ++i) CHECK((c[i].words & ~memory::words_of(c[i].sectors)) == 0);
    }
}

TEST_CASE("words_of_random_stores_are_those_of_a_map_of_bytes") {
  RandomSequence random(5);
  for (int round = 0; round < 300; ++round) {
    const unsigned bytes = 1U << random.below(5);
    const bool run = random.below(3) == 0;  // as traces give a run: a base and a stride
    trace::Instruction instruction =
        access(1 + static_cast<unsigned>(random.below(32)), bytes, [&](unsigned) { return random.below(1000); });
    instruction.operation = memory::Operation::store;
    if (run) {
      instruction.strided = true;
      instruction.lane_stride = static_cast<std::uint32_t>(1 + random.below(bytes));
    }
    std::map<std::uint64_t, bool> written;
    for (unsigned lane = 0; lane < instruction.lanes; ++lane)
      for (unsigned b = 0; b < bytes; ++b) written[instruction.address(lane) + b] = true;
    const Coalescer c = coalesced(instruction);
    for (unsigned i = 0; i < c.size(); ++i) {
      memory::WordMask expected = 0;
      for (unsigned w = 0; w < 32; ++w) {
        bool whole = true;
        for (unsigned b = 0; b < 4; ++b) whole = whole && written.count(c[i].block * block_bytes + 4 * w + b) != 0;
        expected |= memory::WordMask{whole} << w;
      }
      CHECK(c[i].words == expected);
    }
  }
}

TEST_CASE("CU-10: turns_of_scattered_atomics_add_up_sector_by_sector") {
  RandomSequence random(11);
  for (int round = 0; round < 200; ++round) {
    const unsigned lanes = 1 + static_cast<unsigned>(random.below(64));
    trace::Instruction instruction = access(lanes, 4, [&](unsigned) { return random.below(100) * 4; });
    instruction.operation = memory::Operation::atomic;
    std::map<std::uint64_t, std::map<std::uint64_t, unsigned>> on;  // lanes by sector and word
    for (unsigned lane = 0; lane < lanes; ++lane)
      ++on[instruction.addresses[lane] / sector_bytes][instruction.addresses[lane]];
    std::map<std::uint64_t, unsigned> expected;  // by block
    std::map<std::uint64_t, unsigned> whole;
    for (const auto& [sector, words] : on) {
      unsigned most = 0;
      unsigned least = words.size() == 8 ? lanes : 0;
      for (const auto& [word, count] : words) {
        most = std::max(most, count);
        least = std::min(least, count);
      }
      expected[sector / memory::sectors_per_block] += most;
      whole[sector / memory::sectors_per_block] += least;
    }
    const Coalescer c = coalesced(instruction);
    REQUIRE(c.size() == expected.size());
    for (unsigned i = 0; i < c.size(); ++i) {
      REQUIRE(c[i].atomic_passes == expected.at(c[i].block));
      REQUIRE(c[i].whole_passes == whole.at(c[i].block));
    }
  }
}

TEST_CASE("a_strided_access_requests_the_same_as_its_listed_lanes") {
  for (const auto operation : {memory::Operation::load, memory::Operation::store, memory::Operation::atomic})
    for (const unsigned bytes : {1U, 4U, 8U, 16U, 32U, 64U})
      for (const std::uint32_t stride : {0U, 2U, 4U, 8U, 16U, 32U, 36U, 64U, 128U, 200U})
        for (const unsigned lanes : {1U, 2U, 31U, 64U})
          for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{30}, std::uint64_t{48}, std::uint64_t{124},
                                            std::uint64_t{1000}, ~std::uint64_t{0} - 255, ~std::uint64_t{0} - 127}) {
            if (start + (lanes - 1) * std::uint64_t{stride} + bytes - 1 < start) continue;  // wraps around
            CAPTURE(operation, bytes, stride, lanes, start);
            trace::Instruction brief = access(lanes, bytes, [&](unsigned) { return start; });
            brief.operation = operation;
            brief.strided = true;
            brief.lane_stride = stride;
            const Coalescer a = coalesced(brief);
            const Coalescer b =
                coalesced(operation, lanes, bytes, [&](unsigned lane) { return start + lane * std::uint64_t{stride}; });
            REQUIRE(a.size() == b.size());
            for (unsigned i = 0; i < a.size(); ++i) {
              CHECK(a[i].block == b[i].block);
              CHECK(a[i].sectors == b[i].sectors);
              CHECK(a[i].words == b[i].words);
              CHECK(a[i].atomic_passes == b[i].atomic_passes);
              CHECK(a[i].whole_passes == b[i].whole_passes);
              CHECK(a[i].packets == b[i].packets);
            }
          }
}

TEST_CASE("an_atomic_of_one_lane_is_one_pass_that_changes_a_part_of_its_sector") {
  for (const unsigned bytes : {4U, 8U, 16U}) {
    const Coalescer c = coalesced(memory::Operation::atomic, 1, bytes, [](unsigned) { return 48; });
    REQUIRE(c.size() == 1);
    CHECK(c[0].sectors == 0b0010);
    CHECK(c[0].atomic_passes == 1);
    CHECK(c[0].whole_passes == 0);
    CHECK(c[0].packets == memory::AtomicPackets::one_word);
  }
}

}  // namespace strata::compute
