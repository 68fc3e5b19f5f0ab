// SPDX-License-Identifier: Apache-2.0
#include "sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/invalid_request.hpp"
#include "base/text_distance.hpp"
#include "config/explain.hpp"
#include "machine/machine.hpp"
#include "machine/unread.hpp"
#include "parallel/points.hpp"

namespace strata::cli {

namespace {

[[noreturn]] void refuse(std::string what, std::string message, std::string hint = {}) {
  throw InputError(Diagnostic{std::move(what), 0, 0, std::move(message), std::move(hint)});
}

// Looked through for settings that none of them reads.
constexpr std::size_t most_machines = 256;

bool is_switch(const po::option_description& option) { return option.semantic()->max_tokens() == 0; }

std::string_view path_of(std::string_view argument) { return argument.substr(0, argument.find('=')); }

// A place in a file is worth telling; that of an argument which the user did not
// write in these words is not.
std::string told(const Diagnostic& diagnostic) {
  if (diagnostic.file.empty() || diagnostic.file == "--set") return diagnostic.message;
  Diagnostic plain = diagnostic;
  plain.hint.clear();
  return plain.text();
}

}  // namespace

SweepPlan::SweepPlan(const Gpu& gpu, const SweepQuestionKind& kind, const Options& options) : gpu_(gpu), kind_(kind) {
  describe(described_, options);
  const std::vector<std::string> arguments = options.texts("vary");
  if (arguments.empty())
    refuse("--vary", fmt::format("say what to vary, as in {}", kind.example));
  read_variations(arguments, options);
  read_options(options);
  std::vector<std::size_t> extents;
  for (const VariedThing& thing : varied_) extents.push_back(thing.variation.values.size());
  grid_ = study::SweepGrid(extents);
  if (grid_.points(study::most_sweep_points) > study::most_sweep_points) {
    double points = 1;
    for (const std::size_t extent : extents) points *= static_cast<double>(extent);
    refuse("--vary", fmt::format("{} are {:.0f} points; a sweep has at most {}", fmt::join(extents, " x "), points, study::most_sweep_points),
           "take larger steps, or sweep one after the other");
  }
  of_settings_ = wheels(false);
  of_options_ = wheels(true);
  read_questions(options);
}

void SweepPlan::describe(po::options_description& description, const Options& given) const {
  kind_.describe(description);
  if (kind_.describe_more != nullptr) kind_.describe_more(description, given);
}

// What the option stands at, given or not.
std::string SweepPlan::present(const std::string& name, const Options& given) const {
  if (const auto text = given.text(name)) return *text;
  Options untouched("", "", "");
  describe(untouched.description(), given);
  untouched.parse({});
  return untouched.text(name).value_or("");
}

const po::option_description* SweepPlan::option(std::string_view name) const {
  for (const auto& option : described_.options())
    if (option->long_name() == name) return option.get();
  return nullptr;
}

void SweepPlan::read_variations(const std::vector<std::string>& arguments, const Options& options) {
  const auto schema = machine::MachineSpec::schema().info();
  const config::Effective effective = gpu_.loaded.effective();
  for (const std::string& argument : arguments) {
    const std::string path = study::varied_path(argument);
    for (const VariedThing& before : varied_)
      if (before.variation.path == path) refuse("--vary", fmt::format("'{}' is varied twice", path), "give all its values to one --vary");

    // Any text does to find out whether there is such a place.
    config::Value tree = gpu_.loaded.tree;
    std::vector<Diagnostic> unknown;
    config::apply_override(tree, *schema, path + "=0", unknown);
    VariedThing thing;
    study::Present there;
    if (unknown.empty()) {
      there.kind = study::kind_of_setting(*schema, path);
      const config::Effective* node = config::find_path(effective, path);
      if (node != nullptr && node->shape == config::Shape::scalar && !node->absent) there.value = node->bound;
    } else if (option(path) != nullptr) {
      thing.of_the_question = true;
      there.number_by_look = true;
      there.value = is_switch(*option(path)) ? std::string() : present(path, options);
    } else {
      Diagnostic diagnostic = unknown.front();
      std::vector<std::string> names;
      for (const auto& option : described_.options()) names.push_back(option->long_name());
      const std::string near = nearest_name(path, names);
      if (!near.empty()) diagnostic.hint = did_you_mean(near);
      if (path.find('.') == std::string::npos) diagnostic.message += fmt::format(", nor an option of {}", kind_.name);
      diagnostic.file = "--vary";
      throw InputError(diagnostic);
    }
    thing.variation = study::read_variation(argument, there);
    if (!thing.variation.scaled) {
      if (thing.of_the_question && options.has(path)) refuse("--" + path, "is varied by --vary as well; leave one of them out");
      for (const std::string& set : options.texts("set"))
        if (!thing.of_the_question && path_of(set) == path)
          refuse("--set " + set, "--vary gives this setting other values; leave one of them out", "factors such as *0.8 go with --set");
    }
    varied_.push_back(std::move(thing));
  }
}

void SweepPlan::read_options(const Options& options) {
  for (const auto& described : described_.options()) {
    const std::string& name = described->long_name();
    const auto varies = [&](const VariedThing& thing) { return thing.of_the_question && thing.variation.path == name; };
    if (std::any_of(varied_.begin(), varied_.end(), varies)) continue;
    if (is_switch(*described)) {
      if (options.has(name)) fixed_.emplace_back(name, "true");
    } else if (const auto text = options.text(name)) {
      fixed_.emplace_back(name, *text);
    }
  }
}

SweepPlan::Wheels SweepPlan::wheels(bool of_the_question) const {
  Wheels wheels;
  std::vector<std::size_t> extents;
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    if (varied_[i].of_the_question != of_the_question) continue;
    wheels.axes.push_back(i);
    extents.push_back(varied_[i].variation.values.size());
  }
  wheels.grid = study::SweepGrid(extents);
  return wheels;
}

