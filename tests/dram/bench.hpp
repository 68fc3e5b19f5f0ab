// SPDX-License-Identifier: Apache-2.0
// A channel alone on a bench: one tick of simulated time is one command edge,
// requests arrive through a port, answers are recorded.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "dram/channel.hpp"
#include "timing_checker.hpp"
#include "timing_sets.hpp"

namespace strata::dram::test {

struct Access {
  std::uint64_t burst = 0;  ///< number within the channel
  bool write = false;
  std::uint64_t bursts = 1;  ///< neighbours of the same block
  std::uint16_t core = 0;
};

class Bench {
 public:
  explicit Bench(const ChannelSpec& spec, std::uint64_t seed = 1)
      : spec_(spec),
        simulation_(Duration{1}),
        map_(spec.address_map, spec.organisation),
        channel_(simulation_, engine::Clock(Duration{1}), spec, stages_, seed),
        port_(simulation_, "to the channel", channel_.receiver(), Duration{0}, channel_.input_depth()),
        answered_(simulation_.number(engine::handler<&Bench::on_answer>(*this))),
        send_(engine::handler<&Bench::on_send>(*this)) {}

  engine::Simulation& simulation() { return simulation_; }
  Channel& channel() { return channel_; }
  engine::Port& port() { return port_; }
  const AddressMap& map() const { return map_; }
  const memory::StageNames& stages() const { return stages_; }
  std::int64_t per_clock() const { return spec_.timing.ticks_per_clock; }
  double clocks(std::int64_t ticks) const { return static_cast<double>(ticks) / static_cast<double>(per_clock()); }

  /// Sends one access at tick t; its index is that of answers().
  std::size_t send(const Access& access, std::int64_t t) {
    memory::Transaction& transaction = transactions_.emplace_back();
    fill(transaction, access);
    answers_.push_back(-1);
    const auto index = static_cast<std::uint32_t>(answers_.size() - 1);
    transaction.return_through(answered_, index);
    simulation_.at(Time{t}, engine::Priority::arrival, send_, &transaction);
    return index;
  }
  void run() { simulation_.run(); }
  /// Tick of each answer; -1 if there was none.
  const std::vector<std::int64_t>& answers() const { return answers_; }
  memory::Transaction& transaction(std::size_t index) { return transactions_[index]; }

  /// Latency of one access sent alone at tick t (>= now), in clocks.
  double latency(const Access& access, std::int64_t t) {
    const std::size_t index = send(access, t);
    run();
    return clocks(answers_[index] - t);
  }

  struct Result {
    double share;         ///< of the pins' bandwidth
    double mean_latency;  ///< clocks, from entry into the port
  };
  /// Keeps the queue full: accesses k = 0 ... warm + count - 1, counted after warm
  /// until all are answered. Posted writes may be performed later: see run().
  Result saturate(const std::function<Access(std::uint64_t)>& pattern, std::uint64_t warm, std::uint64_t count,
                  std::size_t outstanding = 0) {
    if (outstanding == 0) {
      outstanding = 2 * (spec_.controller.read_queue + spec_.controller.write_queue) + 64;
    }
    pattern_ = &pattern;
    next_ = 0;
    end_ = warm + count;
    std::uint64_t served = 0;
    Time begin = simulation_.now();
    saturated_.clear();
    for (std::size_t i = 0; i < outstanding && next_ < end_; ++i) launch(saturated_.emplace_back());
    std::uint64_t bytes_at_begin = 0;
    while (finished_ < end_ && !simulation_.idle()) {
      simulation_.step();
      if (finished_ == served) continue;
      served = finished_;
      if (served == warm) {
        begin = simulation_.now();
        bytes_at_begin = moved();
      }
    }
    const double ticks = static_cast<double>((simulation_.now() - begin).ticks);
    const double bytes = static_cast<double>(moved() - bytes_at_begin);
    const double peak = static_cast<double>(spec_.organisation.access.value) * spec_.organisation.pseudo_channels /
                        (spec_.timing.burst.value * static_cast<double>(per_clock()));
    return {bytes / ticks / peak, 0};
  }
  std::uint64_t finished() const { return finished_; }

 private:
  void fill(memory::Transaction& transaction, const Access& access) {
    const std::uint64_t per_block = memory::block_bytes / spec_.organisation.access.value;
    const std::uint64_t sectors = spec_.organisation.access.value / memory::sector_bytes;
    transaction.block = access.burst / per_block;
    const std::uint64_t first = access.burst % per_block * sectors;
    transaction.fetched =
        static_cast<memory::SectorMask>(((std::uint64_t{1} << (access.bursts * sectors)) - 1) << first);
    transaction.core = access.core;
    transaction.operation = access.write ? memory::Operation::writeback : memory::Operation::load;
  }
  std::uint64_t moved() {
    const Statistics& s = channel_.statistics();
    return s.bytes_read + s.bytes_written;
  }
  void launch(memory::Transaction& transaction) {
    fill(transaction, (*pattern_)(next_++));
    transaction.return_through(answered_, again);
    port_.send(transaction, simulation_.now(), Duration{0});
  }
  void on_answer(memory::Transaction& transaction) {
    if (transaction.context() != again) {
      answers_[transaction.context()] = simulation_.now().ticks;
      return;
    }
    ++finished_;
    if (next_ < end_) launch(transaction);
  }
  void on_send(memory::Transaction& transaction) { port_.send(transaction, simulation_.now(), Duration{0}); }

  static constexpr std::uint32_t again = 0xFFFFFFFF;
  ChannelSpec spec_;
  engine::Simulation simulation_;
  memory::StageNames stages_;
  AddressMap map_;
  Channel channel_;
  engine::Port port_;
  engine::HandlerNumber answered_;
  engine::Handler send_;
  std::deque<memory::Transaction> transactions_;
  std::deque<memory::Transaction> saturated_;
  std::vector<std::int64_t> answers_;
  const std::function<Access(std::uint64_t)>* pattern_ = nullptr;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t finished_ = 0;
};

// The access patterns of a published comparison of DRAM simulators, with the same seeds and
// formulas.
inline std::function<Access(std::uint64_t)> stream() {
  return [](std::uint64_t k) { return Access{k}; };
}
inline std::function<Access(std::uint64_t)> random_reads(std::uint64_t capacity, std::uint64_t seed = 12345) {
  return [=](std::uint64_t k) { return Access{mix(seed, k) % capacity}; };
}
inline std::function<Access(std::uint64_t)> two_reads_one_write(std::function<Access(std::uint64_t)> of) {
  return [of = std::move(of)](std::uint64_t k) {
    Access access = of(k);
    access.write = k % 3 == 2;
    return access;
  };
}

/// Two arrays read and one written; array a begins a * offset bursts late.
inline std::function<Access(std::uint64_t)> triad(std::uint64_t capacity, std::uint64_t offset) {
  return [=](std::uint64_t k) {
    const std::uint64_t array = k % 3;
    return Access{(array * (capacity / 4 + offset) + k / 3) % capacity, array == 2};
  };
}

}  // namespace strata::dram::test
