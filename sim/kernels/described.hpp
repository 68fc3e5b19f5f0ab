// SPDX-License-Identifier: Apache-2.0
// A kernel that a user describes in a few lines of YAML: arrays, and a body of
// steps that every thread goes through a number of times. Registers have names;
// a step waits for those it reads. docs/guide/own-kernel.md has an example and
// the address of each pattern.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "kernels/catalogue.hpp"

namespace strata::kernels {

enum class Pattern : std::uint8_t { stream, blocked, stride, random, same };

struct DescribedArray {
  std::string name;
  Bytes size;
  bool shared = false;  ///< in shared memory, each block its own
  static config::Schema<DescribedArray> schema();
};

struct DescribedStep {
  std::string op;
  std::optional<std::string> array;
  std::uint64_t width = 4;
  Pattern pattern = Pattern::stream;
  Bytes stride{128};
  std::uint64_t seed = 1;
  std::uint64_t run = 1;  ///< elements that random threads find side by side
  std::int64_t offset = 0;  ///< elements, added to what the pattern says
  std::uint64_t count = 1;
  std::uint64_t flops = 0;
  std::optional<std::string> to;
  std::vector<std::string> from;
  bool past_l1 = false;
  static config::Schema<DescribedStep> schema();
};

struct DescribedKernel {
  std::string name;
  std::uint64_t blocks = 1;
  std::uint64_t threads = 256;
  std::uint64_t registers = 32;
  std::uint64_t loop = 1;
  std::vector<DescribedArray> arrays;
  std::vector<DescribedStep> body;
  static config::Schema<DescribedKernel> schema();
};

/// Throws InputError with every error, each with its place in the file.
std::unique_ptr<trace::Kernel> read_kernel(const config::Source& source, const Target& target);

}  // namespace strata::kernels
