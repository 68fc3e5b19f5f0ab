// SPDX-License-Identifier: Apache-2.0
#include "machine/checks/consistency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "fabric/routing.hpp"
#include "machine/checks/cache_consistency.hpp"
#include "machine/layout/address_maps.hpp"
#include "machine/layout/numa.hpp"
#include "translation/page_table.hpp"

namespace strata::machine {

namespace {

using Faults = std::vector<RequestFault>;

std::string divisors(std::uint64_t number) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t d = 1; d <= number && all.size() < 12; ++d)
    if (number % d == 0) all.push_back(d);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::uint64_t nodes_of(const DiesSpec& dies) { return dies.memory + (dies.apart() ? dies.compute : 0); }

void check_dies(const MachineSpec& spec, Faults& faults) {
  const DiesSpec& dies = spec.dies;
  if (!dies.apart() && dies.compute != dies.memory)
    faults.push_back({fmt::format("dies.memory_apart = false needs as many memory dies as compute dies, but "
                                  "dies.compute = {} and dies.memory = {}",
                                  dies.compute, dies.memory),
                      {"dies.memory_apart", "dies.compute", "dies.memory"},
                      "make the two equal, or set dies.memory_apart=true and give network.links"});
  if (dies.compute % dies.logical_gpus != 0)
    faults.push_back(
        {fmt::format("dies.logical_gpus = {} does not divide dies.compute = {}", dies.logical_gpus, dies.compute),
         {"dies.logical_gpus", "dies.compute"},
         fmt::format("{} do", divisors(dies.compute))});
  if (!dies.group_sizes.empty()) {
    const auto sum = std::accumulate(dies.group_sizes.begin(), dies.group_sizes.end(), std::uint64_t{0});
    const bool none_empty = std::find(dies.group_sizes.begin(), dies.group_sizes.end(), 0U) == dies.group_sizes.end();
    if (sum != dies.cores_per_die || !none_empty)
      faults.push_back({fmt::format("dies.group_sizes = [{}] has {} cores, dies.cores_per_die = {}",
                                    fmt::join(dies.group_sizes, ", "), sum, dies.cores_per_die),
                        {"dies.group_sizes", "dies.cores_per_die"},
                        "give each group of a die its size, above 0, or set dies.group_sizes=[]"});
  }
  // TLBs of groups are found by division.
  const bool alike = dies.group_sizes.empty() && (dies.compute == 1 || dies.cores_per_die % dies.cores_per_group == 0);
  for (std::size_t i = 0; i < spec.translation.levels.size(); ++i) {
    const translation::TlbLevelSpec& level = spec.translation.levels[i];
    if (level.scope != translation::Scope::group || alike) continue;
    const std::string path = fmt::format("translation.levels[{}].scope", i);
    faults.push_back({fmt::format("{} = group needs groups of one size in each die, but dies.cores_per_die = {}, "
                                  "dies.cores_per_group = {} and dies.group_sizes = [{}]",
                                  path, dies.cores_per_die, dies.cores_per_group, fmt::join(dies.group_sizes, ", ")),
                      {path, "dies.group_sizes", "dies.cores_per_group", "dies.cores_per_die"},
                      fmt::format("set {}=core or die, or make the groups equal", path)});
  }
}

void check_l2(const MachineSpec& spec, Faults& faults) {
  if (spec.launch.flushes_l2 && !spec.core.exit_waits_for_stores)
    faults.push_back(
        {"launch.flushes_l2 = true writes back when the last warp has ended, but core.exit_waits_for_stores = false: "
         "its stores may come later",
         {"launch.flushes_l2", "core.exit_waits_for_stores"},
         "set core.exit_waits_for_stores=true or launch.flushes_l2=false"});
  const bool fused = !spec.dies.apart();
  if (spec.l2.partitioned && !fused)
    faults.push_back({fmt::format("l2.partitioned = true needs memory on the dies of the L2, but "
                                  "dies.compute = {}, dies.memory = {} and dies.memory_apart = {}",
                                  spec.dies.compute, spec.dies.memory, spec.dies.apart()),
                      {"l2.partitioned", "dies.memory_apart", "dies.compute", "dies.memory"},
                      "set l2.partitioned=false, or change those"});
  if (spec.l2.partitioned && fused && spec.dies.compute == 1)
    faults.push_back({"l2.partitioned = true gives each block a home die, but dies.compute = 1",
                      {"l2.partitioned", "dies.compute"},
                      "set l2.partitioned=false"});
  if (spec.l2.partitioned && spec.l2.bypass)
    faults.push_back({"l2.bypass = true removes the L2 that l2.partitioned = true would divide",
                      {"l2.bypass", "l2.partitioned"},
                      "set l2.partitioned=false or l2.bypass=false"});
  if (!spec.l2.partitioned && spec.dies.compute > 1 && fused)
    faults.push_back(
        {fmt::format("dies.compute = {} dies with their own memory need l2.partitioned = true", spec.dies.compute),
         {"l2.partitioned", "dies.compute", "dies.memory", "dies.memory_apart"},
         "set l2.partitioned=true, or dies.memory_apart=true and give network.links"});
}

void check_interleave(const MachineSpec& spec, Faults& faults) {
  const translation::Placement* const placement = translation::find_placement(spec.pages.placement);
  if (!has_domains(spec)) {
    if (placement != nullptr && placement->of_domains)
      faults.push_back(
          {fmt::format(
               "pages.placement = {} chooses among pieces of the address space, and memory.interleave = {} over "
               "dies.memory = {} has none",
               spec.pages.placement, spec.memory.interleave == Interleave::per_die ? "per_die" : "all_dies",
               spec.dies.memory),
           {"pages.placement", "memory.interleave", "dies.memory"},
           "set memory.interleave=per_die, or pages.placement=scattered"});
    return;
  }
  if (spec.l2.partitioned)
    faults.push_back(
        {"memory.interleave = per_die cannot be combined with l2.partitioned = true: its home sides are interleaved",
         {"memory.interleave", "l2.partitioned"},
         "set memory.interleave=all_dies"});
  if (placement != nullptr && placement->across_domains)
    faults.push_back(
        {fmt::format("memory.interleave = per_die needs pages in the die of their address, not pages.placement = {}",
                     spec.pages.placement),
         {"memory.interleave", "pages.placement"},
         "set pages.placement=contiguous, striped or first_touch"});
}

void check_homes(const MachineSpec& spec, Faults& faults) {
  if (has_domains(spec)) return;  // home bits follow from the dies
  const bool side = spec.memory_side_cache && (!spec.l2.partitioned || spec.dies.apart());
  const auto& masks = (side ? spec.memory_side_cache->index : spec.l2.index).home_bits;
  const auto needed = static_cast<std::size_t>(std::countr_zero(spec.dies.memory));
  if (masks.size() == needed) return;
  const std::string path = side ? "memory_side_cache.index.home_bits" : "l2.index.home_bits";
  const char* const spread = needed == 0 ? "" : " with memory.interleave = all_dies";
  const char* const apart = spec.l2.partitioned ? "" : ", or memory.interleave=per_die";
  faults.push_back({fmt::format("{} has {} masks, dies.memory = {}{} needs {}", path, masks.size(), spec.dies.memory,
                                spread, needed),
                    {path, "dies.memory", "memory.interleave"},
                    needed == 0 ? fmt::format("set {}=[]", path)
                                : fmt::format("give {} masks, such as {{address_bits: [12]}}, or dies.memory={}{}",
                                              needed, std::uint64_t{1} << masks.size(), apart)});
}

void check_channels(const MachineSpec& spec, Faults& faults) {
  const bool side = spec.memory_side_cache.has_value();
  const std::uint64_t slices = side ? spec.memory_side_cache->slices_per_die : spec.l2.slices_per_die;
  const std::uint64_t channels = spec.memory.channels_per_die;
  if (slices % channels == 0 || (!side && channels_are_apart(spec))) return;
  const std::string path = side ? "memory_side_cache.slices_per_die" : "l2.slices_per_die";
  const std::uint64_t fewer = slices / channels * channels;
  faults.push_back(
      {fmt::format(
           "{} = {} is not a multiple of memory.channels_per_die = {}: each channel serves the same number of slices",
           path, slices, channels),
       {path, "memory.channels_per_die"},
       fewer == 0 ? fmt::format("set {}={}", path, channels)
                  : fmt::format("set {}={} or {}", path, fewer, fewer + channels)});
}

/// Home bits that depend on each other, and bits outside of the page: the map itself finds them.
void check_index(const std::string& path, const fabric::AddressMapSpec& map, Faults& faults) {
  if (map.channels == 0 || map.slices % map.channels != 0) return;  // reported above
  try {
    const fabric::AddressMap built(map);
  } catch (const InvalidRequest& error) {
    const auto its = [&](const char* field) { return path + '.' + field; };
    faults.push_back({fmt::format("{}: {}; page = {} B, policy = {}, unit_bits = [{}], slices = {}", path, error.what(),
                                  map.page.value, map.index, fmt::join(map.unit_bits, ", "), map.slices),
                      {its("home_bits"), its("unit_bits"), its("page"), its("policy")},
                      fmt::format("change {}.home_bits, unit_bits, page or policy", path)});
  }
}

/// Faults of single links. Empty: the graph may be searched.
void check_links(const MachineSpec& spec, std::uint64_t nodes, Faults& faults) {
  const auto& links = spec.network.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto check_end = [&](const char* end, std::uint64_t node) {
      if (node >= nodes)
        faults.push_back(
            {fmt::format("network.links[{}].{} = {} is not a node: dies.memory = {}{} make nodes 0 to {}", i, end, node,
                         spec.dies.memory,
                         spec.dies.apart() ? fmt::format(" and dies.compute = {}", spec.dies.compute) : "", nodes - 1),
             {fmt::format("network.links[{}].{}", i, end), "dies.memory", "dies.compute", "dies.memory_apart"},
             fmt::format("use a node from 0 to {}, or more dies", nodes - 1)});
    };
    check_end("from", links[i].from);
    check_end("to", links[i].to);
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = (links[i].from == links[j].from && links[i].to == links[j].to) ||
                        (links[i].from == links[j].to && links[i].to == links[j].from);
      if (!same) continue;
      faults.push_back({fmt::format("network.links[{}] and network.links[{}] both join nodes {} and {}", j, i,
                                    links[i].from, links[i].to),
                        {fmt::format("network.links[{}].from", i), fmt::format("network.links[{}].to", i),
                         fmt::format("network.links[{}].from", j), fmt::format("network.links[{}].to", j)},
                        "make them one, with the sum of their widths"});
    }
  }
}

