// SPDX-License-Identifier: Apache-2.0
// Measured bandwidths: the unit is read from the column's name or given with it.
#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "files/measured.hpp"

namespace {

using strata::InputError;
using strata::tools::column_choice;
using strata::tools::Measured;
using strata::tools::MeasuredCurve;
using strata::tools::read_measured;

MeasuredCurve read(std::string_view text, std::optional<std::string> columns = std::nullopt) {
  return read_measured(text, "m.csv", column_choice(columns, {}, Measured::bandwidth));
}

// The rate of a column of that name with the value 3.
double rate_of_three(const std::string& column, const std::string& unit = "") {
  return read("footprint_bytes," + column + "\n65536,3\n", "footprint_bytes," + column + unit).points.at(0).value;
}

void check_refused(const std::string& text, std::optional<std::string> columns, const std::string& message) {
  try {
    read(text, std::move(columns));
    FAIL("must be refused");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) == message);
  }
}

}  // namespace

SCENARIO("the_bandwidth_column_of_the_contract_is_in_bytes_a_second") {
  const MeasuredCurve curve = read("footprint_bytes,bytes_per_second\n65536,2e12\n");
  CHECK(curve.unit == "B/s");
  REQUIRE(curve.points.size() == 1);
  CHECK(curve.points[0].value == 2e12);
}

SCENARIO("published_bandwidth_columns_are_known") {
  CHECK(read("size_KiB,GB_per_s,spread_pct\n64,3,0.1\n").points.at(0).value == 3e9);
  CHECK(read("footprint_bytes,gb_per_s\n64,3\n").points.at(0).value == 3e9);
}

SCENARIO("the_unit_of_a_bandwidth_is_read_from_its_column_s_name") {
  CHECK(rate_of_three("triad_GB_per_s") == 3e9);
  CHECK(rate_of_three("bandwidth_TB_s") == 3e12);
  CHECK(rate_of_three("read [GB/s") == 3e9);
  CHECK(rate_of_three("MiBps") == 3.0 * 1048576);
  CHECK(rate_of_three("GiB_per_second") == 3.0 * 1073741824);
  CHECK(rate_of_three("total_gb") == 3e9);
  CHECK(rate_of_three("gb_per_s_without_barrier") == 3e9);
  CHECK(rate_of_three("readGBps") == 3e9);
  // No unit in it: bytes a second.
  CHECK(rate_of_three("DRAMBandwidthBps") == 3);
  CHECK(rate_of_three("DRAMBps") == 3);
  CHECK(rate_of_three("read_best") == 3);
}

SCENARIO("a_unit_that_is_assumed_is_stated") {
  const auto notes = [](const std::string& column) {
    return read("footprint_bytes," + column + "\n65536,3\n", "footprint_bytes," + column).notes;
  };
  CHECK(notes("read_best") ==
        std::vector<std::string>{"m.csv: column 'read_best' names no unit: taken as bytes per second; otherwise "
                                 "--columns footprint_bytes,read_best:GB/s"});
  for (const char* clear : {"bytes_per_second", "GB_per_s", "DRAMBps", "read_TBps"}) CHECK(notes(clear).empty());
}

SCENARIO("bits_are_no_bytes") {
  for (const std::string column : {"read_gbit_s", "Gbps", "read_Mb/s"})
    check_refused("footprint_bytes," + column + "\n65536,3\n", "footprint_bytes," + column,
                  "m.csv:1:2: column '" + column +
                      "': a bandwidth is in bytes, not in bits (name it in bytes, such as GB_per_s)");
  CHECK(rate_of_three("Gbps", ":GB/s") == 3e9);
}

SCENARIO("the_unit_can_be_given_behind_the_column_s_name") {
  CHECK(rate_of_three("read_best", ":GB/s") == 3e9);
  CHECK(rate_of_three("gb_per_s", ":TB/s") == 3e12);
  // A column that has that very name is meant itself.
  CHECK(rate_of_three("x:GB/s") == 3e9);
  check_refused("footprint_bytes,rate\n65536,3\n", "footprint_bytes,rate:parsecs",
                "--columns: 'parsecs' is not a unit of bandwidth; write it as GB/s or TB/s");
}

SCENARIO("an_empty_pass_is_omitted_and_other_empty_values_are_refused") {
  CHECK(read("footprint_bytes,gb_per_s\n0,0\n65536,3\n").points.size() == 1);
  check_refused("footprint_bytes,gb_per_s\n65536,0\n", std::nullopt, "m.csv:2:2: a bandwidth of 0 is not one");
  check_refused("footprint_bytes,gb_per_s\n0,3\n", std::nullopt, "m.csv:2:1: a footprint of 0 bytes is not valid");
}

SCENARIO("a_file_without_a_bandwidth_is_reported_which_names_are_known") {
  check_refused("footprint_bytes,latency_ns\n65536,3\n", std::nullopt,
                "m.csv:1: no bandwidth column; known names are bytes_per_second, GB_per_s, gb_per_s; name yours with "
                "--columns FOOTPRINT,BANDWIDTH");
  check_refused("footprint_bytes,gb_per_s\n65536,3\n", "gb_per_s",
                "--columns: 'gb_per_s' names one column; give two as FOOTPRINT,BANDWIDTH");
}
