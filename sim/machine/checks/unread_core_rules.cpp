// SPDX-License-Identifier: Apache-2.0
// What has no reader in and around the cores: launching, warps, the load/store
// unit, first-level caches, how cores are grouped.
#include <fmt/format.h>

#include <algorithm>

#include "compute/placement.hpp"
#include "machine/checks/unread_rules.hpp"
#include "machine/levels.hpp"
#include "machine/warm_up.hpp"

namespace strata::machine {

namespace {

using compute::CoreSpec;

const std::string no_kernel = "no kernel is launched";
const std::string one_lane = "every access is of one lane";

std::string of_launch(const Inquiry& q) { return unless(q.does.kernels, no_kernel); }
// Whether cores are chosen by groups, as those of a small grid are.
bool spreads(const Inquiry& q) { return q.spec.launch.spread > 0 && (q.does.kernels || q.does.few_cores); }
std::string of_launch_or_choice(const Inquiry& q) { return unless(q.does.kernels || spreads(q), no_kernel); }

std::size_t chosen_carve_out(const MachineSpec& spec) {
  const auto& all = spec.l1.carve_outs;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const CarveOutSpec& c) { return c.name == spec.l1.carve_out; });
  return static_cast<std::size_t>(found - all.begin());
}

std::string l1_size(const Inquiry& q) {
  const std::size_t chosen = chosen_carve_out(q.spec);
  return fmt::format(
      "the size of the L1 is that of its carve-out '{}': set l1.carve_outs[{}].size, {} now, or choose "
      "another with l1.carve_out",
      q.spec.l1.carve_out, chosen, config::show_number(q.spec.l1.carve_outs[chosen].size));
}

std::string other_carve_out(const Inquiry& q) {
  const std::size_t chosen = chosen_carve_out(q.spec);
  if (q.at[0] == chosen) return read;
  const bool by_need = q.does.kernels && q.spec.l1.carve_outs[chosen].shared && q.spec.l1.carve_outs[q.at[0]].shared;
  return unless(by_need, fmt::format("l1.carve_out chooses '{}', l1.carve_outs[{}]", q.spec.l1.carve_out, chosen));
}

// Whether the groups of cores decide anything in a crossbar whose sources are cores.
bool crossbar_by_group(const MachineSpec& s) {
  const fabric::CrossbarSpec& x = s.crossbar;
  return x.group_request_width.value > 0 || x.group_write_width.value > 0 || x.group_response_width.value > 0 ||
         x.cluster_write_width.value > 0 || x.coalescer || x.arbitration == fabric::Arbitration::group ||
         x.arbitration == fabric::Arbitration::cluster;
}

std::string by_cluster(const Inquiry& q) {
  const fabric::CrossbarSpec& x = q.spec.crossbar;
  if (groups_have_levels(q.spec)) return "the sources of the crossbar are groups, which have a level of their own";
  return unless(
      x.cluster_write_width.value > 0 || x.arbitration == fabric::Arbitration::cluster ||
          (x.coalescer && x.coalescer->scope == fabric::CoalescerScope::cluster),
      "crossbar.cluster_write_width is 0, crossbar.arbitration is not cluster and no coalescer is shared by a "
      "cluster");
}

std::string cluster_run(const Inquiry& q) {
  if (std::string why = by_cluster(q); !why.empty()) return why;
  return unless(q.spec.dies.cores_per_cluster > 0, "dies.cores_per_cluster is 0: there are no clusters");
}

std::string cores_per_group(const Inquiry& q) {
  const MachineSpec& s = q.spec;
  const std::string& placement = q.does.placement.empty() ? s.placement : q.does.placement;
  if (const compute::PlacementPolicy* policy = compute::find_placement(placement); policy && policy->by_group)
    return read;
  for (const translation::TlbLevelSpec& level : s.translation.levels)
    if (level.scope == translation::Scope::group) return read;
  if (!spreads(q) && !crossbar_by_group(s) && !groups_have_levels(s))
    return "no width and no arbitration of the crossbar, no level, no TLB and no placement policy of this machine uses "
           "groups";
  return s.dies.group_sizes.empty() ? read : "dies.group_sizes gives the size of each group";
}

