// SPDX-License-Identifier: Apache-2.0
// Refresh follows the clock, whether it is observed or not.
#include "bench.hpp"
#include "catch.hpp"
#include "command_log.hpp"

namespace strata::dram::test {
namespace {

ChannelSpec refreshed(Refresh refresh) {
  ChannelSpec spec = with_refresh(r_hbm2(), refresh);
  spec.organisation.pseudo_channels = 1;
  return spec;
}

// The ticks of the first refreshes of an idle channel with this seed, heard
// while reads far apart make the channel catch up.
std::vector<Command> refreshes(const ChannelSpec& spec, CommandKind kind, std::uint64_t seed = 1) {
  Bench bench(spec, seed);
  CommandLog log;
  bench.channel().listen(log.listener());
  for (std::int64_t t = 0; t < 20; ++t) bench.latency({0}, 50 + t * 3900);
  return log.of(kind);
}

}  // namespace

TEST_CASE("an idle channel refreshes on time and spends no event on it") {
  const ChannelSpec spec = refreshed(Refresh::all_bank);
  const std::vector<Command> heard = refreshes(spec, CommandKind::refresh_all);
  REQUIRE(heard.size() >= 18);
  const auto interval = static_cast<Tick>(spec.timing.t_refi.value);
  const auto slack = static_cast<Tick>((spec.timing.t_ras + spec.timing.t_rp + spec.timing.t_rcd_read).value) + 40;
  for (std::size_t i = 1; i < heard.size(); ++i) {
    REQUIRE(std::abs(heard[i].tick - heard[i - 1].tick - interval) <= slack);
  }
  Bench bench(spec);
  bench.latency({0}, 100);
  const std::uint64_t before = bench.simulation().events_served();
  bench.latency({0}, 100 + 1000 * interval);
  REQUIRE(bench.simulation().events_served() - before <= 5);
  const std::uint64_t counted = bench.channel().statistics().refreshes;
  REQUIRE(counted >= 999);
  REQUIRE(counted <= 1001);
}

TEST_CASE("a lone read that arrives during a refresh waits until tRFC has passed") {
  const ChannelSpec spec = refreshed(Refresh::all_bank);
  // All banks are closed: the refresh needs no PRE, as it does in the runs below.
  Bench untouched(spec);
  CommandLog log;
  untouched.channel().listen(log.listener());
  untouched.latency({0}, 39000);
  const Tick due = log.of(CommandKind::refresh_all).at(4).tick;
  const Peaks p = peaks(spec);
  const auto rfc = static_cast<std::int64_t>(spec.timing.t_rfc_ab.value);
  for (const std::int64_t into : {std::int64_t{5}, rfc / 2, rfc - 20, rfc + 50}) {
    Bench bench(spec);
    const double latency = bench.latency({0}, due + into);
    // ACT is two clocks long, so it may begin one clock before tRFC is over.
    const double wait = std::max<double>(0, static_cast<double>(rfc - into - 1) - 1);
    REQUIRE(latency == p.row_closed.value + wait);
  }
}

TEST_CASE("a refresh closes the rows") {
  const ChannelSpec spec = refreshed(Refresh::all_bank);
  Bench bench(spec);
  bench.latency({0}, 20);
  bench.latency({0}, 20 + 3 * 3900);
  REQUIRE(bench.channel().statistics().row_closed == 2);
  Bench without(refreshed(Refresh::none));
  without.latency({0}, 20);
  without.latency({0}, 20 + 3 * 3900);
  REQUIRE(without.channel().statistics().row_hits == 1);
}

TEST_CASE("channels of different seeds refresh at different times") {
  const ChannelSpec spec = refreshed(Refresh::all_bank);
  const Tick one = refreshes(spec, CommandKind::refresh_all, 1).at(3).tick;
  const Tick two = refreshes(spec, CommandKind::refresh_all, 2).at(3).tick;
  REQUIRE(std::abs(one - two) > 40);
}

TEST_CASE("channels in step refresh the same bank at the same tick, whatever their seed") {
  ChannelSpec spec = refreshed(Refresh::per_bank);
  spec.controller.refresh_in_step = true;
  const std::vector<Command> one = refreshes(spec, CommandKind::refresh_bank, 1);
  const std::vector<Command> two = refreshes(spec, CommandKind::refresh_bank, 2);
  REQUIRE(one.size() > 32);
  REQUIRE(one.size() == two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].tick == two[i].tick);
    CHECK(one[i].bank == two[i].bank);
  }
}

TEST_CASE("per-bank refresh visits every bank once in tREFI and stops no other") {
  const ChannelSpec spec = refreshed(Refresh::per_bank);
  const std::vector<Command> heard = refreshes(spec, CommandKind::refresh_bank);
  for (std::size_t i = 16; i < heard.size(); ++i) REQUIRE(heard[i].bank == heard[i - 16].bank);
  // A stream keeps more of the bus than under all-bank refresh.
  const auto share = [](const ChannelSpec& s) { return Bench(s).saturate(stream(), 6000, 60000).share; };
  REQUIRE(share(spec) > share(refreshed(Refresh::all_bank)) + 0.02);
}

TEST_CASE("what a long idle time skips changes no answer") {
  // A listener makes the channel walk through every refresh; without one it skips.
  {
    const Refresh refresh = GENERATE(Refresh::all_bank, Refresh::per_bank);
    ChannelSpec spec = with_refresh(r_hbm3(), refresh);
    // An interval that the number of banks divides, and one that leaves a part of a tick to
    // each.
    const double remainder = GENERATE(0.0, 13.0);
    spec.timing.t_refi.value += remainder;
    // Longest gaps between requests: within a refresh, within a few, over many.
    const std::uint64_t longest_gap = GENERATE(300U, 6000U, 60000U, 2000000U);
    const auto answers = [&](bool listen) {
      Bench bench(spec);
      CommandLog log;
      if (listen) bench.channel().listen(log.listener());
      std::int64_t t = 10;
      for (std::uint64_t k = 0; k < 400; ++k) {
        bench.send({mix(3, k) % 4096}, t);
        t += static_cast<std::int64_t>(mix(4, k) % longest_gap);
      }
      bench.run();
      const Statistics& s = bench.channel().statistics();
      std::vector<std::int64_t> all = bench.answers();
      all.push_back(static_cast<std::int64_t>(s.refreshes));
      all.push_back(static_cast<std::int64_t>(s.row_hits));
      return all;
    };
    REQUIRE(answers(true) == answers(false));
  }
}

}  // namespace strata::dram::test
