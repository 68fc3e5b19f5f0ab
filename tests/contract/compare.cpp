// SPDX-License-Identifier: Apache-2.0
// strata compare on machines whose answers can be worked out.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::with;
using strata::test::Words;

json::object compared(Words words) {
  words.insert(words.begin(), "compare");
  words.insert(words.end(), {"--quiet", "--json", "-"});
  const Outcome outcome = run(words);
  CAPTURE(words, outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

// A row of figures or parts, by its name.
json::object row(const json::object& document, const char* list, const char* key, const std::string& name) {
  for (const json::value& one : document.at(list).as_array())
    if (one.at(key).as_string() == name.c_str()) return one.as_object();
  FAIL("no " << name);
  return {};
}
double number(const json::object& of, const char* key) { return of.at(key).to_number<double>(); }

const Words small{"latency", "--gpu", "lesson-small", "--footprint", "2KiB"};

}  // namespace

SCENARIO("a_change_of_one_stage_is_found_in_that_stage") {
  // An L2 hit of 40 clk takes 10 clk more.
  const json::object document = compared(with(small, {"--change", "l2.cache.hit_latency=25clk"}));
  CHECK(document.at("in_words").as_string() ==
        "The latency rises from 40.0 ns to 50.0 ns, by 25.0 %; of a request's time, L2 data +10.0 ns.");
  CHECK(number(row(document, "figures", "figure", "latency_ns"), "change") == Approx(0.25));
  REQUIRE(document.at("differing").as_array().size() == 1);
  CHECK(document.at("differing").at(0).at("path") == "l2.cache.hit_latency");
  CHECK(document.at("differing").at(0).at("first") == "15 clk");
  CHECK(document.at("differing").at(0).at("second") == "25 clk");
  double sums[2] = {0, 0};
  for (const json::value& part : document.at("parts").as_array()) {
    if (part.at("group") != "stages") continue;
    sums[0] += part.at("first").to_number<double>();
    sums[1] += part.at("second").to_number<double>();
  }
  CHECK(sums[0] == Approx(40));
  CHECK(sums[1] == Approx(50));
}

SCENARIO("set_is_for_both_machines_and_change_for_the_second") {
  const json::object document =
      compared(with(small, {"--set", "l2.cache.hit_latency=20clk", "--change", "crossbar.request_latency=14clk"}));
  CHECK(number(row(document, "figures", "figure", "latency_ns"), "first") == Approx(45));
  CHECK(number(row(document, "figures", "figure", "latency_ns"), "second") == Approx(49));
  CHECK(document.at("differing").as_array().size() == 1);
}

SCENARIO("two_machines_are_compared_in_the_settings_that_the_question_reads") {
  // Five pages in a TLB of four entries: each load of the second machine walks, 10 + 40 ns.
  const json::object document =
      compared({"latency", "--gpu", "lesson-small", "--set", "l2.cache.size=256KiB", "--other", "lesson-tlb",
                "--footprint", "20KiB", "--stride", "4KiB", "--order", "ascending"});
  CHECK(number(row(document, "figures", "figure", "latency_ns"), "first") == Approx(40));
  CHECK(number(row(document, "figures", "figure", "latency_ns"), "second") == Approx(90));
  CHECK(row(document, "parts", "name", "page walk").at("first").is_null());
  CHECK(number(row(document, "parts", "name", "page walk"), "second") == Approx(40));
}

SCENARIO("each_question_can_be_compared") {
  const json::object kernel =
      compared({"run", "--gpu", "lesson-small", "--change", "l2.cache.size=64KiB", "--kernel",
                "stream_read,bytes=16KiB,blocks=1,threads=32", "--repeat", "2", "--caches", "warm"});
  // In the second run the larger L2 serves lines that the smaller one has evicted.
  CHECK(number(row(kernel, "figures", "figure", "dram_bytes_read"), "first") == 2 * 16384);
  CHECK(number(row(kernel, "figures", "figure", "dram_bytes_read"), "second") == 16384);
  CHECK(number(row(kernel, "figures", "figure", "time_ns"), "change") < 0);
  CHECK(kernel.at("words").as_object().contains("bottleneck"));
  const json::object stream = compared({"bandwidth", "--gpu", "lesson-small", "--change",
                                        "crossbar.request_latency=30clk", "--footprint", "4KiB", "--timed", "16KiB"});
  CHECK(number(row(stream, "figures", "figure", "bytes_per_second"), "change") < 0);
  const json::object loaded = compared({"loaded", "--gpu", "b580", "--set", "dies.cores_per_die=4", "--change",
                                        "l2.cache.hit_latency=100clk", "--footprint", "1MiB", "--timed", "1MiB"});
  CHECK(loaded.at("figures").as_array().size() == 6);
}

SCENARIO("a_comparison_is_the_same_at_any_number_of_jobs") {
  const Words words = with(small, {"--change", "l2.cache.hit_latency=25clk"});
  CHECK(compared(with(words, {"--jobs", "1"})) == compared(with(words, {"--jobs", "2"})));
}

SCENARIO("every_form_of_a_comparison_is_written") {
  const Scratch folder;
  const Outcome outcome =
      run(folder, with(with({"compare"}, small), {"--change", "l2.cache.hit_latency=25clk", "--quiet", "--csv", "c.csv",
                                                  "--svg", "c.svg", "--html", "c.html"}));
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with(
      "load-to-use latency of lesson-small and of lesson-small with l2.cache.hit_latency=25clk\nThe latency rises "));
  CHECK(folder.read("c.csv").find("figure,latency_ns,,40,50,10\n") != std::string::npos);
  CHECK(folder.read("c.svg").starts_with("<svg "));
  CHECK(folder.read("c.html").find("L2 data") != std::string::npos);
}

