// SPDX-License-Identifier: Apache-2.0
#include "cache/spec/data_pool_spec.hpp"

#include <fmt/format.h>

namespace strata::cache {

using config::range;

config::Schema<DataPoolSpec> DataPoolSpec::schema() {
  return config::Schema<DataPoolSpec>("data pool", "data lines that all sets of tags share")
      .optional("tag_sets", &DataPoolSpec::tag_sets, "sets of the tag array", range<std::uint64_t>(1, 1U << 20U),
                config::power_of_two())
      .optional("groups", &DataPoolSpec::groups, "groups of sets, among which data lines move",
                range<std::uint64_t>(1, 64), config::power_of_two())
      .optional(
          "guarantee", &DataPoolSpec::guarantee,
          "guaranteed lines of a group: with fewer, or fewer than an equal share, it takes lines from other groups",
          range<std::uint64_t>(0, 1U << 24U))
      .check("groups", [](const DataPoolSpec& pool) {
        return pool.groups <= pool.tag_sets ? std::string() : fmt::format("must not exceed the {} sets", pool.tag_sets);
      });
}

}  // namespace strata::cache
