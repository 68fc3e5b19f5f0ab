// SPDX-License-Identifier: Apache-2.0
// Host cost of a pass through a cache (lookup, miss, fill, answer) under a streaming load that
// misses everywhere: the L1s and L2 slices of a B200 with a number of lines in flight for each
// core, and a memory of B200's rate behind them. The same run also measures the same events
// without caches: the difference is the work of the caches.
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <vector>

#include "bench.hpp"
#include "cache/cache.hpp"
#include "engine/simulation.hpp"

namespace strata::bench {

namespace {

using memory::Transaction;
using namespace literals;

constexpr std::uint32_t cores = 148;
constexpr std::uint32_t slices = 240;
constexpr std::int64_t cycle = 10;

cache::CacheSpec l1_spec() {
  cache::CacheSpec spec;
  spec.name = "L1";
  spec.size = 217_KiB;
  spec.ways = 4;
  spec.data_pool = cache::DataPoolSpec{512};
  spec.write_policy = cache::WritePolicy::write_through;
  spec.tag_latency = 8_clk;
  spec.hit_latency = 28_clk;
  spec.fill_latency = 12_clk;
  spec.data_width = 128_B_clk;
  spec.lookups_per_clock = 4;
  spec.misses_per_clock = 1;
  spec.input_depth = 32;
  spec.merges_per_mshr = 64;
  return spec;
}

cache::CacheSpec l2_spec() {
  cache::CacheSpec spec;
  spec.name = "L2";
  spec.size = Bytes{550528};
  spec.ways = 17;
  spec.fill_granularity = 64_B;
  spec.performs_atomics = true;
  spec.tag_latency = 12_clk;
  spec.hit_latency = 30_clk;
  spec.fill_latency = 18_clk;
  spec.data_width = 64_B_clk;
  spec.input_depth = 32;
  spec.mshrs = 256;
  spec.merges_per_mshr = 64;
  return spec;
}

std::uint64_t scrambled(std::uint64_t block) { return block * 0x9E3779B97F4A7C15U; }
std::uint32_t slice_of(std::uint64_t block) { return static_cast<std::uint32_t>((scrambled(block) >> 40U) % slices); }

/// A cache, or a block that only forwards requests and answers.
class Wire {
 public:
  explicit Wire(engine::Simulation& simulation) : simulation_(simulation) {}
  void connect(memory::Sink below) { below_ = below; }
  const engine::Handler& input() const { return arrival_; }
  void expect(std::uint64_t) const {}
  void take(Transaction& transaction, Time ready) {
    transaction.return_through(back_);
    below_.take(transaction, ready);
  }

 private:
  void on_arrival(Transaction& transaction) { take(transaction, simulation_.now()); }
  void on_back(Transaction& transaction) { transaction.answer(simulation_, simulation_.now()); }
  engine::Simulation& simulation_;
  memory::Sink below_{};
  engine::Handler arrival_{engine::handler<&Wire::on_arrival>(*this)};
  engine::HandlerNumber back_ = simulation_.number(engine::handler<&Wire::on_back>(*this));
};

std::uint64_t natural(const void* cache, std::uint64_t line) {
  return static_cast<const cache::Cache*>(cache)->design().natural_index(line);
}
std::uint64_t spread(const void*, std::uint64_t line) { return (scrambled(line) >> 20U) % 253; }

/// Cores, L1s, ports, slices, memory. Block: Cache or Wire.
template <class Block>
class Load {
 public:
  /// Every core streams repeatedly over `lines` separate lines.
  Load(std::uint32_t in_flight, std::uint64_t lines) : lines_(lines) {
    for (std::uint32_t s = 0; s < slices; ++s) {
      make(slices_, l2_spec(), {&spread, nullptr});
      slices_.back()->connect(memory::sink<&Load::to_memory>(*this));
      ports_.push_back(
          std::make_unique<engine::Port>(simulation_, "to slice", slices_.back()->input(), Duration{170 * cycle}, 32U));
    }
    for (std::uint32_t c = 0; c < cores; ++c) {
      make(l1s_, l1_spec(), {});
      l1s_.back()->connect(memory::sink<&Load::to_slice>(*this));
      next_.push_back(0);
    }
    for (std::uint32_t i = 0; i < in_flight; ++i) {
      for (std::uint16_t c = 0; c < cores; ++c) {
        transactions_.emplace_back().core = c;
        idle_.push_back(&transactions_.back());
      }
    }
  }

  /// Serves this number of further transactions.
  void run(std::uint64_t transactions) {
    left_ = transactions;
    std::deque<Transaction*> idle;
    idle.swap(idle_);
    for (Transaction* const t : idle) issue(*t);
    simulation_.run();
  }
  std::uint64_t events() const { return simulation_.events_served(); }
  double cycles() const { return static_cast<double>(simulation_.now().ticks) / cycle; }

