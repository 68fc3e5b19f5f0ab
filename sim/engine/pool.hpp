// SPDX-License-Identifier: Apache-2.0
// A pool of objects of one type: slabs that are never moved or given back
// before the pool dies, and a free list threaded through the free objects.
// Taking and returning is a pointer swap; memory is bounded by the largest
// number ever alive at once.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace strata::engine {

template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  template <class... Arguments>
  T& take(Arguments&&... arguments) {
    if (free_ == nullptr) grow();
    Cell* cell = free_;
    free_ = cell->next;
    ++alive_;
    return *::new (static_cast<void*>(cell)) T(std::forward<Arguments>(arguments)...);
  }
  void give_back(T& object) {
    object.~T();
    Cell* cell = ::new (static_cast<void*>(&object)) Cell;
    cell->next = free_;
    free_ = cell;
    --alive_;
  }
  /// Objects taken and not yet given back.
  std::size_t alive() const { return alive_; }

 private:
  union Cell {
    Cell() : next(nullptr) {}
    ~Cell() {}
    Cell* next;
    T object;
  };
  static constexpr std::size_t slab_cells = 256;

  void grow() {
    slabs_.push_back(std::make_unique<Cell[]>(slab_cells));
    for (std::size_t i = slab_cells; i-- > 0;) {
      slabs_.back()[i].next = free_;
      free_ = &slabs_.back()[i];
    }
  }

  std::vector<std::unique_ptr<Cell[]>> slabs_;
  Cell* free_ = nullptr;
  std::size_t alive_ = 0;
};

}  // namespace strata::engine
