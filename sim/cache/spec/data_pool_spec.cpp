// SPDX-License-Identifier: Apache-2.0
#include "cache/spec/data_pool_spec.hpp"

#include <algorithm>

namespace strata::cache {

using config::entries;
using config::range;

namespace {

/// How many sets the sums modulo 2 of these numbers are.
std::uint64_t sets_reached(const std::vector<std::uint32_t>& flips) {
  std::vector<std::uint32_t> independent;
  for (std::uint32_t next : flips) {
    for (const std::uint32_t known : independent) next = std::min(next, next ^ known);
    if (next != 0) independent.push_back(next);
  }
  return std::uint64_t{1} << independent.size();
}

}  // namespace

config::Schema<DataPoolSpec> DataPoolSpec::schema() {
  return config::Schema<DataPoolSpec>("data pool", "data lines that all sets of tags share")
      .optional("tag_sets", &DataPoolSpec::tag_sets, "sets of the tag array", range<std::uint64_t>(1, 1U << 20U),
                config::power_of_two())
      .optional("set_hash", &DataPoolSpec::set_hash,
                "for each bit of the line number, the lowest first, the bits of the set that it flips, as a number; "
                "ignored unless it reaches exactly the tag_sets: then the set is the remainder of the line number by "
                "x^n + x^2 + 1 over GF(2), of 2^n sets",
                entries(0, 48), range<std::uint32_t>(0, (1U << 20U) - 1));
}

bool DataPoolSpec::hashed() const {
  const auto within = [this](std::uint32_t flips) { return flips < tag_sets; };
  return !set_hash.empty() && std::all_of(set_hash.begin(), set_hash.end(), within) &&
         sets_reached(set_hash) == tag_sets;
}

}  // namespace strata::cache
