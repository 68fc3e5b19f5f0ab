// SPDX-License-Identifier: Apache-2.0
// McCalpin's STREAM operations over arrays in order (McCalpin: Memory Bandwidth and Machine
// Balance, 1995).
#include "trace/streaming.hpp"
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

using Stream = trace::StreamOperation;

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
        .optional("passes", &StreamSize::passes, "passes over the arrays", range(1, 1000000));
  }
};

struct StreamRun {
  StreamSize size;
  Stream operation = Stream::read;
  std::array<std::uint64_t, 3> arrays{};
  std::uint64_t sums = 0;      ///< address of the first thread's
  std::uint64_t accesses = 0;  ///< of the grid to each array in a pass
  std::uint64_t chunks = 0;    ///< of threads x unroll accesses

  unsigned loads() const { return trace::loads_of(operation); }
  bool stores() const { return trace::stores_of(operation) > 0; }
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

constexpr std::string_view stream_places =
    "Arrays a, b, c of `bytes` each, those loaded first. A chunk is B x unroll accesses of `width` "
    "bytes. Block bx takes chunks bx, bx + G, ...; of chunk c thread tx accesses (c unroll + u) B "
    "+ tx for u = 0 .. unroll - 1: first all its loads, then, u by u, the arithmetic on each 4 B "
    "and the store.";

constexpr std::array streaming_table{
    stream_kind<Stream::read>("an array read in order and summed", stream_places),
    stream_kind<Stream::write>("an array written in order", stream_places),
    stream_kind<Stream::copy>("b[i] = a[i]", stream_places),
    stream_kind<Stream::scale>("b[i] = s a[i]", stream_places),
    stream_kind<Stream::add>("c[i] = a[i] + b[i]", stream_places),
    stream_kind<Stream::triad>("c[i] = a[i] + s b[i]", stream_places),
};

}  // namespace

std::span<const KernelKind> streaming_kinds() { return streaming_table; }

}  // namespace strata::kernels
