// SPDX-License-Identifier: Apache-2.0
// --set changes what it names and says so when it changes nothing; the number of
// jobs changes nothing at all.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

std::vector<std::string> l1_hits(std::vector<std::string> more) {
  more.insert(more.begin(), {"latency", "--gpu", "h200", "--from", "16KiB", "--to", "16KiB", "--timed-loads", "256"});
  return more;
}

double cycles(const json::value& document) {
  return document.at("points").at(0).at("latency_cycles").to_number<double>();
}

// A setting as the document tells it: value and who set it.
std::pair<std::string, std::string> setting(const json::value& document, std::string_view path) {
  for (const json::value& item : document.at("settings").as_array())
    if (item.at("path").as_string() == path)
      return {std::string(item.at("value").as_string()), std::string(item.at("set_by").as_string())};
  return {};
}

}  // namespace

SCENARIO("a_setting_changes_the_answer_by_what_it_says") {
  GIVEN("the L1 hit latency of a machine") {
    const json::value plain = json::parse(run(l1_hits({"--json", "-"})).out);
    const int hit_cycles = std::stoi(setting(plain, "l1.cache.hit_latency").first);
    WHEN("it is set ten cycles higher") {
      const std::string higher = std::to_string(hit_cycles + 10) + " clk";
      const Outcome outcome = run(l1_hits({"--json", "-", "--set", "l1.cache.hit_latency=" + higher}));
      const json::value changed = json::parse(outcome.out);
      THEN("a load takes ten cycles longer, and the document tells why") {
        CHECK(cycles(changed) == Approx(cycles(plain) + 10));
        CHECK(setting(changed, "l1.cache.hit_latency").first == higher);
        CHECK(setting(changed, "l1.cache.hit_latency").second.starts_with("--set"));
        CHECK(outcome.err.empty());
      }
    }
    WHEN("it is set to what it is") {
      const std::string same = std::to_string(hit_cycles) + " clk";
      const Outcome outcome = run(l1_hits({"--csv", "-", "--set", "l1.cache.hit_latency=" + same}));
      THEN("the answer is the same and stderr says that nothing changed") {
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out == run(l1_hits({"--csv", "-"})).out);
        CHECK(outcome.err == "note: --set changes nothing: h200 has these values already\n");
      }
    }
    WHEN("it is set by a file on base: h200") {
      const Scratch folder;
      folder.write("mine.yaml", "base: h200\nl1:\n  cache:\n    hit_latency: " + std::to_string(hit_cycles + 10) + " clk\n");
      const Outcome outcome = run(folder, {"latency", "--gpu", "mine.yaml", "--from", "16KiB", "--to", "16KiB", "--timed-loads",
                                           "256", "--json", "-"});
      const json::value changed = json::parse(outcome.out);
      THEN("the answer is that of --set, and the file's line is named") {
        CHECK(changed.at("gpu").as_string() == "mine.yaml");
        CHECK(cycles(changed) == Approx(cycles(plain) + 10));
        CHECK(setting(changed, "l1.cache.hit_latency").second == "mine.yaml:4");
      }
    }
  }
}

SCENARIO("the_effective_configuration_is_a_configuration") {
  GIVEN("all settings of a machine written out") {
    const Scratch folder;
    const Outcome written = run({"explain", "--gpu", "mi300x", "--settings"});
    REQUIRE(written.exit_code == 0);
    folder.write("all.yaml", written.out);
    THEN("the file stands alone and gives the same curve") {
      const std::vector<std::string> chase = {"--from", "16KiB", "--to", "8MiB", "--points-per-octave", "1", "--timed-loads", "256",
                                              "--csv", "-"};
      std::vector<std::string> by_name = {"latency", "--gpu", "mi300x"};
      std::vector<std::string> by_file = {"latency", "--gpu", "all.yaml"};
      by_name.insert(by_name.end(), chase.begin(), chase.end());
      by_file.insert(by_file.end(), chase.begin(), chase.end());
      const Outcome outcome = run(folder, by_file);
      CHECK(outcome.err.empty());
      CHECK(outcome.out == run(by_name).out);
    }
  }
}

SCENARIO("any_number_of_jobs_gives_the_same_bytes") {
  GIVEN("a curve in every form") {
    const std::vector<std::string> forms = {"json", "csv", "svg", "html"};
    const auto curve = [&](const Scratch& folder, const char* jobs) {
      std::vector<std::string> arguments = {"latency", "--gpu", "h200", "--from", "64KiB", "--to", "32MiB",
                                            "--points-per-octave", "1", "--timed-loads", "256", "--jobs", jobs};
      for (const std::string& form : forms) arguments.insert(arguments.end(), {"--" + form, "curve." + form});
      return run(folder, arguments);
    };
    const Scratch alone;
    const Scratch together;
    const Outcome one = curve(alone, "1");
    const Outcome four = curve(together, "4");
    CHECK(one.exit_code == 0);
    CHECK(one.out == four.out);
    CHECK(four.err.empty());
    for (const std::string& form : forms) {
      INFO(form);
      CHECK(alone.read("curve." + form) == together.read("curve." + form));
    }
  }
  GIVEN("a validation") {
    const auto with_jobs = [](const char* jobs) {
      return run({"validate", "--gpu", "b580", "--kind", "fitted", "--json", "-", "--jobs", jobs});
    };
    const Outcome one = with_jobs("1");
    CHECK(one.exit_code != 2);
    CHECK(one.out == with_jobs("4").out);
  }
}
