// SPDX-License-Identifier: Apache-2.0
// The JSON documents of version 1: names and types of fields are fixed, since
// scripts read them.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;

// The document that a verb writes to stdout.
json::object document(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code != 2);
  return json::parse(outcome.out).as_object();
}

void check_heading(const json::object& document, const std::string& gpu, bool ran = true) {
  const json::object& strata = document.at("strata").as_object();
  CHECK(strata.at("schema").as_int64() == 1);
  CHECK(run({"--version"}).out.starts_with("strata " + std::string(strata.at("version").as_string())));
  CHECK(document.at("gpu").as_string() == gpu);
  if (!ran) {
    CHECK(document.at("fingerprint").is_null());
    return;
  }
  const std::string fingerprint(document.at("fingerprint").as_string());
  CHECK(fingerprint.size() == 18);
  CHECK(fingerprint.starts_with("0x"));
  CHECK(fingerprint.find_first_not_of("0123456789abcdef", 2) == std::string::npos);
}

}  // namespace

SCENARIO("a_latency_document_has_its_fixed_fields") {
  GIVEN("a curve of three points at 1, 2 and 4 MiB") {
    const json::object curve = document({"latency", "--gpu", "h200", "--from", "1MiB", "--to", "4MiB",
                                         "--points-per-octave", "1", "--timed-loads", "256"});
    THEN("it opens with version, GPU and fingerprint") { check_heading(curve, "h200"); }
    THEN("each point has the footprint, the latency in both units and the levels that served") {
      const json::array& points = curve.at("points").as_array();
      REQUIRE(points.size() == 3);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const json::object& point = points[i].as_object();
        CHECK(point.at("footprint_bytes").as_int64() == std::int64_t{1} << (20 + i));
        CHECK(point.at("latency_ns").to_number<double>() > 0);
        CHECK(point.at("latency_cycles").to_number<double>() > 0);
        double shares = 0;
        for (const auto& level : point.at("hit_level_shares").as_object()) shares += level.value().to_number<double>();
        CHECK(shares == Approx(1));
      }
    }
    THEN("cycles are nanoseconds at the core clock") {
      const Outcome clock = run({"explain", "--gpu", "h200", "--path", "clocks.core"});
      const std::size_t at = clock.out.find("value:");
      REQUIRE(at != std::string::npos);
      const double megahertz = std::stod(clock.out.substr(at + 6));
      for (const json::value& point : curve.at("points").as_array())
        CHECK(point.at("latency_cycles").to_number<double>() ==
              Approx(point.at("latency_ns").to_number<double>() * megahertz / 1000));
    }
  }
}

