// SPDX-License-Identifier: Apache-2.0
// What has no reader behind the cores: translation, the crossbar, caches, the
// links between dies, memory and host.
#include <fmt/format.h>

#include <algorithm>

#include "cache/compression/table.hpp"
#include "cache/prefetch/table.hpp"
#include "dram/page_policies.hpp"
#include "dram/scheduler/policy.hpp"
#include "fabric/address_map.hpp"
#include "machine/checks/cache_consistency.hpp"
#include "machine/checks/unread_rules.hpp"
#include "machine/levels.hpp"
#include "translation/page_table.hpp"

namespace strata::machine {

namespace {

const std::string nothing_below = "shared memory is the core's own: nothing leaves it";

bool one_die(const MachineSpec& s) { return s.dies.compute == 1 && s.dies.memory == 1; }

std::string probe_filter(const Inquiry& q) {
  const std::string unused = q.spec.memory_side_cache ? probe_filter_unused(q.spec) : "";
  return unused.empty() ? unless(q.does.atomics, "there are no atomics") : unused;
}

bool writes(const Inquiry& q) { return q.does.stores || q.does.atomics; }
const dram::ControllerSpec& controller(const Inquiry& q) { return q.spec.memory.channel.controller; }

std::string below(const Inquiry& q) { return unless(q.does.below_core(), nothing_below); }
std::string stored(const Inquiry& q) { return unless(writes(q), no_store); }
std::string waits(const Inquiry& q) { return unless(!q.does.one_at_a_time, one_load); }
// A setting that only schedulers with that answer read.
std::string scheduled(const Inquiry& q, bool dram::Policy::* answer) {
  if (q.does.one_at_a_time) return one_load;
  const dram::Policy* const policy = dram::find_policy(controller(q).scheduler);
  return unless(policy != nullptr && policy->*answer, fmt::format("scheduler is {}", controller(q).scheduler));
}
std::string blacklisted(const Inquiry& q) { return scheduled(q, &dram::Policy::blacklists); }
std::string translated(const Inquiry& q) {
  return unless(!q.spec.translation.levels.empty(), "translation.levels is empty: translation is free");
}
std::string refreshed(const Inquiry& q) {
  return unless(controller(q).refresh != dram::Refresh::none, "memory.channel.controller.refresh is none");
}
std::string other_stack(const Inquiry& q) {
  return unless(q.spec.memory.channel.organisation.stack_ids > 1,
                "memory.channel.organisation.stack_ids is 1: there is no other stack");
}
std::string unfolded(const IndexSpec& index) {
  const fabric::IndexPolicy* const policy = fabric::find_index_policy(index.policy);
  return unless(policy != nullptr && policy->folds, fmt::format("its policy is {}", index.policy));
}
std::string by_bank(const Inquiry& q) {
  return unless(controller(q).refresh == dram::Refresh::per_bank, "memory.channel.controller.refresh is not per_bank");
}

std::string fabric_clock(const Inquiry& q) {
  for (const Level& level : levels_of(q.spec))
    if (level.shared_by == Sharers::memory_die) return read;
  if (!one_die(q.spec))
    for (const fabric::LinkSpec& link : q.spec.network.links)
      if (link.bandwidth.value == 0 && link.width.value > 0) return read;
  return one_die(q.spec) ? "this machine has one die and no memory-side cache"
                         : "the bandwidth of every link is given and there is no memory-side cache";
}

std::string link_width(const Inquiry& q) {
  const fabric::LinkSpec& link = q.spec.network.links[q.at[0]];
  return unless(
      link.bandwidth.value == 0,
      fmt::format("network.links[{0}].bandwidth, {1} now, decides: set it, or set it to 0 B/s so that the width counts",
                  q.at[0], config::show_number(link.bandwidth)));
}

std::string seeded(const Inquiry& q) {
  const translation::Placement* const placement = translation::find_placement(q.spec.pages.placement);
  return unless(placement != nullptr && placement->seeded,
                fmt::format("pages.placement is {}", q.spec.pages.placement));
}

constexpr UnreadRule memory_rules[] = {
    {"clocks.l2", below},
    {"clocks.fabric", below},
    {"clocks.fabric", fabric_clock},
    {"translation", below},
    {"translation.levels[].misses_per_clock", waits},
    {"translation.levels[].replacement",
     [](const Inquiry& q) {
       return unless(q.spec.translation.levels[q.at[0]].entries > 1 && q.spec.translation.levels[q.at[0]].ways != 1,
                     "a set has one entry");
     }},
    {"translation.walker", translated},
    {"translation.walker.parallel", waits},
    {"translate_before_l1", below},
    {"translate_before_l1", translated},
    {"pages", below},
    {"pages.run", seeded},
    {"pages.seed", seeded},
    {"crossbar", below},
    {"crossbar.span",
     [](const Inquiry& q) {
       return unless(!q.spec.crossbar.stops, "crossbar.stops says how far cores and slices are apart");
     }},
    {"crossbar.stops.rows",
     [](const Inquiry& q) {
       return unless(q.spec.crossbar.stops->shape == fabric::StopShape::mesh, "crossbar.stops.shape is ring");
     }},
    {"crossbar.source_write_width", stored},
    {"crossbar.cluster_write_width", stored},
    {"crossbar.group_write_width", stored},
    {"crossbar.depth", waits},
    {"crossbar.stand_aside", waits},
    {"crossbar.arbitration", waits},
    {"crossbar.arbitration", stored},
    {"crossbar.grants", waits},
    {"crossbar.grants", stored},
    {"crossbar.grants",
     [](const Inquiry& q) {
       return unless(q.spec.crossbar.arbitration != fabric::Arbitration::first_come,
                     "crossbar.arbitration is first_come");
     }},
    {"crossbar.coalescer", waits},
    {"l2.index", below},
    {"l2.index.row_stride", [](const Inquiry& q) { return unfolded(q.spec.l2.index); }},
    {"l2.index.row_stride",
     [](const Inquiry& q) {
       return unless(!q.spec.memory_side_cache, "memory_side_cache.index says where a block is in DRAM");
     }},
    {"levels[].index.row_stride", [](const Inquiry&) { return std::string{"this level has no channels of DRAM"}; }},
    {"memory_side_cache.index.row_stride", [](const Inquiry& q) { return unfolded(q.spec.memory_side_cache->index); }},
    {"l2.cache", below},
    {"l2.cache", [](const Inquiry& q) { return unless(!q.spec.l2.bypass, "l2.bypass is true: there is no L2"); }},
    {"l2.capacity", [](const Inquiry& q) { return unless(!q.spec.l2.bypass, "l2.bypass is true: there is no L2"); }},
    {"memory_side_cache.index.home_bits",
     [](const Inquiry& q) {
       return unless(!q.spec.l2.partitioned, "l2.partitioned is true: l2.index.home_bits say where a block is at home");
     }},
    {"l2.slices_per_die", below},
    {"dies.memory_apart",
     [](const Inquiry& q) { return unless(!one_die(q.spec), "there is one compute die and one memory die"); }},
    {"network", below},
    {"network",
     [](const Inquiry& q) { return unless(!one_die(q.spec), "this machine has one die, and no link between dies"); }},
    {"network.links[].width", link_width},
    {"network.links[].depth", waits},
    {"memory_side_cache", below},
    {"memory_side_cache.probe_filter", probe_filter},
    {"levels", below},
    {"memory.interleave", [](const Inquiry& q) { return unless(q.spec.dies.memory > 1, "there is one memory die"); }},
    {"memory.latency", below},
    {"memory.channel", below},
    {"memory.channel.timing.t_rcd_write", stored},
    {"memory.channel.timing.write_latency", stored},
    {"memory.channel.timing.t_wtr_s", stored},
    {"memory.channel.timing.t_wtr_l", stored},
    {"memory.channel.timing.t_rtw", stored},
    {"memory.channel.timing.t_wr", stored},
    {"memory.channel.timing.t_refi", refreshed},
    {"memory.channel.timing.t_rfc_ab",
     [](const Inquiry& q) {
       return unless(controller(q).refresh == dram::Refresh::all_bank,
                     "memory.channel.controller.refresh is not all_bank");
     }},
    {"memory.channel.timing.t_rfc_pb", by_bank},
    {"memory.channel.timing.t_rrefd", by_bank},
    {"memory.channel.timing.t_ccd_r", other_stack},
    {"memory.channel.timing.t_rc_r", other_stack},
    {"memory.channel.address_map.hash_banks",
     [](const Inquiry& q) {
       return unless(!q.spec.memory.channel.address_map.random_banks,
                     "memory.channel.address_map.random_banks decides the banks");
     }},
    {"memory.channel.controller.write_queue", stored},
    {"memory.channel.controller.write_rows", stored},
    {"memory.channel.controller.write_high", stored},
    {"memory.channel.controller.write_low", stored},
    {"memory.channel.controller.finish_drains", stored},
    {"memory.channel.controller.open_ahead", stored},
    {"memory.channel.controller.read_queue", waits},
    {"memory.channel.controller.input_buffer", waits},
    {"memory.channel.controller.starvation", waits},
    {"memory.channel.controller.scheduler", waits},
    {"memory.channel.controller.hit_cap", [](const Inquiry& q) { return scheduled(q, &dram::Policy::hits_counted); }},
    {"memory.channel.controller.blacklist_after", blacklisted},
    {"memory.channel.controller.blacklist_interval", blacklisted},
    {"memory.channel.controller.row_timeout",
     [](const Inquiry& q) {
       const dram::PagePolicyRow& row = dram::row_of(controller(q).page_policy);
       return unless(row.reads_row_timeout, fmt::format("page_policy is {}", row.name));
     }},
    {"memory.channel.controller.refresh_in_step", refreshed},
    {"host",
     [](const Inquiry& q) {
       return unless(q.does.host, "nothing is in the host's memory (strata latency and bandwidth have --home host)");
     }},
};

}  // namespace

std::span<const UnreadRule> memory_unread_rules() { return memory_rules; }

std::string why_cache_unread(const cache::CacheSpec& cache, const Activity& does, bool loads_only,
                             std::string_view field) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  const bool stores = !loads_only && (does.stores || does.atomics);
  const bool atomics = !loads_only && does.atomics;
  if (is({"bypass_cg"}) && !does.bypasses) return "no load is marked cg";
  if (is({"write_policy", "write_allocate", "masked_lines", "incomplete_lines", "dirty_ways", "write_width",
          "stores_apart", "writeback_buffer"}) &&
      !stores)
    return loads_only ? "only loads come to this cache" : no_store;
  if (is({"performs_atomics", "atomic_passes_per_clock", "partial_passes_per_clock", "atomic_latency"}) && !atomics)
    return loads_only ? "only loads come to this cache" : "there are no atomics";
  if (is({"atomic_passes_per_clock", "partial_passes_per_clock", "atomic_latency"}) && !cache.performs_atomics)
    return "performs_atomics is false: atomics are performed elsewhere";
  const bool compresses = cache.compression != cache::no_compression;
  if (is({"tag_ways", "decompression_latency"}) && !compresses) return "compression is none";
  if ((is({"compressed_sectors"}) && !cache::CompressionTable::reads_sectors(cache.compression)) ||
      (is({"compression_seed"}) && !cache::CompressionTable::reads_seed(cache.compression)))
    return fmt::format("compression is {}", cache.compression);
  if (is({"prefetch_degree"}) && !cache::PrefetcherTable::reads_degree(cache.prefetcher))
    return fmt::format("prefetcher is {}", cache.prefetcher);
  if (is({"data_pool.set_hash"}) && cache.data_pool && !cache.data_pool->hashed())
    return fmt::format("it is not of the {} tag_sets", cache.data_pool->tag_sets);
  if (is({"replacement"}) && cache.tags_of_set() == 1 && !cache.data_pool) return "a set has one line";
  if (is({"merges_per_mshr", "input_depth", "streaming"}) && does.one_at_a_time) return one_load;
  return {};
}

}  // namespace strata::machine
