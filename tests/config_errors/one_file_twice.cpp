// SPDX-License-Identifier: Apache-2.0
// Two outputs must not be the same file, and an output must not be an input, under any names.
#include <unistd.h>

#include <filesystem>

#include "refusal.hpp"

namespace fs = std::filesystem;
using namespace strata::test;

namespace {

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const char* const kernel = "name: k\narrays:\n  - {name: a, size: 64 KiB}\nbody:\n  - {op: load, array: a, to: x}\n";

// A folder with a configuration, a kernel, a trace, measured points, and other
// names for each of them.
struct Inputs : Scratch {
  Inputs() {
    write("c.yaml", "base: b580\n");
    write("k.yaml", kernel);
    write("m.csv", "footprint_bytes,latency_cycles\n65536,100\n");
    REQUIRE(run(*this, {"trace", "record", "k.yaml", "t.strace"}).exit_code == 0);
    fs::create_directory(path("d"));
    fs::create_symlink("d", path("link_to_folder"));
    for (const char* name : {"c.yaml", "k.yaml", "m.csv", "t.strace"}) {
      fs::create_symlink(name, path(std::string("soft.") + name));
      fs::create_hard_link(path(name), path(std::string("hard.") + name));
    }
  }
  Words other_names(const std::string& name) const {
    return {name, "./" + name, "d/../" + name, path(name).string(), "soft." + name, "hard." + name};
  }
};

void check_untouched(const Inputs& folder, const Words& words, const std::string& message) {
  const Words before = folder.names();
  Words texts;
  for (const char* name : {"c.yaml", "k.yaml", "m.csv", "t.strace"}) texts.push_back(folder.read(name));
  const Outcome outcome = run(folder, words);
  std::string line;
  for (const std::string& word : words) line += word + ' ';
  CAPTURE(line, outcome.err, outcome.out);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find(message) != std::string::npos);
  CHECK(outcome.err.find("name another file") != std::string::npos);
  CHECK(folder.names() == before);
  Words after;
  for (const char* name : {"c.yaml", "k.yaml", "m.csv", "t.strace"}) after.push_back(folder.read(name));
  CHECK(after == texts);
}

}  // namespace

SCENARIO("an_output_that_is_an_input_is_refused_under_any_of_its_names") {
  const Inputs folder;
  const Words small = {"--from", "64KiB", "--to", "64KiB", "--timed-loads", "256"};
  const struct {
    Words words;
    std::string input;
  } commands[] = {
      {Words{"latency", "--gpu", "c.yaml", "--json"}, "c.yaml"},
      {Words{"latency", "--gpu", "c.yaml"} + small + Words{"--svg"}, "c.yaml"},
      {Words{"latency", "--gpu", "b580", "--compare", "m.csv", "--csv"}, "m.csv"},
      {Words{"run", "--gpu", "b580", "--kernel", "k.yaml", "--html"}, "k.yaml"},
      {Words{"run", "--gpu", "b580", "--trace", "t.strace", "--timeline"}, "t.strace"},
      {Words{"sweep", "run", "--gpu", "c.yaml", "--kernel", "k.yaml", "--vary", "sample=1,2", "--csv"}, "k.yaml"},
      {Words{"explain", "--gpu", "c.yaml", "--settings", "--json"}, "c.yaml"},
      {Words{"check", "c.yaml", "--json"}, "c.yaml"},
      {Words{"check", "t.strace", "--csv"}, "t.strace"},
      {Words{"trace", "info", "t.strace", "--json"}, "t.strace"},
      {Words{"trace", "record", "k.yaml"}, "k.yaml"},
      {Words{"trace", "convert", "t.strace"}, "t.strace"},
  };
  for (const auto& command : commands)
    for (const std::string& name : folder.other_names(command.input))
      check_untouched(folder, command.words + Words{name}, "'" + name + "' is an input of this command");
}

SCENARIO("two_outputs_that_are_one_file_are_refused_whether_it_is_there_or_not") {
  const Inputs folder;
  folder.write("there", "an earlier answer");
  fs::create_symlink("there", folder.path("soft.there"));
  fs::create_hard_link(folder.path("there"), folder.path("hard.there"));
  fs::create_symlink("new", folder.path("soft.new"));  // leads to a file that does not exist yet
  const Words quick = {"latency", "--gpu", "b580", "--from", "64KiB", "--to", "64KiB", "--timed-loads", "256"};
  for (const Words& pair : {Words{"new", "./new"},
                            {"d/new", "link_to_folder/new"},
                            {"d/../new", "new"},
                            {"soft.new", "new"},
                            {"new", "soft.new"},
                            {"there", "./there"},
                            {"there", "soft.there"},
                            {"hard.there", "soft.there"}}) {
    check_untouched(folder, quick + Words{"--json", pair[0], "--csv", pair[1]},
                    "'" + pair[1] + "' is the output of --json");
    check_untouched(
        folder, Words{"run", "--gpu", "b580", "--kernel", "vecadd,n=1000", "--json", pair[0], "--timeline", pair[1]},
        "'" + pair[1] + "' is the output of --json");
  }
  CHECK(folder.read("there") == "an earlier answer");
}

SCENARIO("devices_and_pipes_are_not_outputs_that_can_be_lost") {
  const Scratch folder;
  const Words quick = {"latency", "--gpu", "b580", "--from", "64KiB", "--to", "64KiB", "--timed-loads", "256"};
  CHECK(run(folder, quick + Words{"--json", "/dev/null", "--csv", "/dev/null"}).exit_code == 0);
  fs::create_directory(folder.path("d"));
  CHECK(run(folder, quick + Words{"--json", "d/a", "--csv", "a"}).exit_code == 0);
}
