// SPDX-License-Identifier: Apache-2.0
// The record of moves and the page made from it.
#include "mutation/record.hpp"

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "files/files.hpp"
#include "program.hpp"

namespace {
using namespace strata::mutation;
}

SCENARIO("a_record_reads_back_as_it_was_written") {
  const strata::test::Scratch folder;
  const std::vector<Outcome> outcomes{{"core.warps", "48", "24", Verdict::killed, "kernel sgemm_tiled,n=64", "a-row"},
                                      {"core.warps", "48", "72", Verdict::survived, "read, 2 MiB", ""},
                                      {"l1.cache.ways", "4", "", Verdict::refused, "", ""},
                                      {"l1.cache.ways", "4", "6", Verdict::idle, "", ""}};
  folder.write("a.csv", csv(outcomes));
  const auto all = read_folder(folder.path(""));
  REQUIRE(all.contains("a"));
  CHECK(csv(all.at("a")) == csv(outcomes));
  GIVEN("a line that is none") {
    folder.write("b.csv", csv(outcomes) + "core.warps;48;24;slain;;\n");
    THEN("its number is told") {
      CHECK_THROWS_WITH(read_outcomes(folder.path("b.csv")), Catch::Contains("b.csv:6:1: expected setting;from;to;verdict;question;row"));
    }
  }
}

SCENARIO("a_score_counts_killed_and_survived_moves_alone") {
  const std::string text = page({{"a",
                                  {{"x", "2", "1", Verdict::killed, "q", "r"},
                                   {"x", "2", "3", Verdict::killed, "q", "r"},
                                   {"y", "2", "1", Verdict::killed, "q", "r"},
                                   {"y", "2", "3", Verdict::survived, "q", ""},
                                   {"z", "2", "1", Verdict::idle, "", ""},
                                   {"z", "2", "", Verdict::refused, "", ""}}}});
  CHECK(text.find("| `a` | 4 | 3 | 1 | 75.0 % | 1 | 1 |") != std::string::npos);
  CHECK(text.find("- `y`: 2 to 3 (q)") != std::string::npos);
  CHECK(text.find("- `x`") == std::string::npos);
}

SCENARIO("the_page_of_mutation_scores_is_that_of_the_records") {
  const std::string root = STRATA_SOURCE_DIR;
  CHECK(strata::tools::read_file(root + "/docs/design/mutation-score.md") == page(read_folder(root + "/validation/mutation")));
}
