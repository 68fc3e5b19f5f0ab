// SPDX-License-Identifier: Apache-2.0
// Kernels of atomics and of shared memory: additions to few or many addresses,
// two threads that pass a value back and forth, a histogram with a private copy in
// shared memory, and shared-memory loads at a stride.
#include <algorithm>

#include "base/random.hpp"
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

constexpr std::uint64_t most = std::uint64_t{1} << 36U;

struct Addition {
  std::uint64_t n = std::uint64_t{1} << 20U;
  std::uint64_t addresses = std::uint64_t{1} << 20U;
  std::uint64_t repeats = 16;
  bool returns = false;
  std::uint64_t array = 0;

  static Schema<Addition> schema() {
    return Schema<Addition>("atomic_add", "atomic additions of 4 B to global memory")
        .optional("n", &Addition::n, "threads", range<std::uint64_t>(1, most))
        .optional("addresses", &Addition::addresses, "distinct addresses; thread i adds to i modulo that",
                  range<std::uint64_t>(1, most))
        .optional("repeats", &Addition::repeats, "additions of a thread", range(1, 1000000))
        .optional("returns", &Addition::returns, "whether the old value is returned");
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Addition run = *this;
    Arrays memory;
    run.array = memory.allocate(addresses * word);
    trace::KernelInfo info{"atomic_add", {}, {256, 1, 1}, 16, 0, target.warp_width};
    info.grid.x = static_cast<std::uint32_t>((n + 255) / 256);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Addition>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const Addition& p) {
    const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
    // i modulo addresses takes most of the first 36 instructions.
    for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::constant, reg(6));
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, reg(1));
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::convert, reg(7));
    co_yield w.op(OpClass::special, reg(7), reg(7));
    for (unsigned k = 0; k < 5; ++k) co_yield w.op(OpClass::multiply, reg(1), reg(1), reg(7));
    for (unsigned k = 0; k < 16; ++k) co_yield w.op(OpClass::integer, reg(1), reg(1));
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::control, {}, reg(1));
    co_yield w.op(OpClass::multiply, reg(2, 2), reg(1));
    w.active = w.lanes_where([&](unsigned lane) { return first + lane < p.n; });
    constexpr std::uint64_t at_once = 4;  // what compilers unroll such a loop by
    for (std::uint64_t k = 0; k < p.repeats; k += at_once) {
      const std::uint64_t count = std::min(at_once, p.repeats - k);
      const auto old = [](std::uint64_t u) { return reg(static_cast<std::uint8_t>(5 + u)); };
      for (std::uint64_t u = 0; u < count; ++u) {
        co_yield w.atomic(p.returns ? old(u) : Registers{}, reg(4), word, reg(2, 2)).at([&](unsigned lane) {
          return p.array + (first + lane) % p.addresses * word;
        });
      }
      for (std::uint64_t u = 0; p.returns && u < count; ++u) {
        co_yield w.op(OpClass::integer, reg(9), old(u));
      }
      for (unsigned c = 0; c < 2; ++c) co_yield w.op(OpClass::integer, reg(1), reg(1));
      co_yield w.op(OpClass::control, {}, reg(1));
    }
    co_yield w.exit();
  }
};

struct PingPong {
  std::uint64_t hops = 1000;
  std::uint64_t array = 0;

  static Schema<PingPong> schema() {
    return Schema<PingPong>("atomic_pingpong", "two blocks of one thread on one address")
        .optional("hops", &PingPong::hops, "compare-and-swaps of each block", range(1, 100000000));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    PingPong run = *this;
    Arrays memory;
    run.array = memory.allocate(128);
    trace::KernelInfo info{"atomic_pingpong", {2, 1, 1}, {1, 1, 1}, 16, 0, target.warp_width};
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<PingPong>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const PingPong& p) {
    for (std::uint64_t k = 0; k < p.hops; ++k) {
      co_yield w.atomic(reg(1), reg(1), word, reg(2, 2)).at(p.array, 0);
      co_yield w.op(OpClass::integer, reg(1), reg(1));
      co_yield w.op(OpClass::control, {}, reg(1));
    }
    co_yield w.exit();
  }
};

struct Histogram {
  std::uint64_t n = std::uint64_t{1} << 24U;
  std::uint64_t bins = 256;
  std::uint64_t per_thread = 16;
  std::uint64_t seed = 1;
  bool shared = true;
  std::uint64_t cluster = 1;
  std::array<std::uint64_t, 2> arrays{};  ///< elements, bins

