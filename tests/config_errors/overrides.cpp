// SPDX-License-Identifier: Apache-2.0
// --set by the same rules as a file.
#include <algorithm>

#include "refusal.hpp"

using namespace strata::test;

namespace {

void check_override_refused(const std::string& argument, const std::string& message) {
  const Scratch folder;
  check_refused(folder, {"check", "h200", "--set", argument}, message);
  check_refused(folder, {"latency", "--gpu", "h200", "--set", argument, "--csv", "out.csv"}, message);
}

}  // namespace

TEST_CASE("a_path_that_is_not_there_is_reported_with_the_nearest_one") {
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
  check_override_refused("=4", "--set:1:1: '' is not a path (such as l2.cache.size or levels[0].cache.size)");
}

TEST_CASE("a_value_in_another_unit_is_refused") {
  check_override_refused("l2.cache.size=126MHz",
                         "--set:1:15: 'l2.cache.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126MHz'");
}

TEST_CASE("a_number_for_a_map_is_refused") {
  check_override_refused(
      "l2=4",
      "--set:1:4: 'l2' must be a map, not '4' (the cache of a compute die, in slices; l2.bypass=true removes it)");
}

TEST_CASE("explain_uses_the_same_names_of_paths") {
  const Scratch folder;
  check_refused(folder, {"explain", "--gpu", "h200", "--path", "l2.slice_per_die"},
                "--path:1:4: there is no setting 'l2.slice_per_die' (did you mean 'l2.slices_per_die'?)");
}

TEST_CASE("an_override_that_a_file_does_not_fit_is_named_with_a_remedy_that_works") {
  const auto refusal = [](Words words) {
    words.insert(words.begin(), "check");
    const Outcome outcome = run(words);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  const std::string ways = refusal({"b580", "--set", "l2.cache.ways=7"});
  CHECK(ways.starts_with("--set l2.cache.ways=7: 'l2.cache.size' must be whole sets of 7 ways x 128 B = 896 B, but "));
  CHECK(contains(ways, "(l2.cache.size set by configs/"));
  CHECK(contains(ways, "; set l2.cache.size=785792B or 786688B)"));
  CHECK(run({"check", "b580", "--set", "l2.cache.ways=7", "--set", "l2.cache.size=786688B"}).exit_code == 0);

  const std::string line = refusal({"b580", "--set", "l1.cache.line=32B"});
  CHECK(contains(line, "--set l1.cache.line=32B: 'l1.cache.sector' must not exceed 'line' (32 B), but is 64 B"));
  CHECK(contains(line, "; set l1.cache.sector=32B)"));
  CHECK(contains(line, "; set l1.cache.fill_granularity=32B)"));

  const std::string mshrs = refusal({"h200", "--set", "l2.cache.mshrs=1"});
  CHECK(mshrs.starts_with("--set l2.cache.mshrs=1: 'l2.cache.masked_lines' needs 4 'mshrs'"));
  CHECK(contains(mshrs, "set l2.cache.mshrs=4"));
}

TEST_CASE("lines_of_64_b_on_a_b200_take_the_settings_that_the_message_names") {
  const Words shorter{"check", "b200", "--set", "l1.cache.line=64B", "--set", "l2.cache.line=64B"};
  const Outcome refused = run(shorter);
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.starts_with("--set l1.cache.line=64B: 'l1.cache."));
  CHECK(contains(refused.err, "\n--set l2.cache.line=64B: 'l2.cache."));
  // Every setting of every message.
  Words all = shorter;
  for (std::size_t at = refused.err.find("; set "); at != std::string::npos; at = refused.err.find("; set ", at + 1)) {
    std::string settings = refused.err.substr(at + 6, refused.err.find(')', at) - at - 6);
    for (std::size_t end = 0; !settings.empty(); settings.erase(0, end)) {
      end = std::min(settings.find(" and "), settings.size());
      all.insert(all.end(), {"--set", settings.substr(0, end)});
      end = std::min(end + 5, settings.size());
    }
  }
  CHECK(contains(refused.err, "l2.cache.masked_lines=none"));
  const Outcome accepted = run(all);
  CAPTURE(all, accepted.err);
  CHECK(accepted.exit_code == 0);
}

TEST_CASE("of_several_overrides_only_the_involved_ones_are_named") {
  const Scratch folder;
  const Outcome outcome =
      run(folder, {"check", "b580", "--set", "l2.cache.ways=7", "--set", "clocks.l2=1GHz", "--set", "name=Mine"});
  CHECK(outcome.err.starts_with("--set l2.cache.ways=7: "));
}
