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
#include "parallel/interrupt.hpp"
#include "verbs.hpp"
#include "version.hpp"

namespace strata::cli {

namespace {

constexpr std::array<Verb, 12> all_verbs{{
    {"latency", "the pointer-chase curve: footprint against load-to-use latency", latency},
    {"bandwidth", "footprint against bandwidth, and what the bottleneck was", bandwidth},
    {"handoff", "how long a word takes from one thread to another, for pairs of cores", handoff},
    {"run", "kernels: how long they take and where the time went", run},
    {"sweep", "one question to every combination of the values that settings are to take", sweep},
    {"compare", "one question, two machines: what differs, what changes and why", compare},
    {"sensitivity", "how far an answer moves with each setting it reads, and how well that is known", sensitivity},
    {"validate", "every expectation of validation/: table, score, exit code", validate},
    {"explain", "one load's journey stage by stage, or what a setting means", explain},
    {"list", "what there is: gpus, policies, expectations, settings, reference", list},
    {"check", "validates a configuration or a trace without running it", check},
    {"trace", "looks into, converts, imports and records traces", trace},
}};

void usage(std::ostream& out) {
  out << "strata " << version << ": a cycle-level simulator of GPU memory hierarchies\n\n"
      << "usage: strata VERB [options]; strata VERB --help tells the options of a verb\n\n";
  for (const Verb& verb : verbs()) out << fmt::format("  {:11} {}\n", verb.name, verb.summary);
  out << "\nexit: 0 done; 1 ran, but failed what it checks; 2 bad usage, configuration or input;\n"
         "70 a fault of strata itself, please report it;\n"
         "130 interrupted, with what was done until then written and marked incomplete\n";
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
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == words[0]) return verb.run({words.begin() + 1, words.end()});
    names.emplace_back(verb.name);
  }
  throw InputError(Diagnostic{"strata", 0, 0, fmt::format("no verb '{}'; there are {}", words[0], fmt::join(names, ", ")),
                              did_you_mean(nearest_name(words[0], names))});
}

}  // namespace

std::span<const Verb> verbs() { return all_verbs; }

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
