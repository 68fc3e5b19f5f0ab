// SPDX-License-Identifier: Apache-2.0
#include "dram/channel.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "base/random.hpp"

namespace strata::dram {
namespace {

// The refreshes of different channels fall at different times, as on boards
// whose controllers are not in step.
Tick refresh_phase(const ChannelSpec& spec, std::uint64_t seed) {
  const double ticks = spec.timing.t_refi.value * spec.timing.ticks_per_clock;
  const auto interval = static_cast<std::uint64_t>(std::llround(std::max(ticks, 1.0)));
  return static_cast<Tick>(scale_to(mix(seed), interval)) + 1;
}

}  // namespace

Channel::Channel(engine::Simulation& simulation, engine::Clock edges, const ChannelSpec& spec,
                 memory::StageNames& stages, std::uint64_t seed, LocalBlock local)
    : simulation_(simulation),
      edges_(edges),
      map_(spec.address_map, spec.organisation),
      local_(local),
      wake_(engine::handler<&Channel::on_wake>(*this)),
      pseudo_channels_(spec.organisation.pseudo_channels),
      banks_per_group_(spec.organisation.banks_per_group),
      bank_groups_(spec.organisation.bank_groups),
      input_depth_(spec.controller.input_buffer),
      sectors_per_burst_(static_cast<unsigned>(spec.organisation.access.value / memory::sector_bytes)),
      bursts_per_block_(memory::block_bytes / spec.organisation.access.value),
      block_keeps_row_(map_.keeps_together(bursts_per_block_)),
      latency_(static_cast<Tick>(std::llround(spec.controller.latency.value * spec.timing.ticks_per_clock))),
      queue_stage_(stages.add("DRAM queue")),
      bank_stage_(stages.add("DRAM bank")),
      data_stage_(stages.add("DRAM data")),
      controller_stage_(stages.add("DRAM controller")),
      scheduler_(spec, refresh_phase(spec, seed),
                 {[](void* self, const Request& request, Tick run_begun) {
                    static_cast<Channel*>(self)->served(request, run_begun);
                  },
                  this}) {
  unseen_ = scheduler_.timing().column_to_data_end[0] + latency_ - 1;
}

void Channel::accept(memory::Transaction& transaction) {
  ++held_;
  // What goes out at this very edge was chosen before the request was seen.
  scheduler_.advance(simulation_.now().ticks / edges_.period().ticks);
  if (input_.empty() && scheduler_.has_room(is_write(transaction))) {
    take_in(transaction, scheduler_.timing().rising_edge(tick_at_or_after(simulation_.now())));
  } else {
    input_.push(transaction);
  }
  arm();
}

void Channel::take_in(memory::Transaction& transaction, Tick accepted) {
  const std::uint64_t block = local_(transaction.block);
  std::array<Scheduler::Part, memory::sectors_per_block> parts;
  std::size_t count = 0;
  const auto mask = static_cast<unsigned>(transaction.fetched);
  const unsigned one_burst = (1U << sectors_per_burst_) - 1;
  const auto add = [&](const Location& at, unsigned bursts) {
    const std::uint32_t bank = bank_of(at);
    for (std::size_t i = 0; i < count && scheduler_.timing().column_runs; ++i) {
      if (parts[i].pseudo_channel == at.pseudo_channel && parts[i].bank == bank && parts[i].row == at.row) {
        parts[i].bursts = static_cast<std::uint8_t>(parts[i].bursts + bursts);
        return;
      }
    }
    parts[count++] = {at.pseudo_channel, bank, at.row, static_cast<std::uint8_t>(bursts)};
  };
  unsigned needed = 0;
  for (std::uint64_t i = 0; i < bursts_per_block_; ++i) {
    if (((mask >> (i * sectors_per_burst_)) & one_burst) == 0) continue;
    ++needed;
    if (!block_keeps_row_) add(map_.locate(block * bursts_per_block_ + i), 1);
  }
  // An empty mask still costs a burst: the request asks for something.
  if (needed == 0 || block_keeps_row_) {
    const Location at = map_.locate(block * bursts_per_block_);
    needed = std::max(needed, 1U);
    if (scheduler_.timing().column_runs) {
      add(at, needed);
    } else {
      for (; needed > 0; --needed) add(at, 1);
    }
  }
  const bool write = is_write(transaction);
  scheduler_.add(write ? nullptr : &transaction, write, parts.data(), count, accepted);
  transaction.release();
  if (!write) return;
  const Time answered = time(accepted + 1);
  transaction.mark(queue_stage_, answered);
  transaction.answer(simulation_, answered);
}

void Channel::take_in_waiting(Tick accepted) {
  while (!input_.empty()) {
    auto& next = static_cast<memory::Transaction&>(input_.front());
    if (!scheduler_.has_room(is_write(next))) return;
    input_.pop();
    take_in(next, accepted);
  }
}

void Channel::served(const Request& request, Tick run_begun) {
  --held_;
  if (!request.write) {
    memory::Transaction& transaction = *request.transaction;
    transaction.mark(queue_stage_, time(request.first_command));
    transaction.mark(bank_stage_, time(request.last_column));
    const Tick last_data = request.last_column + scheduler_.timing().column_to_data_end[0];
    transaction.mark(data_stage_, time(last_data));
    const Time answered = time(last_data + latency_);
    transaction.mark(controller_stage_, answered);
    transaction.answer(simulation_, answered);
  }
  take_in_waiting(run_begun);
}

// What the scheduler does shows in answers, and in room for what waits at the
// input. If nothing waits there, its commands may be caught up with when the
// next request comes, or just before the first answer is due.
void Channel::arm() {
  const Tick served = scheduler_.next_served();
  const Tick next = input_.empty() ? served + unseen_ : served;
  if (next >= armed_) return;
  armed_ = next;
  // A wake gives back credits, so it comes before the arrivals of its instant.
  simulation_.at(time(next), engine::Priority::completion, wake_);
}

void Channel::on_wake() {
  const Tick now = simulation_.now().ticks / edges_.period().ticks;
  if (now != armed_) return;  // an earlier wake took its place
  armed_ = never;
  scheduler_.advance(now);
  arm();
}

void Channel::touch(std::uint64_t block, bool /*is_write*/) {
  if (held_ != 0) return;
  scheduler_.advance(tick_at_or_after(simulation_.now()) - 1);
  const std::uint64_t first = local_(block) * bursts_per_block_;
  for (std::uint64_t burst = first; burst < first + (block_keeps_row_ ? 1 : bursts_per_block_); ++burst) {
    const Location at = map_.locate(burst);
    scheduler_.touch(at.pseudo_channel, bank_of(at), at.row);
  }
}

const Statistics& Channel::statistics() {
  const Tick now = tick_at_or_after(simulation_.now());
  scheduler_.advance(now - 1);
  return scheduler_.statistics(now);
}

void Channel::reset_statistics() {
  statistics();
  counted_from_ = tick_at_or_after(simulation_.now());
  scheduler_.reset_statistics();
}

double Channel::data_bus_share() {
  const Tick span = tick_at_or_after(simulation_.now()) - counted_from_;
  return span <= 0 ? 0.0
                   : static_cast<double>(statistics().data_busy) /
                         (static_cast<double>(span) * static_cast<double>(pseudo_channels_));
}

double Channel::mean_queue() {
  const Tick span = tick_at_or_after(simulation_.now()) - counted_from_;
  return span <= 0 ? 0.0 : statistics().queued_ticks / static_cast<double>(span);
}

}  // namespace strata::dram
