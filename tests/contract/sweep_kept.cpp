// SPDX-License-Identifier: Apache-2.0
// sweep --out: the stored results equal those of a run, complete and without duplicates, regardless
// of how the storing runs ended.
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using strata::test::contains;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Running;
using strata::test::Scratch;
using strata::test::Words;

// Short chases on a B580: a point for each footprint.
Words chases(const std::string& footprints, Words more = {}) {
  Words words{"sweep", "--gpu", "b580", "--timed-loads", "256", "--csv", "-", "--vary", "footprint=" + footprints};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kept{"--out", "kept"};

std::vector<std::string> lines(const Scratch& folder) {
  std::vector<std::string> all;
  if (!fs::exists(folder.path("kept"))) return all;
  for (const auto& entry : fs::directory_iterator(folder.path("kept"))) {
    std::istringstream text(folder.read("kept/" + entry.path().filename().string()));
    for (std::string line; std::getline(text, line);) all.push_back(line);
  }
  return all;
}

// Of how many points there are answers; no point may have two.
std::size_t points(const Scratch& folder) {
  std::set<std::string> names;
  for (const std::string& line : lines(folder)) names.emplace(json::parse(line).at("point").as_string());
  CHECK(names.size() == lines(folder).size());
  return names.size();
}

std::string only_file(const Scratch& folder) {
  const fs::directory_iterator first(folder.path("kept"));
  return "kept/" + first->path().filename().string();
}

}  // namespace

SCENARIO("a_finished_sweep_is_answered_from_its_directory") {
  GIVEN("a sweep of three points that kept its answers") {
    const Scratch folder;
    const Outcome first = run(folder, chases("16KiB,1MiB,2MiB", kept));
    REQUIRE(first.exit_code == 0);
    CHECK(first.out == run(chases("16KiB,1MiB,2MiB")).out);
    CHECK(points(folder) == 3);
    WHEN("the same is asked again") {
      const Outcome again = run(folder, chases("16KiB,1MiB,2MiB", kept));
      THEN("it is the same answer, and nothing was run") {
        CHECK(again.out == first.out);
        CHECK(contains(again.err, "3 of 3 points are in kept already"));
        CHECK(points(folder) == 3);
      }
    }
    WHEN("one footprint is added") {
      const Outcome wider = run(folder, chases("16KiB,512KiB,1MiB,2MiB", kept));
      THEN("one point is run, and the answer is that of a sweep of four") {
        CHECK(contains(wider.err, "3 of 4 points are in kept already"));
        CHECK(wider.out == run(chases("16KiB,512KiB,1MiB,2MiB")).out);
        CHECK(points(folder) == 4);
      }
    }
    for (const Words& more : {Words{"--set", "l1.cache.hit_latency=99clk"}, Words{"--stride", "256B"}})
      WHEN("the machine or the question is another one: " + more.back()) {
        Words words = kept;
        words.insert(words.end(), more.begin(), more.end());
        const Outcome other = run(folder, chases("16KiB", words));
        THEN("nothing that is there answers it") {
          CHECK(other.exit_code == 0);
          CHECK(other.out == run(chases("16KiB", more)).out);
          CHECK_FALSE(contains(other.err, "already"));
          CHECK(points(folder) == 4);
        }
      }
    WHEN("the machine is described in other words") {
      const Outcome same = run(folder, chases("16KiB", {"--set", "memory.latency=0.02us", "--out", "kept"}));
      THEN("its answer is there") {
        CHECK(same.exit_code == 0);
        CHECK(contains(same.err, "1 of 1 points are in kept already"));
      }
    }
  }
}

SCENARIO("results_depend_on_the_contents_of_files_and_not_on_their_names") {
  const Scratch folder;
  const auto kernel = [](int blocks) {
    return fmt::format(
        "name: reads\nblocks: {}\nthreads: 64\narrays:\n- {{name: a, size: 1 MiB}}\nbody:\n"
        "- {{op: load, array: a, width: 4}}\n",
        blocks);
  };
  const Words words{"sweep", "--gpu", "b580",  "run", "--kernel", "k.yaml", "--vary", "memory.latency=*1,*2",
                    "--csv", "-",     "--out", "kept"};
  folder.write("k.yaml", kernel(64));
  const Outcome small = run(folder, words);
  INFO(small.err);
  REQUIRE(small.exit_code == 0);
  CHECK(points(folder) == 2);
  folder.write("k.yaml", kernel(256));
  const Outcome large = run(folder, words);
  CHECK(large.out != small.out);
  CHECK(points(folder) == 4);
  folder.write("k.yaml", kernel(64));
  CHECK(run(folder, words).out == small.out);
  CHECK(points(folder) == 4);
}

