// SPDX-License-Identifier: Apache-2.0
// Measured curves of the user's own, from CSV. The columns of the contract are
// `footprint_bytes` with `latency_cycles` or `latency_ns`; the names that
// published files use are known too, and any others can be named.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::tools {

struct MeasuredPoint {
  std::uint64_t footprint_bytes = 0;
  double value = 0;  ///< in the curve's unit
};

struct MeasuredCurve {
  std::string unit;  ///< "cycles" or "ns"
  std::vector<MeasuredPoint> points;
};

struct ColumnChoice {
  /// Names of the footprint and the latency column; empty: found by name.
  std::string footprint;
  std::string value;
  /// Rows are kept where each named column has the stated text.
  std::vector<std::pair<std::string, std::string>> where;
};

/// Reads CSV text. Lines that open with # are comments. Throws InputError with
/// file, line and column of every fault: no header, columns missing, text in a
/// number field, a footprint that is not positive, no rows left.
MeasuredCurve read_measured(std::string_view text, const std::string& file,
                            const ColumnChoice& choice);

/// Parses "footprint,value" of --columns and "column=text" of --where.
ColumnChoice column_choice(const std::optional<std::string>& columns,
                           const std::vector<std::string>& where);

}  // namespace strata::tools
