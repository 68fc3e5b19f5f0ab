// SPDX-License-Identifier: Apache-2.0
// Measured curves that cannot be compared with.
#include "refusal.hpp"

using namespace strata::test;

namespace {

void check_measured_refused(std::string_view csv, const std::string& message, std::vector<std::string> more = {}) {
  const Scratch folder;
  folder.write("mine.csv", csv);
  std::vector<std::string> arguments = {"latency", "--gpu", "h200", "--compare", "mine.csv", "--json", "out.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  check_refused(folder, arguments, message);
}

constexpr const char* name_yours = "; name yours with --columns FOOTPRINT,LATENCY";

}  // namespace

TEST_CASE("missing_columns_are_all_reported_with_the_names_that_are_known") {
  check_measured_refused(
      "footprint,time\n65536,32\n",
      std::string("mine.csv:1: no footprint column; known names are footprint_bytes, effective_KiB, size_KiB, "
                  "size_bytes") +
          name_yours +
          "\nmine.csv:1: no latency column; known names are latency_cycles, latency_ns, cycles_mean, cycles" +
          name_yours);
}

TEST_CASE("a_requested_column_that_is_missing_is_reported_with_the_nearest_name") {
  check_measured_refused("footprint_bytes,latency_cycles\n65536,32\n",
                         "mine.csv:1: no column 'latency_cycle' (did you mean 'latency_cycles'?)",
                         {"--columns", "footprint_bytes,latency_cycle"});
  check_measured_refused("footprint_bytes,latency_cycles\n65536,32\n", "mine.csv:1: no column 'mode'",
                         {"--where", "mode=near"});
}

TEST_CASE("one_column_name_is_not_two") {
  check_measured_refused("footprint_bytes,latency_cycles\n65536,32\n",
                         "--columns: 'footprint_bytes' names one column; give two as FOOTPRINT,LATENCY",
                         {"--columns", "footprint_bytes"});
}

TEST_CASE("a_condition_without_a_text_is_refused") {
  check_measured_refused("footprint_bytes,latency_cycles\n65536,32\n", "--where: 'mode' is not COLUMN=TEXT",
                         {"--where", "mode"});
}

TEST_CASE("text_in_number_fields_is_reported_row_by_row") {
  check_measured_refused("footprint_bytes,latency_cycles\n65536,fast\n128 KiB,33\n262144,nan\n",
                         "mine.csv:2:2: 'fast' in column latency_cycles is not a number\n"
                         "mine.csv:3:1: '128 KiB' in column footprint_bytes is not a number\n"
                         "mine.csv:4:2: 'nan' in column latency_cycles is not a number");
}

TEST_CASE("negative_footprints_and_latencies_are_refused") {
  check_measured_refused("footprint_bytes,latency_cycles\n-65536,32\n65536,-32\n0,32\n",
                         "mine.csv:2:1: a footprint of -65536 bytes is not valid\n"
                         "mine.csv:3:2: a latency of -32 is not one\n"
                         "mine.csv:4:1: a footprint of 0 bytes is not valid");
}

TEST_CASE("a_row_of_another_length_is_refused") {
  check_measured_refused("footprint_bytes,latency_cycles\n65536\n", "mine.csv:2: 1 fields where the header names 2");
}

TEST_CASE("files_without_figures_are_refused") {
  check_measured_refused("", "mine.csv: no header line: the first line that is not a comment names the columns");
  check_measured_refused("footprint_bytes,latency_cycles\n", "mine.csv: no row of figures remains for the comparison");
  check_measured_refused("mode,footprint_bytes,latency_cycles\nnear,65536,32\n",
                         "mine.csv: no row of figures remains for the comparison", {"--where", "mode=far"});
}

TEST_CASE("a_measured_file_that_is_not_there_is_refused") {
  const Scratch folder;
  check_refused(folder, {"latency", "--gpu", "h200", "--compare", "none.csv"}, "none.csv: no such file");
}
