// SPDX-License-Identifier: Apache-2.0
#include "machine/account/level_balance.hpp"

#include <cmath>

namespace strata::machine {
namespace {

using observe::counted;

// All that was sent must have arrived, except for at most the messages in flight.
void check_way(observe::Balance& balance, const observe::Name& level, std::string_view unit, std::uint64_t left,
               std::uint64_t came, std::uint64_t under_way) {
  balance.at_most(level, unit, counted(came, "arrived below"), counted(left, "were asked for"));
  balance.at_most(level, unit, counted(left, "were asked for"),
                  counted(came + under_way, "arrived below or can be under way"));
}

}  // namespace

void check(observe::Balance& balance, const CoreAccount& core, const Instant& instant) {
  const compute::LineFlow& flow = core.flow;
  balance.equal(core.name, "lines", counted(flow.entered(), "were sent"),
                counted(flow.answered() + flow.in_flight(), "were answered or are in flight"));
  // Little's law. A line in flight is at most as old as the run; without lines in flight both
  // are equal.
  const std::int64_t area = flow.area_at(instant.now).ticks;
  const std::int64_t oldest = std::int64_t{flow.in_flight()} * instant.now.ticks;
  balance.at_most(core.name, "line x ticks", {flow.latencies().ticks, "are the latencies of those answered"},
                  {area, "were in flight over time"});
  balance.at_most(
      core.name, "line x ticks", {area, "were in flight over time"},
      {flow.latencies().ticks + oldest, "are the latencies of those answered and of those in flight can be"});
  balance.at_most(core.name, "lines", counted(core.looked_up, "were looked up in its caches"),
                  counted(flow.entered(), "were sent"));
  if (instant.at_rest) {
    balance.equal(core.name, "lines", counted(flow.in_flight(), "are in flight at rest"), {0, "can be"});
    balance.equal(core.name, "lines", counted(flow.entered(), "were sent"),
                  counted(core.looked_up, "were looked up in its caches"));
  }
  // An MSHR is open for one line at least, from its look-up to its fill.
  if (core.lines_open_mshrs)
    balance.at_most(core.name, "MSHR x ticks", {core.mshr_ticks, "were in use in its caches"},
                    {area, "line x ticks were in flight"});
}

void check(observe::Balance& balance, const CacheAccount& cache, const Instant& instant) {
  const cache::CacheStatistics& s = cache.counts;
  const cache::InFlight& held = cache.held;
  balance.equal(cache.name, "requests", counted(s.requests, "were looked up"),
                counted(s.answers + s.stores_forwarded + s.atomics_forwarded + held.requests,
                        "were answered, passed on or wait for a fetch"));
  balance.equal(cache.name, "sectors", counted(s.sectors_fetched, "were fetched"),
                counted(s.sectors_filled + held.sectors, "came or are on their way"));
  balance.at_most(cache.name, "sectors", counted(s.sector_hits, "were found"), counted(s.sectors_read, "were read"));
  // Little's law: the mean number of MSHRs in use, times the time, is their time in use.
  const std::int64_t most = static_cast<std::int64_t>(held.mshrs_peak) * instant.now.ticks;
  balance.at_most(cache.name, "MSHR x ticks", counted(s.mshr_ticks, "were in use"), {most, "can have been"});
  if (!instant.at_rest) return;
  balance.equal(cache.name, "requests", counted(held.requests + held.waiting, "wait at rest"), {0, "can"});
  balance.equal(cache.name, "messages", counted(held.own, "of its own are on their way at rest"), {0, "can be"});
  balance.equal(cache.name, "MSHRs", counted(held.mshrs, "are in use at rest"), {0, "can be"});
}

void check(observe::Balance& balance, const observe::Name& below, const SectorFlow& flow, const Instant& instant) {
  const std::uint64_t most = instant.at_rest ? 0 : instant.in_flight;
  check_way(balance, below, "requests", flow.asked.requests, flow.arrived.requests, most);
  check_way(balance, below, "sectors to read", flow.asked.read, flow.arrived.read, most * memory::sectors_per_block);
  check_way(balance, below, "sectors to write", flow.asked.stored, flow.arrived.stored,
            most * memory::sectors_per_block);
}

void check(observe::Balance& balance, const DramAccount& dram, const Instant& instant) {
  balance.equal(dram.name, "requests", counted(dram.arrived, "arrived"),
                counted(dram.served + dram.held, "were served or are held"));
  balance.at_most(dram.name, "bursts", counted(dram.moved.read, "were read"),
                  counted(dram.asked.read, "hold what was asked for"));
  balance.at_most(dram.name, "bursts", counted(dram.moved.written, "were written"),
                  counted(dram.asked.written, "hold what was asked for"));
  // Little's law: the mean occupancy of the queues cannot exceed their capacity.
  balance.at_most(dram.name, "request x ticks", {std::llround(dram.queued), "were queued"},
                  {std::llround(dram.places), "fit in the queues"});
  if (!instant.at_rest) return;
  balance.equal(dram.name, "requests", counted(dram.held, "are held at rest"), {0, "can be"});
  balance.equal(dram.name, "bursts", counted(dram.asked.read, "hold what was asked for"),
                counted(dram.moved.read, "were read"));
  balance.equal(dram.name, "bursts", counted(dram.asked.written, "hold what was asked for"),
                counted(dram.moved.written, "were written"));
}

}  // namespace strata::machine
