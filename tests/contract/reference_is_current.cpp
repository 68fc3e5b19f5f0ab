// SPDX-License-Identifier: Apache-2.0
// The page of all settings is the output of the program, so it cannot list a setting that does
// not exist or omit one.
#include <algorithm>

#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::run;
using strata::test::source_text;

/// The number of the first line in which two texts differ; 0 where none does.
std::size_t first_different_line(const std::string& one, const std::string& other) {
  if (one == other) return 0;
  const auto [at, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return 1 + static_cast<std::size_t>(std::count(one.begin(), at, '\n'));
}

}  // namespace

TEST_CASE("the_page_of_settings_is_what_the_program_prints") {
  GIVEN("the page that lies in docs/reference and the one that the program prints") {
    const Outcome printed = run({"list", "reference"});
    REQUIRE(printed.exit_code == 0);
    const std::string page = source_text("docs/reference/settings.md");
    THEN("they are the same") {
      INFO("docs/reference/settings.md differs from line "
           << first_different_line(page, printed.out)
           << " on; rewrite it: build/strata list reference > docs/reference/settings.md");
      CHECK(page == printed.out);
    }
  }
}

TEST_CASE("the_page_of_kernels_is_what_the_program_prints") {
  const Outcome printed = run({"list", "kernel-reference"});
  REQUIRE(printed.exit_code == 0);
  const std::string page = source_text("docs/reference/kernels.md");
  INFO("docs/reference/kernels.md differs from line "
       << first_different_line(page, printed.out)
       << " on; rewrite it: build/strata list kernel-reference > docs/reference/kernels.md");
  CHECK(page == printed.out);
}

TEST_CASE("the_first_line_that_differs_is_reported") {
  CHECK(first_different_line("one\ntwo\n", "one\ntwo\n") == 0);
  CHECK(first_different_line("one\ntwo\n", "one\nTwo\n") == 2);
  CHECK(first_different_line("one\n", "one\ntwo\n") == 2);
  CHECK(first_different_line("", "one\n") == 1);
}
