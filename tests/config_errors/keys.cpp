// SPDX-License-Identifier: Apache-2.0
// Keys and values that a configuration must not have, or lacks.
#include "refusal.hpp"

using strata::test::check_configuration_refused;

TEST_CASE("an_unknown_key_is_reported_with_the_nearest_name") {
  check_configuration_refused("base: h200\nl2:\n  slice_per_die: 48\n",
                              "mine.yaml:3:3: unknown key 'l2.slice_per_die' (did you mean 'slices_per_die'?)");
}

TEST_CASE("a_duplicate_key_is_reported_with_the_line_of_the_first") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: 48\n  slices_per_die: 47\n",
                              "mine.yaml:4:3: 'slices_per_die' is given twice (first at line 3)");
}

TEST_CASE("missing_keys_are_all_reported_with_their_meaning") {
  check_configuration_refused(
      "name: Mine\nvendor: Vendor\n",
      "mine.yaml:1:1: 'clocks' is missing (a map: the clock domains)\n"
      "mine.yaml:1:1: 'dies' is missing (a map: dies and cores)\n"
      "mine.yaml:1:1: 'core' is missing (a map: an SM, CU or Xe core)\n"
      "mine.yaml:1:1: 'l1' is missing (a map: the first-level data cache)\n"
      "mine.yaml:1:1: 'crossbar' is missing (a map: between the cores of a die and its L2 slices)\n"
      "mine.yaml:1:1: 'l2' is missing (a map: the L2)\n"
      "mine.yaml:1:1: 'memory' is missing (a map: the DRAM)");
}

TEST_CASE("a_key_missing_in_an_entry_of_a_list_is_reported_where_the_entry_is") {
  check_configuration_refused("base: h200\nnetwork:\n  links:\n    - name: bridge\n      from: 0\n      to: 1\n",
                              "mine.yaml:4:7: 'network.links[0].latency' is missing "
                              "(a time in ps, ns or us: latency of a message, each way)");
}

TEST_CASE("a_key_without_a_value_is_refused") {
  check_configuration_refused("base: h200\nl2:\n", "mine.yaml:2:1: 'l2' has no value (give one, or remove the key)");
}

TEST_CASE("text_where_a_number_belongs_is_refused") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: many\n",
                              "mine.yaml:3:19: 'l2.slices_per_die' is a count, not 'many'");
}

TEST_CASE("a_number_where_true_or_false_belongs_is_refused") {
  check_configuration_refused("base: h200\nl2:\n  partitioned: 7\n",
                              "mine.yaml:3:16: 'l2.partitioned' must be true or false, not '7'");
}

TEST_CASE("a_number_where_a_map_belongs_is_refused") {
  check_configuration_refused(
      "base: h200\ndies: 4\n",
      "mine.yaml:2:7: 'dies' must be a map, not '4' (how many dies, and how cores are grouped on them)");
}

TEST_CASE("a_number_that_others_read_as_octal_is_refused") {
  check_configuration_refused("base: h200\nl2: {slices_per_die: 010}\n",
                              "mine.yaml:2:22: 'l2.slices_per_die' must not begin with 0, as '010' does");
}

TEST_CASE("a_number_out_of_range_is_reported_with_the_range") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: 0\n",
                              "mine.yaml:3:19: 'l2.slices_per_die' must be 1 to 4096, not '0'");
}

TEST_CASE("a_number_too_large_for_any_machine_word_is_refused") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: 99999999999999999999999\n",
                              "mine.yaml:3:19: 'l2.slices_per_die' is too large: '99999999999999999999999'");
}

TEST_CASE("a_policy_that_there_is_not_is_reported_with_those_there_are") {
  check_configuration_refused(
      "base: h200\npages:\n  placement: scatterd\n",
      "mine.yaml:3:14: 'pages.placement' must be one of contiguous, scattered, striped, first_touch, not 'scatterd' "
      "(did you mean 'scattered'?)");
}

TEST_CASE("a_provenance_that_there_is_not_is_refused") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: 47 | guessed from nothing\n",
                              "mine.yaml:3:19: 'guessed' is not a provenance "
                              "(one of sourced, derived, estimated, fitted, chosen)");
}

TEST_CASE("all_errors_of_a_file_are_reported_at_once") {
  check_configuration_refused("base: h200\nl2:\n  slices_per_die: many\n  partitioned: 7\n",
                              "mine.yaml:3:19: 'l2.slices_per_die' is a count, not 'many'\n"
                              "mine.yaml:4:16: 'l2.partitioned' must be true or false, not '7'");
}

TEST_CASE("a_value_that_is_not_a_list_or_a_list_too_long_is_reported_with_the_remedy") {
  check_configuration_refused("base: b580\nlevels: none\n",
                              "mine.yaml:2:9: 'levels' must be a list, not 'none' ([] is the empty list)");
  std::string nine = "base: b580\nlevels:\n";
  for (int i = 0; i < 9; ++i)
    nine += "  - {shared_by: memory_die, cache: {name: M" + std::to_string(i) +
            ", size: 64 KiB, hit_latency: 20 clk, data_width: 64 B/clk}}\n";
  check_configuration_refused(nine, "mine.yaml:2:1: 'levels' must have 0 to 8 entries, not 9 (leave out 1 of them)");
}

TEST_CASE("none_for_a_required_part_is_refused") {
  check_configuration_refused("base: b580\nl1: none\n",
                              "mine.yaml:2:5: 'l1' must be a map, not 'none' (the first-level data cache of a core; it "
                              "is required: remove this value, or give a map)");
}

TEST_CASE("a_path_as_a_key_is_reported_how_it_is_written_in_a_file") {
  check_configuration_refused("base: b580\nl2.cache.size: 1 MiB\n",
                              "mine.yaml:2:1: unknown key 'l2.cache.size' (paths are for --set; in a file write 'l2: "
                              "{cache: {size: ...}}')");
}

TEST_CASE("a_parameter_of_a_kernel_given_twice_is_refused") {
  strata::test::check_refused(strata::test::Scratch(),
                              {"run", "--gpu", "h200", "--kernel", "copy,bytes=1MiB,bytes=2MiB"},
                              "--kernel: 'copy,bytes=1MiB,bytes=2MiB' gives bytes twice (give it once)");
}
