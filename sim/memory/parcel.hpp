// SPDX-License-Identifier: Apache-2.0
// What travels over the links between dies beside requests and their answers: probes, their answers and notices of a
// coherence protocol. A parcel needs no buffer, since who sends it has reserved the place in which it or its answer
// ends, so it waits for the wires of its way alone: a virtual channel that always drains.
#pragma once
#include <cstdint>

#include "engine/event.hpp"

namespace strata::memory {

struct Parcel {
  engine::Handler arrived{};  ///< called at its destination, with the parcel
  std::uint32_t to = 0;       ///< the node of the network at which it ends
  unsigned sectors = 0;       ///< of data that it carries
};

}  // namespace strata::memory
