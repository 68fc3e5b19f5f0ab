// SPDX-License-Identifier: Apache-2.0
// Reports of a cache on the words that it moves, if there is a memory with values.
#include "cache/cache.hpp"

namespace strata::cache {

void Cache::value_of_hit(Transaction& transaction) {
  if (transaction.operation == memory::Operation::atomic) {
    values_->perform(this, transaction);
  } else {
    values_->read(this, transaction);
  }
}

/// A line may be dropped while its fetch is pending: waiting requests still get the data of the fetch.
void Cache::value_of_fill(Transaction& transaction, std::uint32_t register_index, bool attached) {
  if (attached) return value_of_hit(transaction);
  if (transaction.operation == memory::Operation::atomic) {
    values_->perform_mshr(this, register_index, transaction);
  } else {
    values_->read_mshr(this, register_index, transaction);
  }
}

/// The last fetch of a line has arrived. Its dirty sectors are newer than those of the next
/// level.
void Cache::value_of_line(std::uint32_t register_index, const Mshr& mshr) {
  const bool dirty = design_.writes_back && !mshr.far;
  values_->fetched(this, register_index, design_.block_of(mshr.line),
                   dirty ? SectorMask{0} : design_.all_of(mshr.line));
}

void Cache::value_of_store(const Transaction& transaction, LineNumber line) {
  values_->write(this, transaction, keeps_writes(transaction.home_die) || mshrs_.find(line) != MshrTable::none);
}

}  // namespace strata::cache
