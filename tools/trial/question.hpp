// SPDX-License-Identifier: Apache-2.0
// One question to the program, like that of a user: a command line, run in a separate process
// with limits on time and memory, and its outcome.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace strata::trial {

/// The last four classes and those between are faults of the program.
enum class Outcome : std::uint8_t {
  answered,
  refused,          ///< exit 2, and each line of the refusal names a setting that was given
  refused_unnamed,  ///< exit 2 without such a name
  not_a_number,     ///< an answer with nan or inf in it
  internal,         ///< any other exit code
  signal,           ///< ended by a signal that is no limit
  time,             ///< ran into the limit on its time
  memory,           ///< ran into the limit on its memory, or exceeded it
};
inline constexpr std::uint8_t outcomes = 8;

/// In words, for the report.
const char* name_of(Outcome outcome);
constexpr bool is_fault(Outcome outcome) { return outcome > Outcome::refused; }

struct Limits {
  unsigned cpu_seconds = 20;
  unsigned wall_seconds = 300;
  std::uint64_t memory_bytes = std::uint64_t{2} << 30U;  ///< resident
};

struct Answer {
  Outcome outcome = Outcome::answered;
  std::string said;  ///< the first line of stderr with the reason
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;
};

/// words: the program and its arguments. paths: the settings that these give.
Answer ask(const std::vector<std::string>& words, const std::vector<std::string>& paths, const Limits& limits);

/// Whether a text names the path, the map or list that holds it, or a neighbouring setting.
bool names_setting(const std::string& text, const std::string& path);

}  // namespace strata::trial
