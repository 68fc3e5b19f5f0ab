// SPDX-License-Identifier: Apache-2.0
// Usage of the program: every verb lists its options, and a mistyped argument is refused with
// the nearest valid one.
#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::run;

struct VerbHelp {
  std::string verb;
  /// Text with the units of its options.
  std::vector<std::string> units;
};

const std::vector<VerbHelp> verbs = {
    {"latency", {"SIZE", "1KiB", "4GiB", "128B", "BYTES"}},
    {"validate", {}},
    {"explain", {"byte address", "SIZE", "0x40000000"}},
    {"list", {"unit, range"}},
    {"run", {"NAME[,param=value]", "FILE"}},
    {"trace", {"FILE", "TO"}},
    {"check", {}},
    {"bandwidth", {"SIZE", "BYTES", "RATE"}},
    {"sweep", {"PATH=VALUES"}},
    {"handoff", {"CLK", "BYTES", "A,B"}},
    {"compare", {"PATH=VALUE", "SIZE"}},
    {"sensitivity", {"SHARE", "DRAWS", "20%"}},
};

void check_refused(const std::vector<std::string>& arguments, const std::string& message) {
  const Outcome outcome = run(arguments);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == message + "\n");
}

}  // namespace

SCENARIO("every_verb_shows_its_options_with_units_and_an_example") {
  const Outcome usage = run({"--help"});
  CHECK(usage.exit_code == 0);
  for (const VerbHelp& expected : verbs) {
    INFO(expected.verb);
    CHECK(usage.out.find("\n  " + expected.verb + ' ') != std::string::npos);
    const Outcome help = run({expected.verb, "--help"});
    CHECK(help.exit_code == 0);
    CHECK(help.err.empty());
    CHECK(help.out.starts_with("usage: strata " + expected.verb + ' '));
    CHECK(help.out.find("\nexample: strata " + expected.verb + ' ') != std::string::npos);
    for (const std::string& unit : expected.units) {
      INFO(unit);
      CHECK(help.out.find(unit) != std::string::npos);
    }
  }
}

SCENARIO("every_verb_prints_the_version") {
  const Outcome plain = run({"--version"});
  REQUIRE(plain.out.starts_with("strata "));
  for (const VerbHelp& verb : verbs) {
    INFO(verb.verb);
    const Outcome outcome = run({verb.verb, "--version"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == plain.out);
  }
}

SCENARIO("without_a_verb_the_usage_goes_to_stderr") {
  const Outcome outcome = run(std::vector<std::string>{});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == run({"--help"}).out);
}

SCENARIO("a_mistyped_name_is_refused_with_the_nearest_name") {
  SECTION("a verb") {
    check_refused({"latncy"},
                  "strata: no verb 'latncy'; there are latency, bandwidth, handoff, litmus, run, sweep, compare, "
                  "sensitivity, validate, explain, list, check, trace (did you mean 'latency'?)");
  }
  SECTION("an option") {
    check_refused({"latency", "--gpu", "h200", "--strid", "64B"},
                  "--strid: no such option; --help lists them (did you mean '--stride'?)");
  }
  SECTION("an option that this list does not read") {
    check_refused({"list", "gpus", "--gpu", "h200"},
                  "--gpu: `list gpus` does not read it (give it to `list stats` or `list graph`)");
  }
  SECTION("a choice") {
    check_refused(
        {"latency", "--gpu", "h200", "--space", "globl"},
        "--space: 'globl' is not one of global, shared, scalar, texture, cluster, bulk (did you mean 'global'?)");
  }
  SECTION("a GPU") {
    const Outcome outcome = run({"latency", "--gpu", "h20"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("--gpu: no configuration 'h20'; there are "));
    CHECK(outcome.err.ends_with(" (did you mean 'h200'?)\n"));
  }
  SECTION("what to list") {
    check_refused({"list", "gpu"},
                  "--what: 'gpu' is not one of gpus, policies, stats, expectations, settings, reference, kernels, "
                  "kernel-reference, man, bash-completion, zsh-completion, graph (did you mean 'gpus'?)");
  }
}

SCENARIO("options_out_of_range_are_refused") {
  SECTION("a size in another unit") {
    check_refused({"latency", "--gpu", "h200", "--from", "3MHz"},
                  "--from: '3MHz' is not a size; write it as 64KiB, 4 MiB or 1GiB");
  }
  SECTION("several footprints of one point") {
    check_refused({"sweep", "latency", "--gpu", "b580", "--footprint", "256KiB,512KiB", "--vary", "clocks.l2=1GHz"},
                  "--footprint: '256KiB,512KiB' is more than one size (strata sweep varies it: --vary "
                  "footprint=256KiB,512KiB)");
  }
  SECTION("a size of nothing") {
    check_refused({"latency", "--gpu", "h200", "--stride", "0B"},
                  "--stride: '0B' is not a size; write it as 64KiB, 4 MiB or 1GiB");
  }
  SECTION("a negative count") {
    check_refused({"latency", "--gpu", "h200", "--jobs", "-1"}, "--jobs: '-1' is not a whole number from 0 to 1024");
  }
  SECTION("a curve that ends before it begins") {
    check_refused({"latency", "--gpu", "h200", "--from", "2MiB", "--to", "1MiB"}, "--to: is smaller than --from");
  }
  SECTION("an option without its value") {
    check_refused({"latency", "--gpu"}, "--gpu: the required argument for option '--gpu' is missing");
  }
  SECTION("an option given twice") {
    check_refused({"latency", "--gpu", "h200", "--gpu", "b200"},
                  "--gpu: option '--gpu' cannot be specified more than once");
  }
  SECTION("two kernels where one is compared") {
    check_refused(
        {"compare", "run", "--gpu", "b580", "--kernel", "copy", "--kernel", "triad", "--change", "l2.bypass=true"},
        "--kernel: option '--kernel' cannot be specified more than once (this verb takes one; `strata run` "
        "takes several)");
  }
  SECTION("a word without an option") {
    check_refused({"latency", "h200"}, "strata: unexpected argument 'h200'; options begin with --, --help lists them");
  }
  SECTION("an address that is none") {
    check_refused({"explain", "--gpu", "h200", "--address", "0x1000g"},
                  "--address: '0x1000g' is not an address; write it as 4096 or 0x1000");
    check_refused({"handoff", "--gpu", "b580", "--cores", "0,1", "--address", "-4"},
                  "--address: '-4' is not an address; write it as 4096 or 0x1000");
  }
  SECTION("a number with a unit where none is read") {
    check_refused({"bandwidth", "--gpu", "b580", "--work-per-access", "100clk"},
                  "--work-per-access: '100clk' is not a number from 0 to 10000; write it without a unit");
    check_refused({"bandwidth", "--gpu", "b580", "--work-per-access", "20000"},
                  "--work-per-access: '20000' is not a number from 0 to 10000");
  }
}
