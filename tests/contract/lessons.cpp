// SPDX-License-Identifier: Apache-2.0
// The lessons: their machines, and agreement of the simulator with results computed by hand.
// Expected numbers are written as those sums, from the settings of configs/lessons.
#include <filesystem>
#include <boost/json.hpp>

#include "catch.hpp"
#include "config/effective.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/spec.hpp"
#include "program.hpp"

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::source_text;
using strata::test::Words;

// Latencies of the small machine in cycles of 1 ns.
constexpr double l1_hit = 1 + 9;
constexpr double l2_hit = 1 + 2 + 10 + 15 + 10 + 2;
constexpr double way_to_memory = 1 + 2 + 10 + 5 + 5 + 10 + 2;
constexpr double open_row = way_to_memory + 1 + 10 + 2 + 52;  // a command, CL, a burst, the controller
constexpr double closed_row = open_row + 10;                  // ACT
constexpr double other_row = closed_row + 20;                 // PRE, ACT

json::object answer(Words words) {
  words.insert(words.end(), {"--json", "-"});
  if (words.front() != "explain") words.emplace_back("--quiet");
  const Outcome outcome = run(words);
  CAPTURE(words, outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

double latency(const std::string& footprint, const Words& more, const std::string& gpu = "lesson-small") {
  Words words{"latency", "--gpu", gpu, "--from", footprint, "--to", footprint};
  words.insert(words.end(), more.begin(), more.end());
  return answer(words).at("points").at(0).at("latency_cycles").to_number<double>();
}

json::object kernel(const std::string& option, const std::string& what, const Words& more = {}) {
  Words words{"run", "--gpu", "lesson-small", option, what};
  words.insert(words.end(), more.begin(), more.end());
  return answer(words).at("kernels").at(0).as_object();
}

double number(const json::object& object, std::string_view name) { return object.at(name).to_number<double>(); }

std::string in_tree(const std::string& file) { return (fs::path(STRATA_SOURCE_DIR) / "docs/lessons" / file).string(); }

const Words ascending{"--order", "ascending"};

}  // namespace

TEST_CASE("machines_of_lessons_are_valid_have_provenance_and_are_no_gpus") {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  REQUIRE(library.lessons().size() >= 2);
  const std::string listed = run({"list", "gpus"}).out;
  for (const std::string& name : library.lessons()) {
    INFO(name);
    CHECK(library.comes_along(name));
    CHECK(listed.find(name) == std::string::npos);
    const auto loaded = strata::config::load<strata::machine::MachineSpec>(library.gpu(name), library.configurations());
    CHECK(strata::config::numbers_without_provenance(loaded.effective()).empty());
    const Outcome outcome = run({"check", name});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());  // their values are meant: none is reported as unread
  }
  CHECK_FALSE(library.comes_along("lesson-none"));
  CHECK_FALSE(library.comes_along("configs/lessons/lesson-small.yaml"));
}

TEST_CASE("every_lesson_has_its_parts_answers_and_a_place_in_the_index") {
  const std::string index = source_text("docs/lessons/README.md");
  std::size_t lessons = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(in_tree(""))) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".md" || name == "README.md") continue;
    INFO(name);
    ++lessons;
    CHECK(index.find("(" + name + ")") != std::string::npos);
    CHECK(index.find("(teacher/" + name.substr(0, 2) + ".md)") != std::string::npos);
    const std::string page = source_text("docs/lessons/" + name);
    const std::string answers = source_text("docs/lessons/teacher/" + name.substr(0, 2) + ".md");
    for (const char* part : {"**Goal.**", "**Time.**", "**Question 1.**", "<!-- figures: "}) {
      INFO(part);
      CHECK(page.find(part) != std::string::npos);
    }
    CHECK(answers.find("## Pitfalls") != std::string::npos);
    int question = 1;
    while (page.find("**Question " + std::to_string(question) + ".**") != std::string::npos) {
      INFO("answer " << question);
      CHECK(answers.find("\n" + std::to_string(question) + ". ") != std::string::npos);
      ++question;
    }
    CHECK(answers.find("\n" + std::to_string(question) + ". ") == std::string::npos);
  }
  CHECK(lessons >= 3);
}

