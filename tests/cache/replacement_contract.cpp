// SPDX-License-Identifier: Apache-2.0
// The contract of every replacement policy, run for each line of the policy table.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "cache/tags/tag_array.hpp"
#include "catch.hpp"
#include "replacement/table.hpp"

using namespace strata;
using namespace strata::cache;

namespace {

using Policies = replacement::ReplacementTable::into<std::tuple>;

template <class Tags>
std::set<LineNumber> lines_of(const Tags& tags, std::uint64_t set) {
  std::set<LineNumber> lines;
  for (std::uint32_t way = 0; way < tags.ways(); ++way) {
    const std::uint64_t word = tags.word(set, way);
    if (LineWord::empty(word)) continue;
    CHECK(lines.insert(LineWord::line(word)).second);  // no line twice
  }
  return lines;
}

template <class Tags>
std::vector<std::uint64_t> words_of(const Tags& tags) {
  return {tags.words().data(), tags.words().data() + tags.words().size()};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("policy_contract: a set fills before anything goes", "", Policies) {
  for (const std::uint32_t ways : {1U, 2U, 3U, 4U, 16U, 20U, 64U, 100U}) {
    CAPTURE(ways);
    TagArray<TestType> tags(2, ways, 1);
    for (LineNumber line = 0; line < ways; ++line) {
      CHECK_FALSE(tags.access(1, line, 0b0001, Kind::write_clean).evicted);
    }
    for (LineNumber line = 0; line < ways; ++line) {
      CHECK(tags.access(1, line, 0b0001, Kind::read).hit == 0b0001);
    }
    CHECK(tags.access(1, ways, 0b0001, Kind::read).evicted);
    CHECK(lines_of(tags, 1).size() == ways);
    CHECK(lines_of(tags, 0).empty());
  }
}

TEMPLATE_LIST_TEST_CASE("policy_contract: a line held by a fetch never goes", "", Policies) {
  const std::uint32_t ways = 6;
  TagArray<TestType> tags(1, ways, 1);
  tags.hold(0, tags.access(0, 1000, 0b0001, Kind::read).way);
  for (LineNumber line = 0; line < 200; ++line) {
    tags.access(0, line, 0b0001, Kind::read);
    CHECK(tags.find(0, 1000) != no_way);
  }
  for (std::uint32_t way = 0; way < ways; ++way) tags.hold(0, way);
  CHECK(tags.victim(0) == no_way);
  const auto before = words_of(tags);
  CHECK(tags.access(0, 5000, 0b0001, Kind::read).way == no_way);
  CHECK(words_of(tags) == before);
  tags.release(0, 3);
  CHECK(tags.victim(0) == 3);
}

TEMPLATE_LIST_TEST_CASE("policy_contract: asking for a victim changes nothing", "", Policies) {
  TagArray<TestType> tags(4, 12, 1);
  RandomSequence random(2);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t set = random.below(4);
    const auto before = words_of(tags);
    const std::uint32_t first = tags.victim(set);
    CHECK(first == tags.victim(set));
    CHECK(first < tags.ways());
    CHECK(words_of(tags) == before);
    tags.access(set, random.below(40), 0b0001, Kind::read);
  }
}

TEMPLATE_LIST_TEST_CASE("policy_contract: lines come, go and are reported exactly", "", Policies) {
  const std::uint64_t sets = 3;
  TagArray<TestType> tags(sets, 7, 9);
  std::vector<std::map<LineNumber, SectorMask>> model(sets);  // line to dirty sectors
  RandomSequence random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t set = random.below(sets);
    const LineNumber line = random.below(20);
    auto& lines = model[set];
    if (random.below(10) == 0) {
      const std::uint32_t way = tags.find(set, line);
      REQUIRE((way != no_way) == lines.contains(line));
      if (way != no_way) CHECK(tags.remove(set, way).dirty == lines[line]);
      lines.erase(line);
      continue;
    }
    const bool write = random.below(2) == 0;
    const auto sectors = static_cast<SectorMask>(1 + random.below(15));
    const Access done = tags.access(set, line, sectors, write ? Kind::write_dirty : Kind::read);
    REQUIRE(done.present == lines.contains(line));
    REQUIRE(LineWord::line(tags.word(set, done.way)) == line);
    if (done.evicted) {
      REQUIRE(lines.contains(done.victim.line));
      CHECK(done.victim.dirty == lines[done.victim.line]);
      lines.erase(done.victim.line);
    }
    SectorMask& dirty = lines[line];
    if (write) dirty = static_cast<SectorMask>(dirty | sectors);
    if (i % 500 == 0) {
      std::set<LineNumber> expected;
      for (const auto& entry : lines) expected.insert(entry.first);
      REQUIRE(lines_of(tags, set) == expected);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("policy_contract: a freed place is the next to be used", "", Policies) {
  TagArray<TestType> tags(1, 8, 1);
  for (LineNumber line = 0; line < 8; ++line) tags.access(0, line, 0b0001, Kind::read);
  tags.remove(0, tags.find(0, 5));
  CHECK_FALSE(tags.access(0, 100, 0b0001, Kind::read).evicted);
  CHECK(lines_of(tags, 0) == std::set<LineNumber>{0, 1, 2, 3, 4, 6, 7, 100});
}

TEMPLATE_LIST_TEST_CASE("policy_contract: the same accesses leave the same words", "", Policies) {
  TagArray<TestType> a(5, 9, 77), b(5, 9, 77);
  RandomSequence random(4);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t set = random.below(5);
    const LineNumber line = random.below(30);
    CHECK(a.access(set, line, 0b0001, Kind::read).way == b.access(set, line, 0b0001, Kind::read).way);
  }
  CHECK(words_of(a) == words_of(b));
}

TEMPLATE_LIST_TEST_CASE("policy_contract: a line that moves shifts those between by one", "", Policies) {
  TagArray<TestType> tags(1, 9, 5);
  const auto order = [&] {
    std::vector<std::uint64_t> lines;  // + 1; 0: none
    for (std::uint32_t way = 0; way < tags.ways(); ++way)
      lines.push_back(LineWord::empty(tags.word(0, way)) ? 0 : LineWord::line(tags.word(0, way)) + 1);
    return lines;
  };
  RandomSequence random(6);
  for (int i = 0; i < 3000; ++i) {
    const LineNumber line = random.below(15);
    const std::uint32_t found = tags.find(0, line);
    const std::uint32_t from = found == no_way ? tags.victim(0) : found;
    auto expected = order();
    expected[from] = line + 1;
    const std::uint32_t to = tags.access(0, line, 0b0001, Kind::read).way;
    const auto first = expected.begin();
    if (to < from) std::rotate(first + to, first + from, first + from + 1);
    if (to > from) std::rotate(first + from, first + from + 1, first + to + 1);
    REQUIRE(order() == expected);
  }
}
