// SPDX-License-Identifier: Apache-2.0
// Memory interleaved over all dies, so that every core has the same mean way to
// its data (AMD: NPS1), or each die's memory one piece of the address space, so
// that work can be placed beside its data (NPS4). A piece begins at a multiple
// of a power of two, as high address bits select the die; where the memory of a
// die is no power of two, addresses are left out between pieces.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// Whether each die has a piece of the address space.
bool has_domains(const MachineSpec& spec);

/// Of one memory die: all have as much.
Bytes memory_of_die(const MachineSpec& spec);

/// From the beginning of one die's memory to that of the next, in bytes;
/// 0 where memory is interleaved.
std::uint64_t domain_bytes(const MachineSpec& spec);

/// The bits that select a block's home die: those of the configuration, or the
/// highest bits of the address.
std::vector<fabric::HomeBitSpec> home_bits(const MachineSpec& spec);
/// The settings that give them.
std::vector<const char*> home_settings(const MachineSpec& spec);

/// What addresses count up to, in bytes; more than the memory where addresses
/// are left out.
Bytes address_space(const MachineSpec& spec);

}  // namespace strata::machine
