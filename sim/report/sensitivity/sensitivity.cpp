// SPDX-License-Identifier: Apache-2.0
#include "report/sensitivity/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/text/table.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr std::size_t half_bar = 12;  // characters on each side of the axis

std::string change_text(const SensitivityMove& move) {
  if (!move.done) return "not done";
  if (move.text.empty()) return "refused";
  return signed_percent(move.change) + " %";
}

std::string value_text(const SensitivityMove& move) { return move.text + (move.nearest ? " *" : ""); }

// '-' is the answer with the lower value, '+' with the higher one. Where both are on one
// side, the longer one is drawn.
std::string bar(const SensitivityRow& row, double largest) {
  std::string left(half_bar, ' ');
  std::string right(half_bar, ' ');
  std::pair<const SensitivityMove*, char> sides[] = {{&row.low, '-'}, {&row.high, '+'}};
  if (std::abs(row.low.change) > std::abs(row.high.change)) std::swap(sides[0], sides[1]);
  for (const auto& [move, mark] : sides) {
    if (!std::isfinite(move->change) || move->change == 0) continue;
    const auto length =
        static_cast<std::size_t>(std::lround(std::abs(move->change) / largest * static_cast<double>(half_bar)));
    if (move->change < 0)
      std::fill_n(left.rbegin(), length, mark);
    else
      std::fill_n(right.begin(), length, mark);
  }
  std::string text = left + '|' + right;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

double SensitivityRow::largest_change() const {
  if (!std::isfinite(low.change)) return high.change;
  if (!std::isfinite(high.change)) return low.change;
  return std::abs(high.change) >= std::abs(low.change) ? high.change : low.change;
}

SensitivityCounts counts(const SensitivityReport& report) {
  SensitivityCounts counts;
  counts.read = report.numbers - report.unread;
  counts.selected = report.rows.size();
  for (const SensitivityRow& row : report.rows) {
    if (row.moved()) {
      ++counts.moved;
      if (row.largest_change() == 0) ++counts.without_effect;
    } else if (row.zero()) {
      ++counts.zero;
    } else if (row.refused()) {
      ++counts.refused;
    } else {
      ++counts.not_done;
    }
  }
  return counts;
}

std::vector<ProvenanceShare> provenance_shares(const SensitivityReport& report) {
  std::vector<ProvenanceShare> shares;
  double sum = 0;
  for (const SensitivityRow& row : report.rows) {
    const double change = std::abs(row.largest_change());
    if (!(change > 0)) continue;
    auto known = std::find_if(shares.begin(), shares.end(),
                              [&](const auto& share) { return share.provenance == row.provenance; });
    if (known == shares.end()) known = shares.insert(known, {row.provenance, 0, 0});
    ++known->settings;
    known->share += change;
    sum += change;
  }
  for (ProvenanceShare& share : shares) share.share /= sum;
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return shares;
}

void rank(std::vector<SensitivityRow>& rows) {
  const auto key = [](const SensitivityRow& row) {
    const double change = std::abs(row.largest_change());
    return std::isfinite(change) ? change : -1;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const SensitivityRow& a, const SensitivityRow& b) {
    return key(a) != key(b) ? key(a) > key(b) : a.path < b.path;
  });
}

std::vector<const SensitivityRow*> shown_rows(const SensitivityReport& report) {
  std::vector<const SensitivityRow*> shown;
  for (const SensitivityRow& row : report.rows)
    if (shown.size() < report.top && std::abs(row.largest_change()) > 0) shown.push_back(&row);
  return shown;
}

std::string counts_in_words(const SensitivityReport& report) {
  const SensitivityCounts found = counts(report);
  std::string words =
      fmt::format("numbers in the configuration: {}; read by this question: {}", report.numbers, found.read);
  if (found.selected != found.read) words += fmt::format("; selected by --only: {}", found.selected);
  words += fmt::format("; moved: {}, {} of them without effect; refused: {}; zero: {}", found.moved,
                       found.without_effect, found.refused, found.zero);
  if (found.not_done > 0) words += fmt::format("; not done: {}", found.not_done);
  return words;
}

std::string answer_in_words(const SensitivityReport& report, double answer) {
  return fmt::format("{} {}", fixed(answer / report.figure.per_unit, report.figure.decimals), report.figure.unit);
}

std::string uncertainty_in_words(const SensitivityReport& report) {
  const UncertaintyReport& band = *report.uncertainty;
  if (band.drawn.empty()) return "no estimated setting is read, so there is none to vary";
  return fmt::format(
      "{} settings drawn together from 1/{:.4g} to {:.4g} of their values, {} draws, {} refused: median {}, 5 % to 95 "
      "%: {} to {}",
      band.drawn.size(), 1 + band.range, 1 + band.range, band.answers.size() + band.refused, band.refused,
      answer_in_words(report, band.median), answer_in_words(report, band.p05), answer_in_words(report, band.p95));
}

