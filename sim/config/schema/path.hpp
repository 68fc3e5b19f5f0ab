// SPDX-License-Identifier: Apache-2.0
// Paths into a configuration: `l2.size`, `levels[1].size`, `levels.L2.size`. An
// entry of a list is named by its index or by its `name`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema/info.hpp"

namespace strata::config {

struct Segment {
  std::string text;
  std::size_t offset;  ///< of its first character in the path
};

/// Takes a path apart; empty where it is malformed (`a..b`, `a[`, empty).
std::vector<Segment> split_path(std::string_view path);

/// The path of the schema nearest to a wrong one. `valid` is the part of it that
/// was found, `wrong` the name that was not, `names` what could have stood there.
std::string nearest_path(const SchemaInfo& schema, std::string_view valid, std::string_view wrong,
                         const std::vector<std::string>& names);

}  // namespace strata::config
