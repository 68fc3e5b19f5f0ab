// SPDX-License-Identifier: Apache-2.0
// A kernel that a user describes in a few lines of YAML: parameters, arrays, and a body
// of steps and loops that every thread executes. Registers have names; a step waits for
// those it reads. An access says which element it touches by a pattern, or by an
// expression over block, thread, lane, loop counters and parameters. Every number of the
// file may be an expression of the parameters. docs/guide/own-kernel.md has examples and
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
  bool shared = false;                      ///< in shared memory, each block its own
  std::optional<std::uint32_t> memory_die;  ///< in which its pages are to lie
  static config::Schema<DescribedArray> schema();
};

struct DescribedStep {
  std::string op;
  std::optional<std::string> array;
  std::uint64_t width = 4;
  std::optional<std::string> index;  ///< an expression: the element that a thread accesses
  std::optional<std::string> when;   ///< an expression: threads for which it is 0 take no part
  Pattern pattern = Pattern::stream;
  Bytes stride{128};
  std::uint64_t seed = 1;
  std::uint64_t run = 1;    ///< adjacent elements of a random thread
  std::int64_t offset = 0;  ///< elements, added to what the pattern says
  std::uint64_t count = 1;
  std::uint64_t flops = 0;
  std::optional<std::string> to;
  std::vector<std::string> from;
  bool past_l1 = false;
  std::uint64_t m = 128, n = 128, k = 16, bits = 16;  ///< of a product
  static config::Schema<DescribedStep> schema();
};

struct DescribedLoop {
  std::string loop;  ///< name of its counter
  std::string from = "0";
  std::string to;  ///< the first value that the counter does not reach
  std::string step = "1";
  std::optional<std::string> when;
  std::vector<config::Value> body;
  static config::Schema<DescribedLoop> schema();
};

struct DescribedParameter {
  std::string value;  ///< an expression of the parameters before it, as are the others
  std::optional<std::string> least;
  std::optional<std::string> most;
  std::string meaning = "parameter of the file";
  static config::Schema<DescribedParameter> schema();
};

struct DescribedKernel {
  std::string name;
  config::Value parameters;
  config::Value define;
  std::uint64_t blocks = 1;
  std::uint64_t blocks_y = 1;
  std::uint64_t threads = 256;
  std::uint64_t threads_y = 1;
  std::uint64_t registers = 32;
  std::uint64_t tensor_columns = 0;
  std::uint64_t loop = 1;
  std::uint64_t code_bytes = 0;  ///< of a step; 0: where instructions lie is not known
  std::vector<DescribedArray> arrays;
  std::vector<config::Value> body;
  static config::Schema<DescribedKernel> schema();
};

/// settings: `name=value` each, of the file's parameters. Throws InputError with every
/// error, each with its place. An index outside its array is found when it is reached:
/// WarpStream::next then throws InputError.
std::unique_ptr<trace::Kernel> read_kernel(const config::Source& source, const Target& target,
                                           const std::vector<std::string>& settings = {});

/// The parameters of such a file: name, meaning, range, default. Throws InputError where
/// one of them or of the settings is wrong; the rest of the file is not looked at.
std::shared_ptr<const config::SchemaInfo> read_parameters_of(const config::Source& source,
                                                             const std::vector<std::string>& settings = {});

}  // namespace strata::kernels