std::size_t SweepPlan::turned(const Wheels& wheels, std::size_t point) const {
  const std::vector<std::size_t> all = grid_.choices(point);
  std::vector<std::size_t> own;
  for (const std::size_t axis : wheels.axes) own.push_back(all[axis]);
  return wheels.grid.point(own);
}

// A point's options go through the reader of the command line, so that they are
// understood and refused as if they stood there.
void SweepPlan::read_questions(const Options& given) {
  std::vector<Diagnostic> refused;
  std::set<std::string> said;
  for (std::size_t i = 0; i < of_options_.grid.points(); ++i) {
    const std::vector<std::size_t> choices = of_options_.grid.choices(i);
    std::map<std::string, std::string> values(fixed_.begin(), fixed_.end());
    for (std::size_t a = 0; a < choices.size(); ++a) {
      const study::Variation& variation = varied_[of_options_.axes[a]].variation;
      values[variation.path] = variation.values[choices[a]].text;
    }
    Arguments words;
    for (const auto& [name, text] : values) {
      if (!is_switch(*option(name))) words.push_back(fmt::format("--{}={}", name, text));
      else if (text == "true") words.push_back("--" + name);
      else if (text != "false") refuse(fmt::format("--vary {}={}", name, text), "is a switch and takes true and false");
    }
    try {
      Options options("", "", "");
      describe(options.description(), given);
      options.parse(words);
      questions_.push_back(kind_.read(options));
    } catch (const InputError& error) {
      for (Diagnostic diagnostic : error.diagnostics()) {
        const std::string name = diagnostic.file.starts_with("--") ? diagnostic.file.substr(2) : std::string();
        const bool varies = std::any_of(of_options_.axes.begin(), of_options_.axes.end(),
                                        [&](std::size_t axis) { return varied_[axis].variation.path == name; });
        if (varies) diagnostic.file = fmt::format("--vary {}={}", name, values[name]);
        if (said.insert(diagnostic.text()).second) refused.push_back(std::move(diagnostic));
      }
      if (refused.size() > 20) break;
    }
  }
  throw_if_any(std::move(refused));
}

