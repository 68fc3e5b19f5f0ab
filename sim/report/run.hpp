// SPDX-License-Identifier: Apache-2.0
// The writers of what `run` answers: a table for people, JSON and CSV for
// programs. Sums over several kernels stand beside each kernel's own figures.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "report/json.hpp"
#include "report/run_data.hpp"

namespace strata::report {

boost::json::object to_json(const RunReport& report);
inline std::string json(const RunReport& report) { return pretty(to_json(report)); }

// kernel,time_ns,cycles,warp_instructions,...: a row for each kernel.
std::string csv(const RunReport& report);

// How long, at what share of each level's peak, and where the time went.
std::string table(const RunReport& report);

}  // namespace strata::report
