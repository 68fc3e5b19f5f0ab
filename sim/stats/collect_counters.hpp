// SPDX-License-Identifier: Apache-2.0
// Reports every Counter that is a member of a struct, in order of declaration. Other members are left to the block.
#pragma once
#include <boost/pfr/core.hpp>

#include "stats/collector.hpp"
#include "stats/counter.hpp"

namespace strata::stats {

template <Text Name, Text Unit, Text Meaning>
void collect_member(Collector& collector, const Counter<Name, Unit, Meaning>& counter) {
  collector.count(counter.name, counter.unit, counter.meaning, counter);
}
template <class Other>
void collect_member(Collector&, const Other&) {}

/// counters: an aggregate without bases or arrays.
template <class Counters>
void collect_counters(Collector& collector, const Counters& counters) {
  boost::pfr::for_each_field(counters, [&](const auto& member) { collect_member(collector, member); });
}

}  // namespace strata::stats
