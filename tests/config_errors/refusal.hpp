// SPDX-License-Identifier: Apache-2.0
// Invalid input and the required reaction: the exact text on stderr, no output on stdout, exit
// code 2, and no file written or changed.
#pragma once
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "program.hpp"

namespace strata::test {

/// Runs the program in the folder, which must stay as it is.
inline void check_refused(const Scratch& folder, const std::vector<std::string>& arguments,
                          const std::string& message) {
  const std::vector<std::string> before = folder.names();
  const Outcome outcome = run(folder, arguments);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == message + "\n");
  CHECK(folder.names() == before);
}

/// FILE:LINE, where a file of the repository first has a line that begins with that text.
inline std::string line_of(const std::string& file, const std::string& beginning) {
  std::ifstream text(std::filesystem::path(STRATA_SOURCE_DIR) / file);
  std::string line;
  for (int number = 1; std::getline(text, line); ++number)
    if (line.starts_with(beginning)) return file + ":" + std::to_string(number);
  FAIL(file << " has no line that begins with '" << beginning << "'");
  return {};
}

/// `strata check` of a file of that text, and a run that was to write a file.
inline void check_configuration_refused(std::string_view yaml, const std::string& message) {
  const Scratch folder;
  folder.write("mine.yaml", yaml);
  check_refused(folder, {"check", "mine.yaml"}, message);
  check_refused(folder, {"latency", "--gpu", "mine.yaml", "--json", "out.json"}, message);
}

}  // namespace strata::test
