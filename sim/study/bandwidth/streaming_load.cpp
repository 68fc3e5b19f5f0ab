// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/streaming_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "study/latency/latency.hpp"
#include "trace/paced_warp.hpp"

namespace strata::study {

namespace {

// Home sides change between these (h200 l2_home_hash_check).
constexpr std::uint64_t piece_bytes = 4096;

// Sweeps until near copies have displaced the home copies that are not requested
// any more, where an L2 has sides; an H200 takes ten at the fullest.
constexpr std::uint64_t laps_to_settle = 12;

// A warp whose region is made of pieces that do not lie together.
class PiecewiseWarp final : public trace::WarpStream {
 public:
  PiecewiseWarp(const trace::StreamingKernel& kernel, std::uint64_t warp, std::uint64_t warps,
                const std::vector<std::uint64_t>& pieces)
      : logical_(kernel, warp, warps), pieces_(pieces) {}

  bool next(trace::Instruction& instruction) override {
    if (!logical_.next(instruction)) return false;
    std::uint64_t& address = instruction.addresses[0];
    address = pieces_[address / piece_bytes] + address % piece_bytes;
    return true;
  }

 private:
  trace::StreamingWarp logical_;
  const std::vector<std::uint64_t>& pieces_;
};

// A warp that ends on request.
class StoppableWarp final : public trace::WarpStream {
 public:
  StoppableWarp(std::unique_ptr<trace::WarpStream> stream, const bool& stopped)
      : stream_(std::move(stream)), stopped_(stopped) {}

  bool next(trace::Instruction& instruction) override { return !stopped_ && stream_->next(instruction); }

