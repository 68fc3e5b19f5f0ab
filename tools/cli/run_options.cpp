// SPDX-License-Identifier: Apache-2.0
#include "run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/diagnostic.hpp"
#include "files/workload.hpp"

namespace strata::cli {

void describe_run(po::options_description& description, bool several) {
  const auto name = [several](const char* value) -> po::value_semantic* {
    if (several) return po::value<std::vector<std::string>>()->value_name(value)->composing();
    return po::value<std::string>()->value_name(value);
  };
  description.add_options()(
      "kernel", name("NAME[,param=value]"),
      several ? "a built-in kernel of `strata list kernels`, or a file of your own, FILE.yaml[,param=value];\n"
                "given again, they run in this order"
              : "a built-in kernel of `strata list kernels`, or a file of your own, FILE.yaml; its parameters\n"
                "can be varied as kernel.param")(
      "trace", name("FILE"),
      several ? "a trace, native or of another tool, after the kernels; given again, in this order"
              : "a trace, native or of another tool, after the kernel")(
      "caches", po::value<std::string>()->value_name("cold|warm")->default_value("cold"),
      "cold: each kernel begins with empty caches; warm: with the data of the previous kernel in the\n"
      "shared caches and empty caches of the cores")(
      "repeat", po::value<std::string>()->value_name("N")->default_value("1"), "number of times that the list is run")(
      "placement", po::value<std::string>()->value_name("P"),
      "block placement, a name of `strata list policies`; default: the machine's")(
      "sample", po::value<std::string>()->value_name("N")->default_value("64"),
      "samples one of this many line requests, for the shares of stages")(
      "sampled", po::value<std::string>()->value_name("SHARE")->implicit_value("0"),
      "runs a part of a kernel of many similar blocks, until its rate to memory is steady, and estimates\n"
      "the rest; at least SHARE of its blocks are run, 0 to 1. A kernel too small for that is run completely");
}

namespace {

// The later value would hide the earlier one.
void refuse_parameter_twice(const std::string& kernel) {
  std::set<std::string_view> given;
  const std::string_view text = kernel;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;) {
    const std::size_t begin = comma + 1;
    comma = text.find(',', begin);
    const std::string_view setting = text.substr(begin, comma == std::string_view::npos ? comma : comma - begin);
    const std::string_view name = setting.substr(0, setting.find('='));
    if (!given.insert(name).second)
      throw InputError(Diagnostic{"--kernel", 0, 0, fmt::format("'{}' gives {} twice", kernel, name), "give it once"});
  }
}

}  // namespace

RunOptions read_run(const Options& options) {
  const auto texts = [&](const char* name) {
    if (options.holds_one(name)) return std::vector{options.get<std::string>(name)};
    return options.texts(name);
  };
  RunOptions run{texts("kernel"), texts("trace"), options.count("repeat", 1, 1000000), {}};
  if (run.kernels.empty() && run.traces.empty())
    throw InputError(Diagnostic{"run", 0, 0, "nothing to run: name a kernel with --kernel or a file with --trace", {}});
  for (const std::string& kernel : run.kernels) refuse_parameter_twice(kernel);
  run.question.caches = options.choice("caches", {"cold", "warm"}) == 0 ? study::Caches::cold : study::Caches::warm;
  run.question.placement = options.text("placement").value_or("");
  if (options.has("sampled")) run.question.sampled = options.real("sampled", 0, 1);
  run.question.sample = options.count("sample", 1, std::uint64_t{1} << 40U);
  return run;
}

trace::LaunchList RunOptions::launches(const machine::MachineSpec& spec, formats::ImportReport& report) const {
  const kernels::Target target = study::target_of(spec);
  trace::LaunchList list;
  for (std::uint64_t i = 0; i < repeat; ++i) {
    for (const std::string& text : kernels) list.push_back(tools::open_kernel(text, target));
    for (const std::string& file : traces) {
      formats::ImportReport again;
      for (auto& kernel : tools::open_workload(file, i == 0 ? report : again)) list.push_back(std::move(kernel));
    }
  }
  return list;
}

std::vector<std::string> notes_on(const trace::LaunchList& list, const machine::MachineSpec& spec) {
  std::vector<std::string> notes;
  const auto note = [&](std::string text) {
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
  };
  for (const auto& kernel : list) {
    const trace::KernelInfo& info = kernel->info();
    if (info.warp_width < spec.core.warp_width)
      note(fmt::format("warps of kernel '{}' have {} lanes, those of {} have {}: the others stay idle", info.name,
                       info.warp_width, spec.name, spec.core.warp_width));
    if (info.past_l1 && !spec.l1.cache.bypass_cg)
      note(
          fmt::format("kernel '{}' has loads with past_l1, and loads cannot bypass the L1 of {} "
                      "(l1.cache.bypass_cg is false)",
                      info.name, spec.name));
  }
  return notes;
}

std::uint64_t blocks_of(const trace::LaunchList& list) {
  std::uint64_t blocks = 0;
  for (const auto& kernel : list) blocks += kernel->info().blocks();
  return blocks;
}

}  // namespace strata::cli
