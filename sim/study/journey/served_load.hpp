// SPDX-License-Identifier: Apache-2.0
// Who served a single load, and how long it took.
#pragma once
#include <cstdint>

#include "base/time.hpp"
#include "machine/machine.hpp"

namespace strata::study {

struct ServedLoad {
  Duration latency{};
  unsigned served_by = 0;  ///< an index into Machine::levels()

  compute::CompletionListener listener() {
    return {[](void* self, std::uint32_t, Duration took, unsigned level) {
              *static_cast<ServedLoad*>(self) = {took, level};
            },
            this};
  }
};

}  // namespace strata::study
