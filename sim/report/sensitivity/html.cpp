// SPDX-License-Identifier: Apache-2.0
// The tornado chart and the page of `sensitivity`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/sensitivity/columns.hpp"
#include "report/svg/chart_layout.hpp"
#include "report/svg/drawing.hpp"
#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr double width = 960;
constexpr double head = 104;  // title, subtitle and legend
constexpr double pitch = 26;
constexpr double bar_height = 15;
constexpr double foot = 44;
constexpr double labels = 330;
constexpr double plot_left = labels + 60;
constexpr double plot_right = width - 100;

// Cut at its front: the end of a path is more specific than its beginning. The tooltip has the whole
// path.
std::string cut(const std::string& path, double room) {
  constexpr double size = 11.5;
  std::string text = clean(path);
  if (text_width(text, size) <= room) return text;
  while (!text.empty() && text_width("..." + text, size) > room) {
    text.erase(0, 1);
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) text.erase(0, 1);
  }
  return "..." + text;
}

// A round step that makes two to five grid lines on each side.
double grid_step(double largest) {
  const double power = std::pow(10.0, std::floor(std::log10(largest)));
  for (const double factor : {0.2, 0.5, 1.0})
    if (largest / (factor * power) <= 5) return factor * power;
  return 2 * power;
}

std::string move_words(const SensitivityReport& report, const SensitivityMove& move) {
  if (!move.done) return "not done";
  if (move.text.empty()) return "refused: " + move.refused;
  return fmt::format("{}: {}, {} %", move.text, answer_in_words(report, move.answer), signed_percent(move.change));
}

void draw_row(std::string& out, const SensitivityReport& report, const SensitivityRow& row, double top, double zero,
              double scale) {
  const auto add = std::back_inserter(out);
  const double base = top + bar_height - 3.5;
  fmt::format_to(
      add, "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}<title>{} = {}\n{} {}</title></text>\n",
      coordinate(labels), coordinate(base), escape_markup(cut(row.path, labels - 28)), escape_markup(row.path),
      escape_markup(row.value), escape_markup(row.provenance), escape_markup(row.source));
  // The longer one first, so that both are visible if they lie on one side.
  std::pair<const SensitivityMove*, int> sides[] = {{&row.low, 0}, {&row.high, 1}};
  if (std::abs(row.low.change) < std::abs(row.high.change)) std::swap(sides[0], sides[1]);
  for (const auto& [move, colour] : sides) {
    if (!std::isfinite(move->change) || move->change == 0) continue;
    const double length = std::max(std::abs(move->change) * scale, 1.0);
    fmt::format_to(add,
                   "<rect class=\"f{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} = {}</title></rect>\n",
                   colour, coordinate(move->change < 0 ? zero - length : zero), coordinate(top), coordinate(length),
                   coordinate(bar_height), escape_markup(row.path), escape_markup(move_words(report, *move)));
  }
  fmt::format_to(add, "<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n", coordinate(plot_right + 14),
                 coordinate(base), escape_markup(row.provenance));
}

std::string code(std::string_view text) { return fmt::format("<code>{}</code>", escape_markup(text)); }

std::string row_table(const SensitivityReport& report, bool refused) {
  std::vector<PageRow> rows;
  for (const SensitivityRow& row : report.rows) {
    if (refused ? !row.refused() : !row.moved()) continue;
    PageRow& out = rows.emplace_back();
    out.cells = {{code(row.path), ""}, figure_cell(row.value)};
    if (refused) {
      out.cells.push_back(text_cell(row.low.refused, "wide"));
      out.cells.push_back(text_cell(row.high.refused, "wide"));
    } else {
      out.cells.push_back(text_cell(move_words(report, row.low)));
      out.cells.push_back(text_cell(move_words(report, row.high)));
      out.cells.push_back(figure_cell(fixed(row.elasticity, 3)));
    }
    out.cells.push_back(text_cell(fmt::format("{} {}", row.provenance, row.source), "wide"));
  }
  if (rows.empty()) return {};
  if (refused) return Page::table({"Setting", "#Value", "Down", "Up", "Provenance"}, rows);
  return Page::table({"Setting", "#Value", "Down", "Up", "#Elasticity", "Provenance"}, rows);
}

}  // namespace

