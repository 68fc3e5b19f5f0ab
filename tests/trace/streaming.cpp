// SPDX-License-Identifier: Apache-2.0
#include "trace/streaming.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"

namespace strata::trace {
namespace {

constexpr std::uint64_t chunk_bytes = 32 * 4;

struct Step {
  char kind;  // L or S
  std::uint64_t address;
  unsigned lanes;
  unsigned destination;
  std::array<std::uint8_t, most_sources> sources;
  bool dependent;
};

std::vector<Step> steps_of(const StreamPattern& kernel, std::uint64_t warp = 0, std::uint64_t warps = 1) {
  StreamingWarp stream(kernel, warp, warps);
  std::vector<Step> steps;
  Instruction instruction;
  while (stream.next(instruction)) {
    REQUIRE(instruction.strided);
    REQUIRE(instruction.bytes_per_lane == kernel.bytes_per_lane);
    REQUIRE(instruction.lane_stride == kernel.stride());
    REQUIRE(instruction.space == kernel.space);
    REQUIRE(instruction.cache_operator == kernel.cache_operator);
    steps.push_back({instruction.operation == memory::Operation::load ? 'L' : 'S', instruction.address(0),
                     instruction.lanes, instruction.destination, instruction.sources, instruction.dependent});
  }
  return steps;
}

std::string kinds(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) text += step.kind;
  return text;
}

StreamPattern kernel_of(StreamOperation operation, std::uint64_t chunks) {
  StreamPattern kernel;
  kernel.operation = operation;
  kernel.arrays = {0, 1 << 20, 2 << 20};
  kernel.bytes_per_array = chunks * chunk_bytes;
  return kernel;
}

// Chunks of array 0 in the order visited.
std::vector<std::uint64_t> chunks_of(const StreamPattern& kernel, std::uint64_t warp, std::uint64_t warps) {
  std::vector<std::uint64_t> chunks;
  for (const Step& step : steps_of(kernel, warp, warps)) chunks.push_back(step.address / chunk_bytes);
  return chunks;
}

}  // namespace

TEST_CASE("warps_stride_over_the_grid_or_sweep_separate_parts") {
  StreamPattern kernel = kernel_of(StreamOperation::read, 10);
  CHECK(chunks_of(kernel, 0, 4) == std::vector<std::uint64_t>{0, 4, 8});
  CHECK(chunks_of(kernel, 3, 4) == std::vector<std::uint64_t>{3, 7});
  kernel.blocked = true;
  CHECK(chunks_of(kernel, 0, 4) == std::vector<std::uint64_t>{0, 1});
  CHECK(chunks_of(kernel, 1, 4) == std::vector<std::uint64_t>{2, 3, 4});
  CHECK(chunks_of(kernel, 3, 4) == std::vector<std::uint64_t>{7, 8, 9});
}

TEST_CASE("all_warps_together_visit_every_chunk_once_a_pass") {
  for (const bool blocked : {false, true})
    for (const std::uint64_t warps : {1U, 3U, 7U, 40U})
      for (const std::uint64_t start : {0U, 5U, 100U}) {
        CAPTURE(blocked, warps, start);
        StreamPattern kernel = kernel_of(StreamOperation::read, 23);
        kernel.blocked = blocked;
        kernel.passes = 3;
        kernel.start = start;
        kernel.shift_per_pass = 9;
        std::map<std::uint64_t, unsigned> visits;
        for (std::uint64_t w = 0; w < warps; ++w)
          for (const std::uint64_t chunk : chunks_of(kernel, w, warps)) ++visits[chunk];
        CHECK(visits.size() == 23);
        for (const auto& [chunk, count] : visits) CHECK(count == kernel.passes);
      }
}

TEST_CASE("each_pass_is_shifted_against_the_one_before") {
  StreamPattern kernel = kernel_of(StreamOperation::read, 6);
  kernel.passes = 3;
  kernel.start = 4;
  kernel.shift_per_pass = 5;
  CHECK(chunks_of(kernel, 1, 3) == std::vector<std::uint64_t>{5, 2, 4, 1, 3, 0});
}

TEST_CASE("a_rest_makes_an_access_of_fewer_lanes") {
  StreamPattern kernel = kernel_of(StreamOperation::write, 2);
  kernel.bytes_per_array += 5 * 4 + 3;  // three bytes are no element
  const std::vector<Step> steps = steps_of(kernel);
  REQUIRE(steps.size() == 3);
  CHECK(steps[1].lanes == 32);
  CHECK(steps[2].lanes == 5);
  CHECK(kernel.bytes_stored() == 2 * chunk_bytes + 5 * 4);
  CHECK(kernel.bytes_loaded() == 0);
}

