// SPDX-License-Identifier: Apache-2.0
// A large array of zero words that costs memory only where it is touched: the
// system gives fresh zero pages on demand, so that the tags of a cache of
// hundreds of megabytes exist at once and for nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/zeroed_memory.hpp"

namespace strata::cache {

class ZeroedWords {
 public:
  /// Throws std::bad_alloc.
  explicit ZeroedWords(std::size_t count) : count_(count), memory_(count * sizeof(std::uint64_t) + alignment) {
    void* start = memory_.data();
    std::size_t room = count * sizeof(std::uint64_t) + alignment;
    first_ = static_cast<std::uint64_t*>(std::align(alignment, count * sizeof(std::uint64_t), start, room));
  }
  std::size_t size() const { return count_; }
  std::uint64_t* data() { return first_; }
  const std::uint64_t* data() const { return first_; }
  void clear() { std::memset(first_, 0, count_ * sizeof(std::uint64_t)); }

 private:
  static constexpr std::size_t alignment = 64;  ///< a line of the host's cache
  std::size_t count_;
  ZeroedMemory memory_;
  std::uint64_t* first_ = nullptr;
};

}  // namespace strata::cache
