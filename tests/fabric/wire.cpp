// SPDX-License-Identifier: Apache-2.0
#include "fabric/wire.hpp"

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "catch.hpp"

namespace strata::fabric {
namespace {

const engine::Clock clock_of_ten(Duration{10});
const WireTime block_in_20_ticks = WireTime::from(clock_of_ten, BytesPerClock{64}, Bytes{0});

TEST_CASE("an_atomic_carries_its_operands_and_returns_old_values_if_needed") {
  memory::Transaction atomic;
  atomic.operation = memory::Operation::atomic;
  atomic.wanted = 0b0101;
  CHECK(sectors_down(atomic) == 2);
  CHECK(sectors_up(atomic) == 2);
  atomic.returns_old = false;
  CHECK(sectors_down(atomic) == 2);
  CHECK(sectors_up(atomic) == 0);
}

TEST_CASE("an_atomic_in_packets_has_no_header_beside_them") {
  const WireTime wire = WireTime::from(clock_of_ten, BytesPerClock{32}, Bytes{8});
  memory::Transaction atomic;
  atomic.operation = memory::Operation::atomic;
  const auto ticks = [&](memory::AtomicPackets packets, memory::SectorMask sectors, unsigned passes) {
    atomic.packets = packets;
    atomic.wanted = sectors;
    atomic.atomic_passes = passes & 0x7FU;
    return std::pair(wire.ticks(sectors_down(atomic)), wire.ticks(sectors_over(atomic)));
  };
  using enum memory::AtomicPackets;
  // One packet of 32 B a clock of ten ticks; a lane more on the word is another.
  CHECK(ticks(one_word, 0b0010, 1) == std::pair(10.0, 10.0));
  CHECK(ticks(one_word, 0b0010, 32) == std::pair(320.0, 320.0));
  CHECK(atomic.atomic_repeats() == 31);
  CHECK(ticks(some_words, 0b0001, 1) == std::pair(20.0, 10.0));
  CHECK(ticks(some_words, 0b1111, 4) == std::pair(50.0, 40.0));
  CHECK(ticks(whole_sectors, 0b1111, 4) == std::pair(50.0, 50.0));
  CHECK(atomic.atomic_repeats() == 0);
  CHECK(wire.bytes(sectors_down(atomic)) == Bytes{160});
  // As a store: header and sectors, whatever repeats.
  CHECK(ticks(as_store, 0b1111, 8) == std::pair(42.5, 42.5));
  CHECK(atomic.atomic_repeats() == 0);
}

TEST_CASE("a_partial_store_carries_a_mask_of_the_size_of_a_sector") {
  memory::Transaction store;
  store.operation = memory::Operation::store;
  store.wanted = 0b1111;
  CHECK(sectors_down(store) == 4);
  store.words = 0x0101'0101;
  CHECK(sectors_down(store) == 5);
  CHECK(sectors_up(store) == 0);
  CHECK(block_in_20_ticks.bytes(5) == Bytes{160});
  CHECK(block_in_20_ticks.ticks(5) == Approx(25));
  store.operation = memory::Operation::load;
  CHECK(sectors_down(store) == 0);
}

TEST_CASE("a_wire_serves_first_come_first_served_and_counts") {
  Wire wire;
  CHECK(wire.pass(Time{5}, block_in_20_ticks, 4) == Time{5});
  CHECK(wire.pass(Time{6}, block_in_20_ticks, 4) == Time{25});
  CHECK(wire.pass(Time{100}, block_in_20_ticks, 2) == Time{100});
  CHECK(wire.free_at() == Time{110});
  CHECK(wire.busy() == Duration{50});
  CHECK(wire.bytes() == 320);
  CHECK(wire.served() == 3);
}

TEST_CASE("a_message_without_bytes_does_not_wait") {
  Wire wire;
  wire.pass(Time{0}, block_in_20_ticks, 4);
  CHECK(wire.pass(Time{3}, block_in_20_ticks, 0) == Time{3});
  CHECK(wire.pass(Time{3}, WireTime{}, 4) == Time{3});
  CHECK(wire.served() == 1);
}

TEST_CASE("a_backfill_wire_gives_idle_time_to_a_later_asker") {
  GIVEN("a booking at 100, which leaves the wire idle before") {
    BackfillWire wire;
    CHECK(wire.pass(Time{100}, block_in_20_ticks, 4) == Time{100});
    THEN("a message that is ready sooner precedes it if there is a gap, otherwise follows it") {
      CHECK(wire.pass(Time{70}, block_in_20_ticks, 4) == Time{70});
      CHECK(wire.pass(Time{85}, block_in_20_ticks, 4) == Time{120});
    }
  }
}

TEST_CASE("bookings_out_of_order_never_overlap_and_lose_no_width") {
  GIVEN("a slice's answers, some 18 and some 30 cycles ahead, as fast as the wire is") {
    BackfillWire wire;
    RandomSequence random(3);
    constexpr std::int64_t count = 20000;
    std::vector<std::int64_t> starts;
    for (std::int64_t i = 0; i < count; ++i) {
      const Time ready{i * 20 + (random.below(2) == 0 ? 180 : 300)};
      const Time start = wire.pass(ready, block_in_20_ticks, 4);
      REQUIRE(start >= ready);
      starts.push_back(start.ticks);
    }
    std::sort(starts.begin(), starts.end());
    THEN("each has the wire for itself, and the last is hardly later than the width allows") {
      for (std::size_t i = 1; i < starts.size(); ++i) REQUIRE(starts[i] - starts[i - 1] >= 20);
      CHECK(starts.back() <= (count - 1) * 20 + 300 + 120);
    }
  }
}

}  // namespace
}  // namespace strata::fabric
