// SPDX-License-Identifier: Apache-2.0
// Tiny neighbours for the networks: requesters that count their answers, and
// a slice that answers everything after a fixed time.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/clock.hpp"
#include "engine/processes.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"

namespace strata::fabric::test {

/// 1 GHz with a tick of 1/1000 cycle, so that 1 cycle = 1 ns = 1000 ticks.
struct World {
  static constexpr std::array<std::uint64_t, 2> frequencies{1'000'000'000, 1'000'000'000'000};
  engine::Timebase timebase{frequencies};
  engine::Clock clock = timebase.clock(1'000'000'000);
  engine::Processes processes{1, Duration{500}};
  engine::Simulation& simulation = processes[0];
  memory::StageNames stages;

  double now() const { return clock.count(simulation.now() - Time{}); }
};

/// Sends transactions and records the times of their answers.
class Requester {
 public:
  explicit Requester(World& world) : world_(world) {}

  memory::Transaction& make(memory::Operation operation = memory::Operation::load) {
    memory::Transaction& transaction = transactions_.emplace_back();
    transaction.operation = operation;
    transaction.issued = world_.simulation.now();
    transaction.return_through(on_answer_);
    return transaction;
  }
  std::uint64_t answers() const { return answers_; }
  /// Time of the last answer, in cycles.
  double last() const { return last_; }

 private:
  void answered(memory::Transaction&) {
    ++answers_;
    last_ = world_.now();
  }
  World& world_;
  std::deque<memory::Transaction> transactions_;
  std::uint64_t answers_ = 0;
  double last_ = 0;
  engine::HandlerNumber on_answer_ = world_.simulation.number(engine::handler<&Requester::answered>(*this));
};

/// Answers each request, one after the other, `service` cycles apart and one
/// tick at the least.
class Slice {
 public:
  Slice(World& world, double service, bool silent = false)
      : world_(world), service_(world.clock.cycles(service)), later_(longer(service_, Duration{1})), silent_(silent) {}

  engine::Handler handler() { return engine::handler<&Slice::arrived>(*this); }
  memory::Sink sink() { return memory::sink<&Slice::take>(*this); }
  void take(memory::Transaction& transaction, Time) { arrived(transaction); }
  std::uint64_t arrivals() const { return arrivals_; }
  double first() const { return first_; }
  double last() const { return last_; }

 private:
  void arrived(memory::Transaction& transaction) {
    last_ = world_.now();
    if (arrivals_++ == 0) first_ = last_;
    if (silent_) return;
    const Time start = lane_.reserve(world_.simulation.now(), service_);
    world_.simulation.at(start + later_, engine::Priority::completion, done_, &transaction);
  }
  void done(memory::Transaction& transaction) {
    transaction.release();
    transaction.mark(stage_, world_.simulation.now());
    transaction.answer(world_.simulation, world_.simulation.now());
  }
  World& world_;
  Duration service_;
  Duration later_;
  bool silent_;
  engine::Lane lane_;
  std::uint64_t arrivals_ = 0;
  double first_ = 0;
  double last_ = 0;
  memory::Stage stage_ = world_.stages.add("slice");
  engine::Handler done_ = engine::handler<&Slice::done>(*this);
};

}  // namespace strata::fabric::test
