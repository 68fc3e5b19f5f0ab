// SPDX-License-Identifier: Apache-2.0
// The shape of an expectation file, as its text binds: what expectation.cpp
// reads before it looks whether the parts of an entry belong together.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/schema/schema.hpp"
#include "study/expectation/expectation.hpp"

namespace strata::study::written {

/// `measure:`, and a side of an ordering.
struct Measure : study::Measure {
  std::optional<std::string> in_unit;
};

struct Entry {
  std::string id;
  std::string quantity;
  Kind kind = Kind::predicted;
  std::string source;
  std::string why;
  std::optional<Measure> measure;
  std::optional<std::string> unit;
  std::optional<double> expect;
  std::optional<Ratio> tolerance;
  std::optional<std::string> absolute;
  std::optional<Measure> left;
  std::optional<Relation> relation;
  std::optional<Measure> right;
};

struct File {
  std::string gpu;
  std::vector<Entry> expectations;
};

config::Schema<File> file_schema();

// The forms that stream, in a file of their own.
config::Schema<BandwidthAt> bandwidth_schema();
config::Schema<Bottleneck> bottleneck_schema();
config::Schema<BandwidthCurve> bandwidth_curve_schema();
config::Schema<KernelAt> kernel_schema();
config::Schema<HandoffAt> handoff_schema();

/// The member of a base, as a member of the struct that is described.
template <class T, class Base, class Member>
constexpr Member T::* of(Member Base::* member) {
  return member;
}

// How both questions write the path of an access.
inline auto space_choices() {
  std::vector<config::Named<trace::Space>> named;
  for (const std::string_view name : trace::measured_spaces)
    named.push_back({std::string(name), *trace::space_of(name)});
  return config::choices<trace::Space>(std::move(named));
}
inline auto cache_operator_choices() {
  return config::choices<memory::CacheOperator>(
      {{"ca", memory::CacheOperator::ca}, {"cg", memory::CacheOperator::cg}, {"cv", memory::CacheOperator::cv}});
}

}  // namespace strata::study::written
