// SPDX-License-Identifier: Apache-2.0
// The rules applied to the current repository.
#include "catch.hpp"
#include "rules.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace {
using namespace strata::architecture;  // NOLINT(google-build-using-namespace)

using Rule = std::function<Breaches(const SourceFile&)>;

Breaches breaches_below(const std::vector<std::string>& folders, const Rule& rule,
                        std::vector<SourceFile> (*read)(const std::string&) = sources_below) {
  Breaches all;
  for (const std::string& folder : folders) {
    const std::vector<SourceFile> files = read(folder);
    if (files.empty()) throw std::runtime_error("nothing to look at in " + folder);
    for (const SourceFile& file : files) {
      const Breaches found = rule(file);
      all.insert(all.end(), found.begin(), found.end());
    }
  }
  return all;
}

}  // namespace

TEST_CASE("includes_go_downward_only") { CHECK(joined(breaches_below({"sim"}, breaches_of_dependence)) == ""); }

TEST_CASE("every_folder_of_sim_is_a_module_of_the_table") {
  for (const auto& entry : std::filesystem::directory_iterator(STRATA_SOURCE_DIR "/sim")) {
    CAPTURE(entry.path().string());
    CHECK(entry.is_directory());
    CHECK(allowed_modules().contains(entry.path().filename().string()));
  }
}

TEST_CASE("cmake_links_no_module_that_the_table_forbids") {
  std::ifstream lists(STRATA_SOURCE_DIR "/CMakeLists.txt");
  const std::regex module_line(R"(module\((\w+)([\w ]*)\))");
  std::size_t modules = 0;
  for (std::string line; std::getline(lists, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, module_line)) continue;
    ++modules;
    REQUIRE(allowed_modules().contains(match[1]));
    std::istringstream dependencies(match[2]);
    for (std::string dependency; dependencies >> dependency;) {
      CAPTURE(line, dependency);
      CHECK(allowed_modules().at(match[1]).contains(dependency));
    }
  }
  CHECK(modules == allowed_modules().size());
}

TEST_CASE("only_config_knows_yaml_and_sim_brings_no_threads") {
  CHECK(joined(breaches_below({"sim"}, breaches_of_library_use)) == "");
}

TEST_CASE("sim_touches_no_file_clock_thread_locale_or_terminal") {
  CHECK(joined(breaches_below({"sim"}, breaches_of_purity)) == "");
}

TEST_CASE("sim_has_no_global_state") { CHECK(joined(breaches_below({"sim"}, breaches_of_statelessness)) == ""); }

TEST_CASE("sim_does_not_know_validation") {
  CHECK(joined(breaches_below({"sim"}, breaches_of_ignorance_of_validation)) == "");
}

TEST_CASE("every_source_begins_with_the_licence_line") {
  CHECK(joined(breaches_below({"sim", "tools", "tests"}, breaches_of_licence_line)) == "");
}

TEST_CASE("no_file_of_sim_is_over_300_lines_and_none_of_tools_over_400") {
  CHECK(joined(breaches_below({"sim", "tools"}, breaches_of_length)) == "");
}

TEST_CASE("no_folder_of_sim_has_over_25_files") { CHECK(joined(breaches_of_crowding(files_below("sim"))) == ""); }

TEST_CASE("configs_and_validation_hold_no_code") {
  CHECK(joined(breaches_below({"configs", "validation"}, breaches_of_data_only, files_below)) == "");
}
