// SPDX-License-Identifier: Apache-2.0
// A first-in, first-out queue of fixed capacity, allocated once.
#pragma once
#include <cstddef>
#include <vector>

namespace strata::compute {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : items_(capacity) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == items_.size(); }
  std::size_t size() const { return size_; }
  const T& front() const { return items_[first_]; }
  /// There must be room.
  void push(const T& item) {
    std::size_t at = first_ + size_;
    if (at >= items_.size()) at -= items_.size();
    items_[at] = item;
    ++size_;
  }
  T pop() {
    const T item = items_[first_];
    if (++first_ == items_.size()) first_ = 0;
    --size_;
    return item;
  }
  /// Counted from the first.
  const T& operator[](std::size_t place) const { return items_[(first_ + place) % items_.size()]; }
  /// The place of the least, of several alike the first that came; not of an empty ring.
  template <class Less>
  std::size_t least(const Less& less) const {
    std::size_t least = 0;
    for (std::size_t i = 1; i < size_; ++i)
      if (less((*this)[i], (*this)[least])) least = i;
    return least;
  }
  /// Takes out what stands at a place; the others keep their order.
  T take(std::size_t place) {
    const T item = at(place);
    for (; place > 0; --place) at(place) = at(place - 1);
    pop();
    return item;
  }

 private:
  T& at(std::size_t i) { return items_[(first_ + i) % items_.size()]; }

  std::vector<T> items_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace strata::compute