TEST_CASE("lesson_1_plateaus_are_sums_of_stages") {
  CHECK(latency("1KiB", {}) == Approx(l1_hit));
  CHECK(latency("2KiB", {}) == Approx(l2_hit));
  CHECK(latency("4KiB", {}) == Approx(l2_hit));
  CHECK(latency("2KiB", {"--set", "l2.cache.hit_latency=25clk"}) == Approx(l2_hit + 10));
  CHECK(number(answer({"explain", "--gpu", "lesson-small", "--address", "0"}), "total_cycles") == Approx(closed_row));
}

TEST_CASE("lesson_2_sets_evict_the_line_of_the_answer_sheet") {
  const json::object lru = kernel("--trace", in_tree("six-loads.txt"));
  CHECK(number(lru, "cycles") == Approx(closed_row + open_row + l1_hit + other_row + l1_hit + l2_hit));
  CHECK(number(lru.at("levels").at(0).as_object(), "hits") == 2);
  const json::object fifo = kernel("--trace", in_tree("six-loads.txt"), {"--set", "l1.cache.replacement=fifo"});
  CHECK(number(fifo, "cycles") == Approx(closed_row + open_row + l1_hit + other_row + l2_hit + l2_hit));
  CHECK(number(fifo.at("levels").at(0).as_object(), "hits") == 1);
  for (const int ways : {1, 2, 4, 8}) {
    INFO(ways);
    CHECK(latency("1152B", {"--order", "ascending", "--set", "l1.cache.ways=" + std::to_string(ways)}) ==
          Approx(((8 - ways) * l1_hit + (ways + 1) * l2_hit) / 9).epsilon(1e-4));  // the loads timed are no whole laps
  }
  CHECK(latency("1536B", {"--stride", "512B"}) == Approx(l2_hit));
  CHECK(latency("1536B", {"--stride", "512B", "--set", "l1.cache.ways=4"}) == Approx(l1_hit));
  CHECK(latency("4KiB", {"--stride", "1KiB"}) == Approx(l2_hit));
  CHECK(latency("5KiB", {"--stride", "1KiB", "--order", "ascending"}) == Approx(other_row));
}

TEST_CASE("lesson_3_lines_sectors_and_bursts_are_those_of_the_addresses") {
  const struct {
    const char* file;
    int lines, sectors;
  } rows[] = {{"stride-4.yaml", 1, 4},
              {"offset-4.yaml", 2, 5},
              {"stride-8.yaml", 2, 8},
              {"stride-32.yaml", 8, 32},
              {"stride-128.yaml", 32, 32}};
  for (const auto& row : rows) {
    INFO(row.file);
    const json::object of = kernel("--kernel", in_tree(row.file));
    CHECK(number(of, "transactions") == row.lines);
    CHECK(number(of, "sectors") == row.sectors);
    CHECK(number(of.at("dram").as_object(), "bytes_read") == 32 * row.sectors);
    if (row.lines <= 8) CHECK(number(of, "cycles") == Approx(closed_row + 2 * (row.sectors - 1)));
    // Four rounds; each except the first finds another row open.
    if (row.lines == 32) CHECK(number(of, "cycles") == Approx(closed_row + 3 * other_row).margin(10));
  }
  const json::object whole =
      kernel("--kernel", in_tree("stride-128.yaml"),
             {"--set", "l1.cache.fill_granularity=128B", "--set", "l2.cache.fill_granularity=128B"});
  CHECK(number(whole.at("dram").as_object(), "bytes_read") == 4096);
}

