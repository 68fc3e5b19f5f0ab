// SPDX-License-Identifier: Apache-2.0
// The order of requests, which of them may be delayed, and for how long.
#include <algorithm>
#include <optional>

#include "bench.hpp"
#include "catch.hpp"
#include "command_log.hpp"

namespace strata::dram::test {
namespace {

ChannelSpec base(const char* scheduler) {
  ChannelSpec spec = r_hbm2();
  spec.organisation.pseudo_channels = 1;
  spec.controller.scheduler = scheduler;
  return spec;
}

Access at(const Bench& bench, std::uint32_t row, std::uint32_t column, bool write = false, std::uint32_t group = 0) {
  Location location;
  location.row = row;
  location.column = column;
  location.bank_group = group;
  return {bench.map().burst_at(location), write};
}

std::uint32_t answered_before(const Bench& bench, const std::vector<std::size_t>& some, std::size_t other) {
  return static_cast<std::uint32_t>(std::count_if(
      some.begin(), some.end(), [&](std::size_t one) { return bench.answers()[one] < bench.answers()[other]; }));
}

Access of_core(std::uint16_t core, Access access) {
  access.core = core;
  return access;
}

}  // namespace

TEST_CASE("FR-FCFS serves a younger row hit before an older conflict, FCFS does not") {
  for (const Policy& policy : policies()) {
    INFO(policy.name);
    const ChannelSpec spec = base(std::string(policy.name).c_str());
    Bench bench(spec);
    bench.latency(at(bench, 1, 0), 100);
    // ACT was less than tRAS ago: the conflict cannot close the row yet, the hit is ready.
    const std::size_t conflict = bench.send(at(bench, 2, 0), 135);
    const std::size_t hit = bench.send(at(bench, 1, 1), 135);
    bench.run();
    if (policy.hits_overtake) {
      REQUIRE(bench.answers()[hit] < bench.answers()[conflict]);
    } else {
      REQUIRE(bench.answers()[hit] > bench.answers()[conflict]);
    }
  }
}

TEST_CASE("a row stays open under fr_fcfs_row_hit while hits to it wait, under fr_fcfs it may be closed") {
  for (const Policy& policy : policies()) {
    if (!policy.hits_overtake) continue;
    INFO(policy.name);
    ChannelSpec spec = base(std::string(policy.name).c_str());
    spec.timing.t_rtp = {2};  // below tCCD_L: PRE is legal before the next hit
    spec.controller.hit_cap = 100;
    Bench bench(spec);
    bench.latency(at(bench, 1, 0), 100);
    const std::size_t conflict = bench.send(at(bench, 2, 0), 500);
    std::vector<std::size_t> hits;
    for (std::uint32_t i = 1; i < 8; ++i) hits.push_back(bench.send(at(bench, 1, i), 500));
    bench.run();
    const bool last_hit_first = bench.answers()[hits.back()] < bench.answers()[conflict];
    REQUIRE(last_hit_first == !policy.closes_rows_with_hits);
  }
}

TEST_CASE("under fr_fcfs_cap as many hits overtake a conflict as the cap says") {
  for (const std::uint32_t cap : {1U, 2U, 5U, 12U}) {
    INFO(cap);
    ChannelSpec spec = base("fr_fcfs_cap");
    spec.controller.hit_cap = cap;
    Bench bench(spec);
    bench.latency(at(bench, 1, 0), 100);
    const std::size_t conflict = bench.send(at(bench, 2, 0), 500);
    std::vector<std::size_t> hits;
    for (std::uint32_t i = 1; i <= 12; ++i) hits.push_back(bench.send(at(bench, 1, i), 500));
    bench.run();
    REQUIRE(answered_before(bench, hits, conflict) == cap);
  }
}

TEST_CASE("under fr_fcfs_cap hits that overtake no request are not counted") {
  ChannelSpec spec = base("fr_fcfs_cap");
  spec.controller.hit_cap = 2;
  Bench bench(spec);
  bench.latency(at(bench, 1, 0), 100);
  for (std::uint32_t i = 1; i <= 6; ++i) bench.send(at(bench, 1, i), 500);
  const std::size_t conflict = bench.send(at(bench, 2, 0), 500);
  const std::size_t last = bench.send(at(bench, 1, 7), 500);
  bench.run();
  REQUIRE(bench.answers()[last] < bench.answers()[conflict]);
}

// Core 1 has twelve hits to the open row, core 2 one request for another row of the bank.
TEST_CASE("under bliss a core is overtaken once it was served as often in a row as the setting says") {
  for (const std::uint32_t most : {2U, 4U, 7U}) {
    INFO(most);
    ChannelSpec spec = base("bliss");
    spec.controller.blacklist_after = most;
    Bench bench(spec);
    bench.latency(at(bench, 1, 0), 100);
    std::vector<std::size_t> hits;
    for (std::uint32_t i = 1; i <= 12; ++i) hits.push_back(bench.send(of_core(1, at(bench, 1, i)), 500));
    const std::size_t conflict = bench.send(of_core(2, at(bench, 2, 0)), 500);
    bench.run();
    REQUIRE(answered_before(bench, hits, conflict) == most);
  }
}

TEST_CASE("under bliss the hits of a core that is not listed come before all others") {
  ChannelSpec spec = base("bliss");
  spec.controller.blacklist_after = 2;
  Bench bench(spec);
  bench.latency(at(bench, 1, 0), 100);
  std::vector<std::size_t> listed;
  for (std::uint32_t i = 1; i <= 8; ++i) listed.push_back(bench.send(of_core(1, at(bench, 1, i)), 500));
  const std::size_t other = bench.send(of_core(2, at(bench, 1, 9)), 500);
  bench.run();
  REQUIRE(bench.answers()[other] > bench.answers()[listed[1]]);
  REQUIRE(bench.answers()[other] < bench.answers()[listed[2]]);
}

TEST_CASE("under bliss what a cache reads on its own account is not listed") {
  ChannelSpec spec = base("bliss");
  spec.controller.blacklist_after = 2;
  Bench bench(spec);
  bench.latency(at(bench, 1, 0), 100);
  std::vector<std::size_t> own;
  for (std::uint32_t i = 1; i <= 8; ++i) own.push_back(bench.send(of_core(memory::no_core, at(bench, 1, i)), 500));
  const std::size_t other = bench.send(of_core(2, at(bench, 1, 9)), 500);
  bench.run();
  REQUIRE(bench.answers()[other] > bench.answers()[own.back()]);
}

TEST_CASE("under bliss the list is emptied from time to time") {
  ChannelSpec spec = base("bliss");
  spec.controller.blacklist_after = 2;
  spec.controller.blacklist_interval = {300};
  Bench bench(spec);
  bench.latency(at(bench, 1, 0), 100);
  for (std::uint32_t i = 1; i <= 3; ++i) bench.send(of_core(1, at(bench, 1, i)), 400);
  bench.run();
  // After some requests the blacklist is empty, so the older request of core 1 has priority
  // again.
  bench.latency(of_core(3, at(bench, 1, 4)), 1000);
  const std::size_t first = bench.send(of_core(1, at(bench, 1, 5)), 1500);
  const std::size_t second = bench.send(of_core(2, at(bench, 1, 6)), 1500);
  bench.run();
  REQUIRE(bench.answers()[first] < bench.answers()[second]);
}

TEST_CASE("row hits overtake a conflict no longer than the starvation bound") {
  // Past the longest bound go more hits than the queue has numbers for.
  for (const double bound : {50.0, 400.0, 4000.0}) {
    ChannelSpec spec = base("fr_fcfs_row_hit");
    spec.controller.starvation = {bound};
    Bench bench(spec);
    bench.latency(at(bench, 1, 0), 100);
    // A hit every four clocks, endlessly; one conflict among them.
    for (std::uint32_t i = 0; i < 1200; ++i) bench.send(at(bench, 1, i % 32), 500 + 4 * i);
    const std::size_t conflict = bench.send(at(bench, 2, 0), 510);
    bench.run();
    const double waited = bench.clocks(bench.answers()[conflict] - 510);
    const double conflict_cost = peaks(spec).row_conflict.value;
    REQUIRE(waited >= bound);
    // Then only the current hit, the read-to-precharge distance and the time of the conflict remain.
    REQUIRE(waited <= bound + conflict_cost + 2 * spec.timing.t_ccd_l.value + spec.timing.t_rtp.value);
  }
}

TEST_CASE("reads overtake a write no longer than the starvation bound") {
  for (const double bound : {100.0, 500.0}) {
    ChannelSpec spec = base("fr_fcfs_row_hit");
    spec.controller.starvation = {bound};
    Bench bench(spec);
    CommandLog log;
    bench.channel().listen(log.listener());
    for (std::uint32_t i = 0; i < 600; ++i) bench.send(at(bench, 1, i % 32, false, i % 4), 100 + 2 * i);
    bench.send(at(bench, 1, 0, true), 200);
    bench.run();
    const double waited = bench.clocks(log.of(CommandKind::write).at(0).tick - 200);
    REQUIRE(waited >= bound);
    const TimingSpec& t = spec.timing;
    REQUIRE(waited <= bound + (t.t_rtw + t.t_ccd_l).value + 2);
  }
}

TEST_CASE("a drain that new writes keep up makes a read wait no longer than the starvation bound") {
  for (const double bound : {200.0, 1000.0}) {
    ChannelSpec spec = base("fr_fcfs_row_hit");
    spec.controller.starvation = {bound};
    Bench bench(spec);
    // As fast as the bus takes them: the queue stays above the mark at which a drain ends.
    for (std::uint32_t i = 0; i < 4000; ++i) bench.send(at(bench, 1, i % 32, true, i % 4), 100 + 2 * (i / 2));
    const std::size_t read = bench.send(at(bench, 1, 0), 400);
    bench.run();
    const double waited = bench.clocks(bench.answers()[read] - 400);
    REQUIRE(waited >= bound);
    // Behind writes that wait for an entry in the queue, and for the turnaround of the bus.
    const double in_front = 2.0 * (spec.controller.input_buffer + spec.controller.write_queue);
    REQUIRE(waited <= bound + in_front + 2 * peaks(spec).row_conflict.value + spec.timing.t_wtr_l.value);
  }
}

TEST_CASE("FCFS answers in order of arrival") {
  Bench bench(base("fcfs"));
  for (std::uint64_t k = 0; k < 500; ++k) bench.send({mix(5, k) % 4096}, 100 + static_cast<std::int64_t>(3 * k));
  bench.run();
  REQUIRE(std::is_sorted(bench.answers().begin(), bench.answers().end()));
}

TEST_CASE("writes wait for the drain, and a drain goes from the high to the low mark") {
  ChannelSpec spec = base("fr_fcfs_row_hit");
  spec.controller.write_queue = 16;
  spec.controller.write_high = 12;
  spec.controller.write_low = 4;
  Bench bench(spec);
  CommandLog log;
  bench.channel().listen(log.listener());
  // Reads without end, writes among them.
  for (std::uint32_t i = 0; i < 600; ++i) bench.send(at(bench, 1, i % 32, false, i % 4), 100 + 2 * i);
  for (std::uint32_t i = 0; i < 24; ++i) bench.send(at(bench, 1, i % 32, true, i % 4), 120 + 20 * i);
  bench.run();
  // The first run of writes on the bus is between the marks.
  std::vector<CommandKind> data;
  for (const Command& c : log.commands) {
    if (c.kind == CommandKind::read || c.kind == CommandKind::write) data.push_back(c.kind);
  }
  const auto first = std::find(data.begin(), data.end(), CommandKind::write);
  const auto last = std::find(first, data.end(), CommandKind::read);
  REQUIRE(last - first >= 12 - 4);
  REQUIRE(last - first <= 12 - 4 + 2);  // writes that arrived during the drain
  REQUIRE(bench.channel().statistics().writes == 24);
}

TEST_CASE("so many rows are opened for writes at once, and writes to one row count once") {
  // Two writes to a row of bank group 0, then one to each of three others.
  const auto opened_before_data = [](std::optional<std::uint32_t> rows) {
    ChannelSpec spec = base("fr_fcfs_row_hit");
    spec.controller.write_rows = rows;
    Bench bench(spec);
    CommandLog log;
    bench.channel().listen(log.listener());
    bench.send(at(bench, 1, 0, true, 0), 500);
    bench.send(at(bench, 1, 8, true, 0), 500);
    for (std::uint32_t group = 1; group < 4; ++group) bench.send(at(bench, 1, 0, true, group), 500);
    bench.run();
    REQUIRE(log.of(CommandKind::write).size() == 5);
    REQUIRE(log.of(CommandKind::activate).size() == 4);
    const Tick first = log.of(CommandKind::write).front().tick;
    const auto opened = log.of(CommandKind::activate);
    return std::count_if(opened.begin(), opened.end(), [&](const Command& c) { return c.tick < first; });
  };
  CHECK(opened_before_data(1) == 1);
  CHECK(opened_before_data(2) == 2);
  CHECK(opened_before_data(3) == 3);
  CHECK(opened_before_data(std::nullopt) == 4);
}

TEST_CASE("writes to rows of one bank take its write cycle each, however many rows may be written") {
  // A bank takes no other row for tRCD + WL + burst + tWR + tRP after a write's ACT.
  ChannelSpec spec = base("fr_fcfs_row_hit");
  spec.organisation.bank_groups = 1;
  spec.organisation.banks_per_group = 1;
  spec.organisation.rows *= 16;
  const auto share = [&](std::uint32_t rows) {
    ChannelSpec one = spec;
    one.controller.write_rows = rows;
    Bench bench(one);
    const std::uint64_t row = one.organisation.page.value / one.organisation.access.value;
    return bench.saturate([&](std::uint64_t k) { return Access{k * row, true}; }, 200, 2000).share;
  };
  const TimingSpec& t = spec.timing;
  const double cycle = std::max((t.t_rcd_write + t.write_latency + t.burst + t.t_wr + t.t_rp).value, t.t_rc.value);
  CHECK(share(1) == Approx(t.burst.value / cycle).epsilon(0.02));
  CHECK(share(8) == Approx(share(1)).epsilon(0.001));  // one bank: there is no choice
}

TEST_CASE("a row that is written makes way for the next after its write cycle, whatever the bank") {
  // tRCD + WL + burst + tWR + tRP after a write's ACT, shared by so many rows.
  const ChannelSpec spec = base("fr_fcfs_row_hit");
  const auto share = [&](std::uint32_t rows) {
    ChannelSpec bound = spec;
    bound.controller.write_rows = rows;
    Bench bench(bound);
    const auto next = [&](std::uint64_t k) {
      return at(bench, static_cast<std::uint32_t>(k / 4), 0, true, static_cast<std::uint32_t>(k % 4));
    };
    return bench.saturate(next, 200, 2000).share;
  };
  const TimingSpec& t = spec.timing;
  const double cycle = (t.t_rcd_write + t.write_latency + t.burst + t.t_wr + t.t_rp).value;
  CHECK(share(1) == Approx(t.burst.value / cycle).epsilon(0.02));
  CHECK(share(2) == Approx(2 * share(1)).epsilon(0.02));
}

TEST_CASE("a read that arrives outside a drain turns the bus at once") {
  const ChannelSpec spec = base("fr_fcfs_row_hit");
  Bench bench(spec);
  CommandLog log;
  bench.latency(at(bench, 1, 0), 100);
  bench.channel().listen(log.listener());
  for (std::uint32_t i = 0; i < 20; ++i) bench.send(at(bench, 1, i, true), 500);
  bench.send(at(bench, 1, 30), 520);
  bench.run();
  const std::vector<Command> writes = log.of(CommandKind::write);
  REQUIRE(writes.size() == 20);
  REQUIRE(log.of(CommandKind::read).at(0).tick < writes.back().tick);
}

TEST_CASE("rows are opened ahead of a turn of the data bus") {
  // Consecutive reads in bank group 0, and a write to a bank without reads.
  const auto write_at = [](bool ahead) {
    ChannelSpec spec = base("fr_fcfs_row_hit");
    spec.controller.open_ahead = ahead;
    spec.timing.t_rcd_write = {20};  // above tRTW
    Bench bench(spec);
    CommandLog log;
    bench.channel().listen(log.listener());
    for (std::uint32_t i = 0; i < 12; ++i) bench.send(at(bench, 1, i), 100);
    bench.send(at(bench, 2, 0, true, 1), 100);
    bench.run();
    const Tick last_read = log.of(CommandKind::read).back().tick;
    return log.of(CommandKind::write).at(0).tick - last_read;
  };
  // ACT is issued with the last read, and is one clock longer than WR.
  REQUIRE(write_at(false) == 20 + 1);
  REQUIRE(write_at(true) == static_cast<Tick>(r_hbm2().timing.t_rtw.value));
}

TEST_CASE("credits come back when requests enter their queue, and nothing is lost") {
  ChannelSpec spec = base("fr_fcfs_row_hit");
  spec.controller.read_queue = 4;
  spec.controller.input_buffer = 3;
  Bench bench(spec);
  for (std::uint32_t i = 0; i < 40; ++i) bench.send(at(bench, i, 0), 100);  // one bank: conflicts
  while (bench.simulation().now().ticks < 120) bench.simulation().step();
  // One of the four in the queue may be served by now; the buffer is full, the rest wait in the port.
  REQUIRE(bench.port().credits() == 0);
  REQUIRE(bench.port().waiting().size() >= 40 - 4 - 3 - 1);
  bench.run();
  REQUIRE(bench.port().credits() == 3);
  REQUIRE(bench.channel().idle());
  for (const std::int64_t answer : bench.answers()) REQUIRE(answer > 0);
  REQUIRE(bench.channel().statistics().reads == 40);
}

TEST_CASE("the mean queue obeys Little's law") {
  ChannelSpec spec = base("fr_fcfs_row_hit");
  Bench bench(spec);
  double waited = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) bench.send({mix(6, k) % 65536}, 100 + static_cast<std::int64_t>(8 * k));
  bench.run();
  const double span = static_cast<double>(bench.simulation().now().ticks);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    // A request leaves the queue with its column command, a fixed time before its answer.
    waited += static_cast<double>(bench.answers()[k] - 100 - static_cast<std::int64_t>(8 * k)) -
              (spec.timing.read_latency + spec.timing.burst).value;
  }
  REQUIRE(bench.channel().mean_queue() == Approx(waited / span).epsilon(1e-3));
}

TEST_CASE("the same run has the same fingerprint") {
  const auto fingerprint = [](std::uint64_t seed) {
    Bench bench(with_refresh(r_hbm3()), seed);
    bench.saturate(two_reads_one_write(random_reads(1U << 20U)), 1, 20000);
    return bench.simulation().fingerprint();
  };
  REQUIRE(fingerprint(1) == fingerprint(1));
  REQUIRE(fingerprint(1) != fingerprint(2));  // another refresh phase
}

}  // namespace strata::dram::test
