// SPDX-License-Identifier: Apache-2.0
// --set by the same rules as a file.
#include "refusal.hpp"

using namespace strata::test;

namespace {

void check_override_refused(const std::string& argument, const std::string& message) {
  const Scratch folder;
  check_refused(folder, {"check", "h200", "--set", argument}, message);
  check_refused(folder, {"latency", "--gpu", "h200", "--set", argument, "--csv", "out.csv"}, message);
}

}  // namespace

TEST_CASE("a_path_that_is_not_there_is_told_with_the_nearest_one") {
  check_override_refused("l2.slice_per_die=4",
                         "--set:1:4: there is no setting 'l2.slice_per_die' (did you mean 'l2.slices_per_die'?)");
  check_override_refused("l3.size=4", "--set:1:1: there is no setting 'l3.size' (did you mean 'l1'?)");
}

TEST_CASE("an_entry_that_a_list_has_not_is_refused") {
  // Of the two levels that the machine has the second is number 1.
  check_override_refused("translation.levels[7].entries=64",
                         "--set:1:20: 'translation.levels' has no entry '7' (it has 2 entries, counted from 0)");
}

TEST_CASE("a_word_without_a_value_is_refused") {
  check_override_refused("l2.slices_per_die", "--set:1:1: 'l2.slices_per_die' has no '=' (write PATH=VALUE)");
}

TEST_CASE("a_value_without_a_path_is_refused") {
  check_override_refused("=4", "--set:1:1: '' is not a path (such as l2.size or levels[0].size)");
}

TEST_CASE("a_value_in_another_unit_is_refused") {
  check_override_refused("l2.cache.size=126MHz",
                         "--set:1:15: 'l2.cache.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126MHz'");
}

TEST_CASE("a_number_for_a_map_is_refused") {
  check_override_refused(
      "l2=4",
      "--set:1:4: 'l2' must be a map, not '4' (the cache of a compute die, in slices; l2.bypass=true leaves it out)");
}

TEST_CASE("what_a_path_means_is_asked_by_the_same_names") {
  const Scratch folder;
  check_refused(folder, {"explain", "--gpu", "h200", "--path", "l2.slice_per_die"},
                "--path:1:4: there is no setting 'l2.slice_per_die' (did you mean 'l2.slices_per_die'?)");
}
