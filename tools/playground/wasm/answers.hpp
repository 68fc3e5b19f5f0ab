// SPDX-License-Identifier: Apache-2.0
// The questions of the page. A request is lines: a verb, then `NAME VALUE` each.
//   configure   row PATH=VALUE..., set PATH=VALUE...: the machine of all that follows
//   latency     footprint, stride, threads, loads, segmented: one point of the curve
//   journey     footprint, stride, step: one load after a chase over so much
//   walk        footprint, stride, ascending, step: a load of a cold chase, contents before and after
//   bandwidth   footprint, bytes: one point, all cores reading; bytes timed
// A request that cannot be answered gives {"errors": [{"message", "hint", "settings"}]}.
#pragma once
#include <string>
#include <string_view>

namespace strata::playground {

std::string answer(std::string_view request);

}  // namespace strata::playground
