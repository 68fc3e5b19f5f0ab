// SPDX-License-Identifier: Apache-2.0
#include "base/zeroed_memory.hpp"

#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace strata {

namespace {

#if defined(__linux__)
// Small pieces share pages, and clearing them costs less than a system call.
constexpr std::size_t large = std::size_t{1} << 20U;
#endif

}  // namespace

ZeroedMemory::ZeroedMemory(std::size_t bytes) : first_(nullptr), bytes_(bytes) {
  if (bytes == 0) return;
#if defined(__linux__)
  if (bytes >= large) {
    first_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first_ == MAP_FAILED) throw std::bad_alloc();
    return;
  }
#endif
  first_ = std::calloc(bytes, 1);
  if (first_ == nullptr) throw std::bad_alloc();
}

ZeroedMemory::~ZeroedMemory() {
#if defined(__linux__)
  if (bytes_ >= large) {
    if (first_ != nullptr) ::munmap(first_, bytes_);
    return;
  }
#endif
  std::free(first_);
}

}  // namespace strata
