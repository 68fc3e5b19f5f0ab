// SPDX-License-Identifier: Apache-2.0
// Results are written to standard output or the named file, messages to standard error, and the
// exit code reports the outcome.
#include <boost/json.hpp>

#include <algorithm>

#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

std::vector<std::string> point(std::vector<std::string> more) {
  more.insert(more.begin(), {"latency", "--gpu", "h200", "--from", "64KiB", "--to", "64KiB", "--timed-loads", "256"});
  return more;
}

}  // namespace

SCENARIO("the_table_goes_to_stdout_and_nothing_else_does") {
  const Outcome outcome = run(point({}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("footprint  latency [cycles]  latency [ns]  served by\n"));
  CHECK(outcome.err.empty());
}

SCENARIO("a_dash_means_stdout_and_then_only_that") {
  GIVEN("each form of the answer") {
    WHEN("CSV is asked for on stdout") {
      const Outcome outcome = run(point({"--csv", "-"}));
      THEN("there are its header and one row") {
        CHECK(outcome.out.starts_with("footprint_bytes,latency_ns,latency_cycles,"));
        CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 2);
      }
    }
    WHEN("JSON is asked for on stdout") {
      const Outcome outcome = run(point({"--json", "-"}));
      THEN("all of stdout is one document") { CHECK_NOTHROW(boost::json::parse(outcome.out)); }
    }
    WHEN("the drawing is asked for on stdout") {
      const Outcome outcome = run(point({"--svg", "-"}));
      THEN("all of stdout is the drawing") {
        CHECK(outcome.out.find("<svg") < 60);
        CHECK(outcome.out.ends_with("</svg>\n"));
      }
    }
    WHEN("the page is asked for on stdout") {
      const Outcome outcome = run(point({"--html", "-"}));
      THEN("all of stdout is the page") {
        CHECK(outcome.out.starts_with("<!DOCTYPE html>"));
        CHECK(outcome.out.ends_with("</html>\n"));
      }
    }
    WHEN("two forms are asked for on stdout") {
      const Outcome outcome = run(point({"--json", "-", "--csv", "-"}));
      THEN("the second is refused") {
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.err == "--csv: standard output is taken by --json; name a file\n");
      }
    }
  }
}

SCENARIO("files_hold_what_stdout_would") {
  GIVEN("every form written to a file") {
    const Scratch folder;
    const Outcome outcome =
        run(folder, point({"--json", "a.json", "--csv", "a.csv", "--svg", "a.svg", "--html", "a.html"}));
    THEN("the table still comes on stdout and each file is what '-' gives") {
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.out == run(point({})).out);
      CHECK(folder.names() == std::vector<std::string>{"a.csv", "a.html", "a.json", "a.svg"});
      CHECK(folder.read("a.json") == run(point({"--json", "-"})).out);
      CHECK(folder.read("a.csv") == run(point({"--csv", "-"})).out);
      CHECK(folder.read("a.svg") == run(point({"--svg", "-"})).out);
      CHECK(folder.read("a.html") == run(point({"--html", "-"})).out);
    }
  }
}

SCENARIO("quiet_only_suppresses_messages") {
  const Outcome loud = run(point({}));
  const Outcome quiet = run(point({"--quiet"}));
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.out == loud.out);
  CHECK(quiet.err.empty());
}

SCENARIO("validate_exits_with_0_only_when_all_rows_are_within_tolerance") {
  GIVEN("the rows on B580 that are arithmetic of its configuration") {
    const std::vector<std::string> rows = {"validate", "--gpu", "b580", "--kind", "spec", "--json", "-"};
    WHEN("the configuration is as it comes") {
      const Outcome outcome = run(rows);
      const auto summary = boost::json::parse(outcome.out).at("summary");
      THEN("all pass, and the exit code is 0") {
        CHECK(summary.at("passed") == summary.at("rows"));
        CHECK(outcome.exit_code == 0);
      }
    }
    WHEN("a slice of cores is taken away") {
      std::vector<std::string> fewer = rows;
      fewer.insert(fewer.end(), {"--set", "dies.cores_per_die=16"});
      const Outcome outcome = run(fewer);
      const auto summary = boost::json::parse(outcome.out).at("summary");
      THEN("a row fails, and the exit code is 1") {
        CHECK(summary.at("passed").as_int64() < summary.at("rows").as_int64());
        CHECK(outcome.exit_code == 1);
      }
    }
  }
}

SCENARIO("standard_output_under_another_name_is_not_a_second_output") {
  const Scratch folder;
  const Outcome outcome = run(folder, {"list", "gpus", "--json", "/dev/stdout"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == "--json: '/dev/stdout' is the file of standard output (write - for it, or name another file)\n");
  CHECK(run(folder, {"list", "gpus", "--json", "/dev/null"}).exit_code == 0);
}