machine::MachineSpec SweepPlan::spec(const std::vector<std::size_t>& choices, std::vector<Diagnostic>& diagnostics) const {
  const auto schema = machine::MachineSpec::schema();
  config::Value tree = gpu_.loaded.tree;
  std::vector<std::string> overrides;
  for (std::size_t a = 0; a < choices.size(); ++a) {
    const study::Variation& variation = varied_[of_settings_.axes[a]].variation;
    overrides.push_back(variation.path + "=" + variation.values[choices[a]].text);
  }
  return config::bind_overridden(tree, overrides, schema, diagnostics);
}

void SweepPlan::look_at(machine::Machine& machine, std::size_t question, std::vector<Refusal>& refusals) const {
  try {
    questions_[question]->check(machine);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) refusals.push_back({question, told(diagnostic), diagnostic.hint});
  } catch (const InvalidRequest& error) {
    for (const RequestFault& fault : error.faults()) refusals.push_back({question, fault.message, fault.remedy});
  }
}

std::vector<std::vector<SweepPlan::Refusal>> SweepPlan::look(std::size_t jobs, bool quiet) const {
  const std::size_t machines = of_settings_.grid.points();
  tools::Progress progress("sweep, looking at its machines", machines, quiet);
  return tools::run_points<std::vector<Refusal>>(machines, jobs, progress, [&](std::size_t i) {
    std::vector<Refusal> refusals;
    std::vector<Diagnostic> diagnostics;
    const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(i), diagnostics);
    for (const Diagnostic& diagnostic : diagnostics) refusals.push_back({~std::size_t{0}, told(diagnostic), diagnostic.hint});
    if (!refusals.empty()) return refusals;
    try {
      machine::Machine machine(spec);
      for (std::size_t q = 0; q < questions_.size(); ++q) look_at(machine, q, refusals);
    } catch (const InvalidRequest& error) {
      for (const RequestFault& fault : error.faults()) refusals.push_back({~std::size_t{0}, fault.message, fault.remedy});
    }
    return refusals;
  });
}

// A value that is refused in all its company is told alone, not once for each
// of the others.
void SweepPlan::tell(const Wheels& wheels, const std::vector<Refusal>& refusals, std::vector<Diagnostic>& out) const {
  std::vector<std::pair<std::string, std::string>> messages;
  std::map<std::pair<std::string, std::string>, std::set<std::size_t>> points;
  for (const Refusal& refusal : refusals) {
    const std::pair key(refusal.message, refusal.hint);
    std::set<std::size_t>& own = points[key];
    if (own.empty()) messages.push_back(key);
    own.insert(refusal.point);
  }
  const auto name = [&](std::size_t axis, std::size_t choice) {
    const study::Variation& variation = varied_[wheels.axes[axis]].variation;
    return fmt::format(" {}={}", variation.path, variation.values[choice].text);
  };
  for (const auto& key : messages) {
    std::set<std::size_t>& left = points[key];
    for (std::size_t axis = 0; axis < wheels.axes.size(); ++axis) {
      std::map<std::size_t, std::vector<std::size_t>> by_choice;
      for (const std::size_t point : left) by_choice[wheels.grid.choices(point)[axis]].push_back(point);
      const std::size_t extent = varied_[wheels.axes[axis]].variation.values.size();
      for (const auto& [choice, own] : by_choice) {
        if (own.size() * extent != wheels.grid.points()) continue;
        out.push_back({"--vary" + name(axis, choice), 0, 0, key.first, key.second});
        for (const std::size_t point : own) left.erase(point);
      }
    }
    for (const std::size_t point : left) {
      std::string where = "--vary";
      const std::vector<std::size_t> choices = wheels.grid.choices(point);
      for (std::size_t axis = 0; axis < choices.size(); ++axis) where += name(axis, choices[axis]);
      out.push_back({where, 0, 0, key.first, key.second});
    }
  }
}

