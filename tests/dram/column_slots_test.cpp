// SPDX-License-Identifier: Apache-2.0
// The free ticks of a word against the rule itself: no two column commands on the
// command bus, no two bursts on the data bus of a pseudo-channel.
#include "dram/timing/column_slots.hpp"
#include "base/random.hpp"
#include "catch.hpp"
#include "timing_sets.hpp"

namespace strata::dram::test {
namespace {

struct Sent {
  Tick tick;
  std::uint32_t channel;
};

// Whether commands at this tick would collide, computed from their data and their bus.
bool meets(const Timing& timing, const Sent& a, const Sent& b) {
  const Tick distance = std::abs(a.tick - b.tick);
  const Tick data = timing.column_gap(false, false, Relation::other_group);
  return distance < timing.column_length || (a.channel == b.channel && distance < data);
}

}  // namespace

TEST_CASE("a run begins at the first edge at which none of its commands meets another") {
  for (const ChannelSpec& spec : {r_hbm3(), r_hbm2(), r_gddr6()}) {
    const Timing timing(spec.timing);
    const Tick pace = timing.column_gap(false, false, Relation::same_group);
    const std::uint32_t channels = spec.organisation.pseudo_channels;
    ColumnSlots slots(timing);
    std::vector<Sent> sent;
    Tick now = 100 * timing.per_clock;
    for (std::uint64_t k = 0; k < 3000; ++k) {
      const auto channel = static_cast<std::uint32_t>(mix(1, k) % channels);
      const auto commands = static_cast<std::uint32_t>(1 + mix(2, k) % longest_run);
      now = timing.rising_edge(now + static_cast<Tick>(mix(3, k) % (k % 50 == 0 ? 90 : 12)));
      Tick expected = now;
      // A run of four, or one of fewer in its place, is refused by the same commands.
      const auto refused = [&](Tick t) {
        for (const Sent& other : sent) {
          if (meets(timing, {t, channel}, other)) return true;
        }
        return false;
      };
      while (refused(expected)) expected += timing.per_clock;
      const Tick begin = slots.free(channel, now);
      REQUIRE(begin == expected);
      for (std::uint32_t i = 0; i < commands; ++i) {
        const Sent command{begin + pace * static_cast<Tick>(i), channel};
        for (const Sent& other : sent) REQUIRE_FALSE(meets(timing, command, other));
        sent.push_back(command);
      }
      slots.take(channel, begin, commands);
      now = begin;
      std::erase_if(sent, [&](const Sent& old) { return old.tick < now - 100; });
    }
  }
}

}  // namespace strata::dram::test
