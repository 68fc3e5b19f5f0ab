// SPDX-License-Identifier: Apache-2.0
#include "sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/invalid_request.hpp"
#include "config/explain.hpp"
#include "machine/checks/unread.hpp"
#include "machine/machine.hpp"

namespace strata::cli {

namespace {

// Searched for settings that none of them reads.
constexpr std::size_t most_machines = 256;

}  // namespace

SweepPlan::SweepPlan(const std::vector<Gpu>& gpus, const SweepQuestionKind& kind, const Options& options)
    : gpus_(gpus), kind_(kind) {
  for (const Gpu& gpu : gpus_) effective_.push_back(gpu.loaded.effective());
  if (!options.has("vary")) refuse_sweep("--vary", fmt::format("give a parameter to vary, as in {}", kind.example));
  describe(described_, options);
  Options untouched("", "", "");
  describe(untouched.description(), options);
  untouched.parse({});
  varied_ = read_varied(gpus_, {kind.name, described_, untouched}, options);
  read_options(options);
  all_ = all_wheels(varied_);
  refuse_too_many_points();
  of_machines_ = machine_wheels(varied_);
  of_questions_ = question_wheels(varied_);
  read_questions(options);
}

void SweepPlan::refuse_too_many_points() const {
  if (grid().points(study::most_sweep_points) <= study::most_sweep_points) return;
  std::vector<std::size_t> extents;
  double points = 1;
  for (std::size_t i = 0; i < varied_.size(); ++i)
    if (varied_[i].link == i) {
      extents.push_back(varied_[i].variation.values.size());
      points *= static_cast<double>(extents.back());
    }
  refuse_sweep("--vary",
               fmt::format("{} are {:.0f} points; a sweep has at most {}", fmt::join(extents, " x "), points,
                           study::most_sweep_points),
               "take larger steps, or sweep one after the other");
}

void SweepPlan::describe(po::options_description& description, const Options& given) const {
  kind_.describe(description);
  if (kind_.describe_more != nullptr) kind_.describe_more(description, given);
}

void SweepPlan::read_options(const Options& options) {
  for (const auto& described : described_.options()) {
    const std::string& name = described->long_name();
    const auto varies = [&](const VariedThing& thing) {
      return thing.part == report::SweepPart::question && thing.variation.path == name;
    };
    if (std::any_of(varied_.begin(), varied_.end(), varies)) continue;
    if (is_switch(*described)) {
      if (options.has(name)) fixed_.emplace_back(name, "true");
    } else if (const auto text = options.text(name)) {
      fixed_.emplace_back(name, *text);
    }
  }
}

// A point's options go through the reader of the command line, so that they are
// understood and refused as if they stood there.
void SweepPlan::read_questions(const Options& given) {
  bool any = false;
  for (std::size_t i = 0; i < of_questions_.grid.points(); ++i) {
    const std::vector<std::size_t> choices = of_questions_.grid.choices(i);
    std::map<std::string, std::string> values(fixed_.begin(), fixed_.end());
    std::set<std::string> varied;
    for (std::size_t a = 0; a < choices.size(); ++a) {
      const study::Variation& variation = varied_[of_questions_.axes[a]].variation;
      values[variation.path] = variation.values[choices[a]].text;
      varied.insert(variation.path);
    }
    Arguments words;
    for (const auto& [name, text] : values) {
      if (!is_switch(*find_option(described_, name)))
        words.push_back(fmt::format("--{}={}", name, text));
      else if (text == "true")
        words.push_back("--" + name);
      else if (text != "false")
        refuse_sweep(fmt::format("--vary {}={}", name, text), "is a switch and takes true and false");
    }
    questions_.emplace_back();
    question_options_.emplace_back(values.begin(), values.end());
    question_refusals_.emplace_back();
    try {
      Options options("", "", "");
      describe(options.description(), given);
      options.parse(words);
      questions_.back() = kind_.read(options);
      any = true;
    } catch (const InputError& error) {
      for (Diagnostic diagnostic : error.diagnostics()) {
        const std::string name = diagnostic.file.starts_with("--") ? diagnostic.file.substr(2) : std::string();
        if (varied.contains(name)) diagnostic.file = fmt::format("--vary {}={}", name, values[name]);
        question_refusals_.back().push_back(std::move(diagnostic));
      }
    }
  }
  if (any) return;
  std::vector<Diagnostic> refused;
  add_each_once(question_refusals_, refused);
  throw_if_any(std::move(refused));
}

void SweepPlan::add_each_once(const std::vector<std::vector<Diagnostic>>& lists, std::vector<Diagnostic>& out) {
  constexpr std::size_t most = 21;  // more than are reported
  std::set<std::string> said;
  for (const std::vector<Diagnostic>& list : lists)
    for (const Diagnostic& diagnostic : list)
      if (said.size() < most && said.insert(diagnostic.text()).second) out.push_back(diagnostic);
}

std::size_t SweepPlan::gpu_index(std::size_t machine) const {
  const std::vector<std::size_t> choices = of_machines_.grid.choices(machine);
  for (std::size_t a = 0; a < choices.size(); ++a)
    if (varied_[of_machines_.axes[a]].part == report::SweepPart::gpu) return choices[a];
  return 0;
}

NamesAndTexts SweepPlan::settings(std::size_t machine, std::vector<Diagnostic>& diagnostics) const {
  NamesAndTexts settings;
  const std::vector<std::size_t> choices = of_machines_.grid.choices(machine);
  for (std::size_t a = 0; a < choices.size(); ++a) {
    const VariedThing& thing = varied_[of_machines_.axes[a]];
    if (thing.part == report::SweepPart::gpu) continue;
    const std::string& path = thing.variation.path;
    const study::VariedValue& value = thing.variation.values[choices[a]];
    std::optional<std::string> text = value.text;
    if (value.factor)
      text =
          study::multiplied(setting_text(effective_[gpu_index(machine)], path), *value.factor, *thing.variation.kind);
    if (text)
      settings.emplace_back(path, *std::move(text));
    else
      diagnostics.push_back({"", 0, 0, fmt::format("'{}' has no value to multiply", path), ""});
  }
  return settings;
}

// The missing part of one of several GPUs is reported instead of all settings that it would
// need.
void SweepPlan::tell_missing_parts(std::size_t machine, std::vector<Diagnostic>& diagnostics) const {
  if (gpus_.size() == 1) return;
  std::vector<Diagnostic> missing;
  for (const std::size_t axis : of_machines_.axes) {
    if (varied_[axis].part == report::SweepPart::gpu) continue;
    const std::string& path = varied_[axis].variation.path;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
      const config::Effective* const part = config::find_path(effective_[gpu_index(machine)], path.substr(0, dot));
      if (part == nullptr || !part->absent) continue;
      missing.push_back({"", 0, 0, fmt::format("there is no {}, and so no {}", path.substr(0, dot), path), ""});
      break;
    }
  }
  if (!missing.empty()) diagnostics = std::move(missing);
}

