// SPDX-License-Identifier: Apache-2.0
#include "sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <map>
#include <numeric>
#include <set>

#include "base/invalid_request.hpp"
#include "base/text_distance.hpp"
#include "config/explain.hpp"
#include "machine/machine.hpp"
#include "machine/unread.hpp"

namespace strata::cli {

namespace {

[[noreturn]] void refuse(std::string what, std::string message, std::string hint = {}) {
  throw InputError(Diagnostic{std::move(what), 0, 0, std::move(message), std::move(hint)});
}

// Looked through for settings that none of them reads.
constexpr std::size_t most_machines = 256;

bool is_switch(const po::option_description& option) { return option.semantic()->max_tokens() == 0; }

std::string_view path_of(std::string_view argument) { return argument.substr(0, argument.find('=')); }

}  // namespace

SweepPlan::SweepPlan(const Gpu& gpu, const SweepQuestionKind& kind, const Options& options) : gpu_(gpu), kind_(kind) {
  describe(described_, options);
  const std::vector<std::string> arguments = options.texts("vary");
  if (arguments.empty())
    refuse("--vary", fmt::format("say what to vary, as in {}", kind.example));
  read_variations(arguments, options);
  link(options.texts("zip"));
  read_options(options);
  std::vector<std::size_t> all(varied_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  grid_ = grid_of(all);
  if (grid_.points(study::most_sweep_points) > study::most_sweep_points) {
    std::vector<std::size_t> extents;
    double points = 1;
    for (std::size_t i = 0; i < varied_.size(); ++i)
      if (varied_[i].link == i) {
        extents.push_back(varied_[i].variation.values.size());
        points *= static_cast<double>(extents.back());
      }
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

// Each argument is a list of paths that take their values together.
void SweepPlan::link(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < varied_.size(); ++i) varied_[i].link = i;
  std::set<std::size_t> linked;
  for (const std::string& argument : arguments) {
    std::vector<std::string> paths;
    boost::split(paths, argument, [](char c) { return c == ','; });
    if (paths.size() < 2) refuse("--zip " + argument, "names the paths of two --vary or more, with commas between them");
    std::size_t first = varied_.size();
    for (const std::string& path : paths) {
      const auto found = std::find_if(varied_.begin(), varied_.end(), [&](const VariedThing& thing) { return thing.variation.path == path; });
      if (found == varied_.end()) refuse("--zip " + argument, fmt::format("'{}' is not varied", path), fmt::format("give it values, as in --vary {}=...", path));
      const auto index = static_cast<std::size_t>(found - varied_.begin());
      if (!linked.insert(index).second) refuse("--zip " + argument, fmt::format("'{}' is linked twice", path), "give all that go together to one --zip");
      const std::size_t values = found->variation.values.size();
      if (first != varied_.size() && values != varied_[first].variation.values.size())
        refuse("--zip " + argument, fmt::format("'{}' has {} values and '{}' has {}", varied_[first].variation.path,
                                                varied_[first].variation.values.size(), path, values),
               "give each as many values; the first go together, then the second");
      first = std::min(first, index);  // of varied_: links are named by it
    }
    for (const std::string& path : paths)
      for (VariedThing& thing : varied_)
        if (thing.variation.path == path) thing.link = first;
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

// Of these varied things, by index.
study::SweepGrid SweepPlan::grid_of(const std::vector<std::size_t>& things) const {
  std::vector<std::size_t> extents;
  std::vector<std::size_t> links;
  for (const std::size_t thing : things) {
    extents.push_back(varied_[thing].variation.values.size());
    links.push_back(varied_[thing].link);
  }
  return study::SweepGrid(extents, links);
}

SweepPlan::Wheels SweepPlan::wheels(bool of_the_question) const {
  Wheels wheels;
  for (std::size_t i = 0; i < varied_.size(); ++i)
    if (varied_[i].of_the_question == of_the_question) wheels.axes.push_back(i);
  wheels.grid = grid_of(wheels.axes);
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
      question_options_.emplace_back(values.begin(), values.end());
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
  std::vector<std::string> overrides;
  for (std::size_t a = 0; a < choices.size(); ++a) {
    const study::Variation& variation = varied_[of_settings_.axes[a]].variation;
    overrides.push_back(variation.path + "=" + variation.values[choices[a]].text);
  }
  return gpu_.loaded.with(overrides, diagnostics);
}

std::string SweepPlan::why_unread(std::string_view path) const {
  std::string first;
  if (of_settings_.grid.points(most_machines) > most_machines) return first;
  const std::string indexed = config::indexed_path(gpu_.loaded.effective(), path);
  for (std::size_t i = 0; i < of_settings_.grid.points(); ++i) {
    std::vector<Diagnostic> refused;
    const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(i), refused);
    if (!refused.empty()) continue;
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
  bool first = true;
  if (of_settings_.grid.points(most_machines) > most_machines) return all;
  for (std::size_t i = 0; i < of_settings_.grid.points(); ++i) {
    std::vector<Diagnostic> refused;
    const machine::MachineSpec spec = this->spec(of_settings_.grid.choices(i), refused);
    if (!refused.empty()) continue;
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const std::vector<report::Setting> own = questions_[q]->unread_options(given, spec);
      if (first) all = own;
      first = false;
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

NamesAndTexts SweepPlan::values(std::size_t point) const {
  NamesAndTexts all;
  const std::vector<std::size_t> choices = grid_.choices(point);
  for (std::size_t axis = 0; axis < choices.size(); ++axis)
    all.emplace_back(varied_[axis].variation.path, varied_[axis].variation.values[choices[axis]].text);
  return all;
}

std::vector<std::string> SweepPlan::names() const {
  PointNames names(gpu_.loaded.effective(), kind_);
  std::vector<std::vector<std::string>> files;
  for (const auto& question : questions_) files.push_back(question->files());
  std::vector<std::string> all;
  for (std::size_t point = 0; point < grid_.points(); ++point) {
    const std::size_t question = turned(of_options_, point);
    NamesAndTexts settings = values(point);
    std::size_t axis = 0;
    std::erase_if(settings, [&](const auto&) { return varied_[axis++].of_the_question; });
    all.push_back(names.name(settings, question_options_[question], files[question]));
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
    for (const auto& [path, text] : values(point)) where += fmt::format(" {}={}", path, text);
    refuse(where, error.what());
  }
}

}  // namespace strata::cli