  /// Bins whose counts a block has in its shared memory.
  std::uint64_t part() const { return (bins + cluster - 1) / cluster; }

  static Schema<Histogram> schema() {
    return Schema<Histogram>("histogram", "counts of bins, private to a block, then added up")
        .optional("n", &Histogram::n, "elements, of 4 B", range<std::uint64_t>(1, most))
        .optional("bins", &Histogram::bins, "bins, of 4 B each", range(1, 8192))
        .optional("per_thread", &Histogram::per_thread, "elements of a thread", range(1, 65536))
        .optional("seed", &Histogram::seed, "of the elements", range<std::uint64_t>(0, most))
        .optional("shared", &Histogram::shared,
                  "counts in shared memory first; otherwise only by atomics on the global bins")
        .optional("cluster", &Histogram::cluster, "blocks of a cluster that share the bins in shared memory",
                  range<std::uint64_t>(1, trace::most_cluster))
        .check("cluster",
               [](const Histogram& h) { return h.cluster > 1 && !h.shared ? "is for counts in shared memory" : ""; });
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Histogram run = *this;
    Arrays memory;
    run.arrays = {memory.allocate(n * word), memory.allocate(bins * word)};
    trace::KernelInfo info{
        "histogram", {}, {256, 1, 1}, 24, static_cast<std::uint32_t>(shared ? part() * word : 0), target.warp_width};
    const std::uint64_t in_block = 256 * per_thread;
    info.grid.x = static_cast<std::uint32_t>((n + in_block * cluster - 1) / (in_block * cluster) * cluster);
    info.cluster = static_cast<std::uint32_t>(cluster);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Histogram>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const Histogram& p) {
    const std::uint64_t threads = w.info.block.x;
    const std::uint64_t all = w.active;
    const Registers i = reg(1), pointer = reg(4, 2), bin = reg(3);
    // A function, since GCC 12 evaluates both sides of a condition in co_yield.
    const auto meet = [&] { return p.cluster > 1 ? w.cluster_barrier() : w.barrier(); };
    // The bins that this block has, from this one on.
    const std::uint64_t part = p.part();
    const std::uint64_t first_bin = std::min(w.block.x % p.cluster * part, p.bins);
    const std::uint64_t own = p.shared ? std::min(part, p.bins - first_bin) : 0;
    constexpr std::uint64_t at_once = 4;  // what compilers unroll such a loop by
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::constant, reg(12));
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
    for (unsigned k = 0; k < 8; ++k) co_yield w.op(OpClass::integer, i, i);
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::control, {}, i);
    for (std::uint64_t b = w.first_thread; b < own; b += threads) {
      co_yield w.op(OpClass::integer, bin, bin);
      w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(own - b, 64)));
      co_yield w.store(bin, word).in(Space::shared).at(b * word, word);
    }
    w.active = all;
    if (p.shared) co_yield meet();
    const auto first_of = [&](std::uint64_t k) { return (w.block.x * p.per_thread + k) * threads + w.first_thread; };
    const auto element = [](std::uint64_t u) { return reg(static_cast<std::uint8_t>(6 + u)); };
    const auto lanes_from = [&](std::uint64_t first) {
      return all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(p.n - first, 64)));
    };
    for (std::uint64_t k = 0; k < p.per_thread && first_of(k) < p.n; k += at_once) {
      std::uint64_t loaded = 0;
      for (unsigned c = 0; c < 2; ++c) co_yield w.op(OpClass::integer, pointer, i);
      co_yield w.op(OpClass::multiply, pointer, pointer);
      for (unsigned c = 0; c < 4; ++c) co_yield w.op(OpClass::integer, pointer, pointer);
      for (; loaded < at_once && k + loaded < p.per_thread && first_of(k + loaded) < p.n; ++loaded) {
        const std::uint64_t first = first_of(k + loaded);
        w.active = lanes_from(first);
        co_yield w.load(element(loaded), word, pointer).at(p.arrays[0] + first * word, word);
      }
      for (std::uint64_t u = 0; u < loaded; ++u) {
        const std::uint64_t first = first_of(k + u);
        w.active = lanes_from(first);
        co_yield w.op(OpClass::integer, bin, element(u));
        const auto counted = [&](unsigned lane) {
          const std::uint64_t of_lane = scale_to(mix(p.seed, first + lane), p.bins);
          if (!p.shared) return p.arrays[1] + of_lane * word;
          return of_lane / part * trace::bytes_of_rank + of_lane % part * word;
        };
        const Space space = p.cluster > 1 ? Space::cluster : p.shared ? Space::shared : Space::global;
        co_yield w.atomic({}, element(u), word, bin).in(space).at(counted);
      }
      for (unsigned c = 0; c < 3; ++c) co_yield w.op(OpClass::integer, i, i);
      co_yield w.op(OpClass::control, {}, i);
    }
    w.active = all;
    if (p.shared) {
      co_yield meet();
      co_yield w.op(OpClass::control, {}, i);
      for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::constant, pointer);
      for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::integer, pointer, pointer);
    }
    for (std::uint64_t b = w.first_thread; b < own; b += threads) {
      w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(own - b, 64)));
      co_yield w.load(bin, word).in(Space::shared).at(b * word, word);
      co_yield w.op(OpClass::multiply, pointer, i);
      for (unsigned c = 0; c < 3; ++c) co_yield w.op(OpClass::integer, i, i);
      co_yield w.atomic({}, bin, word, pointer).at(p.arrays[1] + (first_bin + b) * word, word);
      co_yield w.op(OpClass::control, {}, i);
    }
    w.active = all;
    co_yield w.exit();
  }
};

