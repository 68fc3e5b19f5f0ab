// SPDX-License-Identifier: Apache-2.0
// Little's law for the lines of a core (Little: A Proof for the Queuing Formula
// L = lambda W, 1961). The number in flight is integrated over time, and each
// line's latency is added up when it answers, one from the count alone, the
// other from the instants that lines carry. After a drained run they are equal, before that
// they differ by the ages of the lines in flight, and a line that is lost, answered twice or
// answered with another's time shows.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::compute {

class LineFlow {
 public:
  void enter(Time now, std::uint32_t lines) {
    settle(now);
    in_flight_ += lines;
    entered_ += lines;
  }
  /// Known now: a line that entered then answers at a time that may lie ahead.
  void answer(Time now, Time answers, Time entered) {
    settle(now);
    --in_flight_;
    ++answered_;
    area_ += answers - now;
    latencies_ += answers - entered;
  }
  /// Whose answer is not known yet.
  std::uint32_t in_flight() const { return in_flight_; }
  std::uint64_t entered() const { return entered_; }
  std::uint64_t answered() const { return answered_; }
  /// Lines x ticks up to the last change.
  Duration area() const { return area_; }
  /// The same up to now: latencies() and how long each of those in flight has been.
  Duration area_at(Time now) const { return area_ + (now - last_) * in_flight_; }
  /// Of the lines that have answered.
  Duration latencies() const { return latencies_; }

 private:
  void settle(Time now) {
    area_ += (now - last_) * in_flight_;
    last_ = now;
  }

  std::uint32_t in_flight_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t answered_ = 0;
  Time last_{};
  Duration area_{};
  Duration latencies_{};
};

}  // namespace strata::compute
