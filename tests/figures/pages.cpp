// SPDX-License-Identifier: Apache-2.0
// Marks of pages, and the text written between them.
#include <boost/json.hpp>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "figures/page.hpp"
#include "figures/refresh.hpp"
#include "figures/results.hpp"
#include "figures/value.hpp"

namespace {
using namespace strata::figures;  // NOLINT(google-build-using-namespace)

std::string refusal(const std::string& text) {
  try {
    read_page("p.md", text);
  } catch (const strata::InputError& error) {
    return error.what();
  }
  return "";
}

const boost::json::value document = boost::json::parse(
    R"({"rows": [{"id": "a", "error": -0.0451, "pass": false}, {"id": "b", "error": 0, "pass": true}], "rate": 7.1e12})");
}  // namespace

TEST_CASE("a_page_has_its_blocks_commands_and_marked_figures") {
  const Page page =
      read_page("p.md",
                "# P\n"
                "<!-- figures: console first -->\n```console\n$ build/strata one\nold\n$ build/strata two\n```\n<!-- "
                "end figures -->\n"
                "It takes 12.5<!-- figure: first.2 /points/0/ns --> ns, 3<!-- figure: first /k -->.\n"
                "```text\n<!-- figures: an example -->\n```\n"
                "<!-- figures: table rows\n$ build/strata three\nrows: /rows\nelements: id=b id=a\nwhere: pass=no\n"
                "| a |\n| --- |\n| {id} |\n-->\nold\n<!-- end figures -->\n");
  REQUIRE(page.blocks.size() == 2);
  CHECK(page.blocks[0].kind == BlockKind::console);
  CHECK(page.blocks[0].commands == std::vector<std::string>{"build/strata one", "build/strata two"});
  CHECK(page.blocks[1].commands == std::vector<std::string>{"build/strata three"});
  CHECK(page.blocks[1].elements == std::vector<std::string>{"id=b", "id=a"});
  CHECK(page.blocks[1].where == std::vector<std::string>{"pass=no"});
  CHECK(page.lines[page.blocks[1].begin] == "old");
  REQUIRE(page.inlines.size() == 2);
  CHECK(page.inlines[0].command == 1);
  CHECK(page.inlines[1].command == 0);
  CHECK(page.lines[page.inlines[0].line].substr(page.inlines[0].begin, page.inlines[0].end - page.inlines[0].begin) ==
        "12.5");
}

TEST_CASE("a_mark_that_cannot_be_meant_is_refused_with_its_line") {
  CHECK(
      refusal("\n<!-- figures: tabel x -->\n<!-- end figures -->\n").starts_with("p.md:2:1: no kind of block 'tabel'"));
  CHECK(refusal("<!-- figures: validation -->\n").starts_with("p.md:1:1: this block has no end"));
  CHECK(refusal("<!-- end figures -->\n").starts_with("p.md:1:1: this block has no beginning"));
  CHECK(refusal("<!-- figures: console x -->\n```\n```\n<!-- end figures -->\n")
            .starts_with("p.md:1:1: this block has no command"));
  CHECK(refusal("<!-- figures: record -->\n<!-- end figures -->\n").starts_with("p.md:1:1: a record has a date"));
  CHECK(refusal("<!-- figures: record 2026-01-01 -->\n<!-- figures: validation -->\n<!-- end figures -->\n")
            .starts_with("p.md:2:1: a block within a block"));
  CHECK(refusal("many<!-- figure: x /y --> things\n").starts_with("p.md:1:1: expected 'NUMBER<!-- figure:"));
  CHECK(refusal("3<!-- figure: x /y --> things\n").starts_with("p.md:1:1: no block of this page has the command 'x'"));
}

TEST_CASE("a_value_is_found_by_its_path_and_written_in_its_form") {
  CHECK(filled("| {id} | {error +.1 %} % |", document.at("rows").at(0)) == "| a | -4.5 % |");
  CHECK(filled("{error +.1 %}", document.at("rows").at(1)) == "+0.0");
  CHECK(written(value_at(document, "/rate"), read_form(".2 TB")) == "7.10");
  CHECK(written(value_at(document, "/rate"), read_form("2g TB")) == "7.1");
  CHECK(written(value_at(document, "/rows/id=b/pass"), {}) == "yes");
  CHECK(written(value_at(document, "/rows"), {}) == "2");
  CHECK(written(value_at(document, "/rows/0/error"), form_of("+12.50", "%")) == "-4.51");
  CHECK_THROWS_AS(value_at(document, "/rows/2"), std::invalid_argument);
  CHECK_THROWS_AS(value_at(document, "/rows/id=c"), std::invalid_argument);
  CHECK_THROWS_AS(value_at(document, "/speed"), std::invalid_argument);
  CHECK_THROWS_AS(read_form(".1 parsec"), std::invalid_argument);
}

TEST_CASE("a_changed_line_of_a_block_is_a_difference_and_lines_after_it_are_not") {
  const auto page = [](const std::string& body) {
    return read_page("p.md", "a\n<!-- figures: record 2026-01-01 -->\n" + body + "<!-- end figures -->\nb\n");
  };
  CHECK(differences(page("x\ny\n"), page("x\ny\n")).empty());
  const std::vector<Difference> found = differences(page("x\ny\n"), page("x\nz\nw\n"));
  REQUIRE(found.size() == 2);
  CHECK(found[0].place == "p.md:4");
  CHECK(found[0].should_be == "z");
  CHECK(found[1].should_be == "w");
}

TEST_CASE("rows_of_results_keep_their_text_and_newer_ones_replace_them") {
  const std::string head = "id,gpu,kind,predicted,error,pass,quantity\n";
  Results results("old", head + "a,g,spec,1,0,true,\"one, \"\"two\"\"\"\nb,g,spec,2,,false,x\n");
  results.take(Results("new", head + "b,g,spec,3,0.5,true,y\n"));
  CHECK(*results.line("a") == "a,g,spec,1,0,true,\"one, \"\"two\"\"\"");
  CHECK(*results.line("b") == "b,g,spec,3,0.5,true,y");
  CHECK(results.line("c") == nullptr);
  CHECK(csv_fields("1,\"a, \"\"b\"\"\",\n2\n") == std::vector<std::vector<std::string>>{{"1", "a, \"b\"", ""}, {"2"}});
  CHECK_THROWS_AS(Results("r", head + "a,g\n"), strata::InputError);
  CHECK_THROWS_AS(Results("r", head + "a,g,spec,1,0,true,x\na,g,spec,1,0,true,x\n"), strata::InputError);
  CHECK_THROWS_AS(Results("r", "id,kind\n"), strata::InputError);
}
