// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/built_in_names.hpp"

#include <array>

#include "kernels/described/program.hpp"

namespace strata::kernels {

namespace {

struct BuiltInVariable {
  const char* name;
  Slot slot;
  Varies varies;
};
constexpr std::array built_in_variables = {BuiltInVariable{"block", Slot::block, Varies::by_block},
                                           BuiltInVariable{"block_x", Slot::block_x, Varies::by_block},
                                           BuiltInVariable{"block_y", Slot::block_y, Varies::by_block},
                                           BuiltInVariable{"thread", Slot::thread, Varies::by_lane},
                                           BuiltInVariable{"thread_x", Slot::thread_x, Varies::by_lane},
                                           BuiltInVariable{"thread_y", Slot::thread_y, Varies::by_lane},
                                           BuiltInVariable{"lane", Slot::lane, Varies::by_lane},
                                           BuiltInVariable{"warp", Slot::warp, Varies::by_warp},
                                           BuiltInVariable{"iteration", Slot::iteration, Varies::by_block}};

}  // namespace

Scope built_in_names(const Target& target) {
  Scope scope;
  for (const BuiltInVariable& row : built_in_variables) scope.add_variable(row.name, {row.slot, row.varies});
  scope.add_constant("warp_width", target.warp_width);
  return scope;
}

Scope reserved_names() {
  Scope scope = built_in_names({});
  for (const char* known_later : {"blocks", "threads"}) scope.add_constant(known_later, 1);
  return scope;
}

}  // namespace strata::kernels
