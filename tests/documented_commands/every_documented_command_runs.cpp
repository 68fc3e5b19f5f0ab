// SPDX-License-Identifier: Apache-2.0
// Every command that README.md and docs/ show is run as a reader would run it. The commands run in
// a scratch folder that holds copies of the data and the program at build/strata, so that their
// outputs do not change the repository. Each distinct command runs once.
#include "catch.hpp"
#include "documented_commands.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace {
namespace fs = std::filesystem;
using strata::documented::documented_commands;
using strata::documented::DocumentedCommand;
using strata::documented::DocumentedCommands;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ScratchFolder {
 public:
  ScratchFolder() : root_(fs::temp_directory_path() / ("strata-documented-" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "build");
    fs::create_symlink(STRATA_PROGRAM, root_ / "build" / "strata");
    for (const char* folder : {"configs", "traces", "validation", "docs"}) {
      fs::copy(fs::path(STRATA_SOURCE_DIR) / folder, root_ / folder, fs::copy_options::recursive);
    }
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  fs::path output() const { return root_ / "build" / "output"; }

  // The exit status; -1 when the command was ended by a signal.
  int run(const std::string& command) const {
    const std::string line =
        "cd '" + root_.string() + "' && ( " + command + " ) >'" + output().string() + "' 2>&1 </dev/null";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  fs::path root_;
};

std::vector<fs::path> documents() {
  const fs::path root = STRATA_SOURCE_DIR;
  std::vector<fs::path> found = {root / "README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("every_documented_command_runs") {
  const ScratchFolder scratch;
  std::set<std::string> ran;
  for (const fs::path& document : documents()) {
    for (const DocumentedCommand& documented : documented_commands(contents(document)).commands) {
      if (!ran.insert(documented.command).second) continue;
      INFO(document.string() << ":" << documented.line << ": " << documented.command);
      const int status = scratch.run(documented.command);
      INFO(contents(scratch.output()));
      CHECK(status == documented.exit_status);
    }
  }
  CHECK_FALSE(ran.empty());
}

TEST_CASE("every_documented_command_names_the_program_as_it_is_built") {
  for (const fs::path& document : documents()) {
    for (const std::size_t line : documented_commands(contents(document)).misnamed_lines) {
      FAIL_CHECK(document.string() << ":" << line << ": write build/strata, so that it is run");
    }
  }
}

TEST_CASE("commands_are_read_from_fenced_blocks_only") {
  const DocumentedCommands found = documented_commands(
      "build/strata outside\n"
      "```console\n"
      "$ build/strata list gpus\n"
      "some output of build/strata\n"
      "build/strata check nothing.yaml  # exit 2\n"
      "build/strata latency \\\n"
      "    --gpu b200  # the near side first\n"
      "```\n"
      "```text\n"
      "build/strata latency --gpu NAME\n"
      "```\n"
      "```sh\n"
      "strata list gpus\n"
      "./quickstart\n"
      "```\n");
  REQUIRE(found.commands.size() == 3);
  CHECK(found.commands[0].command == "build/strata list gpus");
  CHECK(found.commands[0].exit_status == 0);
  CHECK(found.commands[0].line == 3);
  CHECK(found.commands[1].command == "build/strata check nothing.yaml");
  CHECK(found.commands[1].exit_status == 2);
  CHECK(found.commands[2].command == "build/strata latency --gpu b200");
  CHECK(found.commands[2].exit_status == 0);
  CHECK(found.misnamed_lines == std::vector<std::size_t>{13});
}

TEST_CASE("a_command_that_fails_is_reported_by_its_exit_status") {
  const ScratchFolder scratch;
  CHECK(scratch.run("exit 3") == 3);
  CHECK(scratch.run("kill -9 $$") != 0);
  CHECK(scratch.run("test -d configs && test -L build/strata") == 0);
  CHECK(scratch.run("echo written > report.html") == 0);
}
