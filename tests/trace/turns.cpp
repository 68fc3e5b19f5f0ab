// SPDX-License-Identifier: Apache-2.0
#include "trace/turns.hpp"

#include <set>
#include <vector>

#include "catch.hpp"

namespace strata::trace {
namespace {

/// Parts of 2 rows of 2 warps of 4 lanes of 8 B: a row is 64 B.
TurnKernel small_kernel(std::uint64_t parts) {
  TurnKernel kernel;
  kernel.array = 4096;
  kernel.parts = parts;
  kernel.rows = 2;
  kernel.warps = 2;
  kernel.lanes = 4;
  kernel.bytes_per_lane = 8;
  kernel.unroll = 3;
  return kernel;
}

/// A place that has taken its first part.
TurnPlace place_of(const TurnKernel& kernel, Turns& turns) { return {{turns.take(kernel)}, 0}; }

std::vector<std::uint64_t> addresses(TurnWarp& warp, std::size_t most = 1000) {
  std::vector<std::uint64_t> all;
  Instruction instruction;
  while (all.size() < most && warp.next(instruction)) all.push_back(instruction.addresses[0]);
  return all;
}

}  // namespace

TEST_CASE("parts_interleave_by_rows_and_a_block_continues_with_the_next_free_one") {
  const TurnKernel kernel = small_kernel(3);
  Turns turns{0, 5};
  TurnPlace first = place_of(kernel, turns);
  TurnPlace second = place_of(kernel, turns);
  TurnWarp warp(kernel, turns, first, 1);
  // Part 0: rows 0 and 3. Part 1 is taken, so part 2 follows: rows 2 and 5. Then part 0 again.
  const std::uint64_t own = 4096 + 32;
  CHECK(addresses(warp) == std::vector<std::uint64_t>{own, own + 3 * 64, own + 2 * 64, own + 5 * 64, own});
}

TEST_CASE("warps_of_a_slot_take_the_same_parts_in_any_order") {
  const TurnKernel kernel = small_kernel(4);
  Turns turns{0, 100};
  TurnPlace one = place_of(kernel, turns);
  TurnPlace other = place_of(kernel, turns);
  TurnWarp ahead(kernel, turns, one, 0);
  TurnWarp behind(kernel, turns, one, 1);
  const std::vector<std::uint64_t> led = addresses(ahead, 4);
  TurnWarp elsewhere(kernel, turns, other, 0);
  addresses(elsewhere, 4);
  const std::vector<std::uint64_t> followed = addresses(behind, 4);
  for (std::size_t i = 0; i < led.size(); ++i) CHECK(followed[i] == led[i] + kernel.access_bytes());
}

TEST_CASE("blocks_in_turn_cover_every_row_and_end_with_the_accesses_granted") {
  const TurnKernel kernel = small_kernel(5);
  Turns turns{0, 5 * 2 * 2};
  TurnPlace place = place_of(kernel, turns);
  TurnWarp left(kernel, turns, place, 0);
  TurnWarp right(kernel, turns, place, 1);
  std::set<std::uint64_t> seen;
  Instruction one;
  Instruction two;
  while (left.next(one) && right.next(two)) {
    seen.insert(one.addresses[0]);
    seen.insert(two.addresses[0]);
  }
  CHECK(seen.size() == 5 * 2 * 2);
  CHECK(*seen.begin() == 4096);
  CHECK(*seen.rbegin() == 4096 + 5 * 2 * 64 - 32);
  CHECK(turns.accesses_left == 0);
}

TEST_CASE("a_warp_in_turn_rotates_registers_or_waits_for_a_batch") {
  TurnKernel kernel = small_kernel(2);
  kernel.work_per_access = Duration{2};
  kernel.work_per_batch = Duration{10};
  for (const bool batch : {false, true}) {
    kernel.batch = batch;
    Turns turns{0, 4};
    TurnPlace place = place_of(kernel, turns);
    TurnWarp warp(kernel, turns, place, 0);
    Instruction instruction;
    std::vector<unsigned> registers;
    std::vector<bool> dependent;
    std::vector<std::int64_t> work;
    while (warp.next(instruction)) {
      registers.push_back(instruction.destination);
      dependent.push_back(instruction.dependent);
      work.push_back(instruction.work.ticks);
    }
    CHECK(registers == std::vector<unsigned>{1, 2, 3, 1});
    CHECK(dependent == std::vector<bool>{false, false, false, batch});
    CHECK(work == (batch ? std::vector<std::int64_t>{12, 2, 2, 12} : std::vector<std::int64_t>{2, 2, 2, 2}));
  }
}

}  // namespace strata::trace
