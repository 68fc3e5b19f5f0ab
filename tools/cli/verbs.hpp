// SPDX-License-Identifier: Apache-2.0
// The verbs of the program, one file each, in one table.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata::cli {

class Options;

/// The arguments after the verb.
using Arguments = std::vector<std::string>;

inline constexpr int exit_done = 0;
inline constexpr int exit_failed_check = 1;
inline constexpr int exit_bad_input = 2;
/// A fault of this program; EX_SOFTWARE of sysexits.h.
inline constexpr int exit_internal = 70;

struct ExitStatus {
  int code;
  std::string_view meaning;
};
inline constexpr std::array<ExitStatus, 5> exit_statuses{{
    {exit_done, "done"},
    {exit_failed_check, "the run ended, and a result is outside its tolerance"},
    {exit_bad_input, "invalid usage, configuration or input"},
    {exit_internal, "a fault of strata itself; please report it"},
    {130, "interrupted; the results so far are written and marked incomplete"},
}};

struct Verb {
  std::string_view name;
  std::string_view summary;
  /// Its options, not yet parsed. They depend on the arguments where a verb has questions.
  Options (*options)(const Arguments& arguments);
  int (*run)(const Options& options);
};

std::span<const Verb> verbs();
/// Throws InputError if there is none of this name.
const Verb& find_verb(const std::string& name);

Options latency_options(const Arguments& arguments);
int latency(const Options& options);
Options bandwidth_options(const Arguments& arguments);
int bandwidth(const Options& options);
Options handoff_options(const Arguments& arguments);
int handoff(const Options& options);
Options litmus_options(const Arguments& arguments);
int litmus(const Options& options);
Options run_options(const Arguments& arguments);
int run(const Options& options);
Options sweep_options(const Arguments& arguments);
int sweep(const Options& options);
Options compare_options(const Arguments& arguments);
int compare(const Options& options);
Options sensitivity_options(const Arguments& arguments);
int sensitivity(const Options& options);
Options validate_options(const Arguments& arguments);
int validate(const Options& options);
Options explain_options(const Arguments& arguments);
int explain(const Options& options);
Options list_options(const Arguments& arguments);
int list(const Options& options);
Options check_options(const Arguments& arguments);
int check(const Options& options);
Options trace_options(const Arguments& arguments);
int trace(const Options& options);

}  // namespace strata::cli
