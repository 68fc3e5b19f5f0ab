// SPDX-License-Identifier: Apache-2.0
// Runs divided into processes: messages arrive at their times in one order, with any executor of
// the processes of a window; the windows are as long as the lookahead; the run pauses between
// them.
#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "engine/processes.hpp"
#include "executors.hpp"

namespace strata::engine::test {
namespace {

constexpr Duration lookahead{100};

/// Processes whose events cause others, here and there, at drawn times.
class Chatter {
 public:
  Chatter(std::uint32_t processes, std::uint64_t seed) : all_(processes, Duration{7}) {
    all_.look_ahead(lookahead);
    for (std::uint32_t p = 0; p < processes; ++p) members_.emplace_back(*this, p, seed);
    for (Member& member : members_)
      for (int i = 0; i < 5; ++i) all_[member.process].at({i * 13}, Priority::arrival, member.handler);
  }

  struct Member {
    Member(Chatter& owner, std::uint32_t number, std::uint64_t seed)
        : chatter(owner), process(number), random(mix(seed, number)) {}
    void served() {
      Simulation& own = chatter.all_[process];
      times.push_back(own.now());
      own.note(times.size());
      if (times.size() > 2000) return;
      const auto to = static_cast<std::uint32_t>(random.below(chatter.members_.size()));
      const Duration least = to == process ? Duration{} : lookahead;
      // Few times, so that many messages fall on one.
      const Duration flight = least + Duration{static_cast<std::int64_t>(random.below(5)) * 10};
      chatter.all_.post(process, to, own.now() + flight, static_cast<Priority>(random.below(3)),
                        chatter.members_[to].handler, nullptr);
    }
    Chatter& chatter;
    std::uint32_t process;
    RandomSequence random;
    std::vector<Time> times;
    Handler handler = engine::handler<&Member::served>(*this);
  };

  Processes& all() { return all_; }
  const std::deque<Member>& members() const { return members_; }

 private:
  Processes all_;
  std::deque<Member> members_;
};

}  // namespace

TEST_CASE("a_divided_run_is_the_same_with_any_executor") {
  const std::uint32_t processes = GENERATE(2U, 3U, 7U);
  InTurn in_turn;
  LastFirst last_first;
  OnThreads on_threads;
  std::vector<std::uint64_t> fingerprints;
  std::vector<std::vector<Time>> times;
  for (Executor* const executor :
       {static_cast<Executor*>(&in_turn), static_cast<Executor*>(&last_first), static_cast<Executor*>(&on_threads)}) {
    Chatter chatter(processes, 11);
    CHECK(chatter.all().run(*executor));
    CHECK(chatter.all().idle());
    fingerprints.push_back(chatter.all().fingerprint());
    times.emplace_back();
    for (const Chatter::Member& member : chatter.members()) {
      CHECK(std::is_sorted(member.times.begin(), member.times.end()));
      times.back().insert(times.back().end(), member.times.begin(), member.times.end());
    }
  }
  CHECK(times[0].size() > 1000);
  CHECK(fingerprints[1] == fingerprints[0]);
  CHECK(fingerprints[2] == fingerprints[0]);
  CHECK(times[1] == times[0]);
  CHECK(times[2] == times[0]);
  CHECK(Chatter(processes, 12).all().run(in_turn));
}

TEST_CASE("windows_are_as_long_as_the_lookahead_and_begin_with_the_next_event") {
  Processes all(2, Duration{7});
  all.look_ahead(lookahead);
  struct Bounce {
    Processes& all;
    std::vector<Time> at{};
    Handler to_first = engine::handler<&Bounce::first>(*this);
    Handler to_second = engine::handler<&Bounce::second>(*this);
    void first() {
      at.push_back(all[0].now());
      if (at.size() < 6) all.post(0, 1, all[0].now() + lookahead * 3, Priority::arrival, to_second, nullptr);
    }
    void second() {
      at.push_back(all[1].now());
      all.post(1, 0, all[1].now() + lookahead, Priority::arrival, to_first, nullptr);
    }
  } bounce{all};
  all[0].at({50}, Priority::arrival, bounce.to_first);
  InTurn executor;
  std::vector<Time> reached;
  CHECK(all.run(executor, [&](Time end) {
    reached.push_back(end);
    return false;
  }));
  const std::vector<Time> expected{{50}, {350}, {450}, {750}, {850}, {1150}, {1250}};
  CHECK(bounce.at == expected);
  REQUIRE(reached.size() == expected.size());
  for (std::size_t i = 0; i < reached.size(); ++i) CHECK(reached[i] == expected[i] + lookahead);
  CHECK(all.now() == Time{1250});
}

TEST_CASE("a_pause_leaves_all_processes_at_the_end_of_a_window") {
  Chatter chatter(3, 5);
  InTurn executor;
  std::size_t windows = 0;
  Time paused{};
  CHECK_FALSE(chatter.all().run(executor, [&](Time end) {
    paused = end;
    return ++windows == 4;
  }));
  CHECK(chatter.all().now() == paused);
  for (const Chatter::Member& member : chatter.members())
    for (const Time t : member.times) CHECK(t < paused);
  CHECK(chatter.all().run(executor));
  Chatter whole(3, 5);
  CHECK(whole.all().run(executor));
  CHECK(whole.all().fingerprint() == chatter.all().fingerprint());
}

TEST_CASE("one_process_runs_as_its_simulation") {
  Chatter divided(1, 3);
  InTurn executor;
  CHECK(divided.all().run(executor));
  Chatter alone(1, 3);
  alone.all()[0].run();
  CHECK(divided.all().fingerprint() == alone.all()[0].fingerprint());
  CHECK(divided.all().events_served() == alone.all()[0].events_served());
}

TEST_CASE("a_message_that_arrives_within_its_window_is_refused") {
  Processes all(2, Duration{7});
  all.look_ahead(lookahead);
  struct Hasty {
    Processes& all;
    Handler receive = engine::handler<&Hasty::received>(*this);
    Handler send = engine::handler<&Hasty::sent>(*this);
    void received() {}
    void sent() { all.post(0, 1, all[0].now() + Duration{1}, Priority::arrival, receive, nullptr); }
  } hasty{all};
  all[0].at({10}, Priority::arrival, hasty.send);
  all[1].at({60}, Priority::arrival, hasty.receive);
  InTurn executor;
  CHECK_THROWS_AS(all.run(executor), std::logic_error);
}

}  // namespace strata::engine::test
