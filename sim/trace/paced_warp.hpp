// SPDX-License-Identifier: Apache-2.0
// A warp that issues at a given rate: instruction k within the k-th of even
// intervals, at a place drawn for it. Even gaps would queue less than a load
// that comes from many sources does; independent ones would make the rate
// itself a matter of chance. An instruction that the core cannot take when it
// is due is issued late, and those behind it catch up as they can.
#pragma once
#include <cmath>
#include <memory>
#include <utility>

#include "base/random.hpp"
#include "trace/instruction.hpp"

namespace strata::trace {

class PacedWarp final : public WarpStream {
 public:
  /// interval_ticks > 0: of one instruction, the first beginning at `begin`.
  PacedWarp(std::unique_ptr<WarpStream> stream, Time begin, double interval_ticks, std::uint64_t seed)
      : stream_(std::move(stream)), begin_(begin), interval_(interval_ticks), random_(seed) {}

  bool next(Instruction& instruction) override {
    if (!stream_->next(instruction)) return false;
    const double within = static_cast<double>(random_.below(places)) / static_cast<double>(places);
    const double at = (static_cast<double>(issued_++) + within) * interval_;
    instruction.not_before = begin_ + Duration{std::llround(at)};
    return true;
  }

 private:
  static constexpr std::uint64_t places = std::uint64_t{1} << 20U;
  std::unique_ptr<WarpStream> stream_;
  Time begin_;
  double interval_;
  RandomSequence random_;
  std::uint64_t issued_ = 0;
};

}  // namespace strata::trace
