// SPDX-License-Identifier: Apache-2.0
// Small reports with round figures, and a reader of markup that is strict
// enough to notice an unescaped name or an element left open.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "report/data.hpp"

namespace strata::report::sample {

inline constexpr double KiB = 1024;
inline constexpr double MiB = 1024 * KiB;
inline constexpr double GiB = 1024 * MiB;
inline constexpr double none = std::numeric_limits<double>::quiet_NaN();
// Would break out of text, attribute, CSV field and terminal line.
inline constexpr std::string_view hostile = "<script>alert(\"1\")</script> & 'x',\x1b[31m\xff";

inline CurveReport curve() {
  CurveReport report;
  report.heading = {"0.1.0", "b200", "00ff"};
  report.title = "B200 latency";
  report.subtitle = "one thread";
  report.points = {{1024, 20, 40, {{"L1", 1.0}}},
                   {1 << 20, 150.5, 301, {{"L1", 0.25}, {"L2", 0.75}}},
                   {std::uint64_t{1} << 32, 425, 850, {{"L2", 0.0}, {"DRAM", 1.0}}}};
  report.capacities = {{216 * KiB, "L1 216 KiB"}, {126 * MiB, "L2 126 MiB"}};
  report.plateaus = {{40, 1 * KiB, 216 * KiB, "L1 40"}};
  report.comparison = Comparison{"b200.csv", "cycles", {{1024, 50, 40}, {1 << 20, 300, 301}}};
  report.settings = {{"l1.size", "216 KiB", "b200.yaml:7"}};
  return report;
}

inline ValidationReport validation() {
  ValidationReport report;
  report.heading = {"0.1.0", "b200, mi300x", "00ff"};
  report.rows = {{"A-1", "b200", "L1 latency", "cycles", 40, 41, 0.025, 0.03, Kind::fitted, "doc A", true, ""},
                 {"A-2", "b200", "L2 size", "MiB", 126, 126, 0, 0, Kind::spec, "doc B", true, ""},
                 {"M-1", "mi300x", "DRAM", "ns", 400, 440, 0.1, 0.05, Kind::predicted, "doc C", false, "far"},
                 {"A-3", "b200", "far L2", "cycles", 500, 490, -0.02, 0.05, Kind::predicted, "doc A", true, ""},
                 {"O-1", "b200", "L2 below DRAM", "", none, none, none, none, Kind::ordering, "doc D", true, ""}};
  report.curves = {curve()};
  return report;
}

inline JourneyReport journey() {
  return {{"0.1.0", "b200", "00ff"},
          0x1000,
          "ld.global",
          {{"L1", 24, 12, "miss"}, {"L2 slice 3", 276, 138, "hit, near"}},
          300,
          150};
}

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

// "" for well-formed markup, otherwise the error: every element closed in order,
// every attribute quoted, no '<' in text, every '&' an entity of XML.
inline std::string fault_in_markup(std::string_view text) {
  constexpr std::string_view doctype = "<!DOCTYPE html>\n";
  if (text.substr(0, doctype.size()) == doctype) text.remove_prefix(doctype.size());
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string_view entity = text.substr(at, end - at + 1);
      const bool known =
          entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;" || entity == "&#39;";
      if (!known) return "unknown entity " + std::string(entity.substr(0, 12));
      at = end + 1;
      continue;
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) return "tag without end";
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string_view::npos) return "'<' in tag " + std::string(tag);
    if (count(tag, "\"") != 2 * count(tag, "=\"")) return "quotes in tag " + std::string(tag);
    at = end + 1;
    if (!tag.empty() && tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + std::string(tag.substr(1));
      open.pop_back();
    } else if (!tag.empty() && tag.back() != '/') {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty() ? std::string() : "left open: " + open.back();
}

}  // namespace strata::report::sample
