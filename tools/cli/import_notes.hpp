// SPDX-License-Identifier: Apache-2.0
// The notes of an import, on stderr: once for each finding, not for each line.
#pragma once
#include <fmt/format.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "formats/import/import.hpp"

namespace strata::cli {

inline std::vector<std::string> notes_of(const formats::ImportReport& report) {
  std::vector<std::string> notes = report.notes;
  for (const auto& [what, count] : report.counted)
    notes.push_back(fmt::format("{} ({} {})", what, count, count == 1 ? "time" : "times"));
  for (const auto& [opcode, count] : report.unknown)
    notes.push_back(fmt::format("opcode {} is not known ({} times); timed as integer arithmetic", opcode, count));
  return notes;
}

inline void tell(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << fmt::format("note: {}\n", printable(note));
}
inline void tell(const formats::ImportReport& report) { tell(notes_of(report)); }

}  // namespace strata::cli
