// SPDX-License-Identifier: Apache-2.0
// Answers that an interrupt cut short: what they say of themselves, and how
// their verb ends.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "parallel/interrupt.hpp"
#include "parallel/points.hpp"
#include "report/data.hpp"

namespace strata::cli {

/// What the heading says of an answer with `done` of `asked`; said on stderr as
/// well. Nothing where that is all. Where it is none there is no answer to
/// write, and the process ends.
inline std::optional<report::Incomplete> what_is_kept(std::uint64_t done, std::uint64_t asked, const char* what) {
  if (done == asked) return std::nullopt;
  if (done == 0) {
    tools::say_interrupted(fmt::format("none of {} {} was done; each named output is as it was before", asked, what));
    tools::leave_interrupted();
  }
  tools::say_interrupted(fmt::format("{} of {} {} are done and are written", done, asked, what));
  return report::Incomplete{done, asked, what};
}

template <class Answer>
std::optional<report::Incomplete> what_is_kept(const tools::Points<Answer>& points) {
  return what_is_kept(points.answers.size(), points.asked, "points");
}

/// The end of a verb that has written its answer: `code`, unless the answer is
/// incomplete; then the process ends without waiting for what is under way.
inline int finish(const report::Heading& heading, int code) {
  if (heading.incomplete) tools::leave_interrupted();
  return code;
}

}  // namespace strata::cli
