// SPDX-License-Identifier: Apache-2.0
#include "machine/dispatcher.hpp"

#include <fmt/format.h>

#include <stdexcept>

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
      cores_(machine.placement(placement)),
      occupancy_(compute::occupancy(machine.spec().core, kernel.info())),
      last_(kernel.info().blocks()) {
  const trace::KernelInfo& info = kernel.info();
  const MachineSpec& spec = machine.spec();
  if (info.warp_width > spec.core.warp_width)
    throw InvalidRequest(fmt::format("kernel '{}' has warps of {} lanes, those of {} have {}",
                                            info.name, info.warp_width, spec.name, spec.core.warp_width), {"core.warp_width"});
  if (info.blocks() < occupancy_.blocks * cores_.size()) {
    const std::uint64_t each = (info.blocks() + cores_.size() - 1) / cores_.size();
    if (each < occupancy_.blocks) occupancy_.bound_by_grid(info.blocks(), cores_.size());
  }
  const LaunchSpec& launch = spec.launch;
  const auto& timebase = machine.timebase();
  before_ = timebase.nanoseconds(launch.before.value);
  after_ = timebase.nanoseconds(launch.after.value);
  per_block_ = timebase.nanoseconds(launch.per_block.value);
  start_ = machine.core_clock().cycles(launch.block_start.value);
}

void Dispatcher::launch() {
  launched_ = ended_ = machine_.simulation().now();
  const LaunchSpec& spec = machine_.spec().launch;
  const std::uint64_t apart = spec.apart < cores_.size() ? spec.apart : 0;
  const std::uint64_t others = cores_.size() - apart;
  std::uint64_t rounds_apart = 0;
  for (std::uint64_t given = 0; given < occupancy_.blocks * others;) {
    if (rounds_apart++ < occupancy_.blocks && !hand_out_to(0, apart)) return;
    for (std::uint64_t turn = 0; turn < (apart == 0 ? others : spec.apart_turn); ++turn, ++given) {
      if (given == occupancy_.blocks * others) break;
      if (!hand_out_to(apart + given % others, 1)) return;
    }
  }
  while (rounds_apart++ < occupancy_.blocks)
    if (!hand_out_to(0, apart)) return;
}

// To cores that follow each other in the order of placement; false: no block is left.
bool Dispatcher::hand_out_to(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    if (next_ == last_) return false;
    hand_out(cores_[i]);
  }
  return true;
}

void Dispatcher::hand_out(std::uint32_t core) {
  const trace::KernelInfo& info = kernel_.info();
  const Time now = machine_.simulation().now();
  const Time sent = distributor_.reserve(later(now, launched_ + before_), per_block_);
  const std::uint64_t block = next_++;
  machine_.start_block(core, kernel_.open(block), info.warps_per_block(), sent + start_, launched_,
                       {&Dispatcher::block_done, this, block}, listener_);
  if (watcher_.begins != nullptr) watcher_.begins(watcher_.self, block, core, sent + start_);
}

void Dispatcher::on_block_done(std::uint32_t core, std::uint64_t block) {
  ++done_;
  if (watcher_.ended != nullptr) watcher_.ended(watcher_.self, block, core, machine_.simulation().now());
  ended_ = machine_.simulation().now();
  if (next_ < last_) hand_out(core);
}

}  // namespace strata::machine
