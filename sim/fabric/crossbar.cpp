// SPDX-License-Identifier: Apache-2.0
// The paths of a request and of its response.
#include "fabric/crossbar.hpp"

#include <algorithm>
#include <cstdlib>

namespace strata::fabric {

namespace {

// Bytes of a message on the wire of its header: the header if data have a separate wire or
// there are none, or all of it if they share one.
unsigned sharing(const WireTime& data, unsigned sectors) { return data.limited() ? 0 : sectors; }

// `ready` of a transaction that waits aside for a full slice.
constexpr Time stands_aside{-1};

}  // namespace

// ---- request path: destination and flight are stored in the transaction -----

memory::Sink Crossbar::input(std::uint32_t source) { return memory::sink<&Source::take>(sources_.at(source)); }

void Crossbar::take(memory::Transaction& transaction, std::uint32_t index, Time ready) {
  Source& source = sources_[index];
  const std::uint32_t route = Route{index, transaction.slice, sectors_up(transaction)}.pack();
  if (source.coalescer != nullptr && transaction.operation == memory::Operation::load &&
      source.coalescer->join(transaction)) {
    source.request.pass(simulation_.now(), widths_.source_request, 0);
    transaction.return_through(on_shared_, route, memory::Transaction::Notice::in_advance);
    return transaction.release();
  }
  transaction.return_through(on_answer_, route, memory::Transaction::Notice::in_advance);
  if (source.stopped.empty() && !stops(source)) {
    board(transaction, source, ready);
  } else {
    transaction.ready = ready;
    source.stopped.push(transaction);
  }
}

void Crossbar::go_on(Source& source) {
  while (!source.stopped.empty() && !stops(source)) {
    auto& next = static_cast<memory::Transaction&>(source.stopped.pop());
    board(next, source, next.ready);
  }
}

// Takes the wires of the core.
void Crossbar::board(memory::Transaction& transaction, Source& source, Time ready) {
  const Time now = simulation_.now();
  const unsigned sectors = sectors_down(transaction);
  const Duration lead = later(ready, now) - now;
  Time start = source.request.pass(now, widths_.source_request, sharing(widths_.source_write, sectors));
  if (sectors != 0) start = later(start, source.write.pass(now, widths_.source_write, sectors));
  // A grant in the near future counts as preparation: see wire.hpp.
  if (start - now <= near_) return inject(transaction, source, lead + (start - now));
  ++source.on_wire;
  transaction.flight = lead;
  simulation_.at(start, engine::Priority::arrival, on_boarded_, &transaction);
}

void Crossbar::boarded(memory::Transaction& transaction) {
  Source& source = sources_[Route::of(transaction.top_context()).source];
  --source.on_wire;
  inject(transaction, source, transaction.flight);
  go_on(source);
}

// Cluster and group, reserved now; the request is sent when both are free.
Time Crossbar::pass_group(Source& source, unsigned sectors) {
  const Time now = simulation_.now();
  Group& group = groups_[source.group];
  const Time start = group.request.pass(now, widths_.group_request, sharing(widths_.group_write, sectors));
  if (sectors == 0) return start;
  const Time data = group.write.pass(now, widths_.group_write, sectors);
  const Time cluster = clusters_[source.cluster].pass(now, widths_.cluster_write, sectors);
  return later(start, later(data, cluster));
}

void Crossbar::inject(memory::Transaction& transaction, Source& source, Duration lead) {
  const Time now = simulation_.now();
  const unsigned sectors = sectors_down(transaction);
  Destination& destination = *slices_[transaction.slice];
  const Time through = pass_group(source, sectors);
  if (!has_room(destination.port)) {
    ++source.aside;
    return destination.wait(transaction, source);
  }
  const Time start = later(through, destination.request.pass(now, widths_.destination_request, sectors));
  const Duration flight = source.request_base + by_distance(source, destination);
  const Duration wait = request_wait(source, destination, start + lead, sectors);
  destination.port.send(transaction, now, {}, (start - now) + lead + wait + flight);
  transaction.flight = flight;
}

void Crossbar::Destination::wait(memory::Transaction& transaction, const Source& source) {
  engine::Message* place = nullptr;
  if (turns)
    place = transaction.operation == memory::Operation::load
                ? turns->at_end(transaction, source.index, port.left_waiting())
                : turns->in_turn(transaction, source.party, source.index, port.left_waiting());
  port.wait_behind(place, transaction, stands_aside);
}

// It waited aside and has an entry now: the port sent it without flight time.
void Crossbar::Destination::launched(memory::Transaction& transaction) {
  Source& source = crossbar.sources_[Route::of(transaction.top_context()).source];
  const Time now = crossbar.simulation_.now();
  transaction.ready = now;
  transaction.flight = source.request_base + crossbar.by_distance(source, *this);
  const unsigned sectors = sectors_down(transaction);
  Time start = request.pass(now, crossbar.widths_.destination_request, sectors);
  start = start + crossbar.request_wait(source, *this, start, sectors);
  crossbar.simulation_.at(start + transaction.flight, engine::Priority::arrival, on_arrival, &transaction);
  --source.aside;
  crossbar.go_on(source);
}

void Crossbar::Destination::arrived(memory::Transaction& transaction) {
  if (transaction.ready == stands_aside) return launched(transaction);
  if (transaction.journey != nullptr) {
    const Time now = crossbar.simulation_.now();
    transaction.mark(crossbar.request_wait_, now + Duration{-transaction.flight.ticks});
    transaction.mark(crossbar.request_stage_, now);
  }
  receiver.function(receiver.self, &transaction);
}

// ---- response path ---------------------------------------------------------

// In advance: transaction.ready is when the slice has the answer.
void Crossbar::answered(memory::Transaction& transaction) {
  const Route route = Route::of(transaction.context());
  Destination& destination = *slices_[route.destination];
  const Source& source = sources_[route.source];
  Time start = destination.response.pass(transaction.ready, widths_.destination_response, route.sectors);
  start = start + response_wait(source, destination, start, route.sectors);
  const Time arrival = start + source.response_base + by_distance(source, destination);
  transaction.mark(response_wait_, start);
  transaction.mark(response_stage_, arrival);
  simulation_.at(arrival, engine::Priority::completion, on_return_, &transaction);
}

void Crossbar::returned(memory::Transaction& transaction) {
  const Route route = Route::of(transaction.context());
  const Time now = simulation_.now();
  Source& source = sources_[route.source];
  const Time through = groups_[source.group].response.pass(now, widths_.group_response, route.sectors);
  if (source.coalescer != nullptr) {
    if (transaction.operation == memory::Operation::load) share(transaction, *source.coalescer, through);
    if (transaction.operation == memory::Operation::atomic) source.coalescer->close(transaction.block);
  }
  const Time start = source.response.pass(through, widths_.source_response, route.sectors);
  if (start == now) return transaction.answer_now(simulation_);
  transaction.mark(response_wait_, start);
  transaction.answer(simulation_, start);
}

// Coalesced reads get this answer at the same time as the leader's group.
void Crossbar::share(const memory::Transaction& leader, RequestCoalescer& coalescer, Time through) {
  engine::MessageList joined = coalescer.leave(leader);
  while (!joined.empty()) {
    auto& transaction = static_cast<memory::Transaction&>(joined.pop());
    transaction.serviced_level = leader.serviced_level;
    if (values_ != nullptr) values_->share(leader, transaction);
    transaction.mark(coalesced_stage_, through);
    transaction.answer(simulation_, through);
  }
}

void Crossbar::shared(memory::Transaction& transaction) {
  const Route route = Route::of(transaction.context());
  const Time start = sources_[route.source].response.pass(transaction.ready, widths_.source_response, route.sectors);
  transaction.mark(response_wait_, start);
  transaction.answer(simulation_, start);
}

// ---- distances -------------------------------------------------------------

// Stops, or span x the distance round the ring, from 0 for the same position to 1 for the
// opposite one.
Duration Crossbar::by_distance(const Source& source, const Destination& destination) const {
  if (stops_)
    return stops_->flight(static_cast<std::uint32_t>(source.position),
                          static_cast<std::uint32_t>(destination.position));
  const std::int64_t apart = std::abs(source.position - destination.position);
  return {(span_.ticks * std::min(apart, ring - apart)) >> (ring_bits - 1)};
}

Duration Crossbar::request_wait(const Source& source, const Destination& destination, Time t, unsigned sectors) {
  if (!stops_) return {};
  return stops_->request(static_cast<std::uint32_t>(source.position), static_cast<std::uint32_t>(destination.position),
                         t, sectors);
}
Duration Crossbar::response_wait(const Source& source, const Destination& destination, Time t, unsigned sectors) {
  if (!stops_) return {};
  return stops_->response(static_cast<std::uint32_t>(destination.position), static_cast<std::uint32_t>(source.position),
                          t, sectors);
}

Duration Crossbar::request_flight(std::uint32_t source, std::uint32_t destination) const {
  return sources_[source].request_base + by_distance(sources_[source], destinations_[destination]);
}
Duration Crossbar::response_flight(std::uint32_t source, std::uint32_t destination) const {
  return sources_[source].response_base + by_distance(sources_[source], destinations_[destination]);
}

}  // namespace strata::fabric
