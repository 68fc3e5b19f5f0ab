// SPDX-License-Identifier: Apache-2.0
// The answer of `handoff`: how long pairs of cores take to hand a word over, grouped by where
// the two and the word lie, with the stages of an attempt as the cause of each group.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/data.hpp"

namespace strata::report {

struct HandoffRow {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double ns = 0;
  double cycles = 0;
  double attempts = 0;       // compare-and-swaps a hand-off, of both threads
  std::size_t relation = 0;  // which of the relations
};

struct HandoffRelation {
  std::string name;
  std::uint64_t pairs = 0;
  double least_ns = 0, mean_ns = 0, most_ns = 0;
  double mean_cycles = 0;
  double mean_attempts = 0;
  // Of the attempts of one of its pairs, mean ns by stage, the longest first.
  std::vector<std::pair<std::string, double>> stages;
};

struct HandoffReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::uint64_t all_pairs = 0;             // that the machine has; those measured may be a sample
  std::vector<HandoffRelation> relations;  // the fastest first
  std::vector<HandoffRow> pairs;
  std::vector<Setting> settings;
};

// Of the pairs, how many lie in each interval of a whole number of ns: (its lower end, pairs), rising, without gaps.
struct HandoffBin {
  double from_ns = 0;
  std::uint64_t pairs = 0;
};
// width_ns is 1, 2 or 5 times a power of ten, for some 40 bins at most.
std::vector<HandoffBin> histogram(const std::vector<HandoffRow>& pairs, double& width_ns);

std::string table(const HandoffReport& report);
// first,second,relation,handoff_ns,handoff_cycles,attempts
std::string csv(const HandoffReport& report);
std::string json(const HandoffReport& report);
// Cores against cores, and the histogram.
std::string svg(const HandoffReport& report);
std::string html(const HandoffReport& report);

}  // namespace strata::report
