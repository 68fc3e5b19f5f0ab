// SPDX-License-Identifier: Apache-2.0
// --stats: every statistic that is listed has a value, and the values agree with the answer.
#include <algorithm>
#include <fstream>
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

// part: the column that distinguishes the parts of the result.
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

TEST_CASE("statistics_count_the_work_of_a_kernel") {
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
  // The second kernel alone, without the first.
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
  CHECK(value_of(rows, 20480, "translation/TLB */misses") == 100);
  CHECK(value_of(rows, 20480, "translation/TLB */hits") == 0);
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
  refused({"--stats", "a.json", "--json", "a.json"}, "--stats: 'a.json' is the output of --json; name another file");
  const Outcome other = run(folder, {"list", "gpus", "--stats", "a.csv"});
  CHECK(other.exit_code == 2);
  CHECK(other.err ==
        "--stats: this verb runs no machine (latency, bandwidth, run, handoff, litmus, compare, sweep, sensitivity, "
        "validate and explain do)\n");
  const Outcome kept = run(
      folder, {"sweep", "--gpu", "lesson-tlb", "--vary", "footprint=4KiB,8KiB", "--out", "kept", "--stats", "a.csv"});
  CHECK(kept.exit_code == 2);
  CHECK(kept.err.starts_with("--stats: cannot be combined with --out, which stores results without statistics ("));
}

TEST_CASE("every_verb_that_runs_a_machine_writes_every_listed_statistic") {
  struct Asked {
    Words words;
    std::vector<const char*> parts;  ///< columns that distinguish the parts of the result
    std::size_t answers;             ///< number of parts
  };
  const Asked all[] = {
      {{"handoff", "--gpu", "h200", "--cores", "0,1", "--handoffs", "8"}, {"first_core", "second_core"}, 1},
      {{"litmus", "--gpu", "h200", "--test", "mp", "--runs", "2"}, {"test", "fence", "placement"}, 12},
      {{"compare", "--gpu", "h200", "--change", "l2.cache.hit_latency=60clk", "--footprint", "16KiB", "--timed-loads",
        "64"},
       {"machine"},
       2},
      {{"sweep", "--gpu", "h200", "--vary", "footprint=16KiB,32KiB", "--timed-loads", "64"}, {"point", "footprint"}, 2},
      {{"sweep", "run", "--gpu", "h200", "--vary", "kernel.n=1024,2048", "--kernel", "vecadd"},
       {"point", "kernel.n", "kernel_number", "kernel_name"},
       2},
      {{"sensitivity", "--gpu", "h200", "--footprint", "16KiB", "--timed-loads", "64", "--only",
        "l2.cache.hit_latency"},
       {},
       1},
      {{"validate", "--id", "h200-plateau-l1"}, {"row", "reading", "footprint_or_kernel"}, 1},
      {{"explain", "--gpu", "h200", "--address", "4096"}, {"address"}, 1},
      {{"bandwidth", "--gpu", "h200", "--loaded", "--footprint", "1MiB", "--inject", "0,10GB/s"},
       {"footprint_bytes", "injected_bytes_per_second"},
       2},
  };
  std::set<std::string> names;
  const json::value listed = json::parse(run({"list", "stats", "--gpu", "h200", "--json", "-"}).out);
  for (const json::value& row : listed.at("stats").as_array())
    names.insert(std::string(row.at("statistic").as_string()));
  for (const Asked& asked : all) {
    const Scratch folder;
    Words words = asked.words;
    words.insert(words.end(), {"--quiet", "--stats", "statistics.json"});
    if (words.front() == "explain") words.erase(words.end() - 3);
    INFO(words.front());
    const Outcome outcome = run(folder, words);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    std::map<std::string, std::map<std::string, double>> values;  // by part and statistic
    const json::value document = json::parse(folder.read("statistics.json"));
    for (const json::value& row : document.at("statistics").as_array()) {
      std::string part;
      for (const char* column : asked.parts) part += json::serialize(row.at(column)) + ' ';
      CHECK(values[part]
                .emplace(std::string(row.at("statistic").as_string()), row.at("value").to_number<double>())
                .second);
    }
    CHECK(values.size() == asked.answers);
    for (const auto& [part, of_part] : values) {
      INFO(part);
      std::set<std::string> written;
      for (const auto& [name, value] : of_part) written.insert(name);
      CHECK(written == names);
      CHECK(of_part.at("elapsed time") > 0);
      CHECK(of_part.at("core */instructions") > 0);
    }
  }
}

