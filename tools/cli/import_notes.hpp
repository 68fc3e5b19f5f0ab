// SPDX-License-Identifier: Apache-2.0
// What an import has to say, on stderr: once for each thing, not for each line.
#pragma once
#include <fmt/format.h>

#include <iostream>

#include "base/printable.hpp"
#include "formats/import.hpp"

namespace strata::cli {

inline void tell(const formats::ImportReport& report) {
  for (const std::string& note : report.notes) std::cerr << fmt::format("note: {}\n", printable(note));
  for (const auto& [what, count] : report.counted)
    std::cerr << fmt::format("note: {} ({} {})\n", printable(what), count, count == 1 ? "time" : "times");
  for (const auto& [opcode, count] : report.unknown)
    std::cerr << fmt::format("note: opcode {} is not known ({} times); timed as integer arithmetic\n", printable(opcode), count);
}

}  // namespace strata::cli
