// SPDX-License-Identifier: Apache-2.0
#include "base/permutation.hpp"

#include <cstdint>
#include <vector>

#include "catch.hpp"

using namespace strata;

TEST_CASE("a_permutation_visits_every_index_once") {
  for (const std::uint64_t size : {1U, 2U, 3U, 8U, 100U, 4096U, 65537U}) {
    const Permutation permutation{size, 11};
    std::vector<bool> seen(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t image = permutation(i);
      REQUIRE(image < size);
      REQUIRE_FALSE(seen[image]);
      seen[image] = true;
    }
  }
}

TEST_CASE("another_seed_gives_another_order") {
  const Permutation a{4096, 1};
  const Permutation b{4096, 2};
  int same = 0;
  for (std::uint64_t i = 0; i < 4096; ++i) same += a(i) == b(i) ? 1 : 0;
  // Two random permutations agree in one place on average; 12 is far beyond chance.
  CHECK(same < 12);
}

TEST_CASE("neighbours_in_order_are_not_neighbours_in_place") {
  // In a random order the mean distance of successive images is size / 3.
  const std::uint64_t size = 1U << 16U;
  const Permutation permutation{size, 3};
  double sum = 0;
  for (std::uint64_t i = 1; i < size; ++i) {
    const auto a = static_cast<double>(permutation(i - 1));
    const auto b = static_cast<double>(permutation(i));
    sum += a < b ? b - a : a - b;
  }
  CHECK(sum / static_cast<double>(size) == Approx(static_cast<double>(size) / 3).epsilon(0.02));
}
