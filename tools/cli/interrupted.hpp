// SPDX-License-Identifier: Apache-2.0
// Incomplete results of interrupted runs: their heading, and the end of their verb.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "parallel/interrupt.hpp"
#include "parallel/points.hpp"
#include "report/data.hpp"

namespace strata::cli {

/// The heading of a result with `done` of `asked`; also written to stderr. Nothing if that is
/// all. If it is none, there is no result to write, and the process ends.
inline std::optional<report::Incomplete> what_is_kept(std::uint64_t done, std::uint64_t asked, const char* what) {
  if (done == asked) return std::nullopt;
  if (done == 0) {
    tools::say_interrupted(fmt::format("none of {} {} was completed; each named output is unchanged", asked, what));
    tools::leave_interrupted();
  }
  tools::say_interrupted(fmt::format("{} of {} {} are done and are written", done, asked, what));
  return report::Incomplete{done, asked, what};
}

template <class Answer>
std::optional<report::Incomplete> what_is_kept(const tools::Points<Answer>& points) {
  return what_is_kept(points.answers.size(), points.asked, "points");
}

/// The end of a verb that has written its result: `code`, unless the result is incomplete; then
/// the process ends without waiting for points in progress.
inline int finish(const report::Heading& heading, int code) {
  if (heading.incomplete) tools::leave_interrupted();
  return code;
}

}  // namespace strata::cli
