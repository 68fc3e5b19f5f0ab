// SPDX-License-Identifier: Apache-2.0
// Which kernels are run, and how: the options of every verb that runs some.
#pragma once
#include <string>
#include <vector>

#include "formats/import/import.hpp"
#include "machine/spec.hpp"
#include "options.hpp"
#include "study/run/run.hpp"
#include "trace/kernel.hpp"

namespace strata::cli {

/// Adds --kernel, --trace, --caches, --repeat, --placement, --sampled and --sample. several:
/// --kernel and --trace may be given again.
void describe_run(po::options_description& description, bool several);

struct RunOptions {
  std::vector<std::string> kernels;  ///< NAME[,param=value...] or FILE.yaml
  std::vector<std::string> traces;   ///< files, after the kernels
  std::uint64_t repeat = 1;
  study::RunQuestion question;

  /// Made for that machine. The report of imports is of the first round. Throws InputError.
  trace::LaunchList launches(const machine::MachineSpec& spec, formats::ImportReport& report) const;
  /// Kernels compute what their warps do; a trace is a file that is read in one place at a time.
  bool may_run_in_parallel() const { return traces.empty(); }
};

/// Throws InputError, also if there is nothing to run.
RunOptions read_run(const Options& options);

/// What that GPU makes of them that their author may not expect.
std::vector<std::string> notes_on(const trace::LaunchList& list, const machine::MachineSpec& spec);
std::uint64_t blocks_of(const trace::LaunchList& list);

}  // namespace strata::cli
