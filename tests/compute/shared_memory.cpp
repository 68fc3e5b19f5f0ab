// SPDX-License-Identifier: Apache-2.0
#include "compute/load_store/shared_memory.hpp"

#include "catch.hpp"

namespace strata::compute {
namespace {

using namespace literals;

// 1 cycle = 1000 ticks.
const engine::Clock clock{Duration{1000}};

// As measured on an H200: 23.08 cycles, two more for each further pass.
SharedMemorySpec measured_spec() {
  SharedMemorySpec spec;
  spec.size = 228_KiB;
  spec.latency = 23.08_clk;
  spec.per_conflict = 2_clk;
  spec.per_pass = 1_clk;
  spec.wide_access = 2.5_clk;
  return spec;
}

trace::Instruction strided(unsigned bytes, std::uint64_t stride_words, unsigned lanes) {
  trace::Instruction instruction;
  instruction.space = trace::Space::shared;
  instruction.bytes_per_lane = static_cast<std::uint8_t>(bytes);
  instruction.lanes = static_cast<std::uint8_t>(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) instruction.addresses[lane] = lane * stride_words * 4;
  return instruction;
}

// Known answers: rows of a measurement on an H200 (width, stride in 4-byte
// words, active lanes, conflict degree, load-to-use cycles).
struct Row {
  unsigned bits;
  std::uint64_t stride;
  unsigned lanes;
  unsigned degree;
  double cycles;
};
constexpr Row rows[] = {
    {32, 0, 1, 1, 23.08},    {32, 0, 32, 1, 23.08},    {32, 1, 1, 1, 23.08},    {32, 1, 32, 1, 23.08},
    {32, 2, 16, 1, 23.08},   {32, 2, 32, 2, 25.08},    {32, 4, 8, 1, 23.08},    {32, 4, 16, 2, 25.08},
    {32, 4, 32, 4, 29.08},   {32, 8, 4, 1, 23.08},     {32, 8, 8, 2, 25.08},    {32, 8, 16, 4, 29.08},
    {32, 8, 32, 8, 37.08},   {32, 16, 2, 1, 23.08},    {32, 16, 4, 2, 25.08},   {32, 16, 8, 4, 29.08},
    {32, 16, 16, 8, 37.08},  {32, 16, 32, 16, 53.07},  {32, 17, 32, 1, 23.08},  {32, 32, 1, 1, 23.08},
    {32, 32, 2, 2, 25.08},   {32, 32, 4, 4, 29.08},    {32, 32, 8, 8, 37.08},   {32, 32, 16, 16, 53.07},
    {32, 32, 32, 32, 85.06}, {32, 33, 32, 1, 23.08},   {32, 64, 32, 32, 85.06}, {64, 2, 1, 1, 23.22},
    {64, 2, 16, 1, 24.22},   {64, 2, 32, 2, 26.22},    {64, 4, 8, 1, 24.22},    {64, 4, 16, 2, 26.22},
    {64, 4, 32, 4, 30.22},   {64, 8, 8, 2, 26.22},     {64, 8, 32, 8, 38.22},   {64, 16, 4, 2, 26.22},
    {64, 16, 32, 16, 54.22}, {64, 32, 2, 2, 25.22},    {64, 32, 4, 4, 30.22},   {64, 32, 32, 32, 86.22},
    {128, 4, 1, 1, 24.52},   {128, 4, 8, 1, 26.52},    {128, 4, 16, 2, 28.52},  {128, 4, 32, 4, 32.52},
    {128, 8, 8, 2, 28.52},   {128, 8, 32, 8, 40.52},   {128, 16, 4, 2, 28.52},  {128, 16, 32, 16, 56.52},
    {128, 32, 2, 2, 26.52},  {128, 32, 32, 32, 88.52},
};

}  // namespace

TEST_CASE("passes_are_the_conflict_degrees_that_silicon_shows") {
  const SharedMemory memory(measured_spec(), clock);
  for (const Row& row : rows) {
    CAPTURE(row.bits, row.stride, row.lanes);
    CHECK(memory.taken(strided(row.bits / 8, row.stride, row.lanes)).passes == row.degree);
  }
}

TEST_CASE("latency_grows_by_a_step_for_each_further_pass") {
  const SharedMemorySpec spec = measured_spec();
  for (const Row& row : rows) {
    CAPTURE(row.bits, row.stride, row.lanes);
    SharedMemory memory(spec, clock);
    const Time issued{5000};
    const double cycles = clock.count(memory.access(strided(row.bits / 8, row.stride, row.lanes), issued) - issued);
    const double wide = row.bits == 128 ? spec.wide_access.value : 0;
    CHECK(cycles == Approx(spec.latency.value + spec.per_conflict.value * (row.degree - 1) + wide).margin(1e-3));
    // Wide accesses of several lanes are measured a cycle or two slower than those of one or two.
    CHECK(row.cycles == Approx(cycles).margin(row.bits == 32 ? 0.05 : 1.2));
  }
}

TEST_CASE("lanes_that_read_one_word_share_it") {
  const SharedMemory memory(measured_spec(), clock);
  GIVEN("32 lanes over two words of one bank, in turn") {
    trace::Instruction instruction = strided(4, 0, 32);
    for (unsigned lane = 0; lane < 32; ++lane) instruction.addresses[lane] = (lane % 2) * 32 * 4;
    THEN("two passes serve them all") { CHECK(memory.taken(instruction).passes == 2); }
  }
  GIVEN("32 lanes of one byte each in 8 words") {
    trace::Instruction instruction = strided(1, 0, 32);
    for (unsigned lane = 0; lane < 32; ++lane) instruction.addresses[lane] = lane;
    THEN("one pass serves them") { CHECK(memory.taken(instruction).passes == 1); }
  }
}

TEST_CASE("a_warp_of_64_lanes_fills_32_banks_twice") {
  const SharedMemory memory(measured_spec(), clock);
  CHECK(memory.taken(strided(4, 1, 64)).passes == 2);
  CHECK(memory.taken(strided(8, 2, 64)).passes == 4);
}

TEST_CASE("banks_are_busy_for_each_pass") {
  const SharedMemorySpec spec = measured_spec();
  SharedMemory memory(spec, clock);
  const Time t{1000};
  memory.access(strided(4, 8, 32), t);  // 8 passes
  const Time done = memory.access(strided(4, 1, 32), t);
  CHECK(done - t == clock.cycles(8 * spec.per_pass.value) + clock.cycles(spec.latency.value));
  CHECK(memory.bank_lane().busy() == clock.cycles(9 * spec.per_pass.value));
}

TEST_CASE("a_compare_and_swap_has_a_latency_and_passes_of_its_own") {
  SharedMemorySpec spec = measured_spec();
  spec.atomic_latency = Cycles{7.5};
  trace::Instruction swaps = strided(4, 1, 32);
  swaps.space = trace::Space::shared;
  swaps.operation = memory::Operation::atomic;
  swaps.compares = true;
  const auto latency = [&] {
    const SharedMemory memory(spec, clock);
    return clock.count(memory.latency(swaps, memory.taken(swaps).passes));
  };
  const auto wavefronts = [&] { return SharedMemory(spec, clock).taken(swaps).wavefronts; };
  CHECK(latency() == spec.latency.value + 7.5);
  spec.compare_latency = Cycles{12};
  spec.compare_passes = 2;
  CHECK(latency() == spec.latency.value + 12);
  CHECK(wavefronts() == 2);
  for (unsigned lane = 0; lane < 32; ++lane) swaps.addresses[lane] = 0;  // one word: a pass for each lane
  swaps.strided = false;
  CHECK(wavefronts() == 64);
  swaps.compares = false;
  CHECK(wavefronts() == 32);
}

TEST_CASE("atomics_have_a_latency_and_words_of_a_pass_of_their_own") {
  SharedMemorySpec spec = measured_spec();
  spec.atomic_latency = Cycles{7.5};
  spec.atomics_per_pass = 16;
  trace::Instruction adds = strided(4, 1, 64);
  adds.operation = memory::Operation::atomic;
  adds.space = trace::Space::shared;
  SharedMemory memory(spec, clock);
  CHECK(memory.taken(adds).passes == 4);  // 64 words, 16 a pass
  CHECK(memory.taken(strided(4, 1, 64)).passes == 2);
  const Time t{1000};
  CHECK(memory.access(adds, t) - t ==
        clock.cycles(spec.latency.value) + clock.cycles(3 * spec.per_conflict.value) + clock.cycles(7.5));
  // Without a bound one of each bank; more than there are banks do not fit.
  spec.atomics_per_pass.reset();
  CHECK(SharedMemory(spec, clock).taken(adds).passes == 2);
  spec.atomics_per_pass = 256;
  CHECK(SharedMemory(spec, clock).taken(adds).passes == 2);
  // Those of global memory are performed elsewhere.
  adds.space = trace::Space::global;
  spec.atomics_per_pass = 16;
  CHECK(SharedMemory(spec, clock).taken(adds).passes == 2);
}

TEST_CASE("pairs_of_lanes_that_share_a_wide_address_count_once_where_they_may") {
  SharedMemorySpec spec = measured_spec();
  spec.pairs_share = true;
  const SharedMemory sharing(spec, clock);
  const SharedMemory plain(measured_spec(), clock);
  // 16 B for all lanes alike: of 32 lanes 16 count, 256 B, two passes of 128 B.
  CHECK(sharing.taken(strided(16, 0, 32)).wavefronts == 2);
  CHECK(plain.taken(strided(16, 0, 32)).wavefronts == 4);
  CHECK(sharing.taken(strided(8, 0, 32)).wavefronts == 1);
  CHECK(plain.taken(strided(8, 0, 32)).wavefronts == 2);
  // Adjacent lanes differ: as usual.
  CHECK(sharing.taken(strided(16, 4, 32)).wavefronts == 4);
  CHECK(sharing.taken(strided(4, 0, 32)).wavefronts == 1);
  // The lanes still take their passes: 24.52 cycles and two for each further one.
  CHECK(sharing.taken(strided(16, 0, 32)).passes == 4);
}

TEST_CASE("a_strided_access_takes_the_passes_of_its_lanes_listed") {
  const SharedMemory memory(measured_spec(), clock);
  for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U})
    for (const unsigned stride : {0U, 1U, 3U, 4U, 8U, 20U, 128U, 132U})
      for (const unsigned lanes : {1U, 7U, 32U, 64U})
        for (const unsigned start : {0U, 2U, 4U, 124U}) {
          CAPTURE(bytes, stride, lanes, start);
          trace::Instruction listed = strided(bytes, 0, lanes);
          for (unsigned lane = 0; lane < lanes; ++lane) listed.addresses[lane] = start + lane * stride;
          trace::Instruction brief = listed;
          brief.addresses = {start};
          brief.strided = true;
          brief.lane_stride = stride;
          CHECK(memory.taken(brief).passes == memory.taken(listed).passes);
        }
}

TEST_CASE("more_banks_take_fewer_passes") {
  SharedMemorySpec spec = measured_spec();
  spec.banks = 64;
  CHECK(SharedMemory(spec, clock).taken(strided(4, 2, 32)).passes == 1);
  CHECK(SharedMemory(spec, clock).taken(strided(4, 64, 32)).passes == 32);
}

}  // namespace strata::compute
