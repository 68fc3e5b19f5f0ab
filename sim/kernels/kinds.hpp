// SPDX-License-Identifier: Apache-2.0
// The groups of built-in kernels; each is a table in a file of its own. A row
// is made from a parameter struct with a schema() and a build() that turns the
// parameters into a kernel.
#pragma once
#include <span>

#include "kernels/catalogue.hpp"
#include "kernels/parameters.hpp"

namespace strata::kernels {

std::span<const KernelKind> streaming_kinds();      ///< STREAM: arrays read and written in order
std::span<const KernelKind> array_pass_kinds();     ///< vector addition, repeated copies, reduction
std::span<const KernelKind> irregular_kinds();      ///< chase, gather, scatter, sparse
std::span<const KernelKind> atomic_kinds();         ///< atomics, shared memory
std::span<const KernelKind> sharing_kinds();        ///< words that blocks share
std::span<const KernelKind> synchronizing_kinds();  ///< locks, barriers, queues
std::span<const KernelKind> transpose_kinds();      ///< of a matrix
std::span<const KernelKind> product_kinds();        ///< of matrices
std::span<const KernelKind> tensor_kinds();         ///< of matrices, on tensor units
std::span<const KernelKind> grid_kinds();           ///< stencils, lattice Boltzmann, gravity
std::span<const KernelKind> arithmetic_kinds();     ///< next to no memory

/// Parameters: schema() and `std::unique_ptr<trace::Kernel> build(const Target&) const`.
template <class Parameters>
constexpr KernelKind kind(std::string_view name, std::string_view meaning, std::string_view streams) {
  return {name, meaning, streams, [] { return Parameters::schema().info(); },
          [](const std::vector<std::string>& settings, const Target& target) {
            return read_parameters<Parameters>(settings).build(target);
          }};
}

}  // namespace strata::kernels
