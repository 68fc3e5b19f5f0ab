// SPDX-License-Identifier: Apache-2.0
#include "sweep_varied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <boost/algorithm/string.hpp>

#include "base/diagnostic.hpp"
#include "base/text_distance.hpp"
#include "machine/machine.hpp"

namespace strata::cli {

namespace {

using report::SweepPart;

constexpr std::string_view gpu_path = "gpu";

std::string_view path_of(std::string_view argument) { return argument.substr(0, argument.find('=')); }

// Errors of one GPU of several name it.
Gpu load_one_of(const tools::Library& library, const std::string& name, const std::vector<std::string>& overrides) {
  try {
    return load_gpu(library, name, overrides, {.more_follow = true});
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.file == "--gpu")
        diagnostic.file = fmt::format("--vary gpu={}", name);
      else if (diagnostic.file == "--set")
        diagnostic.message += fmt::format(", on {}", name);
    }
    throw InputError(std::move(diagnostics));
  }
}

// Any text can be used to test whether the path exists.
std::vector<Diagnostic> why_no_setting(const Gpu& gpu, const config::SchemaInfo& schema, const std::string& path) {
  config::Value tree = gpu.loaded.tree;
  std::vector<Diagnostic> unknown;
  config::apply_override(tree, schema, path + "=0", unknown);
  return unknown;
}

class Reader {
 public:
  Reader(const std::vector<Gpu>& gpus, const QuestionOptions& question, const Options& given)
      : gpus_(gpus), question_(question), given_(given), schema_(machine::MachineSpec::schema().info()) {}

  VariedThing thing(const std::string& argument) const {
    const std::string path = study::varied_path(argument);
    VariedThing thing;
    thing.part = part(path);
    thing.variation = study::read_variation(argument, present(path, thing.part));
    if (!thing.variation.scaled) refuse_second_value(path, thing.part);
    return thing;
  }

 private:
  SweepPart part(const std::string& path) const {
    if (path == gpu_path) return SweepPart::gpu;
    std::vector<Diagnostic> unknown;
    for (const Gpu& gpu : gpus_) {
      std::vector<Diagnostic> here = why_no_setting(gpu, *schema_, path);
      if (here.empty()) return SweepPart::configuration;
      if (unknown.empty()) unknown = std::move(here);
    }
    if (find_option(question_.described, path) != nullptr) return SweepPart::question;
    Diagnostic diagnostic = unknown.front();
    std::vector<std::string> names{std::string(gpu_path)};
    for (const auto& option : question_.described.options()) names.push_back(option->long_name());
    const std::string near = nearest_name(path, names);
    if (!near.empty()) diagnostic.hint = did_you_mean(near);
    if (path.find('.') == std::string::npos)
      diagnostic.message += fmt::format(", nor an option of {}", question_.question);
    diagnostic.file = "--vary";
    throw InputError(diagnostic);
  }

  study::Present present(const std::string& path, SweepPart part) const {
    study::Present there;
    if (part == SweepPart::configuration) {
      there.kind = study::kind_of_setting(*schema_, path);
      there.of_each = gpus_.size() > 1;
      if (!there.of_each) there.value = setting_text(gpus_.front().loaded.effective(), path);
    } else if (part == SweepPart::question) {
      there.number_by_look = true;
      there.parameters = path == "kernel";
      if (!is_switch(*find_option(question_.described, path)))
        there.value = given_.text(path).value_or(question_.untouched.text(path).value_or(""));
    }
    return there;
  }

  void refuse_second_value(const std::string& path, SweepPart part) const {
    if (part != SweepPart::configuration && given_.has(path))
      refuse_sweep("--" + path, "is varied by --vary as well; remove one of them");
    for (const std::string& set : given_.texts("set"))
      if (part == SweepPart::configuration && path_of(set) == path)
        refuse_sweep("--set " + set, "--vary gives this setting other values; remove one of them",
                     "factors such as *0.8 can be combined with --set");
  }

  const std::vector<Gpu>& gpus_;
  const QuestionOptions& question_;
  const Options& given_;
  const std::shared_ptr<const config::SchemaInfo> schema_;
};

