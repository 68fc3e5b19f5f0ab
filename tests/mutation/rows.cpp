// SPDX-License-Identifier: Apache-2.0
// Rows of validation/ against settings that are wrong.
#include "mutation/rows.hpp"

#include "catch.hpp"
#include "files/library.hpp"
#include "mutation/cost.hpp"
#include "mutation/sample.hpp"

namespace {

using namespace strata::mutation;

struct Fixture {
  strata::tools::Library library{STRATA_SOURCE_DIR};
  Configurations configurations{library};
  std::vector<strata::study::Expectation> expectations = strata::study::read_expectations(library.expectations());

  std::optional<std::string> failure(const std::string& gpu, const std::string& setting, double budget = 0.05) const {
    return Rows(configurations, gpu, expectations, budget, {}).first_failure(setting);
  }
};

}  // namespace

SCENARIO("a_core_clock_and_an_l1_that_are_far_off_fail_a_row_on_every_gpu") {
  const Fixture all;
  for (const std::string& gpu : all.library.gpus()) {
    INFO(gpu);
    CHECK(all.failure(gpu, "clocks.core=100 MHz", 0));
    CHECK(all.failure(gpu, "dies.cores_per_die=4", 0));
  }
  // The others have no published L1 latency.
  for (const char* gpu : {"rtx4060", "a100", "h100-pcie", "b200", "mi210", "mi300x", "pvc-stack", "rx6900xt"}) {
    INFO(gpu);
    CHECK(all.failure(gpu, "l1.cache.hit_latency=500 clk"));
  }
}

SCENARIO("a_setting_without_dependent_rows_fails_none") {
  const Fixture all;
  CHECK_FALSE(all.failure("rtx4060", "pages.seed=2"));
}

SCENARIO("rows_over_the_budget_are_not_evaluated") {
  const Fixture all;
  GIVEN("a budget of no time") {
    const Rows rows(all.configurations, "b200", all.expectations, 0, {});
    THEN("only arithmetic of the configuration is asked") {
      CHECK(rows.count() > 0);
      CHECK_FALSE(rows.left_out().empty());
      CHECK_FALSE(rows.first_failure("l1.cache.hit_latency=500 clk"));
    }
  }
}

SCENARIO("the_cost_of_a_kernel_follows_from_its_warps") {
  const Fixture all;
  const auto cost = [&](const char* id) {
    for (const auto& row : all.expectations)
      if (row.id == id) return estimated_seconds(row);
    return -1.0;
  };
  // One thread of 256 additions, and 16 M reads of 4 B with as many stores.
  CHECK(cost("mi300x-launch-alone") < 0.01);
  CHECK(cost("mi300x-kernel-read-64") > 1);
}

SCENARIO("a_record_that_is_stale_is_reported") {
  const Fixture all;
  GIVEN("a true kill, one recorded of another value, one of a row that is gone, one that is none") {
    const std::map<std::string, std::vector<Outcome>> record{
        {"rtx4060",
         {{"core.warps", "48", "24", Verdict::killed, {0.3, "a question"}, {}, "rtx4060-sheet-warps"},
          {"core.warps", "47", "24", Verdict::killed, {0.3, "a question"}, {}, "rtx4060-sheet-warps"},
          {"core.warps", "48", "24", Verdict::killed, {0.3, "a question"}, {}, "no-such-row"},
          {"core.warps", "48", "24", Verdict::killed, {0.3, "a question"}, {}, "BM-42"}}}};
    WHEN("all are sampled") {
      const Sampled sampled = sample(all.configurations, all.expectations, record, 1, 7, 10);
      THEN("the three others are named") {
        CHECK(sampled.asked == 4);
        CHECK(sampled.problems.size() == 3);
      }
    }
  }
}

SCENARIO("recorded_kills_hold") {
  const Fixture all;
  const auto record = read_folder(STRATA_SOURCE_DIR "/validation/mutation");
  REQUIRE_FALSE(record.empty());
  const Sampled sampled = sample(all.configurations, all.expectations, record, 0.05, 13, 40);
  CHECK(sampled.asked == 40);
  CHECK(sampled.problems == std::vector<std::string>{});
}
