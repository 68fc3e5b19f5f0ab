// SPDX-License-Identifier: Apache-2.0
// Each statement of the documents has a row, a test of the execution model, or a line in
// validation/README.md with the reason why it has none.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "catch.hpp"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// B2-47 of B2-47-least, too.
std::set<std::string> ids_in(const std::string& text) {
  static const std::regex id("\\b(B2|MX|BM|CU)-[0-9][0-9]\\b");
  return {std::sregex_token_iterator(text.begin(), text.end(), id), std::sregex_token_iterator()};
}

std::set<std::string> ids_of_folder(const fs::path& folder, const std::string& extension) {
  std::set<std::string> all;
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    if (file.path().extension() == extension) all.merge(ids_in(contents(file.path())));
  return all;
}

}  // namespace

TEST_CASE("every_statement_of_the_documents_has_a_row_or_a_reason") {
  const fs::path root = STRATA_SOURCE_DIR;
  // Statements are numbered through; one number is not used.
  const std::string list = contents(root / "validation/documents.csv");
  static const std::regex line("([A-Z0-9]{2}),\"[^\"\n]*\",([0-9]+),([A-Z0-9-]*)");
  std::map<std::string, int> numbered;
  std::set<std::string> unused;
  for (std::sregex_iterator found(list.begin(), list.end(), line), end; found != end; ++found) {
    numbered[(*found)[1]] = std::stoi((*found)[2]);
    unused.insert((*found)[3]);
  }
  REQUIRE(numbered == std::map<std::string, int>{{"B2", 70}, {"MX", 51}, {"BM", 47}, {"CU", 16}});
  std::set<std::string> known = ids_of_folder(root / "validation/expectations", ".yaml");
  known.merge(ids_in(contents(root / "validation/README.md")));
  known.merge(ids_of_folder(root / "tests/compute", ".cpp"));
  for (const char* folder : {"tests/machine", "tests/trace", "tests/formats"})
    known.merge(ids_of_folder(root / folder, ".cpp"));
  for (const auto& [document, last] : numbered)
    for (int number = 1; number <= last; ++number) {
      const std::string id = fmt::format("{}-{:02}", document, number);
      if (unused.contains(id)) continue;
      INFO(id);
      CHECK(known.contains(id));
    }
}
