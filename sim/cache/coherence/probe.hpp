// SPDX-License-Identifier: Apache-2.0
// The messages of the coherence protocol between a coherent slave at a block's home and the coherent masters of
// compute dies.
#pragma once
#include <cstdint>

#include "memory/parcel.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

/// From a slave to the master of a die, which gives up the copies of its L2, and back with what was dirty of them.
struct Probe : memory::Parcel {
  std::uint64_t block = 0;
  std::uint32_t die = 0;      ///< that is probed
  std::uint32_t back_to = 0;  ///< the slave's node
  engine::Handler back{};     ///< what its answer is to call
  bool tracked = false;       ///< in the answer: there was a copy that the filter knew
  struct Data : memory::Transaction {
    Probe* probe = nullptr;
  };
  Data data{};  ///< in the answer: the dirty sectors, in `wanted`, as they are written at the home
};

/// From a master to the home of a block: a copy that the filter counts is not there, or not any more. And back.
struct Notice : memory::Parcel {
  std::uint64_t block = 0;
  std::uint32_t die = 0;
  engine::Handler back{};
  std::uint32_t back_to = 0;
};

/// Takes a parcel, whose destination it knows, at a time that has come or will come.
struct ParcelSink {
  void (*function)(void* self, memory::Parcel& parcel, Time ready) = nullptr;
  void* self = nullptr;

  void send(memory::Parcel& parcel, Time ready) const { function(self, parcel, ready); }
};

}  // namespace strata::cache
