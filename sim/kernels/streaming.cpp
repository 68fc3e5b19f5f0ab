// SPDX-License-Identifier: Apache-2.0
// Kernels that go over arrays in order: McCalpin's STREAM operations
// (McCalpin: Memory Bandwidth and Machine Balance, 1995), and three of the
// kernels that were measured on silicon: vector addition, repeated copies and
// the sum of an array. The numbers of instructions of those three are those of
// the machine code that was measured.
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;

constexpr std::uint64_t word = 4;

enum class Stream : std::uint8_t { read, write, copy, scale, add, triad };

struct StreamSize {
  Bytes bytes = 64_MiB;
  std::uint64_t width = 16;
  std::uint64_t threads = 256;
  std::uint64_t unroll = 4;
  std::optional<std::uint64_t> blocks;
  std::uint64_t passes = 1;
  bool sums = false;  ///< of stream_read

  static Schema<StreamSize> fields(const std::string& name) {
    return Schema<StreamSize>(name, "arrays read and written in order")
        .optional("bytes", &StreamSize::bytes, "size of each array", range(4_KiB, 1024 * 1_GiB))
        .optional("width", &StreamSize::width, "bytes that a lane accesses at once: 4, 8 or 16", range(4, 16),
                  config::power_of_two())
        .optional("threads", &StreamSize::threads, "threads of a block", range(32, 1024))
        .optional("unroll", &StreamSize::unroll, "accesses of a thread to each array under way", range(1, 8))
        .optional("blocks", &StreamSize::blocks,
                  "blocks of the grid, which take chunks in turn; none: one for each chunk", range(1, 0x7FFFFFFF))
        .optional("passes", &StreamSize::passes, "times that the arrays are gone over", range(1, 1000000));
  }
};

struct StreamRun {
  StreamSize size;
  Stream operation = Stream::read;
  std::array<std::uint64_t, 3> arrays{};
  std::uint64_t sums = 0;      ///< address of the first thread's
  std::uint64_t accesses = 0;  ///< of the grid to each array in a pass
  std::uint64_t chunks = 0;    ///< of threads x unroll accesses

  unsigned loads() const { return operation == Stream::write ? 0 : operation >= Stream::add ? 2 : 1; }
  bool stores() const { return operation != Stream::read; }
};

// Chunk c, place u, thread t: access (c x unroll + u) x threads + t of each array.
Program stream(Warp& w, const StreamRun& run) {
  const StreamSize& size = run.size;
  const auto width = static_cast<unsigned>(size.width);
  const unsigned words = width / word;
  const unsigned loads = run.loads();
  const unsigned arrays = loads + (run.stores() ? 1 : 0);
  const Registers index = reg(1);
  const Registers sum = reg(2);
  const auto pointer = [](unsigned array) { return reg(4 + 2 * array, 2); };
  const auto data = [&](unsigned u, unsigned array) {
    return reg(10 + (u * std::max(loads, 1U) + array) * words, words);
  };
  const std::uint64_t all = w.active;
  const std::uint64_t grid = w.info.grid.x;
  co_yield w.op(OpClass::system, index);
  co_yield w.op(OpClass::system, sum);
  co_yield w.op(OpClass::multiply, index, index, sum);
  for (std::uint64_t pass = 0; pass < size.passes; ++pass) {
    for (std::uint64_t chunk = w.block.x; chunk < run.chunks; chunk += grid) {
      for (unsigned a = 0; a < arrays; ++a) co_yield w.op(OpClass::multiply, pointer(a), index);
      const auto access = [&](unsigned u) { return (chunk * size.unroll + u) * size.threads + w.first_thread; };
      const auto reach = [&](unsigned u) {
        const std::uint64_t first = access(u);
        const std::uint64_t left = run.accesses > first ? run.accesses - first : 0;
        return all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(left, 64)));
      };
      for (unsigned u = 0; u < size.unroll; ++u) {
        w.active = reach(u);
        for (unsigned a = 0; a < loads; ++a)
          co_yield w.load(data(u, a), width, pointer(a)).at(run.arrays[a] + access(u) * width, width);
      }
      for (unsigned u = 0; u < size.unroll; ++u) {
        w.active = reach(u);
        for (unsigned i = 0; i < words && loads > 0 && run.operation != Stream::copy; ++i) {
          const Registers first = reg(data(u, 0).first + i);
          const Registers second = loads > 1 ? reg(data(u, 1).first + i) : Registers{};
          if (run.operation == Stream::read)
            co_yield w.op(OpClass::fp32, sum, sum, first, {}, 1);
          else
            co_yield w.op(OpClass::fp32, first, first, second, {}, run.operation == Stream::triad ? 2 : 1);
        }
        if (run.stores())
          co_yield w.store(loads > 0 ? data(u, 0) : sum, width, pointer(loads))
              .at(run.arrays[loads] + access(u) * width, width);
      }
      w.active = all;
      co_yield w.op(OpClass::integer, index, index);
      co_yield w.op(OpClass::integer, {}, index);
      co_yield w.op(OpClass::control);
    }
  }
  if (size.sums)
    co_yield w.store(sum, word, index)
        .at(run.sums + (std::uint64_t{w.block.x} * size.threads + w.first_thread) * word, word);
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> build_stream(const StreamSize& size, Stream operation, const char* name,
                                            const Target& target) {
  StreamRun run{size, operation, {}, 0, 0, 0};
  run.accesses = size.bytes.value / size.width;
  const std::uint64_t in_chunk = size.threads * size.unroll;
  run.chunks = (run.accesses + in_chunk - 1) / in_chunk;
  Arrays arrays;
  for (unsigned a = 0; a < run.loads() + (run.stores() ? 1U : 0U); ++a)
    run.arrays[a] = arrays.allocate(size.bytes.value);
  trace::KernelInfo info;
  info.name = name;
  info.grid.x = static_cast<std::uint32_t>(std::min<std::uint64_t>(size.blocks.value_or(run.chunks), 0xFFFFFFFFU));
  info.block.x = static_cast<std::uint32_t>(size.threads);
  if (size.sums) run.sums = arrays.allocate(std::uint64_t{info.grid.x} * size.threads * word);
  info.registers_per_thread = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(32, 16 + size.unroll * std::max(run.loads(), 1U) * size.width / word));
  info.warp_width = target.warp_width;
  info.regions = arrays.regions();
  return std::make_unique<ProgramKernel<StreamRun>>(info, run, stream);
}

