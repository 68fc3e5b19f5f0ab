// SPDX-License-Identifier: Apache-2.0
// A port: one direction of a connection, with a wire of finite width in front
// of a buffer of finite depth. The sender spends a credit for each message and
// the receiver gives it back when the message leaves its buffer, so nothing is
// dropped and nothing is unbounded (Dally and Towles: Principles and Practices
// of Interconnection Networks, 2004, credit-based flow control).
//
// A message holds at most one credit: that of the buffer in which it sits. It
// gives the credit back when the next port launches it, so back-pressure
// climbs from a full buffer to the core that feeds it without any block having
// to pass the word on. A message that finds no credit waits in the port's own
// list, still occupying the buffer it came from. Messages launched one after
// the other for one instant of arrival travel together: they cost one event.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "engine/lane.hpp"
#include "engine/simulation.hpp"

namespace strata::engine {

class Port;

/// What travels through ports. Sits in at most one list at a time.
struct Message {
  Message* next = nullptr;
  Port* holds = nullptr;  ///< whose buffer it sits in
  Time ready{};           ///< the earliest departure, while it waits
  Duration occupancy{};   ///< how long it takes the wire, while it waits
  Duration flight{};      ///< added to the port's latency, while it waits

  /// Leaves the buffer it sits in, if any.
  inline void release();
};

/// First in, first out; holds no memory of its own.
class MessageList {
 public:
  bool empty() const { return first_ == nullptr; }
  std::uint32_t size() const { return size_; }
  Message& front() const { return *first_; }
  void push(Message& message) {
    message.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &message;
    last_ = &message;
    ++size_;
  }
  /// Behind one that is in the list.
  void push_behind(Message& place, Message& message) {
    if (&place == last_) return push(message);
    message.next = place.next;
    place.next = &message;
    ++size_;
  }
  Message& pop() {
    Message& message = *first_;
    first_ = message.next;
    message.next = nullptr;
    --size_;
    return message;
  }

 private:
  Message* first_ = nullptr;
  Message* last_ = nullptr;
  std::uint32_t size_ = 0;
};

class alignas(64) Port {
 public:
  /// receiver is called with the message when its head arrives. depth >= 1
  /// messages fit in the receiver's buffer; latency is that of the wire.
  Port(Simulation& simulation, std::string name, const Handler& receiver, Duration latency, std::uint32_t depth)
      : simulation_(simulation),
        receiver_(receiver),
        credits_(depth),
        latency_(latency),
        depth_(depth),
        name_(std::move(name)) {}
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  /// Launches the message at ready or as soon after as wire and buffer allow.
  /// flight: extra way beyond the port's latency, for example by distance.
  void send(Message& message, Time ready, Duration occupancy, Duration flight = {}) {
    message.ready = ready;
    message.occupancy = occupancy;
    message.flight = flight;
    if (credits_ > 0 && waiting_.empty()) {
      launch(message);
    } else {
      waiting_.push(message);
      waited_ += 1;
    }
  }
  /// Waits for a credit, without occupancy or flight, behind a message that waits; nullptr: behind all. Only where no
  /// credit is free or others wait.
  void wait_behind(Message* place, Message& message, Time ready) {
    message.ready = ready;
    message.occupancy = message.flight = {};
    place == nullptr ? waiting_.push(message) : waiting_.push_behind(*place, message);
    waited_ += 1;
  }
  /// As send() at this very instant where neither wire nor latency stands
  /// between, but the receiver is called, not scheduled, if a credit is there: for
  /// the end of a handler that has nothing more to do with the receiver.
  void hand_over(Message& message) {
    if (credits_ == 0 || !waiting_.empty()) return send(message, simulation_.now(), Duration{});
    occupy(message);
    receiver_.function(receiver_.self, &message);
  }
  /// A message that finds a credit and no other waiting takes a place, and travels otherwise than through here.
  void occupy(Message& message) {
    --credits_;
    Port* const left = message.holds;
    message.holds = this;
    if (left != nullptr) left->credit();
  }
  /// The receiver's buffer has a free place again.
  void credit() {
    if (travels_) return way_back_.function(way_back_.self, this);
    credit_arrived();
  }
  /// Its credits have a way of their own from now on: the handler is called with this port when a message leaves the
  /// receiver's buffer, and calls credit_arrived() once the sender knows.
  void credits_travel(const Handler& way_back) {
    way_back_ = way_back;
    travels_ = true;
  }
  void credit_arrived() {
    ++credits_;
    if (waiting_.empty()) return;
    launch(waiting_.pop());
    if (waiting_.empty() && drained_.function != nullptr) drained_.function(drained_.self, nullptr);
  }
  /// Called, not scheduled, whenever the last message that waited has been
  /// launched: a sender that holds back while messages wait continues then. It must not access
  /// the block that returned the credit.
  void when_drained(const Handler& handler) { drained_ = handler; }

  const std::string& name() const { return name_; }
  std::uint32_t depth() const { return depth_; }
  std::uint32_t credits() const { return credits_; }
  const MessageList& waiting() const { return waiting_; }
  /// Messages that did not find a credit at once.
  std::uint64_t waited() const { return waited_; }
  /// Those of them that wait no more.
  std::uint64_t left_waiting() const { return waited_ - waiting_.size(); }
  const Lane& wire() const { return wire_; }

 private:
  void arrived(Message& first) {
    if (last_arrival_ == simulation_.now()) last_ = nullptr;  // nothing more can join
    for (Message* message = &first; message != nullptr;) {
      Message* const next = message->next;
      message->next = nullptr;
      receiver_.function(receiver_.self, message);
      message = next;
    }
  }
  void launch(Message& message) {
    --credits_;
    const Time start = wire_.reserve(later(message.ready, simulation_.now()), message.occupancy);
    Port* const left = message.holds;
    message.holds = this;
    const Time arrival = start + latency_ + message.flight;
    message.next = nullptr;
    if (last_ != nullptr && arrival == last_arrival_) {
      last_->next = &message;
    } else {
      simulation_.at(arrival, Priority::arrival, arrived_, &message);
      last_arrival_ = arrival;
    }
    last_ = &message;
    if (left != nullptr) left->credit();
  }

  // The two lines of the host's cache that messages touch: what a hand-over and a credit need, and
  // what a launch and an arrival need beside it. There are more ports than nearest memory holds.
  Simulation& simulation_;
  Handler receiver_;
  std::uint32_t credits_;
  bool travels_ = false;
  MessageList waiting_;
  Duration latency_;

  alignas(64) Handler arrived_ = handler<&Port::arrived>(*this);
  Message* last_ = nullptr;  ///< launched, while others may join it
  Time last_arrival_{};
  Lane wire_;

  alignas(64) Handler drained_;
  Handler way_back_;
  std::uint32_t depth_;
  std::uint64_t waited_ = 0;
  std::string name_;
};

inline void Message::release() {
  if (Port* const left = holds; left != nullptr) {
    holds = nullptr;
    left->credit();
  }
}

}  // namespace strata::engine
