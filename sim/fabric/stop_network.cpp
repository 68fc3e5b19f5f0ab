// SPDX-License-Identifier: Apache-2.0
#include "fabric/stop_network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::fabric {

namespace {

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

}  // namespace

StopNetwork::StopNetwork(const StopNetworkSpec& spec, engine::Clock clock, Bytes request_header, Bytes response_header)
    : ring_(spec.shape == StopShape::ring),
      columns_(spec.columns),
      rows_(ring_ ? 1 : spec.rows),
      hop_(clock.cycles(spec.hop_latency.value)),
      request_time_(WireTime::from(clock, spec.link_width, request_header)),
      response_time_(WireTime::from(clock, spec.link_width, response_header)),
      requests_(std::size_t{4} * columns_ * rows_),
      responses_(requests_.size()) {}

std::uint32_t StopNetwork::hops(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t along = apart(from % columns_, to % columns_);
  return (ring_ ? std::min(along, columns_ - along) : along) + apart(from / columns_, to / columns_);
}

std::uint32_t StopNetwork::most_hops() const { return ring_ ? columns_ / 2 : columns_ + rows_ - 2; }

StopNetwork::Hop StopNetwork::hop(std::uint32_t at, std::uint32_t to) const {
  const std::uint32_t column = at % columns_;
  const std::uint32_t target = to % columns_;
  if (column != target) {
    // Between opposite stops of a ring, every other stop sends in one direction, the rest in
    // the other.
    const std::uint32_t ahead = (target + columns_ - column) % columns_;
    const bool up = !ring_ ? target > column : 2 * ahead != columns_ ? 2 * ahead < columns_ : at % 2 == 0;
    const std::uint32_t next = up ? (column + 1) % columns_ : (column + columns_ - 1) % columns_;
    return {up ? up_column : down_column, at - column + next};
  }
  return at < to ? Hop{up_row, at + columns_} : Hop{down_row, at - columns_};
}

Duration StopNetwork::book(std::vector<BackfillWire>& links, const WireTime& time, std::uint32_t from, std::uint32_t to,
                           Time t, unsigned sectors) {
  Duration waited{};
  while (from != to) {
    const Hop next = hop(from, to);
    const Time leaves = links[4U * from + next.direction].pass(t, time, sectors);
    waited += leaves - t;
    t = leaves + hop_;
    from = next.next;
  }
  return waited;
}

void StopNetwork::wires(std::vector<NamedWire>& all, Time now) const {
  if (!request_time_.limited()) return;
  for (std::uint32_t stop = 0; stop < stops(); ++stop)
    for (std::uint32_t direction = 0; direction < 4; ++direction) {
      constexpr const char* where[] = {"next column", "previous column", "next row", "previous row"};
      const std::size_t link = 4U * stop + direction;
      for (const auto& [links, what] : {std::pair{&requests_, "request"}, std::pair{&responses_, "response"}})
        if ((*links)[link].served() > 0)
          all.push_back({fmt::format("stop {} to {} {}", stop, where[direction], what), &(*links)[link],
                         (*links)[link].ahead(now)});
    }
}

}  // namespace strata::fabric
