// SPDX-License-Identifier: Apache-2.0
// An interrupted run writes its partial results, marked as incomplete, in every form; without
// results it leaves its output files unchanged.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <thread>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::contains;
using strata::test::Outcome;
using strata::test::Running;
using strata::test::Scratch;
using strata::test::Words;

constexpr int exit_interrupted = 130;

// Interrupts the run at a time when it has results and is not yet complete. The time is found by
// bisection over the processor time used: the time to read the configuration and to simulate is not
// known, and wall-clock time has no meaning on a busy host.
Outcome interrupted_with_something(const Words& words, const Scratch& folder, int number) {
  double had_nothing = 0;
  double had_ended = std::numeric_limits<double>::infinity();
  for (double seconds = 1.0; seconds < 300 && had_ended - had_nothing > 0.02;
       seconds = std::min(2 * seconds, (had_nothing + had_ended) / 2)) {
    Running program(STRATA_PROGRAM, words, folder.path(""));
    REQUIRE(program.catches(number));
    if (!program.works_for(seconds)) {
      had_ended = seconds;
      continue;
    }
    program.signal(number);
    const Outcome outcome = program.wait();
    const bool had_not_begun = outcome.exit_code == -number;
    if (outcome.exit_code == 0)
      had_ended = seconds;
    else if (had_not_begun || contains(outcome.err, "none of "))
      had_nothing = seconds;
    else
      return outcome;
  }
  FAIL("no moment between " << had_nothing << " s, where there was nothing to keep, and " << had_ended
                            << " s, where it had ended");
  return {};
}

struct Case {
  std::string name;
  Words words;
  std::string points;  // of the document: the unit of the count
  Words forms{"json", "csv", "svg", "html"};
};

std::vector<Case> cases() {
  std::vector<std::string> rates;
  for (int rate = 1; rate <= 800; ++rate) rates.push_back(fmt::format("{}GB/s", rate));
  return {
      {"latency",
       {"latency", "--gpu", "b580", "--from", "64KiB", "--to", "256KiB", "--points-per-octave", "64", "--timed-loads",
        "3000000", "--compare", "curve.csv"},
       "points"},
      {"bandwidth",
       {"bandwidth", "--gpu", "b580", "--from", "1MiB", "--to", "4MiB", "--points-per-octave", "64", "--timed",
        "64MiB"},
       "points"},
      {"bandwidth --loaded",
       {"bandwidth", "--gpu", "b580", "--loaded", "--footprint", "4MiB", "--timed", "64MiB", "--inject",
        fmt::format("{}", fmt::join(rates, ","))},
       "points"},
      {"sweep",
       {"sweep", "latency", "--gpu", "b580", "--vary", "footprint=64KiB..256KiB:+1KiB", "--timed-loads", "3000000"},
       "points"},
      {"sensitivity",
       {"sensitivity", "latency", "--gpu", "b580", "--footprint", "256KiB", "--timed-loads", "3000000"},
       ""},
      {"compare",
       {"compare", "latency", "--gpu", "b580", "--footprint", "256KiB", "--timed-loads", "3000000", "--change",
        "l2.cache.hit_latency=100clk", "--jobs", "1"},
       ""},
      {"handoff", {"handoff", "--gpu", "mi300x", "--pairs", "0", "--handoffs", "4096"}, "pairs"},
      {"validate", {"validate", "--gpu", "h200"}, "rows", {"json", "csv", "html"}},
      {"run", {"run", "--gpu", "b580", "--kernel", "stream_read,bytes=8GiB"}, ""},
  };
}

}  // namespace

SCENARIO("an_interrupted_result_is_written_in_part_and_marked") {
  int number = SIGINT;
  for (const Case& one : cases()) {
    GIVEN(one.name + " ended by signal " + std::to_string(number)) {
      const Scratch folder;
      folder.write("curve.csv", "footprint_bytes,latency_cycles\n65536,100\n262144,200\n");
      Words words = one.words;
      for (const std::string& form : one.forms) words.insert(words.end(), {"--" + form, "out." + form});
      const Outcome outcome = interrupted_with_something(words, folder, number);
      INFO(outcome.err);
      REQUIRE(outcome.exit_code == exit_interrupted);
      const json::object document = json::parse(folder.read("out.json")).as_object();
      const std::string words_of_it = fmt::format("incomplete: interrupted after {} of {} {}",
                                                  document.at("done").at("done").to_number<std::uint64_t>(),
                                                  document.at("done").at("asked").to_number<std::uint64_t>(),
                                                  document.at("done").at("what").as_string().c_str());
      THEN("the document states it, and has the stated number of results") {
        CHECK(document.at("incomplete").as_bool());
        const auto done = document.at("done").at("done").to_number<std::uint64_t>();
        CHECK(done > 0);
        CHECK(done < document.at("done").at("asked").to_number<std::uint64_t>());
        if (!one.points.empty()) CHECK(document.at(one.points).as_array().size() == done);
        AND_THEN("every other form says the same") {
          CHECK(folder.read("out.csv").starts_with("# " + words_of_it + "\n"));
          for (const std::string& form : one.forms)
            if (form == "svg" || form == "html") CHECK(contains(folder.read("out." + form), words_of_it));
          CHECK(outcome.out.starts_with(words_of_it + "\n"));
          CHECK(contains(outcome.err, "strata: interrupted; "));
        }
        AND_THEN("no temporary is left") { CHECK(folder.names().size() == one.forms.size() + 1); }
      }
    }
    number = number == SIGINT ? SIGTERM : number == SIGTERM ? SIGHUP : SIGINT;
  }
}

