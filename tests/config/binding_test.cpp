// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "config/load.hpp"
#include "config/yaml/parse.hpp"
#include "example_spec.hpp"

using namespace example;
using strata::config::bind_spec;
using strata::config::parse;

namespace {

const std::string good = R"(name: tiny
clock: 1965 MHz
l2:
  size: 4 MiB
  hit_latency: 200.5 clk
)";

/// All errors of binding, one a line.
std::string errors_of(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  bind_spec<MachineSpec>(parse(text, "m.yaml"), diagnostics);
  return diagnostics.empty() ? "" : InputError(diagnostics).what();
}

/// The error of a valid machine with a `key: value` line added to its L2.
std::string error_of_l2(const std::string& line) { return errors_of(good + "  " + line + "\n"); }

/// A list whose entries another type reads, and such a map.
struct Raw {
  std::vector<strata::config::Value> steps;
  strata::config::Value names;
  static strata::config::Schema<Raw> schema() {
    return strata::config::Schema<Raw>("raw", "a test")
        .required("steps", &Raw::steps, "maps", strata::config::entries(1, 2))
        .optional("names", &Raw::names, "a map");
  }
};

}  // namespace

TEST_CASE("a_map_that_another_type_reads_is_passed_on_as_it_was_written") {
  const auto errors = [](const std::string& text, Raw& raw) {
    std::vector<Diagnostic> diagnostics;
    raw = bind_spec<Raw>(parse(text, "r.yaml"), diagnostics);
    return diagnostics.empty() ? std::string() : std::string(InputError(diagnostics).what());
  };
  Raw raw;
  CHECK(errors("steps:\n- {any: 1, size: 4 MiB}\nnames: {x: y + 1}\n", raw).empty());
  REQUIRE(raw.steps.size() == 1);
  CHECK(raw.steps[0].find("size")->text == "4 MiB");
  CHECK(raw.steps[0].find("size")->where.text() == "r.yaml:2:18");
  CHECK(raw.names.entries.at(0).value.text == "y + 1");
  CHECK(errors("steps: [{a: 1}]\n", raw).empty());
  CHECK(raw.names.entries.empty());
  CHECK(errors("steps: [1]\n", raw) == "r.yaml:1:9: 'steps[0]' must be a map, not '1'");
  CHECK(errors("steps: [{a: 1}, {a: 2}, {a: 3}]\n", raw).find("must have 1 to 2 entries, not 3") != std::string::npos);
  CHECK(errors("steps: [{a: 1}]\nnames: [1]\n", raw) == "r.yaml:2:1: 'names' must be a map, not a list");
}

