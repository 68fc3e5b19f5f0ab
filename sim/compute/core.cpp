// SPDX-License-Identifier: Apache-2.0
#include "compute/core.hpp"

#include <algorithm>

namespace strata::compute {

Core::Core(engine::Simulation& simulation, const CoreSpec& spec, const engine::Clock& clock,
           std::uint32_t index, std::uint8_t die, engine::Pool<memory::Transaction>& pool,
           memory::StageNames& stages)
    : simulation_(simulation),
      pool_(pool),
      clock_(clock),
      load_store_(spec.load_store),
      shared_(spec.shared_memory, clock),
      index_(index),
      die_(die),
      address_stage_(stages.add(spec.name + " address and issue")),
      shared_stage_(stages.add(spec.name + " shared memory")) {}

void Core::start(trace::WarpStream& stream, Time t) {
  auto warp = std::make_unique<Warp>();
  warp->stream = &stream;
  warp->core = this;
  warp->index = static_cast<std::uint32_t>(warps_.size());
  ++running_;
  simulation_.at(t, engine::Priority::decision, issue_handler_, warp.get());
  warps_.push_back(std::move(warp));
}

void Core::on_issue(Warp& warp) { issue(warp); }

// Issues until the warp must wait. One instruction is held back when it
// depends on accesses that have not answered yet.
void Core::issue(Warp& warp) {
  for (;;) {
    if (!warp.holds_instruction) {
      if (!warp.stream->next(warp.instruction)) {
        if (warp.outstanding == 0) --running_;
        return;
      }
      warp.holds_instruction = true;
    }
    if (warp.instruction.dependent && warp.outstanding > 0) return;
    warp.holds_instruction = false;
    // Without an active lane there is nothing to do.
    if (warp.instruction.lanes > 0) send(warp);
  }
}

void Core::send(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  const Time now = simulation_.now();
  warp.issued = now;
  warp.deepest = 0;
  if (journey_ != nullptr) journey_->begin(now);
  if (instruction.space == trace::Space::shared) {
    ++warp.outstanding;
    const Time done = shared_.access(instruction, now);
    if (journey_ != nullptr) journey_->mark(shared_stage_, done);
    simulation_.at(done, engine::Priority::completion, shared_handler_, &warp);
    return;
  }
  coalescer_.coalesce(instruction);
  const auto passes = static_cast<std::int64_t>(
      (instruction.lanes + load_store_.lanes_per_pass - 1) / load_store_.lanes_per_pass);
  const Cycles address =
      instruction.lanes == 1
          ? load_store_.scalar_address
          : load_store_.vector_address + load_store_.per_extra_pass * static_cast<double>(passes - 1);
  const Duration formed = clock_.cycles(address.value);
  const Duration per_line = clock_.cycles(load_store_.per_line.value);
  const memory::Sink& sink = outlet(instruction.space);
  warp.outstanding += coalescer_.size();
  for (unsigned i = 0; i < coalescer_.size(); ++i) {
    memory::Transaction& transaction = pool_.take();
    transaction.virtual_block = coalescer_[i].block;
    transaction.wanted = transaction.fetched = coalescer_[i].sectors;
    transaction.operation = instruction.operation;
    transaction.cache_operator = instruction.cache_operator;
    transaction.requester_die = die_;
    transaction.core = index_;
    transaction.warp = warp.index;
    transaction.issued = now;
    transaction.journey = journey_;
    transaction.return_through(answer_handler_);
    ++transactions_;
    const Time ready = load_store_lane_.reserve(now, per_line) + formed;
    transaction.mark(address_stage_, ready);
    sink.take(transaction, ready);
  }
}

const memory::Sink& Core::outlet(trace::Space space) const {
  switch (space) {
    case trace::Space::scalar: return outlets_.scalar;
    case trace::Space::texture: return outlets_.texture;
    default: return outlets_.global;
  }
}

void Core::on_shared_done(Warp& warp) { completed(warp); }

void Core::on_answer(memory::Transaction& transaction) {
  Warp& warp = *warps_[transaction.warp];
  warp.deepest = std::max(warp.deepest, transaction.deepest);
  transaction.release();
  pool_.give_back(transaction);
  completed(warp);
}

void Core::completed(Warp& warp) {
  if (--warp.outstanding > 0) return;
  if (listener_.function != nullptr)
    listener_.function(listener_.self, index_, simulation_.now() - warp.issued, warp.deepest);
  // The warp ran on until it had to wait or its stream had ended.
  if (warp.holds_instruction) {
    issue(warp);
  } else {
    --running_;
  }
}

}  // namespace strata::compute
