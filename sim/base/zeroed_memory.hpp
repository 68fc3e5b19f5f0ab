// SPDX-License-Identifier: Apache-2.0
// Memory of zeros that costs only what is touched of it: the system gives fresh zero pages on
// demand. calloc() alone does not promise that: once a large piece has been freed, the C library
// may keep it and clear all of it for the next who asks, so large pieces are asked of the system.
#pragma once
#include <cstddef>
#include <utility>

namespace strata {

class ZeroedMemory {
 public:
  /// Aligned for any fundamental type. Throws std::bad_alloc.
  explicit ZeroedMemory(std::size_t bytes);
  ~ZeroedMemory();
  ZeroedMemory(ZeroedMemory&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  void* data() { return first_; }
  const void* data() const { return first_; }

 private:
  void* first_;
  std::size_t bytes_;
};

}  // namespace strata
