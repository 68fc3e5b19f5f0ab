// SPDX-License-Identifier: Apache-2.0
#include "reads/readers.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/diagnostic.hpp"
#include "config/load.hpp"
#include "machine/checks/unread.hpp"

namespace strata::tools {

namespace {

using machine::MachineSpec;

std::vector<std::string> values_of(const config::FieldInfo& field, const config::Effective& node) {
  std::vector<std::string> values;
  for (const config::ChoiceInfo& choice : field.choices)
    if (choice.name != node.bound) values.push_back(choice.name);
  if (!values.empty()) return values;
  if (field.kind == "true or false") return {node.bound == "true" ? "false" : "true"};
  if (!field.number) return {};
  if (node.absent) {
    const std::string unit = field.units.substr(0, field.units.find_first_of(", "));
    return {"2 " + unit, "64 " + unit};
  }
  char* end = nullptr;
  const double number = std::strtod(node.bound.c_str(), &end);
  const std::string unit(end);
  if (number == 0) return {"1" + unit, "64" + unit};
  return {fmt::format("{}{}", number * 2, unit), fmt::format("{}{}", number / 2, unit),
          fmt::format("{}{}", number + 1, unit)};
}

void collect(const config::SchemaInfo& schema, const config::Effective& map, const std::string& prefix,
             std::vector<OtherValues>& out);

void collect(const config::FieldInfo& field, const config::Effective& node, const std::string& path,
             std::vector<OtherValues>& out) {
  if (field.shape == config::Shape::list) {
    for (std::size_t i = 0; i < node.children.size(); ++i)
      if (field.child) collect(*field.child, node.children[i], fmt::format("{}[{}].", path, i), out);
  } else if (field.child) {
    if (!node.absent) collect(*field.child, node, path + '.', out);
  } else if (std::vector<std::string> values = values_of(field, node); !values.empty()) {
    out.push_back({path, std::move(values)});
  }
}

void collect(const config::SchemaInfo& schema, const config::Effective& map, const std::string& prefix,
             std::vector<OtherValues>& out) {
  for (const config::FieldInfo& field : schema.fields)
    if (const config::Effective* node = map.find(field.name)) collect(field, *node, prefix + field.name, out);
}

MachineSpec spec_of(const Library& library, const std::string& gpu, const std::vector<std::string>& overrides) {
  std::vector<std::string> all = overrides;
  all.insert(all.begin(), "memory.published_peak=none");
  return config::load<MachineSpec>(library.gpu(gpu), library.configurations(), all).spec;
}

// The unit of time of a machine is derived from all clocks: where one of them changes, times change by
// less than a unit even where nothing reads that clock.
bool sets_a_clock(std::string_view path) {
  return path.starts_with("clocks.") || path.ends_with(".data_rate") || path.ends_with(".ticks_per_clock") ||
         path.ends_with(".transfers_per_clock");
}

// None where the machine or the question is refused.
std::optional<SmallAnswer> ask(const SmallQuestion& question, const MachineSpec& spec, std::uint64_t& asked) {
  ++asked;
  try {
    return question.ask(spec);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<OtherValues> other_values(const Library& library, const std::string& gpu) {
  std::vector<OtherValues> all;
  const auto loaded = config::load<MachineSpec>(library.gpu(gpu), library.configurations());
  collect(*MachineSpec::schema().info(), loaded.effective(), "", all);
  return all;
}

std::string Finding::text() const {
  if (kind == Kind::no_effect) return fmt::format("{}: no value of {} changes a result ({})", gpu, path, value);
  return fmt::format("{}: {}={} changes the result of '{}', which is reported not to read it: {}", gpu, path, value,
                     question, reason);
}

MachineSpec plain_machine(const Library& library, const std::string& gpu) { return spec_of(library, gpu, {}); }

std::vector<Finding> check_readers(const Library& library, const std::string& gpu, const OtherValues& setting,
                                   const std::vector<SmallQuestion>& questions, std::uint64_t& asked) {
  std::vector<Finding> findings;
  const MachineSpec plain = plain_machine(library, gpu);
  std::vector<std::optional<SmallAnswer>> before(questions.size());
  bool has_effect = false;
  const bool by_the_clock = sets_a_clock(setting.path);
  bool said_unread = true;  // by all questions, with every value
  std::string tried;
  for (const std::string& value : setting.values) {
    MachineSpec changed;
    try {
      changed = spec_of(library, gpu, {setting.path + "=" + value});
    } catch (const InputError&) {
      continue;
    }
    bool answered = false;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const SmallQuestion& question = questions[i];
      const auto why = machine::why_unread(changed, question.does, setting.path);
      said_unread = said_unread && why;
      if (!why && has_effect) continue;
      if (!before[i]) before[i] = ask(question, plain, asked);
      const auto after = ask(question, changed, asked);
      if (!before[i] || !after) continue;
      answered = true;
      const bool differs = by_the_clock ? !after->near(*before[i]) : !after->same_as(*before[i]);
      if (!why)
        has_effect = has_effect || differs;
      else if (differs)
        findings.push_back({Finding::Kind::broken_promise, gpu, setting.path, value, question.name, *why});
    }
    if (answered) tried += (tried.empty() ? "" : ", ") + value;
  }
  if (!tried.empty() && !has_effect && !said_unread)
    findings.push_back({Finding::Kind::no_effect, gpu, setting.path, tried, {}, {}});
  return findings;
}

}  // namespace strata::tools
