// SPDX-License-Identifier: Apache-2.0
// What documents and measurements say about a machine, one entry each, as the
// expectation files hold it: what to measure on the model, the figure to
// compare with, how far off it may be, and whether any parameter was tuned on
// it. An Expectation that read_expectations() gives is valid: its measures have
// one form each, its units fit, its names are unique. Whether a setting or a
// figure exists on the GPU it is asked of, evaluate.hpp checks.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/inherit.hpp"
#include "config/value/value.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/expectation/unit.hpp"
#include "study/handoff.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {

/// How an expectation came about.
enum class Kind : std::uint8_t { spec, fitted, predicted, ordering };
std::string_view name(Kind kind);
std::vector<std::string> kind_names();

enum class Relation : std::uint8_t { above, below, at_least, at_most, equal };
std::string_view sign(Relation relation);

/// A chase: the options of `strata latency`, and settings applied before the
/// machine is built.
struct Chase : LatencyQuestion {
  std::vector<std::string> set;
};

/// The mean latency at one footprint.
struct LatencyAt : Chase {
  Bytes footprint;
};

/// The footprint at which the latency crosses the mean of those at both ends.
struct Knee : Chase {
  Bytes from;
  Bytes to;
};

struct CurvePoint {
  Bytes footprint;
  double latency = 0;
};

/// The mean distance from a measured curve.
struct Curve : Chase {
  std::vector<CurvePoint> points;
};

/// Whose rate is meant. By itself a rate in B/s is that of all cores that take
/// part together, one in B/clk or clk that of one of them. That of the slowest core is its
/// share of the mean.
enum class Whose : std::uint8_t { implied, core, total, slowest };

/// The bandwidth over one footprint: the options of `strata bandwidth`. In B/s,
/// in B/clk of the core clock, or in clk, which a warp instruction of a core
/// then takes.
struct BandwidthAt : BandwidthQuestion {
  Bytes footprint;
  Bytes timed{0};  ///< 0: enough for a steady state of the machine, as BandwidthQuestion has it
  Whose of = Whose::implied;
  std::vector<std::string> set;
};

/// Whether the kind of resource that was busiest is one whose name contains a
/// text: 1 if so, else 0. One that had time left was no bottleneck.
struct Bottleneck : BandwidthAt {
  std::string contains;
  Ratio busy{0.8};
};

struct BandwidthCurvePoint : BandwidthAt {
  double expect = 0;
  std::string label;  ///< distinguishes it from the others in the report
};

/// The mean distance from measured bandwidths, each with options of its own.
struct BandwidthCurve {
  std::vector<BandwidthCurvePoint> points;
};

/// What is asked of a kernel's run; in brackets the unit.
enum class KernelFigure : std::uint8_t {
  time,               ///< from launch to end (ns, us)
  warp_instructions,  ///< issued (count)
  l1_sectors,         ///< asked of the cores' first caches and stored into them (count)
  l2_sectors,         ///< asked of the L2 by them and stored into it (count)
  l1_hits,            ///< share of the sectors read and stored; see stats::LevelUse (ratio)
  l2_hits,            ///< the same of the L2 (ratio)
  dram_read,          ///< (B)
  dram_written,       ///< (B)
};

/// A built-in kernel alone on the machine with cold caches: the figures of `strata run`.
struct KernelAt {
  std::string run;    ///< NAME[,param=value...]
  std::string after;  ///< the same of the kernel before it; empty: none
  KernelFigure figure = KernelFigure::time;
  bool sampled = false;  ///< run in part and estimated, as `strata run --sampled` does
  std::vector<std::string> set;
};

/// What is asked of the hand-offs of a draw of pairs.
enum class HandoffFigure : std::uint8_t { mean, least, most };

/// The time of a hand-off: what `strata handoff` reports (clk, ns).
struct HandoffAt : HandoffDraw {
  HandoffFigure figure = HandoffFigure::mean;
  std::string relation;  ///< of the pairs that count, as `strata handoff` names it; empty: all
  std::vector<std::string> set;
};

/// One figure of a machine; exactly one of the forms is there.
struct Form {
  std::string gpu;
  std::optional<LatencyAt> latency;
  std::optional<Knee> knee;
  std::optional<BandwidthAt> bandwidth;
  std::optional<Bottleneck> bottleneck;
  std::optional<KernelAt> kernel;
  std::optional<HandoffAt> handoff;
  std::optional<std::string> setting;  ///< a path of the configuration
  std::optional<std::string> peak;     ///< a name of machine::peaks()
  std::vector<std::string> set;        ///< applied before the machine is built
};

/// A figure, or a curve, or a figure less or over another, of the same machine
/// unless the other names its own.
struct Measure : Form {
  std::optional<Curve> curve;
  std::optional<BandwidthCurve> bandwidth_curve;
  std::optional<Form> minus;
  std::optional<Form> over;
  Unit unit;        ///< of the result
  Unit curve_unit;  ///< of a curve's points

  bool is_curve() const { return curve || bandwidth_curve; }
  bool asks(std::string_view gpu_name) const {
    return gpu == gpu_name || (minus && minus->gpu == gpu_name) || (over && over->gpu == gpu_name);
  }
};

/// Whether its value takes seconds: kernels, streams over several arrays, bandwidths of more than a cache
/// near the cores, and chases by many threads over much memory, which settle over many laps.
inline bool takes_long(const LatencyAt& chase) {
  constexpr Bytes much{32U << 20U};
  return chase.threads > 1 && chase.footprint > much;
}
inline bool takes_long(const BandwidthAt& stream) {
  constexpr Bytes small{8U << 20U};
  return (stream.operation != trace::StreamOperation::read && stream.operation != trace::StreamOperation::write) ||
         stream.footprint > small || stream.timed > small;
}
inline bool takes_long(const Form& form) {
  return form.kernel || (form.latency && takes_long(*form.latency)) ||
         (form.bandwidth && takes_long(*form.bandwidth)) || (form.bottleneck && takes_long(*form.bottleneck));
}
inline bool takes_long(const Measure& measure) {
  return measure.bandwidth_curve || takes_long(static_cast<const Form&>(measure)) ||
         (measure.minus && takes_long(*measure.minus)) || (measure.over && takes_long(*measure.over));
}

struct Expectation {
  std::string id;
  std::string gpu;  ///< of an ordering: that of its left side
  std::string quantity;
  Kind kind = Kind::predicted;
  std::string source;
  std::string why;                 ///< of the tolerance
  Measure measure;                 ///< of an ordering: the left side
  double expect = 0;               ///< in the measure's unit; 0 for an ordering
  double tolerance = 0;            ///< relative to what is expected
  std::optional<double> absolute;  ///< in the measure's unit, instead of tolerance
  std::optional<Measure> right;    ///< of an ordering
  Relation relation = Relation::equal;
  config::Position where;  ///< of the entry

  /// Whether some part of it is a figure of this GPU.
  bool is_about(std::string_view gpu_name) const { return measure.asks(gpu_name) || (right && right->asks(gpu_name)); }
  /// Whether its value, or that of its other side, takes a second or more.
  bool is_long() const { return takes_long(measure) || (right && takes_long(*right)); }
};

/// The entries of all files in order. Throws InputError with all that is wrong
/// in all of them.
std::vector<Expectation> read_expectations(std::span<const config::Source> files);
std::vector<Expectation> read_expectations(const config::Source& file);

}  // namespace strata::study
