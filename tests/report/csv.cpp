// SPDX-License-Identifier: Apache-2.0
#include "report/text/csv.hpp"

#include <string>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;

TEST_CASE("fields_are_quoted_according_to_rfc_4180") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("a\rb") == "a\\x0db");  // a control character that is no line end here
  CHECK(csv_field("").empty());
}

TEST_CASE("a_curve_has_a_line_per_point_with_a_share_for_every_level") {
  CHECK(csv(sample::curve()) ==
        "footprint_bytes,latency_ns,latency_cycles,share_L1,share_L2,share_DRAM\n"
        "1024,20,40,1,0,0\n"
        "1048576,150.5,301,0.25,0.75,0\n"
        "4294967296,425,850,0,0,1\n");
}

TEST_CASE("a_comparison_names_its_unit_in_the_columns") {
  const Comparison comparison{"x", "ns", {{2048, 50, 40}, {4096, 0, 10}}};
  CHECK(csv(comparison) ==
        "footprint_bytes,measured_ns,predicted_ns,error\n"
        "2048,50,40,-0.2\n"
        "4096,0,10,\n");
}

TEST_CASE("validation_rows_are_written_by_the_names_of_the_json_document") {
  ValidationReport report = sample::validation();
  report.rows = {report.rows[2], report.rows[4]};
  report.rows[0].source = "doc \"C\", page 3";
  CHECK(csv(report) ==
        "id,gpu,quantity,unit,measured,predicted,error,tolerance,kind,source,pass,note\n"
        "M-1,mi300x,DRAM,ns,400,440,0.1,0.05,predicted,\"doc \"\"C\"\", page 3\",false,far\n"
        "O-1,b200,L2 below DRAM,,,,,,ordering,doc D,true,\n");
}

TEST_CASE("a_journey_ends_with_its_total") {
  CHECK(csv(sample::journey()) ==
        "stage,cycles,ns,note\n"
        "L1,24,12,miss\n"
        "L2 slice 3,276,138,\"hit, near\"\n"
        "total,300,150,\n");
}