SCENARIO("a_comparison_that_makes_no_sense_is_refused") {
  const auto refused = [](const Words& more, const std::string& message) {
    const Outcome outcome = run(with(with({"compare"}, small), more));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    INFO(outcome.err);
    CHECK(outcome.err.starts_with(message));
  };
  refused({}, "--change: give the difference of the second machine: --change PATH=VALUE, or --other G\n");
  refused({"--change", "l2.cache.wais=4"}, "--change:1:10: there is no setting 'l2.cache.wais' (did you mean");
  refused({"--change", "l1.cache.ways=3"}, "--change l1.cache.ways=3: ");
  refused({"--other", "lesson-smal"}, "--other: no configuration 'lesson-smal'");
  const Outcome same = run(with(with({"compare"}, small), {"--quiet", "--change", "l1.cache.ways=2"}));
  CHECK(same.exit_code == 0);
  CHECK(same.err == "note: --change has no effect: lesson-small has these values already\n");
  CHECK(same.out.find("no setting differs\n") != std::string::npos);
  CHECK(same.out.find("The latency is the same, 40.0 ns.") != std::string::npos);
}

SCENARIO("settings_of_both_machines_are_named_and_a_change_is_compared_with_them") {
  const auto asked = [](const Words& more) { return run(with(with(with({"compare"}, small), {"--quiet"}), more)); };
  // lesson-small has 2 ways: the change restores what the installed file says, and that is a change.
  const Outcome restored = asked({"--set", "l1.cache.ways=4", "--change", "l1.cache.ways=2"});
  CHECK(restored.exit_code == 0);
  CHECK(restored.err.empty());
  CHECK(restored.out.find("lesson-small with l1.cache.ways=4 and of lesson-small with l1.cache.ways=2") !=
        std::string::npos);
  const Outcome same = asked({"--set", "l1.cache.ways=4", "--change", "l1.cache.ways=4"});
  CHECK(same.err == "note: --change has no effect: lesson-small with l1.cache.ways=4 has these values already\n");
  const Outcome both = asked({"--set", "l1.cache.ways=2", "--change", "l1.cache.ways=4"});
  CHECK(both.err == "note: --set has no effect by itself: lesson-small has these values already\n");
}

SCENARIO("a_change_that_the_question_does_not_read_is_reported") {
  const auto check_reason = [](const Words& words, const std::string& path, const std::string& reason) {
    Words all = words;
    all.insert(all.begin(), "compare");
    all.insert(all.end(), {"--quiet", "--json", "-"});
    const Outcome outcome = run(all);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.err.starts_with("note: " + path));
    CHECK(outcome.err.find(reason) != std::string::npos);
    return json::parse(outcome.out).as_object();
  };
  const json::object size = check_reason(
      {"latency", "--gpu", "h200", "--footprint", "16KiB", "--timed-loads", "64", "--change", "l1.cache.size=64KiB"},
      "l1.cache.size=64KiB is set, but not read by this question", "set l1.carve_outs[0].size");
  CHECK(size.at("differing").as_array().empty());
  CHECK(size.at("differing_unread") == 1);
  CHECK(size.at("unread_settings").at(0).at("path") == "l1.cache.size");
  check_reason(
      {"latency", "--gpu", "b580", "--footprint", "16KiB", "--timed-loads", "64", "--change", "pages.page=64KiB"},
      "pages.page=64KiB: it determines", "translation.levels[].entry_reach");
}
