// SPDX-License-Identifier: Apache-2.0
// What a kernel's program knows of the warp that it runs on, and the words with
// which it says what the warp issues. Each word writes one instruction into the
// place that the core handed in and is then yielded:
//
//   co_yield w.op(OpClass::fp32, sum, sum, value);
//   co_yield w.load(value, 4, pointer).at([&](unsigned lane) { return a + 4 * (i + lane); });
//
// `active` is the mask of active lanes; a program changes it where paths diverge. An access
// without active lanes is still issued: it takes its slot.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/invalid_request.hpp"
#include "kernels/placing.hpp"
#include "trace/kernel.hpp"

namespace strata::kernels {

using trace::OpClass;
using trace::Space;

/// The instruction is in its place.
struct Issued {};

/// Registers of a thread, 32 bits each, from `first` on; 0: none.
struct Registers {
  std::uint8_t first = 0;
  std::uint8_t count = 1;
};
constexpr Registers reg(unsigned first, unsigned count = 1) {
  return {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}

class Warp {
 public:
  Warp(const trace::KernelInfo& kernel, std::uint64_t block_number, std::uint32_t warp)
      : info(kernel),
        block(kernel.grid.place(block_number)),
        number(warp),
        first_thread(warp * kernel.warp_width),
        active(kernel.lanes_of(warp)) {}
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  const trace::KernelInfo& info;
  const trace::Dimensions block;     ///< its place in the grid
  const std::uint32_t number;        ///< within the block
  const std::uint32_t first_thread;  ///< of lane 0, within the block
  std::uint64_t active;              ///< lanes that take part in what is issued

  std::uint32_t thread(unsigned lane) const { return first_thread + lane; }
  std::uint32_t x(unsigned lane) const { return thread(lane) % info.block.x; }
  std::uint32_t y(unsigned lane) const { return thread(lane) / info.block.x % info.block.y; }

  /// The active lanes for which the condition on the lane holds.
  template <class Condition>
  std::uint64_t lanes_where(Condition condition) const {
    std::uint64_t chosen = 0;
    for (std::uint64_t left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (condition(lane)) chosen |= std::uint64_t{1} << lane;
    }
    return chosen;
  }

  /// Arithmetic, control or whatever has no address. flops: of a lane.
  Issued op(OpClass op_class, Registers to = {}, Registers a = {}, Registers b = {}, Registers c = {},
            unsigned flops = 0) {
    begin(op_class, to, a, b, c);
    out_->flops = flops;
    return {};
  }
  /// What was just said, so many times, none waiting for another.
  Issued times(unsigned count) {
    out_->repeat = static_cast<std::uint16_t>(count);
    return {};
  }
  Issued ops(unsigned count, OpClass op_class, Registers to = {}, Registers a = {}, Registers b = {},
             unsigned flops = 0) {
    op(op_class, to, a, b, {}, flops);
    return times(count);
  }
  Issued barrier() { return meet(trace::BarrierPart::both, false); }
  /// Of so many warps of all blocks of the cluster; 0: of all.
  Issued cluster_barrier(std::uint64_t warps = 0, trace::BarrierPart part = trace::BarrierPart::both) {
    return meet(part, true, warps);
  }
  /// The preceding accesses of the warp have been answered when it continues.
  Issued fence(trace::Scope scope) {
    op(OpClass::fence);
    out_->scope = scope;
    return {};
  }
  Issued exit() { return op(OpClass::exit); }

  /// Allocates or frees them for the block: tensor_allocate, which waits until they are free, or tensor_free.
  Issued columns(OpClass op_class, std::uint64_t count) {
    op(op_class);
    return once({.columns = static_cast<std::uint16_t>(count)});
  }
  /// For the block. done: can be read when the product is there. after: read before it begins.
  Issued product(Registers done, const trace::TensorWork& work, Registers after = {}) {
    const std::uint64_t flops = std::uint64_t{2} * work.m * work.n * work.k;
    if (flops > std::numeric_limits<std::uint32_t>::max())
      throw InvalidRequest("a product of more than 2^31 multiplications", {}, "make it several products");
    op(OpClass::tensor_product, done, after, {}, {}, static_cast<unsigned>(flops));
    return once(work);
  }

  /// An access that still lacks its addresses.
  class Access {
   public:
    explicit Access(Warp& warp) : warp_(warp) {}
    Access& in(Space space) {
      warp_.out_->space = space;
      warp_.out_->multicast = 0;
      return *this;
    }
    /// A bulk load that also fills shared memory of the blocks of these ranks.
    Access& multicast(std::uint64_t ranks) {
      warp_.out_->multicast = static_cast<std::uint16_t>(ranks);
      return *this;
    }
    Access& past_l1() {
      warp_.out_->cache_operator = memory::CacheOperator::cg;
      return *this;
    }
    /// Lane l accesses address_of(l).
    template <class AddressOf>
    Issued at(AddressOf address_of) {
      warp_.place(address_of);
      return {};
    }
    /// Lane l accesses first + l x stride.
    Issued at(std::uint64_t first, std::uint32_t stride) {
      warp_.place(first, stride);
      return {};
    }
    /// Thread (x, y) of the block accesses first + x per_x + y per_y, modulo 2^64; without a call for each lane.
    Issued at(std::uint64_t first, std::uint64_t per_x, std::uint64_t per_y) {
      warp_.place(first, per_x, per_y);
      return {};
    }

   private:
    Warp& warp_;
  };
  Access load(Registers to, unsigned bytes, Registers address = {}) {
    begin(OpClass::access, to, address);
    return access(memory::Operation::load, bytes);
  }
  Access store(Registers value, unsigned bytes, Registers address = {}) {
    begin(OpClass::access, {}, address, value);
    return access(memory::Operation::store, bytes);
  }
  /// to: destination of the old value, if it is used.
  Access atomic(Registers to, Registers value, unsigned bytes, Registers address = {}) {
    begin(OpClass::access, to, address, value);
    return access(memory::Operation::atomic, bytes);
  }

  // Of a kernel that reads values. Each is of one lane and one word; what others may write is read by the caches that
  // perform atomics, so that it is the same for all cores.
  //
  //   co_yield w.add(reg(1), counter, 1);
  //   co_yield w.wait(reg(1));
  //   if (w.value() == last) ...

  /// Adds to the word; the value is what it was. Adding 0 reads it.
  Issued add(Registers to, std::uint64_t address, memory::Word value) {
    return update(to, address, {value, word_of(address), memory::Update::add, 0});
  }
  Issued exchange(Registers to, std::uint64_t address, memory::Word value) {
    return update(to, address, {value, word_of(address), memory::Update::exchange, 0});
  }
  Issued compare_exchange(Registers to, std::uint64_t address, memory::Word expected, memory::Word value) {
    update(to, address, {value, word_of(address), memory::Update::compare_exchange, expected});
    out_->compares = true;
    return {};
  }
  /// An instruction that needs the register: after it value() is that of the access that writes it.
  Issued wait(Registers from) { return op(OpClass::integer, {}, from); }
  /// Throws InvalidRequest where no run answers: the kernel is looked at outside of a run.
  memory::Word value() const {
    if (!value_)
      throw InvalidRequest(
          info.name + " depends on values that it reads from memory, so its instructions are known only during a run",
          {}, "use it with `strata run`, without --sampled");
    return *value_;
  }
  /// A request is issued, in the order of the program.
  memory::Operand operand(const memory::Transaction& request) {
    if (operands_.empty()) return {};  // not of a kernel that reads values
    const memory::Operand next = operands_.front();
    operands_.erase(operands_.begin());
    if (operands_.empty()) last_ = &request;
    value_.reset();
    return next;
  }
  void answered(const memory::Transaction& request, const memory::Words& words) {
    if (&request == last_) value_ = words[read_from_ % memory::block_bytes / memory::word_bytes];
  }

  /// Where the instructions from now on lie in the kernel's code, in bytes.
  void lies_at(std::uint64_t pc) { pc_ = static_cast<std::uint32_t>(pc); }
  /// Where the next instruction is to be written.
  void write_to(trace::Instruction& instruction) { out_ = &instruction; }

 private:
  void begin(OpClass op_class, Registers to, Registers a = {}, Registers b = {}, Registers c = {}) {
    trace::Instruction& i = *out_;
    i.op_class = op_class;
    i.dependent = false;
    i.destination = to.first;
    i.destination_count = to.count;
    i.sources = {a.first, b.first, c.first, 0};
    i.source_counts = {a.count, b.count, c.count, 1};
    i.repeat = 1;
    i.flops = 0;
    i.pc = pc_;
    i.space = Space::global;
    i.cache_operator = memory::CacheOperator::ca;
    i.scope = trace::Scope::block;
    if (active != counted_) count_active();
    i.lanes = lanes_;
    i.mask = mask_;
  }
  // Lanes seldom change, and without hardware flags compilers call a library to count bits.
  void count_active() {
    counted_ = active;
    lanes_ = static_cast<std::uint8_t>(std::popcount(active));
    mask_ = active == trace::first_lanes(lanes_) ? 0 : active;
  }
  static memory::WordMask word_of(std::uint64_t address) {
    return memory::WordMask{1} << address % memory::block_bytes / memory::word_bytes;
  }
  Issued meet(trace::BarrierPart part, bool of_cluster, std::uint64_t warps = 0) {
    op(OpClass::barrier);
    out_->barrier_part = part;
    out_->of_cluster = of_cluster;
    out_->barrier_warps = static_cast<std::uint16_t>(warps);
    return {};
  }
  /// What was just said, by the first active lane.
  Issued once(const trace::TensorWork& work) {
    out_->tensor = work;
    out_->lanes = active == 0 ? 0 : 1;
    out_->mask = active & (~active + 1);
    return {};
  }
  Issued update(Registers to, std::uint64_t address, const memory::Operand& operand) {
    operands_.push_back(operand);
    read_from_ = address;
    return atomic(to, {}, memory::word_bytes).at(address, 0);
  }
  Access access(memory::Operation operation, unsigned bytes) {
    out_->operation = operation;
    out_->compares = false;
    out_->multicast = 0;
    out_->bytes_per_lane = static_cast<std::uint8_t>(bytes);
    return Access(*this);
  }
  void place(std::uint64_t first, std::uint32_t stride) { place_by_stride(*out_, active, first, stride); }
  void place(std::uint64_t first, std::uint64_t per_x, std::uint64_t per_y) {
    place_by_thread(*out_, active, info, first_thread, {first, per_x, per_y});
  }
  template <class AddressOf>
  void place(AddressOf address_of) {
    place_by_lane(*out_, active, address_of);
  }

  trace::Instruction* out_ = nullptr;
  std::uint64_t counted_ = 0;  ///< the active lanes that lanes_ and mask_ are of
  std::uint64_t mask_ = 0;
  std::uint8_t lanes_ = 0;
  std::uint32_t pc_ = trace::no_pc;
  std::vector<memory::Operand> operands_;      ///< of accesses that have yet to be issued
  const memory::Transaction* last_ = nullptr;  ///< of the last access
  std::optional<memory::Word> value_;          ///< its answer
  std::uint64_t read_from_ = 0;
};

}  // namespace strata::kernels
