// SPDX-License-Identifier: Apache-2.0
// JSON documents, schema 1. Field names are part of what users' scripts rely
// on: more may be added, none changed. Text is deterministic: fields in a fixed
// order, numbers in the shortest form that reads back to the same bits, bytes
// as integers, null for a figure that does not exist, no locale.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "report/data.hpp"

namespace strata::report {

// {"strata": {"version", "schema"}, "gpu", "fingerprint"}: what every document
// opens with; other documents begin with it too.
boost::json::object document(const Heading& heading);

// null for a figure that does not exist.
boost::json::value json_number(double figure);

// Parts that several documents have.
// {name: share, ...}
boost::json::object to_json(const std::vector<std::pair<std::string, double>>& shares);
boost::json::object to_json(const Comparison& comparison);
boost::json::array to_json(const std::vector<Setting>& settings);
/// "settings", if there are any, and what add_unread_settings() adds.
void add_settings(boost::json::object& written, const std::vector<Setting>& settings);
/// "unread_settings" and "setting_notes": of those that the user gave, the ones that are
/// not read and the ones that do not decide what their names suggest.
void add_unread_settings(boost::json::object& written, const std::vector<Setting>& settings);

boost::json::object to_json(const CurveReport& report);
boost::json::object to_json(const ValidationReport& report);
boost::json::object to_json(const JourneyReport& report);

// Indented by two blanks; what fits on a line of 120 columns stands on one, so
// that a point or a row is a line that tools and people can compare. Ends with
// a line end.
std::string pretty(const boost::json::value& item);

inline std::string json(const CurveReport& report) { return pretty(to_json(report)); }
inline std::string json(const ValidationReport& report) { return pretty(to_json(report)); }
inline std::string json(const JourneyReport& report) { return pretty(to_json(report)); }

}  // namespace strata::report
