// SPDX-License-Identifier: Apache-2.0
#include "base/printable.hpp"

#include "base/diagnostic.hpp"
#include "catch.hpp"

using strata::printable;

TEST_CASE("ordinary_text_stays_as_it_is") {
  for (const char* text : {"", "NVIDIA H200, 141 GB", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "a\\x1b", "<script>'\""})
    CHECK(printable(text) == text);
}

TEST_CASE("no_byte_that_drives_a_terminal_is_left") {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text = {'a', static_cast<char>(byte), 'z'};
    for (const char c : printable(text)) {
      CAPTURE(byte);
      CHECK(static_cast<unsigned char>(c) >= 0x20);
      CHECK(static_cast<unsigned char>(c) < 0x7F);
    }
  }
  CHECK(printable("a\x1b[2Jb\n\tc") == "a\\x1b[2Jb\\n\\tc");
  CHECK(printable("\xC2\x9Bm") == "\\xc2\\x9bm");         // the one-character escape of terminals
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // a surrogate
}

TEST_CASE("no_mark_of_direction_is_left") {
  // Unicode Standard Annex 9, table 4, and characters without width.
  for (const char* mark : {"\u061C", "\u200B", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B", "\u202C",
                           "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF"}) {
    CAPTURE(printable(mark));
    CHECK(printable(mark).starts_with("\\x"));
  }
}

TEST_CASE("lines_stay_lines") { CHECK(strata::printable_lines("a\x1b\n\nb\n") == "a\\x1b\n\nb\n"); }

TEST_CASE("messages_are_printable") {
  CHECK(strata::Diagnostic{"a\x1b.yaml", 1, 2, "'\xE2\x80\xAE' is \x07", "\x9B"}.text() ==
        "a\\x1b.yaml:1:2: '\\xe2\\x80\\xae' is \\x07 (\\x9b)");
}
