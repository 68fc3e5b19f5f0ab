// SPDX-License-Identifier: Apache-2.0
// --set changes the setting that it names and reports if it has no effect; the number of jobs
// does not change results.
#include <boost/json.hpp>

#include <algorithm>

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

// A setting in the document: value and origin.
std::pair<std::string, std::string> setting(const json::value& document, std::string_view path) {
  for (const json::value& item : document.at("settings").as_array())
    if (item.at("path").as_string() == path)
      return {std::string(item.at("value").as_string()), std::string(item.at("set_by").as_string())};
  return {};
}

}  // namespace

SCENARIO("a_setting_changes_the_result_by_its_amount") {
  GIVEN("the L1 hit latency of a machine") {
    const json::value plain = json::parse(run(l1_hits({"--json", "-"})).out);
    const int hit_cycles = std::stoi(setting(plain, "l1.cache.hit_latency").first);
    WHEN("it is set ten cycles higher") {
      const std::string higher = std::to_string(hit_cycles + 10) + " clk";
      const Outcome outcome = run(l1_hits({"--json", "-", "--set", "l1.cache.hit_latency=" + higher}));
      const json::value changed = json::parse(outcome.out);
      THEN("a load takes ten cycles longer, and the document states why") {
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
        CHECK(outcome.err == "note: --set has no effect: h200 has these values already\n");
      }
    }
    WHEN("it is set by a file on base: h200") {
      const Scratch folder;
      folder.write("mine.yaml",
                   "base: h200\nl1:\n  cache:\n    hit_latency: " + std::to_string(hit_cycles + 10) + " clk\n");
      const Outcome outcome = run(folder, {"latency", "--gpu", "mine.yaml", "--from", "16KiB", "--to", "16KiB",
                                           "--timed-loads", "256", "--json", "-"});
      const json::value changed = json::parse(outcome.out);
      THEN("the answer is that of --set, and the file's line is named") {
        CHECK(changed.at("gpu").as_string() == "mine.yaml");
        CHECK(cycles(changed) == Approx(cycles(plain) + 10));
        CHECK(setting(changed, "l1.cache.hit_latency").second == "mine.yaml:4");
      }
    }
  }
}

