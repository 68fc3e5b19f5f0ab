// SPDX-License-Identifier: Apache-2.0
// A large array of zero words that costs memory only where it is touched: the
// system gives fresh zero pages on demand, so that the tags of a cache of
// hundreds of megabytes exist at once and for nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace strata::cache {

class ZeroedWords {
 public:
  /// Throws std::bad_alloc.
  explicit ZeroedWords(std::size_t count)
      : count_(count),
        memory_(
            static_cast<std::byte*>(std::calloc(count * sizeof(std::uint64_t) + alignment, 1))) {
    if (memory_ == nullptr) throw std::bad_alloc();
    void* start = memory_.get();
    std::size_t room = count * sizeof(std::uint64_t) + alignment;
    first_ = static_cast<std::uint64_t*>(
        std::align(alignment, count * sizeof(std::uint64_t), start, room));
  }
  std::size_t size() const { return count_; }
  std::uint64_t* data() { return first_; }
  const std::uint64_t* data() const { return first_; }
  void clear() { std::memset(first_, 0, count_ * sizeof(std::uint64_t)); }

 private:
  static constexpr std::size_t alignment = 64;  ///< a line of the host's cache
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::size_t count_;
  std::unique_ptr<std::byte, Free> memory_;
  std::uint64_t* first_ = nullptr;
};

}  // namespace strata::cache
