// SPDX-License-Identifier: Apache-2.0
#include "observe/balance.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using namespace strata::observe;

TEST_CASE("figures_that_agree_are_not_a_breach") {
  Balance balance;
  balance.equal("L2", "sectors", {1024, "were fetched"}, {1024, "came"});
  balance.at_most("L2", "sectors", {1023, "were found"}, {1024, "were read"});
  balance.at_most("L2", "sectors", {1024, "were found"}, {1024, "were read"});
  CHECK(balance.breaches().empty());
  CHECK_NOTHROW(balance.require());
}

TEST_CASE("a_breach_names_the_level_and_both_figures") {
  Balance balance;
  balance.equal("L2", "sectors", {1024, "were fetched"}, {1023, "came"});
  balance.at_most("DRAM", "bursts", {9, "were read"}, {8, "hold what was asked for"});
  REQUIRE(balance.breaches().size() == 2);
  CHECK(balance.breaches()[0] == "L2: 1024 sectors were fetched, but 1023 came");
  CHECK(balance.breaches()[1] == "DRAM: 9 bursts were read, more than 8 hold what was asked for");
  try {
    balance.require();
    FAIL("nothing was thrown");
  } catch (const Imbalance& error) {
    CHECK(std::string(error.what()) ==
          "statistics do not agree\n  " + balance.breaches()[0] + "\n  " + balance.breaches()[1]);
  }
}

TEST_CASE("a_name_is_formed_where_a_breach_is_reported_and_nowhere_else") {
  Balance balance;
  int formed = 0;
  const auto slice = [&formed] { return "slice " + std::to_string(++formed); };
  balance.equal(slice, "requests", {7, "came"}, {7, "left"});
  CHECK(formed == 0);
  balance.at_most(slice, "requests", {8, "came"}, {7, "left"});
  REQUIRE(balance.breaches().size() == 1);
  CHECK(balance.breaches()[0] == "slice 1: 8 requests came, more than 7 left");
}

TEST_CASE("blocks_of_one_kind_do_not_fill_the_page") {
  Balance balance;
  for (int i = 0; i < 100; ++i) balance.equal("slice", "requests", {i + 1, "came"}, {0, "left"});
  try {
    balance.require();
    FAIL("nothing was thrown");
  } catch (const Imbalance& error) {
    const std::string told = error.what();
    CHECK(std::count(told.begin(), told.end(), '\n') == 9);
    CHECK(told.ends_with("and 92 more"));
  }
}
