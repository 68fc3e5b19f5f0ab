// SPDX-License-Identifier: Apache-2.0
// strata litmus: the table, the documents, the same result at any number of jobs, and refusals.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::contains;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Words;

Outcome litmus(Words words) {
  words.insert(words.begin(), "litmus");
  words.push_back("--quiet");
  return run(words);
}

}  // namespace

SCENARIO("a_litmus_document_lists_cases_with_their_outcomes") {
  const Outcome outcome = litmus({"--gpu", "b580", "--test", "mp", "--test", "cowr", "--runs", "64", "--json", "-"});
  REQUIRE(outcome.exit_code == 0);
  const json::object document = json::parse(outcome.out).as_object();
  CHECK(document.at("gpu") == "b580");
  CHECK(document.at("strata").at("schema") == 1);
  CHECK(document.at("failed") == 0);
  const json::array& cases = document.at("cases").as_array();
  REQUIRE(cases.size() == 12);  // mp on one core and on one die, cowr on one core, each with no fence and three
  for (const json::value& one : cases) {
    std::int64_t runs = 0, weak = 0;
    for (const json::value& outcome_of : one.at("outcomes").as_array()) {
      runs += outcome_of.at("count").as_int64();
      if (outcome_of.at("outcome") == one.at("weak_outcome")) weak = outcome_of.at("count").as_int64();
    }
    CHECK(runs == 64);
    CHECK(one.at("weak").as_int64() == weak);
    CHECK(one.at("pass").as_bool() == (one.at("allowed").as_bool() || weak == 0));
    if (one.at("test") == "cowr") CHECK(!one.at("allowed").as_bool());
  }
}

SCENARIO("litmus_answers_do_not_depend_on_the_number_of_jobs") {
  const Words words{"--gpu", "lesson-sides", "--runs", "32", "--csv", "-"};
  Words one = words, three = words;
  one.insert(one.end(), {"--jobs", "1"});
  three.insert(three.end(), {"--jobs", "3"});
  const Outcome first = litmus(one);
  REQUIRE(first.exit_code == 0);
  CHECK(first.out == litmus(three).out);
  CHECK(contains(first.out, "test,fence,placement,outcome,count,weak,allowed\n"));
}

SCENARIO("the_page_of_litmus_tests_has_a_table_of_each") {
  const Outcome outcome = litmus({"--gpu", "lesson-small", "--runs", "16", "--html", "-"});
  REQUIRE(outcome.exit_code == 0);
  for (const char* const name : {"mp", "sb", "lb", "wrc", "iriw", "corr", "cowr"}) {
    CAPTURE(name);
    CHECK(contains(outcome.out, std::string(">") + name + "<"));
  }
}

SCENARIO("machines_that_litmus_does_not_support_are_refused_by_name") {
  const Outcome unknown = litmus({"--gpu", "b580", "--test", "mpp"});
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "there is no litmus test 'mpp': take mp, sb, lb, wrc, iriw, corr, cowr"));
  const Outcome victims =
      litmus({"--gpu", std::string(STRATA_SOURCE_DIR) + "/docs/guide/structures/b580-victim.yaml", "--test", "mp"});
  CHECK(victims.exit_code == 2);
  CHECK(contains(victims.err, "l1.victim_cache"));
}
