// SPDX-License-Identifier: Apache-2.0
// strata handoff: the table, the documents, the same result at any number of jobs, and refusals.
#include <algorithm>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::Words;

Outcome handoff(Words words) {
  words.insert(words.begin(), "handoff");
  words.push_back("--quiet");
  return run(words);
}

void check_refused(const Words& words, const std::string& message) {
  const Outcome outcome = handoff(words);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find(message) != std::string::npos);
  INFO(outcome.err);
}

double number(const json::object& of, const char* key) { return of.at(key).to_number<double>(); }

}  // namespace

SCENARIO("a_hand_off_document_reports_pairs_relations_stages_and_a_histogram") {
  const Outcome outcome = handoff({"--gpu", "h200", "--pairs", "64", "--handoffs", "64", "--json", "-"});
  REQUIRE(outcome.exit_code == 0);
  const json::object document = json::parse(outcome.out).as_object();
  CHECK(document.at("gpu") == "h200");
  CHECK(document.at("strata").at("schema") == 1);
  CHECK(document.at("all_pairs") == 8646);  // of 132 cores
  const json::array& pairs = document.at("pairs").as_array();
  REQUIRE(pairs.size() == 64);
  for (const json::value& one : pairs) {
    const json::object& pair = one.as_object();
    CHECK(pair.at("first").as_int64() < pair.at("second").as_int64());
    CHECK(number(pair, "handoff_cycles") == Approx(number(pair, "handoff_ns") * 1.98));
    CHECK(number(pair, "attempts") >= 1);
  }
  const json::array& relations = document.at("relations").as_array();
  REQUIRE(relations.size() == 3);
  CHECK(relations[0].at("relation") == "both on the word's die");
  std::int64_t counted = 0;
  for (const json::value& one : relations) {
    const json::object& relation = one.as_object();
    counted += relation.at("pairs").to_number<std::int64_t>();
    CHECK(number(relation, "least_ns") <= number(relation, "mean_ns"));
    CHECK(number(relation, "mean_ns") <= number(relation, "most_ns"));
    // Half of an attempt and of a loop of 100 clk, of one of the pairs.
    double attempt = 0;
    for (const json::value& stage : relation.at("stages").as_array()) attempt += stage.at("ns").to_number<double>();
    const double expected = (attempt + 100 / 1.98) / 2;
    CHECK(expected > 0.97 * number(relation, "least_ns"));
    CHECK(expected < 1.03 * number(relation, "most_ns"));
  }
  CHECK(counted == 64);
  // Two modes: no pair lies between them.
  CHECK(number(relations[0].as_object(), "most_ns") < 0.9 * number(relations[1].as_object(), "least_ns"));
  std::int64_t in_bins = 0;
  for (const json::value& bin : document.at("histogram").at("bins").as_array())
    in_bins += bin.at("pairs").to_number<std::int64_t>();
  CHECK(in_bins == 64);
}

SCENARIO("a_hand_off_is_the_same_at_any_number_of_jobs") {
  const auto csv = [](const char* jobs) {
    return handoff({"--gpu", "mi300x", "--pairs", "100", "--handoffs", "32", "--jobs", jobs, "--csv", "-"}).out;
  };
  const std::string one = csv("1");
  CHECK(one.starts_with("first,second,relation,handoff_ns,handoff_cycles,attempts\n"));
  CHECK(std::count(one.begin(), one.end(), '\n') == 101);
  CHECK(csv("3") == one);
}

SCENARIO("hand_offs_are_drawn") {
  const Scratch folder;
  const Outcome outcome = handoff({"--gpu", "b580", "--pairs", "0", "--handoffs", "16", "--svg",
                                   folder.path("map.svg").string(), "--html", folder.path("page.html").string()});
  REQUIRE(outcome.exit_code == 0);
  const std::string svg = folder.read("map.svg");
  CHECK(svg.find("<title>core 0 and core 1: ") != std::string::npos);
  CHECK(svg.find("<title>core 19 and core 18: ") != std::string::npos);
  CHECK(svg.find("time of a hand-off [ns]") != std::string::npos);
  CHECK(folder.read("page.html").find("Stages of an attempt") != std::string::npos);
}

SCENARIO("a_hand_off_inside_a_block_has_one_pair") {
  const Outcome outcome = handoff({"--gpu", "h200", "--space", "shared", "--csv", "-"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out.find("\n0,0,one block,") != std::string::npos);
}

SCENARIO("a_question_without_a_hand_off_is_refused") {
  check_refused({"--gpu", "h200", "--cores", "5"}, "--cores: expected two cores as in 0,5, got '5'");
  check_refused({"--gpu", "h200", "--cores", "0,x"}, "--cores: expected two cores as in 0,5, got '0,x'");
  check_refused({"--gpu", "h200", "--cores", "0,132"}, "NVIDIA H200 has cores 0 to 131, not 132");
  check_refused({"--gpu", "h200", "--cores", "3,3"}, "a hand-off has two cores, not core 3 twice");
  check_refused({"--gpu", "lesson-small"},
                "lesson-small: has one core and no pair of cores; --space shared uses two threads of one core");
  check_refused({"--gpu", "h200", "--space", "shared", "--home", "near"},
                "shared memory is private to the core: it has no near or far part");
  check_refused({"--gpu", "b580", "--home", "far"}, "");
  check_refused({"--gpu", "mi250x", "--cores", "0,200"}, "belong to two logical GPUs");
  check_refused({"--gpu", "h200", "--set", "l2.cache.performs_atomics=false"},
                "no cache of NVIDIA H200 performs atomics");
}

SCENARIO("options_that_one_pair_does_not_read_are_reported") {
  const Outcome outcome = handoff({"--gpu", "h200", "--cores", "0,1", "--pairs", "7", "--handoffs", "16"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("--pairs") != std::string::npos);
  CHECK(outcome.err.find("--cores names the pair") != std::string::npos);
}
