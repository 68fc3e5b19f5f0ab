// SPDX-License-Identifier: Apache-2.0
// Loads of what a cache holds, without time: for readers that run ahead of those who need the data, as the fetch of
// instructions runs ahead of their issue. Such a load counts as a hit, and its use of the line as any other's.
#pragma once
#include "cache/cache.hpp"

namespace strata::cache {

class ReadyLines {
 public:
  explicit ReadyLines(Cache& cache) : cache_(cache) {}

  /// False: some of the sectors are missing or on their way, and nothing has changed.
  bool read(const memory::Transaction& load);

 private:
  template <class Tags>
  bool read_in(Tags& tags, const memory::Transaction& load);

  Cache& cache_;
};

}  // namespace strata::cache
