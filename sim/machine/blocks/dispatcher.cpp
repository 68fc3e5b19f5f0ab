// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/dispatcher.hpp"
#include "machine/blocks/shares.hpp"
#include "machine/core_order.hpp"
#include "machine/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/invalid_request.hpp"

namespace strata::machine {

const CarveOutSpec& carve_out_of(const MachineSpec& spec, const trace::KernelInfo& kernel) {
  const compute::Occupancy occupancy = compute::occupancy(spec.core, kernel);
  return spec.l1.for_shared(kernel.shared_bytes == 0 ? 0 : occupancy.blocks * occupancy.shared_bytes);
}

Dispatcher::Dispatcher(Machine& machine, trace::Kernel& kernel, std::string_view placement,
                       const compute::CompletionListener& listener)
    : machine_(machine),
      kernel_(kernel),
      listener_(listener),
      cores_(core_order(machine.spec(), placement)),
      cluster_(kernel.info().cluster),
      occupancy_(compute::occupancy(machine.spec().core, kernel.info())),
      ended_in_(machine.processes().count()),
      last_(kernel.info().blocks()) {
  const trace::KernelInfo& info = kernel.info();
  const MachineSpec& spec = machine.spec();
  if (info.warp_width > spec.core.warp_width)
    throw InvalidRequest(fmt::format("kernel '{}' has warps of {} lanes, those of {} have {}", info.name,
                                     info.warp_width, spec.name, spec.core.warp_width),
                         {"core.warp_width"});
  form_units();
  const std::uint64_t resident_blocks = resident();
  if (info.together && info.blocks() > resident_blocks)
    throw InvalidRequest(
        fmt::format("the blocks of kernel '{}' wait for each other, and {} of its {} blocks are resident on {}: {}",
                    info.name, resident_blocks, info.blocks(), spec.name, occupancy_.explanation()),
        {"dies.cores_per_die", "dies.compute"}, "launch fewer blocks, or smaller ones");
  // A block takes at least 100 ns of host time: these would run for hours.
  constexpr std::uint64_t most_blocks = std::uint64_t{1} << 36U;
  if (info.blocks() > most_blocks)
    throw InvalidRequest(
        fmt::format("kernel '{}' has {} blocks, and at most {} can be run", info.name, info.blocks(), most_blocks));
  if (info.blocks() < resident_blocks) {
    const std::uint64_t each = (info.blocks() + cores_.size() - 1) / cores_.size();
    if (each < occupancy_.blocks) occupancy_.bound_by_grid(info.blocks(), cores_.size());
  }
  const LaunchSpec& launch = spec.launch;
  const auto& timebase = machine.timebase();
  before_ = timebase.nanoseconds(launch.before.value);
  before_next_ = timebase.nanoseconds(launch.before_next.value_or(launch.before).value);
  after_ = timebase.nanoseconds(launch.after.value);
  per_block_ = longer(timebase.nanoseconds(launch.per_block.value),
                      timebase.nanoseconds(launch.per_warp.value * static_cast<double>(info.warps_per_block())));
  start_ = machine.core_clock().cycles(launch.block_start.value);
  cold_start_ = machine.core_clock().cycles(launch.cold_start.value);
}

// A place is so many cores of one group as a cluster has blocks, in the order of placement; cores that are left over get none.
void Dispatcher::form_units() {
  const MachineSpec& spec = machine_.spec();
  const bool per_die = spec.launch.dispatcher_per_die;
  if (cluster_ > 1 && !spec.core.cluster)
    throw InvalidRequest(fmt::format("kernel '{}' has clusters of {} blocks, and cores of {} do not reach each other's "
                                     "shared memory: core.cluster is none",
                                     kernel_.info().name, cluster_, spec.name),
                         {"core.cluster"}, "run it on a GPU that has it");
  seen_.resize(spec.dies.compute * spec.dies.cores_per_die);
  std::vector<std::uint32_t> unit_of(per_die ? spec.dies.compute : 1, ~std::uint32_t{0});
  std::map<std::uint32_t, Place> begun;  // by group
  for (const std::uint32_t core : cores_) {
    const auto die = static_cast<std::uint32_t>(core / spec.dies.cores_per_die);
    Place& place = begun[cluster_ == 1 ? 0 : group_in_all(spec.dies, core)];
    place.push_back(core);
    if (place.size() < cluster_) continue;
    std::uint32_t& unit = unit_of[per_die ? die : 0];
    if (unit == ~std::uint32_t{0}) {
      unit = static_cast<std::uint32_t>(units_.size());
      units_.push_back({{}, unit});
    }
    for (const std::uint32_t member : place)
      seen_[member] = {unit, static_cast<std::uint32_t>(units_[unit].places.size())};
    units_[unit].places.push_back(std::exchange(place, {}));
    ++places_;
  }
  if (places_ == 0)
    throw InvalidRequest(fmt::format("kernel '{}' has clusters of {} blocks, and no group of {} has as many cores",
                                     kernel_.info().name, cluster_, spec.name),
                         {"dies.cores_per_group", "dies.group_sizes"}, "use smaller clusters");
}

void Dispatcher::launch(bool follows) {
  launched_ = ended_ = machine_.processes().now();
  machine_.run_code_of(kernel_.info().name);
  first_ = launched_ + (follows ? before_next_ : before_);
  if (units_.size() == 1)
    fill_in_turn(units_.front());
  else
    fill_dies();
}

// The cores of one unit get one block each in turn; the cores apart have separate turns. Each gets its share.
void Dispatcher::fill_in_turn(Unit& unit) {
  const LaunchSpec& spec = machine_.spec().launch;
  const std::uint64_t apart = spec.apart < unit.places.size() && cluster_ == 1 ? spec.apart : 0;
  const std::uint64_t others = unit.places.size() - apart;
  const std::uint64_t turn = apart == 0 ? others : spec.apart_turn;
  std::vector<std::uint64_t> shares = shares_of(unit, apart);
  std::uint64_t left = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  const auto dispatch_to = [&](std::uint64_t place) {
    if (shares[place] == 0) return;
    --shares[place];
    --left;
    dispatch(unit, unit.places[place], launched_, launched_);
  };
  std::uint64_t given = 0;
  while (left > 0) {
    for (std::uint64_t place = 0; place < apart; ++place) dispatch_to(place);
    for (std::uint64_t i = 0; i < turn && given < occupancy_.blocks * others; ++i, ++given)
      dispatch_to(apart + given % others);
  }
}

// The cores apart are groups of their own. Clusters are whole groups, or parts of one, already.
std::vector<std::uint64_t> Dispatcher::shares_of(const Unit& unit, std::uint64_t apart) const {
  std::vector<std::uint32_t> first_cores;
  for (const Place& place : unit.places) first_cores.push_back(place.front());
  return even_shares(spread_groups(machine_.spec().dies, first_cores, apart), last_ / cluster_, occupancy_.blocks,
                     cluster_ == 1 ? machine_.spec().launch.spread : 0);
}

// Each die fills its cores in parallel with the others.
void Dispatcher::fill_dies() {
  std::uint64_t most = 0;
  for (const Unit& unit : units_) most = std::max<std::uint64_t>(most, unit.places.size());
  for (std::uint64_t turn = 0; turn < occupancy_.blocks * most; ++turn)
    for (Unit& unit : units_)
      if (turn < occupancy_.blocks * unit.places.size() && !exhausted(unit))
        dispatch(unit, unit.places[turn % unit.places.size()], launched_, launched_);
}

void Dispatcher::dispatch(Unit& unit, const Place& place, Time t, Time not_before) {
  const std::uint64_t number = unit.next;
  unit.next += units_.size();
  std::shared_ptr<compute::Cluster> cluster;
  if (cluster_ > 1) {
    // Arrivals cross the network, and so does the end of the wait.
    const compute::ClusterSpec& network = *machine_.spec().core.cluster;
    const Duration meets = machine_.core_clock().cycles(2 * network.latency.value);
    cluster = std::make_shared<compute::Cluster>(place, cluster_ * kernel_.info().warps_per_block(), meets);
    left_.emplace(number, cluster_);
  }
  for (std::size_t rank = 0; rank < place.size(); ++rank)
    dispatch_block(number * cluster_ + rank, place[rank], unit.lane.reserve(later(t, first_), per_block_), not_before,
                   cluster);
}

void Dispatcher::dispatch_block(std::uint64_t block, std::uint32_t core, Time sent, Time not_before,
                                std::shared_ptr<compute::Cluster> cluster) {
  const trace::KernelInfo& info = kernel_.info();
  Core& seen = seen_[core];
  ++begun_;
  Time begins = sent + start_;
  if (!seen.begun) {
    seen.begun = true;
    seen.fetched = begins + cold_start_;
  }
  begins = later(later(begins, seen.fetched), not_before);
  machine_.start_block(core, kernel_.open(block), info.warps_per_block(), begins, launched_,
                       {&Dispatcher::block_done, this, block, std::move(cluster)}, listener_);
  if (watcher_.begins != nullptr) watcher_.begins(watcher_.self, block, core, begins);
}

void Dispatcher::on_block_done(std::uint32_t core, std::uint64_t block) {
  const std::uint32_t process = machine_.atlas().process_of(core);
  const Time now = machine_.processes()[process].now();
  if (ended_in_.size() == 1) return done({core, block, now}, now);
  ended_in_[process].push_back({core, block, now});
}

void Dispatcher::at_window(Time reached) {
  const auto none = [](const std::vector<Ended>& ended) { return ended.empty(); };
  if (std::all_of(ended_in_.begin(), ended_in_.end(), none)) return;
  std::vector<Ended> all;
  for (std::vector<Ended>& ended : ended_in_) {
    all.insert(all.end(), ended.begin(), ended.end());
    ended.clear();
  }
  std::stable_sort(all.begin(), all.end(), [](const Ended& a, const Ended& b) { return a.t < b.t; });
  for (const Ended& ended : all) done(ended, reached);
}

void Dispatcher::done(const Ended& ended, Time not_before) {
  ++done_;
  if (watcher_.ended != nullptr) watcher_.ended(watcher_.self, ended.block, ended.core, ended.t);
  ended_ = later(ended_, ended.t);
  bool free = true;
  if (cluster_ > 1) {
    const auto left = left_.find(ended.block / cluster_);
    free = --left->second == 0;
    if (free) left_.erase(left);
  }
  Unit& unit = units_[seen_[ended.core].unit];
  if (free && !exhausted(unit)) dispatch(unit, unit.places[seen_[ended.core].place], ended.t, not_before);
  if (finished()) finish(not_before);
}

// Stores that blocks leave behind arrive before.
void Dispatcher::finish(Time t) {
  if (machine_.spec().launch.flushes_l2) machine_.write_back_dies(t);
}

}  // namespace strata::machine
