// SPDX-License-Identifier: Apache-2.0
// Links of real packages under full load: each carries its width, there, back
// and both ways at once, with the depth that it chooses for itself.
#include <deque>
#include <memory>

#include "base/random.hpp"
#include "catch.hpp"
#include "closed_loop.hpp"
#include "fabric/die_network.hpp"

namespace strata::fabric {
namespace {

using memory::Operation;
using test::PipelinedSlice;
using test::World;

LinkSpec link(std::uint32_t from, std::uint32_t to, BytesPerSecond bandwidth, double latency) {
  LinkSpec spec;
  spec.from = from;
  spec.to = to;
  spec.bandwidth = bandwidth;
  spec.latency = Nanoseconds{latency};
  return spec;
}

/// Streams of blocks from die to die, each with enough in flight, for a while.
class Streams : public World {
 public:
  Streams(const DieNetworkSpec& spec, std::uint32_t nodes, double latency = 100) {
    network =
        std::make_unique<DieNetwork>(processes, timebase, clock, spec, nodes, std::span<const std::uint32_t>{}, stages);
    for (std::uint32_t i = 0; i < nodes; ++i) network->attach(i, slices_.emplace_back(*this, 0.001, latency).sink());
  }
  struct Stream {
    std::uint32_t from;
    std::uint32_t to;
    Operation operation = Operation::load;
    std::uint32_t in_flight = 16384;
    std::uint64_t answers = 0;
  };
  void add(const Stream& stream) { streams_.push_back(stream); }
  /// Bytes a second of each stream, between the two instants in nanoseconds.
  std::vector<BytesPerSecond> rates(double from, double until) {
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {
      for (std::uint32_t i = 0; i < streams_[s].in_flight; ++i) {
        memory::Transaction& transaction = transactions_.emplace_back();
        transaction.core = static_cast<std::uint16_t>(s);
        send(transaction);
      }
    }
    run_until(from);
    std::vector<std::uint64_t> before;
    for (const Stream& stream : streams_) before.push_back(stream.answers);
    run_until(until);
    std::vector<BytesPerSecond> rates;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const auto blocks = static_cast<double>(streams_[s].answers - before[s]);
      rates.push_back({blocks * memory::block_bytes / (until - from) * 1e9});
    }
    return rates;
  }
  std::unique_ptr<DieNetwork> network;

