// SPDX-License-Identifier: Apache-2.0
// base: and use: that lead nowhere or in a circle.
#include <filesystem>

#include "refusal.hpp"

namespace {

namespace fs = std::filesystem;
using namespace strata::test;

// A copy of the program with its own configurations, like an installed one.
class OwnLibrary {
 public:
  OwnLibrary() {
    fs::create_directories(folder.path("build"));
    fs::create_directories(folder.path("configs/parts"));
    fs::copy_file(STRATA_PROGRAM, folder.path("build/strata"));
  }
  void vendor(const std::string& name, std::string_view yaml) const {
    folder.write("configs/vendors/" + name + ".yaml", yaml);
  }
  void part(const std::string& name, std::string_view yaml) const {
    folder.write("configs/parts/" + name + ".yaml", yaml);
  }
  Outcome check(const std::string& gpu) const {
    return Running(folder.path("build/strata"), {"check", gpu}, folder.path("")).wait();
  }
  Scratch folder;
};

}  // namespace

TEST_CASE("a_missing_base_is_reported_with_the_nearest_name") {
  check_configuration_refused("base: h300\n", "mine.yaml:1:7: there is no configuration 'h300' (did you mean 'h200'?)");
}

TEST_CASE("a_missing_part_is_reported_with_the_nearest_name") {
  check_configuration_refused("use: hopper-sn\n",
                              "mine.yaml:1:6: there is no part 'hopper-sn' (did you mean 'hopper-sm'?)");
}

TEST_CASE("a_base_that_resembles_no_name_is_reported_with_all_names_and_how_to_name_a_file") {
  const Scratch folder;
  folder.write("mine.yaml", "base: nosuch\n");
  const Outcome outcome = run(folder, {"check", "mine.yaml"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.starts_with(
      "mine.yaml:1:7: there is no configuration 'nosuch' (there are a100, a750, a770, b200, b580, "));
  CHECK(outcome.err.ends_with("; a file is named by its path, as ./mine.yaml)\n"));
}

TEST_CASE("a_base_may_be_a_file_of_the_user") {
  const Scratch folder;
  folder.write("mine.yaml", "base: b580\nname: Mine\n");
  folder.write("wider.yaml", "base: ./mine.yaml\nl2:\n  slices_per_die: 48\n");
  const Outcome outcome = run(folder, {"check", "wider.yaml"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "wider.yaml: Mine is valid\n");
  const Outcome set_by = run(folder, {"explain", "--gpu", "wider.yaml", "--path", "name"});
  CHECK(contains(set_by.out, "mine.yaml:2:7"));
  folder.write("mine.yaml", "base: wider.yaml\n");
  check_refused(folder, {"check", "wider.yaml"},
                "mine.yaml:1:7: 'base: wider.yaml' is circular (wider.yaml -> mine.yaml -> wider.yaml)");
}

TEST_CASE("a_base_file_that_is_not_there_is_reported_where_it_was_sought") {
  check_configuration_refused(
      "base: ../gone/h200.yaml\n",
      "mine.yaml:1:7: there is no file '../gone/h200.yaml' (a path is relative to the folder of this file)");
}

TEST_CASE("a_base_of_itself_is_a_cycle") {
  const OwnLibrary library;
  library.vendor("one", "base: one\n");
  const Outcome outcome = library.check("one");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err ==
        "configs/vendors/one.yaml:1:7: 'base: one' is circular "
        "(configs/vendors/one.yaml -> configs/vendors/one.yaml)\n");
}

TEST_CASE("a_cycle_of_bases_is_reported_step_by_step") {
  const OwnLibrary library;
  library.vendor("one", "name: One\nbase: two\n");
  library.vendor("two", "base: three\n");
  library.vendor("three", "base: one\n");
  const Outcome outcome = library.check("one");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err ==
        "configs/vendors/three.yaml:1:7: 'base: one' is circular (configs/vendors/one.yaml -> "
        "configs/vendors/two.yaml -> configs/vendors/three.yaml -> configs/vendors/one.yaml)\n");
}

TEST_CASE("a_cycle_of_parts_is_reported_step_by_step") {
  const OwnLibrary library;
  library.vendor("one", "use: left\n");
  library.part("left", "use: right\n");
  library.part("right", "use: left\n");
  const Outcome outcome = library.check("one");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err ==
        "configs/parts/right.yaml:1:6: 'use: left' is circular "
        "(configs/parts/left.yaml -> configs/parts/right.yaml -> configs/parts/left.yaml)\n");
}
