// SPDX-License-Identifier: Apache-2.0
// The part of a machine's graph that stands on the cores' side of the crossbar's sources.
#include <fmt/format.h>

#include <utility>

#include "machine/layout/graph_builder.hpp"
#include "machine/layout/shapes.hpp"

namespace strata::machine {

namespace {

SharedBy sharers_of(translation::Scope scope) {
  switch (scope) {
    case translation::Scope::core:
      return SharedBy::core;
    case translation::Scope::group:
      return SharedBy::group;
    case translation::Scope::die:
      return SharedBy::die;
  }
  return SharedBy::core;
}

}  // namespace

void GraphBuilder::cores() {
  const std::size_t core = add({.name = spec_.core.name,
                                .kind = NodeKind::core,
                                .path = "core",
                                .instances = cores_of_machine(),
                                .shared_by = SharedBy::core});
  graph_.path_of_load.push_back(core);
  shared_memory();
  const std::size_t l1 = first_level("l1.cache", spec_.l1.chosen());
  graph_.nodes[l1].capacity = spec_.l1.chosen().size;
  graph_.path_of_load.push_back(l1);
  ends_ = {{l1}};
  if (spec_.l1.victim_cache) victims();
  if (spec_.scalar_cache) ends_.push_back({scalar_caches()});
  if (spec_.texture_cache) ends_.push_back({first_level("texture_cache", *spec_.texture_cache)});
  std::size_t code = core;
  if (spec_.instruction_cache) ends_.push_back({code = instruction_cache()});
  if (spec_.core.bulk_copy) ends_.push_back({copy_unit()});
  if (spec_.translation.levels.empty()) return;
  if (!spec_.translate_before_l1) return translation(ends_);
  // Instruction caches are looked up by virtual addresses.
  std::vector<End> askers{{core}};
  if (spec_.instruction_cache) askers.push_back({code});
  translation(askers);
}

void GraphBuilder::shared_memory() {
  constexpr std::size_t core = 0;
  const compute::SharedMemorySpec& shared = spec_.core.shared_memory;
  const std::size_t memory = add({.name = "shared memory",
                                  .kind = NodeKind::shared_memory,
                                  .path = "core.shared_memory",
                                  .instances = cores_of_machine(),
                                  .shared_by = SharedBy::core,
                                  .parts = shared.banks,
                                  .capacity = shared.size,
                                  .port = BytesPerClock{static_cast<double>(shared.bank_width.value)},
                                  .clock = spec_.clocks.core});
  join(core, memory,
       {.carries = Carries::shared_space,
        .latency = shared.latency,
        .clock = spec_.clocks.core,
        .settings = {"core.shared_memory.latency"}});
  if (!spec_.core.cluster) return;
  const compute::ClusterSpec& cluster = *spec_.core.cluster;
  const std::size_t network = add({.name = "cluster network",
                                   .kind = NodeKind::cluster_network,
                                   .path = "core.cluster",
                                   .instances = spec_.dies.compute * groups_of_die(spec_.dies),
                                   .shared_by = SharedBy::group});
  const Edge port{.carries = Carries::shared_space,
                  .requests = cluster.width,
                  .responses = cluster.width,
                  .clock = spec_.clocks.core,
                  .settings = {"core.cluster.width"}};
  join(core, network, port);
  Edge flight = port;
  flight.latency = flight.back = cluster.latency;
  flight.settings.emplace_back("core.cluster.latency");
  join(network, memory, flight);
}

std::size_t GraphBuilder::first_level(const char* path, const cache::CacheSpec& cache) {
  constexpr std::size_t core = 0;
  const std::size_t node = add({.name = cache.name,
                                .kind = NodeKind::cache,
                                .path = path,
                                .instances = cores_of_machine(),
                                .shared_by = SharedBy::core,
                                .capacity = cache.size,
                                .port = cache.data_width,
                                .clock = spec_.clocks.core,
                                .copies = cores_of_machine() > 1});
  const compute::LoadStoreSpec& unit = spec_.core.load_store;
  Edge edge{.latency = unit.vector_address,
            .clock = spec_.clocks.core,
            .depth = first_level_depth(spec_, cache),
            .pages = spec_.pages.placement,
            .settings = {"core.load_store.vector_address", fmt::format("{}.input_depth", path), "pages.placement"}};
  if (unit.return_width) {
    edge.responses = *unit.return_width;
    edge.settings.emplace_back("core.load_store.return_width");
  }
  join(core, node, edge);
  return node;
}

/// The last of them.
std::size_t GraphBuilder::scalar_caches() {
  const std::size_t first = first_level("scalar_cache", *spec_.scalar_cache);
  if (!spec_.second_scalar_cache) return first;
  const cache::CacheSpec& behind = *spec_.second_scalar_cache;
  const std::size_t second = add({.name = behind.name,
                                  .kind = NodeKind::cache,
                                  .path = "second_scalar_cache",
                                  .instances = cores_of_machine(),
                                  .shared_by = SharedBy::core,
                                  .capacity = behind.size,
                                  .port = behind.data_width,
                                  .clock = spec_.clocks.core,
                                  .copies = cores_of_machine() > 1});
  join(first, second, {.clock = spec_.clocks.core, .settings = {"scalar_cache.mshrs"}});
  return second;
}

std::size_t GraphBuilder::instruction_cache() {
  constexpr std::size_t core = 0;
  const InstructionCacheSpec& code = *spec_.instruction_cache;
  const std::size_t node = add({.name = code.cache.name,
                                .kind = NodeKind::cache,
                                .path = "instruction_cache.cache",
                                .instances = spec_.dies.compute * instruction_caches_of_die(spec_),
                                .shared_by = code.cores > 1 ? SharedBy::some_cores : SharedBy::core,
                                .capacity = code.cache.size,
                                .port = code.cache.data_width,
                                .clock = spec_.clocks.core,
                                .copies = cores_of_machine() > code.cores});
  join(core, node,
       {.carries = Carries::code,
        .clock = spec_.clocks.core,
        .depth = static_cast<std::uint32_t>(code.cache.input_depth),
        .pages = spec_.pages.placement,
        .settings = {"instruction_cache.cores", "instruction_cache.cache.input_depth", "pages.placement"}});
  return node;
}

std::size_t GraphBuilder::copy_unit() {
  constexpr std::size_t core = 0;
  const compute::BulkCopySpec& unit = *spec_.core.bulk_copy;
  const std::size_t node = add({.name = compute::BulkCopySpec::name,
                                .kind = NodeKind::copy_unit,
                                .path = "core.bulk_copy",
                                .instances = cores_of_machine(),
                                .shared_by = SharedBy::core});
  join(core, node,
       {.carries = Carries::bulk_space,
        .latency = unit.setup,
        .clock = spec_.clocks.core,
        .depth = static_cast<std::uint32_t>(unit.queue),
        .settings = {"core.bulk_copy.setup", "core.bulk_copy.queue"}});
  return node;
}

void GraphBuilder::victims() {
  const cache::VictimCacheSpec& victims = *spec_.l1.victim_cache;
  const std::size_t node = add({.name = "victim cache",
                                .kind = NodeKind::victim_cache,
                                .path = "l1.victim_cache",
                                .instances = cores_of_machine(),
                                .shared_by = SharedBy::core,
                                .capacity = Bytes{victims.lines * spec_.l1.cache.line.value},
                                .copies = cores_of_machine() > 1});
  lead_to(node, {.back = victims.hit_latency,
                 .clock = spec_.clocks.core,
                 .settings = {"l1.victim_cache.hit_latency", "l1.victim_cache.lines"}});
}

void GraphBuilder::translation(const std::vector<End>& askers) {
  const translation::TranslatorShape shape = translator_shape(spec_);
  std::vector<End> from = askers;
  Edge edge{.carries = Carries::translation, .clock = spec_.clocks.core, .settings = {"translate_before_l1"}};
  const auto reach = [&](Node node) {
    const std::size_t added = add(std::move(node));
    for (const End& end : from) join(end.node, added, edge);
    from = {{added}};
  };
  for (std::size_t i = 0; i < spec_.translation.levels.size(); ++i) {
    const translation::TlbLevelSpec& level = spec_.translation.levels[i];
    const std::uint32_t sharing = translation::cores_sharing(level.scope, shape);
    const std::string path = fmt::format("translation.levels[{}]", i);
    reach({.name = level.name,
           .kind = NodeKind::tlb,
           .path = path,
           .instances = (shape.cores + sharing - 1) / sharing,
           .shared_by = sharers_of(level.scope),
           .capacity = Bytes{level.entries * level.entry_reach.value}});
    edge.latency = level.miss_latency;
    edge.settings = {path + ".miss_latency", path + ".misses_per_clock"};
  }
  reach({.name = "page walker",
         .kind = NodeKind::page_walker,
         .path = "translation.walker",
         .instances = spec_.dies.compute,
         .shared_by = SharedBy::die,
         .parts = spec_.translation.walker.parallel});
}

}  // namespace strata::machine
