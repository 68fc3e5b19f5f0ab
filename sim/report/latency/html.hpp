// SPDX-License-Identifier: Apache-2.0
// Pages that open from disk: one file, style and drawings inside it, no script,
// nothing loaded from anywhere, light or dark as the reader's machine is. Every
// name is escaped. The markup is well-formed XML too (but for the doctype's
// name), so that a plain tree reader can take a page apart.
#pragma once

#include <span>
#include <string>

#include "report/data.hpp"

namespace strata::report {

// The curve, its summary, the measured points with their errors, all points,
// and the effective configuration.
std::string html(const CurveReport& report);

// The same for several GPUs, with one chart that holds them all in front.
std::string html(std::span<const CurveReport> reports);

// Score by kind, a chart for each curve, the rows of each GPU with those that
// failed marked, and what the kinds mean.
std::string html(const ValidationReport& report);

// One load's way through the machine: a bar for each stage, then the table.
std::string html(const JourneyReport& report);

}  // namespace strata::report
