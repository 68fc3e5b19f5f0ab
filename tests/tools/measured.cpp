// SPDX-License-Identifier: Apache-2.0
// Measured curves from CSV in the forms in which people publish them.
#include "files/measured.hpp"

#include "base/diagnostic.hpp"
#include "catch.hpp"

namespace {

using strata::tools::column_choice;
using strata::tools::ColumnChoice;
using strata::tools::MeasuredCurve;
using strata::tools::read_measured;

constexpr std::uint64_t KiB = 1024;

MeasuredCurve read(std::string_view text, const ColumnChoice& choice = {}) {
  return read_measured(text, "m.csv", choice);
}

}  // namespace

SCENARIO("the_columns_of_the_contract_are_found_by_name") {
  const MeasuredCurve cycles = read("latency_cycles,other,footprint_bytes\n32,x,65536\n280.5,y,1048576\n");
  CHECK(cycles.unit == "cycles");
  REQUIRE(cycles.points.size() == 2);
  CHECK(cycles.points[0].footprint_bytes == 64 * KiB);
  CHECK(cycles.points[0].value == 32);
  CHECK(cycles.points[1].value == 280.5);
  CHECK(read("footprint_bytes,latency_ns\n65536,16.2\n").unit == "ns");
  // Where a file has both, cycles do not depend on the clock of the day.
  CHECK(read("footprint_bytes,latency_ns,latency_cycles\n65536,16.2,32\n").unit == "cycles");
}

SCENARIO("the_columns_of_published_files_are_known") {
  CHECK(read("size_KiB,cycles\n2,30\n").points.at(0).footprint_bytes == 2 * KiB);
  CHECK(read("size_KiB,effective_KiB,cycles_mean\n4,3,30\n").points.at(0).footprint_bytes == 3 * KiB);
  CHECK(read("size_bytes,cycles\n4096,30\n").points.at(0).footprint_bytes == 4 * KiB);
}

SCENARIO("other_columns_can_be_named_and_rows_chosen") {
  const ColumnChoice choice = column_choice("ws_MiB,t_ns", {"mode=near", "run=2"});
  const MeasuredCurve curve = read("mode,run,ws_MiB,t_ns\nnear,1,1,90\nnear,2,1.5,100\nfar,2,1,200\n", choice);
  CHECK(curve.unit == "ns");
  REQUIRE(curve.points.size() == 1);
  CHECK(curve.points[0].footprint_bytes == 1536 * KiB);
  CHECK(curve.points[0].value == 100);
}

SCENARIO("units_are_read_from_the_names_of_columns_in_any_case") {
  const auto point = [](const std::string& footprint, const std::string& latency) {
    return read(footprint + "," + latency + "\n3,7\n", column_choice(footprint + "," + latency, {}));
  };
  for (const char* name : {"footprint_kib", "sizeKiB", "size [KIB]"})
    CHECK(point(name, "cycles").points.at(0).footprint_bytes == 3 * KiB);
  CHECK(point("ws_mib", "cycles").points.at(0).footprint_bytes == 3 * KiB * KiB);
  CHECK(point("tokens", "instructions").points.at(0).footprint_bytes == 3);
  CHECK(point("tokens", "instructions").unit == "cycles");
  for (const char* name : {"latency_ns", "latencyNs", "t [ns]"}) {
    CHECK(point("size_bytes", name).unit == "ns");
    CHECK(point("size_bytes", name).points.at(0).value == 7);
  }
  CHECK(point("size_bytes", "lat_us").unit == "ns");
  CHECK(point("size_bytes", "lat_us").points.at(0).value == 7000);
  CHECK(point("size_bytes", "cycles_of_tokens_x").unit == "cycles");
  for (const char* name : {"latency_ms", "t [s]", "seconds"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(point("size_bytes", name), strata::InputError);
  }
  for (const char* name : {"size_kb", "MB", "size_M"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(point(name, "cycles"), strata::InputError);
  }
}

SCENARIO("a_latency_without_a_unit_is_in_cycles_which_a_note_states") {
  CHECK(read("size_bytes,lat\n3,7\n", column_choice("size_bytes,lat", {})).notes ==
        std::vector<std::string>{
            "m.csv: column 'lat' names no unit: taken as core cycles; otherwise end its name in _ns or _us"});
  CHECK(read("size_bytes,cycles_mean\n3,7\n").notes.empty());
  CHECK(read("size_bytes,latency_ns\n3,7\n").notes.empty());
}

SCENARIO("of_two_columns_of_a_name_none_is_chosen") {
  CHECK_THROWS_AS(read("size_bytes,latency_ns,latency_ns\n3,7,8\n"), strata::InputError);
  CHECK(read("size_bytes,latency_ns,x,x\n3,7,8,9\n").points.at(0).value == 7);
}

SCENARIO("rows_are_sorted_by_footprint") {
  const MeasuredCurve curve = read("footprint_bytes,latency_cycles\n300,3\n100,1\n200,2\n100,9\n");
  REQUIRE(curve.points.size() == 4);
  const std::vector<double> expected = {1, 9, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) CHECK(curve.points[i].value == expected[i]);
}

SCENARIO("comments_quotes_blanks_and_line_ends_of_every_kind_are_read") {
  const MeasuredCurve curve = read(
      "# of a Tuesday\r\n\"footprint_bytes\",note,latency_cycles\r\n\r\n 65536 ,\"one, two\",\"32\"\r\n131072,,33");
  REQUIRE(curve.points.size() == 2);
  CHECK(curve.points[0].footprint_bytes == 64 * KiB);
  CHECK(curve.points[0].value == 32);
  CHECK(curve.points[1].value == 33);
}

SCENARIO("a_byte_order_mark_is_ignored") {
  CHECK(read("\xEF\xBB\xBF"
             "footprint_bytes,latency_cycles\n65536,32\n")
            .points.size() == 1);
}

SCENARIO("faults_are_reported_together_and_not_without_end") {
  std::string text = "footprint_bytes,latency_cycles\n";
  for (int i = 0; i < 1000; ++i) text += "x,32\n";
  try {
    read(text);
    FAIL("must be refused");
  } catch (const strata::InputError& error) {
    CHECK(error.diagnostics().size() == 20);
    CHECK(error.diagnostics().front().line == 2);
    CHECK(error.diagnostics().front().column == 1);
  }
}