 private:
  void make(std::vector<std::unique_ptr<Block>>& blocks, const cache::CacheSpec& spec, cache::IndexFunction index) {
    if constexpr (std::is_same_v<Block, Wire>) {
      blocks.push_back(std::make_unique<Wire>(simulation_));
    } else {
      // An L1 is its own index.
      void* const room = ::operator new(sizeof(cache::Cache), std::align_val_t{alignof(cache::Cache)});
      if (index.function == nullptr) index = {&natural, room};
      blocks.emplace_back(new (room) cache::Cache(simulation_, stages_, spec, clock_, index));
    }
  }
  void issue(Transaction& t) {
    if (left_ == 0) return idle_.push_back(&t);
    --left_;
    const std::uint32_t core = t.core;
    const std::uint64_t line = next_[core];
    next_[core] = line + 1 == lines_ ? 0 : line + 1;
    t.block = t.virtual_block = core * lines_ + line;
    t.wanted = t.fetched = memory::all_sectors;
    t.operation = memory::Operation::load;
    t.return_through(answered_);
    l1s_[core]->take(t, simulation_.now());
  }
  void to_slice(Transaction& t, Time ready) {
    t.slice = static_cast<std::uint16_t>(slice_of(t.block));
    slices_[t.slice]->expect(t.block);
    ports_[t.slice]->send(t, ready, Duration{cycle});
  }
  void to_memory(Transaction& t, Time ready) {
    // A port's buffer would be left here.
    const Time start = memory_[t.slice].reserve(ready, Duration{8 * cycle});
    t.release();
    t.answer(simulation_, start + Duration{500 * cycle});
  }
  void on_answer(Transaction& t) { issue(t); }

  engine::Simulation simulation_{Duration{cycle / 2}};
  memory::StageNames stages_;
  engine::Clock clock_{Duration{cycle}};
  std::vector<std::unique_ptr<Block>> l1s_, slices_;
  std::vector<std::unique_ptr<engine::Port>> ports_;
  std::vector<engine::Lane> memory_{slices};
  std::deque<Transaction> transactions_;
  std::deque<Transaction*> idle_;
  std::vector<std::uint64_t> next_;
  std::uint64_t lines_;
  std::uint64_t left_ = 0;
  engine::HandlerNumber answered_ = simulation_.number(engine::handler<&Load::on_answer>(*this));
};

struct Cost {
  double nanoseconds;  ///< of a transaction
  double events;
  double lines_per_clock;
};

template <class Block>
Cost cost(std::uint32_t in_flight, std::uint64_t lines, int repetitions) {
  constexpr std::uint64_t transactions = 3'000'000;
  Load<Block> load(in_flight, lines);
  load.run(transactions);  // fills the caches
  const std::uint64_t events = load.events();
  const double cycles = load.cycles();
  const double seconds = best_seconds(repetitions, [&] { load.run(transactions); });
  const double runs = static_cast<double>(transactions) * repetitions;
  return {seconds / transactions * 1e9, static_cast<double>(load.events() - events) / runs,
          runs / (load.cycles() - cycles)};
}

}  // namespace

std::vector<Figure> cache_figures(int repetitions) {
  std::vector<Figure> figures;
  constexpr std::uint64_t far_too_many = 1U << 14U;  // lines of a core: 2.4 times the L2
  constexpr std::uint64_t some = 1U << 12U;          // 0.6 times the L2, more than an L1
  for (const std::uint32_t in_flight : {64U, 500U}) {
    const Cost misses = cost<cache::Cache>(in_flight, far_too_many, repetitions);
    const Cost hits = cost<cache::Cache>(in_flight, some, repetitions);
    const Cost events = cost<Wire>(in_flight, far_too_many, repetitions);
    const auto add = [&](const char* what, double value, const char* unit) {
      figures.push_back({fmt::format("{}, {} in flight a core", what, in_flight), value, unit});
    };
    add("line missing L1 and L2", misses.nanoseconds, "ns");
    add("events of such a line", misses.events, "");
    add("such lines a clock", misses.lines_per_clock, "");
    add("line hitting L2", hits.nanoseconds, "ns");
    add("events of such a line", hits.events, "");
    add("such lines a clock", hits.lines_per_clock, "");
    add("the events alone", events.nanoseconds, "ns");
    add("events of such a line", events.events, "");
    add("a cache pass", (misses.nanoseconds - events.nanoseconds) / 2, "ns");
  }
  return figures;
}

}  // namespace strata::bench
