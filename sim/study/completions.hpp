// SPDX-License-Identifier: Apache-2.0
// The instructions of a load that have completed, counted by each process of the machine apart, and
// the pause when there are so many. A machine of one process pauses at the very completion; a
// divided one at the end of the window in which it falls.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "machine/machine.hpp"

namespace strata::study {

class Completions {
 public:
  /// executor: of the machine's processes; nullptr: one after the other. Both outlive it.
  Completions(machine::Machine& machine, engine::Executor* executor);
  Completions(const Completions&) = delete;
  Completions& operator=(const Completions&) = delete;

  /// To be given to the machine, of which it counts all instructions that report to it.
  compute::CompletionListener listener() { return {&Completions::on_completion, this}; }

  static constexpr std::size_t levels = 16;  ///< the deepest are counted as one
  struct OfLevel {
    std::uint64_t completed = 0;
    Duration least{std::numeric_limits<std::int64_t>::max()};
  };
  struct Sum {
    std::uint64_t completed = 0;
    Duration latency{};
    Duration least{std::numeric_limits<std::int64_t>::max()};  ///< latency of one
    Time last{};                                               ///< completion
    std::array<OfLevel, levels> of_level{};                    ///< by the deepest level that served one
    /// Mean latency if each had been served as soon as the fastest of its level.
    Duration unhindered() const;
  };
  Sum sum() const;
  /// Of each core, by its number.
  const std::vector<std::uint64_t>& of_cores() const { return of_cores_; }

  /// Runs the machine until so many have completed (false), or until nothing is left to do (true).
  bool run_until(std::uint64_t completed);
  /// Runs it until nothing is left to do.
  void finish();

 private:
  struct alignas(64) OfProcess : Sum {};
  static void on_completion(void* self, std::uint32_t core, Duration latency, unsigned level);

  machine::Machine& machine_;
  engine::InTurn in_turn_;
  engine::Executor& executor_;
  std::vector<OfProcess> counts_;
  std::vector<std::uint64_t> of_cores_;
  std::uint64_t pause_at_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace strata::study
