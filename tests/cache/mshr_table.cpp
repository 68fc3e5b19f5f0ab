// SPDX-License-Identifier: Apache-2.0
#include "cache/misses/mshr_table.hpp"

#include <map>

#include "base/random.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;

TEST_CASE("mshr_table_uses_a_register_again_before_a_fresh_one") {
  MshrTable table(4);
  CHECK(table.take(10, 0, 0, true) == 0);
  CHECK(table.take(11, 0, 0, true) == 1);
  table.give_back(0);
  CHECK(table.take(12, 0, 0, true) == 0);
  CHECK(table.take(13, 0, 0, true) == 2);
  CHECK(table.take(14, 0, 0, true) == 3);
  CHECK(table.full());
}

TEST_CASE("mshr_table_finds_only_attached_entries") {
  for (const std::uint32_t size : {1U, 3U, 64U}) {
    MshrTable table(size);
    std::map<LineNumber, std::uint32_t> model;
    std::vector<std::uint32_t> detached;
    RandomSequence random(size);
    for (int i = 0; i < 20000; ++i) {
      const LineNumber line = random.below(2 * size + 1);
      const auto found = model.find(line);
      REQUIRE(table.find(line) == (found == model.end() ? MshrTable::none : found->second));
      REQUIRE(table.open() == model.size() + detached.size());
      if (found == model.end()) {
        if (!table.full()) model[line] = table.take(line, 0, 0, true);
      } else if (random.below(3) == 0) {
        table.detach(found->second);
        detached.push_back(found->second);
        model.erase(found);
      } else {
        table.give_back(found->second);
        model.erase(found);
      }
      if (!detached.empty() && random.below(2) == 0) {
        table.give_back(detached.back());
        detached.pop_back();
      }
      if (random.below(1000) == 0) {
        table.detach_all();
        for (const auto& entry : model) detached.push_back(entry.second);
        model.clear();
      }
    }
  }
}
