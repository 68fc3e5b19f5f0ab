// SPDX-License-Identifier: Apache-2.0
#include "dram/channel.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/random.hpp"

namespace strata::dram {
namespace {

const ChannelSpec& checked(const ChannelSpec& spec) {
  const std::vector<std::string> wrong = problems(spec);
  if (!wrong.empty()) throw std::invalid_argument("DRAM channel: " + wrong.front());
  return spec;  // NOLINT(bugprone-return-const-ref-from-parameter): used within the same expression
}

// The refreshes of different channels fall at different times where their
// controllers are not in step.
Tick refresh_phase(const ChannelSpec& spec, std::uint64_t seed) {
  const double ticks = spec.timing.t_refi.value * spec.timing.ticks_per_clock;
  const auto interval = static_cast<std::uint64_t>(std::llround(std::max(ticks, 1.0)));
  return static_cast<Tick>(scale_to(mix(spec.controller.refresh_in_step ? 1 : seed), interval)) + 1;
}

}  // namespace

Channel::Channel(engine::Simulation& simulation, engine::Clock edges, const ChannelSpec& spec,
                 memory::StageNames& stages, std::uint64_t seed, LocalBlock local, const Channel* like)
    : simulation_(simulation),
      edges_(edges),
      design_(like != nullptr ? like->design_ : std::make_shared<const Design>(checked(spec))),
      map_(design_->map),
      local_(local),
      wake_(engine::handler<&Channel::on_wake>(*this)),
      pseudo_channels_(spec.organisation.pseudo_channels),
      input_depth_(spec.controller.input_buffer),
      queue_places_(spec.controller.read_queue + spec.controller.write_queue),
      bursts_per_block_(memory::block_bytes / spec.organisation.access.value),
      one_part_(design_->timing.column_runs && map_.keeps_together(bursts_per_block_)),
      latency_(static_cast<Tick>(std::llround(spec.controller.latency.value * spec.timing.ticks_per_clock))),
      queue_stage_(stages.add("DRAM queue")),
      bank_stage_(stages.add("DRAM bank")),
      data_stage_(stages.add("DRAM data")),
      controller_stage_(stages.add("DRAM controller")),
      scheduler_(spec, design_->timing, refresh_phase(spec, seed),
                 one_part_ ? 1 : static_cast<std::uint32_t>(bursts_per_block_),
                 {[](void* self, const Request& request, Tick run_begun) {
                    static_cast<Channel*>(self)->served(request, run_begun);
                  },
                  this}) {
  // The number that a transaction carries has 32 bits.
  if (map_.capacity() % bursts_per_block_ != 0 || blocks() > std::uint64_t{1} << 32U) local_.given = false;
  unseen_ = scheduler_.timing().column_to_data_end[0] + latency_ - 1;
  const std::uint64_t sectors = memory::sectors_per_block / bursts_per_block_;
  for (unsigned mask = 0; mask < bursts_of_.size(); ++mask) {
    for (unsigned sector = 0; sector < memory::sectors_per_block; ++sector) {
      if (((mask >> sector) & 1U) == 0) continue;
      bursts_of_[mask] = static_cast<std::uint8_t>(bursts_of_[mask] | 1U << sector / sectors);
    }
  }
  bursts_of_[0] = 1;  // an empty mask still costs a burst: the request needs a transfer
}

void Channel::accept(memory::Transaction& transaction) {
  ++held_;
  // Behind waiting requests it has no effect, and the wake-up for the first is set.
  if (!input_.empty()) return input_.push(transaction);
  // A command issued at this edge was chosen before the request arrived.
  const Time now = simulation_.now();
  const Tick floor = now.ticks / edges_.period().ticks;
  scheduler_.advance(floor);
  if (!scheduler_.has_room(is_write(transaction))) {
    input_.push(transaction);
    return arm();
  }
  const Tick accepted = scheduler_.timing().rising_edge(time(floor) == now ? floor : floor + 1);
  take_in(transaction, accepted);
  // A request that arrives now is served after this edge, and no wake-up is needed before its effect
  // is observable.
  if (armed_ > accepted + unseen_) arm();
}

void Channel::take_in(memory::Transaction& transaction, Tick accepted) {
  const std::uint64_t block = local_.given ? transaction.set() : local_(transaction.block);
  const unsigned bursts = bursts_of_[transaction.fetched & memory::all_sectors];
  const bool write = is_write(transaction);
  memory::Transaction* const answered = write ? nullptr : &transaction;
  if (one_part_) {
    const Scheduler::Part part{
        map_.place(block * bursts_per_block_),
        static_cast<std::uint8_t>(memory::sector_count(static_cast<memory::SectorMask>(bursts)))};
    scheduler_.add(answered, write, part, accepted);
  } else {
    std::array<Scheduler::Part, memory::sectors_per_block> parts;
    scheduler_.add(answered, write, parts.data(), split(block, bursts, parts), accepted);
  }
  transaction.release();
  if (!write) return;
  const Time posted = time(accepted + 1);
  transaction.mark(queue_stage_, posted);
  transaction.answer(simulation_, posted);
}

// The bursts of a row are one part if they are issued as one run.
std::size_t Channel::split(std::uint64_t block, unsigned bursts,
                           std::array<Scheduler::Part, memory::sectors_per_block>& parts) const {
  std::size_t count = 0;
  for (std::uint64_t i = 0; i < bursts_per_block_; ++i) {
    if (((bursts >> i) & 1U) == 0) continue;
    const Place at = map_.place(block * bursts_per_block_ + i);
    std::size_t same = scheduler_.timing().column_runs ? 0 : count;
    while (same < count && parts[same].at != at) ++same;
    if (same == count) parts[count++] = {at, 0};
    ++parts[same].bursts;
  }
  return count;
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
    const Tick last_data = request.last_column + scheduler_.timing().column_to_data_end[0];
    const Time answered = time(last_data + latency_);
    if (transaction.journey != nullptr) {
      transaction.mark(queue_stage_, time(request.first_command));
      transaction.mark(bank_stage_, time(request.last_column));
      transaction.mark(data_stage_, time(last_data));
      transaction.mark(controller_stage_, answered);
    }
    transaction.answer(simulation_, answered);
  }
  take_in_waiting(run_begun);
}