TEST_CASE("lesson_4_passes_are_the_common_divisor_of_stride_and_banks") {
  const int passes[][2] = {{0, 1}, {1, 1}, {2, 2}, {3, 1}, {8, 8}, {31, 1}, {32, 32}};
  for (const auto& [stride, count] : passes) {
    INFO(stride);
    CHECK(
        number(kernel("--kernel", "shared_stride,threads=32,loads=64,dependent=true,stride=" + std::to_string(stride)),
               "cycles") == Approx(64 * (10 + count - 1)));
  }
}

TEST_CASE("lesson_5_a_tlb_miss_adds_its_walk") {
  constexpr double miss = 10 + 40;
  CHECK(latency("16KiB", {"--stride", "4KiB"}, "lesson-tlb") == Approx(l2_hit));
  CHECK(latency("20KiB", {"--stride", "4KiB", "--order", "ascending"}, "lesson-tlb") == Approx(l2_hit + miss));
  CHECK(latency("20KiB", ascending, "lesson-tlb") == Approx(l2_hit + miss / 32).epsilon(1e-3));
  CHECK(latency("64KiB", {}, "lesson-tlb") == Approx(l2_hit + miss * 3 / 4).epsilon(0.02));
}

TEST_CASE("lesson_6_an_order_of_accesses_has_its_share_of_row_hits") {
  const std::string closed = "memory.channel.controller.page_policy=closed";
  CHECK(latency("8KiB", ascending) == Approx((other_row + 7 * open_row) / 8));
  CHECK(latency("8KiB", {"--order", "ascending", "--stride", "1KiB"}) == Approx(other_row));
  CHECK(latency("8KiB", {"--order", "ascending", "--set", closed}) == Approx(closed_row));
  CHECK(latency("8KiB", {"--set", closed}) == Approx(closed_row));
  CHECK(latency("8KiB", {"--set", "memory.channel.organisation.banks_per_group=8", "--set",
                         "memory.channel.address_map.order=column bank row"}) == Approx(open_row));
}

TEST_CASE("lesson_7_bandwidth_times_latency_is_the_bytes_in_flight") {
  for (const int warps : {1, 2, 4, 8}) {
    INFO(warps);
    const json::object point = answer({"bandwidth", "--gpu", "lesson-small", "--footprint", "64KiB", "--unroll", "1",
                                       "--width", "4", "--warps", std::to_string(warps)})
                                   .at("points")
                                   .at(0)
                                   .as_object();
    // Three bursts more than one sector takes; w of eight loads wait for a new row.
    const double mean = open_row + 3 * 2 + warps * (other_row - open_row) / 8;
    CHECK(number(point, "mean_latency_ns") == Approx(mean));
    CHECK(number(point, "bytes_per_second") * mean * 1e-9 == Approx(128.0 * warps).epsilon(1e-3));
  }
}

TEST_CASE("lesson_8_passes_are_those_of_the_busiest_word_of_each_sector") {
  const auto cycles = [](const std::string& parameters) {
    return number(kernel("--kernel", in_tree("atomics.yaml") + "," + parameters), "cycles");
  };
  constexpr double one_turn = l2_hit - 2;  // no fill of the L1
  constexpr double cold = closed_row - l2_hit;
  const struct {
    const char* parameters;
    int turns, sectors;  // sectors of the first line
  } rows[] = {{"words=1", 32, 1}, {"words=2", 16, 1},         {"words=8", 4, 1},
              {"words=32", 4, 4}, {"words=8,apart=8", 32, 4}, {"lanes=1", 1, 1}};
  for (const auto& row : rows) {
    INFO(row.parameters);
    CHECK(cycles(row.parameters) == Approx(64 * (one_turn + row.turns - 1) + cold + 2 * (row.sectors - 1)));
  }
  const auto added = [](int addresses, int repeats) {
    return number(kernel("--kernel", "atomic_add,n=32,addresses=" + std::to_string(addresses) +
                                         ",repeats=" + std::to_string(repeats)),
                  "cycles");
  };
  CHECK(added(1, 128) - added(1, 64) == 64 * 32);
  CHECK(added(2, 128) - added(2, 64) == 64 * 16);
}
