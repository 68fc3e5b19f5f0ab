// SPDX-License-Identifier: Apache-2.0
// User-defined titles and labels in drawings and pages.
#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::contains;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::with;
using strata::test::Words;

const Words chase = {"--gpu", "lesson-small", "--quiet"};
const Words short_chase = {"--from", "1KiB", "--to", "4KiB", "--timed-loads", "64"};
const Words stream = {"--footprint", "512B", "--timed", "512B"};

}  // namespace

SCENARIO("a_user_defined_title_is_shown_in_drawings_and_pages") {
  const Words questions[] = {
      with(with({"latency"}, chase), short_chase),
      with(with({"bandwidth"}, chase), stream),
      {"handoff", "--gpu", "mi300x", "--pairs", "1", "--handoffs", "8", "--quiet"},
      with(with({"run"}, chase), {"--kernel", "vecadd,n=256"}),
      {"explain", "--gpu", "lesson-small", "--address", "0"},
      with(with({"sweep"}, chase), {"--vary", "footprint=1KiB,2KiB", "--timed-loads", "64"}),
      with(with({"sensitivity", "latency"}, chase), {"--footprint", "1KiB", "--timed-loads", "64"}),
      with(with({"compare", "latency"}, chase),
           {"--footprint", "1KiB", "--timed-loads", "64", "--change", "l1.cache.ways=1"})};
  for (const Words& question : questions) {
    INFO(question.front());
    const Scratch folder;
    const Outcome outcome =
        run(folder, with(question, {"--title", "What we <saw>", "--svg", "a.svg", "--html", "a.html"}));
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(contains(folder.read("a.svg"), "What we &lt;saw&gt;"));
    CHECK(contains(folder.read("a.html"), "<h1>What we &lt;saw&gt;</h1>"));
  }
}

SCENARIO("a_label_names_the_curve_or_the_machine") {
  const Scratch folder;
  GIVEN("a curve") {
    for (const Words& question :
         {with(with({"latency"}, chase), short_chase), with(with({"bandwidth"}, chase), stream)}) {
      CHECK(run(folder, with(question, {"--label", "our model", "--svg", "a.svg"})).exit_code == 0);
      CHECK(contains(folder.read("a.svg"), "our model"));
      CHECK_FALSE(contains(folder.read("a.svg"), "Strata, predicted"));
    }
  }
  GIVEN("two machines") {
    const Words question = with(with({"compare", "latency"}, chase),
                                {"--footprint", "1KiB", "--timed-loads", "64", "--change", "l1.cache.ways=1"});
    CHECK(run(folder, with(question, {"--label", "today", "--label", "tomorrow", "--html", "a.html"})).exit_code == 0);
    CHECK(contains(folder.read("a.html"), "<h1>load-to-use latency of today and of tomorrow</h1>"));
    CHECK(run(folder, with(question, {"--label", "a", "--label", "b", "--label", "c", "--html", "a.html"})).exit_code ==
          2);
  }
}

SCENARIO("a_title_without_a_drawing_is_refused") {
  const Words question = with(with({"latency"}, chase), short_chase);
  CHECK(run(with(question, {"--title", "x"})).err ==
        "--title: applies to drawings and pages; give --svg or --html too\n");
  CHECK(run(with(question, {"--label", "x"})).err ==
        "--label: applies to drawings and pages; give --svg or --html too\n");
  CHECK(run(with(question, {"--label", "x", "--label", "y", "--csv", "-"})).exit_code == 2);
}