// The scheduler is observable only by its answers and by free entries for requests that wait at
// the input. If none waits there, its commands may be simulated when the next request arrives,
// or just before the first answer is due.
void Channel::arm() {
  const Tick served = scheduler_.next_served();
  const Tick next = input_.empty() ? served + unseen_ : served;
  if (next >= armed_) return;
  armed_ = next;
  // A wake-up returns credits, so it precedes the arrivals of its instant.
  simulation_.at(time(next), engine::Priority::completion, wake_);
}

void Channel::on_wake() {
  const Tick now = armed_;
  if (now == never || time(now) != simulation_.now()) return;  // an earlier wake-up replaced it
  armed_ = never;
  scheduler_.advance(now);
  arm();
}

void Channel::touch_local(std::uint64_t local) {
  if (held_ != 0) return;
  scheduler_.advance(tick_at_or_after(simulation_.now()) - 1);
  const std::uint64_t first = local * bursts_per_block_;
  for (std::uint64_t burst = first; burst < first + (one_part_ ? 1 : bursts_per_block_); ++burst) {
    scheduler_.touch(map_.place(burst));
  }
}

HeldRow Channel::held_row(std::uint64_t block) const {
  const Place at = map_.place(local_(block) * bursts_per_block_);
  const std::uint32_t open = scheduler_.open_row(at);
  return {at.pseudo_channel, at.bank, at.row, open == closed_row ? std::nullopt : std::optional(open)};
}

Statistics Channel::statistics() {
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
