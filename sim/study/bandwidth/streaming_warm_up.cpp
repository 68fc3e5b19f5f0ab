// SPDX-License-Identifier: Apache-2.0
// The warm-up of a streaming load: each line touched as an endless sweep would have touched it.
#include <algorithm>

#include "base/random.hpp"
#include "machine/warm_up.hpp"
#include "study/bandwidth/streaming_load.hpp"

namespace strata::study {

namespace {

// Sweeps until near copies have displaced the home copies that are not requested
// any more, where an L2 has sides; an H200 takes ten at the fullest.
constexpr std::uint64_t sweeps_to_settle = 12;

}  // namespace

// A sweep of loads alone, each line read whole and by one warp, over so many lines that warps which have drifted apart
// still meet none that is held. Parts of a region that are swept from their beginnings, as blocked warps may, can be.
bool StreamingLoad::misses_all_caches(std::uint64_t lines) const {
  const machine::MachineSpec& spec = machine_.spec();
  return question_.sharing == Sharing::split && trace::stores_of(question_.operation) == 0 &&
         question_.statistics == stats::Detail::none && spare_.empty() && !question_.blocked &&
         question_.lane_stride <= question_.bytes_per_lane && chunk_ % memory::block_bytes == 0 &&
         lines / 3 * 2 >= machine::sweep_touches(spec) && !machine_.atlas().pages_by_access() &&
         machine::contents_do_not_matter(spec, question_.space, memory::block_bytes);
}

// A footprint that fits reaches steady state over laps in which warps alternate at random:
// those of a real grid drift apart, and in lockstep they would evict each other's lines forever
// (docs/design/warm-up.md). Each makes whole laps: a warp that ended before its starting
// position would hit lines that it had just fetched, which a continuing warp never does. Where passes are
// in lockstep, all wait for each other after each lap. Of a footprint that does not fit, only the end of
// the sweep can still be cached when the timed part begins.
void StreamingLoad::warm() {
  if (trace::within_cores(question_.space)) return;
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
  const std::uint64_t budget = machine::warm_up_touches(machine_.spec());
  const std::uint64_t lines = chunks * lines_of_chunk;
  const bool private_to_cores = question_.sharing == Sharing::each;
  const bool settles = private_to_cores || lines <= budget / 2;
  const std::uint64_t laps = private_to_cores ? 3 : machine_.spec().l2.partitioned ? sweeps_to_settle : 2;
  const machine::Reach reach =
      !settles && misses_all_caches(lines) ? machine::Reach::past_caches : machine::Reach::every_level;
  const auto step = [&](Walker& walker) {
    const Team& team = *walker.team;
    const std::uint64_t c = walker.first + walker.at * walker.step;
    for (std::uint64_t a = 0; a < arrays_; ++a)
      machine_.touch(walker.core, address(team, team.arrays[a] + c * chunk), chunk, question_.space,
                     question_.cache_operator, reach,
                     a < trace::loads_of(question_.operation) ? memory::Operation::load : memory::Operation::store);
    if (++walker.at == walker.places) walker.at = 0;
  };
  if (!settles) {
    // Each begins so that it ends where the timed part begins.
    const std::uint64_t touches = std::min(chunks, machine::sweep_touches(machine_.spec()) / lines_of_chunk);
    const std::uint64_t mine = touches / walkers.size();
    for (Walker& walker : walkers) walker.at = (walker.places - mine % walker.places) % walker.places;
    for (std::uint64_t k = 0; k < mine; ++k) std::for_each(walkers.begin(), walkers.end(), step);
    return;
  }
  RandomSequence turns{mix(question_.seed, walkers.size())};
  const std::uint64_t together = question_.lockstep ? 1 : laps;  // without waiting for each other
  for (std::uint64_t lap = 0; lap < laps; lap += together) {
    for (Walker& walker : walkers) walker.left = together * walker.places;
    for (std::vector<Walker> left = walkers; !left.empty();) {
      Walker& walker = left[turns.below(left.size())];
      if (walker.left > 0) {
        --walker.left;
        step(walker);
      } else {
        walker = left.back();
        left.pop_back();
      }
    }
  }
}

}  // namespace strata::study
