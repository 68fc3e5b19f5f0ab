// SPDX-License-Identifier: Apache-2.0
// An installed program finds its data files, and reports its version; an installed library can
// be embedded.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "catch.hpp"
#include "program.hpp"

using namespace strata::test;

namespace {

int shell(const std::string& command) { return std::system((command + " >/dev/null").c_str()); }

std::filesystem::path install(const Scratch& folder) {
  const std::filesystem::path prefix = folder.path("usr");
  const std::string build = std::filesystem::path(STRATA_PROGRAM).parent_path().string();
  REQUIRE(shell("cmake --install '" + build + "' --prefix '" + prefix.string() + "'") == 0);
  return prefix;
}

bool leads_out_of_the_pages(const std::string& link) {
  return link.empty() || link.front() == '#' || link.find(':') != std::string::npos;
}

// Links of all Markdown pages under the folder that lead to no file or folder.
std::string dangling_links(const std::filesystem::path& folder, std::size_t& links) {
  const std::regex link(R"~(\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)")~");
  std::string dangling;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream page(entry.path());
    bool code = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("```")) code = !code;
      if (code) continue;
      for (auto at = std::sregex_iterator(line.begin(), line.end(), link); at != std::sregex_iterator(); ++at) {
        const std::string target = (*at)[1].matched ? (*at)[1] : (*at)[2];
        if (leads_out_of_the_pages(target)) continue;
        ++links;
        if (!std::filesystem::exists(entry.path().parent_path() / target.substr(0, target.find('#'))))
          dangling += entry.path().string() + ": " + target + '\n';
      }
    }
  }
  return dangling;
}

}  // namespace

TEST_CASE("an_installed_program_answers_as_the_built_one") {
  const Scratch folder;
  const std::filesystem::path prefix = install(folder);
  Running installed(prefix / "bin/strata", {"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--quiet"},
                    folder.path(""));
  const Outcome asked = installed.wait();
  INFO(asked.err);
  CHECK(asked.exit_code == 0);
  CHECK(asked.out == run({"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--quiet"}).out);
  Running validated(prefix / "bin/strata", {"validate", "--id", "b580-sheet-lanes", "--quiet"}, folder.path(""));
  CHECK(validated.wait().exit_code == 0);
  CHECK(std::filesystem::exists(prefix / "share/man/man1/strata.1"));
  CHECK(std::filesystem::exists(prefix / "share/man/man1/strata-sensitivity.1"));
  CHECK(std::filesystem::exists(prefix / "share/bash-completion/completions/strata"));
  CHECK(std::filesystem::exists(prefix / "share/zsh/vendor-completions/_strata"));
  std::size_t links = 0;
  CHECK(dangling_links(prefix, links) == std::string());
  CHECK(links > 200);
}

// A chase over 4 KiB stays in the L1, whose load-to-use latency is the plateau that the program
// reports.
TEST_CASE("a_separate_project_embeds_an_installed_library") {
  const Scratch folder;
  const std::filesystem::path prefix = install(folder);
  const std::string build = folder.path("ask").string();
  REQUIRE(shell("cmake -S '" STRATA_SOURCE_DIR "/tests/embedding' -B '" + build +
                "' -D CMAKE_BUILD_TYPE=Debug -D CMAKE_PREFIX_PATH='" + prefix.string() + "'") == 0);
  REQUIRE(shell("cmake --build '" + build + "'") == 0);
  Running ask(folder.path("ask") / "ask", {"b580", "4096"}, folder.path(""));
  const Outcome asked = ask.wait();
  INFO(asked.out);
  CHECK(asked.exit_code == 0);
  const Outcome program = run({"latency", "--gpu", "b580", "--from", "4KiB", "--to", "4KiB", "--quiet", "--csv", "-"});
  const double cycles = std::stod(asked.out);
  INFO(program.out);
  std::ostringstream shown;
  shown << cycles;
  CHECK(cycles > 0);
  CHECK(program.out.find(',' + shown.str()) != std::string::npos);
  Running refused(folder.path("ask") / "ask", {"b580", "4096", "l1.cache.wayz=2"}, folder.path(""));
  CHECK(refused.wait().exit_code == 2);
}

TEST_CASE("the_version_names_the_commit_that_was_built") {
  const Outcome asked = run({"--version"});
  CHECK(asked.exit_code == 0);
  CHECK(std::regex_match(asked.out, std::regex(R"(strata \d+\.\d+\.\d+( \(commit [0-9a-f]{10}(, changed)?\))?\n)")));
}
