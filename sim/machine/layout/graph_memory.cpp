// SPDX-License-Identifier: Apache-2.0
// The part of a machine's graph between its dies and at its memory.
#include <fmt/format.h>

#include <utility>

#include "machine/blocks/host_path.hpp"
#include "machine/layout/address_maps.hpp"
#include "machine/layout/graph_builder.hpp"
#include "machine/layout/numa.hpp"

namespace strata::machine {

void GraphBuilder::between_dies() {
  if (!has_network()) return;
  Edge to_network{.homes = home_bits(spec_), .settings = {}};
  for (const char* path : home_settings(spec_)) to_network.settings.emplace_back(path);
  const auto router = [&](const char* name, std::uint64_t instances, SharedBy shared_by) {
    return add(
        {.name = name, .kind = NodeKind::router, .path = "network", .instances = instances, .shared_by = shared_by});
  };
  if (spec_.dies.apart()) {
    const std::size_t of_compute = router("compute die router", spec_.dies.compute, SharedBy::die);
    lead_to(of_compute, to_network);
    const std::size_t of_memory = router("memory die router", spec_.dies.memory, SharedBy::memory_die);
    links(of_memory, of_compute);
    ends_ = {{of_memory}};
    graph_.path_of_load.push_back(of_memory);
    return;
  }
  // A die asks the L2 of the home die, which keeps a line of the home in any case.
  const std::size_t l2 = ends_.front().node;
  const std::size_t dies = router("die router", spec_.dies.memory, SharedBy::die);
  to_network.carries = Carries::other_homes;
  join(l2, dies, to_network);
  links(dies, dies);
  join(dies, l2,
       {.carries = Carries::other_homes,
        .clock = spec_.clocks.l2,
        .depth = static_cast<std::uint32_t>(spec_.l2.cache.input_depth),
        .index = l2_map_of(spec_).index,
        .settings = {"l2.cache.input_depth", "l2.index.policy"}});
  ends_ = {{l2, Carries::own_home}};
}

// Memory dies are the first nodes of the network, and compute dies follow where they are apart.
void GraphBuilder::links(std::size_t of_memory, std::size_t of_compute) {
  for (std::size_t i = 0; i < spec_.network.links.size(); ++i) {
    const fabric::LinkSpec& link = spec_.network.links[i];
    const auto memory_dies = static_cast<std::uint32_t>(spec_.dies.memory);
    std::uint32_t from = link.from;
    std::uint32_t to = link.to;
    if (from < memory_dies && to >= memory_dies) std::swap(from, to);
    const auto node = [&](std::uint32_t number) { return number < memory_dies ? of_memory : of_compute; };
    const std::string path = fmt::format("network.links[{}]", i);
    const bool by_time = link.bandwidth.value > 0;
    const std::optional<Width> width = by_time ? std::optional<Width>(link.bandwidth) : limited(link.width);
    join(node(from), node(to),
         {.name = link.name.empty() ? fmt::format("link {}-{}", link.from, link.to) : link.name,
          .from_instance = from < memory_dies ? from : from - memory_dies,
          .to_instance = to < memory_dies ? to : to - memory_dies,
          .both_ways = true,
          .requests = width,
          .responses = width,
          .latency = link.latency,
          .back = link.latency,
          .clock = spec_.clocks.fabric,
          .depth = link.depth == 0 ? std::nullopt : std::optional(link.depth),
          .enough = link.depth == 0,
          .settings = {path + (by_time ? ".bandwidth" : ".width"), path + ".latency", path + ".depth"}});
  }
}

void GraphBuilder::memory_dies() {
  if (spec_.host) {
    const Bytes first{host_memory_begin(spec_)};
    const std::size_t host = add({.name = "host memory",
                                  .kind = NodeKind::host_memory,
                                  .path = "host",
                                  .shared_by = SharedBy::machine,
                                  .capacity = spec_.host->size,
                                  .addresses = AddressRangeSpec{first, first + spec_.host->size}});
    for (const End& end : ends_)
      join(end.node, host,
           {.carries = Carries::host,
            .name = spec_.host->name,
            .requests = spec_.host->bandwidth,
            .responses = spec_.host->bandwidth,
            .latency = spec_.host->latency,
            .back = spec_.host->latency,
            .enough = true,
            .settings = {"host.bandwidth", "host.latency"}});
  }
  levels(Sharers::memory_die);
  const MemorySpec& memory = spec_.memory;
  const std::size_t node = add({.name = "DRAM",
                                .kind = NodeKind::memory,
                                .path = "memory",
                                .instances = spec_.dies.memory,
                                .shared_by = SharedBy::memory_die,
                                .parts = memory.channels_per_die,
                                .capacity = memory_of_die(spec_),
                                .port = dram::peaks(memory.channel).bandwidth,
                                .addresses = AddressRangeSpec{Bytes{0}, address_space(spec_)}});
  if (has_domains(spec_)) graph_.nodes[node].apart = Bytes{domain_bytes(spec_)};
  lead_to(node, {.latency = memory.latency,
                 .clock = spec_.clocks.fabric,
                 .depth = memory.channel.controller.input_buffer,
                 .index = memory_map_of(spec_).index,
                 .settings = {"memory.latency", "memory.channel.controller.input_buffer",
                              fmt::format("{}.policy", memory_index_path(spec_)), "memory.channels_per_die"}});
}

}  // namespace strata::machine
