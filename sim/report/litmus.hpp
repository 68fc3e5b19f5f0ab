// SPDX-License-Identifier: Apache-2.0
// The answer of `litmus`: of each test, fence and placement how often each outcome appeared, and
// whether the memory model allows the one that is not sequentially consistent.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/data.hpp"

namespace strata::report {

struct LitmusRow {
  std::string test;
  std::string fence;         // none, block, gpu, system
  std::string placement;     // one core, one die, two dies
  std::string weak_outcome;  // "r0=1 r1=0"
  std::uint64_t runs = 0;
  std::uint64_t weak = 0;                                       // of these
  bool allowed = false;                                         // the weak outcome
  std::vector<std::pair<std::string, std::uint64_t>> outcomes;  // all that appeared, in order of registers
  bool passed() const { return allowed || weak == 0; }
};

struct LitmusReport {
  Heading heading;
  std::string title;
  std::string subtitle;
  std::vector<std::pair<std::string, std::string>> tests;  // name and meaning
  std::vector<LitmusRow> rows;
  std::vector<Setting> settings;
  std::size_t failed() const;
};

std::string table(const LitmusReport& report);
// test,fence,placement,outcome,count,weak,allowed
std::string csv(const LitmusReport& report);
std::string json(const LitmusReport& report);
std::string html(const LitmusReport& report);

}  // namespace strata::report
