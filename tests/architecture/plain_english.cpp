// SPDX-License-Identifier: Apache-2.0
// Pages, messages and comments use the terms of the literature. Words that were retired from them
// stay out; each has a replacement.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "catch.hpp"
#include "source_text.hpp"

namespace {

using namespace strata::architecture;  // NOLINT(google-build-using-namespace)

struct Retired {
  std::string_view words;  // lower case, separated by single spaces
  std::string_view instead;
};

constexpr std::array retired{
    Retired{"go first", "have priority"},
    Retired{"goes first", "has priority"},
    Retired{"who goes", "arbitration"},
    Retired{"what leaves", "eviction, write-back"},
    Retired{"line goes", "line is evicted"},
    Retired{"lines that go", "evicted lines"},
    Retired{"lines go", "lines are evicted"},
    Retired{"goes when", "is evicted when"},
    Retired{"tell", "report, state, distinguish"},
    Retired{"tells", "reports, states, distinguishes"},
    Retired{"told", "reported, stated"},
    Retired{"wish", "command, request"},
    Retired{"wishes", "commands, requests"},
    Retired{"want", "need, request"},
    Retired{"wants", "needs, requests"},
    Retired{"owes", "must satisfy"},
    Retired{"ripe", "ready"},
    Retired{"room", "module; space, capacity"},
    Retired{"rooms", "modules"},
    Retired{"the house", "the architecture"},
    Retired{"is sound", "is valid"},
    Retired{"are sound", "are valid"},
    Retired{"all sound", "all valid"},
    Retired{"a word too many", "unexpected argument"},
    Retired{"nobody", "no request, no core"},
    Retired{"somebody", "another request, the authors"},
    Retired{"anybody", "any request"},
    Retired{"side by side", "in parallel; adjacent"},
    Retired{"for want of", "no free ..."},
    Retired{"passed by", "bypassed"},
    Retired{"passes by", "bypasses"},
    Retired{"what becomes of", "policy"},
    Retired{"became of", "name the result"},
    Retired{"how near", "error, accuracy"},
    Retired{"anew", "again"},
    Retired{"come along", "are included"},
    Retired{"comes along", "is included"},
    Retired{"go on", "continue, are forwarded"},
    Retired{"goes on", "continues, is forwarded"},
    Retired{"gone over", "traversed"},
    Retired{"stand in line", "wait, are queued"},
    Retired{"stands in line", "waits, is queued"},
    Retired{"stand aside", "wait aside"},
    Retired{"stands aside", "waits aside"},
    Retired{"hears of", "is notified of"},
    Retired{"let go", "allow, give up"},
    Retired{"lets go", "allows, gives up"},
    Retired{"cut off", "truncated"},
    Retired{"passed over", "ignored, skipped"},
    Retired{"again and again", "repeatedly"},
    Retired{"over and over", "repeatedly"},
    Retired{"all the same", "still; equal"},
    Retired{"in vain", "without success"},
    Retired{"by turns", "alternately"},
    Retired{"who set", "origin"},
    Retired{"mend", "correct"},
    Retired{"mends", "corrects"},
};

// The prose of a line of C++: its comment and its literals.
std::string prose(std::string_view line) {
  std::string out;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote == 0 && line.substr(at, 2) == "//") return out + ' ' + std::string(line.substr(at + 2));
    if (quote != 0 && c == '\\') {
      ++at;
      out += ' ';
    } else if (c == '"' && (quote == 0 || quote == c)) {
      quote = quote == 0 ? c : 0;
      out += '.';
    } else {
      out += quote != 0 ? c : '.';
    }
  }
  return out;
}

// " a line of words ", in lower case; a full stop or another mark is a separate word.
std::string words_of(std::string_view line) {
  std::string out = " ";
  for (const char c : line) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '_' || c == '-' || c == '\'')
      out += static_cast<char>(std::tolower(u));
    else if (c == ' ' || c == '*' || c == '"' || c == '`' || c == '(' || c == ')')
      out += out.back() == ' ' ? "" : " ";
    else
      out += out.back() == ' ' ? ". " : " . ";
  }
  return out + ' ';
}

