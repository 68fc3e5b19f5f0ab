// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.hpp"

#include <limits>
#include <string>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;

TEST_CASE("names_are_escaped_for_markup") {
  CHECK(escape_markup("<script>a & \"b\" 'c'</script>") ==
        "&lt;script&gt;a &amp; &quot;b&quot; &#39;c&#39;&lt;/script&gt;");
}

TEST_CASE("control_characters_are_escaped_and_line_ends_become_blanks") {
  CHECK(clean("a\x1b[2Jb\tc\nd") == "a\\x1b[2Jb c d");
  CHECK(clean("\xC2\x9Bm") == "\\xc2\\x9bm");  // the one-character escape of terminals
  CHECK(clean(std::string_view("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("bytes_that_are_not_utf8_become_replacements") {
  const std::string replacement = "\xEF\xBF\xBD";
  CHECK(valid_utf8("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(valid_utf8("a\xFFz") == "a" + replacement + "z");
  CHECK(valid_utf8("\xC3") == replacement);                                      // cut short
  CHECK(valid_utf8("\xC0\xAF") == replacement + replacement);                    // overlong
  CHECK(valid_utf8("\xED\xA0\x80") == replacement + replacement + replacement);  // surrogate
}

TEST_CASE("width_counts_code_points") { CHECK(display_width("caf\xC3\xA9") == 4); }

TEST_CASE("shortest_reads_back_to_the_same_bits") {
  for (const double value : {0.1, 1.0 / 3, 859.45, 2.035623409669211, 1e300, 2.3e-308, 123456789.0}) {
    CHECK(std::stod(shortest(value)) == value);
  }
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(40) == "40");
  CHECK(shortest(sample::none).empty());
}

TEST_CASE("readable_keeps_four_digits_or_so") {
  CHECK(readable(40) == "40");
  CHECK(readable(39.6251) == "39.63");
  CHECK(readable(1.0042) == "1.004");
  CHECK(readable(859.45) == "859.5");
  CHECK(readable(8123.4) == "8123");
  CHECK(readable(0.01234) == "0.0123");
  CHECK(readable(-0.0) == "0");
  CHECK(readable(std::numeric_limits<double>::infinity()) == "-");
}

TEST_CASE("sizes_are_in_the_largest_binary_unit_that_fits") {
  CHECK(size_label(0) == "0 B");
  CHECK(size_label(512) == "512 B");
  CHECK(size_label(1024) == "1 KiB");
  CHECK(size_label(216 * 1024) == "216 KiB");
  CHECK(size_label(1.5 * 1024 * 1024) == "1.5 MiB");
  CHECK(size_label(4.0 * 1024 * 1024 * 1024) == "4 GiB");
}

TEST_CASE("percentages_are_of_one_decimal") {
  CHECK(percent(0.0312) == "3.1");
  CHECK(signed_percent(0.0312) == "+3.1");
  CHECK(signed_percent(-0.2) == "-20.0");
  CHECK(signed_percent(sample::none) == "-");
}

TEST_CASE("coordinates_have_two_decimals_at_most") {
  CHECK(coordinate(10) == "10");
  CHECK(coordinate(10.5) == "10.5");
  CHECK(coordinate(10.128) == "10.13");
  CHECK(coordinate(-0.001) == "0");
}
