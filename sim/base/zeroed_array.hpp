// SPDX-License-Identifier: Apache-2.0
// A large array of zeros that costs memory only where it is touched: the system
// gives fresh zero pages on demand, so that a table of a million entries a core
// exists for the cores and entries that are used.
#pragma once
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

#include "base/zeroed_memory.hpp"

namespace strata {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Of values whose bytes are zero. Throws std::bad_alloc.
  explicit ZeroedArray(std::size_t count) : count_(count), memory_(bytes(count)) {}
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](std::size_t index) { return static_cast<T*>(memory_.data())[index]; }
  const T& operator[](std::size_t index) const { return static_cast<const T*>(memory_.data())[index]; }

 private:
  static std::size_t bytes(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    return count * sizeof(T);
  }
  std::size_t count_;
  ZeroedMemory memory_;
};

}  // namespace strata