std::string svg(const SensitivityReport& report) {
  const std::vector<const SensitivityRow*> shown = shown_rows(report);
  const double height = head + pitch * static_cast<double>(std::max<std::size_t>(shown.size(), 1)) + foot;
  std::string out = begin_drawing(width, height, report.title, marked(report.heading, report.subtitle));
  if (shown.empty())
    return out +
           fmt::format("<text x=\"28\" y=\"{}\">No setting changes the result.</text>\n</svg>\n", coordinate(head));
  const auto add = std::back_inserter(out);
  double left = 28;
  for (const auto& [colour, words] : {std::pair{0, "setting moved down"}, std::pair{1, "setting moved up"}}) {
    fmt::format_to(add,
                   "<rect class=\"f{}\" x=\"{}\" y=\"68\" width=\"14\" height=\"10\"/>\n<text class=\"tick\" x=\"{}\" "
                   "y=\"77\">{}</text>\n",
                   colour, coordinate(left), coordinate(left + 20), words);
    left += 160;
  }
  // From the largest fall to the largest rise of the answer.
  double fall = 0;
  double rise = 0;
  for (const SensitivityRow* row : shown)
    for (const SensitivityMove* move : {&row->low, &row->high}) {
      if (!std::isfinite(move->change)) continue;
      fall = std::max(fall, -move->change);
      rise = std::max(rise, move->change);
    }
  const double scale = (plot_right - plot_left) / (fall + rise);
  const double zero = plot_left + fall * scale;
  const double bottom = height - foot;
  const double step = grid_step(std::max(fall, rise));
  const auto from = static_cast<int>(std::ceil(-fall / step));
  const auto to = static_cast<int>(std::floor(rise / step));
  for (int i = from; i <= to; ++i) {
    const double x = zero + i * step * scale;
    fmt::format_to(add,
                   "<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n<text class=\"tick\" x=\"{}\" "
                   "y=\"{}\" text-anchor=\"middle\">{}{} %</text>\n",
                   i == 0 ? "frame" : "grid", coordinate(x), coordinate(head - 8), coordinate(x), coordinate(bottom),
                   coordinate(x), coordinate(bottom + 16), i > 0 ? "+" : "", readable(100 * i * step));
  }
  double top = head;
  for (const SensitivityRow* row : shown) {
    draw_row(out, report, *row, top, zero, scale);
    top += pitch;
  }
  fmt::format_to(add, "<text class=\"axis-title\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">change of the {}</text>\n",
                 coordinate((plot_left + plot_right) / 2), coordinate(height - 10), escape_markup(report.figure.title));
  return out + "</svg>\n";
}

std::string html(const SensitivityReport& report) {
  Page page(report.title, report.subtitle, report.heading);
  const SensitivityCounts found = counts(report);
  page.open_tiles();
  page.tile(report.figure.title, fixed(report.answer / report.figure.per_unit, report.figure.decimals),
            report.figure.unit, "no setting moved", "headline");
  page.tile("Settings read", fmt::format("{}", found.read), "", fmt::format("of {} numbers", report.numbers));
  page.tile("With effect", fmt::format("{}", found.moved - found.without_effect), "",
            fmt::format("of {} moved", found.moved));
  page.tile("Refused", fmt::format("{}", found.refused), "", "no value near is allowed");
  page.close_tiles();
  page.card(svg(report));
  if (report.uncertainty) {
    page.section("Uncertainty");
    page.paragraph(uncertainty_in_words(report) + ".");
  }
  const std::vector<ProvenanceShare> shares = provenance_shares(report);
  if (!shares.empty()) {
    page.section("Provenance of the changes");
    page.paragraph("The largest change of each setting, summed by provenance.");
    page.card(page_table(tabulate(share_columns(), shares)));
  }
  page.section("Settings moved");
  const std::string moved = row_table(report, false);
  if (moved.empty())
    page.paragraph("None.");
  else
    page.card(moved);
  const std::string refused = row_table(report, true);
  if (!refused.empty()) {
    page.section("Settings refused");
    page.card(refused);
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
