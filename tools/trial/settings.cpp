// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "study/sweep/values.hpp"

namespace strata::trial {

namespace {

struct Range {
  double low = 0;
  double high = 0;
  bool or_zero = false;  ///< in addition to low to high
  bool power_of_two = false;
};

double number(std::string_view text, const config::NumberKind& kind) {
  if (kind.whole) return static_cast<double>(config::read_whole(text, kind).value);
  return config::read_real(text, kind).value;
}

/// The declared range in base units. Where it has no upper end, a million times the present value is one.
std::optional<Range> range_of(const Setting& setting) {
  if (setting.kind == nullptr) return std::nullopt;
  std::string text = setting.about.range;
  text = text.substr(0, text.find(", each;"));
  Range range;
  const std::string or_zero = "0, or ";
  if (text.starts_with(or_zero)) {
    range.or_zero = true;
    text.erase(0, or_zero.size());
  }
  const std::string power = ", a power of two";
  if (text.ends_with(power)) {
    range.power_of_two = true;
    text.resize(text.size() - power.size());
  }
  const double present = setting.present.empty() ? 1 : number(setting.present, *setting.kind);
  const std::size_t to = text.find(" to ");
  if (to != std::string::npos) {
    range.low = number(text.substr(0, to), *setting.kind);
    range.high = number(text.substr(to + 4), *setting.kind);
  } else {
    const std::string least = "at least ";
    range.low = text.starts_with(least) ? number(text.substr(least.size()), *setting.kind) : 0;
    range.high = std::max(present, 1.0) * 1e6;
  }
  return range;
}

/// The value of the range at a share from 0 to 1, by octaves where it spans many.
double at(const Range& range, double share, const config::NumberKind& kind) {
  if (share <= 0) return range.or_zero ? 0 : range.low;
  if (share >= 1) return range.high;
  if (range.high <= 64 * std::max(range.low, kind.whole ? 1.0 : 1e-3))
    return range.low + share * (range.high - range.low);
  const double low = std::max(range.low, std::min(1.0, range.high / 2));
  return low * std::pow(range.high / low, share);
}

std::string text_of(double value, const Range& range, const config::NumberKind& kind) {
  if (!range.or_zero || value != 0) value = std::clamp(value, range.low, range.high);
  if (range.power_of_two && value > 0) value = std::exp2(std::floor(std::log2(value)));
  if (kind.whole && !kind.may_be_negative)
    return config::show_whole(static_cast<std::uint64_t>(std::llround(value)), kind);
  if (kind.whole) return std::to_string(std::llround(value));
  return config::show_real(std::round(value * 1000) / 1000, kind);
}

std::string shaped(const Setting& setting, const std::string& text) {
  return setting.about.shape == config::Shape::list ? '[' + text + ']' : text;
}

void collect(const config::SchemaInfo& schema, const config::Effective& node, const std::string& prefix,
             std::vector<Setting>& out) {
  for (const config::FieldInfo& field : schema.fields) {
    const config::Effective* value = node.find(field.name);
    const std::string path = prefix + field.name;
    if (field.child && value != nullptr && !value->absent) {
      if (field.may_be_none) out.push_back({path, field, {}, nullptr, {}});
      if (field.shape == config::Shape::map)
        collect(*field.child, *value, path + '.', out);
      else
        for (std::size_t i = 0; i < value->children.size(); ++i)
          collect(*field.child, value->children[i], fmt::format("{}[{}].", path, i), out);
      continue;
    }
    if (field.child) continue;
    Setting setting{path, field, {}, nullptr, {}};
    if (value != nullptr && !value->absent && value->shape == config::Shape::scalar) setting.present = value->bound;
    if (field.number) setting.kind = study::kind_of_setting(schema, field.name);
    if (setting.kind == nullptr && field.choices.empty() && field.kind == "text") continue;
    out.push_back(std::move(setting));
  }
}

}  // namespace

std::vector<Setting> settings_of(const config::SchemaInfo& schema, const config::Effective& effective) {
  std::vector<Setting> all;
  collect(schema, effective, "", all);
  if (const config::Effective* carve_outs = config::find_path(effective, "l1.carve_outs")) {
    Setting chosen{"l1.carve_out", {}, {}, nullptr, {}};
    for (const config::Effective& entry : carve_outs->children)
      if (const config::Effective* name = entry.find("name")) chosen.names.push_back(name->bound);
    all.push_back(std::move(chosen));
  }
  return all;
}

std::vector<std::string> ends_and_middle(const Setting& setting) {
  std::vector<std::string> values = setting.names;
  if (setting.about.may_be_none) values.emplace_back("none");
  for (const config::ChoiceInfo& choice : setting.about.choices) values.push_back(choice.name);
  if (setting.about.kind == "true or false") values.insert(values.end(), {"true", "false"});
  if (const auto range = range_of(setting))
    for (const double share : {0.0, 0.5, 1.0})
      values.push_back(shaped(setting, text_of(at(*range, share, *setting.kind), *range, *setting.kind)));
  std::vector<std::string> once;
  for (const std::string& value : values)
    if (std::find(once.begin(), once.end(), value) == once.end()) once.push_back(value);
  return once;
}

std::string random_value(const Setting& setting, RandomSequence& random) {
  const auto range = range_of(setting);
  const std::uint64_t way = random.below(10);
  const double share = static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
  if (range && way < 5 && !setting.present.empty()) {
    // Up to three octaves from the present value, as a user would try.
    const double value = number(setting.present, *setting.kind) * std::exp2(std::round(share * 12 - 6) / 2);
    return shaped(setting, text_of(value, *range, *setting.kind));
  }
  if (range && way < 8) return shaped(setting, text_of(at(*range, share, *setting.kind), *range, *setting.kind));
  const std::vector<std::string> values = ends_and_middle(setting);
  return values.empty() ? std::string() : values[random.below(values.size())];
}

}  // namespace strata::trial
