// SPDX-License-Identifier: Apache-2.0
// strata latency: the pointer-chase curve of a machine, alone or over points
// of a measured curve.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "chase_options.hpp"
#include "curve_options.hpp"
#include "gpu.hpp"
#include "interrupted.hpp"
#include "load_options.hpp"
#include "machine/levels.hpp"
#include "parallel/points.hpp"
#include "report/json.hpp"
#include "report/latency/html.hpp"
#include "report/svg/curve.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/latency/latency.hpp"
#include "study/latency/plateaus.hpp"
#include "unread_options.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

void describe_latency(Options& options) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  describe_gpu(options.description());
  options.description().add_options()("from", text("SIZE", "1KiB"), "smallest footprint")(
      "to", text("SIZE", "4GiB"), "largest footprint")("points-per-octave", text("N", "4"),
                                                       "points for each doubling of the footprint")(
      "footprint", po::value<std::string>()->value_name("SIZE,SIZE"), "these footprints and no others");
  describe_chase(options.description());
  options.description().add_options()("jobs", text("N", "0"), "points run in parallel; 0: one per host core")(
      "quiet,q", "no progress on stderr");
  describe_comparison(options.description(), "latency");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
}

// Of each level the path at the footprint where it serves most loads.
std::vector<report::LevelPath> paths_of(const std::vector<study::LatencyPoint>& points) {
  std::vector<report::LevelPath> shown;
  if (points.empty()) return shown;
  for (std::size_t level = 0; level < points.front().served_by.size(); ++level) {
    const auto most = std::max_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
      return a.served_by[level].share < b.served_by[level].share;
    });
    const std::string& name = most->served_by[level].level;
    for (const study::LevelPath& path : most->paths) {
      if (path.level != name) continue;
      report::LevelPath& one = shown.emplace_back();
      one = {name, most->footprint_bytes, static_cast<double>(path.taken) / static_cast<double>(path.loads),
             {},   path.cycles,           path.ns};
      for (const study::JourneyStage& stage : path.stages)
        one.stages.push_back({stage.stage, stage.cycles, stage.ns, stage.note});
    }
  }
  return shown;
}

report::CurveReport report_of(const Gpu& gpu, const std::vector<study::LatencyPoint>& points,
                              std::vector<report::Setting> settings) {
  report::CurveReport curve;
  std::uint64_t fingerprint = 0;
  for (const study::LatencyPoint& point : points) {
    fingerprint = mix(fingerprint, point.fingerprint);
    report::LatencyPoint shown{point.footprint_bytes, point.latency_ns, point.latency_cycles, {}};
    for (const study::LevelShare& share : point.served_by)
      shown.hit_level_shares.emplace_back(share.level, share.share);
    curve.points.push_back(std::move(shown));
  }
  curve.heading = {version, gpu.name, hexadecimal(fingerprint)};
  curve.title = fmt::format("{}: load-to-use latency", gpu.spec().name);
  curve.settings = std::move(settings);
  return curve;
}

}  // namespace

Options latency_options(const Arguments&) {
  Options options("latency --gpu G [options]",
                  "Walks a ring of pointers through footprints of growing size, warmed to steady state,\n"
                  "and reports the mean load-to-use latency in core cycles and nanoseconds.",
                  "strata latency --gpu b200 --from 16KiB --to 1GiB --svg b200.svg");
  describe_latency(options);
  return options;
}

int latency(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  study::LatencyQuestion q = read_chase(options);
  q.statistics = statistics.detail();
  q.paths = outputs.html.has_value();
  const Bytes from = options.size("from");
  const Bytes to = options.size("to");
  if (to < from) throw InputError(Diagnostic{"--to", 0, 0, "is smaller than --from", {}});
  const double per_octave = options.real("points-per-octave", 0.1, 64);
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  std::vector<report::Setting> set =
      together(settings(gpu, study::activity_of(q)), unread_options(given_in(options), q, gpu.spec()));
  print_notes(set);

  std::vector<std::uint64_t> footprints = study::footprints(from, to, per_octave, q.stride);
  const auto listed = listed_footprints(options);
  if (listed) {
    footprints.clear();
    for (const std::uint64_t bytes : *listed) {
      footprints.push_back(footprint_of_chase(bytes, q));
      if (footprints.back() != bytes)
        fmt::print(stderr, "note: --footprint {} B is no multiple of the stride: the chase walks {} B\n", bytes,
                   footprints.back());
    }
    sort_once(footprints);
  }
  const std::optional<tools::MeasuredCurve> measured = read_comparison(options, tools::Measured::latency);
  if (measured) {
    if (!listed && options.get<std::string>("from") == "1KiB" && options.get<std::string>("to") == "4GiB")
      footprints.clear();
    for (const tools::MeasuredPoint& point : measured->points)
      footprints.push_back(study::whole_strides(point.footprint_bytes, q.stride));
    sort_once(footprints);
  }
  if (!options.has("to") && !measured && !listed) study::keep_what_fits(footprints, gpu.spec(), q);

  tools::Progress progress("latency", footprints.size(), options.has("quiet"));
  const tools::Keeping keeping;
  const auto measured_points = tools::collect_points<study::LatencyPoint>(
      footprints.size(), options.count("jobs", 0, 1024), progress,
      [&](std::size_t i) { return ask(gpu, [&] { return study::measure_latency(gpu.spec(), q, footprints[i]); }); });
  const std::vector<study::LatencyPoint>& points = measured_points.answers;

  report::CurveReport curve = report_of(gpu, points, std::move(set));
  curve.heading.incomplete = what_is_kept(measured_points);
  curve.title = outputs.titled(std::move(curve.title));
  curve.label = outputs.labelled(std::move(curve.label));
  curve.subtitle = in_words(q);
  const bool nanoseconds = measured && measured->unit == "ns";
  if (measured) {
    curve.comparison =
        compare(*measured, options.get<std::string>("compare"), [&](std::uint64_t bytes) -> std::optional<double> {
          const std::uint64_t footprint = study::whole_strides(bytes, q.stride);
          const auto found = std::lower_bound(points.begin(), points.end(), footprint,
                                              [](const auto& p, std::uint64_t f) { return p.footprint_bytes < f; });
          if (found == points.end() || found->footprint_bytes != footprint) return std::nullopt;
          return nanoseconds ? found->latency_ns : found->latency_cycles;
        });
  }
  curve.paths = paths_of(points);
  for (const study::Plateau& plateau : study::plateaus(points))
    curve.plateaus.push_back({nanoseconds ? plateau.latency_ns : plateau.latency_cycles,
                              static_cast<double>(plateau.from_bytes), static_cast<double>(plateau.to_bytes),
                              plateau.level});
  for (const machine::Capacity& capacity : machine::capacities(gpu.spec()))
    curve.capacities.push_back({static_cast<double>(capacity.bytes), capacity.level});

  for (const study::LatencyPoint& point : points)
    statistics.add({fmt::format("{}", point.footprint_bytes)}, point.statistics);
  statistics.write(curve.heading, {{"footprint_bytes", {"footprint_bytes", report::Align::right}}});
  write_answer(outputs, curve, [&] { return report::latency_chart(curve); });
  return finish(curve.heading, exit_done);
}

}  // namespace strata::cli
