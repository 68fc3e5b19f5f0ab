// SPDX-License-Identifier: Apache-2.0
// Machines that run at the same time share only their specs: each thread measures the same as
// alone. The thread sanitizer checks this.
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "parallel/progress.hpp"
#include "study/journey/journey.hpp"
#include "study/latency/latency.hpp"

namespace {

using strata::machine::MachineSpec;

MachineSpec machine(const std::string& name) {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  return strata::config::load<MachineSpec>(library.gpu(name), library.configurations()).spec;
}

std::vector<std::uint64_t> fingerprints(const MachineSpec& spec) {
  strata::study::LatencyQuestion question;
  question.timed_loads = 128;
  std::vector<std::uint64_t> all;
  for (const std::uint64_t kibibytes : {32U, 512U, 4096U})
    all.push_back(strata::study::measure_latency(spec, question, kibibytes * 1024).fingerprint);
  all.push_back(strata::study::follow(spec, {}).fingerprint);
  return all;
}

}  // namespace

SCENARIO("machines_on_several_threads_measure_what_each_would_alone") {
  GIVEN("a machine of each vendor, and what it measures alone") {
    for (const char* name : {"h200", "mi300x", "b580"}) {
      INFO(name);
      const MachineSpec spec = machine(name);
      const std::vector<std::uint64_t> alone = fingerprints(spec);
      WHEN(std::string("four threads measure ") + name + " from one spec") {
        std::vector<std::vector<std::uint64_t>> together(4);
        strata::tools::Progress progress("test", together.size(), true);
        std::vector<std::thread> threads;
        for (auto& answer : together)
          threads.emplace_back([&] {
            answer = fingerprints(spec);
            progress.step();
          });
        for (std::thread& thread : threads) thread.join();
        THEN("each has the same fingerprints") {
          for (const auto& answer : together) CHECK(answer == alone);
        }
      }
    }
  }
}

SCENARIO("configurations_are_read_on_several_threads") {
  const std::vector<std::string> names = {"h200", "b200", "mi300x", "b580"};
  std::vector<std::string> titles(names.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i) threads.emplace_back([&, i] { titles[i] = machine(names[i]).name; });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(titles[i] == machine(names[i]).name);
}
