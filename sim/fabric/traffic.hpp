// SPDX-License-Identifier: Apache-2.0
// What a transaction weighs on a wire. A request is a header, plus its data
// where it brings data; an answer is a header, plus data where data was asked
// for. Widths are turned into ticks once, when a block is built, so that on
// the path of a request the time on a wire is a table look-up.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "engine/clock.hpp"
#include "memory/transaction.hpp"

namespace strata::fabric {

/// Weights from here on are packets of one sector, header included.
constexpr unsigned first_bare = memory::sectors_per_block + 2;
constexpr unsigned bare(unsigned packets) { return first_bare + packets; }

/// Sectors of data that the request brings along: stores, atomics and
/// writebacks carry those in `wanted`. The mask of a store that leaves words of
/// its sectors alone weighs as much as one more (h200 l1_access_cost: 8 to 32
/// lines of 32 sectors take 40 to 64 clocks).
inline unsigned sectors_down(const memory::Transaction& transaction) {
  if (transaction.operation == memory::Operation::load) return 0;
  if (transaction.packets != memory::AtomicPackets::as_store) [[unlikely]]
    return bare(transaction.atomic_passes + (transaction.packets == memory::AtomicPackets::one_word ? 0U : 1U));
  return memory::sector_count(transaction.wanted) + (transaction.masked() ? 1U : 0U);
}

/// The same over a link between dies, where a packet holds the header beside a sector that is not whole.
inline unsigned sectors_over(const memory::Transaction& transaction) {
  if (transaction.packets == memory::AtomicPackets::as_store) return sectors_down(transaction);
  return bare(transaction.atomic_passes + (transaction.packets == memory::AtomicPackets::whole_sectors ? 1U : 0U));
}

/// Sectors of data in the answer: a load brings back what was asked for in
/// `fetched`, an atomic the old value where it is wanted, a store nothing but the
/// acknowledgement.
inline unsigned sectors_up(const memory::Transaction& transaction) {
  switch (transaction.operation) {
    case memory::Operation::load:
      return memory::sector_count(transaction.fetched);
    case memory::Operation::atomic:
      return transaction.returns_old ? memory::sector_count(transaction.wanted) : 0U;
    default:
      return 0;
  }
}

/// A span finer than a tick: a fast wire carries a message in a few ticks, or
/// in less than one.
struct FineDuration {
  static constexpr unsigned bits = 16;
  std::int64_t parts = 0;  ///< of 2^16 to a tick
};

/// Whether a place is free in the buffer behind a port, for the next that asks.
inline bool has_room(const engine::Port& port) { return port.credits() > 0 && port.waiting().empty(); }

/// Makes whole ticks of fine spans and carries the rest over to the next, so
/// that a wire's width is exact however coarse the tick.
class Carry {
 public:
  Duration whole(FineDuration span) {
    rest_ += span.parts;
    const Duration ticks{rest_ >> FineDuration::bits};
    rest_ &= (std::int64_t{1} << FineDuration::bits) - 1;
    return ticks;
  }

 private:
  std::int64_t rest_ = 0;
};

/// How long a message of so many sectors takes a wire.
class WireTime {
 public:
  /// A wire that is never the limit.
  explicit WireTime(Bytes header = {}) { measure(header); }

  /// width in bytes per clock; 0: never the limit.
  static WireTime from(engine::Clock clock, BytesPerClock width, Bytes header) {
    if (width.value <= 0) return WireTime(header);
    return {static_cast<double>(clock.period().ticks) / width.value, header};
  }
  /// The same of a wire that takes whole packets, their headers beside them.
  static WireTime in_packets(engine::Clock clock, BytesPerClock width, Bytes packet) {
    WireTime time = from(clock, width, Bytes{0});
    if (!time.limited_) return time;
    for (Message& message : time.messages_) {
      message.bytes = packet * std::max<std::uint64_t>((message.bytes.value + packet.value - 1) / packet.value, 1);
      message.time = fine(message.bytes, static_cast<double>(clock.period().ticks) / width.value);
    }
    return time;
  }
  /// bandwidth in bytes per second; 0: never the limit.
  static WireTime from(const engine::Timebase& timebase, BytesPerSecond bandwidth, Bytes header) {
    if (bandwidth.value <= 0) return WireTime(header);
    return {static_cast<double>(timebase.ticks_per_second()) / bandwidth.value, header};
  }

  bool limited() const { return limited_; }
  /// Whether a message of so many sectors needs the wire at all.
  bool takes(unsigned weight) const { return messages_[weight].time.parts != 0; }
  FineDuration operator()(unsigned weight) const { return messages_[weight].time; }
  /// The same in ticks; 0 where the wire is never the limit.
  double ticks(unsigned weight) const {
    return std::ldexp(static_cast<double>(messages_[weight].time.parts), -static_cast<int>(FineDuration::bits));
  }
  /// Bytes of a message of so many sectors.
  Bytes bytes(unsigned weight) const { return messages_[weight].bytes; }

 private:
  WireTime(double ticks_per_byte, Bytes header) : limited_(true) {
    measure(header);
    for (Message& message : messages_) message.time = fine(message.bytes, ticks_per_byte);
  }
  static FineDuration fine(Bytes bytes, double ticks_per_byte) {
    return {std::llround(std::ldexp(static_cast<double>(bytes.value) * ticks_per_byte, FineDuration::bits))};
  }
  void measure(Bytes header) {
    constexpr Bytes sector{memory::sector_bytes};
    for (unsigned weight = 0; weight < messages_.size(); ++weight)
      messages_[weight].bytes =
          weight < first_bare ? header + sector * std::uint64_t{weight} : sector * std::uint64_t{weight - first_bare};
  }

  struct Message {
    FineDuration time{};
    Bytes bytes{};
  };
  bool limited_ = false;
  std::array<Message, bare(memory::Transaction::most_atomic_passes + 1) + 1> messages_{};  ///< by weight
};

}  // namespace strata::fabric
