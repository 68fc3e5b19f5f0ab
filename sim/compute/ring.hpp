// SPDX-License-Identifier: Apache-2.0
// A first-in, first-out queue of fixed capacity, allocated once.
#pragma once
#include <cstddef>
#include <vector>

namespace strata::compute {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : items_(capacity), capacity_(capacity) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  const T& front() const { return items_[first_]; }
  /// There must be a free place.
  void push(const T& item) {
    std::size_t at = first_ + size_;
    if (at >= capacity_) at -= capacity_;
    items_[at] = item;
    ++size_;
  }
  T pop() {
    const T item = items_[first_];
    if (++first_ == capacity_) first_ = 0;
    --size_;
    return item;
  }

 private:
  std::vector<T> items_;
  std::size_t capacity_;  ///< items_.size() divides by the size of an item
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace strata::compute
