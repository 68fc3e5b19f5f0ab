// SPDX-License-Identifier: Apache-2.0
// Kernel files on the command line: parameters after the name, varied by a sweep, and the
// messages for an invalid file.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;

using Words = std::vector<std::string>;

const std::string folder = std::string(STRATA_SOURCE_DIR) + "/docs/guide/kernels/";

json::value answer(std::vector<std::string> words) {
  words.insert(words.end(), {"--gpu", "b580", "--quiet", "--json", "-"});
  const Outcome outcome = run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out);
}

// A file in a folder of its own, gone afterwards: tests run in parallel.
struct File {
  explicit File(const std::string& text) : path(own_folder.path("kernel.yaml")) { std::ofstream(path) << text; }
  strata::test::Scratch own_folder;
  std::filesystem::path path;
};

}  // namespace

TEST_CASE("parameters_of_a_kernel_file_are_set_behind_its_name") {
  // A tile of 32 x 32 words is read and written in 32 lines of 128 B each.
  for (const int tiles : {1, 3}) {
    const json::value one = answer({"run", "--kernel", folder + "transpose.yaml,tiles=" + std::to_string(tiles)});
    CHECK(one.at("transactions") == 2 * 32 * tiles * tiles);
  }
}

TEST_CASE("a_sweep_varies_the_parameters_of_a_kernel_file") {
  const json::value all = answer({"sweep", "run", "--kernel", folder + "transpose.yaml,tiles=2", "--vary",
                                  "kernel.pad=0,1", "--vary", "kernel.tiles=1,2"});
  const json::array& points = all.at("points").as_array();
  REQUIRE(points.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(points[i].at("transactions") == 2 * 32 * (i % 2 == 0 ? 1 : 4));
  // Without padding the 32 words of a column are in one bank.
  CHECK(points[1].at("time_ns").to_number<double>() > points[3].at("time_ns").to_number<double>());
  const json::value alone = answer({"run", "--kernel", folder + "transpose.yaml,tiles=2,pad=1"});
  CHECK(points[3].at("time_ns") == alone.at("time_ns"));
}

TEST_CASE("several_kernel_files_are_varied_each_with_its_parameters") {
  const json::value all = answer({"sweep", "run", "--vary",
                                  "kernel=" + folder + "transpose.yaml,tiles=1," + folder + "transpose.yaml,tiles=2," +
                                      folder + "hash-join.yaml,tuples=256"});
  const json::array& points = all.at("points").as_array();
  REQUIRE(points.size() == 3);
  CHECK(points[0].at("transactions") == 64);
  CHECK(points[1].at("transactions") == 256);
  const json::value alone = answer({"run", "--kernel", folder + "hash-join.yaml,tuples=256"});
  CHECK(points[2].at("time_ns") == alone.at("time_ns"));
}

TEST_CASE("wrong_parameters_of_a_kernel_file_are_refused_with_what_is_allowed") {
  const auto refusal = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--gpu", "b580", "--quiet"});
    const Outcome outcome = run(words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  const std::string file = folder + "transpose.yaml";
  CHECK(refusal({"run", "--kernel", file + ",pad=99"}) == "--kernel:1:5: 'pad' must be 0 to 32, not '99'\n");
  CHECK(refusal({"run", "--kernel", file + ",pda=9"}) ==
        "--kernel:1:1: there is no parameter 'pda' (did you mean 'pad'?)\n");
  CHECK(refusal({"sweep", "run", "--kernel", file, "--vary", "kernel.pad=1,99"}) ==
        "--vary kernel.pad=99: 'pad' must be 0 to 32, not '99'\n"
        "--vary: 1 of 2 points are refused, so none is run (--skip-refused runs the others)\n");
  CHECK(refusal({"sweep", "run", "--kernel", file, "--vary", "kernel.pda=1"}).find("(did you mean 'kernel.pad'?)") !=
        std::string::npos);
}

// FP64 lanes of an A100: 32 an SM. 60 000 of a warp that nothing waits for take 60 000 x 4 clocks of its scheduler.
TEST_CASE("repeated_arithmetic_takes_the_time_of_its_pipe_even_if_nothing_reads_it") {
  const File file("name: k\nblocks: 108\nthreads: 128\nbody:\n- {op: fp64, to: y, flops: 2, count: 60000}\n");
  const Outcome outcome = run({"run", "--gpu", "a100", "--kernel", file.path.string(), "--quiet", "--json", "-"});
  REQUIRE(outcome.exit_code == 0);
  const double cycles = json::parse(outcome.out).at("kernels").at(0).at("cycles").to_number<double>();
  CHECK(cycles > 240'000);
  CHECK(cycles < 244'000);
}

TEST_CASE("atomics_that_no_cache_performs_are_refused_and_those_passed_on_are_no_hits") {
  const File file(
      "name: k\nblocks: 64\nthreads: 256\narrays: [{name: a, size: 64 KiB}]\nbody:\n- {op: atomic, array: a, index: "
      "block * 256 + thread}\n");
  const Outcome refused =
      run({"run", "--gpu", "mi300x", "--kernel", file.path.string(), "--quiet", "--set", "memory_side_cache=none"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("a warp performs an atomic on global memory, and no cache performs atomics") !=
        std::string::npos);
  // 512 lines, each from memory once, by the Infinity Cache.
  const Outcome passed = run({"run", "--gpu", "mi300x", "--kernel", file.path.string(), "--quiet", "--json", "-"});
  REQUIRE(passed.exit_code == 0);
  const json::array levels = json::parse(passed.out).at("kernels").at(0).at("levels").as_array();
  REQUIRE(levels.size() == 4);
  CHECK(levels[1].at("name") == "L2");
  CHECK(levels[1].at("requests") == 512);
  CHECK(levels[1].at("hit_rate").to_number<double>() == 0.0);
}

TEST_CASE("what_a_gpu_makes_of_a_kernel_is_noted") {
  const File file(
      "name: k\nthreads: 32\narrays: [{name: a, size: 4 KiB}]\nbody:\n- {op: load, array: a, past_l1: true}\n");
  const std::string note =
      "note: kernel 'k' has loads with past_l1, and loads cannot bypass the L1 of Intel Arc B580 "
      "(l1.cache.bypass_cg is false)\n";
  const Outcome outcome = run({"run", "--gpu", "b580", "--kernel", file.path.string(), "--quiet"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == note);
  CHECK(run({"run", "--gpu", "h200", "--kernel", file.path.string(), "--quiet"}).err.empty());
  const Outcome swept =
      run({"sweep", "--question", "run", "--vary", "gpu=h200,b580", "--kernel", file.path.string(), "--quiet"});
  CHECK(swept.exit_code == 0);
  CHECK(swept.err == note);
  // A load of shared memory passes no L1, and a store is no load.
  const File others(
      "name: k\nthreads: 32\narrays: [{name: a, size: 4 KiB}, {name: s, size: 4 KiB, shared: true}]\nbody:\n- {op: "
      "load, "
      "array: s, past_l1: true}\n- {op: store, array: a, past_l1: true}\n");
  CHECK(run({"run", "--gpu", "b580", "--kernel", others.path.string(), "--quiet"}).err.empty());
}

// 64 lanes of MI300X make four warps of 256 threads, 32 lanes of other machines eight.
TEST_CASE("a_sweep_checks_a_kernel_with_the_warps_of_each_gpu") {
  const File file(
      "name: k\nthreads: 256\narrays: [{name: a, size: 1 KiB}]\nbody:\n- {op: load, array: a, index: warp * 64 + "
      "lane}\n");
  const Outcome outcome = run({"sweep", "run", "--kernel", file.path.string(), "--vary", "gpu=mi300x,h200", "--quiet",
                               "--skip-refused", "--csv", "-"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("\nmi300x,") != std::string::npos);
  CHECK(outcome.out.find("\nh200,") == std::string::npos);
}

TEST_CASE("a_point_that_is_refused_as_it_runs_is_skipped") {
  const File file(
      "name: k\nthreads: 64\narrays: [{name: a, size: 1 KiB}]\nbody:\n- {op: atomic, array: a, index: thread}\n");
  const Words sweep{"sweep",    "run",
                    "--gpu",    "mi300x",
                    "--kernel", file.path.string(),
                    "--vary",   "memory_side_cache.cache.performs_atomics=false,true",
                    "--quiet",  "--csv",
                    "-"};
  CHECK(run(sweep).exit_code == 2);
  Words skipping = sweep;
  skipping.emplace_back("--skip-refused");
  const Outcome skipped = run(skipping);
  CHECK(skipped.exit_code == 0);
  CHECK(skipped.out.find("\ntrue,") != std::string::npos);
  CHECK(skipped.out.find("\nfalse,") == std::string::npos);
  CHECK(skipped.err.find("skipped: --vary memory_side_cache.cache.performs_atomics=false: a warp performs an atomic") !=
        std::string::npos);
}

TEST_CASE("a_sweep_skips_values_of_a_parameter_with_which_an_index_is_outside") {
  const File file(
      "name: k\nparameters: {n: 64}\nthreads: 64\narrays: [{name: a, size: 4 * n}]\nbody:\n- {op: load, array: a, "
      "index: thread}\n");
  const std::string kernel = file.path.string();
  const Outcome checked = run({"check", kernel + ",n=32"});
  CHECK(checked.exit_code == 2);
  CHECK(checked.err.find("'thread' is 32 as the index of 'a'") != std::string::npos);
  CHECK(run({"check", kernel + ",n=128"}).exit_code == 0);
  const Words sweep{"sweep", "run", "--gpu", "b580", "--kernel", kernel, "--vary", "kernel.n=32,64", "--quiet"};
  CHECK(run(sweep).exit_code == 2);
  Words skipping = sweep;
  skipping.insert(skipping.end(), {"--skip-refused", "--csv", "-"});
  const Outcome skipped = run(skipping);
  CHECK(skipped.exit_code == 0);
  CHECK(skipped.out.find("\n64,") != std::string::npos);
  CHECK(skipped.out.find("\n32,") == std::string::npos);
  CHECK(skipped.err.find("skipped: ") != std::string::npos);
}

TEST_CASE("an_index_outside_its_array_is_reported_by_run_and_by_check") {
  const File file(
      "name: k\nblocks: 8\nthreads: 32\narrays: [{name: a, size: 1 KiB}]\nbody:\n- {op: load, array: a, index: block * "
      "64 + thread}\n");
  const std::string message =
      file.path.string() +
      ":6:31: 'block * 64 + thread' is 256 as the index of 'a', which has 256 elements of 4 B, in block 4, thread 0 ";
  const Outcome checked = run({"check", file.path.string()});
  CHECK(checked.exit_code == 2);
  CHECK(checked.err.find(message) == 0);
  const Outcome ran = run({"run", "--gpu", "b580", "--quiet", "--kernel", file.path.string()});
  CHECK(ran.exit_code == 2);
  CHECK(ran.out.empty());
  CHECK(ran.err.find("as the index of 'a', which has 256 elements of 4 B, in block ") != std::string::npos);
}

TEST_CASE("check_goes_through_a_kernel_file") {
  const Outcome outcome = run({"check", folder + "attention.yaml", folder + "convolution.yaml"});
  CHECK(outcome.exit_code == 0);
  // 64 blocks of 8 warps: 4 steps and 2 branches for Q; each of 8 tiles 4 and 2 for K, 2 barriers, 8 x (2 + 64 + 1)
  // and a branch; the body's branch and the exit.
  const int warp = 6 + 8 * (6 + 2 + 8 * 67 + 1) + 2;
  CHECK(outcome.out.find("kernel of " + std::to_string(64 * 8 * warp) + " warp instructions, all valid") !=
        std::string::npos);
}

// One block on core 0 of two dies, each with its memory: 64 consecutive loads that miss, and 30 ns more each
// way to the other die.
TEST_CASE("an_array_is_placed_in_the_memory_die_that_the_kernel_names") {
  const auto text = [](const char* die) {
    return std::string("name: one\nblocks: 1\nthreads: 1\narrays:\n- {name: a, size: 1 MiB, memory_die: ") + die +
           "}\nloop: 64\nbody:\n- {op: load, array: a, width: 4, index: \"1024*iteration\", to: x}\n- {op: integer, "
           "from: [x], to: y}\n";
  };
  const auto nanoseconds = [&](const char* die) {
    const File file(text(die));
    const Outcome outcome =
        run({"run", "--gpu", "lesson-domains", "--kernel", file.path.string(), "--quiet", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(outcome.out).at("time_ns").to_number<double>();
  };
  CHECK(nanoseconds("1") - nanoseconds("0") == Approx(64 * 60).epsilon(0.02));
  const auto refused = [&](const char* gpu, const char* die) {
    const File file(text(die));
    const Outcome outcome = run({"run", "--gpu", gpu, "--kernel", file.path.string(), "--quiet"});
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(
      refused("b580", "0")
          .find("an array is placed in memory die 0, but the memory of Intel Arc B580 is interleaved over its dies") !=
      std::string::npos);
  CHECK(refused("lesson-domains", "2")
            .find("an array is placed in memory die 2, but the machine of two memory domains has 2") !=
        std::string::npos);
}

TEST_CASE("pages_are_placed_at_the_die_of_the_first_access") {
  const auto latency = [](const std::string& placement) {
    const Outcome outcome = run({"latency", "--gpu", "lesson-domains", "--from", "16KiB", "--to", "16KiB", "--set",
                                 "pages.placement=" + placement, "--order", "ascending", "--quiet", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(outcome.out).at("points").at(0).at("latency_ns").to_number<double>();
  };
  // From core 0 all of it is near; striped, every other page of 4 KiB is 60 ns farther.
  CHECK(latency("first_touch") == latency("contiguous"));
  CHECK(latency("striped") == Approx(latency("contiguous") + 30));
  const Outcome far = run({"latency", "--gpu", "lesson-domains", "--from", "16KiB", "--to", "16KiB", "--set",
                           "pages.placement=first_touch", "--home", "far"});
  CHECK(far.exit_code == 2);
  CHECK(far.err.find("no line of them is far from it") != std::string::npos);
  const Outcome none = run({"check", "b580", "--set", "pages.placement=striped"});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("set memory.interleave=per_die, or pages.placement=scattered") != std::string::npos);
}
