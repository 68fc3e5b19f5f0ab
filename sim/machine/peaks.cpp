// SPDX-License-Identifier: Apache-2.0
#include "machine/peaks.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "base/rounding.hpp"

namespace strata::machine {

namespace {

using Figure = std::optional<double>;

Figure cores(const MachineSpec& spec) { return real(spec.dies.compute * spec.dies.cores_per_die); }

// Of all cores, at the core clock.
Figure over_all_cores(const MachineSpec& spec, double bytes_per_clock) {
  return *cores(spec) * bytes_per_clock * real(spec.clocks.core.value);
}
Figure texture_bandwidth(const MachineSpec& spec) {
  const auto& texture = spec.texture_cache;
  return texture ? over_all_cores(spec, texture->data_width.value) : std::nullopt;
}
double shared_memory_width(const MachineSpec& spec) {
  return real(spec.core.shared_memory.banks * spec.core.shared_memory.bank_width.value);
}
Figure shared_memory_bytes_per_clock(const MachineSpec& spec) { return shared_memory_width(spec); }
Figure shared_memory_bandwidth(const MachineSpec& spec) { return over_all_cores(spec, shared_memory_width(spec)); }

// If the banks of shared memory also serve the L1, all its ports together deliver at most their
// rate.
Figure l1_bandwidth(const MachineSpec& spec) {
  const double ports = spec.l1.cache.data_width.value;
  return over_all_cores(spec,
                        spec.core.shared_memory.shares_array ? std::min(ports, shared_memory_width(spec)) : ports);
}

Figure l1_capacity(const MachineSpec& spec) { return real(spec.l1.chosen().size.value); }

std::uint64_t l2_slice_count(const MachineSpec& spec) { return spec.dies.compute * spec.l2.slices_per_die; }
// A level that is not an L2 has no figure.
Figure of_l2(const MachineSpec& spec, double figure) { return spec.l2.bypass ? std::nullopt : Figure(figure); }
Figure l2_slices(const MachineSpec& spec) { return of_l2(spec, real(l2_slice_count(spec))); }
Figure l2_capacity(const MachineSpec& spec) {
  return of_l2(spec, real(l2_slice_count(spec) * spec.l2.cache.size.value));
}
Figure l2_partition_capacity(const MachineSpec& spec) {
  return of_l2(spec, real(spec.l2.slices_per_die * spec.l2.cache.size.value));
}
Figure l2_bytes_per_clock(const MachineSpec& spec) {
  return of_l2(spec, real(l2_slice_count(spec)) * spec.l2.cache.data_width.value);
}
Figure l2_bandwidth(const MachineSpec& spec) {
  const Figure width = l2_bytes_per_clock(spec);
  return width ? Figure(*width * real(spec.clocks.l2.value)) : std::nullopt;
}

Figure infinity_cache_slices(const MachineSpec& spec) {
  const auto& side = spec.memory_side_cache;
  return side ? Figure(real(spec.dies.memory * side->slices_per_die)) : std::nullopt;
}
Figure infinity_cache_capacity(const MachineSpec& spec) {
  const Figure slices = infinity_cache_slices(spec);
  return slices ? Figure(*slices * real(spec.memory_side_cache->cache.size.value)) : std::nullopt;
}
Figure infinity_cache_bytes_per_clock(const MachineSpec& spec) {
  const Figure slices = infinity_cache_slices(spec);
  return slices ? Figure(*slices * spec.memory_side_cache->cache.data_width.value) : std::nullopt;
}
Figure infinity_cache_bandwidth(const MachineSpec& spec) {
  const Figure width = infinity_cache_bytes_per_clock(spec);
  return width ? Figure(*width * real(spec.clocks.fabric.value)) : std::nullopt;
}

Figure memory_channels(const MachineSpec& spec) { return real(spec.dies.memory * spec.memory.channels_per_die); }
Figure memory_bandwidth(const MachineSpec& spec) {
  return *memory_channels(spec) * dram::peaks(spec.memory.channel).bandwidth.value;
}

Figure memory_die_bandwidth(const MachineSpec& spec) { return *memory_bandwidth(spec) / real(spec.dies.memory); }

double rate_of(const fabric::LinkSpec& link, const MachineSpec& spec) {
  return link.bandwidth.value > 0 ? link.bandwidth.value : link.width.value * real(spec.clocks.fabric.value);
}

// Memory dies have the first numbers in the network.
bool between_memory_dies(const fabric::LinkSpec& link, const MachineSpec& spec) {
  return link.from < spec.dies.memory && link.to < spec.dies.memory;
}

// The bandwidth of all links into memory die 0 from its neighbours.
Figure memory_die_ingress(const MachineSpec& spec) {
  double sum = 0;
  for (const fabric::LinkSpec& link : spec.network.links)
    if (between_memory_dies(link, spec) && (link.from == 0 || link.to == 0)) sum += rate_of(link, spec);
  return sum > 0 ? Figure(sum) : std::nullopt;
}
Figure memory_die_supply(const MachineSpec& spec) {
  const Figure ingress = memory_die_ingress(spec);
  return ingress ? Figure(*ingress + *memory_die_bandwidth(spec)) : std::nullopt;
}
Figure between_memory_dies_bandwidth(const MachineSpec& spec) {
  double sum = 0;
  for (const fabric::LinkSpec& link : spec.network.links)
    if (between_memory_dies(link, spec)) sum += rate_of(link, spec);
  return sum > 0 ? Figure(sum) : std::nullopt;
}
Figure die_port_bandwidth(const MachineSpec& spec) {
  double sum = 0;
  for (const fabric::LinkSpec& link : spec.network.links)
    if (!between_memory_dies(link, spec)) sum += rate_of(link, spec);
  return sum > 0 ? Figure(sum) : std::nullopt;
}

// The bandwidth that the compute dies on memory die 0 can receive.
Figure memory_die_draw(const MachineSpec& spec) {
  double sum = 0;
  for (const fabric::LinkSpec& link : spec.network.links)
    if (!between_memory_dies(link, spec) && (link.from == 0 || link.to == 0)) sum += rate_of(link, spec);
  return sum > 0 ? Figure(sum) : std::nullopt;
}

// A distance between DRAM commands in time, as standards give most of them.
template <Cycles dram::TimingSpec::* distance>
Figure dram_time(const MachineSpec& spec) {
  const dram::TimingSpec& timing = spec.memory.channel.timing;
  return static_cast<double>((timing.*distance).value) / static_cast<double>(timing.clock().value) * 1e9;
}

// Of a pseudo-channel and stack id.
Figure dram_banks(const MachineSpec& spec) {
  const dram::OrganisationSpec& bank = spec.memory.channel.organisation;
  return real(std::uint64_t{bank.bank_groups} * bank.banks_per_group);
}

constexpr std::array<Peak, 43> all_peaks{{
    {"cores", "count", "SMs, CUs or Xe cores", cores},
    {"l1_capacity", "B", "L1 of one core, with the chosen carve-out", l1_capacity},
    {"l1_bandwidth", "B/s", "data ports of all L1s", l1_bandwidth},
    {"texture_bandwidth", "B/s", "data ports of all texture caches", texture_bandwidth},
    {"shared_memory_bytes_per_clock", "B/clk", "banks of one core's shared memory", shared_memory_bytes_per_clock},
    {"shared_memory_bandwidth", "B/s", "banks of all cores' shared memory", shared_memory_bandwidth},
    {"l2_capacity", "B", "L2 of all compute dies", l2_capacity},
    {"l2_partition_capacity", "B", "L2 of one compute die or side", l2_partition_capacity},
    {"l2_slices", "count", "L2 slices of all compute dies", l2_slices},
    {"l2_bytes_per_clock", "B/clk", "bytes that all L2 slices read per clock", l2_bytes_per_clock},
    {"l2_bandwidth", "B/s", "the same at the L2 clock", l2_bandwidth},
    {"infinity_cache_capacity", "B", "memory-side cache of all memory dies", infinity_cache_capacity},
    {"infinity_cache_slices", "count", "its slices", infinity_cache_slices},
    {"infinity_cache_bytes_per_clock", "B/clk", "bytes that its slices read per clock", infinity_cache_bytes_per_clock},
    {"infinity_cache_bandwidth", "B/s", "the same at the fabric clock", infinity_cache_bandwidth},
    {"die_port_bandwidth", "B/s", "links of all compute dies to memory dies, one way", die_port_bandwidth},
    {"memory_die_links_bandwidth", "B/s", "links between memory dies, one way", between_memory_dies_bandwidth},
    {"memory_die_ingress", "B/s", "links into one memory die from the others", memory_die_ingress},
    {"memory_die_supply", "B/s", "the same and the memory of that die", memory_die_supply},
    {"memory_die_draw", "B/s", "links of one memory die to the compute dies on it, one way", memory_die_draw},
    {"memory_channels", "count", "DRAM channels of all memory dies", memory_channels},
    {"memory_bandwidth", "B/s", "data pins of all channels at their rate", memory_bandwidth},
    {"memory_die_bandwidth", "B/s", "the same of one memory die", memory_die_bandwidth},
    {"dram_banks", "count", "DRAM banks of a pseudo-channel and stack id", dram_banks},
    {"dram_read_latency", "ns", "DRAM: RD to data, CL", dram_time<&dram::TimingSpec::read_latency>},
    {"dram_write_latency", "ns", "DRAM: WR to data, CWL", dram_time<&dram::TimingSpec::write_latency>},
    {"dram_t_rcd_read", "ns", "DRAM: ACT to RD", dram_time<&dram::TimingSpec::t_rcd_read>},
    {"dram_t_rcd_write", "ns", "DRAM: ACT to WR", dram_time<&dram::TimingSpec::t_rcd_write>},
    {"dram_t_rp", "ns", "DRAM: PRE to ACT", dram_time<&dram::TimingSpec::t_rp>},
    {"dram_t_ras", "ns", "DRAM: ACT to PRE", dram_time<&dram::TimingSpec::t_ras>},
    {"dram_t_rc", "ns", "DRAM: ACT to ACT of one bank", dram_time<&dram::TimingSpec::t_rc>},
    {"dram_t_rrd_s", "ns", "DRAM: ACT to ACT of another bank group", dram_time<&dram::TimingSpec::t_rrd_s>},
    {"dram_t_rrd_l", "ns", "DRAM: ACT to ACT of the same bank group", dram_time<&dram::TimingSpec::t_rrd_l>},
    {"dram_t_faw", "ns", "DRAM: window of four ACT", dram_time<&dram::TimingSpec::t_faw>},
    {"dram_t_wtr_s", "ns", "DRAM: end of a write to RD of another bank group", dram_time<&dram::TimingSpec::t_wtr_s>},
    {"dram_t_wtr_l", "ns", "DRAM: end of a write to RD of the same bank group", dram_time<&dram::TimingSpec::t_wtr_l>},
    {"dram_t_rtw", "ns", "DRAM: RD to WR", dram_time<&dram::TimingSpec::t_rtw>},
    {"dram_t_wr", "ns", "DRAM: end of a write to PRE", dram_time<&dram::TimingSpec::t_wr>},
    {"dram_t_rtp", "ns", "DRAM: RD to PRE", dram_time<&dram::TimingSpec::t_rtp>},
    {"dram_t_refi", "ns", "DRAM: mean distance of refreshes", dram_time<&dram::TimingSpec::t_refi>},
    {"dram_t_rfc_ab", "ns", "DRAM: refresh of all banks", dram_time<&dram::TimingSpec::t_rfc_ab>},
    {"dram_t_rfc_pb", "ns", "DRAM: refresh of one bank", dram_time<&dram::TimingSpec::t_rfc_pb>},
    {"dram_t_rrefd", "ns", "DRAM: refresh of one bank to ACT of another", dram_time<&dram::TimingSpec::t_rrefd>},
}};

}  // namespace

std::span<const Peak> peaks() { return all_peaks; }

std::optional<double> flops_per_second(const MachineSpec& spec, trace::OpClass op_class) {
  for (const compute::PipeSpec& pipe : spec.core.execution.pipes) {
    std::istringstream words(pipe.classes);
    for (std::string word; words >> word;)
      if (trace::op_class_of(word) == op_class) return over_all_cores(spec, 2 * real(pipe.lanes_per_clock));
  }
  return std::nullopt;
}

}  // namespace strata::machine
