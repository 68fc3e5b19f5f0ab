// SPDX-License-Identifier: Apache-2.0
// The directory itself: entries, counts of copies, and which entry is evicted.
#include "cache/coherence/probe_filter.hpp"

#include <stdexcept>

#include "catch.hpp"

namespace strata::cache {
namespace {

bool always(std::uint64_t) { return true; }

}  // namespace

TEST_CASE("a_filter_that_was_never_used_finds_nothing") {
  const ProbeFilter filter(4, 2, 8);
  CHECK(filter.find(filter.set_of(5), 77) == ProbeFilter::none);
  CHECK(filter.set_of(5) == 1);
  CHECK(filter.copies() == 0);
}

TEST_CASE("an_entry_counts_the_copies_of_each_die") {
  ProbeFilter filter(4, 2, 8);
  const std::uint32_t entry = filter.allocate(3, 77);
  REQUIRE(filter.find(3, 77) == entry);
  CHECK(filter.find(2, 77) == ProbeFilter::none);
  filter.add(entry, 0);
  filter.add(entry, 7);
  filter.add(entry, 7);
  CHECK(filter.holders(entry) == 0b1000'0001U);
  CHECK(filter.copies(entry, 7) == 2);
  filter.remove(entry, 7);
  CHECK(filter.holders(entry) == 0b1000'0001U);
  filter.remove(entry, 7);
  CHECK(filter.holders(entry) == 0b0000'0001U);
  CHECK(!filter.unused(entry));
  filter.remove(entry, 0);
  CHECK(filter.unused(entry));
  CHECK(filter.copies() == 0);
}

TEST_CASE("the_end_of_a_copy_that_is_not_counted_is_an_error") {
  ProbeFilter filter(1, 1, 2);
  CHECK_THROWS_AS(filter.remove(ProbeFilter::none, 0), std::logic_error);
  const std::uint32_t entry = filter.allocate(0, 5);
  filter.add(entry, 0);
  CHECK_THROWS_AS(filter.remove(entry, 1), std::logic_error);
}

TEST_CASE("of_a_full_set_the_entry_used_least_recently_may_be_evicted") {
  ProbeFilter filter(2, 3, 2);
  for (const std::uint64_t block : {10U, 11U, 12U}) filter.add(filter.allocate(1, block), 0);
  CHECK(filter.allocate(1, 13) == ProbeFilter::none);
  CHECK(filter.allocate(0, 13) != ProbeFilter::none);  // another set
  CHECK(filter.block(filter.oldest(1, always)) == 10);
  filter.add(filter.find(1, 10), 1);
  CHECK(filter.block(filter.oldest(1, always)) == 11);
  CHECK(filter.block(filter.oldest(1, [](std::uint64_t block) { return block != 11; })) == 12);
  CHECK(filter.oldest(1, [](std::uint64_t) { return false; }) == ProbeFilter::none);
  const std::uint32_t gone = filter.find(1, 11);
  filter.remove(gone, 0);
  filter.free(gone);
  CHECK(filter.allocate(1, 13) == gone);
}

}  // namespace strata::cache
