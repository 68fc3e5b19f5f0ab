// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth/columns.hpp"
#include "report/bandwidth/hierarchy_map.hpp"
#include "report/bandwidth/levels_html.hpp"
#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
std::string footprint(const BandwidthPoint& point) { return size_label(static_cast<double>(point.footprint_bytes)); }

void tile_of(Page& page, std::string_view name, const BandwidthPoint& point, std::string_view style) {
  const RateUnit unit = rate_unit(point.bytes_per_second);
  page.tile(name, unit.show(point.bytes_per_second), unit.name,
            fmt::format("at {}: {}", footprint(point), bottleneck_in_words(point.watched())), style);
}

void add_tiles(Page& page, const BandwidthReport& report) {
  page.open_tiles();
  if (const BandwidthPoint* peak = greatest(report.points)) {
    tile_of(page, "Greatest bandwidth", *peak, "headline");
    const BandwidthPoint& last = report.points.back();
    if (&last != peak) tile_of(page, "Largest footprint", last, "");
  }
  if (report.comparison) add_comparison_tiles(page, *report.comparison);
  page.close_tiles();
}
}  // namespace

std::string html(const BandwidthReport& report) {
  std::vector<Watched> all;
  for (const BandwidthPoint& point : report.points) all.push_back(point.watched());
  const MapParts parts = parts_of(all);
  const auto map_of = [&](const BandwidthPoint& point) {
    HierarchyMap map = hierarchy_map(point.watched(), parts, point.cores, point.seconds);
    map.title = fmt::format("Footprint of {}", footprint(point));
    return map;
  };
  const RateUnit unit = rate_unit(report.points);
  Page page(report.title, report.subtitle, report.heading);
  add_tiles(page, report);
  page.card(svg(bandwidth_chart(report)));
  if (report.comparison) add_comparison(page, in(RateUnit{}, *report.comparison));
  page.section("Points of the curve");
  page.card(page_table(tabulate(point_columns(report), report.points)));
  if (!report.points.empty()) {
    const BandwidthPoint& last = report.points.back();
    page.section("Hierarchy");
    page.paragraph(
        "The largest footprint, from the cores to memory; the other footprints are below. Lines are as wide as their "
        "rate; bars are the busy share of the busiest resource of a box, and a heavy frame marks the busiest of all.");
    page.card(map_card(map_of(last), last.watched()));
  }
  page.section("Levels and resources");
  page.paragraph(
      "Bytes moved by each level, as a share of the peak of its data ports, and the busiest kinds of resource. Busy is "
      "the mean over the instances that took part.");
  for (const BandwidthPoint& point : report.points) {
    page.details(fmt::format("{}: {} {}, {}", footprint(point), unit.show(point.bytes_per_second), unit.name,
                             bottleneck_in_words(point.watched())),
                 (&point == &report.points.back() ? std::string() : map_card(map_of(point), point.watched()) + "\n") +
                     map_table(map_of(point)) + "\n" + level_table(point.watched()) + "\n" +
                     resource_table(point.watched()));
  }
  add_settings(page, report.settings);
  return page.finish();
}

std::string html(const LoadedReport& report) {
  const RateUnit unit = rate_unit(report.points);
  Page page(report.title, report.subtitle, report.heading);
  page.open_tiles();
  if (!report.points.empty()) {
    const auto [least, most] =
        std::minmax_element(report.points.begin(), report.points.end(),
                            [](const auto& a, const auto& b) { return a.latency_ns < b.latency_ns; });
    const auto remark = [&](const LoadedPoint& point) {
      return fmt::format("at {} {}", unit.show(point.bytes_per_second), unit.name);
    };
    page.tile("Least latency", fixed(least->latency_ns, 1), "ns", remark(*least), "headline");
    page.tile("Greatest latency", fixed(most->latency_ns, 1), "ns", remark(*most));
  }
  page.close_tiles();
  page.card(svg(loaded_chart(report)));
  page.section("Points of the curve");
  page.card(page_table(tabulate(loaded_columns(unit), report.points)));
  if (const std::string note = served_by_note(report); !note.empty()) page.paragraph(note);
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
