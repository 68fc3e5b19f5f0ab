// SPDX-License-Identifier: Apache-2.0
// What-ifs of structure, the examples of docs/guide/structures.md: direction and magnitude, computed from
// the settings of the machines.
#include <boost/json.hpp>

#include <filesystem>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Words;

std::string example(const char* name) {
  return (std::filesystem::path(STRATA_SOURCE_DIR) / "docs/guide/structures" / name).string();
}

json::value first_point(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--quiet", "--json", "-"});
  const Outcome outcome = run(words);
  CAPTURE(words, outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).at("points").at(0);
}

struct Chase {
  double cycles;
  std::string deepest;  ///< the level that served all loads; empty: several
};

Chase chase(const std::string& gpu, const std::string& footprint, const Words& more = {}) {
  const json::value point = first_point({"latency", "--gpu", gpu, "--from", footprint, "--to", footprint}, more);
  Chase answer{point.at("latency_cycles").to_number<double>(), {}};
  for (const auto& [level, share] : point.at("hit_level_shares").as_object())
    if (share.to_number<double>() == 1) answer.deepest = level;
  return answer;
}

double read_rate(const std::string& footprint, const Words& more) {
  return first_point({"bandwidth", "--gpu", "b580", "--op", "read", "--footprint", footprint}, more)
      .at("bytes_per_second")
      .to_number<double>();
}

}  // namespace

TEST_CASE("an_l3_on_a_b580_serves_what_the_l2_cannot_hold_and_costs_misses_a_look_up") {
  const Chase held = chase(example("b580-l3.yaml"), "32MiB");
  CHECK(held.deepest == "L3");
  CHECK(held.cycles < 0.6 * chase("b580", "32MiB").cycles);
  CHECK(held.cycles > chase("b580", "16MiB").cycles);
  const Chase missed = chase(example("b580-l3.yaml"), "64MiB");
  CHECK(missed.deepest == "DRAM");
  const double look_up = 10e-9 * 2.85e9 + 30 + 20;  // the path to it, tags and fill
  CHECK(missed.cycles - chase("b580", "64MiB").cycles == Approx(look_up).margin(2));
}

TEST_CASE("an_l3_for_a_part_of_the_memory_does_not_delay_the_rest") {
  const json::value point =
      first_point({"latency", "--gpu", example("b580-part-l3.yaml"), "--from", "64MiB", "--to", "64MiB"}, {});
  CHECK(point.at("hit_level_shares").at("L3").to_number<double>() == Approx(0.5).margin(0.02));
  CHECK(point.at("hit_level_shares").at("DRAM").to_number<double>() == Approx(0.5).margin(0.02));
  // Half of the loads at the latency of the whole L3, half at that of a B580 without one.
  const double halves = (chase(example("b580-l3.yaml"), "32MiB").cycles + chase("b580", "64MiB").cycles) / 2;
  CHECK(point.at("latency_cycles").to_number<double>() == Approx(halves).epsilon(0.02));
}

