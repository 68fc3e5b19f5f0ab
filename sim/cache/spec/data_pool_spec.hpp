// SPDX-License-Identifier: Apache-2.0
// A tag array apart from the data array: fixed sets and ways of tags, and a
// pool of data lines, fewer than the tags, that the sets share.
#pragma once
#include <cstdint>

#include "config/schema/schema.hpp"

namespace strata::cache {

struct DataPoolSpec {
  std::uint64_t tag_sets = 512;
  std::uint64_t groups = 4;       ///< of sets, among which data lines move
  std::uint64_t guarantee = 300;  ///< lines of a group; with fewer it takes from the others

  std::uint64_t sets_of_group() const { return tag_sets / groups; }

  static config::Schema<DataPoolSpec> schema();
};

}  // namespace strata::cache
