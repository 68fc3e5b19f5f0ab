// SPDX-License-Identifier: Apache-2.0
// Chases while other cores stream, and chases through the near or the far side of a machine of two sides.
#include <fmt/format.h>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "golden/table.hpp"
#include "study/bandwidth/loaded.hpp"
#include "study/latency/latency.hpp"

namespace {

using strata::study::ChaseHome;

constexpr std::uint64_t MiB = 1024 * 1024;

strata::machine::MachineSpec machine(const char* gpu) {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  return strata::config::load<strata::machine::MachineSpec>(library.gpu(gpu), library.configurations()).spec;
}

std::string loaded(const char* gpu) {
  strata::study::BandwidthQuestion question;
  question.cores = 9;  // one chases
  constexpr double injected = 50e9;
  const auto point = strata::study::measure_loaded(machine(gpu), question, 8 * MiB, injected);
  return fmt::format("{},{},{},{},0x{:016x}", gpu, 8 * MiB, injected, point.latency_cycles, point.fingerprint);
}

std::string chase(const char* gpu, ChaseHome home) {
  strata::study::LatencyQuestion question;
  question.home = home;
  question.timed_loads = 512;
  const auto point = strata::study::measure_latency(machine(gpu), question, 64 * MiB);
  return fmt::format("{},{},{},{},0x{:016x}", gpu, home == ChaseHome::near ? "near" : "far", 64 * MiB,
                     point.latency_cycles, point.fingerprint);
}

}  // namespace

TEST_CASE("every_build_gives_the_same_fingerprints_under_load") {
  std::vector<std::string> rows;
  for (const char* gpu : {"b200", "h200", "mi300x", "b580", "pvc"}) rows.push_back(loaded(gpu));
  strata::golden::compare("loaded.csv", "gpu,footprint_bytes,injected_bytes_per_second,latency_cycles,fingerprint",
                          rows);
}

TEST_CASE("every_build_gives_the_same_fingerprints_of_near_and_far_homes") {
  std::vector<std::string> rows;
  for (const char* gpu : {"b200", "h200"})
    for (const ChaseHome home : {ChaseHome::near, ChaseHome::far}) rows.push_back(chase(gpu, home));
  strata::golden::compare("homes.csv", "gpu,home,footprint_bytes,latency_cycles,fingerprint", rows);
}
