// SPDX-License-Identifier: Apache-2.0
// Options that a question cannot use are refused with a remedy, or reported on stderr and in
// the document.
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Words;

Words chase(Words more) {
  more.insert(more.begin(), {"latency", "--gpu", "b580", "--from", "16KiB", "--to", "16KiB", "--quiet", "--json", "-"});
  return more;
}

Words stream(Words more) {
  more.insert(more.begin(), {"bandwidth", "--gpu", "b580", "--timed", "256KiB", "--cores", "2", "--footprint", "256KiB",
                             "--quiet", "--json", "-"});
  return more;
}

void check_told_by(const Outcome& outcome, const std::string& option, const std::string& reason) {
  INFO(option);
  CHECK(outcome.err.starts_with("note: " + option));
  CHECK(outcome.err.find("is set, but not read by this question: " + reason) != std::string::npos);
  const json::value document = json::parse(outcome.out);
  REQUIRE(document.as_object().contains("unread_settings"));
  CHECK(document.at("unread_settings").at(0).at("path").as_string() == option);
}

void check_told(const Words& words, const std::string& option, const std::string& reason) {
  const Outcome outcome = run(words);
  CHECK(outcome.exit_code == 0);
  check_told_by(outcome, option, reason);
}

void check_no_note(const Words& words) {
  const Outcome outcome = run(words);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK_FALSE(json::parse(outcome.out).as_object().contains("unread_settings"));
}

void check_refused(const Words& words, const std::string& error) {
  const Outcome outcome = run(words);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == error + "\n");
}

}  // namespace

SCENARIO("what_chooses_the_cores_of_a_small_grid_is_read_where_some_cores_are_asked_for") {
  const auto check_unread = [](Words words, const std::string& setting, const std::string& reason) {
    words.insert(words.end(), {"--gpu", "h200", "--quiet", "--json", "-", "--set", setting});
    if (reason.empty()) return check_no_note(words);
    const Outcome outcome = run(words);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "note: " + setting + " is set, but not read by this question: " + reason + "\n");
  };
  const Words all{"bandwidth", "--timed", "256KiB", "--footprint", "2MiB"};
  const Words few{"bandwidth", "--timed", "256KiB", "--footprint", "2MiB", "--cores", "4"};
  const Words named{"bandwidth", "--timed", "256KiB",      "--footprint", "2MiB",
                    "--cores",   "4",       "--placement", "die_first"};
  const std::string not_chosen = "no kernel is launched, and no cores are chosen as a grid of as many blocks gets them";
  for (const char* setting : {"launch.spread=0", "launch.apart=0"}) check_unread(few, setting, "");
  check_unread(all, "launch.spread=0", not_chosen);
  check_unread(named, "launch.spread=0", not_chosen);
  check_unread(few, "launch.before=1us", "no kernel is launched");
  const Words thread{"latency", "--footprint", "1MiB", "--timed-loads", "256"};
  const Words threads{"latency", "--footprint", "1MiB", "--timed-loads", "256", "--threads", "2"};
  check_unread(thread, "launch.spread=0", not_chosen);
  check_unread(threads, "launch.spread=0", "");
}

SCENARIO("an_option_that_the_question_does_not_read_is_reported") {
  check_told(chase({"--cache-op", "cg"}), "--cache-op", "loads cannot bypass the L1 of ");
  check_told(chase({"--cache-op", "cv"}), "--cache-op", "loads cannot bypass the L1 of ");
  check_told({"latency", "--gpu", "h200", "--footprint", "16KiB", "--timed-loads", "256", "--cache-op", "cv", "--quiet",
              "--json", "-"},
             "--cache-op", "no probe filter of ");
  check_told(chase({"--segmented"}), "--segmented", "one thread walks the whole ring");
  check_told(chase({"--order", "ascending", "--seed", "7"}), "--seed",
             "an ascending ring of one thread has nothing random");
  check_told(chase({"--timed-loads", "8"}), "--timed-loads", "each thread times at least 64 loads");
  check_told(chase({"--space", "shared", "--warm-laps", "2"}), "--warm-laps", "shared memory needs no warm-up");
  check_told(stream({"--cache-op", "cg"}), "--cache-op", "loads cannot bypass the L1 of ");
  check_told(stream({"--work-per-batch", "10"}), "--work-per-batch", "there are no batches without --batch");
  check_told({"run", "--gpu", "b580", "--kernel", "vecadd,n=1024", "--caches", "warm", "--quiet", "--json", "-"},
             "--caches", "one kernel runs");
  check_told({"explain", "--gpu", "b580", "--address", "0x1000", "--cache-op", "cg", "--json", "-"}, "--cache-op",
             "loads cannot bypass the L1 of ");
  check_told({"sweep", "--gpu", "b580", "--vary", "l2.cache.hit_latency=*1,*2", "--footprint", "64KiB", "--timed-loads",
              "256", "--cache-op", "cg", "--quiet", "--json", "-"},
             "--cache-op", "loads cannot bypass the L1 of ");
}

