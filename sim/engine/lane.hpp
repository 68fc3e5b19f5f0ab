// SPDX-License-Identifier: Apache-2.0
// A lane is anything that serves one thing at a time: a wire, a tag port, a
// data bank, a bus. It hands out its time in the order in which it is asked
// and remembers how long it was busy. Asked in time order, it is an exact
// first-come-first-served server that costs no event of its own.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::engine {

/// A lane that remembers nothing, for a block that knows from other counts how long it was busy.
class BareLane {
 public:
  /// The instant at which the lane takes the work, not before earliest; it is
  /// then busy for occupancy.
  Time reserve(Time earliest, Duration occupancy) {
    const Time start = later(earliest, free_at_);
    free_at_ = start + occupancy;
    return start;
  }
  Time free_at() const { return free_at_; }
  /// Of that, what is booked beyond now. Bookings begin at or after the instant at which
  /// they are made, so between two instants busy() less this grows by no more than the
  /// time between them. An idle span that a booking left before it counts as booked.
  Duration ahead(Time now) const { return longer(free_at_ - now, Duration{}); }

 private:
  Time free_at_{};
};

class Lane : public BareLane {
 public:
  /// As of a bare lane, counted.
  Time reserve(Time earliest, Duration occupancy) {
    busy_ += occupancy;
    ++served_;
    return BareLane::reserve(earliest, occupancy);
  }
  Duration busy() const { return busy_; }
  std::uint64_t served() const { return served_; }

 private:
  Duration busy_{};
  std::uint64_t served_ = 0;
};

}  // namespace strata::engine
