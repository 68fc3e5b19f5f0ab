// SPDX-License-Identifier: Apache-2.0
// The response path through the load/store unit: answers of lines are combined into that of
// their instruction, which is written to the registers.
#include "compute/cluster/cluster.hpp"
#include "compute/cluster/cluster_network.hpp"
#include "compute/load_store/load_store_unit.hpp"

namespace strata::compute {

void LoadStoreUnit::on_shared_done(Access& access) { complete(access); }

void LoadStoreUnit::on_returned(Access& access) { complete(access); }

// In advance: transaction.ready is when the line answers. A line that holds a credit of the
// port behind until then must return it exactly at that time: others may wait for it.
void LoadStoreUnit::on_answer(memory::Transaction& transaction) {
  if (transaction.holds == nullptr) return gather(transaction);
  simulation_.at(transaction.ready, engine::Priority::completion, held_, &transaction);
}

void LoadStoreUnit::on_held(memory::Transaction& transaction) {
  transaction.release();
  gather(transaction);
}

// The deepest level of any line counts.
inline void LoadStoreUnit::reached(Access& access, std::uint8_t level) const {
  if (level > access.serviced_level ? access.serviced_level == 0 || level != behind_first_
                                    : access.serviced_level == behind_first_ && level > 0)
    access.serviced_level = level;
}

// The line's answer is known.
void LoadStoreUnit::gather(memory::Transaction& transaction) {
  Access& access = accesses_[transaction.context()];
  if (transaction.serviced_level != access.serviced_level) reached(access, transaction.serviced_level);
  flow_.answer(simulation_.now(), transaction.ready, transaction.issued);
  if (values_ != nullptr) values_->answer(transaction);
  access.answered = later(access.answered, transaction.ready);
  transaction.next = access.lines;
  access.lines = &transaction;
  if (--access.lines_left == 0) simulation_.at(access.answered, engine::Priority::completion, answered_, &access);
}

// All lines have answered.
void LoadStoreUnit::on_answered(Access& access) {
  while (access.lines != nullptr) {
    auto& line = static_cast<memory::Transaction&>(*access.lines);
    access.lines = line.next;
    line.next = nullptr;
    if (sampler_ != nullptr && line.journey != nullptr) sampler_->end(*line.journey, core_, line.warp);
    pool_.give_back(line);
  }
  const Duration occupancy{static_cast<std::int64_t>(access.bytes * return_ticks_ + 0.5)};
  const Time start = access.fills     ? tile_moved(access)
                     : access.returns ? return_lane_.reserve(simulation_.now(), occupancy)
                                      : Time{};
  if (start <= simulation_.now()) return complete(access);
  if (journey_ != nullptr) journey_->mark(return_stage_, start);
  simulation_.at(start, engine::Priority::completion, returned_, &access);
}

Time LoadStoreUnit::tile_moved(const Access& copy) {
  Time taken = move_rows(copy.bytes);
  if (copy.multicast == 0) return taken;
  const Cluster& cluster = *clusters_[copy.warp];
  for (std::size_t rank = 0; rank < cluster.blocks(); ++rank)
    if ((copy.multicast >> rank & 1U) != 0 && cluster.core(rank) != core_)
      taken = later(taken, network_->unit(cluster.core(rank)).move_rows(copy.bytes));
  return taken;
}

void LoadStoreUnit::complete(Access& access) {
  const bool bounded = access.load && !access.shared && access.copied == 0;
  const bool was_full = bounded && loads_ == loads_most_;
  if (bounded) --loads_;
  listener_.completed(listener_.self, access);
  const bool copy = access.copied > 0;
  copied_lines_ -= access.copied;
  accesses_.give_back(access);
  if (copy) serve(pipes_[bulk_pipe]);
  if (!was_full) return;
  for (Pipe& pipe : pipes_) serve(pipe);
}

}  // namespace strata::compute
