// SPDX-License-Identifier: Apache-2.0
// Single constraints, seen in the commands: a tick earlier would be a breach,
// a tick later a loss.
#include "bench.hpp"
#include "catch.hpp"
#include "command_log.hpp"

namespace strata::dram::test {
namespace {

Access at(const Bench& bench, std::uint32_t group, std::uint32_t bank, std::uint32_t row, bool write = false) {
  Location location;
  location.bank_group = group;
  location.bank = bank;
  location.row = row;
  return {bench.map().burst_at(location), write};
}

ChannelSpec one_channel(ChannelSpec spec) {
  spec.organisation.pseudo_channels = 1;
  return spec;
}

}  // namespace

TEST_CASE("four_activates_window: the fifth ACT waits for the window") {
  const ChannelSpec spec = one_channel(r_hbm2());
  Bench bench(spec);
  CommandLog log;
  bench.channel().listen(log.listener());
  GIVEN("eight reads of eight closed banks") {
    for (std::uint32_t i = 0; i < 8; ++i) bench.send(at(bench, i % 4, i / 4, 3), 100);
    bench.run();
    THEN("ACTs go tRRD apart, and the fifth tFAW after the first") {
      const std::vector<Command> acts = log.of(CommandKind::activate);
      const auto rrd = static_cast<Tick>(spec.timing.t_rrd_s.value);
      const auto faw = static_cast<Tick>(spec.timing.t_faw.value);
      REQUIRE(acts.size() == 8);
      REQUIRE(acts[1].tick - acts[0].tick == rrd);
      REQUIRE(acts[4].tick - acts[0].tick == std::max(faw, 4 * rrd));
    }
  }
  GIVEN("the same with a window that is longer than four tRRD") {
    ChannelSpec wide = spec;
    wide.timing.t_faw = {40};
    Bench other(wide);
    CommandLog other_log;
    other.channel().listen(other_log.listener());
    for (std::uint32_t i = 0; i < 8; ++i) other.send(at(other, i % 4, i / 4, 3), 100);
    other.run();
    const std::vector<Command> acts = other_log.of(CommandKind::activate);
    REQUIRE(acts[3].tick - acts[0].tick == 12);
    REQUIRE(acts[4].tick - acts[0].tick == 40);
    REQUIRE(acts[7].tick - acts[3].tick == 40);
  }
}

TEST_CASE("banks of one number in two stack ids are activated tRC_R apart") {
  ChannelSpec spec = one_channel(r_hbm3());
  const auto gap_of = [&](std::uint32_t other_bank) {
    Bench bench(spec);
    CommandLog log;
    bench.channel().listen(log.listener());
    for (const std::uint32_t stack : {0U, 1U}) {
      Location location;
      location.stack = stack;
      location.bank = stack == 0 ? 2 : other_bank;
      location.row = 5;
      bench.send({bench.map().burst_at(location)}, 100);
    }
    bench.run();
    const std::vector<Command> acts = log.of(CommandKind::activate);
    REQUIRE(acts.size() == 2);
    return acts[1].tick - acts[0].tick;
  };
  const auto ticks = [&](Cycles c) { return static_cast<Tick>(c.value * spec.timing.ticks_per_clock); };
  CHECK(gap_of(2) == ticks(spec.timing.t_rrd_s));  // no bound by default
  spec.timing.t_rc_r = {60};
  CHECK(gap_of(2) == ticks(Cycles{60}));
  CHECK(gap_of(3) == ticks(spec.timing.t_rrd_s));
}

TEST_CASE("a read after a write waits for the write data and tWTR, longer in the same bank group") {
  const ChannelSpec spec = one_channel(r_hbm2());
  const TimingSpec& t = spec.timing;
  for (const std::uint32_t group : {0U, 1U}) {
    Bench bench(spec);
    // Open both rows, so that only the turnaround of the bus remains.
    bench.latency(at(bench, 0, 0, 3), 100);
    bench.latency(at(bench, group, group, 3), 400);
    CommandLog log;
    bench.channel().listen(log.listener());
    bench.send(at(bench, 0, 0, 3, true), 1000);
    bench.send(at(bench, group, group, 3), 1002);
    bench.run();
    const Tick wr = log.of(CommandKind::write).at(0).tick;
    const Tick rd = log.of(CommandKind::read).at(0).tick;
    const Cycles wtr = group == 0 ? t.t_wtr_l : t.t_wtr_s;
    REQUIRE(rd - wr == static_cast<Tick>((t.write_latency + t.burst + wtr).value));
  }
}

TEST_CASE("a write after a read waits tRTW") {
  const ChannelSpec spec = one_channel(r_gddr6());
  Bench bench(spec);
  bench.latency(at(bench, 0, 0, 3), 100);
  CommandLog log;
  bench.channel().listen(log.listener());
  bench.send(at(bench, 0, 0, 3), 1000);
  bench.send(at(bench, 0, 0, 3, true), 1002);
  bench.run();
  REQUIRE(log.of(CommandKind::write).at(0).tick - log.of(CommandKind::read).at(0).tick ==
          static_cast<Tick>(spec.timing.t_rtw.value));
}

TEST_CASE("a write is answered when it is accepted and written later") {
  const ChannelSpec spec = one_channel(r_hbm2());
  Bench bench(spec);
  CommandLog log;
  bench.channel().listen(log.listener());
  REQUIRE(bench.latency(at(bench, 0, 0, 3, true), 100) == 1);
  // ACT one clock after acceptance; WR tRCDWR and the further clock of ACT later.
  REQUIRE(log.of(CommandKind::write).at(0).tick == 100 + 1 + static_cast<Tick>(spec.timing.t_rcd_write.value) + 1);
  REQUIRE(bench.channel().idle());
  REQUIRE(bench.channel().statistics().writes == 1);
  REQUIRE(bench.channel().statistics().bytes_written == 32);
}

TEST_CASE("a write that finds the queue full is answered when another has left it") {
  ChannelSpec spec = one_channel(r_hbm2());
  spec.controller.write_queue = 4;
  spec.controller.write_high = 4;
  spec.controller.write_low = 0;
  Bench bench(spec);
  CommandLog log;
  bench.channel().listen(log.listener());
  std::vector<std::size_t> writes;
  for (std::uint32_t row = 0; row < 6; ++row) writes.push_back(bench.send(at(bench, 0, 0, row, true), 100));
  bench.run();
  const std::vector<Command> written = log.of(CommandKind::write);
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(bench.answers()[writes[i]] == 101);
  for (std::size_t i = 4; i < 6; ++i) REQUIRE(bench.answers()[writes[i]] == written.at(i - 4).tick + 1);
}

TEST_CASE("the falling edge serves PRE but neither ACT nor RD") {
  const ChannelSpec spec = one_channel(r_hbm3());
  Bench bench(spec);
  CommandLog log;
  bench.channel().listen(log.listener());
  bench.latency(at(bench, 0, 0, 1), 1000);
  bench.latency(at(bench, 0, 0, 2), 3000);
  REQUIRE(log.of(CommandKind::precharge).at(0).tick % 2 == 1);
  for (const CommandKind kind : {CommandKind::activate, CommandKind::read}) {
    for (const Command& command : log.of(kind)) REQUIRE(command.tick % 2 == 0);
  }
}

}  // namespace strata::dram::test
