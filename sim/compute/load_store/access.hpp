// SPDX-License-Identifier: Apache-2.0
// A memory instruction under way: what is left of a warp's instruction once it
// has entered the load/store unit. It ends when all its lines have answered.
// The table hands out a number for each, which line requests carry with them;
// what has been given back is used again, so a run allocates only until the
// most ever under way are there.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.hpp"
#include "engine/port.hpp"

namespace strata::compute {

struct Access;

/// Of an access to shared memory of other cores: the lanes that reach one of them.
struct RemotePart {
  Access* access = nullptr;
  std::uint32_t peer = 0;    ///< whose shared memory it is
  std::uint32_t passes = 0;  ///< over its banks
  std::uint32_t bytes = 0;   ///< of its lanes
  Duration way{};            ///< latency of that shared memory
};

/// The fields without memory of their own, which are reset together.
struct AccessState {
  std::uint32_t number = 0;
  std::uint32_t warp = 0;        ///< slot
  std::uint32_t lines_left = 0;  ///< whose answer is not known yet
  std::uint32_t bytes = 0;       ///< of all lanes
  std::uint8_t destination = 0;  ///< register; 0: none
  std::uint8_t destination_count = 1;
  std::uint8_t serviced_level = 0;   ///< level that any of its lines reached
  bool load = false;                 ///< or atomic: the warp may wait for it
  bool returns = false;              ///< what it reads goes to registers
  bool shared = false;               ///< in shared memory
  bool remote = false;               ///< in that of another core
  bool atomic = false;               ///< performed there: of shared memory only
  std::uint8_t outlet = 0;           ///< if not shared
  std::uint16_t passes = 0;          ///< over the banks; 0: it does not use them
  std::uint32_t copied = 0;          ///< lines of a bulk copy; 0: it is none
  std::uint16_t multicast = 0;       ///< ranks of the blocks of its cluster whose shared memory a copy also fills
  bool fills = false;                ///< a copy that writes shared memory; others read it
  std::uint16_t core = 0;            ///< whose access it is: if remote
  std::uint32_t parts_left = 0;      ///< that have not answered
  Time issued{};                     ///< left the warp
  Time answered{};                   ///< when the last of the lines whose answer is known answers
  engine::Message* lines = nullptr;  ///< those, in a list
  Duration unit{};                   ///< keeps the load/store unit busy
  Duration per_line{};
  Duration way{};  ///< address path; of shared memory, the latency
};

struct Access : AccessState {
  std::vector<RemotePart> parts;  ///< if remote
};

class AccessTable {
 public:
  Access& take() {
    if (free_.empty()) grow();
    Access& access = (*this)[free_.back()];
    free_.pop_back();
    static_cast<AccessState&>(access) = {.number = access.number};
    access.parts.clear();
    ++alive_;
    return access;
  }
  void give_back(const Access& access) {
    free_.push_back(access.number);
    --alive_;
  }
  Access& operator[](std::uint32_t number) { return (*slabs_[number / slab])[number % slab]; }
  std::uint32_t alive() const { return alive_; }

 private:
  static constexpr std::uint32_t slab = 64;
  void grow() {
    const auto first = static_cast<std::uint32_t>(slabs_.size()) * slab;
    slabs_.push_back(std::make_unique<std::array<Access, slab>>());
    free_.reserve(first + slab);
    for (std::uint32_t i = slab; i-- > 0;) {
      (*slabs_.back())[i].number = first + i;
      free_.push_back(first + i);
    }
  }

  std::vector<std::unique_ptr<std::array<Access, slab>>> slabs_;
  std::vector<std::uint32_t> free_;
  std::uint32_t alive_ = 0;
};

}  // namespace strata::compute
