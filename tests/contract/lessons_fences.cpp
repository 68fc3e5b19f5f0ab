// SPDX-License-Identifier: Apache-2.0
// Lesson 12: the outcomes on the answer sheet, and the latency of a load after an acquire.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::run;

// Of the case: outcomes and counts, as "r0=0 r1=0: 256".
json::object outcomes(const char* gpu, const char* test, const char* fence, const char* placement) {
  const json::value document = json::parse(run({"litmus", "--gpu", gpu, "--test", test, "--quiet", "--json", "-"}).out);
  for (const json::value& one : document.at("cases").as_array())
    if (one.at("fence") == fence && one.at("placement") == placement) {
      json::object counts;
      for (const json::value& outcome : one.at("outcomes").as_array())
        counts[outcome.at("outcome").as_string()] = outcome.at("count");
      return counts;
    }
  FAIL("no such case");
  return {};
}

}  // namespace

TEST_CASE("lesson_12_an_old_copy_makes_the_impossible_outcome") {
  CHECK(outcomes("lesson-sides", "mp", "none", "two dies").contains("r0=1 r1=0"));
  CHECK(outcomes("lesson-sides", "mp", "block", "two dies").contains("r0=1 r1=0"));
  CHECK_FALSE(outcomes("lesson-sides", "mp", "block", "one core").contains("r0=1 r1=0"));
  CHECK_FALSE(outcomes("lesson-sides", "mp", "gpu", "two dies").contains("r0=1 r1=0"));
}

TEST_CASE("lesson_12_stores_stay_in_the_L2_of_their_die") {
  for (const char* const fence : {"none", "block"}) {
    const json::object counts = outcomes("lesson-chiplets", "mp", fence, "two dies");
    REQUIRE(counts.size() == 1);
    CHECK(counts.contains("r0=0 r1=0"));
  }
  CHECK(outcomes("lesson-chiplets", "mp", "gpu", "two dies").contains("r0=1 r1=1"));
}

TEST_CASE("lesson_12_two_stores_through_one_L1_are_seen_by_one_load_at_least") {
  CHECK_FALSE(outcomes("lesson-chiplets", "sb", "none", "one core").contains("r0=0 r1=0"));
  const json::object counts = outcomes("lesson-chiplets", "sb", "none", "two dies");
  REQUIRE(counts.size() == 1);
  CHECK(counts.contains("r0=0 r1=0"));
}
