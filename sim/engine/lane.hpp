// SPDX-License-Identifier: Apache-2.0
// A lane is anything that serves one thing at a time: a wire, a tag port, a
// data bank, a bus. It hands out its time in the order in which it is asked
// and remembers how long it was busy. Asked in time order, it is an exact
// first-come-first-served server that costs no event of its own.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::engine {

class Lane {
 public:
  /// The instant at which the lane takes the work, not before earliest; it is
  /// then busy for occupancy.
  Time reserve(Time earliest, Duration occupancy) {
    const Time start = later(earliest, free_at_);
    free_at_ = start + occupancy;
    busy_ += occupancy;
    ++served_;
    return start;
  }
  Time free_at() const { return free_at_; }
  Duration busy() const { return busy_; }
  /// Of that, what is booked beyond now. Bookings begin at or after the instant at which
  /// they are made, so between two instants busy() less this grows by no more than the
  /// time between them. An idle span that a booking left before it counts as booked.
  Duration ahead(Time now) const { return longer(free_at_ - now, Duration{}); }
  std::uint64_t served() const { return served_; }

 private:
  Time free_at_{};
  Duration busy_{};
  std::uint64_t served_ = 0;
};

}  // namespace strata::engine
