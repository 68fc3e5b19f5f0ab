// SPDX-License-Identifier: Apache-2.0
#include "formats/accel_sim/writer.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

#include "formats/native/record.hpp"

namespace strata::formats {

using trace::Instruction;
using trace::OpClass;

namespace {

struct Spelling {
  OpClass op_class;
  std::uint32_t flops;
  unsigned destination;  ///< registers of the result; 0: any
  const char* opcode;
};
// The first that fits is used; the last of a class is the fallback.
constexpr std::array spellings{
    Spelling{OpClass::fp32, 0, 0, "FMNMX"},
    Spelling{OpClass::fp32, 1, 0, "FADD"},
    Spelling{OpClass::fp32, 2, 0, "FFMA"},
    Spelling{OpClass::fp16, 0, 0, "HMNMX2"},
    Spelling{OpClass::fp16, 2, 0, "HADD2"},
    Spelling{OpClass::fp16, 4, 0, "HFMA2"},
    Spelling{OpClass::fp64, 0, 0, "DMNMX"},
    Spelling{OpClass::fp64, 1, 0, "DADD"},
    Spelling{OpClass::fp64, 2, 0, "DFMA"},
    Spelling{OpClass::integer, 0, 0, "IADD3"},
    Spelling{OpClass::multiply, 0, 2, "IMAD.WIDE"},
    Spelling{OpClass::multiply, 0, 0, "IMAD"},
    Spelling{OpClass::special, 0, 0, "MUFU.RCP"},
    Spelling{OpClass::convert, 0, 0, "F2F"},
    Spelling{OpClass::uniform, 0, 0, "UMOV"},
    Spelling{OpClass::shuffle, 0, 0, "SHFL.IDX"},
    Spelling{OpClass::vote, 0, 0, "VOTE.ANY"},
    Spelling{OpClass::constant, 0, 2, "LDC.64"},
    Spelling{OpClass::constant, 0, 0, "LDC"},
    Spelling{OpClass::system, 0, 0, "S2R"},
    Spelling{OpClass::exit, 0, 0, "EXIT"},
    Spelling{OpClass::tensor16, 128, 0, "HMMA.16816.F32"},
    Spelling{OpClass::tensor16, 64, 0, "HMMA.1688.F32"},
    Spelling{OpClass::tensor8, 256, 0, "IMMA.16832.S8.S8"},
    Spelling{OpClass::tensor32, 64, 0, "HMMA.1688.F32.TF32"},
    Spelling{OpClass::tensor64, 16, 0, "DMMA.884"},
};

[[noreturn]] void refuse(const char* what) {
  throw std::invalid_argument(fmt::format("{} cannot be written in Accel-Sim's form; .strace and .txt hold it", what));
}

std::string access_opcode(const Instruction& i) {
  if (i.space != trace::Space::global && i.space != trace::Space::shared)
    refuse("a space other than global and shared");
  const bool global = i.space == trace::Space::global;
  std::string opcode;
  switch (i.operation) {
    case memory::Operation::load:
      opcode = global ? "LDG.E" : "LDS";
      break;
    case memory::Operation::store:
      opcode = global ? "STG.E" : "STS";
      break;
    default:
      opcode = !global ? "ATOMS" : i.compares || i.destination != 0 ? "ATOMG.E" : "RED.E";
      opcode += i.compares ? ".CAS" : ".ADD";
  }
  switch (i.bytes_per_lane) {
    case 1:
      opcode += ".U8";
      break;
    case 2:
      opcode += ".U16";
      break;
    case 4:
      break;
    case 8:
      opcode += ".64";
      break;
    case 16:
      opcode += ".128";
      break;
    default:
      refuse("an access of other than 1, 2, 4, 8 or 16 bytes per lane");
  }
  switch (i.cache_operator) {
    case memory::CacheOperator::ca:
      break;
    case memory::CacheOperator::cg:
      return opcode + ".STRONG.GPU";
    case memory::CacheOperator::cv:
      return opcode + ".STRONG.SYS";
  }
  return opcode;
}

std::string opcode_of(const Instruction& i) {
  constexpr std::array scopes{".CTA", ".GPU", ".SYS"};
  switch (i.op_class) {
    case OpClass::access:
      return access_opcode(i);
    case OpClass::barrier:
      return i.barrier_part == trace::BarrierPart::arrive ? "BAR.ARV" : "BAR.SYNC";
    case OpClass::fence:
      return std::string("MEMBAR.SC") + scopes[static_cast<std::size_t>(i.scope)];
    case OpClass::control:
      return i.dependent ? "DEPBAR.LE" : "BRA";
    default:
      break;
  }
  for (const Spelling& s : spellings)
    if (s.op_class == i.op_class && s.flops == i.flops && (s.destination == 0 || s.destination == i.destination_count))
      return s.opcode;
  refuse("a number of operations of a tensor or arithmetic instruction");
}

std::string addresses_of(const Instruction& i) {
  if (i.lanes == 0) return fmt::format(" {} 1 0x0 0", i.bytes_per_lane);
  const std::uint64_t run = i.active() >> static_cast<unsigned>(std::countr_zero(i.active()));
  std::string text = fmt::format(" {}", i.bytes_per_lane);
  // Readers of this form accept a stride only if the active lanes have no gap.
  if (i.strided && (run & (run + 1)) == 0 && i.lane_stride <= 0x7FFFFFFFU)
    return text + fmt::format(" 1 0x{:x} {}", i.addresses[0], i.lanes > 1 ? i.lane_stride : 0);
  text += " 0";
  for (unsigned lane = 0; lane < i.lanes; ++lane) text += fmt::format(" 0x{:x}", i.address(lane));
  return text;
}

}  // namespace

void AccelSimWriter::put(const std::string& text) {
  sink_.write({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

void AccelSimWriter::begin_kernel(const trace::KernelInfo& info) {
  if (begun_) refuse("a second kernel of a file");
  if (info.warp_width != 32) refuse("a warp of other than 32 lanes");
  if (info.cluster != 1) refuse("a cluster of blocks");
  begun_ = true;
  info_ = info;
  put(
      fmt::format("-kernel name = {}\n-kernel id = 1\n-grid dim = ({},{},{})\n-block dim = "
                  "({},{},{})\n-shmem = {}\n-nregs = {}\n"
                  "-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x0\n-local mem "
                  "base_addr = 0x0\n"
                  "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
                  "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
                  "[reg_srcs] mem_width "
                  "[adrrescompress?] [mem_addresses] immediate\n\n",
                  info.name, info.grid.x, info.grid.y, info.grid.z, info.block.x, info.block.y, info.block.z,
                  info.shared_bytes, info.registers_per_thread));
}

void AccelSimWriter::begin_block(std::uint64_t number) {
  const trace::Dimensions place = info_.grid.place(number);
  put(fmt::format("#BEGIN_TB\n\nthread block = {},{},{}\n", place.x, place.y, place.z));
}

void AccelSimWriter::begin_warp(std::uint32_t warp) {
  end_warp();
  in_warp_ = true;
  warp_ = warp;
}

void AccelSimWriter::end_warp() {
  if (in_warp_ && lines_ > 0) put(fmt::format("\nwarp = {}\ninsts = {}\n{}", warp_, lines_, text_));
  in_warp_ = false;
  lines_ = 0;
  text_.clear();
}

void AccelSimWriter::end_block() {
  end_warp();
  put("\n#END_TB\n\n");
}

void AccelSimWriter::add(const Instruction& instruction) {
  const Instruction i = canonical(instruction);
  if (i.barrier != 0 || i.barrier_warps != 0) refuse("a numbered barrier");
  if (i.of_cluster) refuse("a barrier of a cluster");
  if (i.not_before_cycle != 0) refuse("a cycle");
  if (i.dependent && i.op_class != OpClass::control) refuse("an instruction that waits for all loads");
  const std::string opcode = opcode_of(i);
  // Of repeated instructions that do not wait for each other only the last has a result.
  for (unsigned k = 0; k < i.repeat; ++k) {
    text_ += fmt::format("{:04x} {:08x}", i.pc, i.active());
    if (i.destination == 0)
      text_ += " 0";
    else
      text_ += fmt::format(" 1 R{}", k + 1 < i.repeat ? 255 : i.destination - 1);
    unsigned sources = trace::most_sources;
    while (sources > 0 && i.sources[sources - 1] == 0) --sources;
    text_ += fmt::format(" {} {}", opcode, sources);
    for (unsigned s = 0; s < sources; ++s) text_ += fmt::format(" R{}", i.sources[s] == 0 ? 255 : i.sources[s] - 1);
    text_ += (i.is_access() ? addresses_of(i) : " 0") + " 0\n";
    ++lines_;
  }
}

}  // namespace strata::formats
