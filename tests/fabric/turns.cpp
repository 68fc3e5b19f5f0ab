// SPDX-License-Identifier: Apache-2.0
// Rounds of requests that wait, against orders written by hand.
#include "fabric/turns.hpp"

#include <deque>
#include <string>

#include "catch.hpp"

namespace strata::fabric {
namespace {

// A list in the order of its rounds, with letters for parties; each party is one source.
struct Line {
  explicit Line(std::uint32_t grants) : turns(3, 3, grants) {}
  void store(char party) { insert(turns.in_turn(add(party), of(party), of(party), left)); }
  void load(char party) { insert(turns.at_end(add(party), of(party), left)); }
  void serve(unsigned count) {
    for (; count != 0; --count, ++left) list.pop();
  }
  /// Who waits, the next first: capital letters are stores.
  std::string order() const {
    std::string names;
    for (const engine::Message* next = list.empty() ? nullptr : &list.front(); next != nullptr; next = next->next)
      names += static_cast<char>(next->flight.ticks);
    return names;
  }

 private:
  static std::uint32_t of(char party) { return static_cast<std::uint32_t>((party | 0x20) - 'a'); }
  engine::Message& add(char name) {
    messages.emplace_back().flight = Duration{name};
    return messages.back();
  }
  void insert(engine::Message* place) {
    place == nullptr ? list.push(messages.back()) : list.push_behind(*place, messages.back());
  }
  engine::MessageList list;
  std::deque<engine::Message> messages;
  std::uint64_t left = 0;
  Turns turns;
};

void stores(Line& line, const std::string& parties) {
  for (const char party : parties) line.store(party);
}

}  // namespace

TEST_CASE("each_round_has_as_many_requests_of_a_party_as_are_granted") {
  Line one(1);
  stores(one, "AAABCB");
  CHECK(one.order() == "ABCABA");
  Line two(2);
  stores(two, "AAABCB");
  CHECK(two.order() == "AABCBA");
}

TEST_CASE("a_party_that_comes_late_joins_the_round_that_is_served") {
  Line line(1);
  stores(line, "AAAB");
  line.serve(1);
  CHECK(line.order() == "BAA");
  line.store('C');
  CHECK(line.order() == "BCAA");
  line.serve(3);
  line.store('B');  // had its turn in the first round, not in this one
  CHECK(line.order() == "AB");
}

TEST_CASE("rounds_begin_again_when_no_request_waits") {
  Line line(1);
  stores(line, "AAA");
  line.serve(3);
  stores(line, "ABA");
  CHECK(line.order() == "ABA");
}

TEST_CASE("no_store_overtakes_a_load_of_its_source_that_waits") {
  Line line(1);
  line.load('a');
  line.load('b');
  CHECK(line.order() == "ab");
  stores(line, "AABB");
  CHECK(line.order() == "abABAB");
  line.load('c');
  CHECK(line.order() == "abABABc");
  line.store('C');  // others would join the first round
  CHECK(line.order() == "abABABcC");
  line.store('B');
  CHECK(line.order() == "abABABcCB");
}

}  // namespace strata::fabric
