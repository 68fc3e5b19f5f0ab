// SPDX-License-Identifier: Apache-2.0
// A gate: a wire that transactions take one after the other on their way to
// the next hop. A transaction that finds the wire free goes on at once, without
// an event. One that must queue goes on by an event, later by exactly its
// wait; the next hop is so asked in the order of time and a transaction held
// up here never blocks another there before its turn.
//
// While it queues it still occupies the buffer it came from.
#pragma once
#include <string>

#include "engine/lane.hpp"
#include "engine/simulation.hpp"
#include "fabric/traffic.hpp"
#include "memory/transaction.hpp"

namespace strata::fabric {

class Gate {
 public:
  /// Several gates may share a wire, for example two virtual channels.
  /// priority: arrival on the way of requests, completion on that of answers,
  /// which must be able to pass on at the very instant.
  Gate(engine::Simulation& simulation, engine::Lane& wire, engine::Priority priority,
       memory::Sink next)
      : simulation_(simulation), wire_(wire), priority_(priority), next_(next) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Takes the wire for occupancy, not before ready.
  void pass(memory::Transaction& transaction, Time ready, FineDuration occupancy) {
    const Time start = wire_.reserve(ready, carry_.whole(occupancy));
    if (start == ready) {
      next_.take(transaction, ready);
    } else {
      transaction.ready = start;
      simulation_.after(start - ready, priority_, turn_, &transaction);
    }
  }

 private:
  void on_turn(memory::Transaction& transaction) { next_.take(transaction, transaction.ready); }

  engine::Simulation& simulation_;
  engine::Lane& wire_;
  engine::Priority priority_;
  memory::Sink next_;
  Carry carry_;
  engine::Handler turn_ = engine::handler<&Gate::on_turn>(*this);
};

/// A resource under the name by which reports call it.
struct NamedLane {
  std::string name;
  const engine::Lane* lane;
};

}  // namespace strata::fabric
