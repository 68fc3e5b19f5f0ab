// SPDX-License-Identifier: Apache-2.0
// Values of settings as numbers: what kind a setting is, its value in base units, and a computed
// value as text again.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "config/schema/info.hpp"
#include "config/value/unit.hpp"

namespace strata::study {

/// Whole numbers up to here are exact in a double.
inline constexpr double most_exact = 9007199254740992.0;

/// Reads a text as that kind; exact where the kind is whole.
config::Reading<double> read_as(std::string_view text, const config::NumberKind& kind);

/// The kind of a number by how it is written; null for what is none.
const config::NumberKind* kind_by_look(std::string_view text);

/// The number of a text in base units, NaN where it is none; what its provenance says is no part of it.
double number_of(std::string_view text, const config::NumberKind* kind);

/// The factor times a present value, as text that --set takes. None: the present is no number, or
/// the product too large.
std::optional<std::string> multiplied(std::string_view present, double factor, const config::NumberKind& kind);

/// A computed value in base units as text that --set takes: whole where the kind is, else to
/// twelve digits, so that steps of 0.1 read 1.3 and not 1.3000000000000003. None: too large.
std::optional<std::string> value_text(double value, const config::NumberKind& kind);

/// The kind of number that a setting is; null for what is none. Steps into lists
/// by any name. Null too where the schema has no such path.
const config::NumberKind* kind_of_setting(const config::SchemaInfo& schema, std::string_view path);

}  // namespace strata::study