// The name of a test case that begins on this line, its words apart.
std::string test_name(std::string_view line) {
  for (const std::string_view macro : {"TEST_CASE(\"", "SCENARIO(\""}) {
    if (!line.starts_with(macro)) continue;
    std::string name(line.substr(macro.size(), line.find('"', macro.size()) - macro.size()));
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
  }
  return {};
}

void add_retired(const std::string& words, const std::string& where, Breaches& found) {
  for (const Retired& one : retired)
    if (words.find(' ' + std::string(one.words) + ' ') != std::string::npos)
      found.push_back(where + ": '" + std::string(one.words) + "' is retired; write: " + std::string(one.instead));
}

Breaches retired_names(const SourceFile& file) {
  Breaches found;
  std::istringstream lines(file.text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);)
    add_retired(words_of(test_name(line)), file.path + ':' + std::to_string(++number), found);
  return found;
}

Breaches retired_words(const SourceFile& file) {
  const bool is_source = file.path.ends_with(".cpp") || file.path.ends_with(".hpp");
  Breaches found;
  std::size_t number = 0;
  bool code = false;
  for (std::size_t at = 0; at < file.text.size();) {
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string_view line = std::string_view(file.text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (!is_source && line.starts_with("```")) code = line == "```cpp";
    if (code) continue;
    const std::string words = words_of(is_source ? prose(line) : std::string(line));
    add_retired(words, file.path + ':' + std::to_string(number), found);
  }
  return found;
}

bool read_by_people(const std::string& path) {
  for (const char* ending : {".md", ".cpp", ".hpp", ".yaml", ".cmake", ".txt", ".py", ".sh"})
    if (path.ends_with(ending)) return path.find("plain_english.cpp") == std::string::npos;
  return false;
}

std::vector<SourceFile> all_files() {
  std::vector<SourceFile> files;
  for (const char* name : {"README.md", "CHANGELOG.md", "CMakeLists.txt", "quickstart", "run-tests"}) {
    std::ifstream in(std::string(STRATA_SOURCE_DIR "/") + name);
    files.push_back({name, {std::istreambuf_iterator<char>(in), {}}});
  }
  for (const char* folder : {"docs", "tools", "sim", "configs", "validation", "tests"})
    for (SourceFile& file : files_below(folder))
      if (read_by_people(file.path)) files.push_back(std::move(file));
  return files;
}

}  // namespace

TEST_CASE("retired_words_stay_out_of_pages_messages_and_comments") {
  Breaches all;
  for (const SourceFile& file : all_files()) {
    const Breaches found = retired_words(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  CHECK(joined(all) == "");
}

TEST_CASE("retired_words_stay_out_of_the_names_of_tests") {
  Breaches all;
  for (const SourceFile& file : files_below("tests")) {
    const Breaches found = retired_names(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  CHECK(joined(all) == "");
  CHECK(retired_names({"tests/a.cpp", "\nTEST_CASE(\"an_error_is_told\") {\n"}) ==
        Breaches{"tests/a.cpp:2: 'told' is retired; write: reported, stated"});
  CHECK(retired_names({"tests/a.cpp", "TEST_CASE(\"an_error_is_untold\") {  // told\n"}).empty());
}

TEST_CASE("a_retired_word_is_found_in_prose_and_not_in_code") {
  CHECK(retired_words({"sim/a.cpp", "int told = 1;  // the queue is full\n"}).empty());
  CHECK(retired_words({"sim/a.cpp", "int a = 1;  // a block is told\n"}).size() == 1);
  CHECK(retired_words({"sim/a.cpp", "refuse(\"'x' wants a map\");\n"}).size() == 1);
  CHECK(retired_words({"sim/a.cpp", "const Room room = tags.room(set);\n"}).empty());
  CHECK(retired_words({"docs/a.md", "The least recently used line goes.\nThe line. Goes\n"}).size() == 1);
  CHECK(retired_words({"docs/a.md", "```cpp\nwant(line);\n```\nIt wants.\n"}).size() == 1);
}
