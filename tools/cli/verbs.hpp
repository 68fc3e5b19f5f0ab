// SPDX-License-Identifier: Apache-2.0
// The verbs of the program, one file each, in one table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata::cli {

/// What was typed after the verb.
using Arguments = std::vector<std::string>;

inline constexpr int exit_done = 0;
inline constexpr int exit_failed_check = 1;
inline constexpr int exit_bad_input = 2;
/// A fault of this program; EX_SOFTWARE of sysexits.h.
inline constexpr int exit_internal = 70;

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);
};

std::span<const Verb> verbs();

int latency(const Arguments& arguments);
int handoff(const Arguments& arguments);
int bandwidth(const Arguments& arguments);
int run(const Arguments& arguments);
int sweep(const Arguments& arguments);
int compare(const Arguments& arguments);
int sensitivity(const Arguments& arguments);
int validate(const Arguments& arguments);
int explain(const Arguments& arguments);
int list(const Arguments& arguments);
int check(const Arguments& arguments);
int trace(const Arguments& arguments);

}  // namespace strata::cli
