// SPDX-License-Identifier: Apache-2.0
#include "dram/channel_spec.hpp"
#include "catch.hpp"
#include "config/yaml/parse.hpp"

namespace strata::dram::test {
namespace {

constexpr const char* text = R"(timing:
  data_rate: 2000 MT/s
  read_latency: 14 clk
  write_latency: 5 clk
  t_rcd_read: 14 clk
  t_rcd_write: 12 clk
  t_rp: 14 clk
  t_ras: 34 clk
  t_rc: 48 clk
  t_ccd_s: 2 clk
  t_ccd_l: 4 clk
  t_rrd_s: 4 clk
  t_rrd_l: 4 clk
  t_faw: 15 clk
  t_wtr_s: 6 clk
  t_wtr_l: 8 clk
  t_rtw: 13 clk
  t_wr: 16 clk
  t_rtp: 5 clk
  t_refi: 3900 clk
  t_rfc_ab: 160 clk
  activate_bus: 2 clk
organisation:
  pseudo_channels: 2
controller:
  refresh: all_bank
  page_policy: closed
)";

std::vector<std::string> errors(const std::string& yaml) {
  std::vector<Diagnostic> diagnostics;
  config::bind_spec<ChannelSpec>(config::parse(yaml, "part.yaml"), diagnostics);
  std::vector<std::string> texts;
  for (const Diagnostic& diagnostic : diagnostics) texts.push_back(diagnostic.text());
  return texts;
}

}  // namespace

TEST_CASE("a channel is read from its description") {
  std::vector<Diagnostic> diagnostics;
  const ChannelSpec spec = config::bind_spec<ChannelSpec>(config::parse(text, "part.yaml"), diagnostics);
  REQUIRE(diagnostics.empty());
  REQUIRE(peaks(spec).bandwidth.value == Approx(32e9));
  REQUIRE(spec.controller.page_policy == PagePolicy::closed);
  REQUIRE(problems(spec).empty());
  REQUIRE(spec.timing.tick_rate() == Frequency{1'000'000'000});
}

TEST_CASE("the default settings of a channel can be built") {
  std::vector<Diagnostic> diagnostics;
  ChannelSpec spec = config::bind_spec<ChannelSpec>(config::parse(text, "part.yaml"), diagnostics);
  spec.organisation = {};
  spec.controller = {};
  spec.address_map = {};
  REQUIRE(problems(spec).empty());
}

TEST_CASE("an impossible channel is refused at the place that describes it") {
  std::string wrong = text;
  wrong.replace(wrong.find("t_ccd_s: 2"), 10, "t_ccd_s: 5");
  REQUIRE(errors(wrong).size() == 1);
  REQUIRE_THAT(errors(wrong).front(),
               Catch::Matchers::StartsWith("part.yaml:1:1: 'timing' cannot be built: timing.t_ccd_l = "));
  wrong = text;
  wrong.replace(wrong.find("closed"), 6, "shut  ");
  REQUIRE(errors(wrong).size() == 1);
}

TEST_CASE("refreshes of one bank at a time must fit into the refresh interval") {
  std::vector<Diagnostic> diagnostics;
  ChannelSpec spec = config::bind_spec<ChannelSpec>(config::parse(text, "part.yaml"), diagnostics);
  spec.controller.refresh = Refresh::per_bank;
  spec.timing.t_rfc_pb = {100};
  spec.organisation.stack_ids = 1;
  spec.organisation.bank_groups = 4;
  spec.organisation.banks_per_group = 4;
  spec.timing.t_rrefd = {243};  // 16 x 243 = 3888
  REQUIRE(problems(spec).empty());
  spec.timing.t_rrefd = {244};  // 16 x 244 = 3904
  REQUIRE(problems(spec).size() == 1);
  REQUIRE_THAT(problems(spec).front(), Catch::Matchers::Contains("t_rrefd = 244"));
}

TEST_CASE("the bank of another stack id holds a bank no longer than the bank itself") {
  std::vector<Diagnostic> diagnostics;
  ChannelSpec spec = config::bind_spec<ChannelSpec>(config::parse(text, "part.yaml"), diagnostics);
  spec.timing.t_rc_r = spec.timing.t_rc;
  REQUIRE(problems(spec).empty());
  spec.timing.t_rc_r = {spec.timing.t_rc.value + 1};
  REQUIRE(problems(spec).size() == 1);
  REQUIRE_THAT(problems(spec).front(), Catch::Matchers::StartsWith("timing.t_rc_r = "));
}

TEST_CASE("a bank must have time to be read between its refreshes") {
  std::vector<Diagnostic> diagnostics;
  ChannelSpec spec = config::bind_spec<ChannelSpec>(config::parse(text, "part.yaml"), diagnostics);
  spec.controller.refresh = Refresh::per_bank;
  const auto& t = spec.timing;
  spec.timing.t_rfc_pb = {t.t_refi.value - t.t_rp.value - t.t_ras.value - 1};
  REQUIRE(problems(spec).empty());
  spec.timing.t_rfc_pb = {t.t_refi.value - t.t_rp.value - t.t_ras.value};
  REQUIRE(problems(spec).size() == 1);
  REQUIRE_THAT(problems(spec).front(),
               Catch::Matchers::Contains("leaves a bank no time between refreshes: timing.t_rfc_pb = "));
}

}  // namespace strata::dram::test