// One struct for each operation, since a row of the table is one.
template <Stream operation>
struct StreamParameters : StreamSize {
  static constexpr std::array names{"stream_read", "stream_write", "copy", "scale", "add", "triad"};
  static constexpr const char* own_name = names[static_cast<std::size_t>(operation)];
  static Schema<StreamSize> schema() {
    Schema<StreamSize> all = fields(own_name);
    if constexpr (operation == Stream::read)
      all.optional("sums", &StreamSize::sums, "whether each thread stores its sum, of 4 B, to an array b at its end");
    return all;
  }
};

template <Stream operation>
constexpr KernelKind stream_kind(std::string_view meaning, std::string_view streams) {
  using Own = StreamParameters<operation>;
  return {Own::own_name, meaning, streams, [] { return Own::schema().info(); },
          [](const std::vector<std::string>& settings, const Target& target) {
            return build_stream(read_parameters(settings, Own::schema()), operation, Own::own_name, target);
          }};
}

struct VectorAddition {
  std::uint64_t n = std::uint64_t{1} << 26U;
  std::array<std::uint64_t, 3> arrays{};

  static Schema<VectorAddition> schema() {
    return Schema<VectorAddition>("vecadd", "c[i] = a[i] + b[i]")
        .optional("n", &VectorAddition::n, "elements of each array, of 4 B",
                  range<std::uint64_t>(1, std::uint64_t{1} << 36U));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 20 instructions a warp, as measured.
Program vector_addition(Warp& w, const VectorAddition& p) {
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  co_yield w.op(OpClass::constant, reg(1));
  co_yield w.op(OpClass::system, reg(2));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::constant, reg(3));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::multiply, reg(2), reg(2), reg(3));
  co_yield w.op(OpClass::integer, {}, reg(2));
  w.active = w.lanes_where([&](unsigned lane) { return first + lane >= p.n; });
  co_yield w.exit();
  w.active = all & ~w.active;
  if (w.active == 0) co_return;
  co_yield w.op(OpClass::constant, reg(4, 2));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::constant, reg(6, 2));
  co_yield w.op(OpClass::multiply, reg(4, 2), reg(2), reg(4, 2));
  co_yield w.load(reg(10), word, reg(4, 2)).at(p.arrays[0] + first * word, word);
  co_yield w.op(OpClass::multiply, reg(6, 2), reg(2), reg(6, 2));
  co_yield w.load(reg(11), word, reg(6, 2)).at(p.arrays[1] + first * word, word);
  co_yield w.op(OpClass::constant, reg(8, 2));
  co_yield w.op(OpClass::multiply, reg(8, 2), reg(2), reg(8, 2));
  co_yield w.op(OpClass::fp32, reg(10), reg(10), reg(11), {}, 1);
  co_yield w.store(reg(10), word, reg(8, 2)).at(p.arrays[2] + first * word, word);
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> VectorAddition::build(const Target& target) const {
  VectorAddition run = *this;
  Arrays memory;
  for (std::uint64_t& array : run.arrays) array = memory.allocate(n * word);
  trace::KernelInfo info{"vecadd", {}, {256, 1, 1}, 16, 0, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>((n + 255) / 256);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<VectorAddition>>(info, run, vector_addition);
}

struct RepeatedCopy {
  Bytes bytes = 40_MiB;
  std::uint64_t passes = 20;
  std::uint64_t blocks = 1056;
  std::array<std::uint64_t, 2> arrays{};

  static Schema<RepeatedCopy> schema() {
    return Schema<RepeatedCopy>("copy_passes", "an array copied again and again in one launch")
        .optional("bytes", &RepeatedCopy::bytes, "size of source and destination together", range(4_KiB, 1024 * 1_GiB))
        .optional("passes", &RepeatedCopy::passes, "times that it is copied", range(1, 1000000))
        .optional("blocks", &RepeatedCopy::blocks, "blocks of 256 threads", range(1, 0x7FFFFFFF));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 13 instructions a warp, 11 (8 where the warp has nothing to do) a pass and 7 an
// element, as measured.
Program repeated_copy(Warp& w, const RepeatedCopy& p) {
  constexpr unsigned width = 16;
  const std::uint64_t elements = p.bytes.value / (2 * width);
  const std::uint64_t step = p.blocks * w.info.block.x;
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  const Registers i = reg(1), from = reg(4, 2), to = reg(6, 2), value = reg(8, 4);
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::constant, reg(2));
  for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::integer, i, i, reg(2));
  for (std::uint64_t pass = 0; pass < p.passes; ++pass) {
    const bool any = first < elements;
    for (unsigned k = 0; k < (any ? 10U : 7U); ++k) co_yield w.op(OpClass::integer, reg(3), i);
    co_yield w.op(OpClass::control);
    for (std::uint64_t e = first; e < elements; e += step) {
      w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(elements - e, 64)));
      co_yield w.op(OpClass::multiply, from, reg(3));
      co_yield w.load(value, width, from).at(p.arrays[0] + e * width, width);
      co_yield w.op(OpClass::multiply, to, reg(3));
      co_yield w.op(OpClass::integer, reg(3), reg(3));
      co_yield w.op(OpClass::integer, {}, reg(3));
      co_yield w.store(value, width, to).at(p.arrays[1] + e * width, width);
      co_yield w.op(OpClass::control);
    }
    w.active = all;
  }
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> RepeatedCopy::build(const Target& target) const {
  RepeatedCopy run = *this;
  Arrays memory;
  for (std::uint64_t& array : run.arrays) array = memory.allocate(bytes.value / 2);
  trace::KernelInfo info{"copy_passes", {}, {256, 1, 1}, 32, 0, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>(blocks);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<RepeatedCopy>>(info, run, repeated_copy);
}

struct Reduction {
  std::uint64_t n = std::uint64_t{1} << 28U;
  std::uint64_t blocks = 1056;
  std::array<std::uint64_t, 2> arrays{};

  static Schema<Reduction> schema() {
    return Schema<Reduction>("reduction", "the sum of an array, one partial sum a block")
        .optional("n", &Reduction::n, "elements, of 4 B", range<std::uint64_t>(1, std::uint64_t{1} << 36U))
        .optional("blocks", &Reduction::blocks, "blocks of 256 threads", range(1, 0x7FFFFFFF));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 69 instructions a warp, 5 more in the first of a block and 6 an element, as
// measured. The tree halves the threads that add eight times; the warps that
// have none issue the same instructions with every lane masked.
Program reduction(Warp& w, const Reduction& p) {
  const std::uint64_t step = p.blocks * w.info.block.x;
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  const Registers i = reg(1), sum = reg(2), value = reg(3), pointer = reg(4, 2), other = reg(6);
  for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::constant, pointer);
  for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 13; ++k) co_yield w.op(OpClass::integer, i, i);
  for (std::uint64_t e = first; e < p.n; e += step) {
    w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(p.n - e, 64)));
    co_yield w.op(OpClass::multiply, pointer, i);
    co_yield w.load(value, word, pointer).at(p.arrays[0] + e * word, word);
    co_yield w.op(OpClass::integer, i, i);
    co_yield w.op(OpClass::integer, {}, i);
    co_yield w.op(OpClass::fp32, sum, value, sum, {}, 1);
    co_yield w.op(OpClass::control);
  }
  w.active = all;
  const std::uint64_t mine = std::uint64_t{w.first_thread} * word;
  co_yield w.store(sum, word).in(Space::shared).at(mine, word);
  co_yield w.barrier();
  for (std::uint32_t half = w.info.block.x / 2; half > 0; half /= 2) {
    co_yield w.op(OpClass::integer, {}, i);
    w.active = w.lanes_where([&](unsigned lane) { return w.thread(lane) < half; });
    co_yield w.load(value, word).in(Space::shared).at(mine, word);
    co_yield w.load(other, word).in(Space::shared).at(mine + half * word, word);
    co_yield w.op(OpClass::fp32, value, value, other, {}, 1);
    co_yield w.store(value, word).in(Space::shared).at(mine, word);
    w.active = all;
    co_yield w.barrier();
  }
  if (w.number == 0) {
    w.active = 1;
    co_yield w.op(OpClass::constant, pointer);
    co_yield w.load(value, word).in(Space::shared).at(0, word);
    co_yield w.op(OpClass::integer, pointer, pointer);
    co_yield w.op(OpClass::integer, pointer, pointer);
    co_yield w.store(value, word, pointer).at(p.arrays[1] + w.block.x * word, word);
    w.active = all;
  }
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> Reduction::build(const Target& target) const {
  Reduction run = *this;
  Arrays memory;
  run.arrays = {memory.allocate(n * word), memory.allocate(blocks * word)};
  trace::KernelInfo info{"reduction", {}, {256, 1, 1}, 32, 256 * word, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>(blocks);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<Reduction>>(info, run, reduction);
}

constexpr std::string_view stream_places =
    "Arrays a, b, c of `bytes` each, those loaded first. A chunk is B x unroll accesses of `width` "
    "bytes. Block bx takes chunks bx, bx + G, ...; of chunk c thread tx accesses (c unroll + u) B "
    "+ tx for u = 0 .. unroll - 1: first all its loads, then, u by u, the arithmetic on each 4 B "
    "and the store.";

constexpr std::array rows{
    stream_kind<Stream::read>("an array read in order and summed", stream_places),
    stream_kind<Stream::write>("an array written in order", stream_places),
    stream_kind<Stream::copy>("b[i] = a[i]", stream_places),
    stream_kind<Stream::scale>("b[i] = s a[i]", stream_places),
    stream_kind<Stream::add>("c[i] = a[i] + b[i]", stream_places),
    stream_kind<Stream::triad>("c[i] = a[i] + s b[i]", stream_places),
    kind<VectorAddition>("vecadd", "c[i] = a[i] + b[i], one element a thread",
                         "i = 256 bx + tx: load a[i], load b[i], store c[i]; 4 B each. 20 instructions a warp."),
    kind<RepeatedCopy>("copy_passes", "an array copied again and again in one launch",
                       "In each pass, for i = 256 bx + tx, in steps of 256 G, below bytes / 32: load s[i], store "
                       "d[i]; 16 B each. No barrier between passes. 13 instructions a warp, 11 a pass (8 where i "
                       "is too large from the start), 7 an element."),
    kind<Reduction>("reduction", "the sum of an array, one partial sum a block",
                    "For i = 256 bx + tx, in steps of 256 G, below n: load a[i], 4 B. Then a tree "
                    "in shared memory: word tx is stored; for h = 128, 64 .. 1 and tx < h, words "
                    "tx and tx + h are loaded and word tx is stored, with a barrier each; thread 0 "
                    "stores part[bx]. 69 instructions a warp, 6 an element, 5 more in warp 0."),
};

}  // namespace

std::span<const KernelKind> streaming_kinds() { return rows; }

}  // namespace strata::kernels