TEST_CASE("a_memory_die_behind_a_link_is_far_memory") {
  const std::string machine = example("b580-far-memory.yaml");
  const double near = chase(machine, "64MiB", {"--home", "near"}).cycles;
  const double far = chase(machine, "64MiB", {"--home", "far"}).cycles;
  CHECK(near - chase("b580", "64MiB").cycles == Approx(2 * 1e-9 * 2.85e9).margin(2));
  CHECK(far - near == Approx(2 * 149e-9 * 2.85e9).margin(4));
  // Pages alternate between both dies: half of 16 MiB over 64 GB/s.
  const Outcome outcome = run({"run", "--gpu", machine, "--kernel", "stream_read,bytes=16MiB", "--set",
                               "pages.placement=striped", "--quiet", "--json", "-"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(json::parse(outcome.out).at("time_ns").to_number<double>() == Approx((8 << 20) / 64.0).epsilon(0.1));
}

TEST_CASE("a_cache_for_each_render_slice_of_a_b580_is_in_front_of_the_crossbar") {
  const std::string machine = example("b580-render-slices.yaml");
  const double way = 10e-9 * 2.85e9;
  const Chase held = chase(machine, "1MiB");
  CHECK(held.deepest == "L1.5");
  // An L1 hit, minus its 47 clk, plus 15 and 15 for its tags and fill; 10 ns and 90 clk in the L1.5.
  CHECK(held.cycles == Approx(chase("b580", "4KiB").cycles - 47 + 15 + 15 + way + 90).margin(2));
  CHECK(held.cycles < 0.5 * chase("b580", "1MiB").cycles);
  const Chase missed = chase(machine, "2MiB");
  CHECK(missed.deepest == "L2");
  CHECK(missed.cycles - chase("b580", "2MiB").cycles == Approx(way + 20 + 15).margin(2));
}

TEST_CASE("the_size_of_a_group_with_a_shared_level_is_read") {
  const Words question{"sweep",
                       "bandwidth",
                       "--gpu",
                       example("b580-render-slices.yaml"),
                       "--footprint",
                       "4MiB",
                       "--timed",
                       "1MiB",
                       "--quiet",
                       "--json",
                       "-",
                       "--vary",
                       "dies.cores_per_group=2,10"};
  const Outcome outcome = run(question);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.find("not read") == std::string::npos);
  const json::array points = json::parse(outcome.out).at("points").as_array();
  CHECK(points.at(0).at("bytes_per_second").to_number<double>() >
        1.2 * points.at(1).at("bytes_per_second").to_number<double>());
}

TEST_CASE("a_port_of_a_group_as_narrow_as_that_of_a_core_is_reported_and_named") {
  const Outcome outcome =
      run({"bandwidth", "--gpu", example("b580-render-slices.yaml"), "--set", "crossbar.source_response_width=64B/clk",
           "--set", "crossbar.source_request_width=64B/clk", "--footprint", "8MiB", "--quiet"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.find("the sources of the crossbar are groups of cores") != std::string::npos);
  CHECK(outcome.err.find("set crossbar.source_response_width=256B/clk and crossbar.source_request_width=256B/clk") !=
        std::string::npos);
  CHECK(outcome.out.find("crossbar source response, busy") != std::string::npos);
}

TEST_CASE("an_l3_stacked_on_each_xcd_of_an_mi300x_keeps_reads_off_the_links") {
  const std::string machine = example("mi300x-stacked-l3.yaml");
  const Chase held = chase(machine, "16MiB");
  CHECK(held.deepest == "L3");
  // An L2 hit, minus its 58 clk, plus 20 and 10 for its tags and fill; 3 ns and 70 clk in the L3, all at 2.1 GHz.
  CHECK(held.cycles == Approx(chase("mi300x", "2MiB").cycles - 58 + 20 + 10 + 3e-9 * 2.1e9 + 70).margin(2));
  const Chase missed = chase(machine, "64MiB");
  CHECK(missed.deepest == "Infinity Cache");
  CHECK(missed.cycles - chase("mi300x", "64MiB").cycles == Approx(3e-9 * 2.1e9 + 20 + 15).epsilon(0.1));
}

TEST_CASE("the_shader_arrays_of_an_rx6900xt_share_128_kib") {
  CHECK(chase("rx6900xt", "128KiB").deepest == "L1");
  CHECK(chase("rx6900xt", "256KiB").deepest == "L2");
}

TEST_CASE("a_memory_side_cache_behind_a_b200_avoids_dram_latency") {
  const Chase behind = chase(example("b200-infinity-cache.yaml"), "192MiB");
  CHECK(behind.deepest == "memory-side cache");
  // An L2 hit, minus its 30 clk, plus 12 and 18 for its tags and fill; half of the homes are far,
  // over 82 ns each way and 30 clk in the home's slice; 10 ns and 60 clk at 1965 MHz in the cache.
  const double near = chase("b200", "16MiB").cycles - 30 + 12 + 18;
  const double far = 2 * 82e-9 * 1965e6 + 12 + 18;
  CHECK(behind.cycles == Approx(near + far / 2 + (10e-9 * 1965e6) + 60).epsilon(0.05));
  CHECK(chase("b200", "192MiB").deepest == "DRAM");
}

TEST_CASE("a_victim_cache_turns_conflict_misses_of_an_l1_into_hits") {
  // Nodes at the distance of all sets share one of 12 ways.
  const Words in_one_set{"--stride", "8KiB"};
  const Chase missed = chase("b580", "104KiB", in_one_set);
  CHECK(missed.deepest == "L2");
  const Chase held = chase(example("b580-victim.yaml"), "104KiB", in_one_set);
  CHECK(held.deepest == "L1");
  // Tags, victim cache and fill for the latency of an L1 hit.
  const double hit = chase("b580", "4KiB").cycles;
  CHECK(held.cycles == Approx(hit - 47 + 15 + 17 + 15).margin(1));
  const Chase slower =
      chase(example("b580-victim.yaml"), "104KiB", {"--stride", "8KiB", "--set", "l1.victim_cache.hit_latency=57clk"});
  CHECK(slower.cycles - held.cycles == Approx(40).margin(1));
  // 12 ways and 16 lines hold 28 nodes of a ring, and none of 30.
  CHECK(chase(example("b580-victim.yaml"), "224KiB", in_one_set).cycles == Approx(held.cycles).margin(1));
  CHECK(chase(example("b580-victim.yaml"), "240KiB", in_one_set).cycles ==
        Approx(chase("b580", "240KiB", in_one_set).cycles).margin(1));
}

TEST_CASE("a_victim_cache_behind_an_l1_that_writes_back_is_refused") {
  const Outcome outcome = run({"check", example("b580-victim.yaml"), "--set", "l1.cache.write_policy=write_back",
                               "--set", "l1.cache.write_allocate=sector"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find(
            "l1.victim_cache keeps clean lines only, and l1.cache.write_policy = write_back evicts dirty ones") !=
        std::string::npos);
}

TEST_CASE("without_an_l2_a_b580_saves_its_tags_and_fill_and_always_asks_dram") {
  const Chase without = chase("b580", "32MiB", {"--set", "l2.bypass=true"});
  CHECK(without.deepest == "DRAM");
  CHECK(chase("b580", "32MiB").cycles - without.cycles == Approx(40 + 20).margin(2));
  CHECK(chase("b580", "2MiB", {"--set", "l2.bypass=true"}).cycles == Approx(without.cycles).epsilon(0.01));
}

TEST_CASE("without_an_l2_an_infinity_cache_answers_misses_of_the_l1") {
  CHECK(chase("mi300x", "1MiB", {"--set", "l2.bypass=true"}).deepest == "Infinity Cache");
}

TEST_CASE("each_link_between_dies_of_a_b200_adds_its_latency_to_dram") {
  // Homes are equally frequent: of two dies half are a link away, of four on a ring two are one and one
  // is two links away. A far home also costs its slice's tags and fill, 12 + 18 clk.
  const double link = 2 * 82e-9 * 1965e6;
  const double one = chase(example("b200-one-die.yaml"), "512MiB").cycles;
  CHECK(chase("b200", "512MiB").cycles - one == Approx((link + 30) / 2).epsilon(0.03));
  CHECK(chase(example("b200-four-dies.yaml"), "512MiB").cycles - one ==
        Approx((link + 30 + link + 30 + 2 * link + 30) / 4).epsilon(0.03));
}

TEST_CASE("a_die_of_a_b200_holds_half_of_what_two_hold") {
  CHECK(chase(example("b200-one-die.yaml"), "48MiB").deepest == "L2");
  CHECK(chase(example("b200-one-die.yaml"), "96MiB").deepest == "DRAM");
  CHECK(chase("b200", "96MiB").deepest.empty());
}

TEST_CASE("the_links_of_a_ring_bound_the_reads_of_cores") {
  // 20 stops, 40 links for answers; evenly spread, an answer takes 5 of them.
  const double bound = 40 * 64 / 5.0 * 2.85e9;
  const Words ring{"--set", "crossbar.stops.shape=ring", "--set", "crossbar.stops.columns=20"};
  CHECK(read_rate("8MiB", ring) < bound);
  CHECK(read_rate("8MiB", ring) > 0.85 * bound);
  CHECK(read_rate("8MiB", {}) > 2 * bound);
  Words narrow = ring;
  narrow.insert(narrow.end(), {"--set", "crossbar.stops.link_width=32B/clk"});
  CHECK(read_rate("8MiB", narrow) < bound / 2);
}

TEST_CASE("far_memory_gives_no_more_than_its_link") {
  const double rate = read_rate("64MiB", {"--home", "host", "--set", "host.bandwidth=63GB/s", "--set",
                                          "host.latency=100ns", "--set", "host.memory_latency=120ns"});
  CHECK(rate == Approx(63e9 * 128 / (128 + 20)).epsilon(0.01));  // packets have a header of 20 B
}

TEST_CASE("lines_of_64_b_fetch_the_requested_data") {
  const Words shorter{"--set", "l1.cache.line=64B", "--set", "l2.cache.line=64B", "--stride", "64B"};
  const Words same{"--stride", "64B"};
  // The same capacity, and as long a way.
  CHECK(chase("b580", "16MiB", shorter).cycles == Approx(chase("b580", "16MiB", same).cycles).epsilon(0.01));
  CHECK(chase("b580", "32MiB", shorter).deepest == "DRAM");
  // 18 MiB of L2 hold no part of a sweep of 32 MiB with lines of any size; a sweep that fits is
  // as fast.
  CHECK(read_rate("32MiB", {"--set", "l2.cache.line=64B"}) < 1.05 * read_rate("32MiB", {}));
  CHECK(read_rate("8MiB", {"--set", "l2.cache.line=64B"}) > 4 * read_rate("32MiB", {}));
}

TEST_CASE("lines_of_256_b_carry_twice_as_much_under_each_mshr") {
  const auto line = [](const char* bytes) {
    return Words{"--set", "l1.cache.mshrs=32", "--set", std::string("l1.cache.line=") + bytes};
  };
  // By Little's law: MSHRs x line / latency, far below what the crossbar carries.
  CHECK(read_rate("8MiB", line("256B")) / read_rate("8MiB", line("128B")) == Approx(2).epsilon(0.1));
  // The same capacity, and as long a way.
  CHECK(chase("b580", "96KiB", line("256B")).deepest == "L1");
  CHECK(chase("b580", "8MiB", line("256B")).cycles == Approx(chase("b580", "8MiB", line("128B")).cycles).epsilon(0.01));
}
