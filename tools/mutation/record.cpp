// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "files/files.hpp"
#include "questions.hpp"

namespace strata::mutation {

namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 4> names{{{Verdict::killed, "killed"},
                                                                     {Verdict::survived, "survived"},
                                                                     {Verdict::idle, "without effect"},
                                                                     {Verdict::refused, "refused"}}};
constexpr std::string_view header = "setting;from;to;verdict;steady %;steady question;kernel %;kernel question;row\n";

std::string_view name(Verdict verdict) {
  for (const auto& [value, text] : names)
    if (value == verdict) return text;
  return "";
}

Change change(const std::string& percent, const std::string& question) {
  return {percent.empty() ? 0 : std::strtod(percent.c_str(), nullptr) / 100, question};
}

// Like 2.13: the value that is read back is on the same side of a threshold.
std::string percent(const Change& change) {
  return change.question.empty() ? "" : fmt::format("{:.4g}", 100 * change.part);
}

}  // namespace

bool Outcome::matters() const { return steady.part > steady_threshold || kernel.part > kernel_threshold; }

void Score::add(Verdict verdict) {
  killed += verdict == Verdict::killed ? 1 : 0;
  survived += verdict == Verdict::survived ? 1 : 0;
}

double Score::percent() const {
  return counted() == 0 ? 0 : 100 * static_cast<double>(killed) / static_cast<double>(counted());
}

Scores scores_of(const std::vector<Outcome>& outcomes) {
  Scores out;
  for (const Outcome& one : outcomes) {
    out.slight.add(one.verdict);
    if (one.matters()) out.matters.add(one.verdict);
    out.idle += one.verdict == Verdict::idle ? 1 : 0;
    out.refused += one.verdict == Verdict::refused ? 1 : 0;
  }
  return out;
}

std::vector<Outcome> read_outcomes(const std::filesystem::path& file) {
  std::istringstream lines(tools::read_file(file));
  std::vector<Outcome> out;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++number == 1) continue;
    // Questions hold commas, none of the fields a semicolon.
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ';')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    const auto verdict = [&]() -> const std::pair<Verdict, std::string_view>* {
      if (fields.size() != 9) return nullptr;
      for (const auto& one : names)
        if (one.second == fields[3]) return &one;
      return nullptr;
    }();
    if (verdict == nullptr)
      throw InputError(Diagnostic{file.string(),
                                  number,
                                  1,
                                  fmt::format("expected {}, got '{}'", header.substr(0, header.size() - 1), line),
                                  {}});
    out.push_back({fields[0], fields[1], fields[2], verdict->first, change(fields[4], fields[5]),
                   change(fields[6], fields[7]), fields[8]});
  }
  return out;
}

std::map<std::string, std::vector<Outcome>> read_folder(const std::filesystem::path& folder) {
  std::map<std::string, std::vector<Outcome>> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") all.emplace(entry.path().stem().string(), read_outcomes(entry.path()));
  return all;
}

std::string csv(const std::vector<Outcome>& outcomes) {
  std::string out(header);
  for (const Outcome& one : outcomes)
    out += fmt::format("{};{};{};{};{};{};{};{};{}\n", one.path, one.from, one.to, name(one.verdict),
                       percent(one.steady), one.steady.question, percent(one.kernel), one.kernel.question, one.row);
  return out;
}

}  // namespace strata::mutation
