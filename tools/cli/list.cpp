// SPDX-License-Identifier: Apache-2.0
// strata list: the graph of a machine, GPUs, kernels, policies, statistics, expectations, settings, reference pages.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "completion.hpp"
#include "config/schema/reference.hpp"
#include "gpu.hpp"
#include "graph_listing.hpp"
#include "kernels/catalogue.hpp"
#include "listing.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/described/reference.hpp"
#include "machine/described/write.hpp"
#include "machine/machine.hpp"
#include "machine/policies.hpp"
#include "man_page.hpp"
#include "stats/window.hpp"
#include "study/expectation/expectation.hpp"

namespace strata::cli {

namespace {

using report::Listing;

const std::vector<std::string> lists{"gpus",     "policies",        "stats",          "expectations",
                                     "settings", "reference",       "kernels",        "kernel-reference",
                                     "man",      "bash-completion", "zsh-completion", "graph"};

// Which lists read an option that not all do.
struct ReadBy {
  const char* option;
  std::vector<std::string> lists;
};
const std::vector<ReadBy> read_by_some{{"gpu", {"stats", "graph"}},
                                       {"set", {"stats", "graph"}},
                                       {"dot", {"graph"}},
                                       {"yaml", {"graph"}},
                                       {"verb", {"man"}}};

void refuse_unread(const Options& options) {
  const std::string& what = lists[options.choice("what", lists)];
  for (const ReadBy& some : read_by_some)
    if (options.has(some.option) && std::find(some.lists.begin(), some.lists.end(), what) == some.lists.end())
      throw InputError(Diagnostic{fmt::format("--{}", some.option), 0, 0,
                                  fmt::format("`list {}` does not read it", what),
                                  fmt::format("give it to `list {}`", fmt::join(some.lists, "` or `list "))});
}

Listing gpus(const tools::Library& library) {
  Listing all = listing("gpus", {{"name", {"name", left}},
                                 {"gpu", {"GPU", left}},
                                 {"cores", {"cores", right}},
                                 {"called", {"called", left}},
                                 {"core_clock_mhz", {"core clock [MHz]", right}}});
  for (const std::string& name : library.gpus()) {
    const Gpu gpu = load_gpu(library, name, {});
    const machine::MachineSpec& spec = gpu.spec();
    all.rows.push_back({name, spec.name, fmt::format("{}", spec.dies.compute * spec.dies.cores_per_die), spec.core.name,
                        fmt::format("{:.0f}", static_cast<double>(spec.clocks.core.value) / 1e6)});
  }
  return all;
}

Listing policies() {
  Listing all =
      listing("policies", {{"of", {"of", left}}, {"policy", {"policy", left}}, {"meaning", {"what it does", left}}});
  for (const machine::PolicyRow& row : machine::policies()) all.rows.push_back({row.table, row.name, row.meaning});
  return all;
}

Listing expectations(const tools::Library& library) {
  Listing all = listing(
      "expectations",
      {{"id", {"id", left}}, {"gpu", {"gpu", left}}, {"kind", {"kind", left}}, {"quantity", {"quantity", left}}});
  for (const config::Source& source : library.expectations())
    for (const study::Expectation& row : study::read_expectations(source))
      all.rows.push_back({row.id, row.gpu, std::string(study::name(row.kind)), row.quantity});
  return all;
}

// For people the name of a kernel is printed once, for programs in each row.
Listing kernels_and_parameters(bool each_row) {
  Listing all = listing("kernels", {{"kernel", {"kernel", left}},
                                    {"meaning", {"what it does", left}},
                                    {"parameter", {"parameter", left}},
                                    {"default", {"default", left}},
                                    {"range", {"range", left}},
                                    {"parameter_meaning", {"meaning", left}}});
  for (const kernels::KernelKind& kernel : kernels::kernel_kinds()) {
    const auto parameters = kernel.parameters();
    std::string name(kernel.name);
    std::string meaning(kernel.meaning);
    for (const config::FieldInfo& field : parameters->fields) {
      all.rows.push_back({name, meaning, field.name, field.default_text, field.range, field.meaning});
      if (each_row) continue;
      name.clear();
      meaning.clear();
    }
  }
  return all;
}

Listing settings() {
  Listing all = listing("settings", {{"path", {"path", left}}});
  for (const std::string& path : config::all_paths(*machine::MachineSpec::schema().info())) all.rows.push_back({path});
  return all;
}

// The statistics of every block of the machines, once for all instances. A core is created at
// its first use.
Listing statistics(const tools::Library& library, const std::vector<std::string>& gpus,
                   const std::vector<std::string>& overrides) {
  Listing all =
      listing("stats", {{"statistic", {"statistic", left}}, {"unit", {"unit", left}}, {"meaning", {"meaning", left}}});
  std::set<std::string> listed;
  for (const std::string& name : gpus) {
    const Gpu gpu = load_gpu(library, name, overrides);
    const std::vector<stats::Statistic> rows = ask(gpu, [&] {
      machine::Machine machine(gpu.spec());
      machine.touch(0, 0, 4, trace::Space::global, memory::CacheOperator::ca);
      return stats::statistics(machine.meter().snapshot(), stats::Detail::kinds, stats::Window{});
    });
    for (const stats::Statistic& row : rows)
      if (listed.insert(row.path).second) all.rows.push_back({row.path, row.unit, row.meaning});
  }
  return all;
}

int show_page(const Outputs& outputs, const std::string& page) {
  if (outputs.json || outputs.csv)
    throw InputError(Diagnostic{outputs.json ? "--json" : "--csv", 0, 0, "a page has one form only", {}});
  std::cout << page;
  return exit_done;
}

// Two tables, so that there is no CSV.
int show_graph(const Options& options, const Outputs& outputs, const tools::Library& library) {
  if (outputs.csv) throw InputError(Diagnostic{"--csv", 0, 0, "a graph is two tables; --json has both", {}});
  const Gpu gpu = load_gpu(library, options);
  const machine::Graph graph = ask(gpu, [&] { return machine::graph_of(machine::consistent(gpu.spec())); });
  const std::optional<std::string> dot = options.text("dot");
  if (dot == "-" && outputs.claims_stdout())
    throw InputError(Diagnostic{"--dot", 0, 0, "standard output is taken by --json; name a file", {}});
  const std::optional<std::string> yaml = options.text("yaml");
  if (yaml == "-" && (dot == "-" || outputs.claims_stdout()))
    throw InputError(Diagnostic{"--yaml", 0, 0, "standard output is taken by another option; name a file", {}});
  if (outputs.json) tools::write_file(*outputs.json, graph_json(graph, gpu.name));
  if (dot) tools::write_file(*dot, graph_dot(graph, gpu.name));
  if (yaml)
    tools::write_file(*yaml, config::write_effective(machine::with_graph(gpu.loaded.tree), printable(gpu.name)));
  if (dot != "-" && yaml != "-" && !outputs.claims_stdout()) std::cout << graph_table(graph);
  return exit_done;
}

}  // namespace

Options list_options(const Arguments&) {
  Options options("list WHAT",
                  "Lists GPUs, kernels, policies, statistics, settings and others. `stats` are the statistics that the "
                  "blocks of a machine count, by scope;\n"
                  "a * stands for the number of a core, die, slice or channel, and --stats of other verbs\n"
                  "writes their values. `settings` are the paths that\n"
                  "--set and --path take; `reference` is the page of every setting with its meaning,\n"
                  "unit, range and default, in Markdown, and `kernel-reference` that of the built-in\n"
                  "kernels with their exact addresses. `man` is the manual page of the program or of one verb;\n"
                  "`bash-completion` and `zsh-completion` are scripts for these shells. `graph` is a machine as\n"
                  "nodes (caches, crossbars, routers, memories: how many, who shares one, capacity) and edges\n"
                  "(widths, latencies, depth of the buffer at the end), with the settings that describe them.",
                  "strata list gpus");
  options.description().add_options()(
      "what", po::value<std::string>()->value_name(fmt::format("{}", fmt::join(lists, "|"))), "which list")(
      "gpu", po::value<std::string>()->value_name("G"),
      "of stats: those of this GPU, default: all; of graph: a name of `strata list gpus`, or a YAML file")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUE"),
      "of stats and graph: overrides a setting; may be given again")(
      "dot", po::value<std::string>()->value_name("FILE"), "of graph: for Graphviz; - for standard output")(
      "yaml", po::value<std::string>()->value_name("FILE"),
      "of graph: as a configuration with nodes and edges, to be changed and read again; - for standard output")(
      "verb", po::value<std::string>()->value_name("VERB"), "of man: the page of this verb; default: the program");
  Outputs::describe(options.description(), false);
  options.positional("what", 1);
  return options;
}