struct SharedStride {
  std::uint64_t stride = 1;
  std::uint64_t width = 4;
  std::uint64_t loads = 1024;
  std::uint64_t blocks = 1;
  std::uint64_t threads = 256;
  bool dependent = false;

  static Schema<SharedStride> schema() {
    return Schema<SharedStride>("shared_stride", "shared-memory loads at a stride")
        .optional("stride", &SharedStride::stride, "words of 4 B from lane to lane", range(0, 64))
        .optional("width", &SharedStride::width, "bytes of a lane: 4, 8 or 16", range(4, 16), config::power_of_two())
        .optional("loads", &SharedStride::loads, "loads of a thread", range(1, 100000000))
        .optional("blocks", &SharedStride::blocks, "blocks of the grid", range(1, 0x7FFFFFFF))
        .optional("threads", &SharedStride::threads, "threads of a block", range(1, 1024))
        .optional("dependent", &SharedStride::dependent, "each load waits for the previous one");
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    const std::uint64_t span = target.warp_width * std::max<std::uint64_t>(stride * word, width);
    trace::KernelInfo info{"shared_stride", {}, {}, 32, static_cast<std::uint32_t>(span), target.warp_width};
    info.grid.x = static_cast<std::uint32_t>(blocks);
    info.block.x = static_cast<std::uint32_t>(threads);
    return std::make_unique<ProgramKernel<SharedStride>>(info, *this, program);
  }

 private:
  static Program program(Warp& w, const SharedStride& p) {
    const auto bytes = static_cast<unsigned>(p.width);
    const auto step = static_cast<std::uint32_t>(p.stride * word);
    for (std::uint64_t k = 0; k < p.loads; ++k) {
      const Registers to = p.dependent ? reg(2, bytes / word) : reg(2 + static_cast<unsigned>(k % 8) * 4, bytes / word);
      co_yield w.load(to, bytes, p.dependent ? to : reg(1)).in(Space::shared).at(0, step);
    }
    co_yield w.exit();
  }
};

constexpr std::array atomic_table{
    kind<Addition>("atomic_add", "atomic additions to global memory",
                   "i = 256 bx + tx < n: `repeats` additions of 4 B to element i modulo `addresses`."),
    kind<PingPong>("atomic_pingpong", "two blocks of one thread, compare-and-swap on one address",
                   "Both threads make `hops` atomics on the same 4 B, each waiting for its answer."),
    kind<Histogram>(
        "histogram", "counts of bins in shared memory, then added to global ones",
        "Bins tx, tx + 256 .. of the block are cleared in shared memory; barrier; for "
        "k < per_thread: i = (bx per_thread + k) 256 + tx: load e[i], add 1 to the "
        "shared word of its bin, a hash of `seed` and i; four k are loaded before they are "
        "counted; barrier; each bin is loaded "
        "and added to the global one. 4 B each. Without `shared`, 1 is added to the global word of the bin. With "
        "`cluster`, block r of a cluster has the bins r p .. r p + p - 1, p = bins / cluster rounded up, and its "
        "blocks "
        "meet where otherwise a block does; 1 is added to word b modulo p of block b / p."),
    kind<SharedStride>("shared_stride", "shared-memory loads at a stride: bank conflicts",
                       "Lane l loads `width` bytes at byte 4 stride l of shared memory, `loads` times."),
};

}  // namespace

std::span<const KernelKind> atomic_kinds() { return atomic_table; }

}  // namespace strata::kernels
