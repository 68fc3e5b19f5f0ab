// SPDX-License-Identifier: Apache-2.0
#include "study/journey/journey.hpp"

#include <algorithm>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

const JourneyStage* find(const JourneyAnswer& answer, const std::string& stage) {
  const auto found =
      std::find_if(answer.stages.begin(), answer.stages.end(), [&](const JourneyStage& s) { return s.stage == stage; });
  return found == answer.stages.end() ? nullptr : &*found;
}

std::string refusal(const machine::MachineSpec& spec, const JourneyQuestion& question) {
  try {
    follow(spec, question);
    return "none";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("the_stages_of_a_journey_add_up_to_its_latency") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()})
    for (const std::uint64_t footprint : {0U, 1024U, 8192U, 40960U})
      for (const std::uint64_t address : {0U, 512U, 8064U}) {
        CAPTURE(spec.name, footprint, address);
        JourneyQuestion question;
        question.after_footprint = footprint;
        question.address = address;
        const JourneyAnswer answer = follow(spec, question);
        double ns = 0, cycles = 0;
        for (const JourneyStage& stage : answer.stages) {
          CHECK(stage.cycles > 0);
          ns += stage.ns;
          cycles += stage.cycles;
        }
        CHECK(ns == Approx(answer.total_ns));
        CHECK(cycles == Approx(answer.total_cycles));
      }
}

TEST_CASE("a_cold_load_misses_at_each_level") {
  const machine::MachineSpec spec = monolithic();
  const JourneyAnswer answer = follow(spec, {});
  CHECK(answer.served_by == "DRAM");
  REQUIRE(find(answer, "L1 tag") != nullptr);
  CHECK(find(answer, "L1 tag")->note == "miss: L1 does not hold these sectors");
  CHECK(find(answer, "L1 tag")->cycles == spec.l1.cache.tag_latency.value);
  REQUIRE(find(answer, "L2 tag") != nullptr);
  CHECK(find(answer, "L2 tag")->note == "miss: L2 does not hold these sectors");
  REQUIRE(find(answer, "L1 fill") != nullptr);
  CHECK(find(answer, "L1 fill")->note == "L1 stores the line and forwards the response");
  CHECK(find(answer, "L1 fill")->cycles == spec.l1.cache.fill_latency.value);
  CHECK(find(answer, "L2 data") == nullptr);
  CHECK(answer.stages.front().stage == "core address and issue");
  CHECK(answer.stages.front().cycles == spec.core.load_store.scalar_address.value);
}

TEST_CASE("after_a_chase_the_level_that_holds_the_line_is_hit") {
  JourneyQuestion question;
  const machine::MachineSpec spec = monolithic();
  WHEN("the chase fits in the L1") {
    question.after_footprint = 1024;
    const JourneyAnswer answer = follow(spec, question);
    THEN("L1 gives the data") {
      CHECK(answer.served_by == "L1");
      CHECK(answer.total_cycles == spec.core.load_store.scalar_address.value + spec.l1.cache.hit_latency.value);
      REQUIRE(find(answer, "L1 tag") != nullptr);
      CHECK(find(answer, "L1 tag")->note == "hit: L1 holds these sectors");
      CHECK(find(answer, "L1 data") != nullptr);
    }
  }
  WHEN("the chase fits in the L2") {
    question.after_footprint = 8192;
    question.load.order = trace::ChaseOrder::ascending;  // address 0 was first, so the L1 has evicted it
    const JourneyAnswer answer = follow(spec, question);
    THEN("L2 gives the data to a missing L1") {
      CHECK(answer.served_by == "L2");
      REQUIRE(find(answer, "L2 tag") != nullptr);
      CHECK(find(answer, "L2 tag")->note == "hit: L2 holds these sectors");
      CHECK(find(answer, "L1 tag")->note == "miss: L1 does not hold these sectors");
    }
  }
}

TEST_CASE("a_far_load_crosses_the_link") {
  const machine::MachineSpec spec = two_sides();
  JourneyQuestion question;
  question.address = 512;  // home bit 9 is set: die 1
  const JourneyAnswer answer = follow(spec, question);
  double link = 0;
  for (const JourneyStage& stage : answer.stages)
    if (stage.stage.rfind("link", 0) == 0) link += stage.ns;
  CHECK(link == Approx(2 * side_to_side.value));
  question.core = 4;  // a core of die 1
  for (const JourneyStage& stage : follow(spec, question).stages) CHECK(stage.stage.rfind("link", 0) != 0);
}

TEST_CASE("a_journey_says_where_the_address_lives") {
  JourneyQuestion question;
  question.address = 512;
  const std::vector<std::string> lines = follow(two_sides(), question).whereabouts;
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "virtual 0x200 is physical 0x200: page 0 lies in frame 0 of 4 KiB");
  CHECK_THAT(lines[1], Catch::Matchers::StartsWith("core 0 is on compute die 0; its request goes to L2 slice "));
  CHECK(lines[2] == "the block's home is memory die 1, across the link");
  CHECK_THAT(lines[3], Catch::Matchers::StartsWith("DRAM channel ") && Catch::Matchers::EndsWith(" of 4"));
}

TEST_CASE("a_shared_memory_journey_has_one_stage") {
  JourneyQuestion question;
  question.load.space = Space::shared;
  question.load.bytes_per_lane = 4;
  const JourneyAnswer answer = follow(monolithic(), question);
  REQUIRE(answer.stages.size() == 1);
  CHECK(answer.served_by == "shared memory");
  CHECK(answer.total_cycles == monolithic().core.shared_memory.latency.value);
  CHECK(answer.whereabouts.empty());
}

TEST_CASE("a_journey_that_does_not_fit_is_refused_by_name") {
  const machine::MachineSpec spec = monolithic();
  JourneyQuestion question;
  question.address = 4 << 20;
  CHECK(refusal(spec, question) == "the addresses of the memory end at 0x400000");
  question = {};
  question.core = 4;
  CHECK(refusal(spec, question) == "there are only 4 cores");
  question = {};
  question.after_footprint = 8 << 20;
  CHECK(refusal(spec, question) == "the chase before the load does not fit in memory");
  question = {};
  question.load.space = Space::shared;
  question.address = 16384;
  CHECK(refusal(spec, question) == "shared memory has only 16384 bytes");
  question.load.space = Space::texture;
  CHECK(refusal(spec, question) == "tiny has no texture cache in its configuration");
}

TEST_CASE("the_same_journey_has_the_same_fingerprint") {
  CHECK(follow(chiplets(), {}).fingerprint == follow(chiplets(), {}).fingerprint);
  CHECK(follow(chiplets(), {}).fingerprint != follow(two_sides(), {}).fingerprint);
}

}  // namespace strata::study
