// SPDX-License-Identifier: Apache-2.0
// Small bandwidth reports with round figures.
#pragma once

#include "report/bandwidth/bandwidth.hpp"
#include "report/level_sample.hpp"
#include "report/sample.hpp"

namespace strata::report::sample {

inline BandwidthReport bandwidth() {
  BandwidthReport report;
  report.heading = {"0.1.0", "b200", "00ff"};
  report.title = "B200 read bandwidth";
  report.subtitle = "read by all cores";
  report.operation = "read";
  BandwidthPoint small;
  small.footprint_bytes = 1 << 20;
  small.bytes_per_second = 2e12;
  small.bytes_per_clock_per_core = 100;
  small.cores = 10;
  small.warps = 64;
  small.seconds = 1e-6;
  small.bytes = 2000000;
  small.mean_latency_ns = 50;
  small.levels = {level("L1", {100, 400, 75, 25, 1500000, 500000}, 2e12, 2.5e12, 0.8), level("DRAM", {}, 0, 4e12, 0)};
  small.resources = {{"core */L1/data", "core 3/L1/data", 0.97, 0.99, 10},
                     {"die */crossbar/slice * response", "die 0/crossbar/slice 1 response", 0.5, 0.75, 4}};
  small.dram_row_hit_rate = none;
  small.steadiness = stats::Steadiness{true, 0.005};
  BandwidthPoint large = small;
  large.steadiness.reset();
  large.footprint_bytes = 1 << 30;
  large.bytes_per_second = 5e11;
  large.bytes_per_clock_per_core = 25;
  large.levels[0] = level("L1", {100, 400, 0, 100, 500000, 0}, 5e11, 2.5e12, 0.2);
  large.levels[1] = level("DRAM", {50, 100, 45, 5, 500000, 0}, 5e11, 4e12, 0.125);
  large.resources = {{"network/side to side", "network/side to side", 0.45, 0.5, 2}};
  large.dram_row_hit_rate = 0.9;
  large.dram_bus_utilisation = 0.125;
  report.points = {small, large};
  report.capacities = {{2 * MiB, "all L1"}};
  report.comparison = Comparison{"mine.csv", "B/s", {{1 << 20, 1e12, 2e12}}};
  report.settings = {{"l1.size", "216 KiB", "b200.yaml:7"}};
  return report;
}

inline LoadedReport loaded() {
  LoadedReport report;
  report.heading = {"0.1.0", "b200", "00ff"};
  report.title = "B200 under load";
  report.subtitle = "read by all cores";
  report.operation = "read";
  report.footprint_bytes = 1 << 30;
  report.points = {{0, 0, 500, 1000, 160, {{"L2", 0}, {"DRAM", 1}}},
                   {2e11, 2e11, 625.5, 1251, 160, {{"L2", 0.25}, {"DRAM", 0.75}}},
                   {std::numeric_limits<double>::infinity(), 4e11, 1500, 3000, 160, {{"L2", 0.125}, {"DRAM", 0.875}}}};
  return report;
}

}  // namespace strata::report::sample
