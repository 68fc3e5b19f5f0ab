// SPDX-License-Identifier: Apache-2.0
// strata: finds the verb, runs it, and turns what went wrong into words and an
// exit code.
#include <fmt/format.h>

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

constexpr std::array<Verb, 11> all_verbs{{
    {"latency", "the pointer-chase curve: footprint against load-to-use latency", latency_options, latency},
    {"bandwidth", "footprint against bandwidth, and what the bottleneck was", bandwidth_options, bandwidth},
    {"run", "kernels: how long they take and where the time went", run_options, run},
    {"sweep", "one question to every combination of the values that settings are to take", sweep_options, sweep},
    {"compare", "one question, two machines: what differs, what changes and why", compare_options, compare},
    {"sensitivity", "how far an answer moves with each setting it reads, and how well that is known", sensitivity_options, sensitivity},
    {"validate", "every expectation of validation/: table, score, exit code", validate_options, validate},
    {"explain", "one load's journey stage by stage, or what a setting means", explain_options, explain},
    {"list", "what there is: gpus, policies, expectations, settings, reference", list_options, list},
    {"check", "validates a configuration or a trace without running it", check_options, check},
    {"trace", "looks into, converts, imports and records traces", trace_options, trace},
}};

void usage(std::ostream& out) {
  out << "strata " << version << ": a cycle-level simulator of GPU memory hierarchies\n\n"
      << "usage: strata VERB [options]; strata VERB --help tells the options of a verb\n\n";
  for (const Verb& verb : verbs()) out << fmt::format("  {:11} {}\n", verb.name, verb.summary);
  out << "\nexit status:\n";
  for (const ExitStatus& status : exit_statuses) out << fmt::format("  {:<11} {}\n", status.code, status.meaning);
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
  if (words[0] == "--version") {
    const std::string_view commit = STRATA_COMMIT;
    std::cout << "strata " << version;
    if (!commit.empty()) std::cout << " (commit " << commit << ')';
    std::cout << '\n';
    return exit_done;
  }
  const Verb& verb = find_verb(words[0]);
  const Arguments arguments(words.begin() + 1, words.end());
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
              << "\nThis is a fault of strata, not of its input. Please report it with the command line and the input files.\n";
    return cli::exit_internal;
  }
}
