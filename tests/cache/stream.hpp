// SPDX-License-Identifier: Apache-2.0
// A cache under full load: a fixed number of requests in flight, each answer issuing the next
// request at once, in front of a memory that answers after a fixed time and has no other bound.
#pragma once
#include <deque>
#include <functional>

#include "cache_bench.hpp"

namespace strata::cache::test {

class Stream {
 public:
  /// next: fills in block, sectors, operation and operator of request number n.
  using Next = std::function<void(std::uint64_t n, Transaction& transaction)>;

  Stream(const CacheSpec& spec, Duration memory_latency, Next next)
      : cache_(simulation_, stages_, spec, clock_, {&natural, &cache_}, 7),
        port_(simulation_, "to cache", cache_.input(), Duration{0}, static_cast<std::uint32_t>(spec.input_depth)),
        latency_(memory_latency),
        next_(std::move(next)) {
    cache_.connect(memory::sink<&Stream::to_memory>(*this));
  }

  /// Runs this number of requests, with this number in flight.
  void run(std::uint64_t requests, std::uint64_t in_flight) {
    to_go_ = requests;
    answered_count_ = 0;
    begun_ = simulation_.now();
    for (std::uint64_t i = 0; i < in_flight && i < requests; ++i) issue(transactions_.emplace_back());
    simulation_.run();
    transactions_.clear();
  }
  double cycles() const {
    return static_cast<double>((last_answer_ - begun_).ticks) / static_cast<double>(cycle.ticks);
  }
  std::uint64_t answered() const { return answered_count_; }
  std::uint32_t most_below() const { return most_below_; }
  const Cache& cache() const { return cache_; }
  const engine::Port& port() const { return port_; }
  static constexpr Duration cycle{12};

  std::uint64_t sectors_read_below = 0;  ///< as memory saw them
  std::uint64_t sectors_stored_below = 0;

 private:
  void issue(Transaction& transaction) {
    if (to_go_ == 0) return;
    --to_go_;
    transaction.operation = Operation::load;
    transaction.wanted = memory::all_sectors;
    next_(issued_++, transaction);
    transaction.virtual_block = transaction.block;
    transaction.fetched = transaction.wanted;
    transaction.return_through(answered_);
    port_.send(transaction, simulation_.now(), Duration{0});
  }
  void to_memory(Transaction& transaction, Time ready) {
    const bool reads = transaction.operation == Operation::load || transaction.operation == Operation::atomic;
    (reads ? sectors_read_below : sectors_stored_below) +=
        strata::cache::count(reads ? transaction.fetched : transaction.wanted);
    transaction.release();
    if (++below_ > most_below_) most_below_ = below_;
    transaction.return_through(come_back_);
    transaction.answer(simulation_, ready + latency_);
  }
  void on_come_back(Transaction& transaction) {
    --below_;
    transaction.answer(simulation_, simulation_.now());
  }
  void on_answered(Transaction& transaction) {
    ++answered_count_;
    last_answer_ = simulation_.now();
    issue(transaction);
  }

  engine::Simulation simulation_{Duration{4}};
  memory::StageNames stages_;
  engine::Clock clock_{cycle};
  Cache cache_;
  engine::Port port_;
  Duration latency_;
  Next next_;
  std::deque<Transaction> transactions_;
  std::uint64_t issued_ = 0, to_go_ = 0, answered_count_ = 0;
  std::uint32_t below_ = 0, most_below_ = 0;
  Time begun_{}, last_answer_{};
  engine::HandlerNumber answered_ = simulation_.number(engine::handler<&Stream::on_answered>(*this));
  engine::HandlerNumber come_back_ = simulation_.number(engine::handler<&Stream::on_come_back>(*this));
};

}  // namespace strata::cache::test
