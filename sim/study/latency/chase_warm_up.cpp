// SPDX-License-Identifier: Apache-2.0
#include "study/latency/chase_warm_up.hpp"

#include <algorithm>
#include <array>

#include "machine/machine.hpp"
#include "machine/warm_up.hpp"

namespace strata::study {

namespace {

// With LRU one thread reaches its steady state in one traversal. Several threads that share a
// partitioned L2 at first evict each other's lines and reach it over laps, the more the fuller
// the L2 is: an H200 with 132 of them takes two at 40 MiB, five at 44 and ten at 48
// (docs/design/warm-up.md).
constexpr std::uint64_t laps_to_settle = 12;

// No ring takes more rounds than this to reach steady state, under any policy.
constexpr std::uint64_t most_rounds = 16;

// Traversals of the whole footprint, and the number of touches made: only recently touched
// lines can still be in a cache, so touches further back than a number given by the machine are
// omitted.
std::uint64_t touches_of(const machine::Machine& machine, const LatencyQuestion& question,
                         const std::vector<ChaseThread>& threads) {
  std::uint64_t nodes = 0;
  for (const ChaseThread& thread : threads) nodes = question.segmented ? nodes + thread.ring.nodes : thread.ring.nodes;
  const std::uint64_t budget = machine::warm_up_touches(machine.spec());
  // A footprint that does not fit in the caches is steady at once; the budget is at least twice
  // the caches.
  const bool settles = threads.size() > 1 && nodes <= budget / 2;
  const std::uint64_t laps = question.warm_laps > 0 ? question.warm_laps : settles ? laps_to_settle : 1;
  std::uint64_t touches = laps * nodes;
  if (question.warm_laps == 0)
    touches = std::max(touches, std::min(most_rounds * nodes, machine::settling_touches(machine.spec())));
  return question.whole_warm_up || settles ? touches : std::min(touches, budget);
}

// Bytes from the first node to the end of the last.
std::uint64_t span_of(const trace::ChaseRing& ring) {
  return (ring.places ? std::uint64_t{ring.places->back()} + 1 : ring.nodes) * ring.stride;
}

// The steps to walk end where the timed walk begins, so a short ring is timed from its start.
void start_before(ChaseThread& thread, std::uint64_t touches) {
  thread.start = (thread.start + thread.ring.nodes - touches % thread.ring.nodes) % thread.ring.nodes;
}

}  // namespace

bool misses_all_caches(const machine::Machine& machine, const LatencyQuestion& question,
                       const std::vector<ChaseThread>& threads) {
  const machine::MachineSpec& spec = machine.spec();
  if (threads.size() > 1 || question.whole_warm_up || question.warm_laps > 0 ||
      question.statistics != stats::Detail::none)
    return false;
  const trace::ChaseRing& ring = threads.front().ring;
  const std::uint64_t remembered = machine::lines_that_always_miss(spec, question.space);
  return ring.order == trace::ChaseOrder::random && ring.nodes > remembered &&
         machine::touches_past_caches(spec, span_of(ring)) <= remembered && !machine.atlas().pages_by_access() &&
         machine::contents_do_not_matter(spec, question.space, ring.stride);
}

void warm_past_caches(machine::Machine& machine, const LatencyQuestion& question, ChaseThread& thread) {
  const trace::ChasePath path(thread.ring);
  const auto touch = [&](std::uint64_t address) {
    machine.touch(thread.core, address, 1, question.space, question.cache_operator, machine::Reach::past_caches);
  };
  const std::uint64_t span = span_of(thread.ring);
  // Touches at random may pass by a page of which the ring has a part alone.
  if (const std::uint64_t page = machine::pages_that_stay(machine.spec(), span); page != 0) {
    for (std::uint64_t at = 0; at < span; at += page) touch(thread.ring.first + at);
    touch(thread.ring.first + span - 1);
  }
  const std::uint64_t touches = machine::touches_past_caches(machine.spec(), span);
  start_before(thread, touches);
  for (std::uint64_t i = 0; i < touches; ++i) {
    touch(path.address(thread.start));
    if (++thread.start == thread.ring.nodes) thread.start = 0;
  }
}

void warm(machine::Machine& machine, const LatencyQuestion& question, std::vector<ChaseThread>& threads) {
  std::vector<trace::ChasePath> paths;
  for (const ChaseThread& thread : threads) paths.emplace_back(thread.ring);
  const std::uint64_t touches = touches_of(machine, question, threads);
  if (threads.size() == 1) start_before(threads.front(), touches);
  // A ring far longer than the first-level cache never hits it, so that cache is bypassed until
  // the touches that may remain in it.
  const std::uint64_t remembered = 8 * machine::first_level_lines(machine.spec(), question.space);
  const bool far_longer = threads.size() == 1 && threads.front().ring.nodes > remembered;
  const std::uint64_t past_the_first_level = far_longer && touches > remembered ? touches - remembered : 0;
  // Addresses are drawn a few touches ahead, so that the host can fetch the tags.
  struct Due {
    std::uint32_t core;
    std::uint64_t address;
  };
  std::array<Due, 8> ahead{};
  RandomSequence turns{mix(question.seed, threads.size())};
  for (std::uint64_t i = 0; i < touches + ahead.size(); ++i) {
    Due& due = ahead[i % ahead.size()];
    if (i >= ahead.size()) {
      const bool all = i - ahead.size() >= past_the_first_level;
      machine.touch(due.core, due.address, question.bytes_per_lane, question.space, question.cache_operator,
                    all ? machine::Reach::every_level : machine::Reach::past_first_level);
    }
    if (i >= touches) continue;
    const std::size_t turn = threads.size() == 1 ? 0 : turns.below(threads.size());
    ChaseThread& thread = threads[turn];
    due = {thread.core, paths[turn].address(thread.start)};
    machine.expect(due.core, due.address);
    if (++thread.start == thread.ring.nodes) thread.start = 0;
  }
}

TimedPart timed_part(const machine::MachineSpec& spec, const LatencyQuestion& question,
                     const std::vector<ChaseThread>& threads, std::uint64_t loads) {
  constexpr std::uint64_t spread = 64;
  if (trace::within_cores(question.space) || machine::caches_forget(spec, question.space)) return {loads, 1};
  const std::uint64_t nodes = threads.front().ring.nodes;
  if (threads.size() > 1) return {std::max(loads, question.segmented ? nodes : nodes / threads.size()), 1};
  return {loads, nodes <= loads ? 1 : std::min(spread, loads)};
}

void walk_on(machine::Machine& machine, const LatencyQuestion& question, ChaseThread& thread, std::uint64_t nodes) {
  const trace::ChasePath path(thread.ring);
  for (std::uint64_t i = 0; i < nodes; ++i) {
    machine.touch(thread.core, path.address(thread.start), question.bytes_per_lane, question.space,
                  question.cache_operator);
    thread.start = (thread.start + 1) % thread.ring.nodes;
  }
}

}  // namespace strata::study
