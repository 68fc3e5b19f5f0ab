// SPDX-License-Identifier: Apache-2.0
// The short ways of writing a curve, spelt out in the tree before it is bound:
// a point may be a pair, and the points of a bandwidth curve have the options
// of the curve but for those of their own.
#pragma once
#include "config/value/value.hpp"

namespace strata::study::written {

/// Of every entry of a file. What is no such point is left as it is, for the
/// schema to refuse.
void spell_out_the_points(config::Value& file);

}  // namespace strata::study::written