 private:
  void run_until(double nanoseconds) {
    while (now() < nanoseconds) simulation.step();
  }
  void send(memory::Transaction& transaction) {
    const Stream& stream = streams_[transaction.core];
    transaction.operation = stream.operation;
    transaction.home_die = static_cast<std::uint8_t>(stream.to);
    transaction.return_through(on_answer_);
    network->send(transaction, stream.from, simulation.now());
  }
  void answered(memory::Transaction& transaction) {
    ++streams_[transaction.core].answers;
    send(transaction);
  }
  std::deque<PipelinedSlice> slices_;
  std::vector<Stream> streams_;
  std::deque<memory::Transaction> transactions_;
  engine::HandlerNumber on_answer_ = simulation.number(engine::handler<&Streams::answered>(*this));
};

struct Part {
  BytesPerSecond bandwidth;
  double latency;
};

TEST_CASE("a_link_reaches_its_width_there_back_and_both_ways") {
  GIVEN("the side-to-side path of H200, NV-HBI, MI250X's and Ponte Vecchio's links") {
    const Part part = GENERATE(Part{{1.27e12}, 35.4}, Part{{5e12}, 82}, Part{{200e9}, 100}, Part{{230e9}, 100});
    DieNetworkSpec spec;
    spec.links = {link(0, 1, part.bandwidth, part.latency)};
    const double data_share = 128.0 / (128 + 16);  // of a message with its request's header
    const double until = 8000 + 4e15 / part.bandwidth.value;
    Streams bench(spec, 2);
    CHECK(bench.network->shortages().empty());
    WHEN("one die reads") {
      bench.add({0, 1});
      CHECK(bench.rates(until / 2, until)[0].value == Approx(part.bandwidth.value).epsilon(0.005));
    }
    WHEN("one die writes") {
      bench.add({0, 1, Operation::store});
      CHECK(bench.rates(until / 2, until)[0].value == Approx(part.bandwidth.value * data_share).epsilon(0.005));
    }
    WHEN("both read, so that each way carries answers and the other's requests") {
      bench.add({0, 1});
      bench.add({1, 0});
      for (const BytesPerSecond rate : bench.rates(until / 2, until))
        CHECK(rate.value == Approx(part.bandwidth.value * data_share).epsilon(0.005));
    }
  }
}

// Dies 0 1 above 2 3; east-west links first.
DieNetworkSpec mi300x() {
  DieNetworkSpec spec;
  spec.links = {link(0, 1, {1.2e12}, 12), link(2, 3, {1.2e12}, 12), link(0, 2, {1.5e12}, 12), link(1, 3, {1.5e12}, 12)};
  return spec;
}

TEST_CASE("the_links_of_a_mesh_bound_what_a_die_can_draw") {
  Streams bench(mi300x(), 4);
  WHEN("one die reads all three others") {
    for (const std::uint32_t other : {1U, 2U, 3U}) bench.add({0, other});
    const auto rates = bench.rates(20000, 60000);
    THEN("what comes from the east and the diagonal shares a link, or the south one, fully used") {
      // The answer from 3 returns on the path of its request: 3>1, 1>0.
      CHECK(rates[0].value + rates[2].value == Approx(1.2e12).epsilon(0.005));
      CHECK(rates[1].value == Approx(1.5e12).epsilon(0.005));
    }
  }
  WHEN("a die reads the diagonal one alone") {
    bench.add({0, 3});
    CHECK(bench.rates(20000, 60000)[0].value == Approx(1.2e12).epsilon(0.005));
    THEN("the links on its way name themselves, and no other is used") {
      stats::Collector collector;
      bench.network->collect(collector);
      const auto busy = [&](const char* name) {
        const stats::Figure* figure = collector.snapshot().find(name);
        REQUIRE(figure != nullptr);
        return static_cast<double>(figure->value) / 1000 / bench.now();  // 1000 ticks a ns
      };
      CHECK(busy("link 1>0") > 0.98);
      CHECK(busy("link 3>1") == Approx(1.2 / 1.5).epsilon(0.04));
      CHECK(busy("link 2>0") == 0);
      CHECK(collector.snapshot().find("link 1>0/bytes")->value > 60000 * 1100);
    }
  }
}

TEST_CASE("balanced_routes_use_all_links_into_a_die") {
  DieNetworkSpec spec = mi300x();
  spec.routing = RouteRule::balanced;
  // Only data have a size, so traffic in one direction does not affect the other.
  spec.request_header = Bytes{0};
  const auto total = [](const std::vector<BytesPerSecond>& rates, std::size_t from) {
    return rates[from].value + rates[from + 1].value + rates[from + 2].value;
  };
  Streams bench(spec, 4);
  for (const std::uint32_t other : {1U, 2U, 3U}) bench.add({0, other});
  WHEN("one die reads the three others, as much as they give") {
    const auto rates = bench.rates(20000, 60000);
    THEN("both links into it are full: 1.2 and 1.5 TB/s") { CHECK(total(rates, 0) == Approx(2.7e12).epsilon(0.01)); }
  }
  WHEN("the die at the diagonal does so too") {
    for (const std::uint32_t other : {0U, 1U, 2U}) bench.add({3, other});
    const auto rates = bench.rates(20000, 60000);
    THEN("neither loses anything, as its data go the other way") {
      CHECK(total(rates, 0) == Approx(2.7e12).epsilon(0.01));
      CHECK(total(rates, 3) == Approx(2.7e12).epsilon(0.01));
    }
  }
}

TEST_CASE("a_die_reads_its_diagonal_over_both_routes") {
  DieNetworkSpec spec = mi300x();
  spec.routing = RouteRule::balanced;
  spec.request_header = Bytes{0};
  Streams bench(spec, 4);
  bench.add({0, 3});
  // Over the row first: 1.2; over the column first: 1.2, that of the other row.
  CHECK(bench.rates(20000, 60000)[0].value == Approx(2.4e12).epsilon(0.01));
}

TEST_CASE("a_link_to_a_host_node_is_a_path_to_host_memory") {
  GIVEN("a GPU die, and a host behind PCIe 4.0 x8 at 700 ns with memory of 200 ns") {
    DieNetworkSpec spec;
    spec.links = {link(0, 1, {15.75e9}, 700)};
    spec.links[0].name = "PCIe";
    spec.request_header = Bytes{16};
    Streams bench(spec, 2, 200);
    WHEN("the GPU reads with 256 blocks in flight") {
      bench.add({0, 1, Operation::load, 256});
      THEN("it has the link's width") { CHECK(bench.rates(20000, 200000)[0].value == Approx(15.75e9).epsilon(0.01)); }
    }
    WHEN("it has 32 in flight, less than the link holds") {
      bench.add({0, 1, Operation::load, 32});
      THEN("Little's law gives the rate: 4 KiB per round trip and the time of its headers") {
        const double least = 700 + 200 + 700;
        const double rate = bench.rates(20000, 200000)[0].value;
        CHECK(rate < 32 * 128 / least * 1e9);
        CHECK(rate > 0.8 * 32 * 128 / least * 1e9);
      }
    }
  }
}

TEST_CASE("a_link_limited_by_its_depth_is_reported") {
  DieNetworkSpec spec;
  spec.links = {link(0, 1, {1.28e12}, 50)};  // 10 B/ns: 500 blocks in flight
  const auto shortages = [&](std::uint32_t depth) {
    spec.links[0].depth = depth;
    return Streams(spec, 2).network->shortages();
  };
  CHECK(shortages(0).empty());
  CHECK(shortages(500).empty());
  CHECK(shortages(250) ==
        std::vector<std::string>{"link 0>1: 250 buffer entries at its end limit it to 50 % of its width: depth of 500 "
                                 "or more, or 0 for enough, reaches the full width"});
}

TEST_CASE("a_link_too_shallow_for_its_width_is_limited_by_its_entries") {
  DieNetworkSpec spec;
  spec.request_header = Bytes{0};
  spec.links = {link(0, 1, {1.28e12}, 50)};
  spec.links[0].depth = 100;
  Streams bench(spec, 2);
  bench.add({0, 1, Operation::store});
  // A place is held over the flight alone here: 100 blocks each 50 ns, a fifth of 500.
  CHECK(bench.rates(2000, 20000)[0].value == Approx(1.28e12 / 5).epsilon(0.01));
}

}  // namespace
}  // namespace strata::fabric
