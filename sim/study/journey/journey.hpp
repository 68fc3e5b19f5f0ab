// SPDX-License-Identifier: Apache-2.0
// The question "what happens to one load?": its way through the machine stage
// by stage. The stages tile the time from issue to use, so they add up to the
// latency exactly.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "machine/spec.hpp"
#include "study/journey/stage.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {

struct JourneyQuestion {
  std::uint64_t address = 0;  ///< virtual, bytes
  std::uint32_t core = 0;
  LatencyQuestion load;  ///< space, operator, lanes, width, statistics
  /// A chase over so much memory from address 0 came before; 0: the machine is
  /// cold, but for the page tables.
  std::uint64_t after_footprint = 0;
};

struct JourneyAnswer {
  std::vector<JourneyStage> stages;
  double total_cycles = 0;
  double total_ns = 0;
  std::string served_by;
  /// Where the address lives: label and text.
  std::vector<std::string> whereabouts;
  std::uint64_t fingerprint = 0;
  std::vector<stats::Statistic> statistics;  ///< of the load, where they were asked for
};

/// Throws std::invalid_argument where the question does not fit the machine,
/// std::logic_error if the stages did not add up to the latency.
JourneyAnswer follow(const machine::MachineSpec& spec, const JourneyQuestion& question);

}  // namespace strata::study
