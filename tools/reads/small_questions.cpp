// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "files/workload.hpp"
#include "reads/readers.hpp"
#include "study/activity.hpp"
#include "study/bandwidth/loaded.hpp"
#include "study/journey/journey.hpp"
#include "study/run/run.hpp"

namespace strata::tools {

namespace {

using machine::MachineSpec;

MachineSpec as_it_is(MachineSpec spec) { return spec; }

SmallQuestion chase(std::string name, const study::LatencyQuestion& question, std::uint64_t bytes) {
  return {std::move(name), study::activity_of(question), [=](const MachineSpec& spec) {
            const study::LatencyPoint point = study::measure_latency(spec, question, bytes);
            return SmallAnswer{point.fingerprint, point.latency_ns};
          }};
}

SmallQuestion stream(std::string name, const MachineSpec& plain, const study::BandwidthQuestion& question,
                     std::uint64_t bytes, MachineSpec (*of)(MachineSpec) = as_it_is) {
  return {std::move(name), study::activity_of(question, plain), [=](const MachineSpec& spec) {
            const study::BandwidthPoint point = study::measure_bandwidth(of(spec), question, bytes);
            return SmallAnswer{point.fingerprint, point.bytes_per_second};
          }};
}

// Caches of a few sets, so that little traffic reaches memory and evicts.
MachineSpec with_small_caches(MachineSpec spec) {
  const auto shrink = [](cache::CacheSpec& cache) {
    if (!cache.data_pool)
      cache.size = Bytes{std::min<std::uint64_t>(cache.size.value, 4 * cache.ways * cache.line.value)};
  };
  shrink(spec.l2.cache);
  if (spec.memory_side_cache) shrink(spec.memory_side_cache->cache);
  return spec;
}

// Two cores a die, so that little work fills them.
MachineSpec with_few_cores(MachineSpec spec) {
  spec.dies.cores_per_die = std::min<std::uint64_t>(spec.dies.cores_per_die, 2);
  spec.dies.cores_per_group = std::min<std::uint64_t>(spec.dies.cores_per_group, 2);
  spec.dies.group_sizes.clear();
  return with_small_caches(spec);
}

SmallQuestion kernel(const std::string& text, MachineSpec (*of)(MachineSpec) = as_it_is) {
  return {"run " + text, study::activity_of_kernels(), [=](const MachineSpec& given) {
            const MachineSpec spec = of(given);
            trace::LaunchList list;
            list.push_back(open_kernel(text, study::target_of(spec)));
            const study::RunResult result = study::measure_run(spec, list, {});
            return SmallAnswer{result.fingerprint, result.seconds};
          }};
}

}  // namespace

bool SmallAnswer::same_as(const SmallAnswer& other) const {
  return fingerprint == other.fingerprint && figure == other.figure;
}

bool SmallAnswer::near(const SmallAnswer& other) const {
  return std::abs(figure - other.figure) <= 2e-3 * std::abs(figure);
}

std::vector<SmallQuestion> small_questions(const MachineSpec& spec) {
  std::vector<SmallQuestion> all;
  {
    study::JourneyQuestion cold;
    cold.address = 0x1234580;
    all.push_back({"explain, cold", study::activity_of(cold.load), [cold](const MachineSpec& asked) {
                     const study::JourneyAnswer answer = study::follow(asked, cold);
                     return SmallAnswer{answer.fingerprint, answer.total_ns};
                   }});
  }
  study::LatencyQuestion one;
  one.timed_loads = 64;
  all.push_back(chase("latency", one, 4096));
  study::LatencyQuestion many = one;
  many.threads = 8;
  many.timed_loads = 512;
  all.push_back(chase("latency, 8 threads", many, 512U << 10U));
  study::LatencyQuestion pages = many;
  pages.stride = Bytes{2U << 20U};
  all.push_back(chase("latency, a page apart", pages, 512U << 20U));
  study::LatencyQuestion vector = one;
  vector.lanes = spec.core.warp_width;
  vector.bytes_per_lane = 16;
  vector.cache_operator = memory::CacheOperator::cg;
  all.push_back(chase("latency, wide, cg", vector, 64U << 10U));
  for (const trace::Space space :
       {trace::Space::shared, trace::Space::scalar, trace::Space::texture, trace::Space::cluster, trace::Space::bulk}) {
    if ((space == trace::Space::scalar && !spec.scalar_cache) ||
        (space == trace::Space::texture && !spec.texture_cache) ||
        (space == trace::Space::cluster && !spec.core.cluster) || (space == trace::Space::bulk && !spec.core.bulk_copy))
      continue;
    study::LatencyQuestion other = one;
    other.space = space;
    const std::string name = fmt::format("latency, {}", trace::spaces[static_cast<std::size_t>(space)]);
    all.push_back(chase(name, other, 4096));
    if (!trace::within_cores(space)) all.push_back(chase(name + ", far", other, 256U << 10U));
  }
  study::BandwidthQuestion read;
  read.cores = std::min<std::uint64_t>(4, spec.dies.compute * spec.dies.cores_per_die);
  read.timed_bytes = 256U << 10U;
  all.push_back(stream("bandwidth read", spec, read, 512U << 10U));
  study::BandwidthQuestion copy = read;
  copy.operation = trace::StreamOperation::copy;
  all.push_back(stream("bandwidth copy", spec, copy, 512U << 10U));
  study::BandwidthQuestion shared = read;
  shared.space = trace::Space::shared;
  all.push_back(stream("bandwidth, shared", spec, shared, 32U << 10U));
  if (spec.core.cluster) {
    shared.space = trace::Space::cluster;
    all.push_back(stream("bandwidth, cluster", spec, shared, 32U << 10U));
  }
  if (spec.core.bulk_copy) {
    study::BandwidthQuestion tiles = read;
    tiles.space = trace::Space::bulk;
    all.push_back(stream("bandwidth, bulk", spec, tiles, 512U << 10U));
  }
  if (spec.host) {
    study::BandwidthQuestion host = read;
    host.home = study::Home::host;
    host.timed_bytes = 16U << 10U;
    host.warps = 2;
    host.cores = 1;
    all.push_back(stream("bandwidth, host", spec, host, 64U << 10U));
    host.timed_bytes = 64U << 10U;
    all.push_back(stream("bandwidth, host, small caches", spec, host, 1U << 20U, with_small_caches));
  }
  all.push_back({"bandwidth --loaded", study::activity_of(read, spec, true), [read](const MachineSpec& asked) {
                   study::BandwidthQuestion question = read;
                   const study::LoadedPoint point = study::measure_loaded(asked, question, 1U << 20U, 1e10);
                   return SmallAnswer{point.fingerprint, point.latency_ns};
                 }});
  all.push_back(kernel("vecadd,n=16384"));
  all.push_back(kernel("gather,n=4096"));
  all.push_back(kernel("transpose_tiled,n=64"));
  all.push_back(kernel("sgemm_tiled,n=32"));
  all.push_back(kernel("histogram,n=4096"));
  all.push_back(kernel("copy,bytes=512KiB", with_small_caches));
  all.push_back(kernel("vecadd,n=32768", with_few_cores));
  all.push_back(kernel("transpose_tiled,n=256", with_few_cores));
  all.push_back(kernel("sgemm_tiled,n=64", with_few_cores));
  all.push_back(kernel("scatter,n=8192", with_few_cores));
  return all;
}

}  // namespace strata::tools
