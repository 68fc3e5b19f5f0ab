// SPDX-License-Identifier: Apache-2.0
// The writers of what `run` answers: a table for people, JSON and CSV for
// programs. Sums over several kernels stand beside each kernel's own figures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "report/json.hpp"
#include "report/run/data.hpp"
#include "report/svg/bars.hpp"
#include "report/svg/curve.hpp"

namespace strata::report {

boost::json::object to_json(const RunReport& report);
inline std::string json(const RunReport& report) { return pretty(to_json(report)); }

// kernel,time_ns,cycles,warp_instructions,...: a row for each kernel.
std::string csv(const RunReport& report);

// How long, at what share of each level's peak, and where the time went.
std::string table(const RunReport& report);

// The roofline, where there are operations, and a sheet of bars for each kernel.
std::string svg(const RunReport& report);
std::string html(const RunReport& report);

// Drawings show the longest kernels of a list, in the order of the run.
inline constexpr std::size_t most_drawn_kernels = 12;
std::vector<const KernelReport*> shown_kernels(const RunReport& report);
// Williams, Waterman and Patterson: Roofline, 2009. Nothing where no kernel computes.
std::optional<Chart> roofline_chart(const RunReport& report);
BarSheet where_the_time_went(const KernelReport& kernel);

// Of a kernel with `sampling`: what was run and what is estimated, or why it was run whole.
std::string sampling_in_words(const KernelReport& kernel);

// "5.921 us", "1.234 ms"
std::string time_label(double seconds);
// "3.2 TB/s"
std::string rate_label(double bytes_per_second);

}  // namespace strata::report
