// SPDX-License-Identifier: Apache-2.0
#include "fabric/crossbar.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

namespace strata::fabric {

namespace {

// Positions on the ring are fixed-point fractions of its circumference.
constexpr unsigned ring_bits = 20;
constexpr std::int64_t ring = std::int64_t{1} << ring_bits;

// The index-th of count places; half a step off zero, so that cores and slices interleave.
constexpr std::int64_t place(std::int64_t index, std::int64_t count, bool between) {
  return (2 * index + (between ? 1 : 0)) * ring / (2 * count);
}

}  // namespace

Crossbar::Source::Source(Crossbar& owner, std::uint32_t its_index, Group& its_group)
    : crossbar(owner),
      group(its_group),
      index(its_index),
      position(place(its_index, owner.shape_.sources, false)),
      inject(owner.simulation_, request_wire, engine::Priority::arrival,
             memory::sink<&Source::injected>(*this)),
      deliver(owner.simulation_, response_wire, engine::Priority::completion,
              memory::sink<&Source::delivered>(*this)) {}

Crossbar::Group::Group(Crossbar& owner)
    : crossbar(owner),
      request(owner.simulation_, request_wire, engine::Priority::arrival,
              memory::sink<&Group::requested>(*this)),
      response(owner.simulation_, response_wire, engine::Priority::completion,
               memory::sink<&Group::responded>(*this)) {}

Crossbar::Destination::Destination(Crossbar& owner, std::uint32_t its_index,
                                   const engine::Handler& its_receiver, std::uint32_t depth,
                                   std::string name)
    : crossbar(owner),
      receiver(its_receiver),
      position(place(its_index, owner.shape_.destinations, true)),
      emit(owner.simulation_, response_wire, engine::Priority::completion,
           memory::sink<&Destination::emitted>(*this)),
      port(owner.simulation_, std::move(name), engine::handler<&Destination::arrived>(*this), {},
           depth) {}

Crossbar::Crossbar(engine::Simulation& simulation, engine::Clock clock, const CrossbarSpec& spec,
                   const CrossbarShape& shape, std::span<const engine::Handler> receivers,
                   memory::StageNames& stages, std::string_view name)
    : simulation_(simulation),
      shape_(shape),
      name_(name),
      span_(clock.cycles(spec.span.value)),
      source_request_(WireTime::from(clock, spec.source_request_width, spec.request_header)),
      group_request_(WireTime::from(clock, spec.group_request_width, spec.request_header)),
      destination_request_(
          WireTime::from(clock, spec.destination_request_width, spec.request_header)),
      destination_response_(
          WireTime::from(clock, spec.destination_response_width, spec.response_header)),
      group_response_(WireTime::from(clock, spec.group_response_width, spec.response_header)),
      source_response_(WireTime::from(clock, spec.source_response_width, spec.response_header)),
      request_stage_(stages.add(name_ + " request")),
      request_wait_(stages.add(name_ + " request wait")),
      response_stage_(stages.add(name_ + " response")),
      response_wait_(stages.add(name_ + " response wait")) {
  constexpr std::uint32_t most = 0x3FFF;
  if (shape.sources == 0 || shape.destinations == 0 || shape.sources_per_group == 0 ||
      spec.depth == 0 || shape.sources > most || shape.destinations > most) {
    throw std::invalid_argument("a crossbar joins 1 to 16383 sources and destinations");
  }
  if (receivers.size() != shape.destinations) {
    throw std::invalid_argument("a crossbar needs one receiver for each destination");
  }
  for (std::uint32_t i = 0; i < shape.destinations; ++i) {
    destinations_.emplace_back(*this, i, receivers[i], spec.depth,
                               fmt::format("{} to {}", name, i));
  }
  for (std::uint32_t i = 0; i < shape.sources; i += shape.sources_per_group) {
    groups_.emplace_back(*this);
  }
  for (std::uint32_t i = 0; i < shape.sources; ++i) {
    Source& source = sources_.emplace_back(*this, i, groups_[i / shape.sources_per_group]);
    source.request_base = base_of(source, clock.cycles(spec.request_latency.value));
    source.response_base = base_of(source, clock.cycles(spec.response_latency.value));
  }
}

// span x the way round the ring, from 0 for the same place to 1 for the opposite one.
Duration Crossbar::by_distance(const Source& source, const Destination& destination) const {
  const std::int64_t apart = std::abs(source.position - destination.position);
  return {(span_.ticks * std::min(apart, ring - apart)) >> (ring_bits - 1)};
}

Duration Crossbar::base_of(const Source& source, Duration mean) const {
  std::int64_t sum = 0;
  for (const Destination& destination : destinations_)
    sum += by_distance(source, destination).ticks;
  const auto count = static_cast<std::int64_t>(destinations_.size());
  const Duration base = mean - Duration{(sum + count / 2) / count};
  if (base < Duration{}) {
    throw std::invalid_argument(name_ + ": the mean latency is shorter than half the span");
  }
  return base;
}

Duration Crossbar::request_flight(std::uint32_t source, std::uint32_t destination) const {
  return sources_[source].request_base + by_distance(sources_[source], destinations_[destination]);
}
Duration Crossbar::response_flight(std::uint32_t source, std::uint32_t destination) const {
  return sources_[source].response_base + by_distance(sources_[source], destinations_[destination]);
}

// The way there. Destination and flight travel in the transaction.

void Crossbar::send(memory::Transaction& transaction, std::uint32_t source,
                    std::uint32_t destination, Time ready) {
  transaction.slice = static_cast<std::uint16_t>(destination);
  sources_[source].take(transaction, ready);
}

memory::Sink Crossbar::input(std::uint32_t source) {
  return memory::sink<&Source::take>(sources_[source]);
}

void Crossbar::Source::take(memory::Transaction& transaction, Time ready) {
  const std::uint32_t destination = transaction.slice;
  transaction.return_through(crossbar.on_answer_,
                             Route{index, destination, sectors_up(transaction)}.pack());
  transaction.flight =
      request_base + crossbar.by_distance(*this, crossbar.destinations_[destination]);
  if (crossbar.source_request_.limited()) {
    inject.pass(transaction, ready, crossbar.source_request_(sectors_down(transaction)));
  } else {
    injected(transaction, ready);
  }
}

void Crossbar::Source::injected(memory::Transaction& transaction, Time ready) {
  if (crossbar.group_request_.limited()) {
    group.request.pass(transaction, ready, crossbar.group_request_(sectors_down(transaction)));
  } else {
    crossbar.to_port(transaction, ready);
  }
}

void Crossbar::Group::requested(memory::Transaction& transaction, Time ready) {
  crossbar.to_port(transaction, ready);
}

void Crossbar::to_port(memory::Transaction& transaction, Time ready) {
  Destination& destination = destinations_[transaction.slice];
  destination.port.send(transaction, ready,
                        destination.carry.whole(destination_request_(sectors_down(transaction))),
                        transaction.flight);
}

void Crossbar::Destination::arrived(memory::Transaction& transaction) {
  const Time now = crossbar.simulation_.now();
  transaction.mark(crossbar.request_wait_, now + Duration{-transaction.flight.ticks});
  transaction.mark(crossbar.request_stage_, now);
  receiver.function(receiver.self, &transaction);
}

// The way back.

void Crossbar::answered(memory::Transaction& transaction) {
  const Route route = Route::of(transaction);
  Destination& destination = destinations_[route.destination];
  if (destination_response_.limited()) {
    destination.emit.pass(transaction, simulation_.now(), destination_response_(route.sectors));
  } else {
    destination.emitted(transaction, simulation_.now());
  }
}

void Crossbar::Destination::emitted(memory::Transaction& transaction, Time ready) {
  Source& source = crossbar.sources_[Route::of(transaction).source];
  const Time arrival = ready + source.response_base + crossbar.by_distance(source, *this);
  transaction.mark(crossbar.response_wait_, ready);
  transaction.mark(crossbar.response_stage_, arrival);
  crossbar.simulation_.at(arrival, engine::Priority::completion, source.on_return, &transaction);
}

void Crossbar::Source::returned(memory::Transaction& transaction) {
  const Time now = crossbar.simulation_.now();
  if (crossbar.group_response_.limited()) {
    group.response.pass(transaction, now, crossbar.group_response_(Route::of(transaction).sectors));
  } else {
    group.responded(transaction, now);
  }
}

void Crossbar::Group::responded(memory::Transaction& transaction, Time ready) {
  const Route route = Route::of(transaction);
  Source& source = crossbar.sources_[route.source];
  if (crossbar.source_response_.limited()) {
    source.deliver.pass(transaction, ready, crossbar.source_response_(route.sectors));
  } else {
    source.delivered(transaction, ready);
  }
}

void Crossbar::Source::delivered(memory::Transaction& transaction, Time ready) {
  transaction.mark(crossbar.response_wait_, ready);
  transaction.answer(crossbar.simulation_, ready);
}

// What can be seen from outside.

std::vector<const engine::Port*> Crossbar::ports() const {
  std::vector<const engine::Port*> all;
  for (const Destination& destination : destinations_) all.push_back(&destination.port);
  return all;
}

std::vector<NamedLane> Crossbar::wires() const {
  std::vector<NamedLane> all;
  const auto add = [&](const WireTime& time, const char* what, std::size_t index,
                       const engine::Lane& lane) {
    if (time.limited()) all.push_back({fmt::format("{} {} {}", name_, what, index), &lane});
  };
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    add(source_request_, "request wire of core", i, sources_[i].request_wire);
    add(source_response_, "response wire of core", i, sources_[i].response_wire);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    add(group_request_, "request wire of group", i, groups_[i].request_wire);
    add(group_response_, "response wire of group", i, groups_[i].response_wire);
  }
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    add(destination_request_, "request wire of slice", i, destinations_[i].port.wire());
    add(destination_response_, "response wire of slice", i, destinations_[i].response_wire);
  }
  return all;
}

}  // namespace strata::fabric
