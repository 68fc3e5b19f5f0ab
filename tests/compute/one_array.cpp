// SPDX-License-Identifier: Apache-2.0
// Cost of lanes in the array of L1 and shared memory: known answers of an H200, load-to-use
// latency and cycles per instruction, for a core of this kind.
#include <functional>

#include "catch.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {
namespace {

using namespace literals;

// 28 cycles of L1 behind an address path of 4 make the 32 that are measured.
constexpr double l1_latency = 28;

CoreSpec hopper() {
  CoreSpec spec;
  spec.name = "SM";
  spec.load_store.scalar_address = 4_clk;
  spec.load_store.vector_address = 4_clk;
  spec.load_store.wide_access = 3.4_clk;
  spec.load_store.per_line = 0.25_clk;
  spec.load_store.lines_at_once = 4;
  spec.load_store.per_stored_line = 2_clk;
  spec.shared_memory.size = 228_KiB;
  spec.shared_memory.latency = 23_clk;
  spec.shared_memory.per_conflict = 2_clk;
  spec.shared_memory.wide_access = 2.5_clk;
  spec.shared_memory.shares_array = true;
  return spec;
}

trace::Instruction lanes_at(unsigned lanes, unsigned bytes, const std::function<std::uint64_t(unsigned)>& address) {
  trace::Instruction instruction = load(0, lanes);
  instruction.bytes_per_lane = static_cast<std::uint8_t>(bytes);
  for (unsigned lane = 0; lane < lanes; ++lane) instruction.addresses[lane] = address(lane);
  return instruction;
}

double latency_of(const trace::Instruction& instruction) {
  Bench bench(hopper(), l1_latency);
  return bench.run({instruction});
}

// Cycles per instruction, of 16 warps that issue it repeatedly.
double pace_of(trace::Instruction instruction) {
  instruction.dependent = false;
  Bench bench(hopper(), l1_latency);
  constexpr unsigned each = 50;
  std::vector<Script> warps;
  for (unsigned w = 0; w < 16; ++w) warps.emplace_back(std::vector<trace::Instruction>(each, instruction));
  const double took = bench.run(warps);
  Bench alone(hopper(), l1_latency);
  return (took - alone.run({instruction})) / (16 * each - 1);
}

trace::Instruction in_shared(trace::Instruction instruction) {
  instruction.space = trace::Space::shared;
  return instruction;
}
trace::Instruction stored(trace::Instruction instruction) {
  instruction.operation = memory::Operation::store;
  return instruction;
}

}  // namespace

// l1_access_cost of an H200: pattern, latency, cycles an instruction. Rows of 32 bits per lane
// include 9.3 cycles of address arithmetic, subtracted here.
TEST_CASE("hits_in_the_l1_cost_what_is_measured") {
  const auto contiguous = [](unsigned bytes) {
    return lanes_at(32, bytes, [bytes](unsigned lane) { return lane * bytes; });
  };
  const auto broadcast = [](unsigned bytes) { return lanes_at(32, bytes, [](unsigned) { return 0; }); };
  // Lanes over k lines in turn, each in a separate pair of banks.
  const auto k_lines = [](unsigned k) {
    return lanes_at(32, 8, [k](unsigned lane) { return (lane % k) * 128 + (lane % 16) * 8; });
  };
  const auto words_apart = [](unsigned bytes, unsigned words) {
    return lanes_at(32, bytes, [words](unsigned lane) { return lane * words * 4; });
  };
  struct Row {
    trace::Instruction instruction;
    double latency;
    double pace;
  };
  const Row rows[] = {
      {lanes_at(1, 8, [](unsigned) { return 0; }), 32.03, 1},
      {lanes_at(1, 16, [](unsigned) { return 0; }), 35.40, 1},
      {contiguous(4), 41.32 - 9.3, 1.02},
      {contiguous(8), 34.03, 2.02},
      {contiguous(16), 41.40, 4.02},
      {broadcast(4), 41.32 - 9.3, 1.01},
      {broadcast(8), 34.03, 2.01},
      {broadcast(16), 41.40, 4.03},
      {k_lines(1), 34.03, 2.02},
      {k_lines(4), 34.03, 2.02},
      {k_lines(8), 35.03, 2.03},
      {k_lines(16), 37.03, 4.01},
      {words_apart(4, 2), 43.32 - 9.3, 2.00},
      {words_apart(4, 8), 56.32 - 9.3, 8.18},
      {words_apart(4, 32), 110.32 - 9.3, 32.03},
      {words_apart(16, 8), 50.40, 8.01},
      {words_apart(16, 32), 104.40, 32.11},
  };
  for (const Row& row : rows) {
    CAPTURE(row.latency, row.pace, unsigned{row.instruction.bytes_per_lane});
    CHECK(latency_of(row.instruction) == Approx(row.latency).margin(1));
    CHECK(pace_of(row.instruction) == Approx(row.pace).epsilon(0.05));
  }
}