machine::MachineSpec SweepPlan::spec(std::size_t machine, std::vector<Diagnostic>& diagnostics) const {
  std::vector<std::string> overrides;
  std::vector<Diagnostic> here;
  for (const auto& [path, text] : settings(machine, here)) overrides.push_back(path + "=" + text);
  machine::MachineSpec spec = gpu_of(machine).loaded.with(overrides, here);
  if (!here.empty()) tell_missing_parts(machine, here);
  diagnostics.insert(diagnostics.end(), here.begin(), here.end());
  return spec;
}

bool SweepPlan::each_question(const std::function<bool(const Asked&)>& visit) const {
  if (of_machines_.grid.points(most_machines) > most_machines) return true;
  for (std::size_t i = 0; i < of_machines_.grid.points(); ++i) {
    std::vector<Diagnostic> refused;
    const machine::MachineSpec spec = this->spec(i, refused);
    if (!refused.empty()) continue;
    for (const auto& question : questions_)
      if (question != nullptr && !visit({i, spec, *question})) return false;
  }
  return true;
}

std::string SweepPlan::why_unread(std::string_view path) const {
  std::string first;
  const bool by_all = each_question([&](const Asked& asked) {
    const std::string indexed = config::indexed_path(effective_[gpu_index(asked.machine)], path);
    const auto why = machine::why_unread(asked.spec, asked.question.does(asked.spec), indexed);
    if (why && first.empty()) first = *why;
    return why.has_value();
  });
  return by_all ? first : std::string();
}