SCENARIO("a_killed_sweep_resumes") {
  GIVEN("a sweep of sixteen points that is killed repeatedly") {
    const Scratch folder;
    Words words = chases("1MiB..16MiB:+1MiB", {"--out", "kept", "--quiet"});
    words.at(4) = "100000";
    std::size_t had = 0;
    bool ended = false;
    for (int kill = 0; kill < 4 && !ended; ++kill) {
      Running program(STRATA_PROGRAM, words, folder.path(""));
      ended = !program.works_for(0.3 + 0.2 * kill);
      program.signal(SIGKILL);
      program.wait();
      // The last line may be truncated; it then has no result and no line end.
      CHECK(lines(folder).size() >= had);
      had = lines(folder).size();
    }
    WHEN("it is left alone at last") {
      const Outcome whole = run(folder, words);
      THEN("it is what a run in one go answers, and no point was run twice") {
        CHECK(whole.exit_code == 0);
        words.resize(words.size() - 3);
        CHECK(whole.out == run(words).out);
        CHECK(points(folder) == 16);
      }
    }
  }
}

SCENARIO("damaged_results_in_the_directory_are_reported_and_run_again") {
  const Scratch folder;
  const Outcome first = run(folder, chases("16KiB,1MiB,2MiB", kept));
  const std::string file = only_file(folder);
  const std::string text = folder.read(file);
  GIVEN("a last line that was truncated while it was written") {
    folder.write(file, text.substr(0, text.size() - 20));
    const Outcome again = run(folder, chases("16KiB,1MiB,2MiB", kept));
    CHECK(again.out == first.out);
    CHECK(contains(again.err, "2 of 3 points are in kept already"));
    CHECK_FALSE(contains(again.err, "is ignored"));
  }
  GIVEN("lines that are no answers") {
    std::string hostile = text;
    for (const char* line :
         {"{}", "[]", "\x1b[31m", "{\"point\":1}",
          "{\"point\":\"x\",\"figures\":[\"1e999\"],\"words\":[],\"shares\":[],\"fingerprint\":\"0x1\"}",
          "{\"point\":\"x\",\"figures\":[1],\"words\":[],\"shares\":[],\"fingerprint\":\"0x1\"}",
          "{\"point\":\"x\",\"figures\":[],\"words\":[],\"shares\":[[]],\"fingerprint\":\"0x1\"}",
          "{\"point\":\"x\",\"figures\":[],\"words\":[],\"shares\":[],\"fingerprint\":\"1\"}"})
      hostile += std::string(line) + '\n';
    folder.write(file, hostile);
    const Outcome again = run(folder, chases("16KiB,1MiB,2MiB", kept));
    CHECK(again.out == first.out);
    for (int line = 4; line <= 11; ++line)
      CHECK(contains(again.err, fmt::format("{}:{} is not the result of a point and is ignored", file, line)));
    CHECK_FALSE(contains(again.err, "\x1b"));
  }
}

SCENARIO("shards_and_a_merge_are_one_sweep") {
  const Scratch folder;
  const auto part = [&](const char* shard) {
    return run(folder, {"sweep", "--gpu", "b580", "--timed-loads", "256", "--vary", "footprint=16KiB..256KiB:x2",
                        "--out", "kept", "--shard", shard});
  };
  const auto merged = [&] { return run(folder, chases("16KiB..256KiB:x2", {"--out", "kept", "--merge"})); };
  CHECK(part("1/3").exit_code == 0);
  CHECK(points(folder) == 2);
  const Outcome early = merged();
  CHECK(early.exit_code == 2);
  CHECK(early.out.empty());
  CHECK(contains(early.err, "3 of 5 points are not in kept"));
  CHECK(part("2/3").out.empty());
  CHECK(part("3/3").exit_code == 0);
  CHECK(points(folder) == 5);
  CHECK(part("3/3").exit_code == 0);
  CHECK(points(folder) == 5);
  CHECK(merged().out == run(chases("16KiB..256KiB:x2")).out);
  CHECK(points(folder) == 5);
}

SCENARIO("sweeps_that_cannot_be_stored_or_divided_are_refused_before_a_run") {
  const Scratch folder;
  folder.write("file", "");
  const auto refusal = [&](Words more) {
    const Outcome outcome = run(folder, chases("16KiB", std::move(more)));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(folder.names() == std::vector<std::string>{"file"});
    return outcome.err;
  };
  CHECK(contains(refusal({"--out", "file"}), "file: is not a directory"));
  CHECK(contains(refusal({"--out", "file/kept"}), "is not a directory"));
  CHECK(contains(refusal({"--out", ""}), "--out: names no directory"));
  CHECK(contains(refusal({"--shard", "1/2"}), "needs a directory"));
  CHECK(contains(refusal({"--merge"}), "needs a directory"));
  CHECK(contains(refusal({"--merge", "--out", "kept"}), "1 of 1 points are not in kept"));
  CHECK(contains(refusal({"--merge", "--out", "kept", "--shard", "1/2"}), "remove one of them"));
  CHECK(contains(refusal({"--out", "kept", "--shard", "1/2"}), "a report needs all of them"));
  for (const char* shard : {"0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1/1000000"})
    CHECK(contains(refusal({"--out", "kept", "--shard", shard}), "is I/N"));
}
