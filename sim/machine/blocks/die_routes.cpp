// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/die_routes.hpp"

#include "machine/levels.hpp"

namespace strata::machine {

namespace {

bool has_levels_behind_l2(const MachineSpec& spec) {
  for (const LevelSpec& level : spec.levels)
    if (level.shared_by == Sharers::die) return true;
  return false;
}

}  // namespace

DieRoutes::DieRoutes(const MachineSpec& spec, const fabric::AddressMap& map, std::deque<ComputeDie>& compute_dies,
                     std::deque<MemoryDie>& memory_dies)
    : map_(map),
      compute_dies_(compute_dies),
      memory_dies_(memory_dies),
      first_compute_node_(spec.dies.apart() ? static_cast<std::uint32_t>(spec.dies.memory) : 0U),
      apart_(spec.dies.apart()),
      partitioned_(spec.l2.partitioned),
      levels_behind_l2_(has_levels_behind_l2(spec)) {}

DieSinks DieRoutes::sinks_of(std::uint8_t compute_die) {
  Exit& exit = exits_.emplace_back(Exit{*this, compute_die});
  return {memory::sink<&Exit::below_l2>(exit),
          memory::sink<&Exit::below_die>(exit),
          {[](void* self, const cache::TouchRequest& request) {
             const auto& from = *static_cast<Exit*>(self);
             from.routes.touch_below_l2(request, from.die);
           },
           &exit},
          {[](void* self, const cache::TouchRequest& request) { static_cast<DieRoutes*>(self)->touch_memory(request); },
           this}};
}

void DieRoutes::connect(fabric::DieNetwork& network) {
  network_ = &network;
  for (std::size_t m = 0; m < memory_dies_.size(); ++m) {
    Exit& arrival = arrivals_.emplace_back(Exit{*this, static_cast<std::uint8_t>(m)});
    network.attach(static_cast<std::uint32_t>(m), memory::sink<&Exit::arrived>(arrival));
  }
}

inline void DieRoutes::below_die(memory::Transaction& transaction, Time ready, std::uint8_t die) {
  if (transaction.home_die == memory::Transaction::unknown_home)
    transaction.home_die = static_cast<std::uint8_t>(map_.home(transaction.block));
  if (network_ == nullptr || (!apart_ && transaction.home_die == die))
    return memory_dies_[transaction.home_die].take(transaction, ready);
  network_->send(transaction, node_of(die), ready);
}

void DieRoutes::below_l2(memory::Transaction& transaction, Time ready, std::uint8_t die) {
  if (levels_behind_l2_ && stays(transaction, die)) return compute_dies_[die].behind_l2().take(transaction, ready);
  below_die(transaction, ready, die);
}

// Levels behind a partitioned L2 hold the lines of their home.
bool DieRoutes::stays(memory::Transaction& transaction, std::uint8_t die) const {
  transaction.home_die = home_of(transaction.home_die, transaction.block);
  return !partitioned_ || transaction.home_die == die;
}

void DieRoutes::at_home(memory::Transaction& transaction, Time ready, std::uint8_t die) {
  if (partitioned_) return compute_dies_[die].from_die(transaction);
  memory_dies_[die].take(transaction, ready);
}

void DieRoutes::touch_below_l2(const cache::TouchRequest& request, std::uint8_t die) {
  cache::TouchRequest next = request;
  next.home_die = home_of(request.home_die, request.block);
  if (partitioned_ && next.home_die != die) return compute_dies_[next.home_die].touch_l2(next);
  if (levels_behind_l2_) return compute_dies_[die].behind_l2().touch(next);
  touch_memory(next);
}

void DieRoutes::touch_memory(const cache::TouchRequest& request) {
  memory_dies_[home_of(request.home_die, request.block)].touch(request);
}

}  // namespace strata::machine