// Of the array that L1 and shared memory may have in common.
std::string banks(const Inquiry& q) {
  const bool as_l1 = q.spec.core.shared_memory.shares_array && q.does.global;
  return unless(q.does.shared || as_l1, "nothing is in shared memory");
}

std::string shared_atomics(const Inquiry& q) {
  return unless(q.does.shared && q.does.atomics, "no atomic is performed in shared memory");
}

std::string arithmetic(const Inquiry& q) {
  return unless(q.does.arithmetic, "no arithmetic and no barrier is executed");
}

constexpr UnreadRule core_rules[] = {
    {"vendor", [](const Inquiry&) -> std::string { return "it is a label"; }},
    {"dies.cores_per_group", cores_per_group},
    {"dies.group_sizes",
     [](const Inquiry& q) {
       return unless(spreads(q) || crossbar_by_group(q.spec) || groups_have_levels(q.spec),
                     "no width of the crossbar and no level is shared by a group of cores");
     }},
    {"dies.cores_per_cluster", by_cluster},
    {"dies.cluster_run", cluster_run},
    {"dies.logical_gpus",
     [](const Inquiry& q) {
       return unless(q.does.several_cores, "one core is at work, the first of the order of placement");
     }},
    {"placement",
     [](const Inquiry& q) {
       return unless(q.does.placement.empty(),
                     fmt::format("the question has an order of its own, --placement {}", q.does.placement));
     }},

    {"launch.before", of_launch},
    {"launch.before_next", of_launch},
    {"launch.after", of_launch},
    {"launch.dispatcher_per_die", of_launch_or_choice},
    {"launch.per_block", of_launch},
    {"launch.per_warp", of_launch},
    {"launch.block_start", of_launch},
    {"launch.cold_start", of_launch},
    {"launch.flushes_l2", of_launch},
    {"launch.apart", of_launch_or_choice},
    {"launch.spread",
     [](const Inquiry& q) {
       if (!q.does.kernels && !q.does.few_cores)
         return std::string("no kernel is launched, and no cores are chosen as a grid of as many blocks gets them");
       return unless(!q.spec.launch.dispatcher_per_die,
                     "launch.dispatcher_per_die is true: each die fills its own cores");
     }},
    {"launch.apart_turn",
     [](const Inquiry& q) {
       if (!q.does.kernels) return no_kernel;
       return unless(q.spec.launch.apart > 0, "launch.apart is 0: all cores take turns alike");
     }},
    {"core.tensor_memory", [](const Inquiry& q) { return unless(q.does.kernels, no_kernel); }},
    {"core.residency", [](const Inquiry& q) { return unless(q.does.kernels, no_kernel); }},
    {"core.execution.pipes", arithmetic},
    {"core.execution.latency", arithmetic},
    {"core.execution.barrier", arithmetic},
    {"core.execution.barrier_arrival", arithmetic},
    // Accesses take ports as well.
    {"core.execution.issue_ports",
     [](const Inquiry& q) {
       return unless(q.does.arithmetic || q.does.several_warps, "a core has one warp at most, which only loads");
     }},
    {"core.schedulers", [](const Inquiry& q) { return unless(q.does.several_warps, "a core has one warp at most"); }},
    {"core.scheduling", [](const Inquiry& q) { return unless(q.does.several_warps, "a core has one warp at most"); }},
    {"core.exit_waits_for_stores", [](const Inquiry& q) { return unless(q.does.stores || q.does.atomics, no_store); }},

    {"core.load_store.lanes_per_pass",
     [](const Inquiry& q) { return unless(q.does.several_lanes || !q.does.one_at_a_time, one_lane); }},
    {"core.load_store.vector_address",
     [](const Inquiry& q) { return unless(q.does.several_lanes || !q.does.one_at_a_time, one_lane); }},
    {"core.load_store.per_extra_pass",
     [](const Inquiry& q) { return unless(q.does.several_lanes || !q.does.one_at_a_time, one_lane); }},
    {"core.load_store.scalar_address",
     [](const Inquiry& q) {
       // The buffer behind the unit covers the longest path.
       const compute::LoadStoreSpec& unit = q.spec.core.load_store;
       return unless(q.does.one_lane || unit.scalar_address.value > unit.vector_address.value,
                     "no access is of one lane");
     }},
    {"core.load_store.lines_at_once", [](const Inquiry& q) { return unless(q.does.several_lanes, one_lane); }},
    {"core.load_store.per_stored_line", [](const Inquiry& q) { return unless(q.does.stores, no_store); }},
    {"core.load_store.per_store", [](const Inquiry& q) { return unless(q.does.stores, no_store); }},
    {"core.load_store.atomic_packets", [](const Inquiry& q) { return unless(q.does.atomics, "there are no atomics"); }},
    {"core.load_store.masked_stores", [](const Inquiry& q) { return unless(q.does.stores, no_store); }},
    {"core.load_store.wide_access",
     [](const Inquiry& q) {
       return unless(q.does.wide && q.does.below_core(), "no access has more than 8 bytes a lane");
     }},
    {"core.load_store.queue", [](const Inquiry& q) { return unless(!q.does.one_at_a_time, one_load); }},
    {"core.load_store.loads_in_flight", [](const Inquiry& q) { return unless(!q.does.one_at_a_time, one_load); }},

    {"core.shared_memory.size",
     [](const Inquiry& q) { return unless(q.does.shared || q.does.kernels, "nothing is in shared memory"); }},
    {"core.shared_memory.latency",
     [](const Inquiry& q) { return unless(q.does.shared, "nothing is in shared memory"); }},
    {"core.shared_memory.wide_access",
     [](const Inquiry& q) {
       return unless(q.does.shared && q.does.wide,
                     q.does.shared ? "no access has more than 8 bytes a lane" : "nothing is in shared memory");
     }},
    {"core.cluster",
     [](const Inquiry& q) { return unless(q.does.cluster, "no core reads the shared memory of another"); }},
    {"core.bulk_copy", [](const Inquiry& q) { return unless(q.does.bulk, "no access is a bulk copy"); }},
    {"core.shared_memory.banks", banks},
    {"core.shared_memory.bank_width", banks},
    {"core.shared_memory.per_conflict", banks},
    {"core.shared_memory.per_pass", banks},
    {"core.shared_memory.pairs_share", banks},
    {"core.shared_memory.atomic_latency", shared_atomics},
    {"core.shared_memory.compare_latency", shared_atomics},
    {"core.shared_memory.compare_passes", shared_atomics},
    {"core.shared_memory.atomics_per_pass", shared_atomics},

    {"l1.cache.size", l1_size},
    {"l1.carve_outs[]", other_carve_out},
    {"l1.carve_outs[].shared", [](const Inquiry& q) { return unless(q.does.kernels, no_kernel); }},
    {"scalar_cache",
     [](const Inquiry& q) {
       return unless(q.does.scalar || !q.spec.scalar_cache || !recency_decides(*q.spec.scalar_cache),
                     "no access is of the scalar space");
     }},
    {"second_scalar_cache",
     [](const Inquiry& q) {
       return unless(q.does.scalar || !q.spec.second_scalar_cache || !recency_decides(*q.spec.second_scalar_cache),
                     "no access is of the scalar space");
     }},
    {"texture_cache",
     [](const Inquiry& q) {
       return unless(q.does.texture || !q.spec.texture_cache || !recency_decides(*q.spec.texture_cache),
                     "no access is of the texture space");
     }},
    {"instruction_cache",
     [](const Inquiry& q) { return unless(q.does.code, "no instruction has a known program counter"); }},
};

}  // namespace

std::span<const UnreadRule> core_unread_rules() { return core_rules; }

}  // namespace strata::machine
