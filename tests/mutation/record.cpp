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
  const Change product{0.3, "kernel sgemm_tiled,n=128"};
  const Change read{0.0213, "read, 2 MiB"};
  const std::vector<Outcome> outcomes{{"core.warps", "48", "24", Verdict::killed, {}, product, "a-row"},
                                      {"core.warps", "48", "72", Verdict::survived, read, product, ""},
                                      {"l1.cache.ways", "4", "", Verdict::refused, {}, {}, ""},
                                      {"l1.cache.ways", "4", "6", Verdict::idle, {0.001, "read, 2 MiB"}, {}, ""}};
  folder.write("a.csv", csv(outcomes));
  const auto all = read_folder(folder.path(""));
  REQUIRE(all.contains("a"));
  CHECK(csv(all.at("a")) == csv(outcomes));
  CHECK(all.at("a")[1].steady.part == Approx(0.0213));
  CHECK(all.at("a")[1].kernel.question == product.question);
  GIVEN("a line that is none") {
    folder.write("b.csv", csv(outcomes) + "core.warps;48;24;slain;;;;;\n");
    THEN("its number is reported") {
      CHECK_THROWS_WITH(read_outcomes(folder.path("b.csv")),
                        Catch::Contains("b.csv:6:1: expected setting;from;to;verdict;steady %"));
    }
  }
}

SCENARIO("a_move_matters_where_it_changes_an_answer_by_more_than_the_threshold_of_its_kind") {
  const auto with = [](double steady, double kernel) {
    return Outcome{"x", "2", "1", Verdict::survived, {steady, "q"}, {kernel, "k"}, ""};
  };
  CHECK(with(0.031, 0).matters());
  CHECK_FALSE(with(0.029, 0.049).matters());
  CHECK(with(0, 0.051).matters());
}

SCENARIO("a_score_counts_killed_and_survived_moves_alone_and_smaller_changes_apart") {
  const Change much{0.2, "q"};
  const Change little{0.015, "q"};
  const std::string text = page({{"a",
                                  {{"x", "2", "1", Verdict::killed, much, {}, "r"},
                                   {"x", "2", "3", Verdict::killed, much, {}, "r"},
                                   {"y", "2", "1", Verdict::killed, much, {}, "r"},
                                   {"y", "2", "3", Verdict::survived, much, {}, ""},
                                   {"v", "2", "3", Verdict::survived, little, {}, ""},
                                   {"z", "2", "1", Verdict::idle, {}, {}, ""},
                                   {"z", "2", "", Verdict::refused, {}, {}, ""}}}});
  THEN("four matter, of which three are killed; of five that change an answer by 1 % as well") {
    CHECK(text.find("| `a` | 4 | 3 | 1 | **75.0 %** | 5 | 3 | 60.0 % | 1 | 1 |") != std::string::npos);
  }
  THEN("a machine of 75 % is above its target, unless it is one of the three main ones") {
    CHECK(text.find("Every machine reaches its target.") != std::string::npos);
    const Outcome killed{"x", "2", "1", Verdict::killed, much, {}, "r"};
    const Outcome survived{"y", "2", "1", Verdict::survived, much, {}, ""};
    CHECK(page({{"b580", {killed, killed, killed, survived}}})
              .find("Below the target: `b580`, 75.0 % of 90 % (survivors: 1).") != std::string::npos);
  }
  THEN("the survivor that matters is listed with its change, the small one is not") {
    CHECK(text.find("- `y`: 2 to 3 (20 % of q)") != std::string::npos);
    CHECK(text.find("- `v`") == std::string::npos);
    CHECK(text.find("- `x`") == std::string::npos);
  }
}

SCENARIO("the_page_of_mutation_scores_is_that_of_the_records") {
  const std::string root = STRATA_SOURCE_DIR;
  CHECK(strata::tools::read_file(root + "/docs/design/mutation-score.md") ==
        page(read_folder(root + "/validation/mutation")));
}
