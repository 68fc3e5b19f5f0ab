// SPDX-License-Identifier: Apache-2.0
// strata bandwidth: bandwidth of a machine against footprint,
// alone or over points of a measured curve; under load, see bandwidth_loaded.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "bandwidth_run.hpp"
#include "base/diagnostic.hpp"
#include "curve_options.hpp"
#include "interrupted.hpp"
#include "parallel/points.hpp"
#include "parallel/windows.hpp"
#include "report/bandwidth/bandwidth.hpp"
#include "report/latency/html.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "stats_file.hpp"
#include "study/activity.hpp"
#include "study/latency/latency.hpp"
#include "unread_options.hpp"

namespace strata::cli {

namespace {

void describe_bandwidth(Options& options) {
  const auto none = [](const char* shown) { return po::value<std::string>()->value_name(shown); };
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  describe_gpu(options.description());
  options.description().add_options()("from", none("SIZE"),
                                      "smallest footprint, of all arrays; default: one inside the L1s")(
      "to", none("SIZE"), "largest footprint; default: well past the last cache")(
      "points-per-octave", text("N", "1"), "points for each doubling of the footprint")(
      "footprint", none("SIZE,SIZE"), "these footprints and no others");
  describe_loaded(options.description());
  describe_stream(options.description());
  options.description().add_options()("jobs", text("N", "0"), "points run in parallel; 0: one per host core")(
      "quiet,q", "no progress on stderr");
  describe_comparison(options.description(), "bandwidth");
  StatsFile::describe(options.description());
  Outputs::describe(options.description(), true);
}

std::vector<std::uint64_t> footprints(const BandwidthRun& run, const std::optional<tools::MeasuredCurve>& measured) {
  const Options& options = run.options;
  std::vector<std::uint64_t> all;
  const bool ranged = options.has("from") || options.has("to");
  if (const auto listed = listed_footprints(options)) {
    all = *listed;
  } else if (ranged || !measured) {
    FootprintRange range = telling_footprints(run.gpu.spec(), run.question);
    if (options.has("from")) range.from = options.size("from");
    if (options.has("to")) range.to = options.size("to");
    if (!options.has("from")) range.from = std::min(range.from, range.to);
    if (!options.has("to")) range.to = std::max(range.from, range.to);
    if (range.to < range.from) refuse_option("to", "is smaller than --from");
    all = study::footprints(range.from, range.to, options.real("points-per-octave", 0.1, 64), Bytes{1});
  }
  if (measured)
    for (const tools::MeasuredPoint& point : measured->points) all.push_back(point.footprint_bytes);
  sort_once(all);
  return all;
}

report::BandwidthPoint shown(const study::BandwidthPoint& point) {
  report::BandwidthPoint copy;
  copy.footprint_bytes = point.footprint_bytes;
  copy.bytes_per_second = point.bytes_per_second;
  copy.bytes_per_clock_per_core = point.bytes_per_clock_per_core;
  copy.cores = point.cores;
  copy.warps = point.warps;
  copy.seconds = point.seconds;
  copy.bytes = point.bytes;
  copy.timed_bytes = point.timed_bytes;
  copy.steadiness = point.steadiness;
  copy.slowest_core = point.slowest_core;
  copy.mean_latency_ns = point.mean_latency_ns;
  copy.unhindered_latency_ns = point.unhindered_latency_ns;
  copy.levels = point.levels;
  copy.resources = point.resources;
  copy.shortages = point.shortages;
  copy.dram_row_hit_rate = point.dram_row_hit_rate;
  copy.dram_bus_utilisation = point.dram_bus_share;
  return copy;
}

// The least are whole passes of a small footprint, or four accesses of each warp.
void tell_longer_window(std::uint64_t asked, const study::BandwidthPoint& point) {
  if (asked > 0 && point.timed_bytes > asked + asked / 100)
    fmt::print(stderr,
               "note: --fixed-window: {} bytes are timed at a footprint of {} bytes, not {}: a window has whole passes "
               "of a small footprint, and at least four accesses of each warp\n",
               point.timed_bytes, point.footprint_bytes, asked);
}

// Of the footprint where they differ most.
void tell_slowest_core(const std::vector<study::BandwidthPoint>& points) {
  constexpr double alike = 0.95;
  const auto share = [](const study::BandwidthPoint& point) { return point.slowest_core.value_or(1); };
  const auto worst = std::ranges::min_element(points, {}, share);
  if (worst == points.end() || share(*worst) >= alike) return;
  fmt::print(stderr,
             "note: cores get unequal rates: at a footprint of {} bytes the slowest moves {:.0f} % less than the mean. "
             "A program that gives each core an equal part ends with the slowest; --whole times such a program\n",
             worst->footprint_bytes, 100 * (1 - share(*worst)));
}

int bandwidth_curve(const BandwidthRun& run, StatsFile& statistics) {
  const std::optional<tools::MeasuredCurve> measured = read_comparison(run.options, tools::Measured::bandwidth);
  const std::vector<std::uint64_t> asked = footprints(run, measured);
  const auto measure = run.options.has("fixed-window") ? study::measure_bandwidth : study::measure_steady_bandwidth;
  std::optional<tools::Progress> progress(std::in_place, "bandwidth", asked.size(), run.options.has("quiet"));
  const tools::Keeping keeping;
  const auto points =
      tools::collect_points<study::BandwidthPoint>(asked.size(), run.jobs, *progress, [&](std::size_t i) {
        tools::OnIdleThreads executor;
        return ask(run.gpu, [&] { return measure(run.gpu.spec(), run.question, asked[i], &executor); });
      });

  if (points.complete()) progress.reset();  // clears its line before notes are printed
  report::BandwidthReport answer;
  std::uint64_t fingerprint = 0;
  for (const study::BandwidthPoint& point : points.answers) {
    if (run.options.has("fixed-window")) tell_longer_window(run.question.timed_bytes, point);
    fingerprint = mix(fingerprint, point.fingerprint);
    answer.points.push_back(shown(point));
    statistics.add({fmt::format("{}", point.footprint_bytes)}, point.statistics);
  }
  tell_slowest_core(points.answers);
  answer.heading = run.heading(fingerprint);
  answer.heading.incomplete = what_is_kept(points);
  answer.operation = name(run.question.operation);
  answer.title = run.outputs.titled(fmt::format("{}: {} bandwidth", run.gpu.spec().name, answer.operation));
  answer.label = run.outputs.labelled(std::move(answer.label));
  answer.subtitle = in_words(run.question, run.gpu.spec());
  answer.capacities = capacities(run.gpu.spec(), run.question);
  answer.settings = run.settings;
  if (measured) {
    answer.comparison = compare(*measured, run.options.get<std::string>("compare"),
                                [&](std::uint64_t footprint) -> std::optional<double> {
                                  for (std::size_t i = 0; i < points.numbers.size(); ++i)
                                    if (asked[points.numbers[i]] == footprint)
                                      return points.answers[i].bytes_per_second;
                                  return std::nullopt;
                                });
  }
  statistics.write(answer.heading, {{"footprint_bytes", {"footprint_bytes", report::Align::right}}});
  write_answer(run.outputs, answer, [&] { return report::bandwidth_chart(answer); });
  if (!run.outputs.claims_stdout()) std::cout << statistics.busiest();
  return finish(answer.heading, exit_done);
}

}  // namespace

Options bandwidth_options(const Arguments&) {
  Options options("bandwidth --gpu G [options]",
                  "Streams through footprints of growing size from many warps on many cores, and reports the\n"
                  "bandwidth, the traffic of each level as a share of its peak, and the bottleneck.",
                  "strata bandwidth --gpu b200 --op read --from 8MiB --to 1GiB --svg b200.svg");
  describe_bandwidth(options);
  return options;
}

int bandwidth(const Options& options) {
  const Outputs outputs(options);
  outputs.check();
  StatsFile statistics(options);
  const StreamOptions stream = read_stream(options);
  const std::uint64_t jobs = options.count("jobs", 0, 1024);
  const Gpu gpu = load_gpu(tools::Library::beside_program(), options);
  refuse_without_loaded(options);
  study::BandwidthQuestion question = stream.on(gpu.spec());
  question.statistics = statistics.detail();
  const BandwidthRun run{
      options,
      outputs,
      gpu,
      question,
      jobs,
      together(settings(gpu, study::activity_of(question, gpu.spec(), options.has("loaded"))),
               together(unread_options(given_in(options), question, gpu.spec(), options.has("loaded")),
                        together(stream.notes(gpu.spec()), unread_without_load(options))))};
  print_notes(run.settings);
  return options.has("loaded") ? bandwidth_loaded(run, statistics) : bandwidth_curve(run, statistics);
}

}  // namespace strata::cli
