// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/streaming_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "base/rounding.hpp"
#include "machine/blocks/shares.hpp"
#include "study/bandwidth/streaming_warps.hpp"
#include "study/latency/latency.hpp"
#include "trace/paced_warp.hpp"

namespace strata::study {

namespace {

// Number of warps of a core for which the last round of a sweep is as full as possible: with
// slightly more than a whole number of rounds most warps are idle in the last.
std::uint64_t even_warps(std::uint64_t chunks, std::uint64_t cores, std::uint64_t most) {
  std::uint64_t best = most;
  double best_waste = 2;
  for (std::uint64_t warps = most; warps > 0 && warps >= most / 2; --warps) {
    const std::uint64_t all = warps * cores;
    const double waste = static_cast<double>(round_up(chunks, all)) / static_cast<double>(chunks);
    if (waste < best_waste - 1e-3) {
      best = warps;
      best_waste = waste;
    }
  }
  return best;
}

}  // namespace

StreamingLoad::StreamingLoad(machine::Machine& machine, const BandwidthQuestion& question,
                             std::uint64_t footprint_bytes, std::uint64_t spare, std::uint64_t doubles_to)
    : machine_(machine), question_(question), footprint_(footprint_bytes), doubles_to_(doubles_to) {
  check_space(machine.spec(), question.space);
  const bool read_only = question.space == trace::Space::scalar || question.space == trace::Space::texture;
  if (read_only && trace::stores_of(question.operation) > 0)
    throw InvalidRequest(fmt::format("the {} space has no stores: only --op read is possible",
                                     trace::spaces[static_cast<std::size_t>(question.space)]));
  if (question.bytes_per_lane > most_bytes_of_load && question.space != trace::Space::bulk)
    throw InvalidRequest(fmt::format("a load of a lane has at most {} bytes, not {}: only bulk copies have more",
                                     most_bytes_of_load, question.bytes_per_lane));
  if (trace::within_cores(question.space) && question.home != Home::any)
    throw InvalidRequest("shared memory is private to a core: remove the home");
  const machine::MachineSpec& spec = machine.spec();
  arrays_ = trace::loads_of(question.operation) + trace::stores_of(question.operation);
  lanes_ = question.lanes == 0 ? spec.core.warp_width : question.lanes;
  if (lanes_ > spec.core.warp_width)
    throw InvalidRequest(fmt::format("{} has warps of {} lanes, not {}", spec.name, spec.core.warp_width, lanes_),
                         {"core.warp_width"});
  if (question.space == trace::Space::bulk && lanes_ * question.bytes_per_lane % 16 != 0)
    throw InvalidRequest(
        fmt::format("a bulk copy is a multiple of 16 bytes, not {}", lanes_ * question.bytes_per_lane));
  chunk_ = lanes_ * (question.lane_stride == 0 ? question.bytes_per_lane : question.lane_stride);
  const bool shared = trace::within_cores(question.space);
  const bool host = question.home == Home::host;
  if (host) machine.atlas().host_memory();  // refuses where there is none
  const std::uint64_t room = shared ? spec.core.shared_memory.size.value
                             : host ? spec.host->size.value
                                    : spec.memory.size.value;
  if (footprint_ > room)
    throw InvalidRequest(fmt::format("a footprint of {} bytes does not fit in {} bytes of {}", footprint_, room,
                                     shared ? "shared memory"
                                     : host ? "the host's memory"
                                            : "memory"),
                         {shared ? "core.shared_memory.size"
                          : host ? "host.size"
                                 : "memory.size"});
  if (shared) question_.sharing = Sharing::each;  // every core has its own
  if (sided() && !spec.l2.partitioned)
    throw InvalidRequest(fmt::format("{} has no near and far lines: its L2 has no sides", spec.name),
                         {"l2.partitioned"});
  choose_cores(spare);
  if (in_turn()) {
    form_turns();
    return;
  }
  choose_warps();
  form_teams();
}

void StreamingLoad::choose_cores(std::uint64_t spare) {
  const machine::MachineSpec& spec = machine_.spec();
  for (const std::uint32_t die : question_.dies)
    if (die >= spec.dies.compute)
      throw InvalidRequest(fmt::format("{} has compute dies 0 to {}, not {}", spec.name, spec.dies.compute - 1, die),
                           {"dies.compute"});
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  cores_ =
      machine::cores_of_grid(spec, question_.placement, question_.cores == 0 ? all : question_.cores, question_.dies);
  if (question_.cores > cores_.size())
    throw InvalidRequest(fmt::format("{} cores are requested, {} exist", question_.cores, cores_.size()),
                         {"dies.cores_per_die", "dies.compute", "dies.logical_gpus"});
  if (spare >= cores_.size())
    throw InvalidRequest(fmt::format("of {} cores {} are reserved; request more cores", cores_.size(), spare),
                         {"dies.cores_per_die", "dies.compute"});
  const auto taken = cores_.begin() + static_cast<std::ptrdiff_t>(spare);
  spare_.assign(cores_.begin(), taken);
  cores_.erase(cores_.begin(), taken);
}

void StreamingLoad::choose_warps() {
  const machine::MachineSpec& spec = machine_.spec();
  if (question_.warps > spec.core.warps)
    throw InvalidRequest(
        fmt::format("{} warps do not fit on a core of {}: it holds {}", question_.warps, spec.name, spec.core.warps),
        {"core.warps"});
  const std::uint64_t chunk = chunk_;
  const std::uint64_t sweepers = question_.sharing == Sharing::each ? 1 : cores_.size();
  const std::uint64_t least = arrays_ * chunk * sweepers;
  if (footprint_ < least)
    throw InvalidRequest(fmt::format("a footprint of {} bytes is too small for one access of {}, which takes {} bytes; "
                                     "fewer cores or narrower lanes take less",
                                     footprint_, sweepers == 1 ? "a core" : fmt::format("{} cores", sweepers), least),
                         {"core.warp_width", "dies.cores_per_die", "dies.compute"});
  const std::uint64_t chunks = footprint_ / arrays_ / chunk;
  const std::uint64_t most = std::min(question_.warps == 0 ? spec.core.warps : question_.warps, chunks / sweepers);
  warps_ = question_.warps == 0 && !question_.lockstep ? even_warps(chunks, sweepers, most) : most;
}

double StreamingLoad::least_part() const {
  double least = 1;
  for (const Team& team : teams_) {
    // Chunks that are left over go to the first warps, one to each.
    const std::uint64_t warps = warps_ * team.cores.size();
    const std::uint64_t chunks = team.kernel.chunks();
    const std::uint64_t dealt_evenly = chunks - chunks % warps;
    least = std::min(least, static_cast<double>(dealt_evenly) / static_cast<double>(chunks));
  }
  return least;
}

void StreamingLoad::start(const compute::CompletionListener& listener) {
  start(listener, std::numeric_limits<double>::infinity());
}

void StreamingLoad::start(const compute::CompletionListener& listener, double bytes_per_second) {
  const auto warps = static_cast<double>(warps_ * cores_.size());
  const double interval =
      bytes_per_instruction() * warps / bytes_per_second * static_cast<double>(machine_.timebase().ticks_per_second());
  if (in_turn()) return start_turns(listener);
  for (const Team& team : teams_) {
    const std::uint64_t all = warps_ * team.cores.size();
    // Warp by warp over the cores, so that all cores begin together.
    for (std::uint64_t w = 0; w < warps_; ++w) {
      for (std::uint64_t c = 0; c < team.cores.size(); ++c) {
        const std::uint64_t warp = c * warps_ + w;
        if (team.pieces.empty())
          streams_.push_back(std::make_unique<trace::StreamingWarp>(team.kernel, warp, all));
        else
          streams_.push_back(std::make_unique<PiecewiseWarp>(team.kernel, warp, all, team.pieces));
        if (interval > 0)
          streams_.back() = std::make_unique<trace::PacedWarp>(std::move(streams_.back()), machine_.processes().now(),
                                                               interval, mix(question_.seed, streams_.size()));
        if (!spare_.empty()) streams_.back() = std::make_unique<StoppableWarp>(std::move(streams_.back()), stopped_);
        machine_.start(team.cores[c], *streams_.back(), listener);
      }
    }
  }
}

}  // namespace strata::study