SCENARIO("a_setting_that_the_question_does_not_read_is_reported") {
  GIVEN("the size of an L1 whose carve-outs decide it") {
    const Outcome outcome = run({"latency", "--gpu", "b580", "--from", "16KiB", "--to", "16KiB", "--timed-loads", "256",
                                 "--json", "-", "--set", "l1.cache.size=192KiB"});
    THEN("stderr and the document name the setting to set instead") {
      CHECK(outcome.exit_code == 0);
      CHECK(
          outcome.err.starts_with("note: l1.cache.size=192KiB is set, but not read by this question: the size of the "
                                  "L1 is that of its carve-out"));
      CHECK(outcome.err.find("set l1.carve_outs[") != std::string::npos);
      const json::value document = json::parse(outcome.out);
      const json::value& told = document.at("unread_settings").at(0);
      CHECK(told.at("path").as_string() == "l1.cache.size");
      CHECK(told.at("value").as_string() == "192KiB");
      CHECK(std::string(told.at("reason").as_string()).find("l1.carve_out") != std::string::npos);
    }
    THEN("a value that the cache could not have is refused with that setting as well") {
      const Outcome refused = run({"latency", "--gpu", "b580", "--to", "16KiB", "--set", "l1.cache.size=128KiB"});
      CHECK(refused.exit_code == 2);
      CHECK(refused.err.find("the size of the L1 is that of its carve-out (set l1.capacity)") != std::string::npos);
    }
    THEN("explain says the same") {
      const Outcome told =
          run({"explain", "--gpu", "b580", "--path", "l1.cache.size", "--set", "l1.cache.size=192KiB"});
      CHECK(told.out.find("not read:   the size of the L1 is that of its carve-out") != std::string::npos);
    }
    THEN("a sweep of it reports it before it runs") {
      const Outcome swept = run({"sweep", "--gpu", "b580", "--vary", "l1.cache.size=48KiB,192KiB", "--footprint",
                                 "16KiB", "--timed-loads", "256", "--quiet", "--json", "-"});
      CHECK(swept.err.starts_with("note: l1.cache.size is varied, but not read by this question: the size of the L1"));
      const json::value document = json::parse(swept.out);
      CHECK(document.at("parameters").at(0).as_object().contains("unread"));
    }
  }
  GIVEN("what a launch costs, asked of a chase, of a load and of a stream") {
    for (const std::vector<std::string>& question :
         {std::vector<std::string>{"latency", "--from", "16KiB", "--to", "16KiB", "--timed-loads", "256"},
          std::vector<std::string>{"explain", "--address", "0x1000"},
          std::vector<std::string>{"bandwidth", "--footprint", "2MiB", "--timed", "1MiB"},
          std::vector<std::string>{"bandwidth", "--loaded", "--inject", "0", "--footprint", "2MiB"}}) {
      std::vector<std::string> words = question;
      words.insert(words.end(), {"--gpu", "h200", "--quiet", "--json", "-", "--set", "launch.before=5us"});
      if (question.front() == "explain") std::erase(words, "--quiet");
      const Outcome outcome = run(words);
      INFO(question.front());
      CHECK(outcome.err == "note: launch.before=5us is set, but not read by this question: no kernel is launched\n");
      CHECK(json::parse(outcome.out).at("unread_settings").as_array().size() == 1);
    }
    THEN("a kernel reads it, and nothing is reported") {
      const Outcome outcome = run({"run", "--gpu", "h200", "--kernel", "vecadd,n=4096", "--quiet", "--json", "-",
                                   "--set", "launch.before=5us"});
      CHECK(outcome.err.empty());
      CHECK_FALSE(json::parse(outcome.out).as_object().contains("unread_settings"));
    }
  }
  GIVEN("a file of the user's own with a size that its carve-outs overrule") {
    const Scratch folder;
    folder.write("mine.yaml", "base: b580\nl1:\n  cache:\n    size: 192 KiB\n");
    THEN("check reports it") {
      const Outcome outcome = run(folder, {"check", "mine.yaml"});
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err.starts_with(
          "note: l1.cache.size=192 KiB is set, but not read by this question: the size of the L1"));
    }
  }
  GIVEN("a size of the L1 that a kernel with much shared memory does not take") {
    const std::vector<std::string> words = {
        "run", "--gpu", "h200", "--quiet", "--json", "-", "--set", "l1.capacity=100KiB", "--kernel"};
    const auto of = [&](const std::string& kernel) {
      std::vector<std::string> all = words;
      all.push_back(kernel);
      return run(all);
    };
    const Outcome outcome = of("tmem_mma,n=256");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.starts_with("note: l1.capacity=100KiB: no kernel takes the carve-out '"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(json::parse(outcome.out).at("setting_notes").at(0).at("path").as_string() == "l1.capacity");
    THEN("one without shared memory does, and nothing is said") { CHECK(of("vecadd,n=4096").err.empty()); }
  }
  GIVEN("a page of the driver's, where entries of TLBs cover what they cover") {
    const Outcome outcome =
        run({"explain", "--gpu", "h200", "--address", "0x1000", "--json", "-", "--set", "pages.page=64KiB"});
    CHECK(outcome.err.find("entry_reach") != std::string::npos);
    CHECK(json::parse(outcome.out).at("setting_notes").as_array().size() == 1);
  }
}

SCENARIO("a_setting_that_is_none_and_not_read_is_reported_as_none") {
  const Outcome outcome =
      run({"latency", "--gpu", "h200", "--footprint", "16KiB", "--set", "l1.cache.masked_lines=none"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("l1.cache.masked_lines=none is set, but not read by this question") != std::string::npos);
}

SCENARIO("the_effective_configuration_is_a_configuration") {
  GIVEN("all settings of a machine written out") {
    const Scratch folder;
    const Outcome written = run({"explain", "--gpu", "mi300x", "--settings"});
    REQUIRE(written.exit_code == 0);
    folder.write("all.yaml", written.out);
    THEN("the file stands alone and gives the same curve") {
      const std::vector<std::string> chase = {"--from", "16KiB",         "--to", "8MiB",  "--points-per-octave",
                                              "1",      "--timed-loads", "256",  "--csv", "-"};
      std::vector<std::string> by_name = {"latency", "--gpu", "mi300x"};
      std::vector<std::string> by_file = {"latency", "--gpu", "all.yaml"};
      by_name.insert(by_name.end(), chase.begin(), chase.end());
      by_file.insert(by_file.end(), chase.begin(), chase.end());
      const Outcome outcome = run(folder, by_file);
      // A file with every setting also has those that no question reads: notes, limited in
      // number.
      CHECK(outcome.err.find("error") == std::string::npos);
      CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') <= 9);
      CHECK(outcome.out == run(by_name).out);
    }
  }
}

SCENARIO("any_number_of_jobs_gives_the_same_bytes") {
  GIVEN("a curve in every form") {
    const std::vector<std::string> forms = {"json", "csv", "svg", "html"};
    const auto curve = [&](const Scratch& folder, const char* jobs) {
      std::vector<std::string> arguments = {
          "latency", "--gpu",         "h200", "--from", "64KiB", "--to", "32MiB", "--points-per-octave",
          "1",       "--timed-loads", "256",  "--jobs", jobs};
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
