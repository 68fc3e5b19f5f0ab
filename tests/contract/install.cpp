// SPDX-License-Identifier: Apache-2.0
// An installed program finds what it reads, and says what was built.
#include <cstdlib>
#include <regex>

#include "catch.hpp"
#include "program.hpp"

using namespace strata::test;

TEST_CASE("an_installed_program_answers_as_the_built_one") {
  const Scratch folder;
  const std::filesystem::path prefix = folder.path("usr");
  const std::string build = std::filesystem::path(STRATA_PROGRAM).parent_path().string();
  REQUIRE(std::system(("cmake --install '" + build + "' --prefix '" + prefix.string() + "' >/dev/null").c_str()) == 0);
  Running installed(prefix / "bin/strata", {"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--quiet"}, folder.path(""));
  const Outcome asked = installed.wait();
  INFO(asked.err);
  CHECK(asked.exit_code == 0);
  CHECK(asked.out == run({"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--quiet"}).out);
  Running validated(prefix / "bin/strata", {"validate", "--id", "b580-sheet-lanes", "--quiet"}, folder.path(""));
  CHECK(validated.wait().exit_code == 0);
}

TEST_CASE("the_version_names_the_commit_that_was_built") {
  const Outcome asked = run({"--version"});
  CHECK(asked.exit_code == 0);
  CHECK(std::regex_match(asked.out, std::regex(R"(strata \d+\.\d+\.\d+( \(commit [0-9a-f]{10}(, changed)?\))?\n)")));
}
