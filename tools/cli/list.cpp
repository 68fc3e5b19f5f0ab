// SPDX-License-Identifier: Apache-2.0
// strata list: what there is.
#include <fmt/format.h>

#include <iostream>
#include <set>

#include "base/diagnostic.hpp"
#include "config/reference.hpp"
#include "gpu.hpp"
#include "kernels/catalogue.hpp"
#include "machine/machine.hpp"
#include "machine/policies.hpp"
#include "report/table.hpp"
#include "stats/collector.hpp"
#include "study/expectation.hpp"

namespace strata::cli {

namespace {

constexpr report::Align left = report::Align::left;

void list_gpus(const tools::Library& library) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : library.gpus()) {
    const Gpu gpu = load_gpu(library, name, {});
    const machine::MachineSpec& spec = gpu.spec();
    rows.push_back({name, spec.name, fmt::format("{}", spec.dies.compute * spec.dies.cores_per_die), spec.core.name,
                    fmt::format("{:.0f}", static_cast<double>(spec.clocks.core.value) / 1e6)});
  }
  std::cout << report::table({{"name", left}, {"GPU", left}, {"cores", report::Align::right}, {"called", left}, {"core clock [MHz]", report::Align::right}}, rows);
}

void list_policies() {
  std::vector<std::vector<std::string>> rows;
  for (const machine::PolicyRow& row : machine::policies()) rows.push_back({row.table, row.name, row.meaning});
  std::cout << report::table({{"of", left}, {"policy", left}, {"what it does", left}}, rows);
}

void list_expectations(const tools::Library& library) {
  std::vector<std::vector<std::string>> rows;
  for (const config::Source& source : library.expectations())
    for (const study::Expectation& row : study::read_expectations(source))
      rows.push_back({row.id, row.gpu, std::string(study::name(row.kind)), row.quantity});
  std::cout << report::table({{"id", left}, {"gpu", left}, {"kind", left}, {"quantity", left}}, rows);
}

void list_kernels() {
  std::vector<std::vector<std::string>> rows;
  for (const kernels::KernelKind& kernel : kernels::kernel_kinds()) {
    const auto parameters = kernel.parameters();
    std::string name(kernel.name);
    std::string meaning(kernel.meaning);
    for (const config::FieldInfo& field : parameters->fields) {
      rows.push_back({name, meaning, field.name, field.default_text, field.range, field.meaning});
      name.clear();
      meaning.clear();
    }
  }
  std::cout << report::table({{"kernel", left}, {"what it does", left}, {"parameter", left}, {"default", left}, {"range", left}, {"meaning", left}}, rows);
}

void list_settings() {
  for (const std::string& path : config::all_paths(*machine::MachineSpec::schema().info())) std::cout << path << '\n';
}

// What every block of the machines tells, once for all instances. A core comes into being
// when it is first asked.
void list_stats(const tools::Library& library, const std::vector<std::string>& gpus) {
  std::vector<std::vector<std::string>> rows;
  std::set<std::string> listed;
  for (const std::string& name : gpus) {
    const Gpu gpu = load_gpu(library, name, {});
    const std::vector<stats::Figure> figures = ask(gpu, [&] {
      machine::Machine machine(gpu.spec());
      machine.touch(0, 0, 4, trace::Space::global, memory::CacheOperator::ca);
      return stats::families(machine.snapshot());
    });
    for (const stats::Figure& figure : figures) {
      if (!listed.insert(figure.path).second) continue;
      const bool resource = figure.kind == stats::Kind::resource;
      rows.push_back({figure.path, resource ? "busy ticks, count served" : figure.unit,
                      figure.meaning});
    }
  }
  std::cout << report::table({{"statistic", left}, {"unit", left}, {"meaning", left}}, rows);
}

}  // namespace

int list(const Arguments& arguments) {
  Options options("list gpus|kernels|policies|stats|expectations|settings|reference|kernel-reference",
                  "Tells what there is. `stats` are the figures that the blocks of a machine count, by scope;\n"
                  "a * stands for the number of a core, die, slice or channel. `settings` are the paths that\n"
                  "--set and --path take; `reference` is the page of every setting with its meaning,\n"
                  "unit, range and default, in Markdown, and `kernel-reference` that of the built-in\n"
                  "kernels with their exact addresses.",
                  "strata list gpus");
  options.description().add_options()("what", po::value<std::string>()->value_name("WHAT"), "which list")
      ("gpu", po::value<std::string>()->value_name("G"), "of stats: those of this GPU; else of all");
  options.positional("what", 1);
  if (!options.parse(arguments)) return exit_done;
  if (!options.has("what"))
    throw InputError(Diagnostic{"list", 0, 0, "say what: gpus, kernels, policies, stats, expectations, settings, reference or kernel-reference", {}});
  const tools::Library library = tools::Library::beside_program();
  switch (options.choice("what", {"gpus", "policies", "stats", "expectations", "settings", "reference", "kernels", "kernel-reference"})) {
    case 0: list_gpus(library); break;
    case 1: list_policies(); break;
    case 2:
      list_stats(library, options.has("gpu") ? std::vector{*options.text("gpu")} : library.gpus());
      break;
    case 3: list_expectations(library); break;
    case 4: list_settings(); break;
    case 6: list_kernels(); break;
    case 7: std::cout << kernels::reference_page(); break;
    default: std::cout << config::reference_page(*machine::MachineSpec::schema().info());
  }
  return exit_done;
}

}  // namespace strata::cli
