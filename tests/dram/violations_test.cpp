// SPDX-License-Identifier: Apache-2.0
// Every command stream is replayed against the timing table by a judge that
// shares no code with the scheduler.
#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {
namespace {

// Random reads and writes of one to four bursts, in busy and idle stretches.
std::function<Access(std::uint64_t)> anything(std::uint64_t blocks) {
  return [=](std::uint64_t k) {
    const std::uint64_t word = mix(7, k);
    const std::uint64_t near = (k / 64) % 3 == 0 ? 4096 : blocks;  // now and then with row hits
    return Access{(mix(word) % near) * 4, (word & 3U) == 0, 1 + ((word >> 8U) & 3U),
                  static_cast<std::uint16_t>(word >> 16U & 3U)};
  };
}

void check_random(const ChannelSpec& spec, std::uint64_t count, bool bursty) {
  Bench bench(spec);
  TimingChecker checker(spec);
  bench.channel().listen(checker.listener());
  const auto pattern = anything(bench.map().capacity() / 4);
  if (bursty) {
    std::int64_t t = 100;
    for (std::uint64_t k = 0; k < count; ++k) {
      bench.send(pattern(k), t);
      const std::uint64_t gap = mix(99, k);
      t += (gap & 63U) == 0 ? static_cast<std::int64_t>(gap >> 8U & 0x3FFFU)
                            : static_cast<std::int64_t>(gap >> 8U & 31U);
    }
    bench.run();
  } else {
    bench.saturate(pattern, 1, count - 1);
    bench.run();  // posted writes
  }
  bench.channel().statistics();
  checker.finish();
  INFO(checker.first_violation());
  REQUIRE(checker.violations() == 0);
  REQUIRE(bench.channel().idle());
  // The judge saw the very commands that the statistics count.
  const Statistics& s = bench.channel().statistics();
  REQUIRE(s.reads + s.writes == count);
  REQUIRE(checker.count(CommandKind::read) == s.read_bursts);
  REQUIRE(checker.count(CommandKind::write) == s.write_bursts);
  REQUIRE(checker.count(CommandKind::activate) == s.activates);
  REQUIRE(checker.count(CommandKind::refresh_all) + checker.count(CommandKind::refresh_bank) == s.refreshes);
}

void check_all(std::uint64_t count) {
  for (const ChannelSpec& base : {r_hbm3(), r_hbm2(), r_gddr6()}) {
    for (const Policy& policy : policies()) {
      for (const Refresh refresh : {Refresh::none, Refresh::all_bank, Refresh::per_bank}) {
        for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed, PagePolicy::timeout}) {
          for (const char* map : {stream_over_bank_groups, blocks_in_a_row}) {
            ChannelSpec spec = with_map(with_refresh(base, refresh), map);
            spec.controller.scheduler = policy.name;
            spec.controller.page_policy = page;
            if (page == PagePolicy::closed) {
              spec.controller.write_rows = 3;
              if (spec.organisation.stack_ids > 1) {
                spec.organisation.stack_ids = 4;
                spec.timing.t_rc_r = spec.timing.t_ras;
              }
            }
            if (page == PagePolicy::timeout) {
              spec.address_map.random_banks = true;
              if (spec.organisation.stack_ids > 1) spec.timing.t_rc_r = spec.timing.t_rc;
            }
            INFO(policy.name << " refresh " << static_cast<int>(refresh) << " page " << static_cast<int>(page) << " "
                             << map << " " << peaks(spec).bandwidth.value);
            check_random(spec, count, false);
            check_random(spec, count, true);
          }
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("no command stream breaks the timing table") {
  check_all(4700);  // 108 settings, saturated and in bursts: a million requests
}

TEST_CASE("no command stream breaks the timing table in ten million requests", "[.long]") { check_all(47000); }

TEST_CASE("the judge notices broken rules") {
  ChannelSpec spec = r_hbm2();
  const auto violations = [&](std::initializer_list<Command> commands) {
    TimingChecker checker(spec);
    for (const Command& command : commands) checker.listener().function(&checker, command);
    checker.finish();
    return checker.violations();
  };
  using K = CommandKind;
  const Tick rcd = 14 + 1;  // ACT is one clock longer than RD
  REQUIRE(violations({{10, K::activate, 0, 0, 7}, {10 + rcd, K::read, 0, 0, 7}}) == 0);
  REQUIRE(violations({{10, K::activate, 0, 0, 7}, {10 + rcd - 1, K::read, 0, 0, 7}}) == 1);
  REQUIRE(violations({{10, K::activate, 0, 0, 7}, {10 + rcd, K::read, 0, 0, 8}}) == 1);
  // Four ACT in a window of 15, the fifth one clock early.
  REQUIRE(violations({{10, K::activate, 0, 0, 7},
                      {14, K::activate, 0, 4, 7},
                      {18, K::activate, 0, 8, 7},
                      {22, K::activate, 0, 12, 7},
                      {26, K::activate, 0, 1, 7}}) == 0);
  REQUIRE(violations({{10, K::activate, 0, 0, 7}, {13, K::activate, 0, 4, 7}}) == 1);  // tRRD_S
  REQUIRE(violations({{10, K::activate, 0, 0, 7}, {11, K::activate, 1, 0, 7}}) == 1);  // the shared row bus
  // Banks 2 and 18 are number 2 of two stack ids of 16 banks, bank 19 is another number.
  spec = r_hbm3();
  spec.timing.t_rc_r = {60};
  const Tick other = 60 * spec.timing.ticks_per_clock;
  REQUIRE(violations({{10, K::activate, 0, 2, 7}, {10 + other, K::activate, 0, 18, 7}}) == 0);
  REQUIRE(violations({{10, K::activate, 0, 2, 7}, {8 + other, K::activate, 0, 18, 7}}) == 1);
  REQUIRE(violations({{10, K::activate, 0, 2, 7}, {8 + other, K::activate, 0, 19, 7}}) == 0);
}

}  // namespace strata::dram::test