TEST_CASE("statistics_change_no_answer") {
  const Words asked{"bandwidth", "--gpu", "b580", "--loaded", "--footprint", "1MiB", "--inject", "10GB/s", "--quiet"};
  const Scratch folder;
  Words counted = asked;
  counted.insert(counted.end(), {"--stats", "a.csv"});
  CHECK(run(folder, asked).out == run(folder, counted).out);
}

TEST_CASE("the_elapsed_time_turns_busy_time_into_a_share") {
  const Scratch folder;
  Words words = vecadd;
  words.insert(words.end(), {"--json", "run.json"});
  const std::vector<Row> rows = statistics(folder, words, "kernel");
  const json::value kernel = json::parse(folder.read("run.json")).at("kernels").at(0);
  const double ns = value_of(rows, 0, "elapsed time");
  CHECK(ns == Approx(kernel.at("watched_ns").to_number<double>()));
  const double per_ns = kernel.at("cycles").to_number<double>() / kernel.at("time_ns").to_number<double>();
  CHECK(value_of(rows, 0, "elapsed cycles") == Approx(ns * per_ns));
  std::size_t resources = 0;
  for (const Row& row : rows) {
    constexpr std::string_view share = "/share";
    if (!row.path.ends_with(share)) continue;
    ++resources;
    INFO(row.path);
    const std::string busy = row.path.substr(0, row.path.size() - share.size());
    CHECK(row.value == Approx(value_of(rows, 0, busy) / ns / static_cast<double>(row.instances)));
    CHECK(row.value <= 1);
  }
  CHECK(resources > 5);
}

TEST_CASE("the_terminal_shows_the_ten_busiest_resources_where_statistics_are_written") {
  const Scratch folder;
  Words words = vecadd;
  words.insert(words.end(), {"--quiet"});
  const std::string plain = run(folder, words).out;
  words.insert(words.end(), {"--stats", "a.csv"});
  const std::string with = run(folder, words).out;
  REQUIRE(with.starts_with(plain));
  const std::string table = with.substr(plain.size());
  CHECK(std::count(table.begin(), table.end(), '\n') == 14);  // a blank line, a title, two of headings, ten rows
  CHECK(table.find("memory die */DRAM channel */data bus") != std::string::npos);
  words.insert(words.end(), {"--json", "-"});
  CHECK(run(folder, words).out.find("busiest resources") == std::string::npos);
}

TEST_CASE("profiler_page_names_statistics_that_exist") {
  std::set<std::string> names;
  for (const char* gpu : {"h200", "b200"}) {
    const json::value listed = json::parse(run({"list", "stats", "--gpu", gpu, "--json", "-"}).out);
    for (const json::value& row : listed.at("stats").as_array())
      names.insert(std::string(row.at("statistic").as_string()));
  }
  // The column of statistics: the text between backticks in the second cell of each row.
  std::ifstream in(STRATA_SOURCE_DIR "/docs/reference/profiler.md");
  std::string line;
  std::size_t named = 0;
  while (std::getline(in, line)) {
    if (!line.starts_with("| ") || line.starts_with("| Strata") || line.starts_with("| ---")) continue;
    const std::size_t begin = line.find(" | ") + 3;
    const std::string cell = line.substr(begin, line.find(" | ", begin) - begin);
    for (std::size_t at = cell.find('`'); at != std::string::npos;) {
      const std::size_t end = cell.find('`', at + 1);
      REQUIRE(end != std::string::npos);
      const std::string name = cell.substr(at + 1, end - at - 1);
      INFO(line);
      CHECK(names.contains(name));
      ++named;
      at = cell.find('`', end + 1);
    }
  }
  CHECK(named > 12);
}
