// SPDX-License-Identifier: Apache-2.0
#include "files/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <boost/tokenizer.hpp>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"
#include "config/schema/scalar.hpp"

namespace strata::tools {

namespace {

// Names of published files, those of the contract first.
constexpr std::array footprint_names{"footprint_bytes", "effective_KiB", "size_KiB", "size_bytes"};
constexpr std::array latency_names{"latency_cycles", "latency_ns", "cycles_mean", "cycles"};
constexpr std::array bandwidth_names{"bytes_per_second", "GB_per_s", "gb_per_s"};
constexpr double largest_footprint = 1e15;

using Fields = std::vector<std::string>;

Fields fields_of(const std::string& line) {
  const boost::tokenizer<boost::escaped_list_separator<char>> cells(line,
                                                                    boost::escaped_list_separator<char>("", ",", "\""));
  return {cells.begin(), cells.end()};
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Whether a word begins there: after no letter, or as in readGBps.
bool begins_a_word(const std::string& text, std::size_t at) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return at == 0 || !(upper(text[at - 1]) || small(text[at - 1])) || (small(text[at - 1]) && upper(text[at]));
}

// Whether a word of the name begins with the unit, in small letters, and the rest of the name may follow it.
template <class Follows>
bool has_unit(const std::string& column, std::string_view unit, const Follows& may_follow) {
  const std::string name = lower(column);
  for (std::size_t at = name.find(unit); at != std::string::npos; at = name.find(unit, at + 1))
    if (begins_a_word(column, at) && may_follow(std::string_view(name).substr(at + unit.size()))) return true;
  return false;
}

// Whether a word of the name is that: latency_ns, latencyNs, "latency [ns]", but not tokens.
bool says(const std::string& column, std::string_view unit) {
  return has_unit(column, unit,
                  [](std::string_view rest) { return rest.empty() || rest.front() < 'a' || rest.front() > 'z'; });
}

// The unit of a footprint in a column's name; none: bytes. nullopt: one that is not clear.
std::optional<double> bytes_per_unit(const std::string& column) {
  if (says(column, "gib")) return 1073741824.0;
  if (says(column, "mib")) return 1048576.0;
  if (says(column, "kib")) return 1024.0;
  for (const char* unclear : {"kb", "mb", "gb", "k", "m", "g"})
    if (says(column, unclear)) return std::nullopt;
  return 1.0;
}

// Whether the name of a column has a unit of bits: gbit, or Gb and Mb with a small letter.
bool of_bits(const std::string& column) {
  for (const char* unit : {"bit", "kbit", "mbit", "gbit", "tbit"})
    if (has_unit(column, unit, [](std::string_view) { return true; })) return true;
  for (std::size_t i = 1; i < column.size(); ++i)
    if (column[i] == 'b' && std::string_view("KMGT").find(column[i - 1]) != std::string_view::npos &&
        begins_a_word(column, i - 1))
      return true;
  return false;
}

// The unit of bandwidth in a column's name, in common spellings; nullopt: it has none.
std::optional<double> rate_in_name(const std::string& column) {
  struct Prefix {
    std::string_view name;
    double scale;
  };
  constexpr std::array prefixes{
      Prefix{"kib", 1024.0}, Prefix{"mib", 1048576.0}, Prefix{"gib", 1073741824.0}, Prefix{"tib", 1099511627776.0},
      Prefix{"kb", 1e3},     Prefix{"mb", 1e6},        Prefix{"gb", 1e9},           Prefix{"tb", 1e12}};
  const auto a_rate = [](std::string_view rest) {
    return rest.empty() || rest.starts_with("ps") || rest.starts_with("/s") || rest.starts_with("_s") ||
           rest.starts_with("_per_s");
  };
  for (const Prefix& prefix : prefixes)
    if (has_unit(column, prefix.name, a_rate)) return prefix.scale;
  if (says(column, "bytes") || column.find("Bps") != std::string::npos) return 1;
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string file, const ColumnChoice& choice) : file_(std::move(file)), choice_(choice) {}

