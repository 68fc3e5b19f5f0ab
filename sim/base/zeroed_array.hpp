// SPDX-License-Identifier: Apache-2.0
// A large array of zeros that costs memory only where it is touched: the system
// gives fresh zero pages on demand, so that a table of a million entries a core
// exists for the cores and entries that are used.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace strata {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Of values whose bytes are zero. Throws std::bad_alloc.
  explicit ZeroedArray(std::size_t count)
      : count_(count), first_(count == 0 ? nullptr : static_cast<T*>(std::calloc(count, sizeof(T)))) {
    if (count != 0 && first_ == nullptr) throw std::bad_alloc();
  }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](std::size_t index) { return first_.get()[index]; }
  const T& operator[](std::size_t index) const { return first_.get()[index]; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::size_t count_;
  std::unique_ptr<T, Free> first_;
};

}  // namespace strata