// st_throughput_private of the same measurement.
TEST_CASE("stores_take_two_cycles_a_line") {
  CHECK(pace_of(stored(lanes_at(32, 4, [](unsigned lane) { return lane * 4; }))) == Approx(2.02).epsilon(0.05));
  CHECK(pace_of(stored(lanes_at(32, 4, [](unsigned lane) { return lane * 128; }))) == Approx(63.95).epsilon(0.05));
}

// smem_bandwidth and smem_latency: 128 B per clock for any width, and a cycle for each word of
// the busiest bank, for loads and stores.
TEST_CASE("shared_memory_moves_128_bytes_a_clock") {
  for (const unsigned bytes : {4U, 8U, 16U}) {
    const trace::Instruction access = in_shared(lanes_at(32, bytes, [bytes](unsigned lane) { return lane * bytes; }));
    CAPTURE(bytes);
    CHECK(32 * bytes / pace_of(access) == Approx(127.98).epsilon(0.02));
    CHECK(32 * bytes / pace_of(stored(access)) == Approx(127.98).epsilon(0.02));
  }
  for (const unsigned stride : {2U, 4U, 8U, 16U, 32U}) {
    CAPTURE(stride);
    CHECK(pace_of(in_shared(lanes_at(32, 4, [stride](unsigned lane) { return lane * stride * 4; }))) ==
          Approx(stride).epsilon(0.02));
  }
}

TEST_CASE("l1_and_shared_memory_share_one_array") {
  const trace::Instruction global = independent(lanes_at(32, 4, [](unsigned lane) { return lane * 4; }));
  constexpr unsigned each = 100;
  const auto both = [&](bool shares) {
    CoreSpec spec = hopper();
    spec.shared_memory.shares_array = shares;
    Bench bench(spec, l1_latency);
    std::vector<Script> warps;
    for (unsigned w = 0; w < 8; ++w)
      warps.emplace_back(std::vector<trace::Instruction>(each, w % 2 == 0 ? global : in_shared(global)));
    return bench.run(warps);
  };
  // Eight times a hundred passes through one array, or half as many through each of two.
  CHECK(both(true) == Approx(8 * each).epsilon(0.05));
  CHECK(both(false) == Approx(4 * each).epsilon(0.1));
}

// 64 lanes in two passes of 32 banks: 128 B per clock, in a separate LDS.
TEST_CASE("a_wave_of_64_lanes_takes_two_passes") {
  CoreSpec spec = hopper();
  spec.shared_memory.shares_array = false;
  Bench bench(spec);
  const trace::Instruction access = in_shared(independent(lanes_at(64, 4, [](unsigned lane) { return lane * 4; })));
  constexpr unsigned each = 100;
  std::vector<Script> warps;
  for (unsigned w = 0; w < 8; ++w) warps.emplace_back(std::vector<trace::Instruction>(each, access));
  const double took = bench.run(warps);
  CHECK(8 * each * 64 * 4 / took == Approx(128).epsilon(0.02));
}

}  // namespace strata::compute::test
