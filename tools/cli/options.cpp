// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iostream>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"
#include "config/schema/scalar.hpp"
#include "files/files.hpp"
#include "files/identity.hpp"

namespace strata::cli {

namespace {
constexpr int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
}  // namespace

void refuse_option(const std::string& name, std::string message, std::string hint) {
  throw InputError(Diagnostic{"--" + name, 0, 0, std::move(message), std::move(hint)});
}

Options::Options(std::string usage, std::string purpose, std::string example)
    : usage_(std::move(usage)),
      purpose_(std::move(purpose)),
      example_(std::move(example)),
      description_("options", 100, 60) {
  description_.add_options()("help,h", "this text");
}

// Of the words that belong to no option, the first for which there is no place.
std::string Options::first_too_many(const Arguments& arguments) const {
  const auto parsed = po::command_line_parser(arguments).options(description_).style(style).run();
  for (const po::option& option : parsed.options)
    if (option.position_key >= static_cast<int>(positional_.max_total_count())) return option.value.front();
  return {};
}

bool Options::parse(const Arguments& arguments) {
  try {
    po::store(po::command_line_parser(arguments).options(description_).positional(positional_).style(style).run(),
              values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    std::string name = error.get_option_name();
    while (!name.empty() && name.front() == '-') name.erase(0, 1);
    if (name.size() == 1) throw InputError(Diagnostic{"-" + name, 0, 0, "no such option; --help lists them", {}});
    if (name == "stats" || name == "stats-detail")
      refuse_option(name, "this verb runs no machine",
                    "latency, bandwidth, run, handoff, litmus, compare, sweep, sensitivity, validate and explain do");
    std::vector<std::string> names;
    for (const auto& option : description_.options()) names.push_back(option->long_name());
    const std::string nearest = nearest_name(name, names);
    refuse_option(name, "no such option; --help lists them", did_you_mean(nearest.empty() ? "" : "--" + nearest));
  } catch (const po::too_many_positional_options_error&) {
    throw InputError(Diagnostic{
        "strata",
        0,
        0,
        fmt::format("unexpected argument '{}'; options begin with --, --help lists them", first_too_many(arguments)),
        {}});
  } catch (const po::error_with_option_name& error) {
    std::string name = error.get_option_name();
    while (!name.empty() && name.front() == '-') name.erase(0, 1);
    const bool one_only = dynamic_cast<const po::multiple_occurrences*>(&error) != nullptr;
    const bool of_run = name == "kernel" || name == "trace";
    refuse_option(name, error.what(), one_only && of_run ? "this verb takes one; `strata run` takes several" : "");
  } catch (const po::error& error) {
    throw InputError(Diagnostic{"strata", 0, 0, error.what(), {}});
  }
  if (values_.count("help") == 0) return true;
  std::cout << "usage: strata " << usage_ << "\n\n"
            << purpose_ << "\n\n"
            << description_ << "\nexample: " << example_ << '\n';
  return false;
}

Bytes Options::size(const std::string& name) const {
  const std::string& text = get<std::string>(name);
  const config::Reading<Bytes> bytes = config::read_number<Bytes>(text);
  if (!bytes.error.empty() || bytes.value.value == 0)
    refuse_option(name, fmt::format("'{}' is not a size; write it as 64KiB, 4 MiB or 1GiB", text));
  return bytes.value;
}

std::uint64_t Options::count(const std::string& name, std::uint64_t least, std::uint64_t most) const {
  const std::string& text = get<std::string>(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse_option(name, fmt::format("'{}' is not a whole number from {} to {}", text, least, most));
  return value;
}

std::uint64_t Options::address(const std::string& name) const {
  const std::string& text = get<std::string>(name);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* const first = text.data() + (hexadecimal ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != last || first == last)
    refuse_option(name, fmt::format("'{}' is not an address; write it as 4096 or 0x1000", text));
  return value;
}

double Options::real(const std::string& name, double least, double most) const {
  const std::string& text = get<std::string>(name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most))
    refuse_option(
        name, fmt::format("'{}' is not a number from {} to {}{}", text, least, most,
                          error == std::errc{} && end != text.data() + text.size() ? "; write it without a unit" : ""));
  return value;
}

std::size_t Options::choice(const std::string& name, const std::vector<std::string>& names) const {
  const std::string& text = get<std::string>(name);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  refuse_option(name, fmt::format("'{}' is not one of {}", text, fmt::join(names, ", ")),
                did_you_mean(nearest_name(text, names)));
}

void Outputs::describe(po::options_description& description, bool drawing) {
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  description.add_options()("json", file(), "write the result as JSON; - is stdout")(
      "csv", file(), "write the table as CSV; - is stdout");
  if (drawing)
    description.add_options()("svg", file(), "write a drawing; - is stdout")(
        "html", file(), "write one self-contained page; - is stdout")(
        "title", po::value<std::string>()->value_name("TEXT"), "of drawings and pages, instead of the standard one");
}

Outputs::Outputs(const Options& options)
    : json(options.text("json")),
      csv(options.text("csv")),
      svg(options.text("svg")),
      html(options.text("html")),
      title(options.text("title")),
      labels(options.texts("label")) {}

void Outputs::check(std::size_t most_labels) const {
  const std::pair<const char*, const std::optional<std::string>&> all[] = {
      {"json", json}, {"csv", csv}, {"svg", svg}, {"html", html}};
  const char* first = nullptr;
  for (const auto& [name, output] : all) {
    if (!output) continue;
    tools::check_writable(*output);
    tools::declare_output(fmt::format("--{}", name), *output);
    if (*output != "-") continue;
    if (first != nullptr) refuse_option(name, fmt::format("standard output is taken by --{}; name a file", first));
    first = name;
  }
  if (labels.size() > most_labels)
    refuse_option("label", fmt::format("is given {} times, and there {} to name", labels.size(),
                                       most_labels == 1 ? "is one curve" : "are two machines"));
  if (svg || html) return;
  if (title) refuse_option("title", "applies to drawings and pages; give --svg or --html too");
  if (!labels.empty()) refuse_option("label", "applies to drawings and pages; give --svg or --html too");
}

bool Outputs::claims_stdout() const {
  for (const auto& output : {json, csv, svg, html})
    if (output == "-") return true;
  return false;
}

}  // namespace strata::cli
