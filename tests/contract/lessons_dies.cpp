// SPDX-License-Identifier: Apache-2.0
// Lessons 9 to 11, on machines of several dies: the answers of the teacher's sheets, written as the sums
// that a student makes from the settings of configs/lessons.
#include <boost/json.hpp>

#include <algorithm>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Words;

json::object answer(Words words) {
  words.insert(words.end(), {"--json", "-"});
  if (words.front() != "explain") words.emplace_back("--quiet");
  const Outcome outcome = run(words);
  CAPTURE(words, outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

struct Point {
  double cycles;
  json::object served;
  double share(std::string_view level) const { return served.at(level).to_number<double>(); }
};

Point chase(const std::string& gpu, const std::string& footprint, const Words& more = {}) {
  Words words{"latency", "--gpu", gpu, "--from", footprint, "--to", footprint};
  words.insert(words.end(), more.begin(), more.end());
  const json::value point = answer(words).at("points").at(0);
  return {point.at("latency_cycles").to_number<double>(), point.at("hit_level_shares").as_object()};
}

double journey(const std::string& gpu, const Words& more) {
  Words words{"explain", "--gpu", gpu};
  words.insert(words.end(), more.begin(), more.end());
  return answer(words).at("total_cycles").to_number<double>();
}

Words in_order(const Words& more = {}) {
  Words words{"--order", "ascending"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

constexpr double l2_hit = 40;                   // lesson 1
constexpr double rows = (7 * 100 + 130) / 8.0;  // lesson 6: seven row hits, a conflict
constexpr double cold = 110;                    // lesson 1
constexpr double l2_look_up = 5 + 5;            // tags and fill

}  // namespace

TEST_CASE("lesson_9_far_lines_cost_the_link_and_the_slice_at_home") {
  constexpr double far = 2 * 20 + l2_look_up;
  CHECK(journey("lesson-sides", {"--address", "0"}) == Approx(cold));
  CHECK(journey("lesson-sides", {"--address", "0x80"}) == Approx(cold + far));
  CHECK(journey("lesson-sides", {"--address", "0x80", "--after", "2KiB"}) == Approx(l2_hit));
  CHECK(chase("lesson-sides", "4KiB", in_order()).cycles == Approx(l2_hit));
  const Point crowded = chase("lesson-sides", "8KiB", in_order());
  CHECK(crowded.cycles == Approx((rows + l2_hit + far) / 2).epsilon(1e-3));
  CHECK(crowded.share("far L2") == Approx(0.5).margin(0.01));
  CHECK(crowded.share("DRAM") == Approx(0.5).margin(0.01));
  CHECK(chase("lesson-sides", "16KiB", in_order({"--home", "near"})).cycles == Approx(rows).epsilon(1e-3));
  CHECK(chase("lesson-sides", "16KiB", in_order({"--home", "far"})).cycles == Approx(rows + far).epsilon(1e-3));
  CHECK(chase("lesson-sides", "16KiB", in_order()).cycles == Approx(rows + far / 2).epsilon(1e-3));
}

TEST_CASE("lesson_9_near_and_far_lines_of_a_b200_differ_by_the_link") {
  const double near = chase("b200", "512MiB", {"--home", "near"}).cycles;
  const double far = chase("b200", "512MiB", {"--home", "far"}).cycles;
  CHECK(far - near == Approx(2 * 82e-9 * 1965e6 + 12 + 18).epsilon(0.03));
  CHECK(chase("b200", "512MiB").cycles == Approx((near + far) / 2).epsilon(0.02));
}

TEST_CASE("lesson_10_a_cache_at_the_memory_keeps_one_copy") {
  constexpr double side = 1 + 2 + 10 + 5 + 10 + 5 + 20 + 10 + 5 + 10 + 2;
  CHECK(journey("lesson-chiplets", {"--address", "0", "--after", "8KiB"}) == Approx(side));
  for (const char* footprint : {"8KiB", "16KiB"})
    CHECK(chase("lesson-chiplets", footprint, in_order()).cycles == Approx(side));
  const Words own{"--threads", "2", "--segmented"};
  const Words shared{"--threads", "2"};
  CHECK(chase("lesson-chiplets", "16KiB", in_order(own)).cycles == Approx(side));
  CHECK(chase("lesson-chiplets", "16KiB", in_order(shared)).cycles == Approx(side));
  const auto at_cores = [](Words more) {
    more.insert(more.end(),
                {"--set", "memory_side_cache=none", "--set", "l2.cache.size=12KiB", "--set", "l2.cache.ways=12"});
    return in_order(more);
  };
  CHECK(chase("lesson-chiplets", "12KiB", at_cores({})).cycles == Approx(l2_hit));
  CHECK(chase("lesson-chiplets", "16KiB", at_cores(own)).cycles == Approx(l2_hit));
  const Point crowded = chase("lesson-chiplets", "16KiB", at_cores(shared));
  CHECK(crowded.share("DRAM") == Approx(1));
  CHECK(crowded.cycles > rows + 2 * 10);
}

TEST_CASE("lesson_10_a_miss_passes_the_cache_at_the_memory_as_well") {
  constexpr double look_up = 5 + 5 + 5;  // the path, tags, fill
  const double with = chase("lesson-chiplets", "32KiB", in_order()).cycles;
  CHECK(with == Approx(rows + 2 * 10 + look_up).epsilon(1e-3));
  CHECK(with - chase("lesson-chiplets", "32KiB", in_order({"--set", "memory_side_cache=none"})).cycles ==
        Approx(look_up).epsilon(1e-2));
}

TEST_CASE("lesson_11_far_memory_costs_the_link_in_latency_and_in_bandwidth") {
  constexpr double near = rows + 2 * 5;
  constexpr double far = near + 2 * 30;
  const Words interleaved{"--set", "memory.interleave=all_dies"};
  CHECK(chase("lesson-domains", "16KiB", in_order({"--home", "near"})).cycles == Approx(near).epsilon(1e-3));
  CHECK(chase("lesson-domains", "16KiB", in_order({"--home", "far"})).cycles == Approx(far).epsilon(1e-3));
  CHECK(chase("lesson-domains", "16KiB", in_order(interleaved)).cycles == Approx((near + far) / 2).epsilon(1e-3));
  const auto rate = [](const Words& more) {
    Words words{"bandwidth", "--gpu", "lesson-domains", "--footprint",     "64KiB",
                "--width",   "4",     "--set",          "l1.capacity=8KiB"};
    words.insert(words.end(), more.begin(), more.end());
    return answer(words).at("points").at(0).at("bytes_per_second").to_number<double>();
  };
  constexpr double link = 2 * 4e9 / 0.5;
  CHECK(rate(interleaved) == Approx(link).epsilon(0.03));
  CHECK(rate({}) > 1.25 * link);
}

TEST_CASE("lesson_11_homes_of_an_mi300x_are_no_one_or_two_hops_away") {
  constexpr double hop = 2 * 12e-9 * 2100e6;
  const double near = chase("mi300x", "16MiB", {"--home", "near"}).cycles;
  CHECK(chase("mi300x", "16MiB", {"--home", "far"}).cycles == Approx(near + hop * 4 / 3).epsilon(0.005));
  CHECK(chase("mi300x", "16MiB").cycles == Approx(near + hop).epsilon(0.005));
  CHECK(chase("mi300x", "16MiB", {"--home", "far", "--set", "memory.interleave=per_die"}).cycles ==
        Approx(near + 2 * hop).epsilon(0.005));
}

TEST_CASE("a_home_without_a_meaning_is_refused") {
  const auto refusal = [](const Words& more) {
    Words words{"latency", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    if (std::ranges::find(more, "--from") == more.end()) words.insert(words.end(), {"--from", "4KiB", "--to", "4KiB"});
    const Outcome outcome = run(words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(refusal({"--gpu", "b580", "--home", "near"})
            .find("has no near and far lines: all are at home on its one memory die") != std::string::npos);
  CHECK(refusal({"--gpu", "b200", "--home", "far", "--threads", "2"}).find("chase with one thread") !=
        std::string::npos);
  CHECK(refusal({"--gpu", "b200", "--home", "far", "--space", "shared"}).find("it has no near or far part") !=
        std::string::npos);
  CHECK(refusal({"--gpu", "b200", "--home", "here"}).find("--home") != std::string::npos);
  CHECK(refusal({"--gpu", "lesson-sides", "--home", "far", "--from", "12MiB", "--to", "12MiB"})
            .find("smaller footprint") != std::string::npos);
  CHECK(refusal({"--gpu", "lesson-domains", "--home", "far", "--from", "12MiB", "--to", "12MiB"})
            .find("smaller footprint") != std::string::npos);
}
