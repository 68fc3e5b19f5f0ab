// SPDX-License-Identifier: Apache-2.0
// sensitivity: each row equals the single runs with that setting, elasticities follow from
// them, and refused settings are listed with their reason.
#include <algorithm>
#include <cmath>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::Words;

Words chase(Words more) {
  more.insert(more.begin(),
              {"sensitivity", "latency", "--gpu", "h200", "--footprint", "16KiB", "--timed-loads", "256"});
  return more;
}

std::string text_of(const Words& words) {
  const Outcome outcome = run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return outcome.out;
}

json::value document(Words more) {
  more.insert(more.end(), {"--json", "-"});
  return json::parse(text_of(chase(std::move(more))));
}

double number(const json::value& value) { return value.to_number<double>(); }

json::value row(const json::value& document, const std::string& path) {
  for (const json::value& row : document.at("sensitivities").as_array())
    if (row.at("path").as_string() == path.c_str()) return row;
  FAIL("no row of " << path);
  return nullptr;
}

double latency_with(const std::string& setting) {
  const json::value single = json::parse(text_of({"latency", "--gpu", "h200", "--from", "16KiB", "--to", "16KiB",
                                                  "--timed-loads", "256", "--set", setting, "--json", "-"}));
  return number(single.at("points").at(0).at("latency_ns"));
}

void check_refused(const Words& words, const std::string& part) {
  const Outcome outcome = run(words);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find(part) != std::string::npos);
}

}  // namespace

SCENARIO("sensitivities_of_a_chase_in_l1_follow_from_its_stages") {
  const json::value all = document({});
  GIVEN("the answer of the machine as it is: 28 clk in L1 and 4 clk before it, at 1980 MHz") {
    CHECK(std::abs(number(all.at("latency_ns")) - 32 / 1.98) < 1e-6);
    THEN("the elasticity of a stage is its share, by the central difference") {
      const json::value hit = row(all, "l1.cache.hit_latency");
      CHECK(number(hit.at("low").at("number")) == 22.4);
      CHECK(std::abs(number(hit.at("low").at("change")) + 5.6 / 32) < 1e-6);
      CHECK(std::abs(number(hit.at("high").at("change")) - 5.6 / 32) < 1e-6);
      CHECK(std::abs(number(hit.at("elasticity")) - std::log(37.6 / 26.4) / std::log(1.5)) < 1e-6);
      CHECK(hit.at("provenance").as_string() == "fitted");
      CHECK(!hit.at("source").as_string().empty());
    }
    THEN("time is the inverse of the clock, which ranks first") {
      const json::value& first = all.at("sensitivities").at(0);
      CHECK(first.at("path").as_string() == "clocks.core");
      CHECK(std::abs(number(first.at("elasticity")) + 1) < 1e-6);
      CHECK(std::abs(number(first.at("largest_change")) - 0.25) < 1e-6);
    }
    THEN("each answer is that of `latency` with that setting") {
      CHECK(number(row(all, "l1.cache.hit_latency").at("high").at("latency_ns")) ==
            latency_with("l1.cache.hit_latency=33.6clk"));
    }
    THEN("rows stand by the size of the change, and the counts add up") {
      double before = 1e9;
      std::uint64_t with_effect = 0;
      for (const json::value& one : all.at("sensitivities").as_array()) {
        if (one.at("largest_change").is_null()) continue;
        const double change = std::abs(number(one.at("largest_change")));
        CHECK(change <= before);
        before = change;
        with_effect += change > 0 ? 1 : 0;
      }
      const json::value& counts = all.at("counts");
      CHECK(number(counts.at("read")) == static_cast<double>(all.at("sensitivities").as_array().size()));
      CHECK(number(counts.at("numbers")) == number(counts.at("read")) + number(counts.at("unread")));
      CHECK(number(counts.at("selected")) == number(counts.at("read")));
      CHECK(number(counts.at("selected")) ==
            number(counts.at("moved")) + number(counts.at("refused")) + number(counts.at("zero")));
      CHECK(number(counts.at("moved")) - number(counts.at("without_effect")) == static_cast<double>(with_effect));
    }
    THEN("what is refused both ways has a reason") {
      const json::value dies = row(all, "dies.compute");
      CHECK(dies.at("elasticity").is_null());
      for (const char* side : {"low", "high"}) CHECK(!dies.at(side).at("refused").as_string().empty());
    }
  }
}

SCENARIO("a_sensitivity_is_the_same_at_any_number_of_jobs") {
  const Words words = chase({"--only", "l1", "--uncertainty", "8", "--json", "-"});
  Words one = words;
  Words two = words;
  one.insert(one.end(), {"--jobs", "1"});
  two.insert(two.end(), {"--jobs", "2"});
  CHECK(text_of(one) == text_of(two));
}

