// SPDX-License-Identifier: Apache-2.0
// What `bandwidth` answers, as plain data: for each footprint the rate, what
// each level moved against what it could, and how busy each kind of resource
// was; under load, a chaser's latency for each rate that the others inject.
// What follows from these figures is computed here once for all writers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/data.hpp"
#include "stats/kernel_figures.hpp"

namespace strata::report {

using BandwidthLevel = stats::LevelUse;
using BandwidthResource = stats::ResourceUse;

// A view of levels and resources, independent of their owner, and of their limits.
struct Watched {
  std::span<const BandwidthLevel> levels;        // from core to memory
  std::span<const BandwidthResource> resources;  // the busiest kind first
  std::span<const std::string> shortages{};      // as in a BandwidthPoint
  const stats::NamedShare* waits{};              // of warps for most of their time, for what is not memory; or null
  bool queues = false;                           // accesses take much longer than the fastest that went as far

  // The busiest kind of resource; null where none served anything.
  const BandwidthResource* bottleneck() const;
  // The data bus of DRAM where carrying data, turning and waiting for refreshes together
  // leave it next to no time; else null.
  const BandwidthResource* full_bus() const;
  // The kind of the same block as `of` with that name; null where it served nothing.
  const BandwidthResource* beside(const BandwidthResource& of, std::string_view name) const;
  // The level nearest to its peak, where that is next to all of it; else null.
  const BandwidthLevel* level_at_peak() const;
  // Whether a resource had next to no time left, or a level was at its peak. If
  // not, what limits is the bytes in flight: rate is bytes in flight over
  // latency (Little: A Proof for the Queuing Formula, 1961).
  bool saturated() const;
};

// By how much a mean latency exceeds that of the fastest accesses where most of it is waiting in queues.
inline constexpr double queues_from = 1.5;
// Of mean latencies as in a BandwidthPoint.
inline bool queues(double mean, double unhindered) { return unhindered > 0 && mean >= queues_from * unhindered; }

struct BandwidthPoint {
  std::uint64_t footprint_bytes = 0;
  double bytes_per_second = 0;
  double bytes_per_clock_per_core = 0;
  std::uint64_t cores = 0;
  std::uint64_t warps = 0;                      // on each core
  double seconds = 0;                           // watched
  std::uint64_t bytes = 0;                      // moved meanwhile
  std::uint64_t timed_bytes = 0;                // with what is left out at both ends
  std::optional<stats::Steadiness> steadiness;  // none where start and end are timed as well
  std::optional<double> slowest_core;           // what the slowest core moved of the mean
  double mean_latency_ns = 0;
  double unhindered_latency_ns = 0;          // if each took as long as the fastest of its level; 0: not known
  std::vector<BandwidthLevel> levels;        // from core to memory
  std::vector<BandwidthResource> resources;  // the busiest kind first
  std::vector<std::string> shortages;        // buffers that keep a link or slice from its width
  double dram_row_hit_rate = 0;              // NaN where DRAM was not asked
  double dram_bus_utilisation = 0;

  Watched watched() const {
    return {levels, resources, shortages, nullptr, queues(mean_latency_ns, unhindered_latency_ns)};
  }
  // By Little's law, over all cores.
  double bytes_in_flight() const { return bytes_per_second * mean_latency_ns * 1e-9; }
};

// A resource this busy counts as the bottleneck. What arrives in bursts, as all
// traffic of a machine does, leaves a few idle cycles in the fullest lane.
inline constexpr double saturated_from = 0.8;

// "L2 slice data": the kind without numbers and without the die it stands on.
std::string resource_in_words(const BandwidthResource& resource);
// "L2 slice data, busy 97.1 %"; where no resource is saturated but a level is
// at its peak, "DRAM, 91.2 % of its peak"; where nothing is, "bytes in flight;
// busiest: L2 slice data 45.0 %", behind which come the buffers that are too short, or "queues;
// busiest: ..." where accesses wait for each other nonetheless.
std::string bottleneck_in_words(const Watched& watched);

// "yes", or "no: halves differ by 5.2 %" where the window is too short for a rate; "-"
// where start and end are timed as well.
std::string steadiness_in_words(const BandwidthPoint& point);

// The answer of `bandwidth`.
struct BandwidthReport {
  Heading heading;
  std::string title;      // "NVIDIA B200: read bandwidth"
  std::string subtitle;   // the question in words
  std::string operation;  // "read"
  std::vector<BandwidthPoint> points;
  std::vector<CapacityMarker> capacities;
  std::optional<Comparison> comparison;  // in B/s
  std::vector<Setting> settings;
  std::string label = std::string(predicted_label);  // of the curve
};
// The point with the greatest rate, the first of equals; null when none.
const BandwidthPoint* greatest(const std::vector<BandwidthPoint>& points);
// The levels that any point asked, each once, in order of first appearance.
std::vector<std::string> levels_of(const std::vector<BandwidthPoint>& points);
// The level of that name; null when the point has none.
const BandwidthLevel* level_of(const BandwidthPoint& point, const std::string& name);

struct LoadedPoint {
  double injected_bytes_per_second = 0;  // asked for; infinite: not limited
  double bytes_per_second = 0;           // achieved
  double latency_ns = 0;                 // of the chaser
  double latency_cycles = 0;             // of the core clock
  std::uint64_t loads = 0;               // counted
  // Level name and share of these loads it served (0 to 1), from core to memory.
  std::vector<std::pair<std::string, double>> hit_level_shares{};
};

// The answer of `bandwidth --loaded`.
struct LoadedReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::string operation;
  std::uint64_t footprint_bytes = 0;
  std::uint64_t chains = 1;  // of dependent loads, on one core
  std::vector<LoadedPoint> points;
  std::vector<Setting> settings;
  std::string label = std::string(predicted_label);  // of the curve
};

// The unit in which rates are shown to people: GB/s, or TB/s where the largest
// reaches one. Documents for programs are in B/s.
struct RateUnit {
  double bytes_per_second = 1e9;
  std::string name = "GB/s";
  int decimals = 1;

  std::string show(double rate) const;  // without the unit
};
RateUnit rate_unit(double largest);
RateUnit rate_unit(const std::vector<BandwidthPoint>& points);
RateUnit rate_unit(const std::vector<LoadedPoint>& points);

// How an injected rate is shown, in the unit; "max" where it is not limited.
std::string injected_rate(const LoadedPoint& point, const RateUnit& unit);
// Where the loads of the chase are served by other levels than without load: by which, and what that means
// for the curve. Empty where shares agree within 5 % of all loads, or no point is without load.
std::string served_by_note(const LoadedReport& report);

// A comparison in B/s, in the unit.
Comparison in(const RateUnit& unit, Comparison comparison);

}  // namespace strata::report
