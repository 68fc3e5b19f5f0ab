// SPDX-License-Identifier: Apache-2.0
// A full queue: the bandwidth agrees with the closed form of the timing rules within 1 %, and
// within 2 % with refresh.
#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {
namespace {

ChannelSpec deep(ChannelSpec spec, std::uint32_t per_pseudo_channel) {
  spec.controller.read_queue = per_pseudo_channel * spec.organisation.pseudo_channels;
  return spec;
}

double share(const ChannelSpec& spec, const std::function<Access(std::uint64_t)>& pattern,
             std::uint64_t count = 60000) {
  Bench bench(spec);
  const double result = bench.saturate(pattern, 6000, count).share;
  bench.run();  // posted writes
  REQUIRE(bench.finished() == 6000 + count);
  REQUIRE(bench.channel().idle());
  return result;
}

std::uint64_t capacity(const ChannelSpec& spec) { return AddressMap(spec.address_map, spec.organisation).capacity(); }

// Share of the pins that reads of single bursts at random rows can have: each
// costs an ACT, which the activation window and the row command bus bound.
double random_form(const ChannelSpec& spec) {
  const TimingSpec& t = spec.timing;
  const double window = std::max(t.t_rrd_s.value, t.t_faw.value / 4);
  const double commands = (t.activate_bus + t.precharge_bus).value + (t.one_command_bus ? t.column_bus.value : 0);
  return t.burst.value / std::max(window, commands * spec.organisation.pseudo_channels);
}

// The share of time outside all-bank refresh.
double refresh_form(const TimingSpec& t) {
  return 1 - (t.t_rtp + t.t_rp + t.t_rfc_ab + t.t_rcd_read).value / t.t_refi.value;
}

}  // namespace

TEST_CASE("a stream over bank groups fills the data bus") {
  for (const ChannelSpec& spec : {r_hbm3(), r_hbm2(), r_gddr6(), x_hbm3()}) {
    REQUIRE(share(deep(spec, 64), stream()) == Approx(1.0).epsilon(0.01));
  }
}

TEST_CASE("uniform random reads are bound by the activation window or the row command bus") {
  for (const ChannelSpec& spec : {r_hbm3(), r_hbm2(), r_gddr6(), x_hbm3()}) {
    const ChannelSpec full = deep(spec, 64);
    INFO(random_form(full));
    REQUIRE(share(full, random_reads(capacity(full))) == Approx(random_form(full)).epsilon(0.01));
  }
}

TEST_CASE("the row command bus that two pseudo-channels share bounds random reads") {
  ChannelSpec one = deep(r_hbm2(), 64);
  one.organisation.pseudo_channels = 1;
  const ChannelSpec two = deep(r_hbm2(), 64);
  // Alone, a pseudo-channel of HBM2 does an ACT every 4 clocks; two share 3 clocks of bus per access.
  REQUIRE(share(one, random_reads(capacity(one))) == Approx(2.0 / 4).epsilon(0.01));
  REQUIRE(share(two, random_reads(capacity(two))) == Approx(2.0 / 6).epsilon(0.01));
}

TEST_CASE("all-bank refresh takes its share of streams and of random reads") {
  for (const ChannelSpec& spec : {r_hbm3(), r_hbm2(), r_gddr6(), x_hbm3()}) {
    const ChannelSpec full = deep(with_refresh(spec), 64);
    const double left = refresh_form(spec.timing);
    INFO(left);
    CHECK(share(full, stream(), 300000) == Approx(left).epsilon(0.02));
    CHECK(share(full, random_reads(capacity(full)), 100000) == Approx(random_form(full) * left).epsilon(0.02));
  }
}

TEST_CASE("a stream inside one bank group goes at the long column distance") {
  const ChannelSpec spec = deep(with_map(r_hbm2(), "pseudo_channel column bank stack row bank_group"), 64);
  REQUIRE(share(spec, stream()) == Approx(2.0 / 4).epsilon(0.02));
}

TEST_CASE("reads and writes in a ratio of two to one stay between the published simulators") {
  // Ramulator 2.1 with 32 entries, DRAMsim3: one pseudo-channel of HBM3, no refresh.
  const ChannelSpec spec = deep(x_hbm3(), 64);
  const double stream_share = share(spec, two_reads_one_write(stream()));
  CHECK(stream_share > 0.766);
  CHECK(stream_share < 0.905);
  const double random_share = share(spec, two_reads_one_write(random_reads(capacity(spec))));
  CHECK(random_share > 0.270);
  CHECK(random_share < 0.304);
}

TEST_CASE("row-linear and bank-linear streams stay between the published simulators") {
  // One pseudo-channel of HBM3, no refresh: Ramulator 2.1 with 32 entries, the
  // same with 128 and rows kept open for hits, DRAMsim3.
  const ChannelSpec spec = deep(x_hbm3(), 64);
  const double rows = share(with_map(spec, row_linear), stream());
  CHECK(rows > 0.790);
  CHECK(rows <= 1.001);
  const double banks = share(with_map(spec, bank_linear), stream());
  CHECK(banks > 0.930);
  CHECK(banks <= 1.001);
}

TEST_CASE("triads stay between the reference controller and one that keeps rows open") {
  // Ramulator 2.1, 32 entries each way, no refresh: arrays that begin in the
  // same bank, and 256 bursts apart.
  struct Row {
    ChannelSpec spec;
    double together, apart;
  };
  for (const Row& row :
       {Row{r_hbm3(), 0.2883, 0.5882}, Row{r_hbm2(), 0.4491, 0.7087}, Row{r_gddr6(), 0.4591, 0.7366}}) {
    ChannelSpec spec = row.spec;
    spec.controller.scheduler = "fr_fcfs";
    spec.controller.read_queue = 32;
    spec.controller.write_queue = 32;
    spec.controller.write_high = 26;
    spec.controller.write_low = 6;
    spec.controller.finish_drains = true;
    spec.controller.open_ahead = false;
    const ChannelSpec better = deep(row.spec, 64);
    INFO(peaks(spec).bandwidth.value);
    CHECK(share(spec, triad(capacity(spec), 0)) == Approx(row.together).epsilon(0.06));
    CHECK(share(spec, triad(capacity(spec), 256)) == Approx(row.apart).epsilon(0.06));
    CHECK(share(better, triad(capacity(spec), 0)) > row.together);
    CHECK(share(better, triad(capacity(spec), 256)) > row.apart);
  }
}

}  // namespace strata::dram::test
