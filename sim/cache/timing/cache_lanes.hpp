// SPDX-License-Identifier: Apache-2.0
// The resources of a cache that serve one request at a time: the tag port, the miss port, the data
// array with its banks, the fill port. Each is asked at the instant of entry, whatever the latency
// behind it, so a short path does not queue behind a long one. What a request touches fits one line
// of the host's cache.
#pragma once
#include <cstdint>
#include <memory>

#include "cache/spec/cache_design.hpp"
#include "engine/lane.hpp"

namespace strata::cache {

/// How much one of its parts has served.
struct LaneUse {
  Duration busy{};
  std::uint64_t served = 0;
  Duration ahead{};  ///< of the busy time, what lies beyond now
};

class CacheLanes {
 public:
  explicit CacheLanes(const CacheDesign& design)
      : banks_(design.spec.banks > 1 ? std::make_unique<engine::Lane[]>(design.spec.banks) : nullptr) {}

  /// The tags are free, or soon enough.
  bool tags_free(const CacheDesign& design, Time now) const { return tags_.free_at() <= now + design.ahead; }
  Time tags_free_at() const { return tags_.free_at(); }
  /// A turn of the tags.
  Time look_up(const CacheDesign& design, Time now) { return tags_.reserve(now, design.tag_occupancy); }
  /// Requests that are carried as one with a request looked up before.
  void look_up_again(const CacheDesign& design, Time now, unsigned requests) {
    if (requests > 0) tags_.reserve(now, design.tag_occupancy * requests);
  }
  /// A request leaves for the next level.
  Time send_down(const CacheDesign& design, Time ready) { return misses_.reserve(ready, design.miss_occupancy); }
  /// Data from below enter the array.
  Time fill(const CacheDesign& design, Time now, std::uint32_t sectors) {
    return fills_.reserve(now, design.occupancy[sectors].fill);
  }
  /// Something else is written through the port of fills.
  Time take_fill_port(Time earliest, Duration occupancy) { return fills_.reserve(earliest, occupancy); }
  /// The data of a read leave the array.
  Time answer(const CacheDesign& design, Time begin, std::uint32_t sectors) {
    return data_.reserve(begin, design.occupancy[sectors].answer);
  }
  /// The data array, for what is not the answer to a read.
  Time reserve_data(Time earliest, Duration occupancy) {
    data_apart_ += occupancy;
    return data_.reserve(earliest, occupancy);
  }
  /// A bank of the array takes so much work on a line at `earliest` or later.
  Time enter_bank(const CacheDesign& design, LineNumber line, Time earliest, std::uint32_t sectors) {
    if (banks_ == nullptr) return earliest;
    const auto bank = static_cast<std::size_t>((line * 0x9E3779B97F4A7C15U) >> design.bank_shift);
    return banks_[bank].reserve(earliest, design.occupancy[sectors].bank);
  }
  /// The pipeline is in order: a request that waits for a bank holds up those behind it.
  Time read_out(const CacheDesign& design, LineNumber line, Time begun, std::uint32_t sectors) {
    if (banks_ == nullptr) return begun;
    return enter_bank(design, line, later(begun, data_.free_at()), sectors);
  }

  Duration tags_ahead(Time now) const { return tags_.ahead(now); }
  Duration misses_ahead(Time now) const { return misses_.ahead(now); }
  Duration fills_ahead(Time now) const { return fills_.ahead(now); }
  Duration data_ahead(Time now) const { return data_.ahead(now); }
  Duration data_apart() const { return data_apart_; }
  /// Calls visit with each bank where there are several.
  template <class Visit>
  void visit_banks(const CacheDesign& design, const Visit& visit) const {
    for (std::size_t bank = 0; banks_ != nullptr && bank < design.spec.banks; ++bank) visit(bank, banks_[bank]);
  }

 private:
  engine::BareLane tags_, misses_, data_, fills_;
  Duration data_apart_{};                  ///< taken by reserve_data()
  std::unique_ptr<engine::Lane[]> banks_;  ///< null: one bank, which the data lane stands for
};

}  // namespace strata::cache
