// SPDX-License-Identifier: Apache-2.0
// Kernels on square matrices of 4 B elements, row-major, by tiles of 32 x 32.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

inline constexpr std::uint64_t tile = 32;

struct MatrixKernel;

struct Matrices {
  std::uint64_t n = 1024;
  std::array<std::uint64_t, 3> arrays{};

  static config::Schema<Matrices> fields(const char* name) {
    return config::Schema<Matrices>(name, "square matrices of 4 B elements, row-major")
        .optional("n", &Matrices::n, "rows and columns, a multiple of 32", config::range(32, 1 << 20))
        .check("n",
               [](const Matrices& m) { return m.n % tile == 0 ? "" : "must be a multiple of 32, the edge of a tile"; });
  }
  std::unique_ptr<trace::Kernel> build_as(const MatrixKernel& kernel, const Target& target) const;
};

/// A kernel of Matrices.
struct MatrixKernel {
  const char* name;
  unsigned matrices;
  trace::Dimensions block;
  std::uint32_t shared;
  Program (*program)(Warp&, const Matrices&);
};

inline std::unique_ptr<trace::Kernel> Matrices::build_as(const MatrixKernel& kernel, const Target& target) const {
  Matrices run = *this;
  Arrays memory;
  for (unsigned a = 0; a < kernel.matrices; ++a) run.arrays[a] = memory.allocate(n * n * word);
  const auto tiles = static_cast<std::uint32_t>(n / tile);
  trace::KernelInfo info{kernel.name, {tiles, tiles, 1}, kernel.block, 32, kernel.shared, target.warp_width};
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<Matrices>>(info, run, kernel.program);
}

/// A row of the table of kernels.
template <const MatrixKernel& kernel>
constexpr KernelKind matrix_kind(std::string_view meaning, std::string_view streams) {
  return {kernel.name, meaning, streams, [] { return Matrices::fields(kernel.name).info(); },
          [](const std::vector<std::string>& settings, const Target& target) {
            return read_parameters(settings, Matrices::fields(kernel.name)).build_as(kernel, target);
          }};
}

}  // namespace strata::kernels
