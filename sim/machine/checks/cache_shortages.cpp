// SPDX-License-Identifier: Apache-2.0
#include "machine/checks/cache_shortages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strata::machine {

namespace {

double real(std::uint64_t whole) { return static_cast<double>(whole); }
double ns(Cycles cycles, Frequency clock) { return cycles.value / real(clock.value) * 1e9; }
double rate(BytesPerClock width, Frequency clock) { return width.value * real(clock.value); }

/// From a memory-side cache or the last L2 to DRAM and back, on closed rows.
double memory_ns(const MachineSpec& spec) {
  const Frequency clock = spec.memory.channel.timing.clock();
  return spec.memory.latency.value +
         ns(spec.memory.channel.controller.latency + dram::peaks(spec.memory.channel).row_closed, clock);
}

double memory_rate(const MachineSpec& spec) {
  return dram::peaks(spec.memory.channel).bandwidth.value * real(spec.memory.channels_per_die * spec.dies.memory);
}

struct Fetches {
  std::string path;  ///< `l2.cache`
  const cache::CacheSpec& cache;
  double fetch_ns;  ///< of a line, on an idle machine
  double wanted;    ///< bytes a second that one instance could bring in
};

/// Lines under way at random addresses when some set is full of them, which holds up what comes after: of
/// `sets`, the fullest holds about mean + sqrt(2 mean ln sets).
double lines_under_way(double sets, double ways) {
  if (sets <= 1) return sets * ways;
  const double spread = std::sqrt(2 * std::log(sets));
  const double root_of_mean = (std::sqrt(spread * spread + 4 * ways) - spread) / 2;
  return sets * root_of_mean * root_of_mean;
}

void judge(const Fetches& fetches, std::vector<std::string>& out) {
  const cache::CacheSpec& cache = fetches.cache;
  const double mshrs = real(cache.mshr_count());
  const double ways = real(cache.ways);
  double sets = real(cache.lines()) / ways;
  const double lines = std::min(mshrs, lines_under_way(sets, ways));
  const double carried = lines * real(cache.line.value) / fetches.fetch_ns * 1e9;
  constexpr double enough = 0.9;  // fetch times are those of an idle machine
  if (carried >= enough * fetches.wanted) return;
  const bool small = lines < mshrs;
  double needed = std::ceil(fetches.wanted * fetches.fetch_ns * 1e-9 / real(cache.line.value));
  if (small) {
    while (lines_under_way(sets, ways) < needed) sets *= 2;
    needed = sets * ways;
  }
  out.push_back(
      fmt::format("{}: {:.0f} {} of {} B under way, {:.0f} ns each, let an instance fetch {:.3g} of {:.3g} GB/s: {} "
                  "for {:.0f} or more uses all of it",
                  cache.name, lines, small ? "lines" : "MSHRs", cache.line.value, fetches.fetch_ns, carried * 1e-9,
                  fetches.wanted * 1e-9, small ? fetches.path + ".size" : fetches.path + ".mshrs", needed));
}

}  // namespace

std::vector<std::string> cache_shortages(const MachineSpec& spec) {
  std::vector<std::string> out;
  const auto& [core, l2_clock, fabric] = spec.clocks;
  const cache::CacheSpec l1 = spec.l1.chosen();
  const cache::CacheSpec& l2 = spec.l2.cache;
  double into_core = rate(l1.data_width, core);
  if (spec.crossbar.source_response_width.value > 0)
    into_core = std::min(into_core, rate(spec.crossbar.source_response_width, core));
  const double crossing = ns(spec.crossbar.request_latency + spec.crossbar.response_latency, l2_clock);
  const double l1_own = ns(l1.tag_latency + l1.fill_latency, core) + crossing;
  const double l2_own = ns(l2.tag_latency + l2.fill_latency, l2_clock);
  const double crossbar_ports = real(spec.l2.slices_per_die * spec.dies.compute);
  double below_l2 = memory_ns(spec);                  // how long a fetch of a slice takes
  double share = memory_rate(spec) / crossbar_ports;  // and how much of that rate is one slice's
  if (const auto& side = spec.memory_side_cache) {
    const double slices = real(side->slices_per_die * spec.dies.memory);
    below_l2 = side->latency.value + ns(side->cache.hit_latency, fabric);
    share = rate(side->cache.data_width, fabric) * slices / crossbar_ports;
  }
  if (!l1.streaming)
    judge({"l1.cache", l1, l1_own + (spec.l2.bypass ? below_l2 : ns(l2.hit_latency, l2_clock)), into_core}, out);
  if (!spec.l2.bypass) judge({"l2.cache", l2, l2_own + below_l2, std::min(share, rate(l2.data_width, l2_clock))}, out);
  if (const auto& side = spec.memory_side_cache)
    judge({"memory_side_cache.cache", side->cache,
           ns(side->cache.tag_latency + side->cache.fill_latency, fabric) + memory_ns(spec),
           std::min(memory_rate(spec) / real(side->slices_per_die * spec.dies.memory),
                    rate(side->cache.data_width, fabric))},
          out);
  return out;
}

}  // namespace strata::machine
