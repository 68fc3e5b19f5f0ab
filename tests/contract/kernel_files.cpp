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

const std::string folder = std::string(STRATA_SOURCE_DIR) + "/docs/guide/kernels/";

json::value answer(std::vector<std::string> words) {
  words.insert(words.end(), {"--gpu", "b580", "--quiet", "--json", "-"});
  const Outcome outcome = run(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out);
}

// A file that is gone afterwards.
struct File {
  explicit File(const std::string& text)
      : path(std::filesystem::temp_directory_path() / "strata_kernel_file_test.yaml") {
    std::ofstream(path) << text;
  }
  File(const File&) = delete;
  ~File() { std::filesystem::remove(path); }
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
