// SPDX-License-Identifier: Apache-2.0
#include "formats/native/record.hpp"
#include "formats/native/record_lanes.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

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

// Of the byte with the part of a barrier.
constexpr unsigned of_cluster = 0x04;
// Of the byte after that of an access to a further space.
constexpr unsigned has_multicast = 0x80;

// further: the space does not fit the two bits beside; form and the rest of the space are in the byte after.
enum class Form : std::uint8_t { strided, listed, none, further };
constexpr unsigned spaces_of_first_byte = 4;

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
  const auto space = static_cast<unsigned>(i.space);
  const bool further = space >= spaces_of_first_byte;
  out.push_back(static_cast<unsigned char>(operation_number(i) | space % spaces_of_first_byte << 2U |
                                           static_cast<unsigned>(i.cache_operator) << 4U |
                                           static_cast<unsigned>(further ? Form::further : form) << 6U));
  if (further) {
    const bool several = i.multicast != 0 && trace::may_multicast(i);
    out.push_back(static_cast<unsigned char>(static_cast<unsigned>(form) | space / spaces_of_first_byte << 2U |
                                             (several ? has_multicast : 0U)));
    if (several) put_varint(out, i.multicast);
  }
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
  unsigned form = head >> 6U;
  if ((head >> 4U & 3U) > static_cast<unsigned>(memory::CacheOperator::cv)) in.fail("no such cache operator");
  unsigned space = head >> 2U & 3U;
  if (form == static_cast<unsigned>(Form::further)) {
    unsigned rest = in.u8();
    if ((rest & has_multicast) != 0) i.multicast = static_cast<std::uint16_t>(in.varint(0xFFFF, "ranks of a cluster"));
    rest &= ~has_multicast;
    form = rest & 3U;
    space += (rest >> 2U) * spaces_of_first_byte;
    if (form > static_cast<unsigned>(Form::none)) in.fail("no such form of addresses");
    if (space < spaces_of_first_byte || space >= trace::spaces.size()) in.fail("no such space");
    if (i.multicast != 0 && (static_cast<trace::Space>(space) != trace::Space::bulk || (head & 3U) != 0))
      in.fail("multicast is for bulk loads");
  }
  set_operation(i, head & 3U);
  i.space = static_cast<trace::Space>(space);
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

// Columns, or the shape of a product.
void write_tensor(Buffer& out, const Instruction& i) {
  if (i.op_class != OpClass::tensor_product) return put_varint(out, i.tensor.columns);
  for (const std::uint16_t size : {i.tensor.m, i.tensor.n, i.tensor.k}) put_varint(out, size);
  out.push_back(i.tensor.bits);
  out.push_back(i.tensor.a_from_tensor_memory ? 1 : 0);
}

void read_tensor(Cursor& in, Instruction& i) {
  i.tensor = {};
  const auto size = [&in] { return static_cast<std::uint16_t>(in.varint(0xFFFF, "a size of Tensor Memory")); };
  if (i.op_class != OpClass::tensor_product) {
    i.tensor.columns = size();
    return;
  }
  i.tensor.m = size();
  i.tensor.n = size();
  i.tensor.k = size();
  i.tensor.bits = in.u8();
  const unsigned from = in.u8();
  if (from > 1) in.fail("neither yes nor no");
  i.tensor.a_from_tensor_memory = from == 1;
}

}  // namespace

void write_record(Buffer& out, RecordState& state, const Instruction& i) {
  const std::uint64_t mask = i.active();
  const bool barrier = i.op_class == OpClass::barrier && (i.barrier != 0 || i.barrier_warps != 0 ||
                                                          i.barrier_part != trace::BarrierPart::both || i.of_cluster);
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
      out.push_back(
          static_cast<unsigned char>(static_cast<unsigned>(i.barrier_part) | (i.of_cluster ? of_cluster : 0U)));
    }
    if ((extras & has_scope) != 0) out.push_back(static_cast<unsigned char>(i.scope));
    if ((extras & has_pc) != 0) {
      put_step(out, state.pc, i.pc);
      state.pc = i.pc;
    }
  }
  if (i.is_access()) write_addresses(out, state, i);
  if (trace::uses_tensor_memory(i.op_class)) write_tensor(out, i);
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
  i.barrier_part = trace::BarrierPart::both;
  i.of_cluster = false;
  i.multicast = 0;
  i.compares = false;
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
    if (i.repeat != 1 && trace::uses_tensor_memory(i.op_class)) in.fail("an instruction that is not repeated");
    if ((extras & has_flops) != 0)
      i.flops = static_cast<std::uint32_t>(in.varint(0xFFFFFFFFU, "a number of operations"));
    if ((extras & has_cycle) != 0) state.cycle = in.step(state.cycle);
    if ((extras & has_barrier) != 0) {
      i.barrier = in.u8();
      i.barrier_warps = static_cast<std::uint16_t>(in.varint(0xFFFF, "a number of warps"));
      const unsigned part = in.u8();
      i.of_cluster = (part & of_cluster) != 0;
      if ((part & ~of_cluster) >
          static_cast<unsigned>(i.of_cluster ? trace::BarrierPart::wait : trace::BarrierPart::arrive))
        in.fail("no such part of a barrier");
      i.barrier_part = static_cast<trace::BarrierPart>(part & ~of_cluster);
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
  if (trace::uses_tensor_memory(i.op_class)) read_tensor(in, i);
  if (i.is_access() || i.not_before_cycle > latest_cycle)
    if (const std::string fault = fault_of(i); !fault.empty()) in.fail(fault);
}

}  // namespace strata::formats
