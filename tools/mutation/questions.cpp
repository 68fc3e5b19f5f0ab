// SPDX-License-Identifier: Apache-2.0
#include "questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/schema/scalar.hpp"
#include "machine/levels.hpp"

namespace strata::mutation {

namespace {

// Beyond this a stream that spills the last cache takes seconds to warm up.
constexpr std::uint64_t largest_cache_streamed = 32U << 20U;

std::string in_words(std::uint64_t bytes) { return config::show_number(Bytes{bytes}); }

study::LatencyReading chase(std::uint64_t footprint, trace::Space space) {
  study::LatencyReading reading{{}, {}, footprint, {}};
  reading.question.space = space;
  reading.question.timed_loads = 2048;
  return reading;
}

study::BandwidthReading stream(trace::StreamOperation operation, std::uint64_t footprint, study::Sharing sharing,
                               std::uint64_t timed) {
  study::BandwidthReading reading{{}, {}, footprint, {}};
  reading.question.operation = operation;
  reading.question.sharing = sharing;
  reading.question.timed_bytes = timed;
  return reading;
}

study::KernelReading kernel(const char* text) { return {{}, {text, {}}, 0, {}}; }

}  // namespace

std::vector<StandardQuestion> standard_questions(const machine::MachineSpec& spec) {
  const std::vector<machine::Capacity> levels = machine::capacities(spec);
  const std::uint64_t page = 4096;
  const auto half = [&](std::size_t level) { return levels[level].bytes / 2 / page * page; };
  const std::uint64_t l1 = std::max(levels[0].bytes / 4 / page, std::uint64_t{1}) * page;
  const std::uint64_t l2 = std::min(half(1), std::uint64_t{2} << 20U);
  std::vector<StandardQuestion> all;
  all.push_back({"latency of shared memory", chase(4096, trace::Space::shared)});
  all.push_back({fmt::format("latency of L1, {}", in_words(l1)), chase(l1, trace::Space::global)});
  all.push_back({fmt::format("latency of L2, {}", in_words(l2)), chase(l2, trace::Space::global)});
  all.push_back({"kernel pointer_chase,bytes=64MiB,loads=1024", kernel("pointer_chase,bytes=64MiB,loads=1024")});
  all.push_back({"kernel sgemm_tiled,n=128", kernel("sgemm_tiled,n=128")});
  all.push_back({"kernel atomic_add,n=65536", kernel("atomic_add,n=65536,addresses=16384,repeats=4")});
  all.push_back({"kernel transpose_naive,n=256", kernel("transpose_naive,n=256")});
  // The reads of one core do not depend on the number of reading cores.
  study::BandwidthReading of_l1 =
      stream(trace::StreamOperation::read, l1, study::Sharing::each, std::uint64_t{64} << 10U);
  of_l1.question.cores = 4;
  all.push_back({fmt::format("read within L1 of four cores, {}", in_words(l1)), of_l1});
  using trace::StreamOperation;
  // A number of cores whose L1s do not hold the footprint; all cores would take seconds.
  constexpr std::uint32_t few = 16;
  const std::uint64_t past_l1 =
      std::min(half(1), std::max(std::uint64_t{2} << 20U, 2 * few * levels[0].bytes / page * page));
  study::BandwidthReading of_l2 =
      stream(StreamOperation::read, past_l1, study::Sharing::split, std::uint64_t{2} << 20U);
  of_l2.question.cores = few;
  of_l2.question.placement = spec.placement;  // the first of it, which share the port of a group
  all.push_back({fmt::format("read within L2 by sixteen cores, {}", in_words(past_l1)), of_l2});
  all.push_back({fmt::format("copy within L2, {}", in_words(l2)),
                 stream(StreamOperation::copy, l2, study::Sharing::split, std::uint64_t{2} << 20U)});
  all.push_back({"kernel stream_read,bytes=4MiB", kernel("stream_read,bytes=4MiB")});
  std::uint64_t last = levels.back().bytes;
  if (!spec.memory_side_cache && !spec.l2.partitioned) last *= spec.dies.compute;
  // So far past it that its ways and its index have no part in the answer.
  if (last <= largest_cache_streamed)
    all.push_back({fmt::format("copy in memory, {}", in_words(4 * last)),
                   stream(StreamOperation::copy, 4 * last, study::Sharing::split, std::uint64_t{16} << 20U)});
  return all;
}

double figure(const study::Answer& answer) {
  return std::visit(
      [](const auto& point) {
        using Kind = std::decay_t<decltype(point)>;
        if constexpr (std::is_same_v<Kind, study::LatencyPoint>)
          return point.latency_ns * 1e-9;
        else if constexpr (std::is_same_v<Kind, study::BandwidthPoint>)
          return point.bytes_per_second;
        else if constexpr (std::is_same_v<Kind, std::vector<study::HandoffPoint>>)
          return std::accumulate(point.begin(), point.end(), 0.0,
                                 [](double sum, const auto& pair) { return sum + pair.ns; }) /
                 static_cast<double>(point.size()) * 1e-9;
        else
          return point.seconds;
      },
      answer);
}

}  // namespace strata::mutation
