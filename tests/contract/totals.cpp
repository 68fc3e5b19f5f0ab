// SPDX-License-Identifier: Apache-2.0
// Totals and their parts: l2.capacity and similar settings determine the parts, are computed
// from them if not set, and must not contradict them.
#include <cmath>

#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

/// A line of `explain --path`: `value` or `set by`.
std::string explained(const Scratch& folder, const std::string& gpu, const std::string& path, const std::string& label,
                      const std::vector<std::string>& sets) {
  std::vector<std::string> words{"explain", "--gpu", gpu, "--path", path};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  const Outcome outcome = run(folder, words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const std::size_t at = outcome.out.find("  " + label + ":");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = outcome.out.find_first_not_of(' ', at + label.size() + 3);
  return outcome.out.substr(begin, outcome.out.find('\n', begin) - begin);
}

std::string value(const std::string& path, const std::vector<std::string>& sets) {
  return explained(Scratch(), "b580", path, "value", sets);
}

std::string refused(const std::vector<std::string>& sets) {
  std::vector<std::string> words{"check", "b580"};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  const Outcome outcome = run(words);
  CHECK(outcome.exit_code == 2);
  return outcome.err;
}

}  // namespace

// 24 slices of 768 KiB on one die.
SCENARIO("a_capacity_follows_from_its_parts_and_chooses_them") {
  CHECK(value("l2.capacity", {}) == "18 MiB");
  CHECK(value("l2.capacity", {"l2.slices_per_die=48"}) == "36 MiB");
  CHECK(value("l2.cache.size", {"l2.capacity=36MiB"}) == "1536 KiB");
  CHECK(value("l2.cache.size", {"l2.capacity=36MiB", "l2.slices_per_die=12"}) == "3 MiB");
  CHECK(explained(Scratch(), "b580", "l2.cache.size", "set by", {"l2.capacity=36MiB"}) == "--set");
  // To the nearest whole sets: 240 slices of 17 ways x 128 B.
  CHECK(explained(Scratch(), "b200", "l2.capacity", "value", {"l2.capacity=189.25MiB"}) == "193800 KiB");
  CHECK(explained(Scratch(), "b200", "l2.cache.size", "value", {"l2.capacity=189.25MiB"}) == "826880 B");
  CHECK(value("l1.carve_outs[0].size", {"l1.capacity=144KiB"}) == "144 KiB");
  // Four I/O dies of 32 slices of 2 MiB.
  CHECK(explained(Scratch(), "mi300x", "memory_side_cache.cache.size", "value",
                  {"memory_side_cache.capacity=512MiB"}) == "4 MiB");
}

// 12 channels of 16 bit at 19 GT/s: 456 GB/s.
SCENARIO("a_memory_bandwidth_chooses_the_data_rate") {
  CHECK(value("memory.bandwidth", {}) == "456 GB/s");
  CHECK(value("memory.channel.timing.data_rate", {"memory.bandwidth=912GB/s"}) == "38 GT/s");
  CHECK(value("memory.published_peak", {"memory.bandwidth=912GB/s"}) == "none");
}

SCENARIO("a_capacity_in_a_file_chooses_the_size_that_its_base_gives") {
  const Scratch folder;
  folder.write("mine.yaml", "base: b580\nname: B580 with 36 MiB\nl2:\n  capacity: 36 MiB\n");
  CHECK(explained(folder, "mine.yaml", "l2.cache.size", "value", {}) == "1536 KiB");
  CHECK(explained(folder, "mine.yaml", "l2.cache.size", "set by", {}) == "mine.yaml:4:13");
  THEN("--set of the part holds over it") {
    CHECK(explained(folder, "mine.yaml", "l2.capacity", "value", {"l2.cache.size=384KiB"}) == "9 MiB");
  }
}

SCENARIO("a_total_and_a_part_that_contradict_each_other_are_refused") {
  const std::string said = refused({"l2.capacity=36MiB", "l2.cache.size=768KiB"});
  CHECK(said.starts_with("--set:1:13: 'l2.capacity' = 36MiB contradicts 'l2.cache.size' = 768 KiB"));
  CHECK(refused({"memory.bandwidth=500GB/s", "memory.channel.timing.data_rate=19GT/s"})
            .starts_with(
                "--set:1:18: 'memory.bandwidth' = 500GB/s contradicts 'memory.channel.timing.data_rate' = 19GT/s"));
  // Sets of 16 ways x 128 B on 24 slices are 48 KiB.
  CHECK(refused({"l2.capacity=70KiB"}).find("use 48 KiB or 96 KiB") != std::string::npos);
}

