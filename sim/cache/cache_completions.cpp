// SPDX-License-Identifier: Apache-2.0
// Masked sectors that must go: what is missing of them comes from
// below, and the whole goes back at once. An MSHR is kept until that is done.
#include "cache/cache_requests.hpp"
#include "memory/requester.hpp"

namespace strata::cache {

void Cache::complete(LineNumber line, std::uint64_t set, SectorMask masked, SectorMask dirty) {
  Transaction& completion = completions_.take(block_of(line), masked);
  completion.wanted = joined(masked, dirty);
  completion.operation = memory::Operation::load;
  completion.home_die = home_die_.value_or(Transaction::not_told);
  completion.core = memory::no_core;
  completion.issued = simulation_.now();
  if (keeps_values_) values_->ask_missing(this, completion);
  completion.return_through(completed_, take_mshr(line, set, simulation_.now(), 0, false, false));
  ++counts_.of(count(masked)).fetched;
  statistics_.sectors_completed += count(masked);
  downstream_.take(completion, miss_lane_.reserve(simulation_.now() + design_.tag_latency, design_.miss_occupancy));
}

/// What was missing has come.
void Cache::on_completed(Transaction& completion) {
  const std::uint32_t filled = count(completion.fetched);
  if (keeps_values_) values_->merge_missing(this, completion, completion.fetched);
  ++counts_.of(filled).filled;
  completions_.arrived(completion);
  const LineNumber line = line_of(completion.block, completion.wanted);
  const Time written = fill_lane_.reserve(simulation_.now(), design_.occupancy[filled].fill);
  const Time whole = read_out(line, enter_bank(line, written, filled), count(completion.wanted));
  const std::uint32_t register_index = completion.context();
  completion.fetched = completion.wanted;
  completion.operation = memory::Operation::writeback;
  completion.return_through(completion_done_, register_index);
  ++statistics_.writebacks;
  statistics_.bytes_written_back += bytes(completion.wanted);
  downstream_.take(completion, reserve_data(whole, design_.occupancy[count(completion.wanted)].answer));
  try_stalled_again(no_set);
}

void Cache::on_completion_done(Transaction& completion) {
  give_back_mshr(completion.context());
  completions_.give_back(completion);
  if (flushing_) go_on_writing_back();
  try_stalled_again(no_set);
}

}  // namespace strata::cache
