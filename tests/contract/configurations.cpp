// SPDX-License-Identifier: Apache-2.0
// Every included configuration is valid and states the provenance of its numbers.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "config/effective.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/machine.hpp"
#include "machine/spec.hpp"
#include "program.hpp"
#include "study/expectation/expectation.hpp"

namespace {

using strata::test::Outcome;
using strata::test::run;

strata::tools::Library library() { return strata::tools::Library(STRATA_SOURCE_DIR); }

}  // namespace

TEST_CASE("the_named_configurations_are_there") {
  const std::vector<std::string> gpus = library().gpus();
  const std::set<std::string> there(gpus.begin(), gpus.end());
  for (const char* name : {"b200", "mi300x", "b580", "h200", "h100-pcie", "h100-sxm", "a100", "mi210", "mi300a"}) {
    INFO(name);
    CHECK(there.count(name) == 1);
  }
}

TEST_CASE("every_configuration_states_the_provenance_of_each_number") {
  for (const std::string& name : library().gpus()) {
    INFO(name);
    const auto loaded =
        strata::config::load<strata::machine::MachineSpec>(library().gpu(name), library().configurations());
    for (const strata::config::Unsourced& number : strata::config::numbers_without_provenance(loaded.effective()))
      FAIL_CHECK(number.path << " set at " << (number.set_by ? number.set_by->text() : "nowhere")
                             << " has no provenance");
  }
}

TEST_CASE("every_configuration_builds_its_machine") {
  for (const std::string& name : library().gpus()) {
    INFO(name);
    const auto loaded =
        strata::config::load<strata::machine::MachineSpec>(library().gpu(name), library().configurations());
    CHECK_NOTHROW(strata::machine::Machine(loaded.spec));
    const Outcome outcome = run({"check", name});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == name + ": " + loaded.spec.name + " is valid\n");
  }
}

// A parameter that was tuned on a row does not predict it: a violation is the worst defect of
// validation.
TEST_CASE("no_row_is_predicted_on_which_a_number_was_fitted") {
  std::set<std::string> predicted;
  for (const strata::config::Source& source : library().expectations())
    for (const strata::study::Expectation& row : strata::study::read_expectations(source))
      if (row.kind == strata::study::Kind::predicted) predicted.insert(row.id);
  REQUIRE(predicted.size() > 100);
  std::size_t notes = 0;
  namespace fs = std::filesystem;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(STRATA_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::size_t at = line.find("| fitted ");
      if (at == std::string::npos) continue;
      ++notes;
      std::istringstream words(line.substr(at + 9));
      for (std::string word; words >> word;) {
        while (!word.empty() && (word.back() == ',' || word.back() == ';' || word.back() == '}')) word.pop_back();
        INFO(entry.path() << ": " << line);
        CHECK(predicted.count(word) == 0);
      }
    }
  }
  CHECK(notes > 50);
}

TEST_CASE("list_gpus_names_every_configuration") {
  const Outcome outcome = run({"list", "gpus"});
  CHECK(outcome.exit_code == 0);
  for (const std::string& name : library().gpus()) {
    INFO(name);
    CHECK(outcome.out.find("\n" + name + ' ') != std::string::npos);
  }
}

// The busiest resources in --json and the tables are listed here, with their meaning.
TEST_CASE("list_stats_names_the_statistics_of_a_run") {
  const Outcome outcome = run({"list", "stats", "--gpu", "mi300x"});
  CHECK(outcome.exit_code == 0);
  for (const char* path : {"core */L1/hits ", "die */crossbar/slice * response ", "die */L2 slice */sectors fetched ",
                           "network/first row 0>1/bytes ", "memory die */Infinity Cache slice */data ",
                           "memory die */DRAM channel */row hits "}) {
    INFO(path);
    CHECK(outcome.out.find("\n" + std::string(path)) != std::string::npos);
  }
  const Outcome answer = run({"bandwidth", "--gpu", "mi300x", "--footprint", "16MiB", "--cores", "8", "--json", "-"});
  const Outcome all = run({"list", "stats"});
  std::size_t shown = 0;
  const std::string key = "\"resource\": \"";
  for (std::size_t at = answer.out.find(key); at != std::string::npos; at = answer.out.find(key, at + 1)) {
    const std::size_t from = at + key.size();
    const std::string path = answer.out.substr(from, answer.out.find('"', from) - from);
    INFO(path);
    CHECK(all.out.find("\n" + path + ' ') != std::string::npos);
    ++shown;
  }
  CHECK(shown > 4);
}

TEST_CASE("every_list_has_entries_and_a_setting_is_explained") {
  for (const char* what : {"policies", "stats", "expectations", "settings", "reference"}) {
    INFO(what);
    const Outcome outcome = run({"list", what});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.size() > 100);
    CHECK(outcome.err.empty());
  }
  const Outcome explained = run({"explain", "--gpu", "h200", "--path", "l2.slices_per_die"});
  CHECK(explained.exit_code == 0);
  for (const char* label : {"meaning:", "range:", "value:", "set by:", "provenance:"}) {
    INFO(label);
    CHECK(explained.out.find(label) != std::string::npos);
  }
}
