// SPDX-License-Identifier: Apache-2.0
// --footprint of the verbs that draw a curve: these footprints and no others.
#include <vector>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::contains;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::with;
using strata::test::Words;

std::vector<std::int64_t> footprints(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  std::vector<std::int64_t> all;
  const json::value document = json::parse(outcome.out);
  for (const json::value& point : document.at("points").as_array())
    all.push_back(point.at("footprint_bytes").as_int64());
  return all;
}

}  // namespace

SCENARIO("listed_footprints_are_measured_once_each_in_rising_order") {
  const Words verbs[] = {{"latency", "--timed-loads", "64"}, {"bandwidth", "--timed", "1KiB"}};
  for (const Words& verb : verbs) {
    INFO(verb.front());
    const Words question = with(verb, {"--gpu", "lesson-small", "--quiet", "--json", "-"});
    CHECK(footprints(run(with(question, {"--footprint", "4KiB,1KiB,4KiB"}))) == std::vector<std::int64_t>{1024, 4096});
    const Outcome both = run(with(question, {"--footprint", "4KiB", "--to", "8KiB"}));
    CHECK(both.exit_code == 2);
    CHECK(both.err == "--footprint: replaces --from and --to; remove one or the other\n");
    CHECK(run(with(question, {"--footprint", "4KiB", "--points-per-octave", "2"})).exit_code == 2);
    CHECK(contains(run(with(question, {"--footprint", "4KiB,no"})).err, "'no' is not a size"));
  }
}

SCENARIO("a_chase_walks_whole_strides_and_says_so") {
  const Words chase = {"latency", "--gpu", "lesson-small", "--quiet", "--json", "-"};
  const Outcome less = run(with(chase, {"--footprint", "3B"}));
  CHECK(less.exit_code == 2);
  CHECK(less.err ==
        "--footprint: 3 B is less than the stride of 128 B: a ring has a node at least; take a larger footprint or a "
        "shorter --stride\n");
  CHECK(run({"sweep", "latency", "--gpu", "lesson-small", "--quiet", "--vary", "footprint=64B,256B"}).exit_code == 2);
  const Outcome rounded = run(with(chase, {"--footprint", "200B,256B,512B"}));
  CHECK(footprints(rounded) == std::vector<std::int64_t>{256, 512});
  CHECK(contains(rounded.err, "note: --footprint 200 B is no multiple of the stride: the chase walks 256 B\n"));
  CHECK(run(with(chase, {"--footprint", "96B", "--stride", "32B"})).err.empty());
}

SCENARIO("a_listed_footprint_has_the_answer_of_a_range_that_holds_it") {
  const Words chase = {"latency", "--gpu", "lesson-small", "--quiet", "--csv", "-"};
  const Outcome listed = run(with(chase, {"--footprint", "2KiB"}));
  CHECK(listed.exit_code == 0);
  CHECK(listed.out == run(with(chase, {"--from", "2KiB", "--to", "2KiB"})).out);
  const Scratch folder;
  folder.write("measured.csv", "footprint_bytes,latency_cycles\n512,10\n");
  CHECK(footprints(run(folder, {"latency", "--gpu", "lesson-small", "--quiet", "--json", "-", "--footprint", "2KiB",
                                "--compare", "measured.csv"})) == std::vector<std::int64_t>{512, 2048});
}
