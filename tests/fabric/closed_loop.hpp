// SPDX-License-Identifier: Apache-2.0
// Cores that each keep a number of requests in flight to random slices, sending the next as
// soon as one is answered, until each has completed its share; and slices that accept a block
// in a number of cycles and answer a fixed time later, like a cache: a request keeps its entry
// until its data are read.
#pragma once
#include <algorithm>
#include <memory>

#include "base/random.hpp"
#include "fabric/crossbar.hpp"
#include "fabric_fixture.hpp"

namespace strata::fabric::test {

class PipelinedSlice {
 public:
  PipelinedSlice(World& world, double service, double latency)
      : world_(world), service_(world.clock.cycles(service)), latency_(world.clock.cycles(latency)) {}
  engine::Handler handler() { return engine::handler<&PipelinedSlice::arrived>(*this); }
  memory::Sink sink() { return memory::sink<&PipelinedSlice::take>(*this); }

 private:
  void take(memory::Transaction& transaction, Time) { arrived(transaction); }
  void arrived(memory::Transaction& transaction) {
    const Time start = lane_.reserve(world_.simulation.now(), service_);
    if (start == world_.simulation.now()) {
      transaction.release();
    } else {
      world_.simulation.at(start, engine::Priority::completion, read_, &transaction);
    }
    transaction.answer(world_.simulation, start + latency_);
  }
  void read(memory::Transaction& transaction) { transaction.release(); }
  World& world_;
  Duration service_;
  Duration latency_;
  engine::Lane lane_;
  engine::Handler read_ = engine::handler<&PipelinedSlice::read>(*this);
};

struct Load {
  std::uint32_t in_flight = 64;  ///< of each core
  std::uint32_t share = 4000;    ///< requests of each core
  memory::Operation operation = memory::Operation::load;
  double preparation = 0;  ///< cycles from announcing a request to its being ready
};

/// A crossbar under such a load.
class ClosedLoop : public World {
 public:
  ClosedLoop(const CrossbarSpec& spec, const CrossbarShape& shape, double service, double latency,
             std::vector<std::uint32_t> cores, const Load& load)
      : load_(load), slices_of_(shape.destinations), cores_(std::move(cores)) {
    std::vector<engine::Handler> handlers;
    for (std::uint32_t i = 0; i < shape.destinations; ++i)
      handlers.push_back(slices_.emplace_back(*this, service, latency).handler());
    crossbar = std::make_unique<Crossbar>(simulation, clock, spec, shape, handlers, stages, "xbar");
    left_.resize(shape.sources, load.share);
    finished.resize(shape.sources);
    answered_.resize(shape.sources);
  }
  void run() {
    start();
    simulation.run();
  }
  /// Only so many cycles of it.
  void run_until(double cycles) {
    start();
    simulation.run_until(Time{} + clock.cycles(cycles));
  }
  std::uint64_t answers() const { return answers_; }
  std::uint64_t answered_to(std::uint32_t core) const { return answered_[core]; }
  /// When the last core had done its share, in cycles.
  double last() const { return *std::max_element(finished.begin(), finished.end()); }
  /// Bytes a cycle of all cores together, from the first answer to the last.
  double rate() const { return static_cast<double>((answers_ - 1) * memory::block_bytes) / (last() - first_); }

  std::unique_ptr<Crossbar> crossbar;
  std::vector<double> finished;  ///< by core: when its last request was answered

 private:
  void start() {
    for (std::uint32_t i = 0; i < load_.in_flight; ++i) {
      for (const std::uint32_t core : cores_) {
        memory::Transaction& transaction = transactions_.emplace_back();
        transaction.core = static_cast<std::uint16_t>(core);
        send(transaction);
      }
    }
  }
  void send(memory::Transaction& transaction) {
    if (left_[transaction.core] == 0) return;
    --left_[transaction.core];
    transaction.operation = load_.operation;
    transaction.return_through(on_answer_);
    crossbar->send(transaction, transaction.core, static_cast<std::uint32_t>(random_.below(slices_of_)),
                   simulation.now() + clock.cycles(load_.preparation));
  }
  void answered(memory::Transaction& transaction) {
    if (answers_++ == 0) first_ = now();
    ++answered_[transaction.core];
    finished[transaction.core] = now();
    send(transaction);
  }
  Load load_;
  std::uint64_t slices_of_;
  std::vector<std::uint32_t> cores_;
  std::deque<PipelinedSlice> slices_;
  std::deque<memory::Transaction> transactions_;
  std::vector<std::uint32_t> left_;
  std::uint64_t answers_ = 0;
  std::vector<std::uint64_t> answered_;  ///< by core
  double first_ = 0;
  RandomSequence random_{5};
  engine::HandlerNumber on_answer_ = simulation.number(engine::handler<&ClosedLoop::answered>(*this));
};

inline std::vector<std::uint32_t> all_of(std::uint32_t cores) {
  std::vector<std::uint32_t> all(cores);
  for (std::uint32_t i = 0; i < cores; ++i) all[i] = i;
  return all;
}

}  // namespace strata::fabric::test
