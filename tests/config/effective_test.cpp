// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "catch.hpp"
#include "config/explain.hpp"
#include "config/load.hpp"
#include "config/schema/reference.hpp"
#include "example_spec.hpp"

using namespace example;
using namespace strata::config;  // NOLINT(google-build-using-namespace)

namespace {

const std::string text = R"(name: "tiny: a test"
clock: 1965 MHz | sourced data sheet
l2: {size: 4 MiB, hit_latency: 200.5 clk | fitted curve}
levels:
- {name: L1, size: 128 KiB, hit_latency: 39 clk, mshrs: none}
)";

Loaded<MachineSpec> machine(const std::vector<std::string>& overrides = {}) {
  return load<MachineSpec>({text, "m.yaml"}, {}, overrides);
}

std::string explained(const std::string& path) {
  try {
    return explain_path(*MachineSpec::schema().info(), machine({"l2.ways=8"}).effective(), path).text();
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

SCENARIO("the_effective_configuration_holds_every_value_and_its_origin") {
  CHECK(write_effective(machine({"l2.ways=8"}).effective(), "tiny") ==
        R"(# tiny: the effective configuration, each value with its origin
name: "tiny: a test"  # m.yaml:1:7
clock: 1965 MHz | sourced data sheet  # m.yaml:2:8
coherent: true  # default
l2:
  name: ""  # default
  size: 4 MiB  # m.yaml:3:12
  line: 128 B  # default
  ways: 8 | chosen --set  # --set
  hit_latency: 200.5 clk | fitted curve  # m.yaml:3:32
  width: 64 B/clk  # default
  write_policy: write_back  # default
  replacement: lru  # default
  mshrs: none  # default
levels:
  -
    name: L1  # m.yaml:5:10
    size: 128 KiB  # m.yaml:5:20
    line: 128 B  # default
    ways: 16  # default
    hit_latency: 39 clk  # m.yaml:5:42
    width: 64 B/clk  # default
    write_policy: write_back  # default
    replacement: lru  # default
    mshrs: none  # m.yaml:5:57
dram: none  # default
)");
}

SCENARIO("the_effective_configuration_reads_back_as_the_same_machine") {
  const std::vector<std::string> overrides = GENERATE(values<std::vector<std::string>>(
      {{},
       {"dram={data_rate: 6.4 GT/s, timings: [350 ps, 0.1 ns, 1e-7 us], refresh_share: 3.9 %}"},
       {"name='a \"b\" # c'", "l2.hit_latency=0.1 clk"},
       {"levels=[]", "clock=1234567891 Hz"}}));
  GIVEN("a machine with " + std::to_string(overrides.size()) + " overrides") {
    const Effective before = machine(overrides).effective();
    WHEN("its effective configuration is written and loaded") {
      const Effective after = load<MachineSpec>({write_effective(before, "x"), "e.yaml"}).effective();
      THEN("nothing that the model reads differs, and provenance is kept") {
        CHECK(differing_paths(before, after).empty());
        CHECK(find_path(after, "l2.size")->bound == find_path(before, "l2.size")->bound);
        CHECK(find_path(after, "clock")->provenance.text() == find_path(before, "clock")->provenance.text());
      }
    }
  }
}

SCENARIO("a_what_if_without_effect_is_detected") {
  const Effective before = machine().effective();
  CHECK(differing_paths(before, machine({"l2.size=4096 KiB"}).effective()).empty());
  CHECK(differing_paths(before, machine({"l2.size=8 MiB", "levels.L1.ways=8"}).effective()) ==
        std::vector<std::string>{"l2.size", "levels[0].ways"});
  CHECK(differing_paths(before, machine({"dram={data_rate: 1 MT/s}"}).effective()) == std::vector<std::string>{"dram"});
}

SCENARIO("numbers_without_provenance_are_listed") {
  const auto bare = numbers_without_provenance(machine().effective());
  REQUIRE(bare.size() == 3);
  CHECK(bare[0].path == "l2.size");
  CHECK(bare[0].set_by->text() == "m.yaml:3:12");
  CHECK(bare[1].path == "levels[0].size");
  CHECK(bare[2].path == "levels[0].hit_latency");
  // line, ways and width of two caches are defaults as well; text and choices never count
  CHECK(numbers_without_provenance(machine().effective(), true).size() == bare.size() + 2 * 3);
}

SCENARIO("a_setting_explains_itself") {
  CHECK(explained("l2.ways") == R"(l2.ways
  meaning:    lines of a set
  kind:       count
  range:      1 to 1024
  default:    16
  value:      8
  set by:     --set
  provenance: chosen --set
)");
  CHECK(explained("levels.L1.size") == R"(levels.L1.size
  meaning:    capacity of one instance
  kind:       size
  unit:       B, KiB, MiB or GiB
  range:      1 KiB to 4 GiB
  default:    none: it must be given
  value:      128 KiB
  set by:     m.yaml:5:20
)");
  CHECK(explained("l2.replacement") == R"(l2.replacement
  meaning:    which line leaves
  kind:       choice
  choices:    lru, tree_plru, random
  default:    lru
  value:      lru
  set by:     default
)");
  CHECK(explained("dram.timings") == R"(dram.timings
  meaning:    row to column, precharge
  kind:       list of time
  unit:       ps, ns or us
  range:      1 to 4 entries
  default:    [14 ns, 14 ns]
  value:      not in this configuration
)");
  CHECK(explained("l2.sise") == "--path:1:4: there is no setting 'l2.sise' (did you mean 'l2.size'?)");
  CHECK(explained("a..b") == "--path:1:1: 'a..b' is not a path (such as l2.cache.size or levels[0].cache.size)");
  CHECK(explained("clock.x") == "--path:1:7: there is no setting 'clock.x'");
}

SCENARIO("all_paths_of_a_spec_are_known") {
  const auto paths = all_paths(*MachineSpec::schema().info());
  CHECK(paths.front() == "name");
  CHECK(paths.back() == "dram.refresh_share");
  CHECK(std::count(paths.begin(), paths.end(), "levels[].size") == 1);
  CHECK(paths.size() == 3 + 2 * 9 + 3);  // machine, two caches of nine settings, memory
}

SCENARIO("the_reference_page_is_made_of_the_descriptions") {
  const std::string page = reference_page(*MachineSpec::schema().info());
  const auto holds = [&](const std::string& line) { return page.find('\n' + line + '\n') != std::string::npos; };
  CHECK(page.starts_with("# Settings of machine\n"));
  CHECK(holds("| `clock` | frequency in Hz, kHz, MHz or GHz | 1 MHz to 10 GHz | required | core clock |"));
  CHECK(holds("| `levels` | [list of cache](#cache) | 0 to 4 entries |  | levels between core and L2 |"));
  CHECK(holds("| `dram` | [dram](#dram) |  | `none` | memory; none: no memory |"));
  CHECK(holds("| `write_policy` | choice | `write_back`, `write_through` | `write_back` | what a store does |"));
  CHECK(holds("- `write_through`: passes stores on"));
  // one section a spec, however often it is used
  CHECK(page.find("## cache") == page.rfind("## cache"));
}
