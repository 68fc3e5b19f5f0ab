// SPDX-License-Identifier: Apache-2.0
// Classification by strata-trial: refusals by name, faults, and the ends of a range.
#include "catch.hpp"
#include "machine/spec.hpp"
#include "trial/question.hpp"
#include "trial/settings.hpp"

using namespace strata;
using namespace strata::trial;

namespace {

Answer shell(const std::string& script, const Limits& limits = {}) {
  return ask({"/bin/sh", "-c", script}, {"l2.cache.size", "dies.compute"}, limits);
}

}  // namespace

TEST_CASE("a_refusal_names_a_setting_its_map_or_a_neighbour") {
  CHECK(names_setting("--set:1:1: 'l2.cache.size' is wrong", "l2.cache.size"));
  CHECK(names_setting("'l2.cache' needs 2 ways", "l2.cache.size"));
  CHECK(names_setting("network.links[3].to = 9", "network.links[3].from"));
  CHECK(names_setting("network.links has no route", "network.links[3].from"));
  CHECK_FALSE(names_setting("the L2 is wrong", "l2.cache.size"));
  CHECK_FALSE(names_setting("the network is wrong", "network.links"));
  CHECK_FALSE(names_setting("my_l2.cache.size", "l2.cache.size"));
  CHECK_FALSE(names_setting("a cache.sized", "l2.cache.size"));
}

TEST_CASE("answers_are_distinguished_by_exit_code_messages_and_limits") {
  CHECK(shell("echo 3.5").outcome == Outcome::answered);
  CHECK(shell("echo info: fine").outcome == Outcome::answered);
  CHECK(shell("echo latency nan").outcome == Outcome::not_a_number);
  CHECK(shell("echo \"'l2.cache.size' is wrong\" >&2; exit 2").outcome == Outcome::refused);
  CHECK(shell("echo note: of the L2 >&2; echo \"'l2.cache.size' is wrong\" >&2; exit 2").outcome == Outcome::refused);
  CHECK(shell("echo wrong >&2; echo \"'l2.cache.size' is wrong\" >&2; exit 2").outcome == Outcome::refused_unnamed);
  CHECK(shell("exit 2").outcome == Outcome::refused_unnamed);
  CHECK(shell("exit 70").outcome == Outcome::internal);
  CHECK(shell("kill -SEGV $$").outcome == Outcome::signal);
  Limits limits;
  limits.wall_seconds = 1;
  CHECK(shell("exec sleep 60", limits).outcome == Outcome::time);
  limits = {};
  limits.cpu_seconds = 1;
  CHECK(shell("while :; do :; done", limits).outcome == Outcome::time);
}

TEST_CASE("a_setting_is_tried_at_the_ends_and_the_middle_of_its_range") {
  Setting setting{"l2.index.page", {}, "2 MiB", &config::size_kind, {}};
  setting.about.range = "128 B to 8 MiB, a power of two";
  CHECK(ends_and_middle(setting) == std::vector<std::string>{"128 B", "32 KiB", "8 MiB"});
  setting.kind = &config::width_kind;
  setting.present = "64 B/clk";
  setting.about.range = "0, or 0.001 B/clk to 65536 B/clk";
  CHECK(ends_and_middle(setting) == std::vector<std::string>{"0 B/clk", "256 B/clk", "65536 B/clk"});
  setting.kind = nullptr;
  setting.about.range.clear();
  setting.about.kind = "true or false";
  setting.about.may_be_none = true;
  CHECK(ends_and_middle(setting) == std::vector<std::string>{"none", "true", "false"});
}

TEST_CASE("random_values_stay_within_the_range") {
  Setting setting{"l2.cache.ways", {}, "16", &config::count_kind, {}};
  setting.about.range = "1 to 512";
  RandomSequence random(1);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const int value = std::stoi(random_value(setting, random));
    REQUIRE((value >= 1 && value <= 512));
    low = low || value == 1;
    high = high || value == 512;
  }
  CHECK(low);
  CHECK(high);
}