void check_network(const MachineSpec& spec, Faults& faults) {
  const DiesSpec& dies = spec.dies;
  if (dies.compute == 1 && dies.memory == 1) return;
  if (!dies.apart() && dies.compute != dies.memory) return;
  const std::uint64_t nodes = nodes_of(dies);
  if (nodes > 64) {
    faults.push_back(
        {fmt::format("dies.compute = {} and dies.memory = {} make {} nodes of the network, which has at most 64",
                     dies.compute, dies.memory, nodes),
         {"dies.compute", "dies.memory", "dies.memory_apart"},
         "use fewer dies"});
    return;
  }
  const std::size_t before = faults.size();
  check_links(spec, nodes, faults);
  if (faults.size() != before) return;
  std::vector<fabric::DirectedLink> links;
  for (const fabric::LinkSpec& link : spec.network.links) {
    links.push_back({link.from, link.to});
    links.push_back({link.to, link.from});
  }
  try {
    const fabric::Routing routing(static_cast<std::uint32_t>(nodes), links, fabric::Preferred::first);
    if (spec.network.routing == fabric::RouteRule::balanced)
      fabric::Routing(static_cast<std::uint32_t>(nodes), links, fabric::Preferred::last);
    for (std::uint32_t c = 0; c < dies.compute; ++c)
      for (std::uint32_t m = 0; m < dies.memory; ++m) {
        const auto node = static_cast<std::uint32_t>(dies.apart() ? dies.memory + c : c);
        if (node == m || !routing.route(node, m).empty()) continue;
        faults.push_back({fmt::format("network.links has no route from compute die {} (node {}) to memory die {}, but "
                                      "dies.compute = {} and dies.memory = {}",
                                      c, node, m, dies.compute, dies.memory),
                          {"network.links", "dies.compute", "dies.memory", "dies.memory_apart"},
                          fmt::format("add a link from node {}, or use fewer dies", node)});
        break;
      }
  } catch (const InvalidRequest& error) {
    faults.push_back({fmt::format("network.links: {}", error.what()),
                      {"network.links", "network.routing", "dies.compute", "dies.memory"},
                      "set network.routing=first_listed, or list other links first"});
  }
}

