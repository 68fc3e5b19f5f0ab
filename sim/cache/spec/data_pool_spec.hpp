// SPDX-License-Identifier: Apache-2.0
// A tag array apart from the data array: fixed sets and ways of tags, and a
// pool of data lines, fewer than the tags, that the sets share.
#pragma once
#include <cstdint>
#include <vector>

#include "config/schema/schema.hpp"

namespace strata::cache {

struct DataPoolSpec {
  std::uint64_t tag_sets = 512;
  /// For each bit of the line number, the lowest first, the bits of the set that it flips; bits beyond flip none.
  std::vector<std::uint32_t> set_hash{};

  /// set_hash is of just these sets. If not, the remainder of the line number, a polynomial over GF(2), by
  /// x^n + x^2 + 1 decides, 2^n being the sets.
  bool hashed() const;

  static config::Schema<DataPoolSpec> schema();
};

}  // namespace strata::cache
