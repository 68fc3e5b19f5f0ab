// SPDX-License-Identifier: Apache-2.0
// Warps of a streaming load that sweep no plain region, or that end on request.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "trace/streaming.hpp"

namespace strata::study {

/// Home sides change between these (h200 l2_home_hash_check).
inline constexpr std::uint64_t piece_bytes = 4096;

/// A warp whose region is made of pieces that do not lie together.
class PiecewiseWarp final : public trace::WarpStream {
 public:
  PiecewiseWarp(const trace::StreamPattern& kernel, std::uint64_t warp, std::uint64_t warps,
                const std::vector<std::uint64_t>& pieces)
      : logical_(kernel, warp, warps), pieces_(pieces) {}

  bool next(trace::Instruction& instruction) override {
    if (!logical_.next(instruction)) return false;
    std::uint64_t& address = instruction.addresses[0];
    address = pieces_[address / piece_bytes] + address % piece_bytes;
    return true;
  }

 private:
  trace::StreamingWarp logical_;
  const std::vector<std::uint64_t>& pieces_;
};

/// A warp that ends on request.
class StoppableWarp final : public trace::WarpStream {
 public:
  StoppableWarp(std::unique_ptr<trace::WarpStream> stream, const bool& stopped)
      : stream_(std::move(stream)), stopped_(stopped) {}

  bool next(trace::Instruction& instruction) override { return !stopped_ && stream_->next(instruction); }

 private:
  std::unique_ptr<trace::WarpStream> stream_;
  const bool& stopped_;
};

}  // namespace strata::study
