// SPDX-License-Identifier: Apache-2.0
// A cache between two mock neighbours: a core that sends requests and notes
// the answers, and a memory that answers everything after a fixed time.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "cache/cache.hpp"

namespace strata::cache::test {

inline bool drained(const Cache& cache) { return cache.in_flight().drained(cache.statistics()); }

using memory::Operation;
using memory::Transaction;
using namespace literals;

/// No hash, which makes conflicts easy to arrange.
inline std::uint64_t natural(const void* cache, LineNumber line) {
  return static_cast<const Cache*>(cache)->design().natural_index(line);
}

struct Memory {
  struct Request {
    std::uint64_t block;
    SectorMask sectors;
    Operation operation;
    Time ready;
  };
  engine::Simulation& simulation;
  Duration latency;
  memory::Stage stage;
  std::vector<Request> requests{};
  bool silent = false;  ///< keeps what it gets, until released
  std::deque<Transaction*> kept{};

  void take(Transaction& t, Time ready) {
    requests.push_back({t.block, t.operation == Operation::load ? t.fetched : t.wanted, t.operation, ready});
    t.release();
    if (silent) return kept.push_back(&t);
    answer(t, ready);
  }
  void answer(Transaction& t, Time ready) {
    t.mark(stage, ready + latency);
    t.answer(simulation, ready + latency);
  }
  void let_go() {
    Transaction& t = *kept.front();
    kept.pop_front();
    answer(t, simulation.now());
  }
  std::size_t count(Operation operation) const {
    std::size_t n = 0;
    for (const Request& r : requests) n += r.operation == operation ? 1 : 0;
    return n;
  }
};

struct Bench {
  struct Answer {
    std::uint64_t block;
    Time at;
    Duration latency;
    const memory::Journey* journey;
    Time issued;
  };

  explicit Bench(CacheSpec spec, Duration memory_latency = Duration{1000}, std::uint32_t depth = 0)
      : below{simulation, memory_latency, stages.add("memory")},
        cache(simulation, stages, spec, clock, {&natural, &cache}, 7),
        port(simulation, "core to cache", cache.input(), Duration{0},
             depth != 0 ? depth : static_cast<std::uint32_t>(spec.input_depth)) {
    cache.connect(memory::sink<&Memory::take>(below));
  }

  Transaction& request(std::uint64_t block, SectorMask sectors = memory::all_sectors,
                       Operation operation = Operation::load) {
    transactions.push_back(std::make_unique<Transaction>());
    Transaction& t = *transactions.back();
    t.block = t.virtual_block = block;
    t.wanted = t.fetched = sectors;
    t.operation = operation;
    journeys.push_back(std::make_unique<memory::Journey>());
    t.journey = journeys.back().get();
    t.return_through(answered);
    return t;
  }
  /// Sends through the port, at an instant.
  Transaction& send(std::uint64_t block, Time at, SectorMask sectors = memory::all_sectors,
                    Operation operation = Operation::load) {
    Transaction& t = request(block, sectors, operation);
    t.ready = at;
    simulation.at(at, engine::Priority::arrival, launch, &t);
    return t;
  }
  /// A single request; returns its latency.
  Duration alone(std::uint64_t block, SectorMask sectors = memory::all_sectors, Operation operation = Operation::load) {
    send(block, simulation.now(), sectors, operation);
    simulation.run();
    return answers.back().latency;
  }
  void run() { simulation.run(); }
  std::vector<std::uint64_t> order() const {
    std::vector<std::uint64_t> blocks;
    for (const Answer& a : answers) blocks.push_back(a.block);
    return blocks;
  }

  static constexpr Duration cycle{10};
  engine::Simulation simulation{Duration{4}};
  memory::StageNames stages;
  engine::Clock clock{cycle};
  Memory below;
  Cache cache;
  engine::Port port;
  std::vector<std::unique_ptr<Transaction>> transactions;
  std::vector<std::unique_ptr<memory::Journey>> journeys;
  std::vector<Answer> answers;
  engine::HandlerNumber answered = simulation.number(engine::handler<&Bench::on_answer>(*this));
  engine::Handler launch{engine::handler<&Bench::on_launch>(*this)};

  void on_answer(Transaction& t) {
    answers.push_back({t.block, simulation.now(), simulation.now() - t.issued, t.journey, t.issued});
  }
  void on_launch(Transaction& t) {
    t.issued = simulation.now();
    t.journey->begin(t.issued);
    port.send(t, simulation.now(), Duration{0});
  }
};

/// 4 sets of 4 ways, write-through, one request a clock, a whole line a clock.
inline CacheSpec small_spec() {
  CacheSpec spec;
  spec.name = "L1";
  spec.size = Bytes{4 * 4 * 128};
  spec.ways = 4;
  spec.write_policy = WritePolicy::write_through;
  spec.write_allocate = WriteAllocate::none;
  spec.tag_latency = 4_clk;
  spec.hit_latency = 20_clk;
  spec.fill_latency = 3_clk;
  spec.data_width = 128_B_clk;
  spec.mshrs = 8;
  return spec;
}
inline CacheSpec write_back_spec() {
  CacheSpec spec = small_spec();
  spec.name = "L2";
  spec.write_policy = WritePolicy::write_back;
  spec.write_allocate = WriteAllocate::sector;
  return spec;
}

}  // namespace strata::cache::test
