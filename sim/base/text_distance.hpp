// SPDX-License-Identifier: Apache-2.0
// The nearest valid name to a misspelt one. Distance is that of Damerau
// (Communications of the ACM 7(3), 1964), restricted to single edits: insert,
// delete, replace, swap two neighbours; letters are compared without case. Long
// words are not compared at all, so hostile input costs nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// Edits that turn `a` into `b`, ASCII case aside.
std::size_t text_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, first of equals; empty where none is within
/// a third of the word's length (at least one edit, at least two from four letters).
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace strata
