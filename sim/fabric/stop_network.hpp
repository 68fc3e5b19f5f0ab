// SPDX-License-Identifier: Apache-2.0
// A ring or a mesh between the cores and the slices of a die. Each stop of it has its share of
// the cores and of the slices. A message takes the shorter way round the ring, or the columns of
// the mesh before its rows (dimension-order routing: Dally and Towles, Principles and Practices of
// Interconnection Networks, 2004, chapter 8); at each hop it waits for the link and flies on.
// Requests and answers have links of their own, each way.
//
// Links have no buffers here: a message books each link of its way when it enters, for the instant
// at which it will be there, and holds nothing while it waits. What bounds the messages under way
// are the places in front of the slices.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/clock.hpp"
#include "fabric/crossbar_spec.hpp"
#include "fabric/traffic.hpp"
#include "fabric/wire.hpp"

namespace strata::fabric {

class StopNetwork {
 public:
  /// clock: that in which hops and widths count. A width of 0 is never the limit.
  StopNetwork(const StopNetworkSpec& spec, engine::Clock clock, Bytes request_header, Bytes response_header);

  std::uint32_t stops() const { return columns_ * rows_; }
  /// The stop of the index-th of count cores or slices: as many at each, in order.
  std::uint32_t stop_of(std::uint32_t index, std::uint32_t count) const {
    return static_cast<std::uint32_t>(std::uint64_t{index} * stops() / count);
  }
  /// Links on the way between two stops.
  std::uint32_t hops(std::uint32_t from, std::uint32_t to) const;
  /// Flight over them where no message is in the way.
  Duration flight(std::uint32_t from, std::uint32_t to) const { return hop_ * hops(from, to); }
  /// Of any two stops.
  std::uint32_t most_hops() const;

  /// Books the way of a message of so many sectors that enters at t; the answer is how long
  /// it waits for links, beside the flight.
  Duration request(std::uint32_t from, std::uint32_t to, Time t, unsigned sectors) {
    return book(requests_, request_time_, from, to, t, sectors);
  }
  Duration response(std::uint32_t from, std::uint32_t to, Time t, unsigned sectors) {
    return book(responses_, response_time_, from, to, t, sectors);
  }

  /// Every link with a width, by the stops it joins.
  void wires(std::vector<NamedWire>& all, Time now) const;

 private:
  // Four links leave a stop; those of a ring are the first two.
  enum Direction : std::uint32_t { up_column, down_column, up_row, down_row };
  struct Hop {
    Direction direction;
    std::uint32_t next;  ///< stop
  };
  Hop hop(std::uint32_t at, std::uint32_t to) const;
  Duration book(std::vector<BackfillWire>& links, const WireTime& time, std::uint32_t from, std::uint32_t to, Time t,
                unsigned sectors);

  bool ring_;
  std::uint32_t columns_;
  std::uint32_t rows_;
  Duration hop_;
  WireTime request_time_;
  WireTime response_time_;
  std::vector<BackfillWire> requests_;  ///< four to a stop
  std::vector<BackfillWire> responses_;
};

}  // namespace strata::fabric
