// SPDX-License-Identifier: Apache-2.0
// Latency chases: one thread and many, in every kind of block.
#include <fmt/format.h>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "golden/table.hpp"
#include "study/latency/latency.hpp"

namespace {

using strata::study::LatencyPoint;
using strata::study::LatencyQuestion;

constexpr const char* columns = "gpu,footprint_bytes,threads,timed_loads,latency_cycles,fingerprint";

struct Case {
  const char* gpu;
  std::uint64_t footprint_bytes;
  std::uint64_t threads;
  std::uint64_t timed_loads;
};

constexpr std::uint64_t KiB = 1024;
constexpr std::uint64_t MiB = 1024 * KiB;

// Together they pass through every kind of block: L1, both sides of an L2,
// Infinity Cache, every kind of memory, one thread and many.
const std::vector<Case> cases = {
    {"h200", 64 * KiB, 1, 512},  {"h200", 1 * MiB, 1, 512},    {"h200", 32 * MiB, 1, 512},
    {"h200", 96 * MiB, 1, 512},  {"h200", 64 * MiB, 64, 4096}, {"b200", 48 * MiB, 1, 512},
    {"mi300x", 2 * MiB, 1, 512}, {"mi300x", 16 * MiB, 1, 512}, {"mi300x", 512 * MiB, 1, 512},
    {"mi210", 64 * MiB, 1, 512}, {"a100", 64 * MiB, 1, 512},   {"b580", 32 * MiB, 1, 512},
};

std::string row(const Case& asked) {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  const auto loaded =
      strata::config::load<strata::machine::MachineSpec>(library.gpu(asked.gpu), library.configurations());
  LatencyQuestion question;
  question.threads = asked.threads;
  question.segmented = asked.threads > 1;
  question.timed_loads = asked.timed_loads;
  const LatencyPoint point = strata::study::measure_latency(loaded.spec, question, asked.footprint_bytes);
  return fmt::format("{},{},{},{},{},0x{:016x}", asked.gpu, asked.footprint_bytes, asked.threads, asked.timed_loads,
                     point.latency_cycles, point.fingerprint);
}

}  // namespace

TEST_CASE("every_build_gives_the_same_fingerprints_of_chases") {
  std::vector<std::string> rows;
  for (const Case& asked : cases) rows.push_back(row(asked));
  strata::golden::compare("fingerprints.csv", columns, rows);
}

TEST_CASE("fingerprints_of_different_runs_differ") {
  const Case asked{"h200", 1 * MiB, 1, 256};
  const Case longer{"h200", 2 * MiB, 1, 256};
  CHECK(row(asked) == row(asked));
  const auto fingerprint = [](const std::string& text) { return text.substr(text.rfind(',')); };
  CHECK(fingerprint(row(asked)) != fingerprint(row(longer)));
}
