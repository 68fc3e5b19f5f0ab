// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.hpp"

#include "base/text_distance.hpp"
#include "catch.hpp"

using namespace strata;  // NOLINT(google-build-using-namespace)

SCENARIO("a_diagnostic_is_one_line_with_place_and_hint") {
  CHECK(Diagnostic{"a.yaml", 3, 7, "wrong", did_you_mean("right")}.text() ==
        "a.yaml:3:7: wrong (did you mean 'right'?)");
  CHECK(Diagnostic{"a.yaml", 3, 0, "wrong", ""}.text() == "a.yaml:3: wrong");
  CHECK(Diagnostic{"a.yaml", 0, 0, "is a directory", ""}.text() == "a.yaml: is a directory");
  CHECK(Diagnostic{"", 0, 0, "wrong", ""}.text() == "wrong");
  CHECK(Diagnostic{"a", 1, 1, "x\ny\t\x01", ""}.text() == "a:1:1: x\\ny\\t\\x01");
  CHECK(Diagnostic{"a", 1, 1, std::string(100'000, 'x'), ""}.text().size() < 1000);
}

SCENARIO("an_input_error_reports_everything_in_order") {
  const InputError error({{"a", 1, 1, "one", ""}, {"b", 2, 2, "two", ""}});
  CHECK(std::string(error.what()) == "a:1:1: one\nb:2:2: two");
  CHECK(error.diagnostics().size() == 2);
  CHECK_NOTHROW(throw_if_any({}));
  CHECK_THROWS_AS(throw_if_any({{"a", 1, 1, "one", ""}}), InputError);
}

SCENARIO("edits_are_counted_with_swaps_as_one_and_without_case") {
  CHECK(text_distance("size", "size") == 0);
  CHECK(text_distance("SIZE", "size") == 0);
  CHECK(text_distance("sise", "size") == 1);
  CHECK(text_distance("siez", "size") == 1);
  CHECK(text_distance("", "size") == 4);
  CHECK(text_distance("kitten", "sitting") == 3);
}

SCENARIO("the_nearest_name_is_offered_only_when_it_is_near") {
  const std::vector<std::string> names = {"size", "ways", "hit_latency", "L1", "L2"};
  CHECK(nearest_name("sise", names) == "size");
  CHECK(nearest_name("hit_latancy_", names) == "hit_latency");
  CHECK(nearest_name("L3", names) == "L1");  // the first of equals
  CHECK(nearest_name("frobnicate", names).empty());
  CHECK(nearest_name("q", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name(std::string(1'000'000, 's'), names).empty());
}
