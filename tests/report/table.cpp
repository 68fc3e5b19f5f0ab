// SPDX-License-Identifier: Apache-2.0
#include "report/text/table.hpp"

#include <string>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;

TEST_CASE("figures_align_right_names_left_and_no_line_ends_in_blanks") {
  CHECK(table({{"name", Align::left}, {"x [ns]"}, {"note", Align::left}},
              {{"a", "1", "first"}, {"caf\xC3\xA9s", "1234567", ""}, {}, {"sum"}}) ==
        "name    x [ns]  note\n"
        "-----  -------  -----\n"
        "a            1  first\n"
        "caf\xC3\xA9s  1234567\n"
        "-----  -------  -----\n"
        "sum\n");
}

TEST_CASE("a_curve_is_followed_by_its_errors") {
  CHECK(table(sample::curve()) ==
        "footprint  latency [cycles]  latency [ns]  served by\n"
        "---------  ----------------  ------------  --------------------\n"
        "    1 KiB              40.0          20.0  L1 100.0 %\n"
        "    1 MiB             301.0         150.5  L1 25.0 %, L2 75.0 %\n"
        "    4 GiB             850.0         425.0  DRAM 100.0 %\n"
        "\n"
        "against b200.csv\n"
        "footprint  measured [cycles]  predicted [cycles]  error [%]\n"
        "---------  -----------------  ------------------  ---------\n"
        "    1 KiB               50.0                40.0      -20.0\n"
        "    1 MiB              300.0               301.0       +0.3\n"
        "mean absolute error 10.2 % over 2 points; worst -20.0 % at 1 KiB\n");
}

TEST_CASE("validation_is_grouped_by_gpu_and_summed_by_kind") {
  CHECK(table(sample::validation()) ==
        "b200\n"
        "id   quantity       unit    measured  predicted  error [%]  tolerance [%]  kind       "
        "result\n"
        "---  -------------  ------  --------  ---------  ---------  -------------  ---------  "
        "------\n"
        "A-1  L1 latency     cycles        40         41       +2.5            3.0  fitted     pass\n"
        "A-2  L2 size        MiB          126        126       +0.0            0.0  spec       pass\n"
        "A-3  far L2         cycles       500        490       -2.0            5.0  predicted  pass\n"
        "O-1  L2 below DRAM                 -          -          -              -  ordering   pass\n"
        "\n"
        "mi300x\n"
        "id   quantity  unit  measured  predicted  error [%]  tolerance [%]  kind       result\n"
        "---  --------  ----  --------  ---------  ---------  -------------  ---------  ---------\n"
        "M-1  DRAM      ns         400        440      +10.0            5.0  predicted  FAIL: far\n"
        "\n"
        "spec       1 of 1 passed\n"
        "fitted     1 of 1 passed\n"
        "predicted  1 of 2 passed, mean absolute error 6.0 %\n"
        "ordering   1 of 1 passed\n"
        "all        4 of 5 passed\n");
}

TEST_CASE("a_journey_ends_with_its_sum") {
  CHECK(table(sample::journey()) ==
        "b200: 0x1000, ld.global\n"
        "stage       cycles      ns  note\n"
        "----------  ------  ------  ---------\n"
        "L1           24.00   12.00  miss\n"
        "L2 slice 3  276.00  138.00  hit, near\n"
        "----------  ------  ------  ---------\n"
        "sum         300.00  150.00\n");
}

TEST_CASE("no_name_sends_a_control_sequence_to_the_terminal") {
  ValidationReport report = sample::validation();
  report.rows[2].gpu = report.rows[2].quantity = report.rows[2].note = sample::hostile;
  JourneyReport journey = sample::journey();
  journey.what = journey.heading.gpu = journey.stages[0].note = sample::hostile;
  CurveReport curve = sample::curve();
  curve.comparison->source = sample::hostile;
  curve.comparison->unit = sample::hostile;
  for (const std::string& text : {table(report), table(journey), table(curve)}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
}
