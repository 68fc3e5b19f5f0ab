// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/data_columns.hpp"
#include "report/html/page.hpp"
#include "report/latency/html.hpp"
#include "report/svg/curve.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
// The kinds are separate everywhere, so a good fit is never read as a good prediction.
void add_tiles(Page& page, const ValidationSummary& summary) {
  page.open_tiles();
  page.tile("Predicted, mean absolute error", percent(summary.predicted_mean_absolute_error), "%",
            "the score of the model", "headline");
  for (const Kind kind : all_kinds) {
    const Tally& tally = summary.by_kind[static_cast<std::size_t>(kind)];
    const std::size_t failed = tally.rows - tally.passed;
    page.tile(name(kind), fmt::format("{}", tally.passed), fmt::format("of {}", tally.rows),
              tally.rows == 0 ? "no rows"
              : failed == 0   ? "all passed"
                              : fmt::format("{} failed", failed),
              failed == 0 ? "" : "bad");
  }
  page.close_tiles();
}

std::string anchor_of_row(const ValidationRow& row) { return "row-" + row.id; }
std::string anchor_of_gpu(std::string_view gpu) { return fmt::format("gpu-{}", gpu); }

std::string link(const std::string& anchor, const std::string& markup) {
  return fmt::format("<a href=\"#{}\">{}</a>", escape_markup(anchor), markup);
}

// Rows outside their tolerance, worst first, each with a link to its row.
void add_failures(Page& page, const std::vector<ValidationRow>& rows) {
  std::vector<const ValidationRow*> failed;
  for (const ValidationRow& row : rows)
    if (!row.pass) failed.push_back(&row);
  if (failed.empty()) return;
  // A row without a figure has no error, and sorts as the worst.
  const auto size = [](const ValidationRow* row) {
    return std::isnan(row->error) ? std::numeric_limits<double>::infinity() : std::abs(row->error);
  };
  std::stable_sort(failed.begin(), failed.end(),
                   [&](const ValidationRow* a, const ValidationRow* b) { return size(a) > size(b); });
  std::vector<PageRow> written;
  for (const ValidationRow* row : failed)
    written.push_back({{{link(anchor_of_row(*row), fmt::format("<code>{}</code>", escape_markup(row->id))), "id"},
                        {link(anchor_of_gpu(row->gpu), escape_markup(row->gpu)), ""},
                        text_cell(row->quantity, "wide"),
                        figure_cell(signed_percent(row->error)),
                        figure_cell(percent(row->tolerance)),
                        {fmt::format("<span class=\"kind {0}\">{0}</span>", name(row->kind)), ""}},
                       ""});
  page.section(fmt::format("Outside tolerance: {} of {} rows", failed.size(), rows.size()), "failures");
  page.card(Page::table({"Id", "GPU", "Quantity", "#Error [%]", "#Tolerance [%]", "Kind"}, written));
}

// Without a script: the style sheet hides rows that are not selected, by the state of the check
// boxes.
std::string filter() {
  std::string out =
      "<fieldset class=\"filter\"><legend>Rows shown</legend>"
      "<label><input type=\"checkbox\" id=\"only-failed\"/> only those that failed</label>";
  for (const Kind kind : all_kinds)
    out += fmt::format("<label><input type=\"checkbox\" id=\"show-{0}\" checked=\"\"/> {0}</label>", name(kind));
  return out + "</fieldset>";
}

std::string rows_table(const std::vector<const ValidationRow*>& rows) {
  const DataTable data = tabulate(validation_columns(), rows);
  std::vector<PageRow> written = page_rows(data);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    written[i].style = fmt::format("{}{}", rows[i]->pass ? "" : "failed ", name(rows[i]->kind));
    written[i].anchor = anchor_of_row(*rows[i]);
  }
  return Page::table(page_headings(data), written);
}

std::string kinds_list() {
  std::string out = "<dl>";
  for (const Kind kind : all_kinds) {
    out += fmt::format("<dt><span class=\"kind {0}\">{0}</span></dt><dd>{1}</dd>", name(kind),
                       escape_markup(meaning(kind)));
  }
  return out + "</dl>";
}

void add_curves(Page& page, const std::vector<CurveReport>& curves, std::string_view gpu) {
  for (const CurveReport& curve : curves) {
    if (curve.heading.gpu == gpu) page.card(svg(latency_chart(curve)));
  }
}
}  // namespace

std::string html(const ValidationReport& report) {
  const ValidationSummary summary = summarise(report.rows);
  std::vector<std::string> gpus = gpus_of(report.rows);
  for (const CurveReport& curve : report.curves) {
    if (std::find(gpus.begin(), gpus.end(), curve.heading.gpu) == gpus.end()) {
      gpus.push_back(curve.heading.gpu);
    }
  }
  Page page("Validation report",
            fmt::format("{} of {} expectations passed on {} GPU{}", summary.all.passed, summary.all.rows, gpus.size(),
                        gpus.size() == 1 ? "" : "s"),
            report.heading);
  add_tiles(page, summary);
  page.card(kinds_list());
  add_failures(page, report.rows);
  page.block(filter());
  for (const std::string& gpu : gpus) {
    const std::vector<const ValidationRow*> rows = rows_of(report.rows, gpu);
    page.section(gpu, anchor_of_gpu(gpu));
    add_curves(page, report.curves, gpu);
    if (!rows.empty()) {
      const auto passed = std::count_if(rows.begin(), rows.end(), [](const ValidationRow* row) { return row->pass; });
      page.paragraph(fmt::format("{} of {} rows passed", passed, rows.size()));
      page.card(rows_table(rows));
    }
  }
  return page.finish();
}

}  // namespace strata::report