SCENARIO("by_and_only_determine_the_moved_settings_and_the_step") {
  const json::value half = document({"--only", "l1.cache.hit_latency", "--by", "50%"});
  REQUIRE(half.at("sensitivities").as_array().size() == 1);
  // --only selects rows; the settings that the question reads are the same.
  CHECK(number(half.at("counts").at("selected")) == 1);
  CHECK(number(half.at("counts").at("read")) == number(document({"--only", "clocks"}).at("counts").at("read")));
  CHECK(number(row(half, "l1.cache.hit_latency").at("low").at("number")) == 14);
  CHECK(std::abs(number(row(half, "l1.cache.hit_latency").at("low").at("change")) + 14.0 / 32) < 1e-6);
}

SCENARIO("uncertainty_draws_estimated_settings_and_reports_the_band") {
  // Of the three settings that matter here only the 4 clk of the address path are estimated.
  const json::value all =
      document({"--only", "core.load_store.scalar_address", "--uncertainty", "100", "--range", "25%"});
  const json::value& band = all.at("uncertainty");
  REQUIRE(band.at("drawn").as_array().size() == 1);
  CHECK(band.at("answers").as_array().size() == 100);
  CHECK(number(band.at("refused")) == 0);
  // From 4 / 1.25 to 4 * 1.25 cycles in addition to the 28.
  const double least = (28 + 3.2) / 1.98;
  const double most = (28 + 5) / 1.98;
  for (const json::value& answer : band.at("answers").as_array()) {
    CHECK(number(answer) >= least - 1e-3);
    CHECK(number(answer) <= most + 1e-3);
  }
  CHECK(number(band.at("p05")) < number(band.at("median")));
  CHECK(number(band.at("median")) < number(band.at("p95")));
  CHECK(number(band.at("p95")) - number(band.at("p05")) > 0.6 * (most - least));
}

SCENARIO("the_options_of_the_question_keep_their_meaning") {
  // --seed is of the random cycle of the chase, --draw-seed of the draws.
  const auto with = [](Words more) {
    more.insert(more.begin(), {"sensitivity", "latency", "--gpu", "h200", "--footprint", "1MiB", "--timed-loads", "256",
                               "--only", "clocks.core", "--json", "-"});
    return json::parse(text_of(more));
  };
  const json::value plain = with({});
  CHECK(plain.at("question").at("options").at("seed").as_string() == "1");
  CHECK(number(plain.at("latency_ns")) != number(with({"--seed", "3"}).at("latency_ns")));
  CHECK(number(plain.at("latency_ns")) == number(with({"--uncertainty", "2", "--draw-seed", "3"}).at("latency_ns")));
}

SCENARIO("a_sensitivity_of_a_kernel_ranks_what_the_kernel_reads") {
  const json::value all = json::parse(text_of({"sensitivity", "run", "--gpu", "b580", "--kernel",
                                               "stream_read,bytes=64KiB", "--only", "clocks", "--json", "-"}));
  CHECK(all.at("question").at("name").as_string() == "run");
  CHECK(all.at("figure").as_string() == "time_ns");
  CHECK(number(all.at("time_ns")) > 0);
  CHECK(number(all.at("sensitivities").at(0).at("elasticity")) < 0);
}

SCENARIO("every_form_of_a_sensitivity_is_written") {
  const Scratch folder;
  const Outcome outcome =
      run(folder,
          chase({"--only", "l1.cache", "--json", "a.json", "--csv", "a.csv", "--svg", "a.svg", "--html", "a.html"}));
  REQUIRE(outcome.exit_code == 0);
  CHECK(folder.names() == Words{"a.csv", "a.html", "a.json", "a.svg"});
  CHECK(folder.read("a.csv").starts_with("path,value,number,provenance,source,set_by,low,"));
  CHECK(folder.read("a.svg").find("l1.cache.hit_latency = 33.6 clk") != std::string::npos);
  CHECK(folder.read("a.html").find("<svg") != std::string::npos);
  CHECK(outcome.out.find("numbers in the configuration") != std::string::npos);
}

SCENARIO("a_sensitivity_that_makes_no_sense_is_refused") {
  check_refused(chase({"--by", "0%"}), "--by: '0%' is not a share");
  check_refused(chase({"--by", "nan"}), "--by: 'nan' is not a share");
  check_refused(chase({"--by", "100%"}), "--by: '100%' is not a share");
  check_refused(chase({"--only", "l1.cach"}), "--only: no number that this question reads");
  check_refused(chase({"--top", "0"}), "--top: '0' is not a whole number");
  check_refused(chase({"--uncertainty=-3"}), "--uncertainty: ");
  check_refused(chase({"--draw-seed", "3"}), "--draw-seed: requires --uncertainty");
  check_refused({"sensitivity", "latncy", "--gpu", "h200"}, "'latncy' is not one of latency");
  check_refused({"sensitivity", "--gpu", "h200"}, "--footprint: ");
  check_refused({"sensitivity", "--footprint", "1MiB"}, "--gpu: ");
  check_refused({"sensitivity", "run", "--gpu", "h200"}, "nothing to run");
}
