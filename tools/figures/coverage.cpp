// SPDX-License-Identifier: Apache-2.0
#include "figures/coverage.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>

#include "base/diagnostic.hpp"
#include "files/files.hpp"

namespace strata::figures {

namespace {

// B2-47 of B2-47-least, too.
std::set<std::string> ids_in(const std::string& text) {
  static const std::regex id("\\b[A-Z0-9]{2}-[0-9]{2}\\b");
  return {std::sregex_token_iterator(text.begin(), text.end(), id), std::sregex_token_iterator()};
}

// From the heading to the next.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n## " + heading + "\n");
  if (begin == std::string::npos)
    throw InputError(Diagnostic{"validation/README.md", 0, 0, fmt::format("there is no section '{}'", heading), {}});
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

}  // namespace

std::vector<Document> coverage(const std::filesystem::path& root, const std::vector<study::Expectation>& expectations) {
  const std::string page = tools::read_file((root / "validation/README.md").string());
  const std::set<std::string> other = ids_in(section(page, "Statements whose rows have another id"));
  const std::set<std::string> unread = ids_in(section(page, "Facts that the model does not read"));
  std::set<std::string> rows;
  for (const study::Expectation& expectation : expectations) rows.merge(ids_in(expectation.id));

  std::vector<Document> documents;
  const std::string list = tools::read_file((root / "validation/documents.csv").string());
  static const std::regex line("([A-Z0-9]{2}),\"([^\"\n]*)\",([0-9]+),([A-Z0-9-]*)");
  for (std::sregex_iterator found(list.begin(), list.end(), line), end; found != end; ++found) {
    Document document{(*found)[1], (*found)[2]};
    for (int number = 1; number <= std::stoi((*found)[3]); ++number) {
      const std::string id = fmt::format("{}-{:02}", document.prefix, number);
      if (id == (*found)[4]) continue;
      ++document.statements;
      ++(rows.contains(id)     ? document.by_id
         : other.contains(id)  ? document.by_other_id
         : unread.contains(id) ? document.without
                               : document.in_tests);
    }
    documents.push_back(document);
  }
  if (documents.empty()) throw InputError(Diagnostic{"validation/documents.csv", 0, 0, "lists no document", {}});
  return documents;
}

}  // namespace strata::figures