 private:
  std::unique_ptr<trace::WarpStream> stream_;
  const bool& stopped_;
};

std::uint64_t up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Warps of a core so that the last round of a sweep is as full as can be: a
// sweep of a little more than a whole number of rounds leaves most warps idle
// in its last.
std::uint64_t even_warps(std::uint64_t chunks, std::uint64_t cores, std::uint64_t most) {
  std::uint64_t best = most;
  double best_waste = 2;
  for (std::uint64_t warps = most; warps > 0 && warps >= most / 2; --warps) {
    const std::uint64_t all = warps * cores;
    const double waste = static_cast<double>(up(chunks, all)) / static_cast<double>(chunks);
    if (waste < best_waste - 1e-3) {
      best = warps;
      best_waste = waste;
    }
  }
  return best;
}

}  // namespace

StreamingLoad::StreamingLoad(machine::Machine& machine, const BandwidthQuestion& question,
                             std::uint64_t footprint_bytes, std::uint64_t spare)
    : machine_(machine), question_(question), footprint_(footprint_bytes) {
  check_space(machine.spec(), question.space);
  if ((question.space == trace::Space::scalar || question.space == trace::Space::texture) &&
      trace::stores_of(question.operation) > 0)
    throw InvalidRequest("scalar and texture loads have no stores: only --op read goes that way");
  if (question.space == trace::Space::shared && question.home != Home::any)
    throw InvalidRequest("shared memory is a core's own: leave out the home");
  const machine::MachineSpec& spec = machine.spec();
  arrays_ = trace::loads_of(question.operation) + trace::stores_of(question.operation);
  lanes_ = question.lanes == 0 ? spec.core.warp_width : question.lanes;
  if (lanes_ > spec.core.warp_width)
    throw InvalidRequest(fmt::format("{} has warps of {} lanes, not {}", spec.name, spec.core.warp_width, lanes_),
                         {"core.warp_width"});
  chunk_ = lanes_ * (question.lane_stride == 0 ? question.bytes_per_lane : question.lane_stride);
  const bool shared = question.space == trace::Space::shared;
  const bool host = question.home == Home::host;
  if (host) machine.host_memory();  // refuses where there is none
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

// Where what a core sweeps begins; where only near or far lines count, they are picked out.
std::uint64_t StreamingLoad::memory_of(std::uint32_t core) const {
  if (sided()) return 0;
  return question_.home == Home::host ? machine_.host_memory() : machine_.local_memory(core);
}

void StreamingLoad::choose_cores(std::uint64_t spare) {
  const machine::MachineSpec& spec = machine_.spec();
  for (const std::uint32_t die : question_.dies)
    if (die >= spec.dies.compute)
      throw InvalidRequest(fmt::format("{} has compute dies 0 to {}, not {}", spec.name, spec.dies.compute - 1, die),
                           {"dies.compute"});
  for (const std::uint32_t core : machine_.placement(question_.placement)) {
    const auto die = static_cast<std::uint32_t>(core / spec.dies.cores_per_die);
    const auto& dies = question_.dies;
    if (dies.empty() || std::find(dies.begin(), dies.end(), die) != dies.end()) cores_.push_back(core);
  }
  if (question_.cores > cores_.size())
    throw InvalidRequest(fmt::format("{} cores are asked for, {} are there", question_.cores, cores_.size()),
                         {"dies.cores_per_die", "dies.compute", "dies.logical_gpus"});
  if (question_.cores > 0) cores_.resize(question_.cores);
  if (spare >= cores_.size())
    throw InvalidRequest(fmt::format("of {} cores {} are to be left free; ask for more cores", cores_.size(), spare),
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
    throw InvalidRequest(fmt::format("a footprint of {} bytes gives {} not an access each: that takes {} bytes; fewer "
                                     "cores or narrower lanes take less",
                                     footprint_, sweepers == 1 ? "a core" : fmt::format("{} cores", sweepers), least),
                         {"core.warp_width", "dies.cores_per_die", "dies.compute"});
  const std::uint64_t chunks = footprint_ / arrays_ / chunk;
  const std::uint64_t most = std::min(question_.warps == 0 ? spec.core.warps : question_.warps, chunks / sweepers);
  warps_ = question_.warps == 0 && !question_.lockstep ? even_warps(chunks, sweepers, most) : most;
}

StreamingLoad::Team StreamingLoad::team(std::vector<std::uint32_t> cores, std::uint64_t base) const {
  Team formed{std::move(cores), {}, {}, 0, {}};
  trace::StreamingKernel& kernel = formed.kernel;
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
  // Arrays begin at pages of their own, as an allocator lays them out.
  const std::uint64_t page = machine_.spec().pages.page.value;
  const std::uint64_t distance =
      question_.space == trace::Space::shared ? kernel.bytes_per_array : up(kernel.bytes_per_array, page);
  for (std::uint64_t a = 0; a < arrays_; ++a) kernel.arrays[a] = base + a * distance;
  formed.arrays = kernel.arrays;
  return formed;
}

void StreamingLoad::form_teams() {
  const machine::MachineSpec& spec = machine_.spec();
  if (question_.sharing == Sharing::each) {
    for (const std::uint32_t core : cores_) teams_.push_back(team({core}, memory_of(core)));
  } else {
    // One team for each part of memory that cores call their own, in a NUMA domain,
    // as a logical GPU, or on a side where only near or only far lines are asked for.
    struct Part {
      std::uint64_t memory;
      std::uint64_t owner;
      std::vector<std::uint32_t> cores;
    };
    std::vector<Part> parts;
    for (const std::uint32_t core : cores_) {
      const std::uint64_t memory = memory_of(core);
      const std::uint64_t owner = sided() ? core / spec.dies.cores_per_die : machine_.logical_gpu(core);
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
      if (!sided()) before = up(formed.arrays[arrays_ - 1] + formed.region - part.memory, spec.pages.page.value);
      if (sided()) formed.pieces = pieces_of(formed, formed.kernel.arrays[arrays_ - 1] + formed.kernel.bytes_per_array);
    }
  }
  footprint_ = 0;
  for (const Team& formed : teams_) footprint_ += arrays_ * formed.kernel.bytes_per_array;
  if (question_.sharing == Sharing::each) footprint_ /= teams_.size();

  // The timed part: enough for a steady state, in whole passes where the
  // footprint is small, and a part of one pass where it is large.
  const std::uint64_t enough = question_.timed_bytes > 0 ? question_.timed_bytes : steady_bytes();
  for (std::size_t t = 0; t < teams_.size(); ++t) {
    Team& formed = teams_[t];
    trace::StreamingKernel& kernel = formed.kernel;
    const std::uint64_t mine = enough * formed.cores.size() / cores_.size() / arrays_;
    if (!question_.lockstep) {  // which is one pass
      const std::uint64_t round = chunk_ * warps_ * formed.cores.size();
      if (kernel.bytes_per_array <= mine)
        kernel.passes = (mine + kernel.bytes_per_array - 1) / kernel.bytes_per_array;
      else
        kernel.bytes_per_array = std::min(kernel.bytes_per_array, up(std::max(mine, 4 * round), round));
    }
    if (question_.sharing == Sharing::each) {
      // Cores that all sweep one region do so from places of their own: in step
      // they would be one reader.
      const std::uint64_t apart = formed.region - kernel.bytes_per_array;
      for (std::uint64_t& array : kernel.arrays) array += apart / chunk_ * t / teams_.size() * chunk_;
      if (apart == 0) kernel.start = kernel.chunks() * t / teams_.size();
    }
    instructions_ += kernel.chunks() * kernel.passes * arrays_;
  }
}

// Several times what is under way, so that the ramp is small beside it. Where stores go
// with loads to memory, also some turnovers of the L2s: at first loads run ahead of the
// stores, and that lump of clean lines comes back when it is evicted.
std::uint64_t StreamingLoad::steady_bytes() const {
  constexpr std::uint64_t least = 8U << 20U;
  constexpr std::uint64_t most = 96U << 20U;
  constexpr std::uint64_t most_of_mixes = 256U << 20U;
  const machine::MachineSpec& spec = machine_.spec();
  const std::uint64_t in_flight = cores_.size() * warps_ * chunk_ * question_.unroll;
  const std::uint64_t enough = std::clamp(8 * in_flight, least, most);
  const std::uint64_t second_level =
      spec.l2.bypass ? 0 : spec.l2.cache.size.value * spec.l2.slices_per_die * spec.dies.compute;
  const bool mixes = arrays_ > 1 && footprint_ / memory::block_bytes > machine_.warm_up_touches() / 2;
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
    if ((machine_.whereabouts(core, at).home_die == own) == (question_.home == Home::near)) pieces.push_back(at);
  }
  return pieces;
}

std::uint64_t StreamingLoad::address(const Team& team, std::uint64_t logical) const {
  return team.pieces.empty() ? logical : team.pieces[logical / piece_bytes] + logical % piece_bytes;
}

double StreamingLoad::bytes_per_instruction() const {
  if (in_turn()) return static_cast<double>(chunk_);
  std::uint64_t bytes = 0;
  for (const Team& team : teams_) bytes += team.kernel.bytes_loaded() + team.kernel.bytes_stored();
  return static_cast<double>(bytes) / static_cast<double>(instructions_);
}

// What caches can hold settles over laps in which warps take turns at random:
// those of a real grid drift apart, and in lockstep they would evict each other
// for ever (docs/design/warm-up.md). Each makes whole laps: one that ended ahead of
// its place would find what it had just brought in, which a warp that goes on never
// does. Of what they cannot hold, only the end of the sweep can still be there when the
// timed part begins.
void StreamingLoad::warm() {
  if (question_.space == trace::Space::shared) return;
  if (in_turn()) return warm_turns();
  const std::uint64_t chunk = chunk_;
  const std::uint64_t lines_of_chunk = std::max<std::uint64_t>(chunk / memory::block_bytes, 1) * arrays_;
  struct Walker {
    const Team* team;
    std::uint32_t core;
    std::uint64_t first, step, places, at, left;
  };
  std::vector<Walker> walkers;
  std::uint64_t chunks = 0;
  for (Team& team : teams_) {
    const std::uint64_t all = warps_ * team.cores.size();
    const std::uint64_t region = team.region / chunk;
    chunks += region;
    for (std::uint64_t w = 0; w < all; ++w) {
      Walker walker{&team, team.cores[w / warps_], w, all, 0, 0, 0};
      if (question_.blocked) {
        walker.first = region * w / all;
        walker.step = 1;
        walker.places = region * (w + 1) / all - walker.first;
      } else {
        walker.places = w < region ? (region - w + all - 1) / all : 0;
      }
      if (walker.places > 0) walkers.push_back(walker);
    }
  }
  const std::uint64_t budget = machine_.warm_up_touches();
  const std::uint64_t lines = chunks * lines_of_chunk;
  const bool private_to_cores = question_.sharing == Sharing::each;
  const bool settles = private_to_cores || lines <= budget / 2;
  const std::uint64_t laps = private_to_cores ? 3 : machine_.spec().l2.partitioned ? laps_to_settle : 2;
  const std::uint64_t touches = settles ? laps * chunks : std::min(chunks, budget / lines_of_chunk);
  // Each begins so that it ends where the timed part begins.
  for (Walker& walker : walkers) {
    const std::uint64_t mine = touches / walkers.size();
    walker.left = settles ? laps * walker.places : mine;
    walker.at = settles ? 0 : (walker.places - mine % walker.places) % walker.places;
  }
  RandomSequence turns{mix(question_.seed, walkers.size())};
  for (std::uint64_t k = 0; !walkers.empty(); ++k) {
    const std::uint64_t turn = settles ? turns.below(walkers.size()) : k % walkers.size();
    Walker& walker = walkers[turn];
    if (walker.left == 0) {
      if (!settles) return;
      walker = walkers.back();
      walkers.pop_back();
      continue;
    }
    --walker.left;
    const Team& team = *walker.team;
    const std::uint64_t c = walker.first + walker.at * walker.step;
    for (std::uint64_t a = 0; a < arrays_; ++a)
      machine_.touch(walker.core, address(team, team.arrays[a] + c * chunk), chunk, question_.space,
                     question_.cache_operator, machine::Reach::every_level,
                     a < trace::loads_of(question_.operation) ? memory::Operation::load : memory::Operation::store);
    if (++walker.at == walker.places) walker.at = 0;
  }
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
          streams_.back() = std::make_unique<trace::PacedWarp>(std::move(streams_.back()), machine_.simulation().now(),
                                                               interval, mix(question_.seed, streams_.size()));
        if (!spare_.empty()) streams_.back() = std::make_unique<StoppableWarp>(std::move(streams_.back()), stopped_);
        machine_.start(team.cores[c], *streams_.back(), listener);
      }
    }
  }
}

}  // namespace strata::study