SCENARIO("a_total_given_to_one_slice_is_reported") {
  const Outcome outcome = run({"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--timed-loads", "64",
                               "--quiet", "--set", "l2.cache.size=36MiB"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.starts_with("note: l2.cache.size = 36 MiB is one slice; 24 slices make 864 MiB of L2"));
}

SCENARIO("a_capacity_is_swept_like_its_part") {
  const auto curve = [](const std::string& vary) {
    const Outcome outcome =
        run({"sweep", "latency", "--gpu", "b580", "--vary", vary, "--footprint", "20MiB", "--csv", "-", "--quiet"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return outcome.out.substr(outcome.out.rfind('\n', outcome.out.size() - 2));
  };
  const std::string by_total = curve("l2.capacity=18MiB,36MiB");
  const std::string by_part = curve("l2.cache.size=768KiB,1536KiB");
  CHECK(by_total.substr(by_total.find(',')) == by_part.substr(by_part.find(',')));
}

SCENARIO("timings_in_clocks_keep_their_nanoseconds_at_another_data_rate") {
  GIVEN("twice the data rate by --set") {
    const std::vector<std::string> twice{"memory.channel.timing.data_rate=38GT/s", "memory.published_peak=none"};
    const std::string path = "memory.channel.timing.";
    THEN("rows, the controller and refresh take twice the clocks") {
      for (const char* timing :
           {"timing.t_rcd_read", "timing.t_rp", "timing.t_faw", "timing.t_refi", "controller.latency"}) {
        CAPTURE(timing);
        const std::string full = std::string("memory.channel.") + timing;
        CHECK(std::stod(value(full, twice)) == Approx(2 * std::stod(value(full, {}))));
      }
    }
    THEN("bursts and column commands follow the clock, and what --set gives in clocks stays") {
      CHECK(value(path + "t_ccd_l", twice) == value(path + "t_ccd_l", {}));
      std::vector<std::string> given = twice;
      given.push_back(path + "t_rp=30clk");
      CHECK(value(path + "t_rp", given) == "30clk");
    }
  }
}

SCENARIO("a_machine_without_its_memory_side_cache_runs") {
  for (const char* gpu : {"mi300x", "mi300a", "rx6900xt"}) {
    CAPTURE(gpu);
    const Outcome outcome = run({"latency", "--gpu", gpu, "--set", "memory_side_cache=none", "--from", "16MiB", "--to",
                                 "16MiB", "--timed-loads", "256", "--quiet"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.find("Infinity Cache") == std::string::npos);
    CHECK(outcome.out.find("DRAM") != std::string::npos);
  }
}

SCENARIO("a_total_that_no_one_set_follows_the_number_of_its_parts_in_every_verb") {
  const Outcome swept = run({"sweep", "latency", "--gpu", "b580", "--vary", "l2.slices_per_die=24,48", "--footprint",
                             "24MiB", "--timed-loads", "256", "--quiet"});
  CAPTURE(swept.err);
  CHECK(swept.exit_code == 0);
  // 24 MiB exceed 18 MiB and fit in 36.
  CHECK(swept.out.find("DRAM 100.0 %") != std::string::npos);
  CHECK(swept.out.find("L2 100.0 %") != std::string::npos);
  const Outcome moved =
      run({"sensitivity", "bandwidth", "--gpu", "h200", "--footprint", "8MiB", "--timed", "256KiB", "--cores", "2",
           "--only", "memory.channels_per_die", "--set", "memory.published_peak=none", "--json", "-", "--quiet"});
  CAPTURE(moved.err);
  CHECK(moved.exit_code == 0);
  CHECK(moved.out.find("contradicts") == std::string::npos);
}

SCENARIO("a_total_that_is_rounded_or_out_of_range_is_reported_under_its_name") {
  const Outcome rounded = run({"latency", "--gpu", "b580", "--from", "16KiB", "--to", "16KiB", "--timed-loads", "64",
                               "--quiet", "--json", "-", "--set", "l2.capacity=35.5MiB"});
  CHECK(rounded.exit_code == 0);
  CHECK(rounded.err.starts_with("note: l2.capacity=36336 KiB: 35.5MiB rounded to whole sets"));
  CHECK(rounded.out.find("setting_notes") != std::string::npos);
  // 24 slices of 4 GiB at most.
  CHECK(refused({"l2.capacity=200GiB"})
            .find("'l2.capacity' = 200GiB over l2.slices_per_die = 24 x dies.compute = 1 makes a l2.cache.size of more "
                  "than 4 GiB (96 GiB is the most)") != std::string::npos);
}

// Tags for 512 sets x 4 ways of 128 B: 256 KiB.
SCENARIO("an_l1_of_more_data_than_tags_is_refused") {
  for (const char* set : {"l1.capacity=300KiB", "l1.carve_outs[0].size=300KiB"}) {
    const Outcome outcome = run({"check", "h200", "--set", set});
    CHECK(outcome.exit_code == 2);
    CAPTURE(outcome.err);
    CHECK(outcome.err.find("has data for 2400 lines, but 'data_pool.tag_sets' 512 x 'ways' 4 have tags for 2048; 1024 "
                           "sets have enough") != std::string::npos);
  }
}

SCENARIO("a_data_rate_in_a_file_without_its_timings_is_reported") {
  const Scratch folder;
  folder.write("fast.yaml",
               "base: b580\nname: B580 with faster memory\nmemory:\n  published_peak: none\n  channel:\n    timing:\n  "
               "    data_rate: 30 GT/s\n");
  const Outcome outcome = run(
      folder, {"latency", "--gpu", "fast.yaml", "--from", "16KiB", "--to", "16KiB", "--timed-loads", "64", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CAPTURE(outcome.err);
  CHECK(outcome.err.starts_with("note: memory.channel.timing.data_rate=30 GT/s: the timings in clocks of "));
}
