// SPDX-License-Identifier: Apache-2.0
// One direction of a link between dies: requests wait for an entry at its far end, responses only for the
// wire.
#include "fabric/die_network.hpp"

namespace strata::fabric {

namespace {

// `ready` of a transaction that waits for an entry at the far end.
constexpr Time waits_for_place{-1};

}  // namespace

Time DieNetwork::Link::board(const memory::Transaction& transaction) {
  const Time now = network.now(sender);
  const unsigned sectors = sectors_over(transaction);
  return requests_apart && sectors == 0 ? now : wire.pass(now, request_time, sectors);
}

void DieNetwork::Link::request(memory::Transaction& transaction, Time ready) {
  const std::uint32_t way = Route::of(transaction.top_context()).way;
  engine::Port& port = ports[way];
  if (!credits.empty()) credits[way].collect();
  const Time now = network.now(sender);
  if (!has_room(port)) {
    port.send(transaction, waits_for_place, {});
    if (!credits.empty()) credits[way].await();
    return;
  }
  const Time arrival = board(transaction) + (later(ready, now) - now) + latency;
  if (within_process()) return port.send(transaction, now, {}, arrival - now);
  launch(transaction, arrival);
  port.occupy(transaction);
}

// An entry has become free: the port sent it without flight time.
void DieNetwork::Link::launched(memory::Transaction& transaction) { launch(transaction, board(transaction) + latency); }

// As in a port: consecutive messages with the same arrival time share an event.
void DieNetwork::Link::launch(memory::Transaction& transaction, Time arrival) {
  transaction.next = nullptr;
  if (last != nullptr && arrival == last_arrival && arrival > network.now(sender)) {
    last->next = &transaction;
  } else {
    network.processes_.post(sender, receiver, arrival, engine::Priority::arrival, on_arrival, &transaction);
    last_arrival = arrival;
  }
  last = &transaction;
}

void DieNetwork::Link::arrived(memory::Transaction& first) {
  if (within_process() && first.ready == waits_for_place) {
    first.ready = network.now(sender);
    return network.processes_[sender].at(board(first) + latency, engine::Priority::arrival, on_arrival, &first);
  }
  for (engine::Message* message = &first; message != nullptr;) {
    engine::Message* const next = message->next;
    message->next = nullptr;
    landed(static_cast<memory::Transaction&>(*message));
    message = next;
  }
}

void DieNetwork::Link::landed(memory::Transaction& transaction) {
  const Time now = network.now(receiver);
  transaction.mark(wait_stage, now + Duration{-latency.ticks});
  transaction.mark(stage, now);
  if (network.home_nodes_[transaction.home_die] == ends.to) {
    network.nodes_[ends.to].sink.take(transaction, now);
  } else {
    network.forward(transaction, ends.to, now);
  }
}

void DieNetwork::Link::respond(memory::Transaction& transaction, const Route& route, Time ready) {
  const Time now = network.now(sender);
  const Time start = wire.pass(now, response_time, route.sectors) + (later(ready, now) - now);
  const Time arrival = start + latency;
  transaction.mark(wait_stage, start);
  transaction.mark(stage, arrival);
  if (route.from == ends.to) {
    network.answer(transaction, sender, receiver, arrival);
  } else {
    network.processes_.post(sender, receiver, arrival, engine::Priority::completion, on_back, &transaction);
  }
}

void DieNetwork::Link::arrived_back(memory::Transaction& transaction) {
  network.step_back(transaction, ends.to, network.now(receiver));
}

void DieNetwork::Link::carry(memory::Parcel& parcel, Time ready) {
  const Time now = network.now(sender);
  const bool apart = requests_apart && parcel.sectors == 0;
  const WireTime& time = parcel.sectors == 0 ? request_time : response_time;
  const Time start = (apart ? now : wire.pass(now, time, parcel.sectors)) + (later(ready, now) - now);
  network.processes_.post(sender, receiver, start + latency, engine::Priority::arrival, on_parcel, &parcel);
}

void DieNetwork::Link::carried(memory::Parcel& parcel) {
  if (parcel.to == ends.to) return parcel.arrived.function(parcel.arrived.self, &parcel);
  network.links_[network.routing().next(ends.to, parcel.to)].carry(parcel, network.now(receiver));
}

}  // namespace strata::fabric
