// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "report/svg/chart_layout.hpp"
#include "report/svg/curve.hpp"
#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double label_pitch = 15;       // of labels at the ends of lines
constexpr std::size_t many_points = 80;  // from here on, marks are smaller

// Writes one chart; each member draws one layer.
class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart), plot_(layout(chart)) {}

  std::string text() {
    open();
    grids();
    capacities();
    plateaus();
    lines();
    plateau_labels();
    direct_labels();
    points();
    residuals();
    legend();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  void line(std::string_view style, double x1, double y1, double x2, double y2) {
    add("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", style, coordinate(x1), coordinate(y1),
        coordinate(x2), coordinate(y2));
  }

  void words(std::string_view style, double x, double y, std::string_view anchor, std::string_view text) {
    add("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", style, coordinate(x), coordinate(y),
        anchor, escape_markup(text));
  }

  std::size_t colour_of(std::size_t index) const { return chart_.series[index].colour.value_or(index) % chart_colours; }

  void open() {
    const std::string width = coordinate(chart_.width);
    const std::string height = coordinate(drawn_height(chart_));
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"strata-chart\" viewBox=\"0 0 {} {}\" "
        "width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">\n",
        width, height, width, height, escape_markup(chart_.title));
    add("<style>{}{}</style>\n", chart_style, plot_.residuals ? residual_style : std::string_view{});
    add("<rect class=\"page\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n", width, height);
    words("title", left_margin, 34, "start", chart_.title);
    words("subtitle", left_margin, 54, "start", chart_.subtitle);
  }

  static std::string axis_title(const AxisSpec& axis) {
    return axis.unit.empty() ? axis.title : fmt::format("{} [{}]", axis.title, axis.unit);
  }

  // Grid lines, frame and axes of one panel; the lowest one has the labels of the x axis.
  template <typename Pixel>
  void grid(double top, double height, const Axis& y_axis, const Pixel& py, std::string_view title, bool lowest) {
    const double right = plot_.left + plot_.width;
    const double bottom = top + height;
    for (const Tick& tick : plot_.x.ticks()) {
      const double x = plot_.px(tick.value);
      line(tick.label.empty() ? "minor" : "grid", x, top, x, bottom);
      if (lowest && !tick.label.empty()) words("tick", x, bottom + 19, "middle", tick.label);
    }
    for (const Tick& tick : y_axis.ticks()) {
      const double y = py(tick.value);
      line(tick.label.empty() ? "minor" : "grid", plot_.left, y, right, y);
      if (!tick.label.empty()) words("tick", plot_.left - 9, y + 4, "end", tick.label);
    }
    line("frame", plot_.left, bottom, right, bottom);
    line("frame", plot_.left, top, plot_.left, bottom);
    if (lowest) words("axis-title", plot_.left + plot_.width / 2, bottom + 44, "middle", axis_title(chart_.x));
    add("<text class=\"axis-title\" transform=\"translate(20 {}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n",
        coordinate(top + height / 2), escape_markup(title));
  }

  void grids() {
    const auto& panel = plot_.residuals;
    grid(
        plot_.top, plot_.height, plot_.y, [this](double value) { return plot_.py(value); }, axis_title(chart_.y),
        !panel);
    if (panel)
      grid(panel->top, panel->height, panel->y, [&](double value) { return panel->py(value); }, "Error [%]", true);
  }

  void capacities() {
    for (const CapacityLabel& label : place_capacities(chart_, plot_.x, plot_.width)) {
      const double y = plot_.top - 6 - capacity_row * static_cast<double>(label.row);
      line("capacity", label.x, y - 9, label.x, plot_.top + plot_.height);
      words("capacity-label", label.text_x, y, "start", label.marker->label);
    }
  }

  // The part of a plateau inside the plot, as pixels; nothing when none is.
  std::optional<std::pair<double, double>> extent(const Plateau& plateau) const {
    const double from = std::max(plateau.from_x, plot_.x.lower());
    const double to = std::min(plateau.to_x, plot_.x.upper());
    if (!(from < to) || !plot_.x.shows(from) || !plot_.x.shows(to)) return std::nullopt;
    if (!plot_.y.shows(plateau.y)) return std::nullopt;
    return std::pair{plot_.px(from), plot_.px(to)};
  }

  void plateaus() {
    for (const Plateau& plateau : chart_.plateaus) {
      const auto ends = extent(plateau);
      if (!ends) continue;
      const double y = plot_.py(plateau.y);
      line("plateau", ends->first, y, ends->second, y);
    }
  }

  // Latency rises with footprint, so the space above and left of a plateau is
  // free: a label wider than its plateau grows to the left.
  void plateau_labels() {
    for (const Plateau& plateau : chart_.plateaus) {
      const auto ends = extent(plateau);
      if (!ends) continue;
      const double half = text_width(plateau.label, 11.5) / 2;
      const double middle = std::min((ends->first + ends->second) / 2, ends->second - half);
      words("plateau-label", std::max(middle, plot_.left + 6 + half), plot_.py(plateau.y) - 10, "middle",
            plateau.label);
    }
  }

  std::string x_label(double x) const {
    return chart_.x.labels == TickLabels::size ? size_label(x)
                                               : fmt::format("{} {}", readable(x), clean(chart_.x.unit));
  }

  std::string tooltip(const Series& series, const ChartPoint& point) const {
    std::string text = fmt::format("{}: {}, {} {}", escape_markup(series.name), escape_markup(x_label(point.x)),
                                   readable(point.y), escape_markup(chart_.y.unit));
    if (!point.note.empty()) text += fmt::format("\n{}", escape_markup(point.note));
    return text;
  }

  bool shows(const ChartPoint& point) const { return plot_.x.shows(point.x) && plot_.y.shows(point.y); }

  void lines() {
    for (std::size_t index = 0; index < chart_.series.size(); ++index) {
      const Series& series = chart_.series[index];
      if (series.style != Style::line) continue;
      std::string path;
      std::string hovers;
      bool pen_down = false;
      for (const ChartPoint& point : series.points) {
        if (!shows(point)) {
          pen_down = false;
          continue;
        }
        const std::string x = coordinate(plot_.px(point.x));
        const std::string y = coordinate(plot_.py(point.y));
        fmt::format_to(std::back_inserter(path), "{}{} {}", pen_down ? "L" : "M", x, y);
        if (!pen_down) path += "h0";  // so that a lone point shows as a dot
        fmt::format_to(std::back_inserter(hovers),
                       "<circle class=\"hover\" cx=\"{}\" cy=\"{}\" r=\"7\"><title>{}</title></circle>\n", x, y,
                       tooltip(series, point));
        pen_down = true;
      }
      if (path.empty()) continue;
      add("<path class=\"line s{}\"{} d=\"{}\"/>\n", colour_of(index), dashes(index), path);
      if (several_lines() && series.points.size() <= many_points / 2)
        for (const ChartPoint& point : series.points)
          if (shows(point))
            add("{}/>\n", mark(index, colour_of(index), plot_.px(point.x), plot_.py(point.y), " scale(.8)"));
      out_ += hovers;
    }
  }

  bool several_lines() const {
    return std::count_if(chart_.series.begin(), chart_.series.end(),
                         [](const Series& one) { return one.style == Style::line; }) > 1;
  }

  // The first line is whole; what lies beneath a dashed one shows in its gaps.
  std::string dashes(std::size_t index) const {
    static constexpr std::array<std::string_view, 5> patterns{"", "9 5", "2 5", "12 4 2 4", "5 3"};
    const std::string_view pattern = patterns[index % patterns.size()];
    return !several_lines() || pattern.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", pattern);
  }

  // At the last point of each line, one below the other if they would overlap.
  void direct_labels() {
    struct Label {
      double x, y;
      const Series* series;
    };
    std::vector<Label> labels;
    for (const Series& series : chart_.series) {
      const auto last = std::find_if(series.points.rbegin(), series.points.rend(),
                                     [this](const ChartPoint& point) { return shows(point); });
      if (!series.label.empty() && last != series.points.rend())
        labels.push_back({plot_.px(last->x), plot_.py(last->y) - 8, &series});
    }
    std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + label_pitch);
    const double over = labels.empty() ? 0 : std::max(labels.back().y - (plot_.top + plot_.height - 4), 0.0);
    for (const Label& label : labels) {
      const bool room = label.x + 110 < plot_.left + plot_.width;
      words("plateau-label", room ? label.x + 9 : label.x - 9, label.y - over, room ? "start" : "end",
            label.series->label);
    }
  }

  // The shape goes with the colour: circle, square, diamond, triangle.
  std::string mark(std::size_t colour, double x, double y, std::string_view size = "") const {
    return mark(colour, colour, x, y, size);
  }
  std::string mark(std::size_t shape, std::size_t colour, double x, double y, std::string_view size) const {
    static constexpr std::array<std::string_view, 4> shapes{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.5 -3.5h7v7h-7z",
                                                            "M0 -5l5 5l-5 5l-5 -5z", "M0 -5.5l5 8.5h-10z"};
    return fmt::format("<path class=\"point f{}\" transform=\"translate({} {}){}\" d=\"{}\"", colour, coordinate(x),
                       coordinate(y), size, shapes[shape % shapes.size()]);
  }

  void points() {
    for (std::size_t index = 0; index < chart_.series.size(); ++index) {
      const Series& series = chart_.series[index];
      if (series.style != Style::points) continue;
      const std::string_view size = series.points.size() > many_points ? " scale(.7)" : "";
      for (const ChartPoint& point : series.points) {
        if (!shows(point)) continue;
        add("{}><title>{}</title></path>\n", mark(colour_of(index), plot_.px(point.x), plot_.py(point.y), size),
            tooltip(series, point));
      }
    }
  }

  // A stem from the zero line to each mark, so that sign and size are readable without colour.
  void residuals() {
    if (!plot_.residuals) return;
    const ResidualPanel& panel = *plot_.residuals;
    line("zero", plot_.left, panel.py(0), plot_.left + plot_.width, panel.py(0));
    for (const Series& series : chart_.residuals) {
      const std::size_t colour = series.colour.value_or(0) % chart_colours;
      const std::string_view size = series.points.size() > many_points ? " scale(.7)" : "";
      for (const ChartPoint& point : series.points) {
        if (!plot_.x.shows(point.x) || !panel.y.shows(point.y)) continue;
        const double x = plot_.px(point.x);
        line(fmt::format("stem s{}", colour), x, panel.py(0), x, panel.py(point.y));
        add("{}><title>{}: {}, {} %\n{}</title></path>\n", mark(colour, x, panel.py(point.y), size),
            escape_markup(series.name), escape_markup(x_label(point.x)), signed_percent(point.y / 100),
            escape_markup(point.note));
      }
    }
  }

  void legend() {
    const std::vector<LegendEntry> entries = place_legend(chart_);
    for (std::size_t index = 0; index < entries.size(); ++index) {
      const Series& series = chart_.series[index];
      const auto [x, y] = entries[index];
      const std::size_t colour = colour_of(index);
      if (series.style == Style::line) {
        add("<line class=\"line s{}\"{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", colour, dashes(index),
            coordinate(x), coordinate(y), coordinate(x + 18), coordinate(y));
        if (several_lines()) add("{}/>\n", mark(index, colour, x + 9, y, " scale(.8)"));
      } else {
        add("{}/>\n", mark(colour, x + 9, y));
      }
      words("axis-title", x + legend_mark, y + 4, "start", series.name);
    }
  }

  const Chart& chart_;
  Layout plot_;
  std::string out_;
};
}  // namespace

std::string svg(const Chart& chart) { return Drawing(chart).text(); }

}  // namespace strata::report
