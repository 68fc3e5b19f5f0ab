// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "catch.hpp"
#include "config/yaml/parse.hpp"

using strata::InputError;
using strata::config::parse;
using strata::config::Shape;
using strata::config::Value;

namespace {

std::string error_of(std::string_view text) {
  try {
    parse(text, "f.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string out;
  out.reserve(bytes);
  while (out.size() + part.size() <= bytes) out += part;
  return out;
}

}  // namespace

SCENARIO("scalars_stay_text_and_keep_their_place") {
  GIVEN("a document with maps, lists and numbers of several notations") {
    const Value root = parse("a: 010\nb:\n  - x: 0x1F\n    y: \"q z\"\n  - [1, 2]\nc: 1e3\n", "f.yaml");
    THEN("text is as typed, and lines and columns count from one") {
      REQUIRE(root.entries.size() == 3);
      CHECK(root.find("a")->text == "010");
      CHECK(root.find("a")->where.text() == "f.yaml:1:4");
      const Value& list = *root.find("b");
      REQUIRE(list.shape == Shape::list);
      CHECK(list.where.text() == "f.yaml:2:1");
      CHECK(list.items[0].find("x")->text == "0x1F");
      CHECK(list.items[0].find("y")->text == "q z");
      CHECK(list.items[0].find("y")->where.text() == "f.yaml:4:8");
      CHECK(list.items[1].items[1].where.text() == "f.yaml:5:9");
      CHECK(root.entries[2].where.text() == "f.yaml:6:1");
    }
  }
  GIVEN("a value after letters outside ASCII") {
    const Value root = parse("a: {\xC3\xA9: 1, b: 2}\n", "f.yaml");
    THEN("columns count characters, not bytes") { CHECK(root.find("a")->find("b")->where.column == 14); }
  }
}

SCENARIO("what_YAML_allows_but_a_configuration_must_not_is_refused") {
  struct Case {
    std::string_view text;
    std::string error;
  };
  using namespace std::string_view_literals;
  const auto [text, error] = GENERATE(values<Case>({
      {"", "f.yaml:1:1: the file is empty"},
      {"# only a comment\n", "f.yaml:1:1: the file is empty"},
      {"~\n", "f.yaml:1:1: the file is empty"},
      {"%$#@: [unclosed\n",
       "f.yaml:1:1: '%$#@:' is a YAML directive, of which only '%YAML 1.x' is read (remove the line; a comment begins "
       "with '#')"},
      {"# first\n\n%foo: bar\na: 1\n",
       "f.yaml:3:1: '%foo:' is a YAML directive, of which only '%YAML 1.x' is read (remove the line; a comment begins "
       "with '#')"},
      {"%YAML 1.2\n%TAG ! tag:x,2000:\n---\na: 1\n",
       "f.yaml:2:1: '%TAG' is a YAML directive, of which only '%YAML 1.x' is read (remove the line; a comment begins "
       "with '#')"},
      {"a: 1\n...\n%foo\n",
       "f.yaml:3:1: '%foo' is a YAML directive, of which only '%YAML 1.x' is read (remove the line; a comment begins "
       "with '#')"},
      {"word\n", "f.yaml:1:1: the file holds a single value where a map is expected (write 'key: value' lines)"},
      {"- a\n", "f.yaml:1:1: the file holds a list where a map is expected (write 'key: value' lines)"},
      {"a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document begins here (keep one document per file)"},
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: 'a' is given twice (first at line 1)"},
      {"a: &x 1\n",
       "f.yaml:1:4: anchors ('&x') are not supported (write the value out in full, or share it with 'use:')"},
      {"a: *x\n", "f.yaml:1:4: aliases ('*') are not supported (write the value out in full, or share it with 'use:')"},
      {"<<: {a: 1}\n", "f.yaml:1:1: merge keys ('<<') are not supported (use 'base:' or 'use:')"},
      {"a: !!int 3\n", "f.yaml:1:4: tags ('tag:yaml.org,2002:int') are not supported (remove the tag)"},
      {"a: !mine {b: 1}\n", "f.yaml:1:4: tags ('!mine') are not supported (remove the tag)"},
      {"a:\nb: 1\n", "f.yaml:1:1: 'a' has no value (give one, or remove the key)"},
      {"a:\n- 1\n-\n", "f.yaml:4:1: this entry has no value (give one, or remove the key)"},
      {"? [a]\n: 1\n", "f.yaml:1:3: a key must be a plain word, not a list"},
      {"a: b: c\n", "f.yaml:1:5: not valid YAML: illegal map value (a value that holds ': ' needs quotes)"},
      {"a:\n\tb: 1\n", "f.yaml:2:3: not valid YAML: illegal map value (indent with blanks, not tabs)"},
      {"a: 'b\nc: 1\n", "f.yaml:1:4: the quote that opens here is never closed"},
      {"a: \"b\\\"\n", "f.yaml:1:4: the quote that opens here is never closed"},
      {"a: 1\nb: \0\n"sv, "f.yaml:2:4: a NUL byte (is this a text file?)"},
      {"a: \x07\n", "f.yaml:1:4: a control character (0x07)"},
      {"a: 1\rb: 2\r", "f.yaml:1:5: a carriage return that is not part of a line end (end lines with a line feed)"},
      {"a: \xFF\n", "f.yaml:1:4: the text is not UTF-8"},
      {"a: \xC0\x80\n", "f.yaml:1:4: the text is not UTF-8"},
      {"a: \xED\xA0\x80\n", "f.yaml:1:4: the text is not UTF-8"},
  }));
  GIVEN("the text '" + std::string(text) + "'") {
    WHEN("it is parsed") {
      THEN("the place and the remedy are reported") { CHECK(error_of(text) == error); }
    }
  }
}

SCENARIO("all_that_is_refused_in_a_document_is_reported_together") {
  GIVEN("a document with an anchor, a tag and a duplicate") {
    THEN("there are three errors in the order of the lines") {
      CHECK(error_of("a: &x 1\nb: !!int 3\na: 2\n") ==
            "f.yaml:1:4: anchors ('&x') are not supported (write the value out in full, or share it with 'use:')\n"
            "f.yaml:2:4: tags ('tag:yaml.org,2002:int') are not supported (remove the tag)\n"
            "f.yaml:3:1: 'a' is given twice (first at line 1)");
    }
  }
}

SCENARIO("harmless_forms_are_read") {
  CHECK(error_of("---\na: 1\n...\n").empty());
  CHECK(error_of("\xEF\xBB\xBF"
                 "a: 1\n")
            .empty());
  CHECK(error_of("a: 1\r\nb: 2\r\n").empty());
  CHECK(error_of("a: 'it''s'\nb: \"x\\\"y\"\n").empty());
  CHECK(error_of("a: 1").empty());
}

SCENARIO("nesting_is_bounded") {
  const std::size_t most = strata::config::ParseLimits{}.depth;
  const auto nested = [](std::size_t lists) { return "a: " + std::string(lists, '[') + "1" + std::string(lists, ']'); };
  GIVEN("a root map and as many lists as just fit") {
    THEN("it is read") { CHECK(error_of(nested(most - 1)).empty()); }
  }
  GIVEN("one more") {
    THEN("it is refused where it begins") {
      CHECK(error_of(nested(most)) ==
            "f.yaml:1:" + std::to_string(3 + most) + ": nested more than " + std::to_string(most) + " deep");
    }
  }
}

SCENARIO("hostile_text_is_refused_at_once") {
  const auto seconds = [](const std::string& text, std::string& error) {
    const auto begin = std::chrono::steady_clock::now();
    error = error_of(text);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  GIVEN("100 MB of opening brackets") {
    const std::size_t bytes = 100'000'000;
    const std::string text(bytes, '[');
    THEN("the size alone refuses it") {
      std::string error;
      CHECK(seconds(text, error) < 0.5);
      CHECK(error == "f.yaml: 100000000 bytes are more than a configuration may have (" +
                         std::to_string(strata::config::ParseLimits{}.bytes) + " bytes)");
    }
  }
  const std::string_view part = GENERATE(as<std::string_view>(), "[", "{", "- ", "? ", "a: ", "[{", "{a: ", "[,", "&a ",
                                         "!a ", "*a ", "--- ", "'", "\"", "%", "a: [");
  GIVEN("as many '" + std::string(part) + "' as a file may hold") {
    const std::string text = repeated(part, strata::config::ParseLimits{}.bytes);
    THEN("it is refused without overflow, in time for a person") {
      std::string error;
      CHECK(seconds(text, error) < 5.0);  // a tenth of that alone; machines share their cores
      CHECK_FALSE(error.empty());
    }
  }
  GIVEN("more values than a file may have") {
    std::string text = "a: [";
    for (std::size_t i = 0; i <= strata::config::ParseLimits{}.values; ++i) text += "1,";
    THEN("it is refused by their number") {
      CHECK(error_of(text + "1]\n").find("more than 100000 values in one file") != std::string::npos);
    }
  }
}

SCENARIO("a_value_states_its_provenance") {
  using strata::config::Origin;
  GIVEN("scalars with and without a note") {
    const Value root = parse(
        "a: 32 clk | fitted h200/latency_footprint plateau\n"
        "b: 'x | sourced sheet: page 3'\n"
        "c: plain\n"
        "d: [1 | chosen round number, 2]\n",
        "f.yaml");
    THEN("value and note are apart") {
      CHECK(root.find("a")->text == "32 clk");
      CHECK(root.find("a")->provenance.text() == "fitted h200/latency_footprint plateau");
      CHECK(root.find("b")->provenance.origin == Origin::sourced);
      CHECK(root.find("b")->provenance.note == "sheet: page 3");
      CHECK(root.find("c")->provenance.origin == Origin::none);
      CHECK(root.find("d")->items[0].provenance.note == "round number");
    }
  }
  GIVEN("a map that says it for all beneath") {
    const Value root =
        parse("m:\n  provenance: sourced JESD238A\n  a: 1\n  n: {b: 2}\n  c: 3 | chosen mine\nd: 4\n", "f.yaml");
    THEN("those that say nothing take it, and the key itself is gone") {
      const Value& map = *root.find("m");
      CHECK(map.find("provenance") == nullptr);
      CHECK(map.find("a")->provenance.text() == "sourced JESD238A");
      CHECK(map.find("n")->find("b")->provenance.text() == "sourced JESD238A");
      CHECK(map.find("c")->provenance.text() == "chosen mine");
      CHECK(root.find("d")->provenance.text().empty());
    }
  }
  GIVEN("notes that say nothing") {
    THEN("each is refused") {
      CHECK(error_of("a: 1 | sourcd x\nb: 2 | sourced\nc: 3 |\nd: 4 | because\nprovenance: [a]\n") ==
            "f.yaml:1:4: 'sourcd' is not a provenance (did you mean 'sourced'?)\n"
            "f.yaml:2:4: 'sourced' is not followed by a note (state the document, measurement or reason)\n"
            "f.yaml:3:4: '' is not a provenance (one of sourced, derived, estimated, fitted, chosen)\n"
            "f.yaml:4:4: 'because' is not a provenance (one of sourced, derived, estimated, fitted, "
            "chosen)");
      CHECK(error_of("provenance: [a]\n") ==
            "f.yaml:1:1: 'provenance' must be a single value, not a list (for example 'provenance: sourced vendor data "
            "sheet')");
    }
  }
}
