// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace strata::architecture {
namespace {

std::string breach(const SourceFile& file, std::size_t line, const std::string& message) {
  return file.path + ":" + std::to_string(line) + ": " + message;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Occurrences of `token` as a separate word: "rand(" is found in "rand()", not in "operand()".
std::size_t find_word(std::string_view text, std::string_view token, std::size_t from) {
  for (std::size_t at = text.find(token, from); at != std::string_view::npos; at = text.find(token, at + 1)) {
    const std::size_t end = at + token.size();
    const bool begins = at == 0 || !is_word(token.front()) || !is_word(text[at - 1]);
    const bool ends = end >= text.size() || !is_word(token.back()) || !is_word(text[end]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

bool in_sim(const SourceFile& file) { return !module_of(file.path).empty(); }

}  // namespace

const std::map<std::string, std::set<std::string>>& allowed_modules() {
  static const std::set<std::string> below_blocks = {"base", "engine", "stats", "memory", "trace", "config"};
  static const std::map<std::string, std::set<std::string>> table = {
      {"base", {}},
      {"engine", {"base"}},
      {"stats", {"base"}},
      {"config", {"base"}},
      {"memory", {"base", "engine", "stats"}},
      {"trace", {"base", "engine", "memory"}},
      {"formats", {"base", "engine", "memory", "trace"}},
      {"kernels", {"base", "engine", "memory", "config", "trace"}},
      {"compute", below_blocks},
      {"replacement", {"base", "engine", "stats", "memory", "config"}},
      {"cache", {"base", "engine", "stats", "memory", "config", "replacement"}},
      {"translation", {"base", "engine", "stats", "memory", "config", "replacement"}},
      {"fabric", {"base", "engine", "stats", "memory", "config"}},
      {"dram", {"base", "engine", "stats", "memory", "config"}},
      {"observe", {"base", "engine", "stats", "memory"}},
      {"machine",
       {"base", "engine", "stats", "config", "memory", "trace", "compute", "replacement", "cache", "translation",
        "fabric", "dram", "observe"}},
      {"study", {"base", "engine", "stats", "config", "memory", "trace", "kernels", "observe", "machine"}},
      {"report", {"base", "stats"}},
  };
  return table;
}

Breaches breaches_of_dependence(const SourceFile& file) {
  Breaches breaches;
  if (!in_sim(file)) return breaches;
  const std::string module = module_of(file.path);
  const auto allowed = allowed_modules().find(module);
  if (allowed == allowed_modules().end()) return {breach(file, 1, "unknown module " + module)};
  for (const Include& include : includes_of(file)) {
    if (!include.quoted) continue;
    const std::string target = include.name.substr(0, include.name.find('/'));
    if (target == include.name || !allowed_modules().contains(target)) {
      breaches.push_back(breach(file, include.line, "\"" + include.name + "\" does not begin with a module of sim/"));
    } else if (target != module && !allowed->second.contains(target)) {
      breaches.push_back(breach(file, include.line, module + " must not include " + target));
    }
  }
  return breaches;
}

Breaches breaches_of_library_use(const SourceFile& file) {
  Breaches breaches;
  if (!in_sim(file)) return breaches;
  for (const Include& include : includes_of(file)) {
    if (include.name.starts_with("yaml-cpp/") && module_of(file.path) != "config") {
      breaches.push_back(breach(file, include.line, "only config knows yaml-cpp"));
    }
    if (include.name.starts_with("tbb/") || include.name.starts_with("oneapi/")) {
      breaches.push_back(breach(file, include.line, "sim/ starts no thread"));
    }
  }
  return breaches;
}

Breaches breaches_of_purity(const SourceFile& file) {
  static constexpr std::array<std::string_view, 36> forbidden = {
      "fstream",         "ifstream",           "ofstream",      "fopen",        "freopen",
      "std::filesystem", "<filesystem>",       "getenv",        "std::chrono",  "<chrono>",
      "system_clock",    "steady_clock",       "clock_gettime", "gettimeofday", "std::time",
      "std::thread",     "std::jthread",       "<thread>",      "std::async",   "<future>",
      "pthread_create",  "std::locale",        "<locale>",      "setlocale",    "rand(",
      "srand(",          "std::random_device", "std::shuffle",  "std::cout",    "std::cerr",
      "std::clog",       "std::cin",           "printf(",       "puts(",        "std::hash",
      "std::system"};
  Breaches breaches;
  if (!in_sim(file)) return breaches;
  const std::string code = without_comments_and_literals(file.text);
  for (const std::string_view token : forbidden) {
    for (std::size_t at = find_word(code, token, 0); at != std::string::npos;
         at = find_word(code, token, at + token.size())) {
      breaches.push_back(breach(file, line_at(code, at), std::string(token) + " has no place in sim/"));
    }
  }
  // Their sequences differ from one standard library to the next.
  for (std::size_t at = code.find("_distribution<"); at != std::string::npos;
       at = code.find("_distribution<", at + 1)) {
    breaches.push_back(breach(file, line_at(code, at), "a standard distribution is not portable"));
  }
  return breaches;
}

Breaches breaches_of_statelessness(const SourceFile& file) {
  static constexpr std::array<std::string_view, 3> storage = {"static", "inline", "thread_local"};
  static constexpr std::array<std::string_view, 9> harmless = {
      "const", "constexpr", "consteval", "operator", "namespace", "using", "struct", "class", "enum"};
  Breaches breaches;
  if (!in_sim(file)) return breaches;
  const std::string code = without_comments_and_literals(file.text);
  for (const std::string_view keyword : storage) {
    for (std::size_t at = find_word(code, keyword, 0); at != std::string::npos;
         at = find_word(code, keyword, at + keyword.size())) {
      // From the end of the previous statement to the token that distinguishes a variable from
      // a function.
      const std::size_t before = code.find_last_of(";{}", at);
      const std::size_t begin = before == std::string::npos ? 0 : before + 1;
      const std::size_t end = code.find_first_of(";{(=", at);
      if (end == std::string::npos || code[end] == '(') continue;
      const std::string_view statement = std::string_view(code).substr(begin, end - begin);
      const bool is_harmless = std::any_of(harmless.begin(), harmless.end(), [&](std::string_view word) {
        return find_word(statement, word, 0) != std::string_view::npos;
      });
      if (!is_harmless) {
        breaches.push_back(breach(file, line_at(code, at), "static storage that can change"));
      }
    }
  }
  return breaches;
}

Breaches breaches_of_ignorance_of_validation(const SourceFile& file) {
  if (!in_sim(file)) return {};
  const std::size_t at = file.text.find("validation/");
  if (at == std::string::npos) return {};
  return {breach(file, line_at(file.text, at), "sim/ does not know validation/")};
}

Breaches breaches_of_licence_line(const SourceFile& file) {
  constexpr std::string_view licence = "// SPDX-License-Identifier: Apache-2.0";
  if (file.text.substr(0, file.text.find('\n')) == licence) return {};
  return {breach(file, 1, "the first line is not \"" + std::string(licence) + "\"")};
}

Breaches breaches_of_length(const SourceFile& file) {
  const auto lines = static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
  const std::size_t most = in_sim(file) ? longest_file_of_sim_in_lines : longest_file_in_lines;
  if (lines <= most) return {};
  return {breach(file, lines, "over " + std::to_string(most) + " lines")};
}

Breaches breaches_of_crowding(const std::vector<SourceFile>& files) {
  std::map<std::string, std::size_t> folders;
  for (const SourceFile& file : files) ++folders[file.path.substr(0, file.path.rfind('/'))];
  Breaches breaches;
  for (const auto& [folder, count] : folders)
    if (count > most_files_in_a_folder) breaches.push_back(folder + ": " + std::to_string(count) + " files");
  return breaches;
}

Breaches breaches_of_data_only(const SourceFile& file) {
  static constexpr std::array<std::string_view, 3> data = {".yaml", ".md", ".csv"};
  const bool is_data =
      std::any_of(data.begin(), data.end(), [&](std::string_view ending) { return file.path.ends_with(ending); });
  if (is_data) return {};
  return {breach(file, 1, "only .yaml, .md and .csv belong here")};
}

}  // namespace strata::architecture