  MeasuredCurve read(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // as spreadsheets write it
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::size_t line_number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line_number;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.front() == '#') continue;
      row(line, line_number);
    }
    if (header_.empty())
      fail(0, 0, "no header line: the first line that is not a comment names the columns");
    else if (curve_.points.empty() && faults_.empty())
      fail(0, 0, "no row of figures remains for the comparison");
    throw_if_any(std::move(faults_));
    std::stable_sort(curve_.points.begin(), curve_.points.end(),
                     [](const auto& a, const auto& b) { return a.footprint_bytes < b.footprint_bytes; });
    return std::move(curve_);
  }

 private:
  void row(const std::string& line, std::size_t number) {
    Fields fields;
    try {
      fields = fields_of(line);
    } catch (const boost::escaped_list_error&) {
      fail(number, 0, "a quoted field is not closed");
      return;
    }
    if (header_.empty()) {
      header(fields, number);
    } else if (faults_.empty() || !header_faulty_) {
      figures(fields, number);
    }
  }

  void header(const Fields& names, std::size_t number) {
    header_ = names;
    x_ = find(choice_.footprint, footprint_names, "footprint", number);
    const auto [value, unit] = value_and_unit();
    y_ =
        bandwidth() ? find(value, bandwidth_names, "bandwidth", number) : find(value, latency_names, "latency", number);
    for (const auto& [column, text] : choice_.where)
      conditions_.emplace_back(find(column, {}, column.c_str(), number), text);
    const std::optional<double> rate = bandwidth() ? rate_of(unit) : std::nullopt;
    header_faulty_ = !faults_.empty();
    if (header_faulty_) return;
    if (const std::optional<double> scale = bytes_per_unit(header_[x_])) {
      scale_ = *scale;
    } else {
      fail(number, x_ + 1,
           fmt::format("column '{}': is that 1000 or 1024 bytes? Name it in KiB, MiB, GiB or bytes", header_[x_]));
      header_faulty_ = true;
      return;
    }
    if (bandwidth())
      unit_of_bandwidth(rate, number);
    else
      unit_of_latency(number);
  }

  void unit_of_bandwidth(std::optional<double> rate, std::size_t number) {
    const std::string& name = header_[y_];
    curve_.unit = "B/s";
    if (!rate && of_bits(name)) {
      fail(number, y_ + 1, fmt::format("column '{}': a bandwidth is in bytes, not in bits", name),
           "name it in bytes, such as GB_per_s");
      header_faulty_ = true;
      return;
    }
    if (!rate) rate = rate_in_name(name);
    if (!rate) {
      curve_.notes.push_back(
          fmt::format("{}: column '{}' names no unit: taken as bytes per second; otherwise --columns {},{}:GB/s", file_,
                      name, header_[x_], name));
    }
    value_scale_ = rate.value_or(1);
  }

  void unit_of_latency(std::size_t number) {
    const std::string& name = header_[y_];
    for (const char* other : {"ms", "msec", "milliseconds", "s", "sec", "seconds"})
      if (says(name, other)) {
        fail(number, y_ + 1, fmt::format("column '{}': a latency is in ns, us or cycles, not in {}", name, other));
        header_faulty_ = true;
      }
    const bool microseconds = says(name, "us");
    curve_.unit = microseconds || says(name, "ns") ? "ns" : "cycles";
    value_scale_ = microseconds ? 1e3 : 1;
    const bool says_cycles =
        lower(name).find("cycle") != std::string::npos || says(name, "clk") || says(name, "clocks");
    if (curve_.unit == "cycles" && !says_cycles)
      curve_.notes.push_back(fmt::format(
          "{}: column '{}' names no unit: taken as core cycles; otherwise end its name in _ns or _us", file_, name));
  }

  bool bandwidth() const { return choice_.quantity == Measured::bandwidth; }

  // "read_best:GB/s" is a column and a unit, unless a column has that name.
  std::pair<std::string, std::string> value_and_unit() const {
    const std::string& wanted = choice_.value;
    const std::size_t colon = wanted.rfind(':');
    const bool a_column = std::find(header_.begin(), header_.end(), wanted) != header_.end();
    if (!bandwidth() || a_column || colon == std::string::npos) return {wanted, ""};
    return {wanted.substr(0, colon), wanted.substr(colon + 1)};
  }

  std::optional<double> rate_of(const std::string& unit) {
    if (unit.empty()) return std::nullopt;
    const config::Reading<BytesPerSecond> one = config::read_number<BytesPerSecond>("1 " + unit);
    if (one.error.empty()) return one.value.value;
    faults_.push_back(
        {"--columns", 0, 0, fmt::format("'{}' is not a unit of bandwidth; write it as GB/s or TB/s", unit), {}});
    return std::nullopt;
  }

  std::size_t find(const std::string& wanted, std::span<const char* const> known, const char* what,
                   std::size_t number) {
    const auto at = [&](std::string_view name) {
      if (std::count(header_.begin(), header_.end(), name) > 1)
        fail(number, 0, fmt::format("two columns are called '{}'", name), "give them names of their own");
      return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), name) - header_.begin());
    };
    if (!wanted.empty()) {
      if (const std::size_t i = at(wanted); i < header_.size()) return i;
      fail(number, 0, fmt::format("no column '{}'", wanted), did_you_mean(nearest_name(wanted, header_)));
      return 0;
    }
    for (const char* name : known)
      if (const std::size_t i = at(name); i < header_.size()) return i;
    fail(number, 0,
         fmt::format("no {} column; known names are {}; name yours with --columns FOOTPRINT,{}", what,
                     fmt::join(known, ", "), bandwidth() ? "BANDWIDTH" : "LATENCY"));
    return 0;
  }

  void figures(const Fields& fields, std::size_t number) {
    if (fields.size() != header_.size()) {
      fail(number, 0, fmt::format("{} fields where the header names {}", fields.size(), header_.size()));
      return;
    }
    for (const auto& [column, text] : conditions_)
      if (fields[column] != text) return;
    const double x = number_at(fields, x_, number) * scale_;
    const double y = number_at(fields, y_, number) * value_scale_;
    if (std::isnan(x) || std::isnan(y)) return;
    if (bandwidth() && x == 0 && y == 0) return;
    if (x < 1 || x > largest_footprint) {
      fail(number, x_ + 1, fmt::format("a footprint of {} bytes is not valid", x));
    } else if (y <= 0) {
      fail(number, y_ + 1, fmt::format("a {} of {} is not one", bandwidth() ? "bandwidth" : "latency", y));
    } else {
      curve_.points.push_back({static_cast<std::uint64_t>(x + 0.5), y});
    }
  }

  double number_at(const Fields& fields, std::size_t column, std::size_t number) {
    std::string_view text = fields[column];
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(value)) return value;
    fail(number, column + 1, fmt::format("'{}' in column {} is not a number", text.substr(0, 40), header_[column]));
    return std::nan("");
  }

  void fail(std::size_t line, std::size_t column, std::string message, std::string hint = {}) {
    if (faults_.size() < 20) faults_.push_back({file_, line, column, std::move(message), std::move(hint)});
  }

  std::string file_;
  const ColumnChoice& choice_;
  Fields header_;
  bool header_faulty_ = false;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
  double scale_ = 1;
  double value_scale_ = 1;
  std::vector<std::pair<std::size_t, std::string>> conditions_;
  MeasuredCurve curve_;
  std::vector<Diagnostic> faults_;
};

}  // namespace

MeasuredCurve read_measured(std::string_view text, const std::string& file, const ColumnChoice& choice) {
  return Reader(file, choice).read(text);
}

ColumnChoice column_choice(const std::optional<std::string>& columns, const std::vector<std::string>& where,
                           Measured quantity) {
  ColumnChoice choice;
  choice.quantity = quantity;
  if (columns) {
    const std::size_t comma = columns->find(',');
    if (comma == std::string::npos)
      throw InputError(Diagnostic{"--columns",
                                  0,
                                  0,
                                  fmt::format("'{}' names one column; give two as FOOTPRINT,{}", *columns,
                                              quantity == Measured::bandwidth ? "BANDWIDTH" : "LATENCY"),
                                  {}});
    choice.footprint = columns->substr(0, comma);
    choice.value = columns->substr(comma + 1);
  }
  for (const std::string& condition : where) {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(Diagnostic{"--where", 0, 0, fmt::format("'{}' is not COLUMN=TEXT", condition), {}});
    choice.where.emplace_back(condition.substr(0, equals), condition.substr(equals + 1));
  }
  return choice;
}

}  // namespace strata::tools
