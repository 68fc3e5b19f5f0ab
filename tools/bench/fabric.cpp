// SPDX-License-Identifier: Apache-2.0
// Host cost of a loaded network: every core keeps a number of loads of whole blocks in flight
// to random slices, each of which serves one after the other. One side of a B200 and a link
// between two dies; the slices are minimal, so that the network is measured.
#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "bench.hpp"
#include "fabric/crossbar.hpp"
#include "fabric/die_network.hpp"

namespace strata::bench {

namespace {

constexpr std::uint64_t hertz = 1'696'000'000;

struct World {
  engine::Timebase timebase{std::vector<std::uint64_t>{hertz, hertz * 2520}};
  engine::Clock clock = timebase.clock(hertz);
  engine::Processes processes{1, Duration{1260}};
  engine::Simulation& simulation = processes[0];
  memory::StageNames stages;
};

/// Serves a block every `service` cycles and answers a fixed time later.
class Slice {
 public:
  Slice(World& world, double service)
      : world_(world), service_(world.clock.cycles(service)), latency_(world.clock.cycles(30)) {}
  engine::Handler handler() { return engine::handler<&Slice::arrived>(*this); }
  memory::Sink sink() { return memory::sink<&Slice::take>(*this); }

 private:
  void take(memory::Transaction& transaction, Time) { arrived(transaction); }
  void arrived(memory::Transaction& transaction) {
    const Time start = lane_.reserve(world_.simulation.now(), service_);
    if (start == world_.simulation.now()) {
      transaction.release();
    } else {
      world_.simulation.at(start, engine::Priority::completion, entered_, &transaction);
    }
    transaction.answer(world_.simulation, start + latency_);
  }
  void entered(memory::Transaction& transaction) { transaction.release(); }

  World& world_;
  Duration service_;
  Duration latency_;
  engine::Lane lane_;
  engine::Handler entered_ = engine::handler<&Slice::entered>(*this);
};

/// Sends each transaction again as soon as it is answered, until enough were.
class Requesters {
 public:
  using Send = void (*)(void* self, memory::Transaction& transaction, RandomSequence& random);
  Requesters(World& world, std::uint32_t cores, std::uint32_t in_flight, Send send, void* self)
      : world_(world), send_(send), self_(self), transactions_(std::size_t{cores} * in_flight) {
    for (std::size_t i = 0; i < transactions_.size(); ++i)
      transactions_[i].core = static_cast<std::uint16_t>(i % cores);
  }
  void run(std::uint64_t count) {
    left_ = count;
    for (memory::Transaction& transaction : transactions_) again(transaction);
    world_.simulation.run();
  }

 private:
  void again(memory::Transaction& transaction) {
    if (left_ == 0) return;
    --left_;
    transaction.return_through(on_answer_);
    send_(self_, transaction, random_);
  }
  World& world_;
  Send send_;
  void* self_;
  RandomSequence random_{1};
  std::uint64_t left_ = 0;
  std::vector<memory::Transaction> transactions_;
  engine::HandlerNumber on_answer_ = world_.simulation.number(engine::handler<&Requesters::again>(*this));
};

struct Cost {
  double nanoseconds;
  double events;
};

Cost cost_of(World& world, Requesters& requesters, int repetitions) {
  constexpr std::uint64_t count = 400'000;
  requesters.run(count);
  const std::uint64_t before = world.simulation.events_served();
  const double seconds = best_seconds(repetitions, [&] { requesters.run(count); });
  const std::uint64_t events = world.simulation.events_served() - before;
  return {seconds / count * 1e9, static_cast<double>(events) / static_cast<double>(count) / repetitions};
}

Cost crossbar_cost(int repetitions) {
  constexpr std::uint32_t cores = 74;
  constexpr std::uint32_t slices = 120;
  World world;
  fabric::CrossbarSpec spec;
  spec.request_latency = Cycles{98};
  spec.response_latency = Cycles{98};
  spec.span = Cycles{30};
  spec.source_request_width = BytesPerClock{32};
  spec.source_response_width = BytesPerClock{128};
  spec.group_response_width = BytesPerClock{1500};
  spec.depth = 256;
  std::deque<Slice> servers;
  std::vector<engine::Handler> handlers;
  for (std::uint32_t i = 0; i < slices; ++i) handlers.push_back(servers.emplace_back(world, 2).handler());
  fabric::Crossbar crossbar(world.simulation, world.clock, spec, {cores, 20, slices}, handlers, world.stages,
                            "crossbar");
  const auto send = [](void* self, memory::Transaction& transaction, RandomSequence& random) {
    transaction.operation = memory::Operation::load;
    transaction.fetched = memory::all_sectors;
    auto& bench = *static_cast<std::pair<World*, fabric::Crossbar*>*>(self);
    bench.second->send(transaction, transaction.core, static_cast<std::uint32_t>(random.below(slices)),
                       bench.first->simulation.now());
  };
  std::pair<World*, fabric::Crossbar*> parts{&world, &crossbar};
  Requesters requesters(world, cores, 256, send, &parts);
  return cost_of(world, requesters, repetitions);
}

Cost link_cost(int repetitions) {
  World world;
  fabric::DieNetworkSpec spec;
  fabric::LinkSpec& link = spec.links.emplace_back();
  link.to = 1;
  link.bandwidth = BytesPerSecond{5e12};
  link.latency = Nanoseconds{70};
  link.depth = 8192;
  fabric::DieNetwork network(world.processes, world.timebase, world.clock, spec, 2, std::vector<std::uint32_t>{},
                             world.stages);
  std::deque<Slice> servers;
  for (std::uint32_t i = 0; i < 2; ++i) network.attach(i, servers.emplace_back(world, 0.02).sink());
  const auto send = [](void* self, memory::Transaction& transaction, RandomSequence&) {
    transaction.operation = memory::Operation::load;
    transaction.fetched = memory::all_sectors;
    auto& bench = *static_cast<std::pair<World*, fabric::DieNetwork*>*>(self);
    transaction.home_die = transaction.core == 0 ? 1 : 0;
    bench.second->send(transaction, transaction.core, bench.first->simulation.now());
  };
  std::pair<World*, fabric::DieNetwork*> parts{&world, &network};
  Requesters requesters(world, 2, 8192, send, &parts);
  return cost_of(world, requesters, repetitions);
}

}  // namespace

std::vector<Figure> fabric_figures(int repetitions) {
  const Cost crossbar = crossbar_cost(repetitions);
  const Cost link = link_cost(repetitions);
  return {
      {"loaded crossbar, a transaction there and back", crossbar.nanoseconds, "ns"},
      {"loaded crossbar, events", crossbar.events, ""},
      {"loaded die link, a transaction there and back", link.nanoseconds, "ns"},
      {"loaded die link, events", link.events, ""},
  };
}

}  // namespace strata::bench
