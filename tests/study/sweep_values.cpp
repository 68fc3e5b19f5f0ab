// SPDX-License-Identifier: Apache-2.0
// The values of --vary: their meaning, and refusals.
#include "study/sweep/values.hpp"

#include <cmath>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "machine/spec.hpp"

namespace {

using strata::InputError;
using namespace strata::study;
namespace config = strata::config;

const Present size{&config::size_kind, false, "32 MiB"};
const Present count{&config::count_kind, false, "10"};
const Present cycles{&config::cycles_kind, false, "200 clk"};
const Present words{nullptr, false, "lru"};
const Present by_look{nullptr, true, "16 KiB"};

std::vector<std::string> texts(const std::string& argument, const Present& present) {
  std::vector<std::string> all;
  for (const VariedValue& value : read_variation(argument, present).values) all.push_back(value.text);
  return all;
}

std::vector<double> numbers(const std::string& argument, const Present& present) {
  std::vector<double> all;
  for (const VariedValue& value : read_variation(argument, present).values) all.push_back(value.number);
  return all;
}

std::string refusal(const std::string& argument, const Present& present) {
  try {
    read_variation(argument, present);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

}  // namespace

SCENARIO("values_between_commas_are_taken_as_set_takes_them") {
  CHECK(texts("l2.size=32MiB, 64 MiB", size) == Texts{"32MiB", "64 MiB"});
  CHECK(numbers("l2.size=32MiB, 64 MiB", size) == Numbers{32.0 * 1024 * 1024, 64.0 * 1024 * 1024});
  CHECK(texts("policy=lru,random", words) == Texts{"lru", "random"});
  CHECK(std::isnan(read_variation("policy=lru", words).values[0].number));
  CHECK(texts("lists=[1,2],{a: 1, b: 2},'x,y'", words) == Texts{"[1,2]", "{a: 1, b: 2}", "'x,y'"});
  CHECK(numbers("hit=none,30 clk | fitted by hand", cycles)[1] == 30);
  CHECK(read_variation("l2.size=1KiB", size).path == "l2.size");
}

SCENARIO("a_range_holds_both_its_ends") {
  CHECK(texts("l2.size=1MiB..4MiB:x2", size) == Texts{"1 MiB", "2 MiB", "4 MiB"});
  CHECK(texts("n=1..9:+4", count) == Texts{"1", "5", "9"});
  CHECK(texts("n=1..8:+3", count) == Texts{"1", "4", "7"});
  CHECK(texts("n=3..3:x2", count) == Texts{"3"});
  CHECK(texts("n=1..5:x1.5", count) == Texts{"1", "2", "3"});  // 1, 1.5, 2.25, 3.375 to the nearest, each once
  CHECK(texts("hit=1 clk..1.5 clk:+0.1 clk", cycles) ==
        Texts{"1 clk", "1.1 clk", "1.2 clk", "1.3 clk", "1.4 clk", "1.5 clk"});
  CHECK(texts("n=1..4:x2,100", count) == Texts{"1", "2", "4", "100"});
}

SCENARIO("factors_are_of_the_value_that_is_there") {
  CHECK(numbers("hit=*0.8,*1,*1.25", cycles) == Numbers{160, 200, 250});
  CHECK(numbers("hit=*80%,*120 %", cycles) == Numbers{160, 240});
  CHECK(texts("n=*0.5..*2:x2", count) == Texts{"5", "10", "20"});
  CHECK(texts("n=*1..1.2:+10%", count) == Texts{"10", "11", "12"});
  CHECK(texts("n=*0.33", count) == Texts{"3"});
  CHECK(read_variation("n=*2", count).scaled);
  CHECK_FALSE(read_variation("n=2", count).scaled);
}

SCENARIO("an_option_is_a_number_of_the_kind_it_looks_like") {
  CHECK(texts("footprint=16KiB..64KiB:x2", by_look) == Texts{"16 KiB", "32 KiB", "64 KiB"});
  CHECK(texts("cores=1..4:x2", by_look) == Texts{"1", "2", "4"});
  CHECK(texts("footprint=*2", by_look) == Texts{"32 KiB"});
  CHECK(read_variation("order=random,ascending", by_look).kind == nullptr);
  CHECK(read_variation("share=0.5,1", by_look).kind == &config::real_kind);
}

SCENARIO("what_makes_no_values_is_refused_with_its_place_and_a_remedy") {
  CHECK_THROWS_AS(varied_path("l2.size"), InputError);
  CHECK(refusal("l2.size=", size) == "--vary:1:9: 'l2.size' names no value (write PATH=a,b,c or PATH=lo..hi:x2)");
  CHECK(refusal("l2.size=1MiB,,2MiB", size) == "--vary:1:14: 'l2.size' has an empty value (write PATH=a,b,c)");
  CHECK(refusal("n=8..1:x2", count) == "--vary:1:3: '8..1:x2' ends below its beginning (write the smaller end first)");
  CHECK(refusal("n=1..8:x1", count) == "--vary:1:8: a step of 'x1' is not allowed (a factor is greater than 1)");
  CHECK(refusal("n=1..8:x0.5", count) == "--vary:1:8: a step of 'x0.5' is not allowed (a factor is greater than 1)");
  CHECK(refusal("n=1..8:+0", count) == "--vary:1:8: a step of '+0' is not allowed (a step is greater than 0)");
  CHECK(refusal("n=0..8:x2", count) == "--vary:1:3: a range by factors begins above 0 (step by +S)");
  CHECK(refusal("n=1..8", count) == "--vary:1:3: '1..8' has no step (write lo..hi:x2 or lo..hi:+1)");
  CHECK(refusal("n=1..8:2", count) == "--vary:1:8: '2' is not a step (write lo..hi:x2 or lo..hi:+1)");
  CHECK(refusal("n=1..8:+1,4", count) == "--vary:1:11: 'n' takes the value 4 twice");
  CHECK(refusal("l2.size=1MiB,1024KiB", size) == "--vary:1:14: 'l2.size' takes the value 1024KiB twice");
  CHECK(refusal("policy=lru,lru", words) == "--vary:1:12: 'policy' takes the value lru twice");
  CHECK(refusal("policy=1..4:x2", words) ==
        "--vary:1:8: 'policy' is no number and has no range (list its values: PATH=a,b,c)");
  CHECK(refusal("policy=*2", words) ==
        "--vary:1:8: 'policy' is no number and has no factor (list its values: PATH=a,b,c)");
  CHECK(refusal("n=*2", Present{&config::count_kind, false, ""}) ==
        "--vary:1:3: 'n' has no value to multiply (give the values themselves)");
  CHECK(refusal("l2.size=16..64MiB:x2", size) ==
        "--vary:1:9: 'l2.size' is a size and needs a unit of B, KiB, MiB or GiB, not '16'");
  CHECK(refusal("l2.size=1MHz..4MHz:x2", size) ==
        "--vary:1:9: 'l2.size' is a size and needs a unit of B, KiB, MiB or GiB, not '1MHz'");
  CHECK(refusal("n=1..2:xnan", count).find("must be a finite number") != std::string::npos);
}

SCENARIO("a_range_of_a_thousand_million_is_refused_before_it_is_made") {
  const std::string message =
      "--vary:1:1: 'n' takes 1000000000 values; a sweep has at most 100000 points (take larger steps)";
  CHECK(refusal("n=1..1000000000:+1", count) == message);
  CHECK(refusal("n=1..2:x1.0000000000001", count).find("a sweep has at most 100000 points") != std::string::npos);
  CHECK(refusal("n=1..1e18:+1", count).find("a sweep has at most 100000 points") != std::string::npos);
}

SCENARIO("large_whole_numbers_that_differ_are_not_the_same") {
  CHECK(texts("seed=18446744073709551614,18446744073709551615", count).size() == 2);
  CHECK(refusal("seed=18446744073709551615,18446744073709551615", count) ==
        "--vary:1:27: 'seed' takes the value 18446744073709551615 twice");
}

SCENARIO("the_kind_of_a_setting_is_that_of_its_description") {
  const auto description = strata::machine::MachineSpec::schema().info();
  const auto& schema = *description;
  CHECK(kind_of_setting(schema, "l2.cache.size") == &config::size_kind);
  CHECK(kind_of_setting(schema, "clocks.core") == &config::frequency_kind);
  CHECK(kind_of_setting(schema, "l1.cache.hit_latency") == &config::cycles_kind);
  CHECK(kind_of_setting(schema, "dies.compute") == &config::count_kind);
  CHECK(kind_of_setting(schema, "l1.carve_outs[0].size") == &config::size_kind);
  CHECK(kind_of_setting(schema, "l1.carve_outs.prefer_l1.size") == &config::size_kind);
  CHECK(kind_of_setting(schema, "l1.cache.replacement") == nullptr);
  CHECK(kind_of_setting(schema, "l2.cache") == nullptr);
  CHECK(kind_of_setting(schema, "l2.nothing") == nullptr);
  CHECK(kind_of_setting(schema, "clocks.core.more") == nullptr);
}

SCENARIO("a_factor_stays_one_where_each_machine_has_a_value_of_its_own") {
  const Present each{&config::cycles_kind, false, "", true};
  const Variation factors = read_variation("hit=*0.5..2:x2,*80%", each);
  CHECK(factors.factors);
  CHECK(factors.scaled);
  REQUIRE(factors.values.size() == 4);
  CHECK(factors.values[0].text == "*0.5");
  CHECK(factors.values[2].number == 2);
  CHECK(factors.values[3].factor == 0.8);
  CHECK(multiplied("140 clk", 0.5, config::cycles_kind) == "70 clk");
  CHECK(multiplied("32 MiB | sourced", 1.5, config::size_kind) == "48 MiB");
  CHECK_FALSE(multiplied("", 0.5, config::cycles_kind));
  CHECK_FALSE(multiplied("1 MiB", 1e30, config::size_kind));
  WHEN("values and factors are mixed") {
    const Variation mixed = read_variation("hit=100clk,*1", each);
    THEN("they have no common scale") {
      CHECK_FALSE(mixed.factors);
      CHECK(std::isnan(mixed.values[0].number));
      CHECK(mixed.values[1].factor == 1);
    }
  }
  CHECK(refusal("hit=*1,*1", each) == "--vary:1:8: 'hit' takes the value *1 twice");
}

SCENARIO("a_kernel_takes_the_parameters_that_follow_it") {
  const Present kernel{nullptr, true, "", false, true};
  CHECK(texts("kernel=copy,bytes=1MiB,width=4,triad", kernel) == Texts{"copy,bytes=1MiB,width=4", "triad"});
  CHECK(texts("kernel=dir/a.yaml, n=2,b.yaml", kernel) == Texts{"dir/a.yaml, n=2", "b.yaml"});
  CHECK(texts("kernel=copy,bytes=1MiB", words) == Texts{"copy", "bytes=1MiB"});
  CHECK(written_values("kernel=copy,n=1..2:x2,*2", true) == Texts{"copy,n=1..2:x2", "*2"});
}
