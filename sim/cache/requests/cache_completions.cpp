// SPDX-License-Identifier: Apache-2.0
// Eviction of partly written sectors: the missing words are fetched from the next level, and
// the whole sectors are written back at once. An MSHR is held until then.
#include "cache/requests/cache_requests.hpp"
#include "memory/requester.hpp"

namespace strata::cache {

void Cache::complete(LineNumber line, std::uint64_t set, SectorMask masked, SectorMask dirty) {
  Transaction& completion = completions_.take(design_.block_of(line), masked);
  completion.wanted = joined(masked, dirty);
  completion.operation = memory::Operation::load;
  completion.home_die = home_die_.value_or(Transaction::unknown_home);
  completion.core = memory::no_core;
  completion.issued = simulation_.now();
  if (keeps_values_) values_->ask_missing(this, completion);
  completion.return_through(completed_, mshrs_.take(line, set, simulation_.now(), 0, false, false));
  ++counts_.of(count(masked)).fetched;
  statistics_.sectors_completed += count(masked);
  downstream_.take(completion, lanes_.send_down(design_, simulation_.now() + design_.tag_latency));
}

/// The missing words have arrived.
void Cache::on_completed(Transaction& completion) {
  const std::uint32_t filled = count(completion.fetched);
  if (keeps_values_) values_->merge_missing(this, completion, completion.fetched);
  ++counts_.of(filled).filled;
  completions_.arrived(completion);
  const LineNumber line = design_.line_of(completion.block, completion.wanted);
  const Time written = lanes_.fill(design_, simulation_.now(), filled);
  const Time whole =
      lanes_.read_out(design_, line, lanes_.enter_bank(design_, line, written, filled), count(completion.wanted));
  const std::uint32_t register_index = completion.context();
  completion.fetched = completion.wanted;
  completion.operation = memory::Operation::writeback;
  completion.return_through(completion_done_, register_index);
  ++statistics_.writebacks;
  statistics_.bytes_written_back += bytes(completion.wanted);
  downstream_.take(completion, reserve_data(whole, design_.occupancy[count(completion.wanted)].answer));
  try_stalled_again(StalledHeads::no_set);
}

void Cache::on_completion_done(Transaction& completion) {
  mshrs_.give_back(completion.context(), simulation_.now());
  completions_.give_back(completion);
  if (flush_.asked) go_on_writing_back();
  try_stalled_again(StalledHeads::no_set);
}

}  // namespace strata::cache