SCENARIO("lists_checks_and_trace_info_are_documents_too") {
  GIVEN("the GPUs") {
    const json::object list = document({"list", "gpus"});
    check_heading(list, "", false);
    bool found = false;
    for (const json::value& row : list.at("gpus").as_array()) {
      if (row.at("name").as_string() != "b580") continue;
      found = true;
      CHECK(row.at("cores").to_number<double>() == 20);
    }
    CHECK(found);
  }
  GIVEN("the kernels as CSV, a parameter a line, each with the name of its kernel") {
    const Outcome csv = run({"list", "kernels", "--csv", "-"});
    CHECK(csv.out.starts_with("kernel,meaning,parameter,"));
    CHECK(csv.out.find("\nvecadd,") != std::string::npos);
    CHECK(csv.out.find("\n,") == std::string::npos);
  }
  GIVEN("the graph of a machine") {
    const json::object graph = document({"list", "graph", "--gpu", "mi300x"});
    check_heading(graph, "mi300x", false);
    bool found = false;
    for (const json::value& node : graph.at("nodes").as_array()) {
      if (node.at("node").as_string() != "Infinity Cache") continue;
      found = true;
      CHECK(node.at("capacity_bytes").to_number<double>() * node.at("instances").to_number<double>() == (256U << 20U));
      CHECK(node.at("first_address").is_null());
      CHECK(node.at("settings").as_string() == "memory_side_cache.cache");
    }
    CHECK(found);
    for (const json::value& edge : graph.at("edges").as_array()) {
      CHECK_FALSE(edge.at("settings").as_string().empty());
      CHECK(edge.at("settings").as_string().find('{') == json::string::npos);
    }
    CHECK(run({"list", "graph", "--gpu", "mi300x", "--dot", "-"}).out.starts_with("digraph \"mi300x\" {\n"));
    const Outcome yaml = run({"list", "graph", "--gpu", "mi300x", "--yaml", "-"});
    CHECK(yaml.out.starts_with("# mi300x: "));
    CHECK(yaml.out.find("\ngraph:\n  nodes:\n") != std::string::npos);
    CHECK(run({"list", "graph", "--gpu", "mi300x", "--yaml", "-", "--dot", "-"}).exit_code == 2);
    CHECK(run({"list", "graph", "--gpu", "mi300x", "--csv", "-"}).err ==
          "--csv: a graph is two tables; --json has both\n");
  }
  GIVEN("the statistics of a machine") { check_heading(document({"list", "stats", "--gpu", "b580"}), "b580", false); }
  GIVEN("two valid files") {
    const json::object check = document({"check", "b580", "a770"});
    CHECK(check.at("files").as_array().size() == 2);
  }
  GIVEN("a recorded kernel") {
    const strata::test::Scratch scratch;
    const std::string native = scratch.path("v.strata");
    REQUIRE(run({"trace", "record", "vecadd,n=1000", native}).exit_code == 0);
    const json::object info = document({"trace", "info", native});
    CHECK(info.at("kernels").as_array().front().at("kernel").as_string() == "vecadd");
    CHECK(info.at("kernels").as_array().front().at("blocks").to_number<double>() == 4);
    CHECK(run({"check", native}).out.find("warp instructions, all valid") != std::string::npos);
  }
  GIVEN("one file for two forms") {
    const strata::test::Scratch scratch;
    const std::string file = scratch.path("both");
    const Outcome both = run({"list", "gpus", "--json", file, "--csv", file});
    CHECK(both.exit_code == 2);
    CHECK(both.err.find("is the output of --json") != std::string::npos);
  }
}

SCENARIO("an_explain_document_adds_up") {
  GIVEN("the journey of a load of a cold machine") {
    const json::object journey = document({"explain", "--gpu", "h200", "--address", "0x1000"});
    check_heading(journey, "h200");
    THEN("the stages add up to the latency, in cycles and in nanoseconds") {
      double cycles = 0;
      double ns = 0;
      for (const json::value& stage : journey.at("stages").as_array()) {
        CHECK_FALSE(stage.at("stage").as_string().empty());
        cycles += stage.at("cycles").to_number<double>();
        ns += stage.at("ns").to_number<double>();
      }
      CHECK(journey.at("address").as_int64() == 0x1000);
      CHECK(cycles > 0);
      CHECK(journey.at("total_cycles").to_number<double>() == Approx(cycles));
      CHECK(journey.at("total_ns").to_number<double>() == Approx(ns));
    }
  }
}

SCENARIO("a_validate_document_has_its_fixed_fields") {
  GIVEN("the rows about one GPU that are arithmetic of its configuration") {
    const json::object validation = document({"validate", "--gpu", "b580", "--kind", "spec"});
    check_heading(validation, "b580");
    const json::array& rows = validation.at("rows").as_array();
    REQUIRE_FALSE(rows.empty());
    std::int64_t passed = 0;
    for (const json::value& item : rows) {
      const json::object& row = item.as_object();
      for (const char* name : {"id", "quantity", "unit", "source"}) CHECK(row.at(name).is_string());
      for (const char* name : {"measured", "predicted", "error", "tolerance"}) CHECK(row.at(name).is_number());
      CHECK(row.at("gpu").as_string() == "b580");
      CHECK(row.at("kind").as_string() == "spec");
      passed += row.at("pass").as_bool() ? 1 : 0;
    }
    THEN("the summary counts them, in all and by kind") {
      const json::object& summary = validation.at("summary").as_object();
      CHECK(summary.at("rows").as_int64() == static_cast<std::int64_t>(rows.size()));
      CHECK(summary.at("passed").as_int64() == passed);
      const json::object& kinds = summary.at("by_kind").as_object();
      for (const char* kind : {"spec", "fitted", "predicted", "ordering"}) REQUIRE(kinds.contains(kind));
      CHECK(kinds.at("spec").at("rows").as_int64() == static_cast<std::int64_t>(rows.size()));
      CHECK(kinds.at("spec").at("passed").as_int64() == passed);
      CHECK(kinds.at("predicted").at("rows").as_int64() == 0);
      CHECK(summary.contains("predicted_mean_absolute_error"));
    }
  }
}