SCENARIO("a_configuration_binds_with_units_and_defaults") {
  GIVEN("a machine that names the required settings and two levels") {
    const std::string text = good + R"(levels:
- {name: L1, size: 228 KiB, ways: 57, hit_latency: 39 clk, write_policy: write_through, mshrs: 64}
- {name: L1.5, size: 1.5 MiB, hit_latency: 1e2 clk, replacement: random, width: 0.5 B/clk}
dram:
  data_rate: 6400 MT/s
  timings: [14 ns, 0.5 us, 350 ps]
  refresh_share: 50 %
)";
    WHEN("it is bound") {
      std::vector<Diagnostic> diagnostics;
      const auto machine = bind_spec<MachineSpec>(parse(text, "m.yaml"), diagnostics);
      THEN("every value is in its base unit and the rest are the member initialisers") {
        REQUIRE(diagnostics.empty());
        CHECK(machine.name == "tiny");
        CHECK(machine.clock.value == 1'965'000'000);
        CHECK(machine.l2.size == 4_MiB);
        CHECK(machine.l2.hit_latency.value == 200.5);
        CHECK(machine.l2.ways == CacheSpec{}.ways);
        REQUIRE(machine.levels.size() == 2);
        CHECK(machine.levels[0].size.value == 228U * 1024U);
        CHECK(machine.levels[0].write_policy == WritePolicy::write_through);
        CHECK(machine.levels[0].mshrs == 64U);
        CHECK(machine.levels[1].size.value == 3U * 512U * 1024U);
        CHECK(machine.levels[1].hit_latency.value == 100.0);
        CHECK(machine.levels[1].width.value == 0.5);
        CHECK_FALSE(machine.levels[1].mshrs.has_value());
        REQUIRE(machine.dram.has_value());
        CHECK(machine.dram->data_rate.value == 6'400'000'000U);
        REQUIRE(machine.dram->timings.size() == 3);
        CHECK(machine.dram->timings[1].value == 0.5 * 1000);
        CHECK(machine.dram->timings[2].value == 350.0 / 1000);
        CHECK(machine.dram->refresh_share.value == 0.5);
      }
    }
  }
}

SCENARIO("every_error_of_a_file_is_reported_at_once") {
  GIVEN("a machine with one error of each sort") {
    const std::string text = R"(name: tiny
clok: 1965 MHz
coherent: yes
l2:
  size: 126 MHz
  line: 96 B
  ways: 2048
  write_policy: write_bck
  replacement: lur
  associativity: 4
levels: 3
dram: [1]
)";
    WHEN("it is bound") {
      THEN("each is reported with its place, in the order of the description") {
        CHECK(errors_of(text) ==
              "m.yaml:2:1: unknown key 'clok' (did you mean 'clock'?)\n"
              "m.yaml:1:1: 'clock' is missing (a frequency in Hz, kHz, MHz or GHz: core clock)\n"
              "m.yaml:3:11: 'coherent' must be true or false, not 'yes'\n"
              "m.yaml:10:3: unknown key 'l2.associativity' (known here: name, size, line, ways, hit_latency, width, "
              "write_policy, replacement, mshrs)\n"
              "m.yaml:5:9: 'l2.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126 MHz'\n"
              "m.yaml:6:9: 'l2.line' must be 32 B to 256 B, a power of two, not '96 B'\n"
              "m.yaml:7:9: 'l2.ways' must be 1 to 1024, not '2048'\n"
              "m.yaml:4:1: 'l2.hit_latency' is missing (a number of cycles in clk: cycles from request to data)\n"
              "m.yaml:8:17: 'l2.write_policy' must be one of write_back, write_through, not 'write_bck' (did you mean "
              "'write_back'?)\n"
              "m.yaml:9:16: 'l2.replacement' must be one of lru, tree_plru, random, not 'lur' (did you mean 'lru'?)\n"
              "m.yaml:11:9: 'levels' must be a list, not '3'\n"
              "m.yaml:12:1: 'dram' must be a map, not a list (one memory channel)");
      }
    }
  }
}

SCENARIO("numbers_that_another_reader_would_misread_are_refused") {
  struct Case {
    std::string line;
    std::string error;  // after "m.yaml:6:C: "
  };
  const auto [line, error] = GENERATE(values<Case>({
      {"ways: 010", "9: 'l2.ways' must not begin with 0, as '010' does"},
      {"ways: 0x10", "9: 'l2.ways' must be in decimal digits, not '0x10'"},
      {"ways: 1_000", "9: 'l2.ways' must be written without '_' between digits, not '1_000'"},
      {"ways: 1,000", "9: 'l2.ways' must be written without ',' between digits, not '1,000'"},
      {"ways: -3", "9: 'l2.ways' is a count and must not be negative, as '-3' is"},
      {"ways: +3", "9: 'l2.ways' must be written without '+', not '+3'"},
      {"ways: nan", "9: 'l2.ways' must be a finite number, not 'nan'"},
      {"ways: .inf", "9: 'l2.ways' must be a finite number, not '.inf'"},
      {"ways: 2.5", "9: 'l2.ways' must be a whole number, not '2.5'"},
      {"ways: 16 B", "9: 'l2.ways' is a count without a unit, not '16 B'"},
      {"ways: 4294967296", "9: 'l2.ways' is too large: '4294967296'"},
      {"ways: 18446744073709551616", "9: 'l2.ways' is too large: '18446744073709551616'"},
      {"ways: 1e400", "9: 'l2.ways' is too large: '1e400'"},
      {"ways: many", "9: 'l2.ways' is a count, not 'many'"},
      {"ways: 0", "9: 'l2.ways' must be 1 to 1024, not '0'"},
      {"ways: [4]", "3: 'l2.ways' must be a single value, not a list"},
      {"ways: ''", "9: 'l2.ways' has no value"},
      {"line: 64", "9: 'l2.line' is a size and needs a unit of B, KiB, MiB or GiB, not '64'"},
      {"line: 64 b", "9: 'l2.line' is a size and needs a unit of B, KiB, MiB or GiB, not '64 b'"},
      {"line: 0.3 KiB", "9: 'l2.line' must be a whole number of B, not '0.3 KiB'"},
      {"line: 99999999999 GiB", "9: 'l2.line' is too large: '99999999999 GiB'"},
      {"line: large", "9: 'l2.line' is a size such as '64 B', not 'large'"},
      {"width: 1e400 B/clk", "10: 'l2.width' is out of range: '1e400 B/clk'"},
      {"width: 64 B", "10: 'l2.width' is a width and needs a unit of B/clk, not '64 B'"},
      {"width: -1 B/clk", "10: 'l2.width' is a width and must not be negative, as '-1 B/clk' is"},
      {"mshrs: 0", "10: 'l2.mshrs' must be at least 1, not '0'"},
  }));
  GIVEN("a good machine with " + line) {
    WHEN("it is bound") {
      THEN("the number is refused with the way to write it") { CHECK(error_of_l2(line) == "m.yaml:6:" + error); }
    }
  }
}