int list(const Options& options) {
  if (!options.has("what"))
    throw InputError(Diagnostic{"list", 0, 0, fmt::format("expected one of {}", fmt::join(lists, ", ")), {}});
  refuse_unread(options);
  const Outputs outputs(options);
  outputs.check();
  const tools::Library library = tools::Library::beside_program();
  Listing all;
  switch (options.choice("what", lists)) {
    case 0:
      all = gpus(library);
      break;
    case 1:
      all = policies();
      break;
    case 2:
      all = statistics(library, options.has("gpu") ? std::vector{*options.text("gpu")} : library.gpus(),
                       options.texts("set"));
      all.heading.gpu = options.text("gpu").value_or("");
      break;
    case 3:
      all = expectations(library);
      break;
    case 4:
      all = settings();
      break;
    case 6:
      all = kernels_and_parameters(outputs.json || outputs.csv);
      break;
    case 7:
      return show_page(outputs, kernels::reference_page());
    case 8:
      return show_page(outputs,
                       options.has("verb") ? verb_page(find_verb(options.get<std::string>("verb"))) : program_page());
    case 9:
      return show_page(outputs, bash_completion());
    case 10:
      return show_page(outputs, zsh_completion());
    case 11:
      return show_graph(options, outputs, library);
    default:
      return show_page(outputs,
                       config::reference_page(*machine::MachineSpec::schema().info()) + machine::graph_reference());
  }
  write_listing(outputs, all, all.what == "settings" ? lines(all) : report::table(all));
  return exit_done;
}

}  // namespace strata::cli
