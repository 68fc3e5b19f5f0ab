// SPDX-License-Identifier: Apache-2.0
#include "golden/table.hpp"

#include <cstdlib>
#include <sstream>

#include "catch.hpp"
#include "files/files.hpp"

namespace strata::golden {

namespace {
bool update_requested() { return std::getenv("STRATA_UPDATE_GOLDEN") != nullptr; }
}  // namespace

void compare(const std::string& file, const std::string& columns, const std::vector<std::string>& rows) {
  const std::string path = STRATA_SOURCE_DIR "/tests/golden/" + file;
  if (update_requested()) {
    std::string text = "# Written by STRATA_UPDATE_GOLDEN=1 build/tests/test_golden\n" + columns + '\n';
    for (const std::string& row : rows) text += row + '\n';
    tools::write_file(path, text);
    WARN("written: " << path);
  }
  std::istringstream lines(tools::read_file(path));
  std::string line;
  std::getline(lines, line);
  REQUIRE(std::getline(lines, line));
  REQUIRE(line == columns);
  for (const std::string& row : rows) {
    REQUIRE(std::getline(lines, line));
    CHECK(row == line);
  }
  CHECK_FALSE(std::getline(lines, line));
}

}  // namespace strata::golden
