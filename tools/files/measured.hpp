// SPDX-License-Identifier: Apache-2.0
// Measured curves of the user, from CSV. The columns of the contract are
// `footprint_bytes` with `latency_cycles` or `latency_ns`, or with
// `bytes_per_second`; the names that published files use are known too, and any
// others can be named. A bandwidth's unit is that in its column's name (GB_per_s,
// bandwidth_TB_s, read_MiBps), or is given behind the name: `read_best:GB/s`.
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

/// The quantity measured against the footprint.
enum class Measured : std::uint8_t { latency, bandwidth };

struct MeasuredCurve {
  std::string unit;  ///< "cycles" or "ns"; "B/s" of a bandwidth, whatever the column's unit
  std::vector<MeasuredPoint> points;
  std::vector<std::string> notes;  ///< of units that were assumed
};

struct ColumnChoice {
  Measured quantity = Measured::latency;
  /// Names of the footprint and the value column; empty: found by name.
  std::string footprint;
  std::string value;
  /// Rows are kept where each named column has the stated text.
  std::vector<std::pair<std::string, std::string>> where;
};

/// Reads CSV text. Lines that open with # are comments. Throws InputError with
/// file, line and column of every fault: no header, columns missing, text in a
/// number field, a footprint that is not positive, no rows left. A bandwidth of 0/0, as written
/// for empty passes, is omitted.
MeasuredCurve read_measured(std::string_view text, const std::string& file, const ColumnChoice& choice);

/// Parses "footprint,value" of --columns and "column=text" of --where.
ColumnChoice column_choice(const std::optional<std::string>& columns, const std::vector<std::string>& where,
                           Measured quantity = Measured::latency);

}  // namespace strata::tools
