// SPDX-License-Identifier: Apache-2.0
#include "formats/native/record.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <stdexcept>

namespace strata::formats {

using trace::Instruction;
using trace::OpClass;

namespace {

// Of the first byte.
constexpr unsigned class_bits = 0x1F;
constexpr unsigned has_mask = 0x20;
constexpr unsigned has_registers = 0x40;
constexpr unsigned has_extras = 0x80;
// Of the byte of registers.
constexpr unsigned has_destination = 0x08;
constexpr unsigned has_counts = 0x10;
// Of the byte of extras.
constexpr unsigned is_dependent = 0x01;
constexpr unsigned has_repeat = 0x02;
constexpr unsigned has_flops = 0x04;
constexpr unsigned has_cycle = 0x08;
constexpr unsigned has_barrier = 0x10;
constexpr unsigned has_scope = 0x20;
constexpr unsigned has_pc = 0x80;
constexpr unsigned known_extras = 0xBF;

enum class Form : std::uint8_t { strided, listed, none };

// The stride of the lanes, if one stride gives all addresses.
bool stride_of(const Instruction& i, std::uint32_t& stride) {
  stride = i.strided && i.lanes > 1 ? i.lane_stride : 0;
  if (i.strided || i.lanes < 2) return true;
  const std::uint64_t first = i.addresses[1] - i.addresses[0];
  if (first > std::numeric_limits<std::uint32_t>::max()) return false;
  for (unsigned lane = 1; lane < i.lanes; ++lane)
    if (i.addresses[lane] - i.addresses[lane - 1] != first || i.addresses[lane] < i.addresses[lane - 1]) return false;
  stride = static_cast<std::uint32_t>(first);
  return true;
}

void write_registers(Buffer& out, const Instruction& i) {
  unsigned sources = trace::most_sources;
  while (sources > 0 && i.sources[sources - 1] == 0) --sources;
  bool counts = i.destination != 0 && i.destination_count != 1;
  for (unsigned s = 0; s < sources; ++s) counts |= i.sources[s] != 0 && i.source_counts[s] != 1;
  out.push_back(
      static_cast<unsigned char>(sources | (i.destination != 0 ? has_destination : 0U) | (counts ? has_counts : 0U)));
  if (i.destination != 0) out.push_back(i.destination);
  for (unsigned s = 0; s < sources; ++s) out.push_back(i.sources[s]);
  if (!counts) return;
  if (i.destination != 0) out.push_back(i.destination_count);
  for (unsigned s = 0; s < sources; ++s) out.push_back(i.sources[s] != 0 ? i.source_counts[s] : std::uint8_t{1});
}

void read_registers(Cursor& in, Instruction& i) {
  const unsigned head = in.u8();
  const unsigned sources = head & 7U;
  if (sources > trace::most_sources || head > 0x1FU) in.fail("no such list of registers");
  if ((head & has_destination) != 0) i.destination = in.u8();
  for (unsigned s = 0; s < sources; ++s) i.sources[s] = in.u8();
  if ((head & has_counts) == 0) return;
  if ((head & has_destination) != 0) i.destination_count = in.u8();
  for (unsigned s = 0; s < sources; ++s) i.source_counts[s] = in.u8();
  const auto whole = [&](unsigned first, unsigned count) {
    if (count == 0 || first + count > 256) in.fail("registers beyond the last one");
  };
  whole(i.destination, i.destination_count);
  for (unsigned s = 0; s < sources; ++s) whole(i.sources[s], i.source_counts[s]);
}

void write_addresses(Buffer& out, RecordState& state, const Instruction& i) {
  std::uint32_t stride = 0;
  const Form form = i.lanes == 0 ? Form::none : stride_of(i, stride) ? Form::strided : Form::listed;
  out.push_back(static_cast<unsigned char>(static_cast<unsigned>(i.operation) | static_cast<unsigned>(i.space) << 2U |
                                           static_cast<unsigned>(i.cache_operator) << 4U |
                                           static_cast<unsigned>(form) << 6U));
  out.push_back(i.bytes_per_lane);
  if (form == Form::none) return;
  std::uint64_t& base = state.base[static_cast<std::size_t>(i.space)];
  put_step(out, base, i.addresses[0]);
  base = i.addresses[0];
  if (form == Form::strided) return put_varint(out, stride);
  for (unsigned lane = 1; lane < i.lanes; ++lane) put_step(out, i.addresses[lane - 1], i.addresses[lane]);
}

void read_addresses(Cursor& in, RecordState& state, Instruction& i) {
  const unsigned head = in.u8();
  const unsigned form = head >> 6U;
  if ((head & 3U) > static_cast<unsigned>(memory::Operation::atomic)) in.fail("no such operation");
  if ((head >> 4U & 3U) > static_cast<unsigned>(memory::CacheOperator::cv)) in.fail("no such cache operator");
  if (form > static_cast<unsigned>(Form::none)) in.fail("no such form of addresses");
  i.operation = static_cast<memory::Operation>(head & 3U);
  i.space = static_cast<trace::Space>(head >> 2U & 3U);
  i.cache_operator = static_cast<memory::CacheOperator>(head >> 4U & 3U);
  i.bytes_per_lane = in.u8();
  if (i.bytes_per_lane == 0 || i.bytes_per_lane > trace::most_bytes_per_lane)
    in.fail("an access of " + std::to_string(i.bytes_per_lane) + " bytes a lane; 1 to 64 are possible");
  const bool none = form == static_cast<unsigned>(Form::none);
  if (none != (i.lanes == 0)) in.fail("addresses do not agree with the mask");
  i.strided = form != static_cast<unsigned>(Form::listed);
  i.lane_stride = 0;
  if (none) return;
  std::uint64_t& base = state.base[static_cast<std::size_t>(i.space)];
  base = in.step(base);
  i.addresses[0] = base;
  if (i.strided) {
    i.lane_stride = static_cast<std::uint32_t>(in.varint(std::numeric_limits<std::uint32_t>::max(), "a stride"));
    return;
  }
  for (unsigned lane = 1; lane < i.lanes; ++lane) i.addresses[lane] = in.step(i.addresses[lane - 1]);
}

void set_lanes(Instruction& i, std::uint64_t mask) {
  i.lanes = static_cast<std::uint8_t>(std::popcount(mask));
  i.mask = mask == trace::first_lanes(i.lanes) ? 0 : mask;
}

}  // namespace

void write_record(Buffer& out, RecordState& state, const Instruction& i) {
  const std::uint64_t mask = i.active();
  const bool barrier = i.barrier != 0 || i.barrier_warps != 0 || i.arrive_only;
  const bool registers = i.destination != 0 || i.sources != std::array<std::uint8_t, trace::most_sources>{};
  const unsigned extras = (i.dependent ? is_dependent : 0U) | (i.repeat != 1 ? has_repeat : 0U) |
                          (i.flops != 0 ? has_flops : 0U) | (i.not_before_cycle != state.cycle ? has_cycle : 0U) |
                          (barrier ? has_barrier : 0U) | (i.scope != trace::Scope::block ? has_scope : 0U) |
                          (i.pc != trace::no_pc ? has_pc : 0U);
  out.push_back(static_cast<unsigned char>(static_cast<unsigned>(i.op_class) | (mask != state.mask ? has_mask : 0U) |
                                           (registers ? has_registers : 0U) | (extras != 0 ? has_extras : 0U)));
  if (mask != state.mask) put_varint(out, mask);
  state.mask = mask;
  if (registers) write_registers(out, i);
  if (extras != 0) {
    out.push_back(static_cast<unsigned char>(extras));
    if ((extras & has_repeat) != 0) put_varint(out, i.repeat);
    if ((extras & has_flops) != 0) put_varint(out, i.flops);
    if ((extras & has_cycle) != 0) put_step(out, state.cycle, i.not_before_cycle);
    state.cycle = i.not_before_cycle;
    if (barrier) {
      out.push_back(i.barrier);
      put_varint(out, i.barrier_warps);
      out.push_back(i.arrive_only ? 1 : 0);
    }
    if ((extras & has_scope) != 0) out.push_back(static_cast<unsigned char>(i.scope));
    if ((extras & has_pc) != 0) {
      put_step(out, state.pc, i.pc);
      state.pc = i.pc;
    }
  }
  if (i.is_access()) write_addresses(out, state, i);
}

void read_record(Cursor& in, RecordState& state, Instruction& i) {
  const unsigned head = in.u8();
  if ((head & class_bits) >= trace::op_classes.size()) in.fail("no such class of instruction");
  i.op_class = static_cast<OpClass>(head & class_bits);
  if ((head & has_mask) != 0) {
    state.mask = in.varint();
    if ((state.mask & ~state.lanes) != 0) in.fail("a mask of more lanes than a warp has");
  }
  set_lanes(i, state.mask);
  i.dependent = false;
  i.destination = 0;
  i.destination_count = 1;
  i.sources = {};
  i.source_counts = {1, 1, 1, 1};
  i.scope = trace::Scope::block;
  i.barrier = 0;
  i.barrier_warps = 0;
  i.arrive_only = false;
  i.repeat = 1;
  i.flops = 0;
  i.pc = trace::no_pc;
  if ((head & has_registers) != 0) read_registers(in, i);
  if ((head & has_extras) != 0) {
    const unsigned extras = in.u8();
    if ((extras & ~known_extras) != 0) in.fail("an unknown extra");
    i.dependent = (extras & is_dependent) != 0;
    if ((extras & has_repeat) != 0) i.repeat = static_cast<std::uint16_t>(in.varint(0xFFFF, "a repeat"));
    if (i.repeat == 0) in.fail("a repeat of 0");
    if ((extras & has_flops) != 0)
      i.flops = static_cast<std::uint32_t>(in.varint(0xFFFFFFFFU, "a number of operations"));
    if ((extras & has_cycle) != 0) state.cycle = in.step(state.cycle);
    if ((extras & has_barrier) != 0) {
      i.barrier = in.u8();
      i.barrier_warps = static_cast<std::uint16_t>(in.varint(0xFFFF, "a number of warps"));
      const unsigned arrive = in.u8();
      if (arrive > 1) in.fail("neither yes nor no");
      i.arrive_only = arrive == 1;
    }
    if ((extras & has_scope) != 0) {
      const unsigned scope = in.u8();
      if (scope > static_cast<unsigned>(trace::Scope::system)) in.fail("no such scope");
      i.scope = static_cast<trace::Scope>(scope);
    }
    if ((extras & has_pc) != 0) {
      state.pc = in.step(state.pc);
      if (state.pc >= trace::no_pc) in.fail(fmt::format("a program counter of 0x{:x}, beyond 32 bits", state.pc));
      i.pc = static_cast<std::uint32_t>(state.pc);
    }
  }
  i.not_before_cycle = state.cycle;
  if (i.is_access()) read_addresses(in, state, i);
  if (i.is_access() || i.not_before_cycle > latest_cycle)
    if (const std::string fault = fault_of(i); !fault.empty()) in.fail(fault);
}

std::string fault_of(const Instruction& i) {
  if (i.not_before_cycle > latest_cycle)
    return fmt::format("cycle {} of the kernel; the last is {}", i.not_before_cycle, latest_cycle);
  if (!i.is_access()) return {};
  constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  for (unsigned lane = 0; lane < i.lanes; ++lane) {
    const std::uint64_t steps = i.strided ? std::uint64_t{lane} * i.lane_stride : 0;
    const std::uint64_t base = i.strided ? i.addresses[0] : i.addresses[lane];
    if (steps > last - base || i.bytes_per_lane - 1U > last - base - steps)
      return fmt::format("an access of {} bytes at 0x{:x}{} reaches beyond the last address, 0x{:x}", i.bytes_per_lane,
                         base, steps == 0 ? "" : fmt::format(" + {}", steps), last);
  }
  return {};
}

void require_valid(const Instruction& i) {
  if (const std::string fault = fault_of(i); !fault.empty()) throw std::invalid_argument(fault);
}

Instruction canonical(const Instruction& instruction) {
  Instruction i = instruction;
  set_lanes(i, instruction.active());
  if (i.destination == 0) i.destination_count = 1;
  for (unsigned s = 0; s < trace::most_sources; ++s)
    if (i.sources[s] == 0) i.source_counts[s] = 1;
  i.not_before = {};
  i.work = {};
  const Instruction plain;
  std::uint32_t stride = 0;
  const bool access = i.is_access() && i.lanes > 0;
  const bool strided = !access || stride_of(instruction, stride);
  i.addresses = {};
  if (access) i.addresses[0] = instruction.addresses[0];
  for (unsigned lane = 1; !strided && lane < i.lanes; ++lane) i.addresses[lane] = instruction.address(lane);
  i.strided = strided;
  i.lane_stride = strided ? stride : 0;
  if (!i.is_access()) {
    i.operation = plain.operation;
    i.cache_operator = plain.cache_operator;
    i.space = plain.space;
    i.bytes_per_lane = plain.bytes_per_lane;
  }
  return i;
}

bool same(const Instruction& one, const Instruction& other) {
  const Instruction a = canonical(one);
  const Instruction b = canonical(other);
  return a.op_class == b.op_class && a.operation == b.operation && a.cache_operator == b.cache_operator &&
         a.space == b.space && a.dependent == b.dependent && a.destination == b.destination &&
         a.destination_count == b.destination_count && a.sources == b.sources && a.source_counts == b.source_counts &&
         a.scope == b.scope && a.barrier == b.barrier && a.barrier_warps == b.barrier_warps &&
         a.arrive_only == b.arrive_only && a.repeat == b.repeat && a.flops == b.flops && a.pc == b.pc &&
         a.not_before_cycle == b.not_before_cycle && a.bytes_per_lane == b.bytes_per_lane && a.lanes == b.lanes &&
         a.mask == b.mask && a.strided == b.strided && a.lane_stride == b.lane_stride && a.addresses == b.addresses;
}

}  // namespace strata::formats
