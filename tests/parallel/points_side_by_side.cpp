// SPDX-License-Identifier: Apache-2.0
// Points measured in parallel: the same results at any number of jobs. Skipped under the thread
// sanitizer, which reports every synchronisation inside the TBB library as a race;
// machines_side_by_side.cpp is for it.
#include "sanitizers.hpp"

#if !defined(STRATA_THREAD_SANITIZER)
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "parallel/points.hpp"
#include "study/latency/latency.hpp"

namespace {

using strata::tools::Progress;
using strata::tools::run_points;

strata::machine::MachineSpec machine(const std::string& name) {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  return strata::config::load<strata::machine::MachineSpec>(library.gpu(name), library.configurations()).spec;
}

}  // namespace

SCENARIO("points_of_real_machines_are_the_same_at_any_number_of_jobs") {
  GIVEN("a short curve of a machine of each vendor") {
    for (const char* name : {"h200", "mi300x", "b580"}) {
      INFO(name);
      const strata::machine::MachineSpec spec = machine(name);
      strata::study::LatencyQuestion question;
      question.timed_loads = 128;
      const auto curve = [&](std::size_t jobs) {
        Progress progress("test", 8, true);
        return run_points<strata::study::LatencyPoint>(8, jobs, progress, [&](std::size_t i) {
          return strata::study::measure_latency(spec, question, std::uint64_t{16 * 1024} << i);
        });
      };
      const auto alone = curve(1);
      for (const std::size_t jobs : {std::size_t{2}, std::size_t{4}, std::size_t{0}}) {
        const auto together = curve(jobs);
        REQUIRE(together.size() == alone.size());
        for (std::size_t i = 0; i < alone.size(); ++i) {
          CHECK(together[i].footprint_bytes == alone[i].footprint_bytes);
          CHECK(together[i].latency_ns == alone[i].latency_ns);
          CHECK(together[i].fingerprint == alone[i].fingerprint);
        }
      }
    }
  }
}

SCENARIO("every_point_is_measured_once_and_stored_in_its_slot") {
  GIVEN("a thousand points of unequal work") {
    std::vector<std::atomic<int>> measured(1000);
    Progress progress("test", measured.size(), true);
    const auto answers = run_points<std::size_t>(measured.size(), 4, progress, [&](std::size_t i) {
      ++measured[i];
      if (i % 97 == 0) std::this_thread::yield();
      return i * i;
    });
    THEN("each slot holds the answer of its index") {
      REQUIRE(answers.size() == measured.size());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        CHECK(answers[i] == i * i);
        CHECK(measured[i] == 1);
      }
    }
  }
}

SCENARIO("no_points_are_no_answers") {
  Progress progress("test", 0, true);
  CHECK(run_points<int>(0, 4, progress, [](std::size_t) -> int { throw std::logic_error("asked"); }).empty());
}

SCENARIO("the_last_failing_point_is_reported_at_any_number_of_jobs") {
  GIVEN("points of which every one below 40 fails") {
    for (const std::size_t jobs : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
      Progress progress("test", 64, true);
      const auto fail = [&] {
        run_points<int>(64, jobs, progress, [](std::size_t i) -> int {
          if (i >= 40) return 0;
          // The later it was begun, the sooner it fails.
          std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
          throw std::invalid_argument("point " + std::to_string(i));
        });
      };
      CHECK_THROWS_WITH(fail(), "point 39");
    }
  }
}

#endif
