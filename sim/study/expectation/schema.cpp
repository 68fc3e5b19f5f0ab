// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/schema.hpp"

#include <array>

namespace strata::study {

namespace {

constexpr std::array<std::string_view, 4> all_kinds{"spec", "fitted", "predicted", "ordering"};
constexpr std::array<std::string_view, 5> all_signs{">", "<", ">=", "<=", "~"};

}  // namespace

std::string_view name(Kind kind) { return all_kinds.at(static_cast<std::size_t>(kind)); }
std::vector<std::string> kind_names() { return {all_kinds.begin(), all_kinds.end()}; }
std::string_view sign(Relation relation) { return all_signs.at(static_cast<std::size_t>(relation)); }

}  // namespace strata::study

namespace strata::study::written {

namespace {

using config::at_least;
using config::choices;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

template <class T>
Schema<T> with_chase(Schema<T> schema) {
  return schema.optional("stride", of<T>(&LatencyQuestion::stride), "distance of the nodes", range(1_B, 1_GiB))
      .optional("threads", of<T>(&LatencyQuestion::threads), "one-thread blocks that chase at once", range(1, 1 << 20))
      .optional("segmented", of<T>(&LatencyQuestion::segmented), "a segment of the array a thread")
      .optional("space", of<T>(&LatencyQuestion::space), "where the array lies, and by which path", space_choices())
      .optional("cache_op", of<T>(&LatencyQuestion::cache_operator), "the cache operator", cache_operator_choices())
      .optional("order", of<T>(&LatencyQuestion::order), "the order of the nodes",
                choices<trace::ChaseOrder>(
                    {{"random", trace::ChaseOrder::random}, {"ascending", trace::ChaseOrder::ascending}}))
      .optional("lanes", of<T>(&LatencyQuestion::lanes), "active lanes of the chasing warp",
                range(1, static_cast<int>(trace::most_lanes)))
      .optional("width", of<T>(&LatencyQuestion::bytes_per_lane), "bytes of a lane's access", range(1, 16))
      .optional("set", of<T>(&Chase::set), "settings, each `path=value`");
}

Schema<LatencyAt> latency_schema() {
  return with_chase(Schema<LatencyAt>("latency", "the mean load-to-use latency at a footprint")
                        .required("footprint", &LatencyAt::footprint, "memory in use", at_least(1_B)));
}

Schema<Knee> knee_schema() {
  return with_chase(Schema<Knee>("knee", "the footprint half way up a step of the latency")
                        .required("from", &Knee::from, "on the lower plateau", at_least(1_B))
                        .required("to", &Knee::to, "on the upper plateau", at_least(1_B)));
}

Schema<CurvePoint> point_schema() {
  return Schema<CurvePoint>("point", "a measured point")
      .required("footprint", &CurvePoint::footprint, "memory in use", at_least(1_B))
      .required("latency", &CurvePoint::latency, "measured, in the unit beside the curve", range(1e-3, 1e9));
}

Schema<Curve> curve_schema() {
  return with_chase(
      Schema<Curve>("curve", "measured points")
          .required("points", &Curve::points, "[footprint, latency]", point_schema(), config::entries(1, 10'000)));
}

template <class T>
Schema<T> with_forms(Schema<T> schema) {
  return schema.optional("latency", of<T>(&Form::latency), "the latency at a footprint", latency_schema())
      .optional("knee", of<T>(&Form::knee), "the footprint of a step", knee_schema())
      .optional("bandwidth", of<T>(&Form::bandwidth), "the bandwidth over a footprint", bandwidth_schema())
      .optional("bottleneck", of<T>(&Form::bottleneck), "whether a resource is the busiest", bottleneck_schema())
      .optional("kernel", of<T>(&Form::kernel), "a figure of a kernel's run", kernel_schema())
      .optional("handoff", of<T>(&Form::handoff), "the time of a hand-off between threads", handoff_schema())
      .optional("setting", of<T>(&Form::setting), "a path of the configuration")
      .optional("peak", of<T>(&Form::peak), "a figure derived from the whole machine")
      .optional("gpu", of<T>(&Form::gpu), "of a side of an ordering, or of what is divided by")
      .optional("set", of<T>(&Form::set), "settings, each `path=value`");
}

Schema<Form> form_schema() { return with_forms(Schema<Form>("measure", "what to measure")); }

Schema<Measure> measure_schema() {
  return with_forms(Schema<Measure>("measure", "what to measure"))
      .optional("curve", of<Measure>(&study::Measure::curve), "a measured curve", curve_schema())
      .optional("bandwidth_curve", of<Measure>(&study::Measure::bandwidth_curve), "measured bandwidths",
                bandwidth_curve_schema())
      .optional("minus", of<Measure>(&study::Measure::minus), "subtracted", form_schema())
      .optional("over", of<Measure>(&study::Measure::over), "divided by", form_schema())
      .optional("unit", &Measure::in_unit, "of a side's result, or of a curve's points");
}

Schema<Entry> entry_schema() {
  return Schema<Entry>("expectation", "a published measurement or statement")
      .required("id", &Entry::id, "unique over all files")
      .required("quantity", &Entry::quantity, "the quantity, in words")
      .required("kind", &Entry::kind, "its kind",
                choices<Kind>({{"spec", Kind::spec, "arithmetic of the configuration"},
                               {"fitted", Kind::fitted, "a parameter was tuned on it"},
                               {"predicted", Kind::predicted, "nothing was tuned on it"},
                               {"ordering", Kind::ordering, "one quantity is larger than another"}}))
      .required("source", &Entry::source, "the source")
      .optional("why", &Entry::why, "where the tolerance comes from")
      .optional("measure", &Entry::measure, "what to measure", measure_schema())
      .optional("unit", &Entry::unit, "of what is expected")
      .optional("expect", &Entry::expect, "the figure")
      .optional("tolerance", &Entry::tolerance, "of what is expected", range(Ratio{0}, Ratio{10}))
      .optional("absolute", &Entry::absolute, "a tolerance in the unit itself")
      .optional("left", &Entry::left, "of an ordering", measure_schema())
      .optional("relation", &Entry::relation, "between left and right",
                choices<Relation>({{">", Relation::above},
                                   {"<", Relation::below},
                                   {">=", Relation::at_least},
                                   {"<=", Relation::at_most},
                                   {"~", Relation::equal}}))
      .optional("right", &Entry::right, "of an ordering", measure_schema());
}

}  // namespace

Schema<File> file_schema() {
  return Schema<File>("expectations", "a file of expectations")
      .optional("gpu", &File::gpu, "of all entries but orderings")
      .required("expectations", &File::expectations, "the entries", entry_schema());
}

}  // namespace strata::study::written