void SweepPlan::check(std::size_t jobs, bool quiet) const {
  const std::vector<std::vector<Refusal>> found = look(jobs, quiet);
  std::vector<Refusal> machines;
  std::vector<Refusal> points;
  std::size_t refused = 0;
  Wheels all;
  for (std::size_t i = 0; i < varied_.size(); ++i) all.axes.push_back(i);
  all.grid = grid_;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (Refusal refusal : found[i])
      if (refusal.point == ~std::size_t{0}) {
        refusal.point = i;
        machines.push_back(std::move(refusal));
      }
  for (std::size_t point = 0; point < grid_.points(); ++point) {
    const std::vector<Refusal>& own = found[turned(of_settings_, point)];
    const std::size_t question = turned(of_options_, point);
    bool bad = false;
    for (const Refusal& refusal : own) {
      const bool whole_machine = refusal.point == ~std::size_t{0};
      if (!whole_machine && refusal.point != question) continue;
      bad = true;
      if (!whole_machine) points.push_back({point, refusal.message, refusal.hint});
    }
    refused += bad ? 1 : 0;
  }
  if (refused == 0) return;
  std::vector<Diagnostic> diagnostics;
  tell(of_settings_, machines, diagnostics);
  tell(all, points, diagnostics);
  constexpr std::size_t most_told = 20;
  const std::size_t more = diagnostics.size() - std::min(diagnostics.size(), most_told);
  diagnostics.resize(diagnostics.size() - more);
  if (more > 0) diagnostics.push_back({"--vary", 0, 0, fmt::format("and {} more like these", more), {}});
  diagnostics.push_back({"--vary", 0, 0, fmt::format("{} of {} points are refused, so none is run", refused, grid_.points()), {}});
  throw InputError(std::move(diagnostics));
}

std::string SweepPlan::why_unread(std::string_view path) const {
  std::string first;
  if (of_settings_.grid.points(most_machines) > most_machines) return first;
  const std::string indexed = config::indexed_path(gpu_.loaded.effective(), path);
  for (std::size_t i = 0; i < of_settings_.grid.points(); ++i) {
    std::vector<Diagnostic> none;
    const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(i), none);
    for (const auto& question : questions_) {
      const auto why = machine::why_unread(spec, question->does(spec), indexed);
      if (!why) return {};
      if (first.empty()) first = *why;
    }
  }
  return first;
}

std::vector<report::Setting> SweepPlan::unread_options(const Given& given) const {
  std::vector<report::Setting> all;
  if (of_settings_.grid.points(most_machines) > most_machines) return all;
  for (std::size_t i = 0; i < of_settings_.grid.points(); ++i) {
    std::vector<Diagnostic> none;
    const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(i), none);
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const std::vector<report::Setting> own = questions_[q]->unread_options(given, spec);
      if (i == 0 && q == 0) all = own;
      std::erase_if(all, [&](const report::Setting& setting) {
        return std::none_of(own.begin(), own.end(), [&](const report::Setting& other) { return other.path == setting.path; });
      });
    }
  }
  return all;
}

formats::ImportReport SweepPlan::imported() const {
  Imports imports;
  for (const auto& question : questions_) question->add_imports(imports);
  formats::ImportReport all;
  for (const auto& [file, report] : imports) {
    for (const std::string& note : report.notes) all.note(note);
    for (const auto& [what, count] : report.counted) all.counted[what] += count;
    for (const auto& [opcode, count] : report.unknown) all.unknown[opcode] += count;
  }
  return all;
}

SweepAnswer SweepPlan::measure(std::size_t point) const {
  std::vector<Diagnostic> none;
  const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(turned(of_settings_, point)), none);
  throw_if_any(std::move(none));
  try {
    return questions_[turned(of_options_, point)]->measure(spec);
  } catch (const InvalidRequest& error) {
    std::string where = "--vary";
    const std::vector<std::size_t> choices = grid_.choices(point);
    for (std::size_t axis = 0; axis < choices.size(); ++axis)
      where += fmt::format(" {}={}", varied_[axis].variation.path, varied_[axis].variation.values[choices[axis]].text);
    refuse(where, error.what());
  }
}

}  // namespace strata::cli