SCENARIO("an_interrupted_run_without_an_answer_leaves_files_as_they_were") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    GIVEN("a run whose first point takes hours, over a file of an earlier one, ended by signal " +
          std::to_string(number)) {
      const Scratch folder;
      folder.write("curve.csv", "of an earlier run\n");
      Running program(STRATA_PROGRAM,
                      {"latency", "--gpu", "mi300x", "--from", "1GiB", "--to", "128GiB", "--whole-warm-up", "--csv",
                       "curve.csv", "--json", "curve.json"},
                      folder.path(""));
      REQUIRE(program.catches(number));
      REQUIRE(program.works_for(4));
      WHEN("it is interrupted") {
        program.signal(number);
        const Outcome outcome = program.wait();
        THEN("it ends without waiting for the point, reports the stored points, and has written no output") {
          CHECK(outcome.exit_code == exit_interrupted);
          CHECK(outcome.out.empty());
          CHECK(contains(outcome.err, "strata: interrupted; none of "));
          CHECK(contains(outcome.err, "each named output is unchanged"));
          CHECK(folder.names() == Words{"curve.csv"});
          CHECK(folder.read("curve.csv") == "of an earlier run\n");
        }
      }
    }
  }
}

SCENARIO("a_kernel_that_accesses_nothing_can_be_interrupted") {
  for (const char* gpu : {"b580", "h200"}) {
    GIVEN(std::string("a loop of arithmetic without an end on ") + gpu) {
      const Scratch folder;
      folder.write("loop.yaml",
                   "name: loop\narrays:\n- {name: a, size: 1 MiB}\nbody:\n- loop: i\n  to: 1000000000000\n"
                   "  body:\n  - {op: fp32, to: x}\n");
      Running program(STRATA_PROGRAM, {"run", "--gpu", gpu, "--kernel", "loop.yaml", "--quiet"}, folder.path(""));
      REQUIRE(program.catches(SIGTERM));
      REQUIRE(program.works_for(2));
      program.signal(SIGTERM);
      CHECK(program.wait().exit_code == exit_interrupted);
    }
  }
}

SCENARIO("a_second_interrupt_ends_at_once") {
  GIVEN("an interrupted result written to a pipe without a reader") {
    const Scratch folder;
    REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
    Outcome outcome;
    for (double seconds = 1; seconds < 300; seconds *= 2) {
      Running program(STRATA_PROGRAM,
                      {"latency", "--gpu", "b580", "--from", "64KiB", "--to", "256KiB", "--points-per-octave", "64",
                       "--timed-loads", "3000000", "--quiet", "--csv", "pipe"},
                      folder.path(""));
      REQUIRE(program.catches(SIGINT));
      REQUIRE(program.works_for(seconds));
      program.signal(SIGINT);
      std::this_thread::sleep_for(std::chrono::seconds(2));
      program.signal(SIGINT);
      outcome = program.wait();
      if (!contains(outcome.err, "none of ")) break;
    }
    THEN("it ends by the signal") { CHECK(outcome.exit_code == -SIGINT); }
  }
}

SCENARIO("an_interrupted_trace_record_leaves_no_temporary") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGPIPE}) {
    GIVEN("a trace of 64 GiB under way, ended by signal " + std::to_string(number)) {
      const Scratch folder;
      Running program(STRATA_PROGRAM, {"trace", "record", "stream_read,bytes=64GiB", "big.strace"}, folder.path(""));
      REQUIRE(program.catches(number));
      for (int i = 0; i < 3000 && folder.names().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      REQUIRE(folder.names().size() == 1);
      CHECK(folder.names().front().ends_with(".part"));
      program.signal(number);
      CHECK(program.wait().exit_code == -number);
      CHECK(folder.names().empty());
    }
  }
}

SCENARIO("a_temporary_of_a_dead_process_is_removed_by_the_next_run") {
  GIVEN("one of a process that cannot be, one of this process, and files of like names") {
    const Scratch folder;
    const std::string mine = fmt::format("v.strace.{}.part", ::getpid());
    const Words kept = {mine, "v.strace.part", "v.strace.x.part", "w.strace.999999999.part"};
    folder.write("v.strace.999999999.part", "half a trace");
    for (const std::string& name : kept) folder.write(name, "of another program");
    REQUIRE(strata::test::run(folder, {"trace", "record", "vecadd,n=1000", "v.strace"}).exit_code == 0);
    Words expected = kept;
    expected.emplace_back("v.strace");
    std::sort(expected.begin(), expected.end());
    CHECK(folder.names() == expected);
  }
}
