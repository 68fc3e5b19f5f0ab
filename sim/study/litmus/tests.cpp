// SPDX-License-Identifier: Apache-2.0
// The tests by name. Two of each thread's operations have a place for a fence between them.
#include <array>

#include "study/litmus/litmus.hpp"

namespace strata::study {

namespace {

using Kind = LitmusOperation::Kind;
constexpr std::uint32_t x = 0, y = 1;

constexpr LitmusOperation load(std::uint32_t variable) { return {Kind::load, variable, 0}; }
constexpr LitmusOperation store(std::uint32_t variable, std::uint64_t value = 1) {
  return {Kind::store, variable, value};
}
constexpr LitmusOperation fence{Kind::fence, 0, 0};

}  // namespace

std::span<const LitmusTest> litmus_tests() {
  static const std::array<LitmusTest, 7> tests{{
      {"mp",
       "message passing: data, then a flag; the flag is seen, the data are not",
       {{store(x), fence, store(y)}, {load(y), fence, load(x)}},
       2,
       {1, 0}},
      {"sb",
       "store buffering: each thread stores, and does not see the other's store",
       {{store(x), fence, load(y)}, {store(y), fence, load(x)}},
       2,
       {0, 0}},
      {"lb",
       "load buffering: each thread sees what the other stores after its load",
       {{load(x), fence, store(y)}, {load(y), fence, store(x)}},
       2,
       {1, 1}},
      {"wrc",
       "write to read causality: a store is seen by a second thread, whose own is seen by a third, the first is not",
       {{store(x)}, {load(x), fence, store(y)}, {load(y), fence, load(x)}},
       2,
       {1, 1, 0}},
      {"iriw",
       "independent reads of independent writes: two threads see two stores in opposite order",
       {{store(x)}, {store(y)}, {load(x), fence, load(y)}, {load(y), fence, load(x)}},
       2,
       {1, 0, 1, 0}},
      {"corr",
       "coherence, read then read: a later load of one location sees an earlier value",
       {{store(x)}, {load(x), fence, load(x)}},
       1,
       {1, 0}},
      {"cowr",
       "coherence, write then read: a load does not see the store before it in its own thread",
       {{store(x), fence, load(x)}},
       1,
       {0}},
  }};
  return tests;
}

std::string_view name_of(LitmusPlacement placement) {
  switch (placement) {
    case LitmusPlacement::one_core:
      return "one core";
    case LitmusPlacement::one_die:
      return "one die";
    case LitmusPlacement::two_dies:
      return "two dies";
  }
  return "";
}

}  // namespace strata::study