void check_pages(const MachineSpec& spec, Faults& faults) {
  const PagesSpec& pages = spec.pages;
  const std::uint64_t room = address_space(spec).value;
  if (pages.run <= room / pages.page.value) return;
  faults.push_back({fmt::format("pages.run = {} pages of pages.page = {} KiB are more than memory.size = {} MiB",
                                pages.run, pages.page.value >> 10U, spec.memory.size.value >> 20U),
                    {"pages.run", "pages.page", "memory.size"},
                    fmt::format("set pages.run={}", std::max<std::uint64_t>(room / pages.page.value, 1))});
}

void check_peak(const MachineSpec& spec, Faults& faults) {
  const auto& published = spec.memory.published_peak;
  if (!published) return;
  const double peak = dram::peaks(spec.memory.channel).bandwidth.value *
                      static_cast<double>(spec.memory.channels_per_die * spec.dies.memory);
  if (std::abs(peak / published->value - 1) <= 0.01) return;
  const auto& timing = spec.memory.channel.timing;
  faults.push_back(
      {fmt::format(
           "the memory channels give {:.4g} TB/s at most, memory.published_peak = {:.4g} TB/s: dies.memory = {} x "
           "memory.channels_per_die = {} channels at memory.channel.timing.data_rate = {:g} MT/s",
           peak / 1e12, published->value / 1e12, spec.dies.memory, spec.memory.channels_per_die,
           static_cast<double>(timing.data_rate.value) / 1e6),
       {"memory.published_peak", "memory.channel.timing.data_rate", "memory.channels_per_die", "dies.memory",
        "memory.channel.timing.burst", "memory.channel.timing.transfers_per_clock",
        "memory.channel.organisation.access", "memory.channel.organisation.pseudo_channels"},
       "for a what-if remove the comparison: --set memory.published_peak=none"});
}

}  // namespace

std::vector<RequestFault> contradictions(const MachineSpec& spec) {
  Faults faults;
  check_dies(spec, faults);
  check_l2(spec, faults);
  check_interleave(spec, faults);
  check_homes(spec, faults);
  check_channels(spec, faults);
  if (faults.empty()) {
    check_index("l2.index", l2_map_of(spec), faults);
    for (const Level& level : levels_of(spec))
      if (!level.is_l2()) check_index(level.path + ".index", level_map_of(spec, level), faults);
  }
  check_network(spec, faults);
  check_pages(spec, faults);
  check_caches(spec, faults);
  check_coherence(spec, faults);
  check_peak(spec, faults);
  return faults;
}

const MachineSpec& consistent(const MachineSpec& spec) {
  std::vector<RequestFault> faults = contradictions(spec);
  if (!faults.empty()) throw InvalidRequest(std::move(faults));
  return spec;  // NOLINT(bugprone-return-const-ref-from-parameter): the caller's own
}

}  // namespace strata::machine
