// SPDX-License-Identifier: Apache-2.0
#include "man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "option_rows.hpp"
#include "options.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

// A backslash and a dash mean something to troff, a full stop and a quote at the start of a line.
std::string escaped(std::string_view text) {
  std::string out;
  bool starts = true;
  for (const char c : text) {
    if (starts && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    starts = c == '\n';
  }
  return out;
}

std::string title(std::string_view name) {
  std::string capitals(name);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH \"{}\" 1 \"\" \"strata {}\" \"Strata\"\n", capitals, version);
}

// Lines that are laid out by hand keep their layout.
std::string paragraph(const std::string& text) {
  const bool laid_out = text.find("  ") != std::string::npos;
  return laid_out ? fmt::format(".nf\n{}\n.fi\n", escaped(text)) : escaped(text) + '\n';
}

std::string synopsis(const Verb& verb, const std::string& usage) {
  const std::string between = fmt::format(" | {} ", verb.name);
  std::string out;
  for (std::size_t at = 0; at < usage.size();) {
    const std::size_t end = std::min(usage.find(between, at), usage.size());
    out += fmt::format(".B strata {}\n{}", escaped(usage.substr(at, end - at)), end < usage.size() ? ".br\n" : "");
    at = end < usage.size() ? end + 3 : end;
  }
  return out;
}

std::string entry(const OptionRow& row) {
  std::string out = ".TP\n";
  if (row.letter != 0) out += fmt::format("\\fB\\-{}\\fR, ", row.letter);
  out += fmt::format("\\fB\\-\\-{}\\fR", escaped(row.name));
  if (!row.implied.empty())
    out += fmt::format("[=\\fI{}\\fR]", escaped(row.value));
  else if (!row.value.empty())
    out += fmt::format(" \\fI{}\\fR", escaped(row.value));
  out += '\n' + escaped(row.meaning);
  if (!row.standard.empty()) out += fmt::format("\n.br\nDefault: {}", escaped(row.standard));
  if (!row.implied.empty()) out += fmt::format("\n.br\nWithout a value: {}", escaped(row.implied));
  return out + '\n';
}

std::string exit_status() {
  std::string out = ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses)
    out += fmt::format(".TP\n.B {}\n{}\n", status.code, escaped(status.meaning));
  return out;
}

}  // namespace

std::string program_page() {
  std::string out =
      title("strata") +
      ".SH NAME\nstrata \\- cycle\\-level simulator of GPU memory hierarchies\n"
      ".SH SYNOPSIS\n.B strata\n.I VERB\n[\\fIoptions\\fR]\n.br\n.B strata \\-\\-version\n"
      ".SH DESCRIPTION\nA machine, described in YAML, executes a workload. Each verb answers one question about it.\n"
      ".SH VERBS\n";
  std::string others;
  for (const Verb& verb : verbs()) {
    out += fmt::format(".TP\n.BR strata\\-{} (1)\n{}\n", verb.name, escaped(verb.summary));
    others += fmt::format("{}.BR strata\\-{} (1)", others.empty() ? "" : ",\n", verb.name);
  }
  out += exit_status();
  out +=
      ".SH FILES\n.TP\n.I share/strata/configs\nMachines. Your own machine names one of them as its base.\n"
      ".TP\n.I share/strata/validation\nPublished measurements, each with its source and its tolerance.\n"
      ".TP\n.I share/strata/traces\nExamples of traces.\n"
      ".TP\n.I share/strata/README.md, share/strata/docs\nGuides, reference pages, formats, design.\n";
  return out + ".SH SEE ALSO\n" + others + '\n';
}

std::string verb_page(const Verb& verb) {
  const Options options = verb.options({});
  std::string out = title(fmt::format("strata-{}", verb.name));
  out += fmt::format(".SH NAME\nstrata\\-{} \\- {}\n.SH SYNOPSIS\n{}", verb.name, escaped(verb.summary),
                     synopsis(verb, options.usage()));
  out += ".SH DESCRIPTION\n" + paragraph(options.purpose());
  for (const OptionGroup& group : option_groups(verb)) {
    out += group.question.empty() ? ".SH OPTIONS\n" : fmt::format(".SS Options of the question {}\n", group.question);
    for (const OptionRow& row : group.rows) out += entry(row);
  }
  out += fmt::format(".SH EXAMPLE\n.B {}\n", escaped(options.example()));
  return out + exit_status() + ".SH SEE ALSO\n.BR strata (1)\n";
}

}  // namespace strata::cli
