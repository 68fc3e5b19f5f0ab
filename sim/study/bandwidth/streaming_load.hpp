// SPDX-License-Identifier: Apache-2.0
// A streaming kernel on a machine: which cores take part, how many warps each
// holds, what each of them accesses, and the warm-up that brings the caches to
// where an endless sweep would have them.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/machine.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "trace/turns.hpp"

namespace strata::study {

class StreamingLoad {
 public:
  /// spare: so many of the question's cores, the first, take no part. doubles_to: the warps continue until the
  /// instructions have doubled as often as stays within so many bytes. Throws std::invalid_argument, see
  /// measure_bandwidth().
  StreamingLoad(machine::Machine& machine, const BandwidthQuestion& question, std::uint64_t footprint_bytes,
                std::uint64_t spare = 0, std::uint64_t doubles_to = 0);

  /// Touches what an endless sweep would have touched before the timed part.
  void warm();
  /// Puts every warp on its core.
  void start(const compute::CompletionListener& listener);
  /// The same, but together they ask for no more than this rate.
  void start(const compute::CompletionListener& listener, double bytes_per_second);

  /// What was started at a rate ends with the instructions under way.
  void stop() { stopped_ = true; }

  std::uint64_t footprint_bytes() const { return footprint_; }
  std::uint64_t cores() const { return cores_.size(); }
  const std::vector<std::uint32_t>& active_cores() const { return cores_; }
  /// The first that takes no part, if any was asked to be spared.
  std::uint32_t spare_core() const { return spare_.front(); }
  /// Where what that core would sweep begins.
  std::uint64_t spare_memory() const { return memory_of(spare_core()); }
  std::uint64_t warps_per_core() const { return warps_; }
  /// Of all warps together, in the timed part.
  std::uint64_t instructions() const { return instructions_; }
  /// At least so much of the mean is every core's part.
  double least_part() const;
  /// Until they end: instructions() doubled as often as doubles_to allows.
  std::uint64_t most_instructions() const { return most_instructions_; }
  /// Mean over those of the timed part.
  double bytes_per_instruction() const { return bytes_per_instruction_; }

 private:
  /// The warps that sweep one region together.
  struct Team {
    std::vector<std::uint32_t> cores;
    trace::StreamPattern kernel;  ///< of the timed part
    std::array<std::uint64_t, 3> arrays{};
    std::uint64_t region = 0;           ///< of each array, bytes; the timed part may be less
    std::vector<std::uint64_t> pieces;  ///< if not empty: where each 4 KiB of the region lies
  };

  bool sided() const { return question_.home == Home::near || question_.home == Home::far; }
  std::uint64_t memory_of(std::uint32_t core) const;
  void choose_cores(std::uint64_t spare);
  void choose_warps();
  void form_teams();
  /// The timed part of a team, of so many bytes of each array in whole passes where the footprint is small.
  void time(Team& team, std::uint64_t bytes) const;
  /// The power of two by which a timed part of so many bytes may grow within doubles_to_.
  std::uint64_t times_of(std::uint64_t bytes) const;
  /// The team continues for so many times its timed part.
  void prolong(Team& team, std::uint64_t times) const;
  /// Of a sweep of so many lines: whatever the caches hold.
  bool misses_all_caches(std::uint64_t lines) const;
  bool in_turn() const { return question_.sharing == Sharing::turns; }
  void form_turns();
  void warm_turns();
  void start_turns(const compute::CompletionListener& listener);
  Team team(std::vector<std::uint32_t> cores, std::uint64_t base) const;
  std::vector<std::uint64_t> pieces_of(const Team& team, std::uint64_t bytes) const;
  /// What is timed where the question does not say.
  std::uint64_t steady_bytes() const;
  std::uint64_t address(const Team& team, std::uint64_t logical) const;

  machine::Machine& machine_;
  BandwidthQuestion question_;
  std::uint64_t footprint_;
  std::vector<std::uint32_t> cores_;
  std::vector<std::uint32_t> spare_;
  std::uint64_t warps_ = 0;
  std::uint64_t lanes_ = 0;
  std::uint64_t chunk_ = 0;  ///< bytes that one access of a warp spans
  std::uint64_t arrays_ = 1;
  std::uint64_t doubles_to_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t most_instructions_ = 0;
  double bytes_per_instruction_ = 0;
  std::vector<Team> teams_;  ///< none where parts are taken in turn
  trace::TurnKernel turn_kernel_;
  trace::Turns turns_;
  std::vector<trace::TurnPlace> places_;  ///< those of a core lie together
  std::vector<std::unique_ptr<trace::WarpStream>> streams_;
  bool stopped_ = false;
};

}  // namespace strata::study