std::string SweepPlan::why_option_unread(const std::string& option) const {
  std::string why;
  each_question([&](const Asked& asked) {
    for (const report::Setting& setting :
         asked.question.unread_options([&](const std::string& given) { return given == option; }, asked.spec))
      why = setting.unread;
    return why.empty();
  });
  return why;
}

std::vector<report::Setting> SweepPlan::unread_options(const Given& given) const {
  std::vector<report::Setting> all;
  bool first = true;
  each_question([&](const Asked& asked) {
    const std::vector<report::Setting> own = asked.question.unread_options(given, asked.spec);
    if (std::exchange(first, false)) all = own;
    std::erase_if(all, [&](const report::Setting& setting) {
      return std::none_of(own.begin(), own.end(),
                          [&](const report::Setting& other) { return other.path == setting.path; });
    });
    return true;
  });
  return all;
}

formats::ImportReport SweepPlan::imported() const {
  Imports imports;
  for (const auto& question : questions_)
    if (question != nullptr) question->add_imports(imports);
  formats::ImportReport all;
  for (const auto& [file, report] : imports) {
    for (const std::string& note : report.notes) all.note(note);
    for (const auto& [what, count] : report.counted) all.counted[what] += count;
    for (const auto& [opcode, count] : report.unknown) all.unknown[opcode] += count;
  }
  return all;
}

NamesAndTexts SweepPlan::values(std::size_t point) const {
  NamesAndTexts all;
  const std::vector<std::size_t> choices = grid().choices(point);
  for (std::size_t axis = 0; axis < choices.size(); ++axis)
    all.emplace_back(varied_[axis].variation.path, varied_[axis].variation.values[choices[axis]].text);
  return all;
}

std::vector<std::pair<std::size_t, std::string>> SweepPlan::settings_of_factors(std::size_t point) const {
  std::vector<std::pair<std::size_t, std::string>> all;
  std::vector<Diagnostic> none;
  const NamesAndTexts settings = this->settings(machine_of(point), none);
  const std::vector<std::size_t> choices = grid().choices(point);
  for (std::size_t axis = 0; axis < choices.size(); ++axis) {
    const study::Variation& variation = varied_[axis].variation;
    if (!variation.values[choices[axis]].factor) continue;
    for (const auto& [path, text] : settings)
      if (path == variation.path) all.emplace_back(axis, text);
  }
  return all;
}

// By the configuration of the machine and its overrides, so that it has the same name whether its GPU
// is one of several or the only one.
std::vector<std::string> SweepPlan::names() const {
  PointNames names(kind_);
  std::vector<std::string> configurations;
  for (const config::Effective& effective : effective_) configurations.push_back(names.configuration(effective));
  std::vector<std::vector<std::string>> files;
  for (const auto& question : questions_)
    files.push_back(question != nullptr ? question->files() : std::vector<std::string>());
  std::vector<std::string> all;
  for (std::size_t point = 0; point < grid().points(); ++point) {
    const std::size_t machine = machine_of(point);
    const std::size_t question = question_of(point);
    std::vector<Diagnostic> none;
    all.push_back(names.name(configurations[gpu_index(machine)], settings(machine, none), question_options_[question],
                             files[question]));
  }
  return all;
}

SweepAnswer SweepPlan::measure(std::size_t point, stats::Detail statistics) const {
  std::vector<Diagnostic> none;
  const machine::MachineSpec spec = this->spec(machine_of(point), none);
  throw_if_any(std::move(none));
  const auto where = [&] {
    std::string all = "--vary";
    for (const auto& [path, text] : values(point)) all += fmt::format(" {}={}", path, text);
    return all;
  };
  try {
    return questions_[question_of(point)]->measure(spec, statistics);
  } catch (const InvalidRequest& error) {
    refuse_sweep(where(), error.what());
  } catch (const InputError& error) {
    refuse_sweep(where(), error.what());
  }
}

}  // namespace strata::cli
