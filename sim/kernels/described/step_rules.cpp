// SPDX-License-Identifier: Apache-2.0
#include "kernels/described/step_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::kernels {

using config::Value;

void check_step(const Value& item, const DescribedStep& given, const std::string& path, std::size_t open, Varies around,
                const Scope& scope) {
  const auto refuse_at = [&](const char* key, const std::string& what, const std::string& hint) {
    const Value* value = item.find(key);
    throw InputError(
        (value != nullptr ? value->where : item.where).diagnostic(fmt::format("'{}.{}' {}", path, key, what), hint));
  };
  const bool access = is_access(given.op);
  if (access != given.array.has_value())
    refuse_at("op", "must have an array if and only if it is an access",
              access ? "add 'array: NAME'" : "remove the array");
  if (access && given.count != 1)
    refuse_at("count", "is for arithmetic; an access is a single instruction",
              "repeat it with a loop: {loop: k, to: COUNT, body: [...]}");
  if (!access && given.index) refuse_at("index", "is for accesses", "remove it");
  if (given.index)
    for (const char* other : {"pattern", "stride", "seed", "run", "offset"})
      if (item.find(other) != nullptr) refuse_at(other, "cannot be combined with an index", "remove one of them");
  const auto only_with = [&](const char* key, Pattern pattern, const char* name) {
    if (item.find(key) != nullptr && given.pattern != pattern)
      refuse_at(key, fmt::format("is read with 'pattern: {}' alone", name),
                fmt::format("add 'pattern: {}', or remove it", name));
  };
  only_with("stride", Pattern::stride, "stride");
  for (const char* key : {"seed", "run"}) only_with(key, Pattern::random, "random");
  if (access && !given.index && open > 0)
    refuse_at("op", "is an access in a loop and needs an index", "patterns only depend on iterations of the body");
  const bool product = given.op == trace::name(trace::OpClass::tensor_product);
  for (const char* key : {"m", "n", "k", "bits"})
    if (!product && item.find(key) != nullptr) refuse_at(key, "is for tensor_product", "remove it");
  if (product && (given.count != 1 || given.from.size() > 1))
    refuse_at(given.count != 1 ? "count" : "from",
              "is too much: a tensor_product is issued once and reads one register",
              "repeat it with a loop: {loop: k, to: COUNT, body: [...]}");
  const std::size_t reads = given.op == "load" ? 1 : 2;
  if (access && given.from.size() > reads)
    refuse_at("from",
              fmt::format("names {} registers; a {} reads {}", given.from.size(), given.op,
                          reads == 1 ? "one at most, its address" : "two at most, its value and its address"),
              "let an operation of class integer read the others and write the address");
  if (given.op != "barrier") return;
  const Varies differs = given.when ? std::max(around, Expression(*item.find("when"), scope).varies()) : around;
  if (differs >= Varies::by_warp)
    refuse_at("op", "is a barrier that not all threads of a block reach",
              "take it out of loops and conditions on thread, lane and warp");
}

}  // namespace strata::kernels