TEST_CASE("rotating_stores_follow_unroll_places_behind_their_loads") {
  StreamPattern kernel = kernel_of(StreamOperation::copy, 5);
  kernel.unroll = 2;
  const std::vector<Step> steps = steps_of(kernel);
  CHECK(kinds(steps) == "LLSLSLSLSS");
  const unsigned destinations[] = {1, 2, 0, 1, 0, 2, 0, 1, 0, 0};
  const unsigned sources[] = {0, 0, 1, 0, 2, 0, 1, 0, 2, 1};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CHECK(steps[i].destination == destinations[i]);
    CHECK(steps[i].sources[0] == sources[i]);
    CHECK_FALSE(steps[i].dependent);
  }
  CHECK(steps[2].address == kernel.arrays[1]);
  CHECK(steps[9].address == kernel.arrays[1] + 4 * chunk_bytes);
}

TEST_CASE("a_batch_is_loaded_then_stored") {
  StreamPattern kernel = kernel_of(StreamOperation::scale, 5);
  kernel.unroll = 2;
  kernel.batch = true;
  CHECK(kinds(steps_of(kernel)) == "LLSSLLSSLS");
}

TEST_CASE("a_batch_that_only_reads_is_waited_for_by_the_next") {
  StreamPattern kernel = kernel_of(StreamOperation::read, 7);
  kernel.unroll = 3;
  kernel.batch = true;
  const std::vector<Step> steps = steps_of(kernel);
  for (std::size_t i = 0; i < steps.size(); ++i) CHECK(steps[i].dependent == (i == 3 || i == 6));
  kernel.batch = false;
  const std::vector<Step> rotating = steps_of(kernel);
  for (std::size_t i = 0; i < rotating.size(); ++i) {
    CHECK_FALSE(rotating[i].dependent);
    CHECK(rotating[i].destination == 1 + i % 3);
  }
}

TEST_CASE("a_triad_loads_two_arrays_and_stores_the_third") {
  for (const StreamOperation operation : {StreamOperation::add, StreamOperation::triad})
    for (const bool batch : {false, true}) {
      StreamPattern kernel = kernel_of(operation, 3);
      kernel.unroll = 2;
      kernel.batch = batch;
      const std::vector<Step> steps = steps_of(kernel);
      CHECK(kinds(steps) == (batch ? "LLLLSSLLS" : "LLLLSLLSS"));
      CHECK(steps[0].address == kernel.arrays[0]);
      CHECK(steps[1].address == kernel.arrays[1]);
      CHECK(steps[0].destination == 1);
      CHECK(steps[1].destination == 2);
      CHECK(steps[3].destination == 4);
      CHECK(steps[4].address == kernel.arrays[2]);
      CHECK(steps[4].sources == std::array<std::uint8_t, most_sources>{1, 2, 0});
      CHECK(kernel.bytes_loaded() == 2 * 3 * chunk_bytes);
      CHECK(kernel.bytes_stored() == 3 * chunk_bytes);
    }
}

TEST_CASE("lanes_may_lie_apart") {
  StreamPattern kernel = kernel_of(StreamOperation::read, 1);
  kernel.lane_stride = 128;
  kernel.lanes = 4;
  kernel.bytes_per_array = 8 * 128;
  const std::vector<Step> steps = steps_of(kernel);
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].address == 4 * 128);
  CHECK(kernel.bytes_loaded() == 8 * 4);
}

TEST_CASE("a_warp_without_a_chunk_ends_at_once") { CHECK(steps_of(kernel_of(StreamOperation::copy, 2), 5, 8).empty()); }

TEST_CASE("kernels_that_cannot_be_are_refused") {
  const auto refused = [](auto change) {
    StreamPattern kernel = kernel_of(StreamOperation::triad, 4);
    change(kernel);
    CHECK_THROWS_AS(StreamingWarp(kernel, 0, 1), std::invalid_argument);
  };
  refused([](StreamPattern& k) { k.lanes = 0; });
  refused([](StreamPattern& k) { k.lanes = 65; });
  refused([](StreamPattern& k) { k.bytes_per_lane = 65; });
  refused([](StreamPattern& k) { k.unroll = 0; });
  refused([](StreamPattern& k) { k.unroll = 128; });  // two registers each
  refused([](StreamPattern& k) { k.bytes_per_array = 3; });
  StreamPattern widest = kernel_of(StreamOperation::triad, 4);
  widest.unroll = 127;
  CHECK(steps_of(widest).size() == 12);
}

}  // namespace strata::trace
