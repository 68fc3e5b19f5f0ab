// SPDX-License-Identifier: Apache-2.0
#include "report/html/page.hpp"

#include <fmt/format.h>

#include "report/html/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
std::string class_attribute(std::string_view style) {
  return style.empty() ? std::string() : fmt::format(" class=\"{}\"", style);
}
std::string id_attribute(std::string_view anchor) {
  return anchor.empty() ? std::string() : fmt::format(" id=\"{}\"", escape_markup(anchor));
}
}  // namespace

Cell text_cell(std::string_view text, std::string_view style) { return {escape_markup(text), style}; }

Cell figure_cell(std::string_view text) { return {escape_markup(text), "n"}; }

Page::Page(std::string_view title, std::string_view subtitle, const Heading& heading) {
  out_ = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<header>\n"
      "<div class=\"brand\">Strata</div>\n<h1>{0}</h1>\n",
      escape_markup(title), page_style);
  if (heading.incomplete)
    out_ += fmt::format("<p class=\"bad\"><strong>{}</strong></p>\n", escape_markup(incomplete_in_words(heading)));
  if (!subtitle.empty()) paragraph(subtitle);
  out_ += fmt::format("<div class=\"origin\">version {}, fingerprint <code>{}</code></div>\n</header>\n",
                      escape_markup(heading.version), escape_markup(heading.fingerprint));
}

void Page::section(std::string_view title, std::string_view anchor) {
  out_ += fmt::format("<h2{}>{}</h2>\n", id_attribute(anchor), escape_markup(title));
}

void Page::block(std::string_view markup) {
  out_ += markup;
  out_ += '\n';
}

void Page::paragraph(std::string_view text) { out_ += fmt::format("<p>{}</p>\n", escape_markup(text)); }

void Page::open_tiles() { out_ += "<div class=\"tiles\">\n"; }

void Page::tile(std::string_view name, std::string_view figure, std::string_view unit, std::string_view remark,
                std::string_view style) {
  out_ += fmt::format(
      "<div class=\"tile{}{}\"><div class=\"name\">{}</div>"
      "<div class=\"figure\">{} <small>{}</small></div><div class=\"remark\">{}</div></div>\n",
      style.empty() ? "" : " ", style, escape_markup(name), escape_markup(figure), escape_markup(unit),
      escape_markup(remark));
}

void Page::close_tiles() { out_ += "</div>\n"; }

void Page::card(std::string_view markup) { out_ += fmt::format("<div class=\"card\">{}</div>\n", markup); }

std::string Page::table(const std::vector<std::string>& headings, const std::vector<PageRow>& rows,
                        std::string_view before) {
  std::string out = std::string(before) + "<div class=\"scroll tall\" tabindex=\"0\"><table>\n<thead><tr>";
  for (const std::string& heading : headings) {
    if (heading.empty()) {
      out += "<td></td>";
      continue;
    }
    const bool figures = heading.front() == '#';
    out += fmt::format("<th scope=\"col\"{}>{}</th>", figures ? " class=\"n\"" : "",
                       escape_markup(std::string_view(heading).substr(figures ? 1 : 0)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const PageRow& row : rows) {
    out += fmt::format("<tr{}{}>", id_attribute(row.anchor), class_attribute(row.style));
    for (const Cell& cell : row.cells) {
      out += fmt::format("<td{}>{}</td>", class_attribute(cell.style), cell.markup);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>";
}

void Page::details(std::string_view summary, std::string_view markup) {
  out_ += fmt::format("<details><summary>{}</summary>{}</details>\n", escape_markup(summary), markup);
}

std::string Page::finish() {
  out_ += "</main>\n</body>\n</html>\n";
  return std::move(out_);
}

}  // namespace strata::report
