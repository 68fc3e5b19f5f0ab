// SPDX-License-Identifier: Apache-2.0
// Which cores of a streaming load sweep which region together, and how much of it is timed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/invalid_request.hpp"
#include "base/rounding.hpp"
#include "machine/levels.hpp"
#include "machine/warm_up.hpp"
#include "study/bandwidth/streaming_load.hpp"
#include "study/bandwidth/streaming_warps.hpp"

namespace strata::study {

namespace {

// Whether a part of a sweep represents the whole: not if a level is home to a range of addresses, or if a cache
// permanently retains a part of the sweep.
bool parts_are_alike(const machine::MachineSpec& spec, trace::Space space) {
  const std::vector<machine::Level> levels = machine::levels_of(spec);
  return machine::caches_forget(spec, space) &&
         std::none_of(levels.begin(), levels.end(),
                      [](const machine::Level& level) { return level.addresses.has_value(); });
}

}  // namespace

// The start of the sweep of a core; if only near or far lines count, they are selected.
std::uint64_t StreamingLoad::memory_of(std::uint32_t core) const {
  // Pages that are spread over the dies are placed by their policy.
  const bool striped = machine_.spec().pages.placement == "striped";
  if (sided() || (striped && question_.home != Home::host)) return 0;
  return question_.home == Home::host ? machine_.atlas().host_memory() : machine_.atlas().local_memory(core);
}

StreamingLoad::Team StreamingLoad::team(std::vector<std::uint32_t> cores, std::uint64_t base) const {
  Team formed{std::move(cores), {}, {}, 0, {}};
  trace::StreamPattern& kernel = formed.kernel;
  kernel.operation = question_.operation;
  kernel.lanes = static_cast<std::uint32_t>(lanes_);
  kernel.bytes_per_lane = static_cast<std::uint32_t>(question_.bytes_per_lane);
  kernel.lane_stride = static_cast<std::uint32_t>(question_.lane_stride);
  kernel.unroll = static_cast<std::uint32_t>(question_.unroll);
  kernel.batch = question_.batch;
  kernel.blocked = question_.blocked;
  kernel.work_per_access = machine_.core_clock().cycles(question_.work_per_access.value);
  kernel.work_per_batch = machine_.core_clock().cycles(question_.work_per_batch.value);
  kernel.cache_operator = question_.cache_operator;
  kernel.space = question_.space;
  const std::uint64_t chunk = chunk_;
  const std::uint64_t share =
      question_.sharing == Sharing::each ? footprint_ : footprint_ * formed.cores.size() / cores_.size();
  kernel.bytes_per_array = std::max(share / arrays_ / chunk, std::uint64_t{1}) * chunk;
  formed.region = kernel.bytes_per_array;
  // Arrays begin at separate pages, as with an allocator.
  const std::uint64_t page = machine_.spec().pages.page.value;
  const std::uint64_t distance =
      trace::within_cores(question_.space) ? kernel.bytes_per_array : round_up(kernel.bytes_per_array, page);
  for (std::uint64_t a = 0; a < arrays_; ++a) kernel.arrays[a] = base + a * distance;
  formed.arrays = kernel.arrays;
  return formed;
}

void StreamingLoad::form_teams() {
  const machine::MachineSpec& spec = machine_.spec();
  if (question_.sharing == Sharing::each) {
    for (const std::uint32_t core : cores_) teams_.push_back(team({core}, memory_of(core)));
  } else {
    // One team for each part of memory that a set of cores uses: a NUMA domain, a logical GPU,
    // or a side if only near or only far lines are requested.
    struct Part {
      std::uint64_t memory;
      std::uint64_t owner;
      std::vector<std::uint32_t> cores;
    };
    std::vector<Part> parts;
    for (const std::uint32_t core : cores_) {
      const std::uint64_t memory = memory_of(core);
      const std::uint64_t owner = sided() ? core / spec.dies.cores_per_die : machine_.atlas().logical_gpu(core);
      const auto found = std::find_if(parts.begin(), parts.end(),
                                      [&](const Part& p) { return p.memory == memory && p.owner == owner; });
      if (found == parts.end())
        parts.push_back({memory, owner, {core}});
      else
        found->cores.push_back(core);
    }
    std::map<std::uint64_t, std::uint64_t> taken;  // of each part of memory, from its beginning
    for (Part& part : parts) {
      std::uint64_t& before = taken[part.memory];
      teams_.push_back(team(std::move(part.cores), part.memory + before));
      Team& formed = teams_.back();
      if (!sided()) before = round_up(formed.arrays[arrays_ - 1] + formed.region - part.memory, spec.pages.page.value);
      if (sided()) formed.pieces = pieces_of(formed, formed.kernel.arrays[arrays_ - 1] + formed.kernel.bytes_per_array);
    }
  }
  footprint_ = 0;
  for (const Team& formed : teams_) footprint_ += arrays_ * formed.kernel.bytes_per_array;
  if (question_.sharing == Sharing::each) footprint_ /= teams_.size();

  const std::uint64_t enough = question_.timed_bytes > 0 ? question_.timed_bytes : steady_bytes();
  std::uint64_t bytes = 0;
  for (Team& formed : teams_) {
    time(formed, enough * formed.cores.size() / cores_.size() / arrays_);
    instructions_ += formed.kernel.chunks() * formed.kernel.passes * arrays_;
    bytes += formed.kernel.bytes_loaded() + formed.kernel.bytes_stored();
  }
  bytes_per_instruction_ = static_cast<double>(bytes) / static_cast<double>(instructions_);
  const std::uint64_t times = times_of(bytes);
  most_instructions_ = instructions_ * times;
  for (std::size_t t = 0; t < teams_.size(); ++t) {
    Team& formed = teams_[t];
    trace::StreamPattern& kernel = formed.kernel;
    prolong(formed, times);
    if (question_.sharing != Sharing::each) continue;
    // Cores that all sweep one region start at different positions: in step they would act as
    // one reader.
    const std::uint64_t apart = formed.region - kernel.bytes_per_array;
    for (std::uint64_t& array : kernel.arrays) array += apart / chunk_ * t / teams_.size() * chunk_;
    if (apart == 0) kernel.start = kernel.chunks() * t / teams_.size();
  }
}

// Enough for a steady state, in whole passes where the footprint is small, and a part of one pass where it is large.
void StreamingLoad::time(Team& team, std::uint64_t bytes) const {
  if (question_.lockstep) return;  // which is one pass
  trace::StreamPattern& kernel = team.kernel;
  const bool alike = trace::within_cores(question_.space) || parts_are_alike(machine_.spec(), question_.space);
  if (kernel.bytes_per_array <= bytes || !alike) {
    kernel.passes = (bytes + kernel.bytes_per_array - 1) / kernel.bytes_per_array;
    // The window and each of its halves are whole sweeps: see measure_bandwidth().
    if (!alike && !question_.whole) kernel.passes = round_up(kernel.passes, 4);
  } else {
    const std::uint64_t round = chunk_ * warps_ * team.cores.size();
    kernel.bytes_per_array = std::min(kernel.bytes_per_array, round_up(std::max(bytes, 4 * round), round));
  }
}

std::uint64_t StreamingLoad::times_of(std::uint64_t bytes) const {
  std::uint64_t times = 1;
  while (2 * times * bytes <= doubles_to_) times *= 2;
  return times;
}

// Warps that sweep parts of their own have parts of the whole footprint, however little of it is timed.
void StreamingLoad::prolong(Team& team, std::uint64_t times) const {
  trace::StreamPattern& kernel = team.kernel;
  const std::uint64_t bytes = kernel.bytes_per_array * kernel.passes * times;
  const bool own_parts = question_.blocked && !question_.whole;
  if (kernel.passes == 1) kernel.bytes_per_array = own_parts ? team.region : std::min(team.region, bytes);
  kernel.passes = (bytes + kernel.bytes_per_array - 1) / kernel.bytes_per_array;
}

// Several times the bytes in flight, so that the ramp is small in comparison. If loads and
// stores both reach memory, also several turnovers of the L2s: at first loads run ahead of
// stores, and these clean lines distort the rate again when they are evicted.
std::uint64_t StreamingLoad::steady_bytes() const {
  constexpr std::uint64_t least = 8U << 20U;
  constexpr std::uint64_t most = 96U << 20U;
  constexpr std::uint64_t most_of_mixes = 256U << 20U;
  const machine::MachineSpec& spec = machine_.spec();
  const std::uint64_t in_flight = cores_.size() * warps_ * chunk_ * question_.unroll;
  const std::uint64_t enough = std::clamp(8 * in_flight, least, most);
  const std::uint64_t second_level =
      spec.l2.bypass ? 0 : spec.l2.cache.size.value * spec.l2.slices_per_die * spec.dies.compute;
  const bool mixes = arrays_ > 1 && footprint_ / memory::block_bytes > machine::warm_up_touches(machine_.spec()) / 2;
  return mixes ? std::max(enough, std::min(4 * second_level, most_of_mixes)) : enough;
}

std::vector<std::uint64_t> StreamingLoad::pieces_of(const Team& team, std::uint64_t bytes) const {
  const std::uint64_t chunk = chunk_;
  if (piece_bytes % chunk != 0)
    throw InvalidRequest(
        fmt::format("near and far lines lie in pieces of {} bytes, which accesses of {} bytes do not fill evenly",
                    piece_bytes, chunk));
  const std::uint32_t core = team.cores.front();
  const auto own = static_cast<std::uint32_t>(core / machine_.spec().dies.cores_per_die);
  std::vector<std::uint64_t> pieces;
  for (std::uint64_t at = 0; pieces.size() * piece_bytes < bytes; at += piece_bytes) {
    if (at >= machine_.spec().memory.size.value)
      throw InvalidRequest(fmt::format("{} bytes of near or far lines are more than the memory has", bytes),
                           {"memory.size"});
    if ((machine_.atlas().whereabouts(core, at).home_die == own) == (question_.home == Home::near))
      pieces.push_back(at);
  }
  return pieces;
}

std::uint64_t StreamingLoad::address(const Team& team, std::uint64_t logical) const {
  return team.pieces.empty() ? logical : team.pieces[logical / piece_bytes] + logical % piece_bytes;
}

}  // namespace strata::study
