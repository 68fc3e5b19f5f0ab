// SPDX-License-Identifier: Apache-2.0
#include "engine/simulation.hpp"

#include <cstdint>

#include "base/random.hpp"
#include "catch.hpp"
#include "engine/pool.hpp"

using namespace strata;
using namespace strata::engine;

namespace {
struct Walker {
  Simulation& simulation;
  RandomSequence random;
  int left;
  Handler step = handler<&Walker::on_step>(*this);
  void on_step() {
    if (left-- > 0) simulation.after(Duration{static_cast<std::int64_t>(random.below(1000))}, Priority::arrival, step);
  }
};
std::uint64_t fingerprint_of(std::uint64_t seed) {
  Simulation simulation{Duration{16}};
  Walker walker{simulation, RandomSequence{seed}, 1000};
  simulation.at(Time{0}, Priority::arrival, walker.step);
  simulation.run();
  CHECK(simulation.events_served() == 1001);
  return simulation.fingerprint();
}
}  // namespace

TEST_CASE("the_same_run_has_the_same_fingerprint_and_another_run_another") {
  CHECK(fingerprint_of(1) == fingerprint_of(1));
  CHECK(fingerprint_of(1) != fingerprint_of(2));
}

TEST_CASE("stop_ends_the_run_after_the_event_being_served") {
  struct Stopper {
    Simulation& simulation;
    int served = 0;
    Handler go = handler<&Stopper::on_go>(*this);
    void on_go() {
      ++served;
      simulation.stop();
    }
  };
  Simulation simulation{Duration{16}};
  Stopper stopper{simulation};
  simulation.at(Time{1}, Priority::arrival, stopper.go);
  simulation.at(Time{2}, Priority::arrival, stopper.go);
  simulation.run();
  CHECK(stopper.served == 1);
  CHECK_FALSE(simulation.idle());
}

TEST_CASE("a_pool_reuses_returned_objects_before_it_grows") {
  Pool<std::uint64_t> pool;
  std::uint64_t& first = pool.take(7U);
  CHECK(first == 7);
  pool.give_back(first);
  CHECK(pool.alive() == 0);
  std::uint64_t& second = pool.take(8U);
  CHECK(&second == &first);
}
