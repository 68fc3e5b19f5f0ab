// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "config/load.hpp"
#include "example_spec.hpp"

using namespace example;
using strata::config::load;
using strata::config::Source;

namespace {

const Source machine_file{R"(name: tiny
clock: 1965 MHz
l2: {size: 4 MiB, hit_latency: 200 clk}
levels:
- {name: L1, size: 128 KiB, hit_latency: 39 clk}
- {name: L1.5, size: 1 MiB, hit_latency: 100 clk}
)",
                          "m.yaml"};

strata::config::Loaded<MachineSpec> with(const std::vector<std::string>& overrides) {
  return load<MachineSpec>(machine_file, {}, overrides);
}

std::string error_with(const std::vector<std::string>& overrides) {
  try {
    with(overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

SCENARIO("overrides_set_what_a_path_names") {
  GIVEN("a machine with two levels") {
    CHECK(with({"l2.size=8 MiB"}).spec.l2.size == 8_MiB);
    CHECK(with({"levels[1].size=2MiB"}).spec.levels[1].size == 2_MiB);
    CHECK(with({"levels.L1.ways=8"}).spec.levels[0].ways == 8);
    CHECK(with({"levels.0.ways=8"}).spec.levels[0].ways == 8);
    CHECK(with({"clock=2 GHz", "clock=1 GHz"}).spec.clock == 1_GHz);
  }
  GIVEN("a setting that no file gives") {
    THEN("it can be set, and so can one of a map that is not there") {
      CHECK(with({"l2.mshrs=64"}).spec.l2.mshrs == 64U);
      CHECK(with({"dram.data_rate=6400 MT/s"}).spec.dram->data_rate == 6400_MT_s);
      CHECK(with({"dram.data_rate=1 MT/s", "dram=none"}).spec.dram.has_value() == false);
      CHECK(with({"dram=none", "dram.data_rate=1 MT/s"}).spec.dram->data_rate == 1_MT_s);
    }
  }
  GIVEN("lists and maps on the right side") {
    CHECK(with({"dram={data_rate: 5 MT/s, timings: [1 ns, 2 ns]}"}).spec.dram->timings[1].value == 2.0);
    CHECK(with({"levels=[]"}).spec.levels.empty());
  }
}

SCENARIO("an_override_is_recorded_as_the_origin_of_the_value") {
  using strata::config::find_path;
  const auto effective = with({"l2.size=8 MiB", "l2.ways=8 | derived half of 16"}).effective();
  CHECK(find_path(effective, "l2.size")->set_by->text() == "--set");
  CHECK(find_path(effective, "l2.size")->provenance.text() == "chosen --set");
  CHECK(find_path(effective, "l2.ways")->provenance.text() == "derived half of 16");
  CHECK(find_path(effective, "l2.hit_latency")->set_by->text() == "m.yaml:3:32");
}

SCENARIO("wrong_overrides_are_reported_at_their_place_in_the_argument") {
  struct Case {
    std::string argument;
    std::string error;
  };
  const auto [argument, error] = GENERATE(values<Case>({
      {"l2.size", "--set:1:1: 'l2.size' has no '=' (write PATH=VALUE)"},
      {"=3", "--set:1:1: '' is not a path (such as l2.cache.size or levels[0].cache.size)"},
      {"l2..size=3", "--set:1:1: 'l2..size' is not a path (such as l2.cache.size or levels[0].cache.size)"},
      {"levels[1.size=3", "--set:1:1: 'levels[1.size' is not a path (such as l2.cache.size or levels[0].cache.size)"},
      {"l2.sise=3", "--set:1:4: there is no setting 'l2.sise' (did you mean 'l2.size'?)"},
      {"hit_latency=3 clk", "--set:1:1: there is no setting 'hit_latency' (did you mean 'l2.hit_latency'?)"},
      {"frobnicate=3", "--set:1:1: there is no setting 'frobnicate'"},
      {"clock.rate=3", "--set:1:7: 'clock' is a single value and has no 'rate'"},
      {"levels[2].size=1 MiB", "--set:1:8: 'levels' has no entry '2' (it has 2 entries, counted from 0)"},
      {"levels.LL1.size=1 MiB", "--set:1:8: 'levels' has no entry 'LL1' (did you mean 'levels.L1'?)"},
      {"levels.L1.sizee=1 MiB", "--set:1:11: there is no setting 'levels.L1.sizee' (did you mean 'levels.L1.size'?)"},
      {"l2.size=126 MHz", "--set:1:9: 'l2.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126 MHz'"},
      {"l2.size=", "--set:1:9: 'l2.size' has no value"},
      {"l2=3", "--set:1:4: 'l2' must be a map, not '3' (a set-associative cache)"},
      {"l2.size=3 MiB | fited x", "--set:1:9: 'fited' is not a provenance (did you mean 'fitted'?)"},
      {"dram={data_rate: 1 MT/s, data_rate: 2 MT/s}", "--set:1:26: 'data_rate' is given twice (first at line 1)"},
      {"dram={data_rat: 1 MT/s}",
       "--set:1:7: unknown key 'dram.data_rat' (did you mean 'data_rate'?)\n"
       "--set:1:6: 'dram.data_rate' is missing (a data rate in MT/s or GT/s: transfers a second on a pin)"},
  }));
  GIVEN("--set " + argument) {
    THEN("the error says where and what instead") { CHECK(error_with({argument}) == error); }
  }
}

SCENARIO("errors_of_overrides_and_files_are_reported_together") {
  CHECK(error_with({"l2.sise=3", "l2.ways=0", "clok=1 MHz"}) ==
        "--set:1:4: there is no setting 'l2.sise' (did you mean 'l2.size'?)\n"
        "--set:1:1: there is no setting 'clok' (did you mean 'clock'?)\n"
        "--set:1:9: 'l2.ways' must be 1 to 1024, not '0'");
}

SCENARIO("an_override_that_a_value_of_a_file_does_not_fit_is_named") {
  // Its sets are of 16 ways, 128 B each.
  const std::string said = error_with({"clock=1 GHz", "l2.ways=7"});
  CHECK(said.starts_with("--set l2.ways=7: 'l2.size' "));
  CHECK(said.find("(l2.size set by m.yaml:3:12") != std::string::npos);
  CHECK(said.find("clock") == std::string::npos);
}
