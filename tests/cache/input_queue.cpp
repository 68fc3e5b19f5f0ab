// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "cache/input/input_queue.hpp"
#include "catch.hpp"

namespace strata::cache {
namespace {

struct Bench {
  std::array<memory::Transaction, 8> requests;
  std::size_t used = 0;
  InputQueue queue;

  void come(Side side, bool guest = false) { queue.push(requests[used++], side, guest); }
  /// Numbers in the order in which they leave.
  std::string leave(const InputQueue::Open& open) {
    std::string order;
    while (queue.any(open)) order += static_cast<char>('0' + (&queue.pop(open) - requests.data()));
    return order;
  }
};

}  // namespace

TEST_CASE("waiting_requests_leave_in_order_of_arrival") {
  Bench bench;
  for (const Side side : {home_side, far_side, far_side, home_side, far_side}) bench.come(side);
  CHECK(bench.queue.size() == 5);
  CHECK(bench.leave({true, true}) == "01234");
  CHECK(bench.queue.size() == 0);
}

TEST_CASE("a_side_that_is_stopped_is_bypassed_by_the_other") {
  Bench bench;
  for (const Side side : {far_side, home_side, far_side, home_side}) bench.come(side);
  CHECK(bench.leave({true, false}) == "13");
  CHECK(bench.leave({true, true}) == "02");
}

TEST_CASE("own_requests_and_those_of_another_die_alternate") {
  Bench bench;
  for (const bool guest : {true, true, true, false, true, false}) bench.come(home_side, guest);
  // Own: 3, 5; guests: 0, 1, 2, 4.
  CHECK(bench.leave({true, true}) == "305124");
}

}  // namespace strata::cache
