// SPDX-License-Identifier: Apache-2.0
// The built-in kernels by name, one line of a table each, with their parameters
// described once: from that description come parsing, units, ranges, errors and
// the reference page. Their address streams are described in
// docs/reference/kernels.md.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema/info.hpp"
#include "trace/kernel.hpp"

namespace strata::kernels {

/// What a kernel must know of the machine that runs it.
struct Target {
  std::uint32_t warp_width = 32;
  std::uint32_t cores = 1;
  bool tensor_memory = false;  ///< its cores have Tensor Memory
};

struct KernelKind {
  std::string_view name;
  std::string_view meaning;
  /// The exact addresses of a thread, in Markdown. Notation: bx, by, bz block
  /// index, tx, ty thread index, G blocks, B threads of a block.
  std::string_view streams;
  std::shared_ptr<const config::SchemaInfo> (*parameters)();
  /// settings: `name=value` each. Throws InputError.
  std::unique_ptr<trace::Kernel> (*make)(const std::vector<std::string>& settings, const Target& target);
};

/// Every kernel, in the order of the reference.
std::span<const KernelKind> kernel_kinds();
/// nullptr when there is none of that name.
const KernelKind* find_kernel(std::string_view name);

/// `NAME[,param=value...]`. Throws InputError with the nearest name.
std::unique_ptr<trace::Kernel> make_kernel(std::string_view text, const Target& target);

/// Each kernel's addresses and its parameters with meaning, range and default, in Markdown.
std::string reference_page();

}  // namespace strata::kernels
