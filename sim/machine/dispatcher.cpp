// SPDX-License-Identifier: Apache-2.0
#include "machine/dispatcher.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace strata::machine {

Dispatcher::Dispatcher(Machine& machine, trace::Kernel& kernel, std::string_view placement,
                       const compute::CompletionListener& listener)
    : machine_(machine),
      kernel_(kernel),
      listener_(listener),
      cores_(machine.placement(placement)),
      occupancy_(compute::occupancy(machine.spec().core, kernel.info())) {
  const trace::KernelInfo& info = kernel.info();
  const MachineSpec& spec = machine.spec();
  if (info.warp_width > spec.core.warp_width)
    throw std::invalid_argument(fmt::format("kernel '{}' has warps of {} lanes, those of {} have {}",
                                            info.name, info.warp_width, spec.name, spec.core.warp_width));
  if (info.blocks() < occupancy_.blocks * cores_.size()) {
    const std::uint64_t each = (info.blocks() + cores_.size() - 1) / cores_.size();
    if (each < occupancy_.blocks) occupancy_.limited_by = "grid";
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
  for (std::uint64_t round = 0; round < occupancy_.blocks; ++round)
    for (const std::uint32_t core : cores_) {
      if (next_ == kernel_.info().blocks()) return;
      hand_out(core);
    }
}

void Dispatcher::hand_out(std::uint32_t core) {
  const trace::KernelInfo& info = kernel_.info();
  const Time now = machine_.simulation().now();
  const Time sent = distributor_.reserve(later(now, launched_ + before_), per_block_);
  machine_.start_block(core, kernel_.open(next_++), info.warps_per_block(), sent + start_, launched_,
                       {&Dispatcher::block_done, this}, listener_);
}

void Dispatcher::on_block_done(std::uint32_t core) {
  ++done_;
  ended_ = machine_.simulation().now() + after_;
  if (next_ < kernel_.info().blocks()) hand_out(core);
}

}  // namespace strata::machine
