// SPDX-License-Identifier: Apache-2.0
// Where the code of kernels lies. Each kernel, by its name, has 2 MiB of its own at the upper end of memory, the first
// one last, so that data reach them only where they fill the memory. Of so many kernels that they would take more than
// a quarter of it, later ones share the places of earlier ones; a program counter beyond the place of its kernel
// starts again at its beginning.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "machine/spec.hpp"

namespace strata::machine {

class CodeMemory {
 public:
  explicit CodeMemory(const MachineSpec& spec);

  /// This kernel runs from now on.
  void run(const std::string& kernel);
  /// Of its code, by the offset of the block in it; virtual and in blocks of 128 B.
  std::uint64_t block(std::uint64_t offset) const { return first_ + (offset & (blocks_of_kernel_ - 1)); }

 private:
  std::uint64_t end_;               ///< in blocks, as all here
  std::uint64_t blocks_of_kernel_;  ///< a power of two
  std::uint64_t most_;              ///< kernels
  std::uint64_t first_;
  std::map<std::string, std::uint64_t> places_;
};

}  // namespace strata::machine
