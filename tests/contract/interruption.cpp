// SPDX-License-Identifier: Apache-2.0
// An interrupted run ends at once, says what is kept, and leaves the files that
// it was to write as they were.
#include <csignal>

#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::test::Outcome;
using strata::test::Running;
using strata::test::Scratch;

}  // namespace

SCENARIO("an_interrupted_run_leaves_files_as_they_were") {
  for (const int number : {SIGINT, SIGTERM}) {
    GIVEN("a long run over a file of an earlier one, ended by signal " + std::to_string(number)) {
      const Scratch folder;
      folder.write("curve.csv", "of an earlier run\n");
      Running program(STRATA_PROGRAM,
                      {"latency", "--gpu", "mi300x", "--from", "1GiB", "--to", "128GiB", "--whole-warm-up", "--csv", "curve.csv",
                       "--json", "curve.json"},
                      folder.path(""));
      REQUIRE(program.catches(number));
      WHEN("it is interrupted") {
        program.signal(number);
        const Outcome outcome = program.wait();
        THEN("it ends by the signal, tells what is kept, and has written nothing") {
          CHECK(outcome.exit_code == -number);
          CHECK(outcome.out.empty());
          CHECK(outcome.err == "\nstrata: interrupted; each named output is whole or as it was before\n");
          CHECK(folder.names() == std::vector<std::string>{"curve.csv"});
          CHECK(folder.read("curve.csv") == "of an earlier run\n");
        }
      }
    }
  }
}
