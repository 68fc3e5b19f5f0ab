// SPDX-License-Identifier: Apache-2.0
// Which registers of a warp are not there yet: those that accesses under way will fill, whose time is not known, and those
// of arithmetic, whose time is (a scoreboard, as in Lindholm et al.: NVIDIA Tesla, IEEE Micro 2008). Register 0 is none.
// Nearly all instructions have operands of one register, so these are tested without loops.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/time.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

class Scoreboard {
 public:
  /// No access is under way: its registers may go to another warp.
  bool idle() const { return pending_ == std::array<std::uint64_t, registers / 64>{}; }
  /// For another warp; the scoreboard is idle.
  void clear() { result_at_.clear(); }

  /// An access that will fill so many registers from the first on is under way.
  void begin_access(std::uint8_t first, std::uint8_t count) {
    each(first, count, [this](unsigned n) { pending_[n / 64] |= std::uint64_t{1} << n % 64; });
  }
  void end_access(std::uint8_t first, std::uint8_t count) {
    each(first, count, [this](unsigned n) { pending_[n / 64] &= ~(std::uint64_t{1} << n % 64); });
  }
  /// Arithmetic fills them at t.
  void result(std::uint8_t first, std::uint8_t count, Time t) {
    each(first, count, [this, t](unsigned n) {
      if (n >= result_at_.size()) make_room(n);
      result_at_[n] = t;
    });
  }

  /// The result of the instruction, or a source, is a register that an access will fill.
  bool awaits_access(const trace::Instruction& next) const {
    if (next.in_single_registers()) {
      std::uint64_t awaited = in_lowest_bit(next.destination);
      for (const std::uint8_t source : next.sources) awaited |= in_lowest_bit(source);
      return (awaited & 1U) != 0;
    }
    bool awaited = false;
    const auto look = [&](unsigned n) { awaited = awaited || (in_lowest_bit(n) & 1U) != 0; };
    each(next.destination, next.destination_count, look);
    for (std::size_t i = 0; i < trace::most_sources; ++i) each(next.sources[i], next.source_counts[i], look);
    return awaited;
  }
  /// When the last result of arithmetic that the instruction reads is there.
  Time results_there(const trace::Instruction& next) const {
    Time latest{};
    const Time* const results = result_at_.data();
    const std::size_t known = result_at_.size();
    const auto look = [&](unsigned n) {
      if (n < known) latest = later(latest, results[n]);
    };
    if (next.in_single_registers()) {
      for (const std::uint8_t source : next.sources) look(source);
    } else {
      for (std::size_t i = 0; i < trace::most_sources; ++i) each(next.sources[i], next.source_counts[i], look);
    }
    return latest;
  }

 private:
  static constexpr unsigned registers = 256;

  /// Beyond the last register, the first follows.
  template <class Use>
  static void each(std::uint8_t first, std::uint8_t count, const Use& use) {
    if (first == 0) return;
    use(first);
    for (unsigned n = 1; n < count; ++n)
      if (const unsigned number = (first + n) % registers; number != 0) use(number);
  }
  /// Most warps use few registers, and those of the lowest numbers.
  void make_room(unsigned number) { result_at_.resize(number / 32 * 32 + 32); }
  std::uint64_t in_lowest_bit(unsigned number) const { return pending_[number / 64] >> number % 64; }

  std::array<std::uint64_t, registers / 64> pending_{};  ///< a bit each
  std::vector<Time> result_at_;                          ///< by register, up to the highest with a result; of 0: never
};

}  // namespace strata::compute
