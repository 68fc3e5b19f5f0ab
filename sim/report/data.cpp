// SPDX-License-Identifier: Apache-2.0
#include "report/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Adds absolute values that exist; the order of addition is the rows' order,
// so the last bit is the same everywhere.
class MeanOfMagnitudes {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    sum_ += std::abs(value);
    ++count_;
  }
  double value() const { return count_ == 0 ? none : sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};
}  // namespace

std::string incomplete_in_words(const Heading& heading) {
  if (!heading.incomplete) return {};
  return fmt::format("incomplete: interrupted after {} of {} {}", heading.incomplete->done, heading.incomplete->asked,
                     heading.incomplete->what);
}

std::string incomplete_comment(const Heading& heading) {
  return heading.incomplete ? fmt::format("# {}\n", incomplete_in_words(heading)) : std::string();
}

std::string incomplete_line(const Heading& heading) {
  return heading.incomplete ? fmt::format("{}\n\n", incomplete_in_words(heading)) : std::string();
}

std::string marked(const Heading& heading, const std::string& subtitle) {
  if (!heading.incomplete) return subtitle;
  return incomplete_in_words(heading) + (subtitle.empty() ? "" : "; ") + subtitle;
}

std::string served_by(const LatencyPoint& point) { return served_by(point.hit_level_shares); }

std::string served_by(const std::vector<std::pair<std::string, double>>& hit_level_shares) {
  std::string text;
  for (const auto& [level, share] : hit_level_shares) {
    if (share > 0) text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", level, percent(share));
  }
  return text;
}

double share_of(const std::vector<std::pair<std::string, double>>& hit_level_shares, const std::string& level) {
  for (const auto& [name, share] : hit_level_shares)
    if (name == level) return share;
  return 0;
}

std::vector<std::string> levels_of(const std::vector<LatencyPoint>& points) {
  std::vector<std::string> levels;
  for (const LatencyPoint& point : points) {
    for (const auto& [level, share] : point.hit_level_shares) {
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
    }
  }
  return levels;
}

double ComparedPoint::error() const { return measured == 0 ? none : (predicted - measured) / measured; }

double Comparison::mean_absolute_error() const {
  MeanOfMagnitudes mean;
  for (const ComparedPoint& point : points) mean.add(point.error());
  return mean.value();
}

const ComparedPoint* Comparison::worst() const {
  const ComparedPoint* found = nullptr;
  for (const ComparedPoint& point : points) {
    if (!std::isfinite(point.error())) continue;
    if (found == nullptr || std::abs(point.error()) > std::abs(found->error())) found = &point;
  }
  return found;
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::spec:
      return "spec";
    case Kind::fitted:
      return "fitted";
    case Kind::predicted:
      return "predicted";
    case Kind::ordering:
      return "ordering";
  }
  return "unknown";
}

std::string_view meaning(Kind kind) {
  switch (kind) {
    case Kind::spec:
      return "arithmetic of the configuration; a failure is a mistake in a file";
    case Kind::fitted:
      return "a parameter was tuned on this row, so it only shows the quality of the fit";
    case Kind::predicted:
      return "nothing was tuned on this row; these rows measure the accuracy of the model";
    case Kind::ordering:
      return "which of two quantities is the larger, as a document states it";
  }
  return "";
}

ValidationSummary summarise(const std::vector<ValidationRow>& rows) {
  ValidationSummary summary;
  MeanOfMagnitudes predicted;
  for (const ValidationRow& row : rows) {
    Tally& kind = summary.by_kind[static_cast<std::size_t>(row.kind)];
    ++summary.all.rows;
    ++kind.rows;
    if (row.pass) {
      ++summary.all.passed;
      ++kind.passed;
    }
    if (row.kind == Kind::predicted && !row.absolute) predicted.add(row.error);
  }
  summary.predicted_mean_absolute_error = predicted.value();
  return summary;
}

std::vector<std::string> gpus_of(const std::vector<ValidationRow>& rows) {
  std::vector<std::string> gpus;
  for (const ValidationRow& row : rows) {
    if (std::find(gpus.begin(), gpus.end(), row.gpu) == gpus.end()) gpus.push_back(row.gpu);
  }
  return gpus;
}

std::vector<const ValidationRow*> rows_of(const std::vector<ValidationRow>& rows, std::string_view gpu) {
  std::vector<const ValidationRow*> found;
  for (const ValidationRow& row : rows)
    if (row.gpu == gpu) found.push_back(&row);
  return found;
}

std::vector<std::string> notes_on(const std::vector<Setting>& settings) {
  std::vector<std::string> notes;
  for (const Setting& setting : settings) {
    if (!setting.given) continue;
    if (!setting.unread.empty())
      notes.push_back(fmt::format("{}{}{} is set, but not read by this question: {}", setting.path,
                                  setting.path.starts_with("--") ? " " : "=", setting.value, setting.unread));
    else if (!setting.caveat.empty())
      notes.push_back(fmt::format("{}={}: {}", setting.path, setting.value, setting.caveat));
  }
  return notes;
}

}  // namespace strata::report
