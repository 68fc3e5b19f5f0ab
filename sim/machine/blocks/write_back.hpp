// SPDX-License-Identifier: Apache-2.0
// Writing back the caches of compute dies at the end of a kernel: the L2s, then the levels behind
// them, one after the other, because what a level writes back stays in the next.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/blocks/compute_die.hpp"

namespace strata::machine {

class WriteBack {
 public:
  WriteBack() = default;
  WriteBack(const WriteBack&) = delete;
  WriteBack& operator=(const WriteBack&) = delete;

  /// Dies of one process, with the same levels.
  void add(ComputeDie& die) { dies_.push_back(&die); }
  /// Called when no request is in flight; continues while the simulation runs.
  void begin() {
    step_ = 0;
    write_back_step();
  }
  /// begin() as an event.
  const engine::Handler& beginning() const { return begin_; }

 private:
  void write_back_step();
  void on_done() {
    if (--open_ == 0 && ++step_ <= dies_.front()->behind_l2().levels().size()) write_back_step();
  }

  std::vector<ComputeDie*> dies_;
  std::size_t step_ = 0;    ///< 0: the L2s; k: the k-th level behind them
  std::uint64_t open_ = 0;  ///< caches that have not ended the step
  engine::Handler begin_ = engine::handler<&WriteBack::begin>(*this);
  engine::Handler done_ = engine::handler<&WriteBack::on_done>(*this);
};

inline void WriteBack::write_back_step() {
  const auto each = [this](const auto& visit) {
    for (ComputeDie* const die : dies_) {
      if (step_ == 0) {
        for (std::uint32_t s = 0; s < die->slices().size(); ++s) visit(die->slice(s));
      } else {
        for (cache::Cache& slice : die->behind_l2().levels()[step_ - 1].slices()) visit(slice);
      }
    }
  };
  open_ = 1;  // of this call: a cache with nothing dirty ends at once
  each([this](cache::Cache&) { ++open_; });
  each([this](cache::Cache& cache) { cache.write_back_all(done_); });
  on_done();
}

}  // namespace strata::machine
