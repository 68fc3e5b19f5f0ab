// SPDX-License-Identifier: Apache-2.0
// strata bandwidth --loaded: the latency of a dependent load while all other cores stream at a
// given rate.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "bandwidth_run.hpp"
#include "base/printable.hpp"
#include "curve_options.hpp"
#include "interrupted.hpp"
#include "parallel/points.hpp"
#include "report/bandwidth/bandwidth.hpp"
#include "report/latency/html.hpp"
#include "report/text/csv.hpp"
#include "study/bandwidth/loaded.hpp"

namespace strata::cli {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Shares of the greatest rate at which the curve is looked at: evenly while it
// is flat, closer where it bends.
constexpr double shares[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95};

std::uint64_t footprint(const BandwidthRun& run) {
  if (const auto text = run.options.text("footprint")) {
    const std::vector<std::uint64_t> all = sizes("footprint", *text);
    if (all.size() > 1) refuse_option("footprint", "--loaded takes one footprint");
    return all.front();
  }
  // So far past the caches that a chase through it seldom hits any.
  const std::uint64_t far = 4 * telling_footprints(run.gpu.spec(), run.question).to.value;
  return std::min(far, run.gpu.spec().memory.size.value);
}

}  // namespace

void describe_loaded(po::options_description& description) {
  description.add_options()("loaded",
                            "the latency of dependent loads on one core, against the rate that all others stream at")(
      "chains", po::value<std::string>()->value_name("N"),
      "with --loaded: number of chains of dependent loads on that core; default: 1")(
      "inject", po::value<std::string>()->value_name("RATE,RATE"),
      "the rates, as 0, 500GB/s or max; default: shares of the maximum");
}

void refuse_without_loaded(const Options& options) {
  if (options.has("loaded")) {
    for (const char* const other : {"from", "to", "points-per-octave", "compare"})
      if (options.has(other)) refuse_option(other, "cannot be combined with --loaded, which measures one --footprint");
    if (options.has("fixed-window"))
      refuse_option("fixed-window", "cannot be combined with --loaded, which counts loads");
    return;
  }
  for (const char* const other : {"inject", "chains"})
    if (options.has(other)) refuse_option(other, "requires --loaded");
}

std::vector<report::Setting> unread_without_load(const Options& options) {
  const auto inject = options.text("inject");
  if (!options.has("loaded") || !inject) return {};
  const std::vector<double> injected = rates("inject", *inject);
  if (std::any_of(injected.begin(), injected.end(), [](double rate) { return rate > 0; })) return {};
  std::vector<report::Setting> unread;
  for (const char* const option : {"op", "cores", "dies", "sharing", "home", "warps", "lanes", "width", "lane-stride",
                                   "unroll", "in-flight", "batch", "blocked", "work-per-access", "work-per-batch"})
    if (options.has(option))
      unread.push_back({fmt::format("--{}", option), options.text(option).value_or("true"), "the command line", true,
                        "--inject gives no load in addition to the chains"});
  return unread;
}

int bandwidth_loaded(const BandwidthRun& run, StatsFile& statistics) {
  const std::uint64_t bytes = footprint(run);
  const std::uint64_t chains = run.options.has("chains") ? run.options.count("chains", 1, study::most_chains) : 1;
  const auto measure = [&](double injected) {
    return ask(run.gpu, [&] { return study::measure_loaded(run.gpu.spec(), run.question, bytes, injected, chains); });
  };
  std::vector<study::LoadedPoint> points;
  std::vector<double> injected;
  const tools::Keeping keeping;
  if (const auto text = run.options.text("inject")) {
    injected = rates("inject", *text);
  } else {
    tools::Progress progress("bandwidth --loaded", 1, run.options.has("quiet"));
    const auto greatest =
        tools::collect_points<study::LoadedPoint>(1, 1, progress, [&](std::size_t) { return measure(unlimited); });
    if (!greatest.complete()) what_is_kept(0, std::size(shares) + 1, "points");
    points = greatest.answers;
    for (const double share : shares) injected.push_back(share * points.front().bytes_per_second);
  }
  tools::Progress progress("bandwidth --loaded", injected.size(), run.options.has("quiet"));
  const auto measured = tools::collect_points<study::LoadedPoint>(injected.size(), run.jobs, progress,
                                                                  [&](std::size_t i) { return measure(injected[i]); });
  points.insert(points.end(), measured.answers.begin(), measured.answers.end());
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.injected_bytes_per_second < b.injected_bytes_per_second;
  });

  report::LoadedReport answer;
  std::uint64_t fingerprint = 0;
  for (const study::LoadedPoint& point : points) {
    fingerprint = mix(fingerprint, point.fingerprint);
    report::LoadedPoint& shown = answer.points.emplace_back();
    shown = {point.injected_bytes_per_second, point.bytes_per_second, point.latency_ns, point.latency_cycles,
             point.loads};
    for (const study::LevelShare& share : point.served_by)
      shown.hit_level_shares.emplace_back(share.level, share.share);
    statistics.add({fmt::format("{}", bytes), fmt::format("{}", point.injected_bytes_per_second)}, point.statistics);
  }
  answer.heading = run.heading(fingerprint);
  // The point that gives the greatest rate was measured before.
  const std::size_t missing = measured.asked - measured.answers.size();
  answer.heading.incomplete = what_is_kept(points.size(), points.size() + missing, "points");
  answer.operation = name(run.question.operation);
  answer.footprint_bytes = bytes;
  answer.chains = chains;
  answer.title = run.outputs.titled(fmt::format("{}: latency under load", run.gpu.spec().name));
  answer.label = run.outputs.labelled(std::move(answer.label));
  answer.subtitle = in_words(run.question, run.gpu.spec());
  answer.settings = run.settings;
  statistics.write(answer.heading, {{"footprint_bytes", {"footprint_bytes", report::Align::right}},
                                    {"injected_bytes_per_second", {"injected", report::Align::right}}});
  if (const std::string note = report::served_by_note(answer); !note.empty())
    fmt::print(stderr, "note: {}\n", printable(note));
  write_answer(run.outputs, answer, [&] { return report::loaded_chart(answer); });
  return finish(answer.heading, exit_done);
}

}  // namespace strata::cli
