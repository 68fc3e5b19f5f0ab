// SPDX-License-Identifier: Apache-2.0
#include "report/text/columns.hpp"

#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "report/json.hpp"
#include "report/sample.hpp"
#include "report/text/listing.hpp"
#include "report/text/text.hpp"

using namespace strata::report;
namespace sample = strata::report::sample;

namespace {

struct Part {
  std::string name;
  std::uint64_t bytes = 0;
  double ns = 0;
  bool shared = false;
  double share() const { return ns / 1000; }
};

Columns<Part> columns() {
  return {
      {{"name", {"part", Align::left}, "Part"}, as_text(&Part::name)},
      {{"bytes", {"size"}, "Size"}, as_size(&Part::bytes)},
      {{"ns", {"time [ns]"}}, as_real(&Part::ns, 1)},
      {{"share", {}, "Share [%]"}, as_real(&Part::share, percent)},
      {{"shared", {"shared", Align::left}},
       [](const Part& part) { return as_flag(part.shared, part.shared ? "yes" : "no"); }},
      {{"", {"", Align::left}, ""}, [](const Part&) { return as_cell({"<i></i>", "bar"}); }},
  };
}

const std::vector<Part> parts{{"L1", 262144, 12.3456, false}, {"L2, near", 100, 0.1, true}};

}  // namespace

TEST_CASE("a_table_has_the_columns_with_a_heading_and_text_for_people") {
  CHECK(table(tabulate(columns(), parts)) ==
        "part         size  time [ns]  shared\n"
        "--------  -------  ---------  ------\n"
        "L1        256 KiB       12.3  no\n"
        "L2, near    100 B        0.1  yes\n");
}

TEST_CASE("csv_has_the_columns_with_a_key_and_numbers_that_read_back") {
  CHECK(csv(tabulate(columns(), parts)) ==
        "name,bytes,ns,share,shared\n"
        "L1,262144,12.3456,0.0123456,false\n"
        "\"L2, near\",100,0.1,0.0001,true\n");
}

TEST_CASE("a_page_has_the_columns_with_a_heading_on_pages") {
  const DataTable data = tabulate(columns(), parts);
  CHECK(page_headings(data) == std::vector<std::string>{"Part", "#Size", "#Share [%]", ""});
  const std::vector<PageRow> rows = page_rows(data);
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].cells.size() == 4);
  CHECK(rows[0].cells[0].style.empty());
  CHECK(rows[0].cells[1].markup == "256 KiB");
  CHECK(rows[0].cells[1].style == "n");
  CHECK(rows[0].cells[3].markup == "<i></i>");
  CHECK(rows[0].cells[3].style == "bar");
}

TEST_CASE("numbers_are_numbers_in_json") {
  const boost::json::array rows = json_rows(tabulate(columns(), parts));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].as_object().size() == 5);
  CHECK(rows[0].at("name").is_string());
  CHECK(rows[0].at("bytes").is_uint64());
  CHECK(rows[0].at("ns") == 12.3456);
  CHECK(rows[1].at("shared") == true);
}

TEST_CASE("rows_may_be_pointers_and_none_leaves_the_headings") {
  CHECK(csv(tabulate(columns(), std::vector<const Part*>{&parts[1]})) ==
        "name,bytes,ns,share,shared\n\"L2, near\",100,0.1,0.0001,true\n");
  CHECK(csv(tabulate(columns(), std::vector<Part>{})) == "name,bytes,ns,share,shared\n");
  CHECK(json_rows(tabulate(columns(), std::vector<Part>{})).empty());
}

TEST_CASE("a_row_without_cells_is_a_rule_on_a_terminal") {
  DataTable data = tabulate(Columns<Part>{{{"name", {"part", Align::left}}, as_text(&Part::name)}}, parts);
  data.rows.emplace(data.rows.begin() + 1);
  CHECK(table(data) == "part\n--------\nL1\n--------\nL2, near\n");
}

TEST_CASE("a_figure_that_does_not_exist_is_null_empty_or_a_dash") {
  for (const double figure : {sample::none, std::numeric_limits<double>::infinity()}) {
    const DataTable data = tabulate(columns(), std::vector<Part>{{"x", 0, figure, false}});
    CHECK(json_rows(data)[0].at("ns").is_null());
    CHECK(csv(data) == "name,bytes,ns,share,shared\nx,0,,,false\n");
    CHECK(table(data).find("  -  ") != std::string::npos);
    CHECK(page_rows(data)[0].cells[2].markup == "-");
  }
}

TEST_CASE("an_optional_text_has_no_member_where_it_is_empty") {
  const Columns<std::string> notes{{{"note"}, [](const std::string& note) { return as_optional_text(note); }}};
  const DataTable data = tabulate(notes, std::vector<std::string>{"", "far"});
  CHECK_FALSE(json_rows(data)[0].as_object().contains("note"));
  CHECK(json_rows(data)[1].at("note") == "far");
  CHECK(csv(data) == "note\n\nfar\n");
}

TEST_CASE("hostile_text_is_cleaned_and_quoted_by_every_writer") {
  const DataTable data = tabulate(columns(), std::vector<Part>{{std::string(sample::hostile), 0, 0, false}});
  const std::string page = page_table(data);
  CHECK(page.find("<script>") == std::string::npos);
  for (const std::string& text : {table(data), csv(data), page, pretty(json_rows(data))}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
  CHECK(csv(data).find("\n\"<script>alert(\"\"1\"\")</script> & 'x',\\x1b[31m") != std::string::npos);
}

TEST_CASE("figures_of_a_listing_are_numbers_in_json") {
  const Listing listing{{"0.1.0", "", "00ff"},
                        "things",
                        "two things\n",
                        {{"name", {"name", Align::left}}, {"count", {"count"}}},
                        {{"7", "7.50"}, {"b", "many"}}};
  CHECK(csv(listing) == "name,count\n7,7.50\nb,many\n");
  CHECK(table(listing) == "two things\nname  count\n----  -----\n7      7.50\nb      many\n");
  CHECK(json(listing).find(R"({"name": "7", "count": 7.5})") != std::string::npos);
  CHECK(json(listing).find(R"({"name": "b", "count": "many"})") != std::string::npos);
}
