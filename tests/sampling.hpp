// SPDX-License-Identifier: Apache-2.0
// For properties that are tested on a sample of all machines: the size of the sample, and the
// machines.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/load.hpp"
#include "files/library.hpp"
#include "machine/spec.hpp"

namespace strata::test {

/// A number of the environment, such as STRATA_SEED or STRATA_CASES, or else the standard one.
inline std::uint64_t asked(const char* name, std::uint64_t standard) {
  const char* const text = std::getenv(name);
  return text == nullptr ? standard : std::strtoull(text, nullptr, 10);
}

/// A GPU of the configurations of the repository.
inline machine::MachineSpec spec_of(const std::string& gpu) {
  const tools::Library library(STRATA_SOURCE_DIR);
  return config::load<machine::MachineSpec>(library.gpu(gpu), library.configurations()).spec;
}

}  // namespace strata::test