// Each argument is a list of paths that take their values together.
void link(std::vector<VariedThing>& varied, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < varied.size(); ++i) varied[i].link = i;
  std::set<std::size_t> linked;
  for (const std::string& argument : arguments) {
    std::vector<std::string> paths;
    boost::split(paths, argument, boost::is_any_of(","));
    if (paths.size() < 2)
      refuse_sweep("--zip " + argument, "names the paths of two --vary or more, with commas between them");
    std::size_t first = varied.size();
    for (const std::string& path : paths) {
      const auto found = std::find_if(varied.begin(), varied.end(),
                                      [&](const VariedThing& thing) { return thing.variation.path == path; });
      if (found == varied.end())
        refuse_sweep("--zip " + argument, fmt::format("'{}' is not varied", path),
                     fmt::format("give it values, as in --vary {}=...", path));
      const auto index = static_cast<std::size_t>(found - varied.begin());
      if (!linked.insert(index).second)
        refuse_sweep("--zip " + argument, fmt::format("'{}' is linked twice", path),
                     "give all linked parameters to one --zip");
      const std::size_t values = found->variation.values.size();
      if (first != varied.size() && values != varied[first].variation.values.size())
        refuse_sweep("--zip " + argument,
                     fmt::format("'{}' has {} values and '{}' has {}", varied[first].variation.path,
                                 varied[first].variation.values.size(), path, values),
                     "give each the same number of values; the first are linked, then the second");
      first = std::min(first, index);  // links are named by it
    }
    for (const std::string& path : paths)
      for (VariedThing& thing : varied)
        if (thing.variation.path == path) thing.link = first;
  }
}

Wheels wheels(const std::vector<VariedThing>& varied, const std::function<bool(SweepPart)>& turns) {
  Wheels wheels;
  std::vector<std::size_t> extents;
  std::vector<std::size_t> links;
  for (std::size_t i = 0; i < varied.size(); ++i) {
    if (!turns(varied[i].part)) continue;
    wheels.axes.push_back(i);
    extents.push_back(varied[i].variation.values.size());
    links.push_back(varied[i].link);
  }
  wheels.grid = study::SweepGrid(extents, links);
  return wheels;
}

}  // namespace

std::vector<Gpu> load_sweep_gpus(const tools::Library& library, const Options& options) {
  std::vector<Gpu> gpus;
  const std::vector<std::string> overrides = options.texts("set");
  for (const std::string& argument : options.texts("vary")) {
    if (study::varied_path(argument) != gpu_path) continue;
    if (options.has("gpu")) refuse_sweep("--gpu", "is varied by --vary as well; remove one of them");
    for (const study::VariedValue& value : study::read_variation(argument, {}).values)
      gpus.push_back(load_one_of(library, value.text, overrides));
    return gpus;
  }
  gpus.push_back(load_gpu(library, options, {.more_follow = true}));
  return gpus;
}

bool is_switch(const po::option_description& option) { return option.semantic()->max_tokens() == 0; }

const po::option_description* find_option(const po::options_description& described, std::string_view name) {
  for (const auto& option : described.options())
    if (option->long_name() == name) return option.get();
  return nullptr;
}

std::string setting_text(const config::Effective& root, std::string_view path) {
  const config::Effective* const node = config::find_path(root, path);
  return node != nullptr && node->shape == config::Shape::scalar && !node->absent ? node->bound : std::string();
}

std::vector<VariedThing> read_varied(const std::vector<Gpu>& gpus, const QuestionOptions& question,
                                     const Options& given) {
  const Reader reader(gpus, question, given);
  std::vector<VariedThing> varied;
  for (const std::string& argument : given.texts("vary")) {
    const std::string path = study::varied_path(argument);
    for (const VariedThing& before : varied)
      if (before.variation.path == path)
        refuse_sweep("--vary", fmt::format("'{}' is varied twice", path), "give all its values to one --vary");
    varied.push_back(reader.thing(argument));
  }
  link(varied, given.texts("zip"));
  return varied;
}

std::size_t Wheels::own_point(const std::vector<std::size_t>& choices) const {
  std::vector<std::size_t> own;
  for (const std::size_t axis : axes) own.push_back(choices[axis]);
  return grid.point(own);
}

Wheels all_wheels(const std::vector<VariedThing>& varied) {
  return wheels(varied, [](SweepPart) { return true; });
}

Wheels machine_wheels(const std::vector<VariedThing>& varied) {
  return wheels(varied, [](SweepPart part) { return part != SweepPart::question; });
}

Wheels question_wheels(const std::vector<VariedThing>& varied) {
  return wheels(varied, [](SweepPart part) { return part == SweepPart::question; });
}

}  // namespace strata::cli
