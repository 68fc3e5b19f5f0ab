// SPDX-License-Identifier: Apache-2.0
// Line transactions a second of processor time, on the whole B200: stream_read
// where every line misses every cache, and where all hit the L1. Warm-up is not
// counted; the caches are cold, which does not matter to a stream without reuse.
#include <fmt/format.h>

#include <memory>

#include "bench.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/core_order.hpp"
#include "machine/machine.hpp"
#include "trace/streaming.hpp"

namespace strata::bench {

namespace {

struct Ignore {
  static void on_completion(void*, std::uint32_t, Duration, unsigned) {}
};

// One machine that streams continuously, in pieces of this number of bytes.
class Stream {
 public:
  Stream(const machine::MachineSpec& spec, std::uint64_t bytes_per_core, bool again)
      : machine_(spec), bytes_per_core_(bytes_per_core), again_(again) {}

  // Seconds of processor time for about this number of line transactions.
  double seconds(std::uint64_t transactions) {
    const std::vector<std::uint32_t> cores = machine::core_order(machine_.spec(), "");
    constexpr std::uint64_t warps = 16;
    trace::StreamPattern kernel;
    kernel.lanes = 32;
    kernel.bytes_per_lane = 16;
    kernel.unroll = 8;
    kernel.bytes_per_array = again_ ? bytes_per_core_ : transactions * memory::block_bytes;
    kernel.passes =
        again_ ? std::max<std::uint64_t>(transactions * memory::block_bytes / cores.size() / bytes_per_core_, 1) : 1;
    kernel.arrays[0] = next_;
    if (!again_) next_ += kernel.bytes_per_array;
    std::vector<std::unique_ptr<trace::StreamingWarp>> streams;
    for (std::uint64_t c = 0; c < cores.size(); ++c) {
      for (std::uint64_t w = 0; w < warps; ++w) {
        streams.push_back(std::make_unique<trace::StreamingWarp>(kernel, again_ ? w : c * warps + w,
                                                                 again_ ? warps : cores.size() * warps));
        machine_.start(cores[c], *streams.back(), {&Ignore::on_completion, nullptr});
      }
    }
    const double begun = processor_seconds();
    machine_.run();
    return processor_seconds() - begun;
  }

  // Transactions per second over about this number of them.
  double rate(std::uint64_t transactions) {
    const std::uint64_t before = machine_.meter().transactions();
    const double spent = seconds(transactions);
    return static_cast<double>(machine_.meter().transactions() - before) / spent;
  }

 private:
  machine::Machine machine_;
  std::uint64_t bytes_per_core_;
  bool again_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::vector<Figure> stream_figures(bool long_run) {
  const tools::Library library = tools::Library::beside_program();
  const auto spec = config::load<machine::MachineSpec>(library.gpu("b200"), library.configurations()).spec;
  std::vector<Figure> figures;
  {
    Stream hits(spec, 64U << 10U, true);
    hits.rate(400'000);  // warms the L1s until they hit
    figures.push_back({"b200 stream_read in L1", hits.rate(4'000'000), "transactions/s"});
  }
  Stream misses(spec, 0, false);
  misses.rate(1'500'000);  // fills the L2 once, so that lines are evicted
  const double short_rate = misses.rate(1'000'000);
  figures.push_back({"b200 stream_read to DRAM", short_rate, "transactions/s"});
  if (long_run) {
    const double long_rate = misses.rate(100'000'000);
    figures.push_back({"b200 stream_read to DRAM, 100 M", long_rate, "transactions/s"});
    figures.push_back({"cost of one in 100 M over one in 1 M", short_rate / long_rate, ""});
  }
  return figures;
}

}  // namespace strata::bench
