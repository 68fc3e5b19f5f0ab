// SPDX-License-Identifier: Apache-2.0
// Schema of the streaming forms of an expectation: the options of `strata bandwidth`, a map for
// each.
#include "study/expectation/schema.hpp"

namespace strata::study::written {

namespace {

using config::at_least;
using config::choices;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

template <class T>
Schema<T> with_threads(Schema<T> schema) {
  return schema
      .optional("cores", of<T>(&BandwidthQuestion::cores), "those of a grid of so many blocks; 0: all",
                range(0, 1 << 20))
      .optional("dies", of<T>(&BandwidthQuestion::dies), "whose cores take part; none: all")
      .optional("placement", of<T>(&BandwidthQuestion::placement),
                "the order of the cores; where given, the first of it are used")
      .optional("warps", of<T>(&BandwidthQuestion::warps), "on each core; 0: as many as it holds", range(0, 1 << 16))
      .optional("lanes", of<T>(&BandwidthQuestion::lanes), "of a warp; 0: as wide as it is",
                range(0, static_cast<int>(trace::most_lanes)))
      .optional("width", of<T>(&BandwidthQuestion::bytes_per_lane), "bytes of a lane's access", range(1, 64))
      .optional("lane_stride", of<T>(&BandwidthQuestion::lane_stride), "bytes from lane to lane; 0: adjacent",
                range(0, 1 << 30))
      .optional("unroll", of<T>(&BandwidthQuestion::unroll), "accesses that a warp has under way", range(1, 255))
      .optional("batch", of<T>(&BandwidthQuestion::batch), "all answer before the next are issued")
      .optional("work_per_access", of<T>(&BandwidthQuestion::work_per_access),
                "arithmetic of a warp before each access", range(0_clk, 10000_clk))
      .optional("work_per_batch", of<T>(&BandwidthQuestion::work_per_batch), "and once more before each batch",
                range(0_clk, 10000_clk))
      .optional("blocked", of<T>(&BandwidthQuestion::blocked), "each warp a part of its own");
}

template <class T>
Schema<T> with_stream(Schema<T> schema) {
  using trace::StreamOperation;
  return with_threads(std::move(schema))
      .required("footprint", of<T>(&BandwidthAt::footprint), "memory in use", at_least(1_B))
      .optional("op", of<T>(&BandwidthQuestion::operation), "what is done with the arrays",
                choices<StreamOperation>({{"read", StreamOperation::read},
                                          {"write", StreamOperation::write},
                                          {"copy", StreamOperation::copy},
                                          {"scale", StreamOperation::scale},
                                          {"add", StreamOperation::add},
                                          {"triad", StreamOperation::triad}}))
      .optional("space", of<T>(&BandwidthQuestion::space), "where the arrays lie, and by which path", space_choices())
      .optional("cache_op", of<T>(&BandwidthQuestion::cache_operator), "the cache operator", cache_operator_choices())
      .optional("sharing", of<T>(&BandwidthQuestion::sharing), "how the footprint is shared out",
                choices<Sharing>({{"split", Sharing::split}, {"each", Sharing::each}, {"turns", Sharing::turns}}))
      .optional("part", of<T>(&BandwidthQuestion::part_bytes), "bytes that a block takes in turn", range(1, 1 << 30))
      .optional("block_warps", of<T>(&BandwidthQuestion::block_warps), "of a block that takes turns", range(1, 64))
      .optional("home", of<T>(&BandwidthQuestion::home), "whose lines: of a side of the L2, or the host's",
                choices<Home>({{"any", Home::any}, {"near", Home::near}, {"far", Home::far}, {"host", Home::host}}))
      .optional("lockstep", of<T>(&BandwidthQuestion::lockstep), "one pass, not the steady state")
      .optional("whole", of<T>(&BandwidthQuestion::whole), "all passes from their start to the last response")
      .optional("timed", of<T>(&BandwidthAt::timed), "bytes of the timed part", at_least(1_B))
      .optional("of", of<T>(&BandwidthAt::of), "whose rate",
                choices<Whose>({{"implied", Whose::implied, "as the unit says"},
                                {"core", Whose::core, "of one core"},
                                {"total", Whose::total, "of all that take part"},
                                {"slowest", Whose::slowest, "of the slowest core, as a ratio to the mean"}}))
      .optional("set", of<T>(&BandwidthAt::set), "settings, each `path=value`");
}

Schema<BandwidthCurvePoint> bandwidth_point_schema() {
  return with_stream(Schema<BandwidthCurvePoint>("point", "a measured bandwidth"))
      .required("expect", &BandwidthCurvePoint::expect, "measured, in the unit beside the curve", range(1e-3, 1e9))
      .optional("label", &BandwidthCurvePoint::label, "what distinguishes it from the others");
}

}  // namespace

Schema<BandwidthAt> bandwidth_schema() {
  return with_stream(Schema<BandwidthAt>("bandwidth", "the bandwidth over a footprint"));
}

Schema<Bottleneck> bottleneck_schema() {
  return with_stream(Schema<Bottleneck>("bottleneck", "whether a resource is the busiest"))
      .required("contains", &Bottleneck::contains, "a part of its name")
      .optional("busy", &Bottleneck::busy, "the least share of time to be a bottleneck", range(Ratio{0}, Ratio{1}));
}

Schema<KernelAt> kernel_schema() {
  return Schema<KernelAt>("kernel", "a built-in kernel, with cold caches unless it is `after` another")
      .required("run", &KernelAt::run, "NAME[,param=value...], as `strata run --kernel` takes it")
      .optional("after", &KernelAt::after,
                "another, run before it, whose data it finds in the shared caches: `run --caches warm`")
      .optional(
          "figure", &KernelAt::figure, "what is asked of it",
          choices<KernelFigure>({{"time", KernelFigure::time, "from launch to end"},
                                 {"warp_instructions", KernelFigure::warp_instructions, "issued"},
                                 {"l1_sectors", KernelFigure::l1_sectors, "read and stored by the cores"},
                                 {"l2_sectors", KernelFigure::l2_sectors, "read and stored by the cores' caches"},
                                 {"l1_hits", KernelFigure::l1_hits, "share of sectors, fetches under way included"},
                                 {"l2_hits", KernelFigure::l2_hits, "the same of the L2"},
                                 {"dram_read", KernelFigure::dram_read, "bytes"},
                                 {"dram_written", KernelFigure::dram_written, "bytes"}}))
      .optional("sampled", &KernelAt::sampled, "the kernel is run in part and estimated, as by `strata run --sampled`")
      .optional("set", &KernelAt::set, "settings, each `path=value`");
}

Schema<BandwidthCurve> bandwidth_curve_schema() {
  return Schema<BandwidthCurve>("curve", "measured bandwidths")
      .required("points", &BandwidthCurve::points, "each with its options", bandwidth_point_schema(),
                config::entries(1, 10'000));
}

}  // namespace strata::study::written
