// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/derived_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "machine/layout/setting_tree.hpp"

namespace strata::machine {

using config::Value;

namespace {

/// Timings that cells, drivers and the controller decide, not the bus: they last as long at
/// any data rate. Bursts, the spacing of column commands and the command bus follow the clock.
constexpr std::array kept_in_time{
    "timing.read_latency", "timing.write_latency", "timing.t_rcd_read", "timing.t_rcd_write", "timing.t_rp",
    "timing.t_ras",        "timing.t_rc",          "timing.t_rc_r",     "timing.t_rrd_s",     "timing.t_rrd_l",
    "timing.t_faw",        "timing.t_wtr_s",       "timing.t_wtr_l",    "timing.t_rtw",       "timing.t_wr",
    "timing.t_rtp",        "timing.t_refi",        "timing.t_rfc_ab",   "timing.t_rfc_pb",    "timing.t_rrefd",
    "controller.latency"};

double cycles_at(Value& tree, const std::string& path, double otherwise) {
  const Value* value = at(tree, path);
  return value == nullptr ? otherwise : config::read_number<Cycles>(value->text).value.value;
}

}  // namespace

void derive_bandwidth(Value& tree, const MachineSpec& spec, std::vector<Diagnostic>& diagnostics) {
  const std::string path = "memory.channel.timing.data_rate";
  if (at(tree, path) == nullptr) return;
  const std::uint64_t channels = spec.memory.channels_per_die * spec.dies.memory;
  const double peak = dram::peaks(spec.memory.channel).bandwidth.value * static_cast<double>(channels);
  const std::string counted =
      fmt::format("memory.channels_per_die = {} x dies.memory = {}", spec.memory.channels_per_die, spec.dies.memory);
  Value& bandwidth = entry(tree, "memory", "bandwidth");
  Value* const rate = at(tree, path);
  const auto follow = [&] {
    put(bandwidth, config::show_number(BytesPerSecond{peak}), rate->where,
        fmt::format("{} at memory.channel.timing.data_rate", counted));
  };
  if (!spec.memory.bandwidth) return follow();
  const double ratio = spec.memory.bandwidth->value / peak;
  const bool agrees = std::abs(ratio - 1) < 1e-6;
  const int of_total = rank(&bandwidth, tree);
  if (!agrees && of_total < rank(rate, tree)) return follow();
  const bool counted_later =
      std::max(rank(at(tree, "memory.channels_per_die"), tree), rank(at(tree, "dies.memory"), tree)) > of_total;
  if (!agrees && of_total == rank(rate, tree) && counted_later) return follow();
  if (!agrees && of_total == rank(rate, tree)) {
    diagnostics.push_back(bandwidth.where.diagnostic(
        fmt::format("'memory.bandwidth' = {} contradicts 'memory.channel.timing.data_rate' = {}, with which {} make {}",
                    bandwidth.text, rate->text, counted, config::show_number(BytesPerSecond{peak})),
        fmt::format("memory.channel.timing.data_rate set by {}; leave one of them out", rate->where.text())));
    return;
  }
  Value* const published = at(tree, "memory.published_peak");
  if (published != nullptr && rank(published, tree) < of_total)
    put(*published, "none", bandwidth.where, "memory.bandwidth");
  if (agrees) return;
  // Whole MT/s: any other rate has no common tick with the clocks of the cores.
  const double transfers =
      std::round(static_cast<double>(spec.memory.channel.timing.data_rate.value) * ratio / 1e6) * 1e6;
  if (transfers < 1e8 || transfers > 1e11) {
    diagnostics.push_back(
        bandwidth.where.diagnostic(fmt::format("'memory.bandwidth' = {} over {} needs a "
                                               "memory.channel.timing.data_rate of {:.0f} MT/s, which may be 100 MT/s "
                                               "to 100000 MT/s",
                                               bandwidth.text, counted, transfers / 1e6),
                                   "change memory.channels_per_die as well"));
    return;
  }
  put(*rate, config::show_number(DataRate{static_cast<std::uint64_t>(std::llround(transfers))}), bandwidth.where,
      fmt::format("memory.bandwidth over {}", counted));
}

void keep_times(Value& tree, const Value& before) {
  const std::string channel = "memory.channel.";
  const std::string path = channel + "timing.data_rate";
  const Value* const rate = at(tree, path);
  const Value* const former = at(const_cast<Value&>(before), path);
  if (rate == nullptr || former == nullptr || rank(rate, tree) < 2) return;
  const auto of = [](const Value& value) {
    return static_cast<double>(config::read_number<DataRate>(value.text).value.value);
  };
  if (of(*former) <= 0 || of(*rate) <= 0 || of(*rate) == of(*former)) return;
  const double ratio = of(*rate) / of(*former);
  const auto scale = [&](const std::string& timing, double cycles) {
    Value& value = *at(tree, timing);
    const std::string was = value.text;
    put(value, config::show_number(Cycles{cycles}), value.where,
        fmt::format("{} at {}, kept in nanoseconds", was, former->text));
  };
  for (const char* name : kept_in_time) {
    const Value* const value = at(tree, channel + name);
    if (value == nullptr || rank(value, tree) == 2) continue;
    const double cycles = config::read_number<Cycles>(value->text).value.value;
    if (cycles > 0) scale(channel + name, std::max(cycles * ratio, std::min(cycles, 1.0)));
  }
  // The bus needs a burst between the last beat of a read and the first of a write.
  const std::string turn = channel + "timing.t_rtw";
  const double least = cycles_at(tree, channel + "timing.read_latency", 0) +
                       cycles_at(tree, channel + "timing.burst", 2) -
                       cycles_at(tree, channel + "timing.write_latency", 0);
  const Value* const given = at(tree, turn);
  if (given != nullptr && rank(given, tree) < 2 && cycles_at(tree, turn, 0) < least) scale(turn, least);
}

}  // namespace strata::machine
