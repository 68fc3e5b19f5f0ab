// SPDX-License-Identifier: Apache-2.0
// strata run --sampled: a part of a kernel represents all of it, within the reported spread;
// otherwise the kernel is run completely and the output states why.
#include <algorithm>
#include <cmath>

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

json::object document(Words arguments) {
  arguments.insert(arguments.end(), {"--quiet", "--json", "-"});
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

// A B580 of four cores, which hold 32 blocks of the kernels below, with a last cache of 1056 KiB.
Words question(const std::string& kernel) {
  return {"run", "--gpu", "b580", "--set", "dies.cores_per_die=4", "--set", "l2.capacity=1056KiB", "--kernel", kernel};
}
const json::object& only(const json::object& run) { return run.at("kernels").as_array().at(0).as_object(); }
double number(const json::object& kernel, const char* field) { return kernel.at(field).to_number<double>(); }

}  // namespace

SCENARIO("sweeps_and_comparisons_say_which_times_are_estimates") {
  const auto table_of = [](Words arguments) {
    const Outcome outcome = run(with(arguments, {"--quiet", "--csv", "-"}));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  Words sweep = question("stream_read,bytes=16MiB");
  sweep.insert(sweep.begin(), "sweep");
  const std::string whole = table_of(with(sweep, {"--vary", "kernel.bytes=64KiB"}));
  CHECK(whole.find("sampling") == std::string::npos);
  const std::string part = table_of(with(sweep, {"--sampled", "--vary", "kernel.bytes=64KiB,16MiB"}));
  CHECK(part.find(",sampling,") != std::string::npos);
  CHECK(part.find(",run whole,") != std::string::npos);
  CHECK(part.find("\"estimate from ") != std::string::npos);
  Words compare = question("stream_read,bytes=16MiB");
  compare.insert(compare.begin(), "compare");
  compare = with(compare, {"--change", "memory.latency=40ns"});
  CHECK(table_of(compare).find("sampling") == std::string::npos);
  CHECK(table_of(with(compare, {"--sampled"})).find("words,sampling,,\"estimate from ") != std::string::npos);
}

SCENARIO("a_sampled_kernel_estimates_the_whole") {
  for (const char* kernel : {"stream_read,bytes=16MiB", "vecadd,n=2097152", "copy,bytes=16MiB"}) {
    GIVEN(std::string(kernel) + ", many times the last cache, whole and in part") {
      const json::object whole_run = document(question(kernel));
      const json::object part_run = document(with(question(kernel), {"--sampled"}));
      const json::object& whole = only(whole_run);
      const json::object& part = only(part_run);
      CHECK_FALSE(whole.contains("sampled"));
      const json::object& sampled = part.at("sampled").as_object();
      CHECK_FALSE(sampled.at("whole").as_bool());
      THEN("half of the blocks or fewer are run, and the time is right within 5 % and the spread") {
        CHECK(number(sampled, "blocks_run") < number(whole, "blocks") / 2);
        const double error = number(part, "time_ns") / number(whole, "time_ns") - 1;
        INFO("error " << error << ", spread " << number(sampled, "spread"));
        CHECK(std::abs(error) < std::min(0.05, number(sampled, "spread")));
        CHECK(number(part_run, "time_ns") == number(part, "time_ns"));
        CHECK(number(sampled, "time_run_ns") < number(part, "time_ns") / 2);
      }
      THEN("counters are those of the whole kernel") {
        CHECK(part.at("blocks") == whole.at("blocks"));
        CHECK(number(part, "warp_instructions") == Approx(number(whole, "warp_instructions")).epsilon(1e-5));
        CHECK(number(part, "transactions") == Approx(number(whole, "transactions")).epsilon(0.01));
        const json::object& written = part.at("dram").as_object();
        const json::object& expected = whole.at("dram").as_object();
        // A window of one small cache: reads and write-backs alternate in it.
        CHECK(number(written, "bytes_read") == Approx(number(expected, "bytes_read")).epsilon(0.1));
        CHECK(number(written, "bytes_written") == Approx(number(expected, "bytes_written")).epsilon(0.1).margin(1));
        CHECK(number(written, "bus_utilisation") == Approx(number(expected, "bus_utilisation")).epsilon(0.03));
      }
    }
  }
}

SCENARIO("blocks_at_the_edge_of_a_domain_are_counted_for_what_they_are") {
  GIVEN("a stencil, whose first and last planes of blocks do nothing, in part") {
    const json::object whole_run = document(question("stencil7,n=128"));
    const json::object part_run = document(with(question("stencil7,n=128"), {"--sampled"}));
    const json::object& whole = only(whole_run);
    const json::object& part = only(part_run);
    const json::object& sampled = part.at("sampled").as_object();
    REQUIRE_FALSE(sampled.at("whole").as_bool());
    CHECK(number(sampled, "blocks_run") < number(whole, "blocks") / 2);
    CHECK(number(part, "warp_instructions") == Approx(number(whole, "warp_instructions")).epsilon(1e-5));
    CHECK(std::abs(number(part, "time_ns") / number(whole, "time_ns") - 1) < number(sampled, "spread"));
  }
}

SCENARIO("a_sampled_kernel_runs_the_requested_share") {
  const json::object part_run = document(with(question("stream_read,bytes=16MiB"), {"--sampled=0.6"}));
  const json::object& part = only(part_run);
  CHECK(number(part.at("sampled").as_object(), "blocks_run") >= 0.6 * number(part, "blocks"));
  CHECK(number(part.at("sampled").as_object(), "blocks_run") < number(part, "blocks"));
}

SCENARIO("a_kernel_too_small_to_be_sampled_is_run_completely_with_a_note") {
  struct Case {
    std::string kernel;
    std::string why;
    Words more{};  // one core holds 8 blocks, so that a window is found early
  };
  for (const Case& one :
       {Case{"stream_read,bytes=64KiB", "blocks, under 128"},
        Case{"atomic_add,n=65536,addresses=64", "all of its blocks had begun"},
        Case{"stream_read,bytes=4096KiB", "less than 4 times the last cache", {"--set", "dies.cores_per_die=1"}}}) {
    GIVEN(one.kernel) {
      const json::object whole_run = document(with(question(one.kernel), one.more));
      const json::object asked_run = document(with(with(question(one.kernel), one.more), {"--sampled"}));
      const json::object& sampled = only(asked_run).at("sampled").as_object();
      CHECK(sampled.at("whole").as_bool());
      CHECK_THAT(std::string(sampled.at("because").as_string()), Catch::Matchers::Contains(one.why));
      CHECK(asked_run.at("fingerprint") == whole_run.at("fingerprint"));
      CHECK(asked_run.at("time_ns") == whole_run.at("time_ns"));
    }
  }
}

SCENARIO("every_form_of_an_estimate_says_that_it_is_one") {
  const Scratch folder;
  const Outcome outcome =
      run(folder, with(question("stream_read,bytes=16MiB"),
                       {"--sampled", "--csv", "run.csv", "--html", "run.html", "--svg", "run.svg"}));
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, Catch::Matchers::Contains("estimate") && Catch::Matchers::Contains("to either side"));
  CHECK_THAT(folder.read("run.csv"), Catch::Matchers::Contains(",blocks_run,spread\n"));
  CHECK_THAT(folder.read("run.html"), Catch::Matchers::Contains("is an estimate"));
  CHECK_THAT(folder.read("run.svg"), Catch::Matchers::Contains("estimated"));
}

SCENARIO("a_sample_that_cannot_be_taken_is_refused") {
  const auto refused = [](const Words& words, const std::string& why) {
    const Outcome outcome = run(words);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find(why) != std::string::npos);
  };
  refused(with(question("stream_read,bytes=1MiB"), {"--sampled=1.5"}), "--sampled");
  refused(with(question("stream_read,bytes=1MiB"), {"--sampled", "--caches", "warm", "--repeat", "2"}),
          "--caches warm");
}
