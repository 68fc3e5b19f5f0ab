// SPDX-License-Identifier: Apache-2.0
// The answer of `compare`: one question put to two machines. What differs between
// them, what that does to each figure, and in which parts of the answer it shows.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/data.hpp"
#include "report/sweep/sweep.hpp"

namespace strata::report {

// A setting that the question reads; empty: that machine has no such setting.
struct ComparedSetting {
  std::string path;
  std::array<std::string, 2> values;
};

struct ComparedFigure {
  SweepFigure figure;
  std::array<double, 2> values{};
};

// A stage in ns of a request, or a share of 1; NaN: that machine has no such part.
struct ComparedPart {
  std::string group;  // "stages", "served by", "hits", "busy"
  std::string name;
  std::array<double, 2> values{};

  double difference() const;  // what is not there counts as 0
};

struct CompareReport {
  Heading heading;
  std::string title;
  std::string question;
  std::vector<std::pair<std::string, std::string>> options;
  std::array<std::string, 2> machines;  // "h200", "h200 with l2.cache.ways=8"
  std::vector<ComparedSetting> differing;
  std::size_t unread = 0;  // further settings that differ and are not read by the question
  std::vector<ComparedFigure> figures;
  std::size_t drawn = 0;                                                  // the figure that the sentence is about
  std::vector<std::pair<std::string, std::array<std::string, 2>>> words;  // "bottleneck"
  std::vector<ComparedPart> parts;
  std::vector<Setting> settings;  // of the first machine, then those given for the second alone
};

// "The latency falls from 141.3 ns to 120.0 ns, by 15.1 %"
std::string change_in_words(const CompareReport& report);
// The same with the stages that changed most and the bottleneck, in whole sentences.
std::string in_words(const CompareReport& report);

std::string table(const CompareReport& report);
std::string csv(const CompareReport& report);
std::string json(const CompareReport& report);
// Parts of both machines in one table.
std::string svg(const CompareReport& report);
std::string html(const CompareReport& report);

}  // namespace strata::report
