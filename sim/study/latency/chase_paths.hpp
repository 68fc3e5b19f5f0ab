// SPDX-License-Identifier: Apache-2.0
// The stages of timed loads in order, for each level that served any. Loads of one level
// differ in their stages: one waits where another does not. Those with the same stages in
// the same order took one path, and the most common path stands for the level.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "memory/journey_sampler.hpp"
#include "study/latency/level_path.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

/// Records the loads of a chase. A load of several lines has the path of the last line that is
/// answered. A core must have one warp at most, so that a load ends before its next one begins.
class ChasePaths {
 public:
  explicit ChasePaths(const machine::Machine& machine) : machine_(machine) {}
  ChasePaths(const ChasePaths&) = delete;
  ChasePaths& operator=(const ChasePaths&) = delete;

  /// The journeys of the lines come from this sampler, which must follow every one.
  void listen(memory::JourneySampler& sampler);
  /// A load has completed; its lines were answered before.
  void completed(std::uint32_t core, Duration latency, unsigned served_by);

  /// One for each level that served any load, in the order of `levels`: its most common path.
  std::vector<LevelPath> most_common(const std::vector<std::string>& levels) const;

 private:
  struct Path {
    std::vector<Duration> spent;  ///< of all loads, by stage
    Duration latency{};
    std::uint64_t loads = 0;
  };
  using Stages = std::vector<memory::Stage>;

  void answered(const memory::Journey& journey, std::uint32_t core);
  LevelPath mean(const Stages& stages, const Path& path) const;

  const machine::Machine& machine_;
  std::map<std::uint32_t, std::vector<memory::Milestone>> last_line_;  ///< by core
  std::vector<std::map<Stages, Path>> by_level_;
};

}  // namespace strata::study