SCENARIO("sets_that_are_not_whole_are_refused_at_the_size") {
  GIVEN("an L2 of 4 MiB with three ways of 128 B") {
    WHEN("it is bound") {
      THEN("the geometry is refused where the size was written") {
        REQUIRE((4_MiB % (128_B * 3)).value != 0);
        CHECK(error_of_l2("ways: 3") == "m.yaml:4:9: 'l2.size' is not a whole number of sets of 3 lines of 128 B");
      }
    }
  }
  GIVEN("an L2 whose ways are mistyped") {
    WHEN("it is bound") {
      THEN("the geometry is not judged over the mistyped number") {
        CHECK(error_of_l2("ways: x") == "m.yaml:6:9: 'l2.ways' is a count, not 'x'");
      }
    }
  }
}

SCENARIO("list_entries_under_one_name_are_refused") {
  GIVEN("two levels named L1") {
    const std::string text = good + R"(levels:
- {name: L1, size: 128 KiB, hit_latency: 1 clk}
- {name: L1, size: 128 KiB, hit_latency: 1 clk}
)";
    WHEN("it is bound") {
      THEN("the second is refused and the first is pointed at") {
        CHECK(errors_of(text) == "m.yaml:8:10: 'levels' has two entries named 'L1' (first at m.yaml:7:10)");
      }
    }
  }
}

SCENARIO("list_lengths_and_entries_are_checked") {
  GIVEN("five timings of which one has the wrong unit") {
    const std::string text = good + "dram: {data_rate: 6.4 GT/s, timings: [1 ns, 2 ns, 3 B, 4 ns, 5 ns]}\n";
    WHEN("it is bound") {
      THEN("both errors are reported, the entry by its index") {
        CHECK(errors_of(text) ==
              "m.yaml:6:29: 'dram.timings' must have 1 to 4 entries, not 5 (leave out 1 of them)\n"
              "m.yaml:6:51: 'dram.timings[2]' is a time and needs a unit of ps, ns or us, not '3 B'");
      }
    }
  }
}

SCENARIO("none_removes_an_optional_setting") {
  GIVEN("a machine whose memory and MSHRs are none") {
    std::vector<Diagnostic> diagnostics;
    const auto machine = bind_spec<MachineSpec>(parse(good + "  mshrs: none\ndram: none\n", "m.yaml"), diagnostics);
    THEN("both are absent") {
      CHECK(diagnostics.empty());
      CHECK_FALSE(machine.l2.mshrs.has_value());
      CHECK_FALSE(machine.dram.has_value());
    }
  }
}

SCENARIO("thousands_of_errors_are_counted_rather_than_listed") {
  GIVEN("a machine with 5000 unknown keys") {
    const std::size_t unknown = 5000;
    std::string text = good;
    for (std::size_t i = 0; i < unknown; ++i) text += "extra" + std::to_string(i) + ": 1\n";
    WHEN("it is bound") {
      std::vector<Diagnostic> diagnostics;
      bind_spec<MachineSpec>(parse(text, "m.yaml"), diagnostics);
      THEN("a hundred are listed and the rest are counted") {
        const std::size_t listed = 100;
        REQUIRE(diagnostics.size() == listed + 1);
        CHECK(diagnostics.back().text() == "m.yaml: and " + std::to_string(unknown - listed) + " more errors");
      }
    }
  }
}

SCENARIO("a_schema_that_contradicts_itself_is_refused_when_it_is_built") {
  using strata::config::Schema;
  CHECK_THROWS_WITH(Schema<CacheSpec>("c", "").optional("a", &CacheSpec::ways, "").optional("a", &CacheSpec::ways, ""),
                    "field 'a' is described twice");
  CHECK_THROWS_WITH(Schema<CacheSpec>("c", "").optional("use", &CacheSpec::ways, ""),
                    "'use' is a word of the configuration itself");
  CHECK_THROWS_WITH(Schema<CacheSpec>("c", "").check("size", [](const CacheSpec&) { return ""; }),
                    "no field 'size' to check");
}
