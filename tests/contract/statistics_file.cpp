// SPDX-License-Identifier: Apache-2.0
// --stats: every statistic that is listed has a value, and the values agree with the answer.
#include <map>
#include <set>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;
using strata::test::Words;

struct Row {
  std::uint64_t part;  ///< kernel or footprint
  std::string path, unit;
  double value;
  std::uint64_t instances;
};

// part: the column that tells the parts of the answer apart.
std::vector<Row> statistics(const Scratch& folder, Words words, const char* part) {
  words.insert(words.end(), {"--quiet", "--stats", "statistics.json"});
  const Outcome outcome = run(folder, words);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  std::vector<Row> rows;
  const json::value document = json::parse(folder.read("statistics.json"));
  for (const json::value& row : document.at("statistics").as_array())
    rows.push_back({row.at(part).to_number<std::uint64_t>(), std::string(row.at("statistic").as_string()),
                    std::string(row.at("unit").as_string()), row.at("value").to_number<double>(),
                    row.at("instances").to_number<std::uint64_t>()});
  return rows;
}

double value_of(const std::vector<Row>& rows, std::uint64_t part, const std::string& path) {
  for (const Row& row : rows)
    if (row.part == part && row.path == path) return row.value;
  FAIL("no statistic " << path);
  return 0;
}

const Words vecadd{"run", "--gpu", "h200", "--kernel", "vecadd,n=16384"};

}  // namespace

TEST_CASE("every_listed_statistic_has_a_value") {
  const Scratch folder;
  const json::value listed = json::parse(run({"list", "stats", "--gpu", "h200", "--json", "-"}).out);
  std::set<std::string> names, written;
  for (const json::value& row : listed.at("stats").as_array())
    names.insert(std::string(row.at("statistic").as_string()));
  for (const Row& row : statistics(folder, vecadd, "kernel")) CHECK(written.insert(row.path).second);
  CHECK(names == written);
}

TEST_CASE("statistics_count_what_a_kernel_does") {
  const Scratch folder;
  Words two = vecadd;
  two.insert(two.end(), {"--kernel", "stream_read,bytes=1MiB"});
  const std::vector<Row> rows = statistics(folder, two, "kernel");
  // 16384 elements of 4 B: two loads and a store of each, one addition.
  CHECK(value_of(rows, 0, "core */bytes loaded") == 2 * 65536);
  CHECK(value_of(rows, 0, "core */bytes stored") == 65536);
  CHECK(value_of(rows, 0, "core */flops") == 16384);
  CHECK(value_of(rows, 0, "core */L1/sectors read") == 2 * 65536 / 32);
  CHECK(value_of(rows, 0, "memory die */DRAM channel */bytes read") == 2 * 65536);
  // The second kernel on its own, not with the first.
  CHECK(value_of(rows, 1, "core */bytes loaded") == 1 << 20);
  CHECK(value_of(rows, 1, "core */bytes stored") == 0);
  CHECK(value_of(rows, 1, "memory die */DRAM channel */bytes read") == 1 << 20);
}

TEST_CASE("instances_add_up_to_their_kind") {
  const Scratch folder;
  const std::vector<Row> kinds = statistics(folder, vecadd, "kernel");
  Words words = vecadd;
  words.insert(words.end(), {"--stats-detail", "instances"});
  std::map<std::string, double> sums;
  std::map<std::string, std::uint64_t> instances;
  for (const char* path : {"core 0/L1/requests", "die 1/L2 slice 3/requests"})
    (void)value_of(statistics(folder, words, "kernel"), 0, path);
  for (const Row& row : statistics(folder, words, "kernel")) {
    for (const char* kind : {"core */L1/requests", "core */issued", "memory die */DRAM channel */reads"}) {
      const std::string text = kind;
      const std::string head = text.substr(0, text.find('*')), tail = text.substr(text.rfind('*') + 1);
      if (!row.path.starts_with(head) || !row.path.ends_with(tail)) continue;
      sums[text] += row.value;
      ++instances[text];
    }
  }
  REQUIRE(sums.size() == 3);
  for (const auto& [kind, sum] : sums) {
    INFO(kind);
    CHECK(sum == value_of(kinds, 0, kind));
  }
  for (const Row& row : kinds)
    if (instances.contains(row.path)) CHECK(row.instances == instances[row.path]);
}

TEST_CASE("statistics_of_a_curve_are_those_of_each_point") {
  const Scratch folder;
  const std::vector<Row> rows = statistics(folder,
                                           {"latency", "--gpu", "h200", "--from", "16KiB", "--to", "32KiB",
                                            "--points-per-octave", "1", "--timed-loads", "512"},
                                           "footprint_bytes");
  for (const std::uint64_t footprint : {std::uint64_t{16384}, std::uint64_t{32768}}) {
    CHECK(value_of(rows, footprint, "core */instructions") == 512);
    CHECK(value_of(rows, footprint, "core */L1/hits") == 512);
    CHECK(value_of(rows, footprint, "memory die */DRAM channel */reads") == 0);
  }
  const std::vector<Row> stream =
      statistics(folder, {"bandwidth", "--gpu", "b580", "--footprint", "64KiB", "--timed", "64KiB"}, "footprint_bytes");
  CHECK(value_of(stream, 65536, "core */L1/sectors read") > 0);
}

TEST_CASE("translations_are_among_the_statistics") {
  const Scratch folder;
  // A chase of one load a page over more pages than a TLB of four entries holds: each load misses it.
  const std::vector<Row> rows = statistics(folder,
                                           {"latency", "--gpu", "lesson-tlb", "--from", "20KiB", "--to", "20KiB",
                                            "--stride", "4KiB", "--order", "ascending", "--timed-loads", "100"},
                                           "footprint_bytes");
  CHECK(value_of(rows, 20480, "translation/TLB/misses") == 100);
  CHECK(value_of(rows, 20480, "translation/TLB/hits") == 0);
  CHECK(value_of(rows, 20480, "translation/walks") == 100);
  CHECK(value_of(rows, 20480, "translation/walker time") == 100 * 40);
}

TEST_CASE("csv_has_the_same_rows") {
  const Scratch folder;
  Words words = vecadd;
  words.insert(words.end(), {"--quiet", "--stats", "statistics.csv"});
  REQUIRE(run(folder, words).exit_code == 0);
  const std::string text = folder.read("statistics.csv");  // 64 blocks of 256 threads, one a core
  CHECK(text.starts_with("kernel,name,statistic,unit,value,instances,meaning\n0,vecadd,"));
  CHECK(text.find("core */flops,operations,16384,64,") != std::string::npos);
}

TEST_CASE("a_file_of_statistics_that_cannot_be_written_is_refused_first") {
  const Scratch folder;
  const auto refused = [&](const Words& more, const std::string& message) {
    Words words = vecadd;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(folder, words);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == message + "\n");
  };
  refused({"--stats", "statistics.txt"},
          "--stats: 'statistics.txt' has no known suffix; name a file that ends in .json or .csv");
  refused({"--stats-detail", "instances"}, "--stats-detail: requires --stats");
  refused({"--stats", "a.json", "--json", "a.json"}, "--stats: 'a.json' is what --json writes; name another file");
  const Outcome loaded = run(folder, {"bandwidth", "--gpu", "h200", "--loaded", "--stats", "a.csv"});
  CHECK(loaded.exit_code == 2);
  CHECK(loaded.err == "--stats: does not go with --loaded, which looks at one --footprint\n");
}
