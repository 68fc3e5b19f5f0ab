// SPDX-License-Identifier: Apache-2.0
// strata: runs a verb, and reports errors with an exit status.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/printable.hpp"
#include "base/text_distance.hpp"
#include "commit.hpp"
#include "options.hpp"
#include "parallel/interrupt.hpp"
#include "verbs.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

constexpr std::array<Verb, 13> all_verbs{{
    {"latency", "load-to-use latency against footprint, by pointer chase", latency_options, latency},
    {"bandwidth", "bandwidth against footprint, with the bottleneck", bandwidth_options, bandwidth},
    {"handoff", "time from a write of one thread to the read of another, for pairs of cores", handoff_options, handoff},
    {"litmus", "which stores of other threads a thread may see, against the memory model", litmus_options, litmus},
    {"run", "run kernels: time, traffic and stall reasons", run_options, run},
    {"sweep", "run one question over a grid of settings", sweep_options, sweep},
    {"compare", "run one question on two machines and attribute the difference", compare_options, compare},
    {"sensitivity", "rank settings by their effect on a result, with provenance", sensitivity_options, sensitivity},
    {"validate", "compare predictions with published measurements", validate_options, validate},
    {"explain", "trace one load stage by stage, or describe a setting", explain_options, explain},
    {"list", "list GPUs, kernels, policies, statistics, expectations, settings", list_options, list},
    {"check", "check a configuration, a trace or a kernel file without running it", check_options, check},
    {"trace", "inspect, convert, import and record traces", trace_options, trace},
}};

void usage(std::ostream& out) {
  out << "strata " << version << ": a cycle-level simulator of GPU memory hierarchies\n\n"
      << "usage: strata VERB [options]; strata VERB --help lists the options of a verb\n\n";
  for (const Verb& verb : verbs()) out << fmt::format("  {:11} {}\n", verb.name, verb.summary);
  out << "\nexit status:\n";
  for (const ExitStatus& status : exit_statuses) out << fmt::format("  {:<11} {}\n", status.code, status.meaning);
}

int print_version() {
  const std::string_view commit = STRATA_COMMIT;
  std::cout << "strata " << version;
  if (!commit.empty()) std::cout << " (commit " << commit << ')';
  std::cout << '\n';
  return exit_done;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    usage(std::cerr);
    return exit_bad_input;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    usage(std::cout);
    return exit_done;
  }
  if (words[0] == "--version") return print_version();
  const Verb& verb = find_verb(words[0]);
  const Arguments arguments(words.begin() + 1, words.end());
  if (std::find(arguments.begin(), arguments.end(), "--version") != arguments.end()) return print_version();
  Options options = verb.options(arguments);
  return options.parse(arguments) ? verb.run(options) : exit_done;
}

}  // namespace

std::span<const Verb> verbs() { return all_verbs; }

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.emplace_back(verb.name);
  }
  throw InputError(Diagnostic{"strata", 0, 0, fmt::format("no verb '{}'; there are {}", name, fmt::join(names, ", ")),
                              did_you_mean(nearest_name(name, names))});
}

}  // namespace strata::cli

int main(int count, char** words) {
  using namespace strata;
  tools::listen_for_interrupts();
  try {
    const int code = cli::dispatch({words + 1, words + count});
    if (!std::cout.flush()) throw InputError(Diagnostic{"standard output", 0, 0, "cannot be written", {}});
    return code;
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
    return cli::exit_bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "strata: not enough memory for this run\n";
    return cli::exit_bad_input;
  } catch (const std::system_error& error) {
    std::cerr << "strata: " << printable_lines(error.what()) << '\n';
    return cli::exit_bad_input;
  } catch (const std::exception& error) {
    std::cerr << "strata: internal error: " << printable_lines(error.what())
              << "\nThis is a fault of strata, not of its input. Please report it with the command line and the input "
                 "files.\n";
    return cli::exit_internal;
  }
}
