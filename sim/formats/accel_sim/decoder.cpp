// SPDX-License-Identifier: Apache-2.0
#include "formats/accel_sim/decoder.hpp"

#include <fmt/format.h>

#include <bit>

namespace strata::formats {

using trace::Instruction;
using trace::OpClass;

namespace {

/// Size of the windows of generic addresses that lead to shared and local memory.
constexpr std::uint64_t window = std::uint64_t{1} << 24U;
/// Local memory: bytes for each thread; the words of a warp's lanes are adjacent.
constexpr std::uint64_t local_bytes = std::uint64_t{1} << 14U;
constexpr std::uint64_t local_warps = std::uint64_t{1} << 16U;
constexpr unsigned most_bulk_addresses = 4096;

enum AddressForm : unsigned { list_all = 0, base_stride = 1, base_delta = 2, bulk_list = 3, bulk_delta = 4 };

std::uint8_t register_of(std::string_view word, const Words& words) {
  if (word.size() < 2 || word.front() != 'R') words.fail(fmt::format("'{}' is not a register", word.substr(0, 64)));
  const std::uint64_t n = words.number(word.substr(1), "a register", 255);
  return n == 255 ? std::uint8_t{0} : static_cast<std::uint8_t>(n + 1);
}
// Addresses neither fall below 0 nor pass the last one.
std::uint64_t next_address(std::uint64_t from, std::int64_t step, const Words& words) {
  const std::uint64_t to = from + static_cast<std::uint64_t>(step);
  if ((step >= 0) != (to >= from)) words.fail(fmt::format("0x{:x} and a step of {} are not an address", from, step));
  return to;
}
std::uint8_t fitting(std::uint8_t first, unsigned count) {
  return static_cast<std::uint8_t>(std::min(count, 256U - first));
}

}  // namespace

void AccelSimDecoder::decode(std::string_view line) {
  Words words(lines_, line);
  if (version < 3)
    for (unsigned k = 0; k < 4; ++k) words.number("the place of the warp");
  if (line_info) words.number("a line of the source");
  const std::uint64_t pc = words.number("a program counter", ~std::uint64_t{0}, 16);
  const std::uint64_t mask = words.number("a mask of 32 lanes", 0xFFFFFFFFU, 16);
  Instruction i;
  i.dependent = false;
  // AccelSimWriter writes no_pc where none is known.
  if (pc < trace::no_pc)
    i.pc = static_cast<std::uint32_t>(pc);
  else if (pc > trace::no_pc)
    report_.count("a program counter has more than 32 bits; it is taken as not known");
  i.lanes = static_cast<std::uint8_t>(std::popcount(mask));
  i.mask = mask == trace::first_lanes(i.lanes) ? 0 : mask;
  const std::uint64_t destinations = words.number("the number of destinations", 8);
  for (std::uint64_t k = 0; k < destinations; ++k) {
    const std::uint8_t number = register_of(words.need("a destination"), words);
    if (i.destination == 0) i.destination = number;
  }
  const std::string_view opcode = words.need("an opcode");
  const std::uint64_t sources = words.number("the number of sources", 16);
  for (std::uint64_t k = 0; k < sources; ++k) {
    const std::uint8_t number = register_of(words.need("a source"), words);
    if (k < trace::most_sources) i.sources[k] = number;
  }
  if (sources > trace::most_sources)
    report_.count(fmt::format("an instruction reads more than {} registers; it does not wait for the others",
                              trace::most_sources));
  const std::uint64_t width = words.number("a width of memory", 4096);
  const SassModifiers modifiers(opcode);
  const SassOpcode* row = find_sass(modifiers.name());
  if (row == nullptr) report_.unknown_opcode(modifiers.name());
  describe(i, row, modifiers, width);
  if (row != nullptr && row->space == SassSpace::bulk && width > 0) return bulk(i, words, width);
  if (width > trace::most_bytes_per_lane || !(width == 0 || std::has_single_bit(width)))
    words.fail(fmt::format("an access of {} bytes a lane; 1, 2, 4, 8, 16, 32 and 64 are possible", width));
  if (width > 0 && row == nullptr)
    report_.count(fmt::format("an instruction of the unknown opcode {} accesses memory; its traffic is ignored",
                              modifiers.name()));
  if (width == 0 && row != nullptr && row->op_class == OpClass::access)
    report_.count("an access has no addresses; it is timed as a branch");
  if (width > 0) addresses(i, words);
  end_of(words);
  require_valid(i);
  if (i.is_access()) place(i, row->space);
  require_valid(i);
  sink_.add(i);
  ++report_.instructions;
}

// One immediate, a decimal number, may follow all other words.
void AccelSimDecoder::end_of(Words& words) {
  if (const std::string_view immediate = words.next(); !immediate.empty())
    words.signed_number(immediate, "an immediate after the addresses, one address for each active lane");
  if (const std::string_view more = words.next(); !more.empty())
    words.fail(fmt::format("'{}' after the end of the instruction", more.substr(0, 64)));
}

void AccelSimDecoder::describe(Instruction& i, const SassOpcode* row, const SassModifiers& modifiers,
                               std::uint64_t width) const {
  i.op_class = row == nullptr ? unknown_sass_class : row->op_class;
  unsigned to = row == nullptr ? 1 : row->destination;
  const unsigned from = row == nullptr ? 1 : row->source;
  if (row != nullptr) {
    i.flops = row->flops;
    i.dependent = row->waits;
  }
  switch (i.op_class) {
    case OpClass::access: {
      // Without addresses it cannot be sent anywhere.
      if (width == 0) {
        i.op_class = OpClass::control;
        break;
      }
      const unsigned bytes = modifiers.name() == "LDSM" || modifiers.name() == "STSM" ? 16 : modifiers.bytes();
      i.operation = row->operation;
      i.compares = i.operation == memory::Operation::atomic && modifiers.has("CAS");
      i.bytes_per_lane = static_cast<std::uint8_t>(bytes);
      if (modifiers.has("STRONG") || modifiers.has("MMIO"))
        i.cache_operator = modifiers.has("SYS") ? memory::CacheOperator::cv : memory::CacheOperator::cg;
      to = std::max(1U, bytes / 4);
      // Addresses of 64 bits take two registers.
      if (modifiers.has("E") && i.sources[0] != 0) i.source_counts[0] = fitting(i.sources[0], 2);
      // The value is the last source of a store.
      if (i.operation == memory::Operation::store)
        for (unsigned s = trace::most_sources; s-- > 0;)
          if (i.sources[s] != 0) {
            i.source_counts[s] = fitting(i.sources[s], to);
            break;
          }
      break;
    }
    case OpClass::constant:
      to = std::max(1U, modifiers.bytes() / 4);
      break;
    case OpClass::barrier:
      if (modifiers.has("ARV")) i.barrier_part = trace::BarrierPart::arrive;
      break;
    case OpClass::fence:
      i.scope = modifiers.scope();
      break;
    case OpClass::multiply:
      if (modifiers.has("WIDE")) to = 2;
      break;
    case OpClass::tensor16:
    case OpClass::tensor8:
    case OpClass::tensor32:
    case OpClass::tensor64:
      if (i.op_class == OpClass::tensor16 && modifiers.has("TF32")) i.op_class = OpClass::tensor32;
      i.flops = static_cast<std::uint32_t>(2 * modifiers.tensor_products() / nvidia_warp_width);
      break;
    default:
      break;
  }
  i.destination_count = i.destination == 0 ? std::uint8_t{1} : fitting(i.destination, to);
  if (from > 1)
    for (unsigned s = 0; s < trace::most_sources; ++s)
      if (i.sources[s] != 0) i.source_counts[s] = fitting(i.sources[s], from);
}

// Every form that the tracer writes; each active lane has an address.
void AccelSimDecoder::addresses(Instruction& i, Words& words) {
  const std::uint64_t form = words.number("a form of addresses", 4);
  if (form == list_all) {
    for (unsigned lane = 0; lane < i.lanes; ++lane)
      i.addresses[lane] = words.number("an address", ~std::uint64_t{0}, 16);
  } else if (form == base_stride || form == base_delta) {
    const std::uint64_t base = words.number("a base address", ~std::uint64_t{0}, 16);
    const std::int64_t stride = form == base_stride ? words.signed_number(words.need("a stride"), "a stride") : 0;
    i.addresses[0] = base;
    for (unsigned lane = 1; lane < i.lanes; ++lane)
      i.addresses[lane] = next_address(
          i.addresses[lane - 1],
          form == base_stride ? stride
                              : words.signed_number(words.need("a step between addresses"), "a step between addresses"),
          words);
  } else {
    words.fail(fmt::format("addresses of form {}, which only bulk copies have", form));
  }
}

// Bulk copies: pieces of `width` bytes, up to 64 B of them by a lane.
void AccelSimDecoder::bulk(Instruction& i, Words& words, std::uint64_t width) {
  const std::uint64_t form = words.number("a form of addresses", 4);
  if (form != bulk_list && form != bulk_delta) words.fail("a bulk copy has addresses of form 3 or 4");
  std::uint64_t address = form == bulk_delta ? words.number("a base address", ~std::uint64_t{0}, 16) : 0;
  const std::uint64_t count = words.number("a number of addresses", most_bulk_addresses);
  i.op_class = OpClass::access;
  i.space = trace::Space::bulk;
  i.bytes_per_lane = static_cast<std::uint8_t>(std::min<std::uint64_t>(width, trace::most_bytes_per_lane));
  i.destination = 0;
  i.destination_count = 1;
  i.mask = 0;
  i.lanes = 0;
  const std::uint64_t parts = (width + i.bytes_per_lane - 1) / i.bytes_per_lane;
  for (std::uint64_t k = 0; k < count; ++k) {
    if (form == bulk_list)
      address = words.number("an address", ~std::uint64_t{0}, 16);
    else if (k > 0)
      address = next_address(
          address, words.signed_number(words.need("a step between addresses"), "a step between addresses"), words);
    if (width - 1 > ~address)
      words.fail(fmt::format("a copy of {} bytes at 0x{:x} reaches beyond the last address", width, address));
    for (std::uint64_t part = 0; part < parts; ++part) {
      i.addresses[i.lanes++] = address + part * i.bytes_per_lane;
      if (i.lanes == nvidia_warp_width) add(i);
    }
  }
  if (i.lanes > 0) add(i);
  end_of(words);
}
void AccelSimDecoder::add(Instruction& i) {
  sink_.add(i);
  ++report_.instructions;
  i.lanes = 0;
}

// From the addresses that the program sees to those of a space.
void AccelSimDecoder::place(Instruction& i, SassSpace space) const {
  if (space == SassSpace::generic && i.lanes > 0) {
    const std::uint64_t first = i.addresses[0];
    if (shared_base != 0 && first - shared_base < window)
      space = SassSpace::shared;
    else if (local_base != 0 && first - local_base < window)
      space = SassSpace::local;
  }
  if (space == SassSpace::shared) {
    i.space = trace::Space::shared;
    for (unsigned k = 0; k < i.lanes; ++k)
      if (shared_base != 0 && i.addresses[k] >= shared_base) i.addresses[k] -= shared_base;
  }
  if (space != SassSpace::local) return;
  const std::uint64_t region = warp % local_warps;
  std::uint64_t left = i.active();
  for (unsigned k = 0; k < i.lanes; ++k, left &= left - 1) {
    const auto lane = static_cast<std::uint64_t>(std::countr_zero(left));
    const std::uint64_t at = (i.addresses[k] - (i.addresses[k] >= local_base ? local_base : 0)) % local_bytes;
    i.addresses[k] =
        local_base + region * local_bytes * nvidia_warp_width + at / 4 * 4 * nvidia_warp_width + lane * 4 + at % 4;
  }
}

}  // namespace strata::formats
