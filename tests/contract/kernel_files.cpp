// SPDX-License-Identifier: Apache-2.0
// Kernel files on the command line: parameters behind the name, varied by a sweep, and
// what is told of a file that is wrong.
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
  explicit File(const std::string& text) : path(std::filesystem::temp_directory_path() / "strata_kernel_file_test.yaml") { std::ofstream(path) << text; }
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
  const json::value all = answer({"sweep", "run", "--kernel", folder + "transpose.yaml,tiles=2", "--vary", "kernel.pad=0,1", "--vary", "kernel.tiles=1,2"});
  const json::array& points = all.at("points").as_array();
  REQUIRE(points.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(points[i].at("transactions") == 2 * 32 * (i % 2 == 0 ? 1 : 4));
  // Without padding the 32 words of a column are in one bank.
  CHECK(points[1].at("time_ns").to_number<double>() > points[3].at("time_ns").to_number<double>());
  const json::value alone = answer({"run", "--kernel", folder + "transpose.yaml,tiles=2,pad=1"});
  CHECK(points[3].at("time_ns") == alone.at("time_ns"));
}

TEST_CASE("several_kernel_files_are_varied_and_each_takes_the_parameters_that_it_has") {
  const json::value all = answer({"sweep", "run", "--vary", "kernel=" + folder + "transpose.yaml," + folder + "hash-join.yaml", "--vary", "kernel.tiles=1,2", "--vary",
                                  "kernel.tuples=256"});
  const json::array& points = all.at("points").as_array();
  REQUIRE(points.size() == 4);
  CHECK(points[0].at("transactions") == 64);
  CHECK(points[1].at("transactions") == 256);
  CHECK(points[2].at("time_ns") == points[3].at("time_ns"));
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
  CHECK(refusal({"run", "--kernel", file + ",pda=9"}) == "--kernel:1:1: there is no parameter 'pda' (did you mean 'pad'?)\n");
  CHECK(refusal({"sweep", "run", "--kernel", file, "--vary", "kernel.pad=1,99"}) == "--vary kernel.pad=99: 'pad' must be 0 to 32, not '99'\n");
  CHECK(refusal({"sweep", "run", "--kernel", file, "--vary", "kernel.pda=1"}).find("(did you mean 'kernel.pad'?)") != std::string::npos);
}

TEST_CASE("an_index_outside_its_array_is_told_by_run_and_by_check") {
  const File file("name: k\nblocks: 8\nthreads: 32\narrays: [{name: a, size: 1 KiB}]\nbody:\n- {op: load, array: a, index: block * 64 + thread}\n");
  const std::string message = file.path.string() + ":6:31: 'block * 64 + thread' is 256 as the index of 'a', which has 256 elements of 4 B, in block 4, thread 0 ";
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
  CHECK(outcome.out.find("kernel of " + std::to_string(64 * 8 * warp) + " warp instructions, all valid") != std::string::npos);
}
