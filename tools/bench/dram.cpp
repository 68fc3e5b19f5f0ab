// SPDX-License-Identifier: Apache-2.0
// Requests a second of processor time that one DRAM channel serves with its
// queues kept full, and the share of its pins that they fill. Channels are
// those of the presets: HBM3E (H200), HBM2E (A100) and GDDR6 (B580). Requests
// are of 32 B where random or single bursts, else of a block of 128 B.
#include <fmt/format.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "bench.hpp"
#include "config/load.hpp"
#include "dram/channel.hpp"
#include "engine/simulation.hpp"
#include "files/library.hpp"
#include "machine/spec.hpp"

namespace strata::bench {

namespace {

using memory::Transaction;

struct Request {
  std::uint64_t block;
  bool write = false;
  memory::SectorMask sectors = memory::all_sectors;
};
using Pattern = std::function<Request(std::uint64_t)>;

/// One channel, a port in front of it and a number of outstanding requests. A tick
/// is one command edge.
class Load {
 public:
  explicit Load(const dram::ChannelSpec& spec)
      : channel_(simulation_, engine::Clock(Duration{1}), spec, stages_, 1),
        port_(simulation_, "to the channel", channel_.receiver(), Duration{0}, channel_.input_depth()),
        transactions_(2 * (spec.controller.read_queue + spec.controller.write_queue)) {
    for (Transaction& transaction : transactions_) idle_.push_back(&transaction);
  }

  void run(const Pattern& pattern, std::uint64_t requests) {
    pattern_ = &pattern;
    end_ = next_ + requests;
    std::vector<Transaction*> idle;
    idle.swap(idle_);
    for (Transaction* const transaction : idle) issue(*transaction);
    simulation_.run();
  }
  double data_bus_share() { return channel_.data_bus_share(); }
  void reset() { channel_.reset_statistics(); }

 private:
  void issue(Transaction& transaction) {
    if (next_ == end_) return idle_.push_back(&transaction);
    const Request request = (*pattern_)(next_++);
    transaction.block = request.block;
    transaction.fetched = request.sectors;
    transaction.operation = request.write ? memory::Operation::writeback : memory::Operation::load;
    transaction.return_through(answered_);
    port_.send(transaction, simulation_.now(), Duration{0});
  }
  void on_answer(Transaction& transaction) { issue(transaction); }

  engine::Simulation simulation_{Duration{1}};
  memory::StageNames stages_;
  dram::Channel channel_;
  engine::Port port_;
  engine::HandlerNumber answered_ = simulation_.number(engine::handler<&Load::on_answer>(*this));
  std::deque<Transaction> transactions_;
  std::vector<Transaction*> idle_;
  const Pattern* pattern_ = nullptr;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
};

std::uint64_t any_block(std::uint64_t k) { return mix(7, k) >> 40U; }

const std::vector<std::pair<const char*, Pattern>>& patterns() {
  static const std::vector<std::pair<const char*, Pattern>> all{
      {"random bursts read", [](std::uint64_t k) { return Request{any_block(k), false, 1}; }},
      {"bursts streamed",
       [](std::uint64_t k) { return Request{k / 4, false, static_cast<memory::SectorMask>(1U << k % 4)}; }},
      {"blocks streamed", [](std::uint64_t k) { return Request{k}; }},
      {"random blocks read", [](std::uint64_t k) { return Request{any_block(k)}; }},
      {"blocks written", [](std::uint64_t k) { return Request{k, true}; }},
      {"two streams read, one written", [](std::uint64_t k) { return Request{k % 3 * 1'000'003 + k / 3, k % 3 == 2}; }},
      {"one stream read, one written", [](std::uint64_t k) { return Request{k % 2 * 1'000'003 + k / 2, k % 2 == 1}; }},
      {"random blocks, every third written", [](std::uint64_t k) { return Request{any_block(k), k % 3 == 2}; }}};
  return all;
}

}  // namespace

std::vector<Figure> dram_figures(int repetitions) {
  constexpr std::uint64_t requests = 400'000;
  std::vector<Figure> figures;
  const tools::Library library = tools::Library::beside_program();
  for (const char* const gpu : {"h200", "a100", "b580"}) {
    const dram::ChannelSpec spec =
        config::load<machine::MachineSpec>(library.gpu(gpu), library.configurations()).spec.memory.channel;
    for (const auto& [name, pattern] : patterns()) {
      Load load(spec);
      load.run(pattern, requests / 10);
      load.reset();
      const double seconds = best_seconds(repetitions, [&] { load.run(pattern, requests); });
      figures.push_back(
          {fmt::format("{} channel, {}", gpu, name), static_cast<double>(requests) / seconds, "requests/s"});
      figures.push_back({"  of the pins", 100 * load.data_bus_share(), "%"});
    }
  }
  return figures;
}

}  // namespace strata::bench
