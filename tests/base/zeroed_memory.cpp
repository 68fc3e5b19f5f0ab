// SPDX-License-Identifier: Apache-2.0
// Zeroed memory takes host memory only for touched pages, also after the same amount was
// released before.
#include "base/zeroed_memory.hpp"

#include <sys/resource.h>

#include <cstring>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "base/zeroed_array.hpp"
#include "catch.hpp"
#include "sanitizers.hpp"

using strata::ZeroedArray;
using strata::ZeroedMemory;

namespace {

std::uint64_t peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("zeroed_memory_is_zero_and_takes_memory_for_touched_pages_only") {
  [[maybe_unused]] const std::uint64_t before = peak_kib();
  bool zero = true;
  // Like the tables of a machine after those of the previous one, on a separate thread, where the
  // C library would keep pieces of up to 32 MiB and clear them: 24 times 30 MiB are 720 MiB.
  std::thread([&] {
    std::vector<std::unique_ptr<char[]>> between;
    for (int round = 0; round < 4; ++round) {
      std::deque<ZeroedMemory> tables;
      for (int table = 0; table < 24; ++table) {
        auto* const first = static_cast<unsigned char*>(tables.emplace_back(std::size_t{30} << 20U).data());
        between.push_back(std::make_unique<char[]>(5000));
        for (std::size_t at = 0; at < std::size_t{30} << 20U; at += std::size_t{10} << 20U) {
          zero = zero && first[at] == 0;
          first[at] = 1;
        }
      }
    }
  }).join();
  CHECK(zero);
#if !defined(STRATA_ADDRESS_SANITIZER)
  CHECK(peak_kib() - before < 64 * 1024);
#endif
}

TEST_CASE("zeroed_memory_moves_and_may_be_small_or_none") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{4} << 20U}) {
    CAPTURE(bytes);
    ZeroedMemory one(bytes);
    if (bytes != 0) std::memset(one.data(), 7, bytes);
    ZeroedMemory other(std::move(one));
    ZeroedMemory third(32);
    third = std::move(other);
    CHECK((third.data() == nullptr) == (bytes == 0));
    if (bytes != 0) CHECK(static_cast<unsigned char*>(third.data())[bytes - 1] == 7);
  }
  CHECK(ZeroedArray<std::uint64_t>(3)[2] == 0);
  CHECK_THROWS_AS(ZeroedArray<std::uint64_t>(~std::size_t{0} / 4), std::bad_alloc);
}
