// SPDX-License-Identifier: Apache-2.0
// From a kernel to the text form of a trace.
#include <fmt/format.h>

#include <array>

#include "formats/native/record.hpp"
#include "formats/native/record_lanes.hpp"
#include "formats/text/text.hpp"
#include "formats/text/words.hpp"

namespace strata::formats {

using trace::Instruction;

namespace {

template <class Enumeration, std::size_t count>
std::string_view called(const std::array<std::string_view, count>& names, Enumeration value) {
  return names[static_cast<std::size_t>(value)];
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + '"';
}

void put_register(std::string& out, char letter, unsigned number, unsigned count) {
  out += fmt::format(" {}{}", letter, number);
  if (count != 1) out += fmt::format(":{}", count);
}

}  // namespace

TextWriter::TextWriter(ByteSink& sink) : sink_(sink) { put(std::string(first_line) + "\n"); }

void TextWriter::put(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() > (1U << 16U)) flush();
}
void TextWriter::flush() {
  sink_.write({reinterpret_cast<const unsigned char*>(buffer_.data()), buffer_.size()});
  buffer_.clear();
}

void TextWriter::begin_kernel(const trace::KernelInfo& info) {
  all_lanes_ = trace::first_lanes(info.warp_width);
  put(fmt::format("kernel {} grid {} {} {} block {} {} {} registers {} shared {} warp_width {}{}\n", quoted(info.name),
                  info.grid.x, info.grid.y, info.grid.z, info.block.x, info.block.y, info.block.z,
                  info.registers_per_thread, info.shared_bytes, info.warp_width,
                  info.cluster == 1 ? "" : fmt::format(" cluster {}", info.cluster)));
}
void TextWriter::begin_block(std::uint64_t number) { put(fmt::format("block {}\n", number)); }
void TextWriter::begin_warp(std::uint32_t warp) { put(fmt::format("warp {}\n", warp)); }
void TextWriter::end_block() {}
void TextWriter::end_kernel() {}
void TextWriter::finish() {
  put("end\n");
  flush();
}

void TextWriter::add(const Instruction& instruction) {
  const Instruction i = canonical(instruction);
  std::string out = "  ";
  if (i.is_access()) {
    out += fmt::format("{} {} {} {}", operations[operation_number(i)], called(trace::spaces, i.space),
                       called(operators, i.cache_operator), i.bytes_per_lane);
  } else {
    out += trace::name(i.op_class);
  }
  if (i.destination != 0) put_register(out, 'd', i.destination, i.destination_count);
  unsigned sources = trace::most_sources;
  while (sources > 0 && i.sources[sources - 1] == 0) --sources;
  for (unsigned s = 0; s < sources; ++s) put_register(out, 's', i.sources[s], i.source_counts[s]);
  if (i.active() != all_lanes_) out += fmt::format(" mask=0x{:x}", i.active());
  if (i.dependent) out += " dependent";
  if (i.repeat != 1) out += fmt::format(" repeat={}", i.repeat);
  if (i.flops != 0) out += fmt::format(" flops={}", i.flops);
  if (i.pc != trace::no_pc) out += fmt::format(" pc=0x{:x}", i.pc);
  if (i.not_before_cycle != 0) out += fmt::format(" cycle={}", i.not_before_cycle);
  if (i.barrier != 0) out += fmt::format(" number={}", i.barrier);
  if (i.barrier_warps != 0) out += fmt::format(" warps={}", i.barrier_warps);
  if (i.barrier_part != trace::BarrierPart::both)
    out += i.barrier_part == trace::BarrierPart::arrive ? " arrive" : " wait";
  if (i.of_cluster) out += " cluster";
  if (i.multicast != 0) out += fmt::format(" multicast=0x{:x}", i.multicast);
  if (i.scope != trace::Scope::block) out += fmt::format(" scope={}", called(trace::scopes, i.scope));
  if (i.op_class == trace::OpClass::tensor_product)
    out += fmt::format(" m={} n={} k={} bits={}{}", i.tensor.m, i.tensor.n, i.tensor.k, i.tensor.bits,
                       i.tensor.a_from_tensor_memory ? " a_from_tensor" : "");
  else if (trace::uses_tensor_memory(i.op_class))
    out += fmt::format(" columns={}", i.tensor.columns);
  if (i.is_access() && i.lanes > 0) {
    out += fmt::format(" @0x{:x}", i.addresses[0]);
    if (i.strided && i.lanes > 1) out += fmt::format("+{}", i.lane_stride);
    for (unsigned lane = 1; !i.strided && lane < i.lanes; ++lane) out += fmt::format(",0x{:x}", i.addresses[lane]);
  }
  put(out + "\n");
}

}  // namespace strata::formats