SCENARIO("an_option_that_is_varied_without_effect_is_reported_with_the_reason") {
  const Outcome outcome = run({"sweep", "--gpu", "b580", "--vary", "cache-op=ca,cg", "--footprint", "16KiB",
                               "--timed-loads", "256", "--quiet", "--json", "-"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.starts_with(
      "note: cache-op has no effect: the figures are the same for all its 2 values; loads cannot bypass the L1 of "));
  CHECK(json::parse(outcome.out)
            .at("parameters")
            .at(0)
            .at("unread")
            .as_string()
            .starts_with("loads cannot bypass the L1 of "));
}

SCENARIO("a_setting_that_no_row_reads_is_reported_by_validate") {
  const Words rows = {"validate", "--gpu", "b580", "--id", "BM-20", "--quiet", "--json", "-", "--set"};
  const auto with = [&](const std::string& setting) {
    Words words = rows;
    words.push_back(setting);
    return words;
  };
  GIVEN("rows of chases") {
    THEN("what a launch costs is not read, whatever the rows say of the machine") {
      check_told_by(run(with("launch.before=5us")), "launch.before", "no kernel is launched");
    }
    THEN("the latency of the L1 is") { CHECK(run(with("l1.cache.hit_latency=77clk")).err.empty()); }
  }
}

SCENARIO("an_option_that_is_read_gets_no_note") {
  check_no_note(chase({}));
  check_no_note(chase({"--segmented", "--threads", "2"}));
  check_no_note(chase({"--seed", "7"}));
  check_no_note(stream({"--work-per-batch", "10", "--batch"}));
  check_no_note(
      {"latency", "--gpu", "h200", "--from", "16KiB", "--to", "16KiB", "--cache-op", "cg", "--quiet", "--json", "-"});
  check_no_note({"run", "--gpu", "b580", "--kernel", "vecadd,n=1024", "--caches", "warm", "--repeat", "2", "--quiet",
                 "--json", "-"});
}

SCENARIO("an_access_that_no_machine_makes_is_refused") {
  check_refused(chase({"--width", "3"}), "--width: a load of a lane cannot have 3 bytes: use 1, 2, 4, 8 or 16");
  check_refused(stream({"--width", "5"}), "--width: a load of a lane cannot have 5 bytes: use 1, 2, 4, 8 or 16");
  check_refused(chase({"--stride", "4B"}),
                "--stride: 4 bytes are not a whole number of loads of 8: nodes would overlap; use a multiple of 8 B, "
                "or a --width of 4");
  check_refused(chase({"--stride", "12B"}),
                "--stride: 12 bytes are not a whole number of loads of 8: nodes would lie across each other's "
                "alignment; use a multiple of 8 B, or a --width of 4");
  check_no_note(chase({"--stride", "4B", "--width", "4"}));
}

SCENARIO("options_that_decide_the_same_thing_twice_are_refused") {
  check_refused(stream({"--points-per-octave", "2"}),
                "--points-per-octave: applies to --from and --to, not to --footprint");
  check_refused({"run", "--gpu", "b580", "--kernel", "vecadd,n=1024", "--timeline-events", "2000"},
                "--timeline-events: requires --timeline");
  // 16 lanes of 16 B are 256 B an access: 5 of them for 2 warps.
  check_refused(stream({"--lanes", "16", "--in-flight", "1280B", "--warps", "2"}),
                "--in-flight: 1280 bytes are 5 accesses of 256 bytes, which cannot be divided evenly among --warps 2: "
                "use 1024 or 1536 bytes, or remove --warps");
}

SCENARIO("options_of_another_question_are_refused_or_reported") {
  check_refused({"latency", "--gpu", "b580", "--from", "16KiB", "--to", "16KiB", "--where", "a=b"},
                "--where: applies to the file of --compare, and there is no --compare");
  check_refused({"explain", "--gpu", "b580", "--path", "l2.cache.size", "--core", "3"},
                "--core: applies to a load, which --path does not trace; remove one of them");
  check_told({"bandwidth", "--gpu", "b580", "--loaded", "--footprint", "64KiB", "--inject", "0", "--op", "write",
              "--quiet", "--json", "-"},
             "--op", "--inject gives no load in addition to the chains");
  // Accesses of a warp are of 512 B: 29 of them.
  const Outcome rounded = run(stream({"--in-flight", "15000B"}));
  CHECK(rounded.exit_code == 0);
  CHECK(rounded.err ==
        "note: --in-flight=15000B: 29 warps with 1 accesses of 512 B each are 14848 B\n"
        "note: cores get unequal rates: at a footprint of 262144 bytes the slowest moves 5 % less than the mean. A "
        "program "
        "that gives each core an equal part ends with the slowest; --whole times such a program\n");
}

SCENARIO("the_latency_without_load_needs_no_data_of_the_others") {
  // Of 16 KiB the other 303 cores would not get an access each.
  const Outcome outcome = run(
      {"bandwidth", "--gpu", "mi300x", "--loaded", "--footprint", "16KiB", "--inject", "0", "--quiet", "--csv", "-"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

SCENARIO("a_fixed_window_that_is_longer_than_requested_is_reported") {
  const Outcome outcome = run({"bandwidth", "--gpu", "b580", "--cores", "2", "--footprint", "256KiB", "--fixed-window",
                               "--timed", "1KiB", "--quiet"});
  CHECK(outcome.exit_code == 0);
  CAPTURE(outcome.err);
  CHECK(outcome.err.find("note: --fixed-window: ") != std::string::npos);
}