std::string table(const SensitivityReport& report) {
  std::string out = incomplete_line(report.heading);
  out += clean(fmt::format("{} {}", report.title, answer_in_words(report, report.answer))) + "\n";
  out += counts_in_words(report) + "\n\n";
  const std::vector<const SensitivityRow*> shown = shown_rows(report);
  const double largest = shown.empty() ? 1 : std::abs(shown.front()->largest_change());
  std::vector<std::vector<std::string>> rows;
  bool nearest = false;
  for (const SensitivityRow* row : shown) {
    rows.push_back({row->path, row->value, value_text(row->low), value_text(row->high), change_text(row->low),
                    change_text(row->high), fixed(row->elasticity, 2), row->provenance, bar(*row, largest)});
    nearest = nearest || row->low.nearest || row->high.nearest;
  }
  if (shown.empty()) {
    out += report.heading.incomplete ? "none of the settings moved so far changes the result\n"
                                     : "no setting changes the result\n";
  } else {
    out += table({{"setting", Align::left},
                  {"value"},
                  {"low"},
                  {"high"},
                  {"at low"},
                  {"at high"},
                  {"elasticity"},
                  {"provenance", Align::left},
                  {"- low, + high", Align::left}},
                 rows);
    if (nearest) out += fmt::format("* not {} % away: the nearest value that is allowed\n", readable(100 * report.by));
    std::vector<std::string> parts;
    for (const ProvenanceShare& share : provenance_shares(report))
      parts.push_back(fmt::format("{} {} % ({} settings)", share.provenance, percent(share.share), share.settings));
    out += fmt::format("\nof all changes: {}\n", fmt::join(parts, ", "));
  }
  constexpr std::size_t most_refused = 5;
  std::size_t refused = 0;
  for (const SensitivityRow& row : report.rows) {
    if (!row.refused() || ++refused > most_refused) continue;
    out += clean(fmt::format("refused: {} = {}: {}", row.path, row.value,
                             row.high.refused.empty() ? row.low.refused : row.high.refused)) +
           "\n";
  }
  if (refused > most_refused)
    out += fmt::format("{} more are refused; --json, --csv and --html list all\n", refused - most_refused);
  if (report.uncertainty) out += "\n" + uncertainty_in_words(report) + "\n";
  return out;
}

Columns<SensitivityRow> moved_columns() {
  using Row = SensitivityRow;
  return {
      {{"path"}, as_text(&Row::path)},        {{"value"}, as_text(&Row::value)},
      {{"number"}, as_real(&Row::number, 1)}, {{"provenance"}, as_text(&Row::provenance)},
      {{"source"}, as_text(&Row::source)},    {{"set_by"}, as_text(&Row::set_by)},
  };
}

Columns<ProvenanceShare> share_columns() {
  using Row = ProvenanceShare;
  return {
      {{"provenance", {"", Align::left}, "Provenance"}, as_text(&Row::provenance)},
      {{"settings", {}, "Settings"}, as_whole(&Row::settings)},
      {{"share", {}, "Share of all changes"}, as_real(&Row::share, [](double share) { return percent(share) + " %"; })},
  };
}

std::string csv(const SensitivityReport& report) {
  using Row = SensitivityRow;
  Columns<Row> columns = moved_columns();
  using Move = SensitivityMove;
  const Columns<Move> of_move{
      {{""}, as_text(&Move::text)},
      {{"_number"}, [](const Move& move) { return move.text.empty() ? Datum{} : as_real(move.number, 1); }},
      {{"_" + report.figure.field}, as_real(&Move::answer, 1)},
      {{"_change"}, as_real(&Move::change, 1)},
      {{"_refused"}, as_text(&Move::refused)},
  };
  for (const auto& [side, name] : {std::pair{&Row::low, "low"}, {&Row::high, "high"}})
    for (const ColumnOf<Move>& column : of_move)
      columns.push_back(
          {{name + column.head.key}, [side = side, cell = column.cell](const Row& row) { return cell(row.*side); }});
  columns.push_back({{"elasticity"}, as_real(&Row::elasticity, 1)});
  std::vector<const Row*> done;
  for (const Row& row : report.rows)
    if (row.low.done && row.high.done) done.push_back(&row);
  return incomplete_comment(report.heading) + csv(tabulate(columns, done));
}

}  // namespace strata::report
