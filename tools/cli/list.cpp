// SPDX-License-Identifier: Apache-2.0
// strata list: what there is.
#include <fmt/format.h>

#include <iostream>

#include "base/diagnostic.hpp"
#include "config/reference.hpp"
#include "gpu.hpp"
#include "kernels/catalogue.hpp"
#include "machine/policies.hpp"
#include "report/table.hpp"
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

}  // namespace

int list(const Arguments& arguments) {
  Options options("list gpus|kernels|policies|expectations|settings|reference|kernel-reference",
                  "Tells what there is. `settings` are the paths that --set and --path take; `reference` is the\n"
                  "page of every setting with its meaning, unit, range and default, in Markdown, and\n"
                  "`kernel-reference` that of the built-in kernels with their exact addresses.",
                  "strata list gpus");
  options.description().add_options()("what", po::value<std::string>()->value_name("WHAT"), "which list");
  options.positional("what", 1);
  if (!options.parse(arguments)) return exit_done;
  if (!options.has("what"))
    throw InputError(Diagnostic{"list", 0, 0, "say what: gpus, kernels, policies, expectations, settings, reference or kernel-reference", {}});
  const tools::Library library = tools::Library::beside_program();
  switch (options.choice("what", {"gpus", "policies", "expectations", "settings", "reference", "kernels", "kernel-reference"})) {
    case 0: list_gpus(library); break;
    case 1: list_policies(); break;
    case 2: list_expectations(library); break;
    case 3: list_settings(); break;
    case 5: list_kernels(); break;
    case 6: std::cout << kernels::reference_page(); break;
    default: std::cout << config::reference_page(*machine::MachineSpec::schema().info());
  }
  return exit_done;
}

}  // namespace strata::cli
