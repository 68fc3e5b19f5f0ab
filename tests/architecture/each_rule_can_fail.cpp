// SPDX-License-Identifier: Apache-2.0
// Each rule is tested with text that it must refuse and text that it must accept.
#include "catch.hpp"
#include "rules.hpp"

namespace {
using namespace strata::architecture;  // NOLINT(google-build-using-namespace)

SourceFile file(const std::string& path, const std::string& text) { return {path, text}; }
SourceFile in_cache(const std::string& text) { return {"sim/cache/example.cpp", text}; }
}  // namespace

TEST_CASE("dependence_refuses_block_to_block_upward_and_unknown_includes") {
  const auto refused = [](const std::string& module, const std::string& include) {
    return breaches_of_dependence(
        file("sim/" + module + "/example.hpp", "#pragma once\n  #  include \"" + include + "\"\n"));
  };
  // Every ordered pair of blocks.
  for (const std::string from : {"compute", "cache", "translation", "fabric", "dram"}) {
    for (const std::string to : {"compute", "cache", "translation", "fabric", "dram"}) {
      CAPTURE(from, to);
      CHECK(refused(from, to + "/block.hpp").empty() == (from == to));
    }
    CHECK_FALSE(refused(from, "machine/machine.hpp").empty());
    CHECK_FALSE(refused(from, "observe/breakdown.hpp").empty());
    CHECK_FALSE(refused(from, "report/json.hpp").empty());
    CHECK_FALSE(refused("study", from + "/block.hpp").empty());
    CHECK(refused("machine", from + "/block.hpp").empty());
  }
  CHECK_FALSE(refused("base", "engine/clock.hpp").empty());
  CHECK_FALSE(refused("stats", "report/json.hpp").empty());
  CHECK_FALSE(refused("report", "machine/machine.hpp").empty());
  CHECK_FALSE(refused("config", "machine/machine.hpp").empty());
  CHECK_FALSE(refused("attic", "base/time.hpp").empty());
  CHECK_FALSE(refused("cache", "neighbour.hpp").empty());
  CHECK_FALSE(refused("cache", "../dram/bank.hpp").empty());
  CHECK(refused("cache", "config/schema/schema.hpp").empty());
}

TEST_CASE("dependence_names_file_line_and_both_modules") {
  const Breaches found =
      breaches_of_dependence(in_cache("// SPDX\n/* two\nlines */\n#include \"dram/timing/bank.hpp\"\n"));
  REQUIRE(found.size() == 1);
  CHECK(found.front() == "sim/cache/example.cpp:4: cache must not include dram");
}

TEST_CASE("dependence_does_not_read_comments") {
  CHECK(breaches_of_dependence(in_cache("// #include \"dram/timing/bank.hpp\"\n")).empty());
  CHECK(breaches_of_dependence(in_cache("/*\n#include \"dram/timing/bank.hpp\"\n*/\n")).empty());
}

TEST_CASE("library_use_refuses_yaml_outside_config_and_threads_anywhere") {
  const std::string yaml = "#include <yaml-cpp/yaml.h>\n";
  CHECK_FALSE(breaches_of_library_use(in_cache(yaml)).empty());
  CHECK(breaches_of_library_use(file("sim/config/parser.cpp", yaml)).empty());
  CHECK_FALSE(breaches_of_library_use(file("sim/study/a.cpp", "#include <tbb/tbb.h>\n")).empty());
  CHECK(breaches_of_library_use(file("tools/cli/a.cpp", "#include <tbb/tbb.h>\n")).empty());
}

TEST_CASE("purity_refuses_the_outside_world_in_code") {
  for (const std::string code :
       {"#include <fstream>", "std::ifstream in;", "std::ofstream out;", "auto f = fopen(n, m);", "std::getenv(name)",
        "using std::chrono::seconds;", "std::thread worker;", "std::async(work)", "std::locale here;",
        "setlocale(LC_ALL, n);", "system_clock::now()", "x = rand();", "std::cout << x;", "std::cerr << x;",
        "std::uniform_int_distribution<int> d;", "1'000; std::cout << '\"';"}) {
    CAPTURE(code);
    CHECK(breaches_of_purity(in_cache(code + "\n")).size() == 1);
    CHECK(breaches_of_purity(file("tools/cli/example.cpp", code + "\n")).empty());
  }
}

TEST_CASE("purity_lets_words_in_comments_messages_and_other_names_pass") {
  for (const std::string code : {"// std::cout is for tools", "/* rand() */", "throw Error(\"cannot fopen(x)\");",
                                 "const char* page = R\"html(std::cout \" rand())html\";", "int operand(int);",
                                 "auto t = std::this_thread_of_events;", "char quote = '\"'; // std::cerr"}) {
    CAPTURE(code);
    CHECK(joined(breaches_of_purity(in_cache(code + "\n"))) == "");
  }
}

TEST_CASE("statelessness_refuses_static_variables_that_can_change") {
  for (const std::string code : {"static int counter = 0;", "static std::vector<int> seen;", "inline int level{1};",
                                 "thread_local long depth;", "void f() {\n  static bool first = true;\n}"}) {
    CAPTURE(code);
    CHECK(breaches_of_statelessness(in_cache(code + "\n")).size() == 1);
  }
  for (const std::string code :
       {"static constexpr int ways = 16;", "static const std::map<int, int> table = {{1, 2}};",
        "constexpr static int a{1};", "inline constexpr int b = 2;", "static int next(int x);",
        "inline bool operator==(A, B) { return true; }", "inline namespace v1 {", "int local = 0;",
        "static_assert(a == b);", "x = static_cast<int>(y);", "// static int z;"}) {
    CAPTURE(code);
    CHECK(joined(breaches_of_statelessness(in_cache(code + "\n"))) == "");
  }
}

TEST_CASE("validation_must_not_be_named_in_sim") {
  CHECK(breaches_of_ignorance_of_validation(in_cache("\"validation/b200.yaml\"")).size() == 1);
  CHECK(breaches_of_ignorance_of_validation(in_cache("// validation of input")).empty());
}

TEST_CASE("licence_line_must_be_the_first") {
  const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n";
  CHECK(breaches_of_licence_line(in_cache(licence + "int a;\n")).empty());
  CHECK(breaches_of_licence_line(in_cache("#pragma once\n" + licence)).size() == 1);
  CHECK(breaches_of_licence_line(in_cache("")).size() == 1);
}

TEST_CASE("length_is_refused_one_line_past_the_limit") {
  const auto of_lines = [](const std::string& path, std::size_t lines) { return file(path, std::string(lines, '\n')); };
  CHECK(breaches_of_length(of_lines("sim/cache/example.cpp", 300)).empty());
  CHECK(breaches_of_length(of_lines("sim/cache/example.cpp", 301)).size() == 1);
  CHECK(breaches_of_length(of_lines("tools/cli/example.cpp", 400)).empty());
  CHECK(breaches_of_length(of_lines("tools/cli/example.cpp", 401)).size() == 1);
}

TEST_CASE("crowding_is_refused_one_file_past_the_limit") {
  std::vector<SourceFile> files;
  for (int i = 0; i < 25; ++i) files.push_back(file("sim/cache/" + std::to_string(i) + ".cpp", ""));
  files.push_back(file("sim/cache/prefetch/one.cpp", ""));  // a folder of its own
  CHECK(breaches_of_crowding(files).empty());
  files.push_back(file("sim/cache/one_more.hpp", ""));
  REQUIRE(breaches_of_crowding(files).size() == 1);
  CHECK(breaches_of_crowding(files).front() == "sim/cache: 26 files");
}

TEST_CASE("data_folders_refuse_code") {
  CHECK(breaches_of_data_only(file("configs/vendors/b200.yaml", "")).empty());
  CHECK(breaches_of_data_only(file("validation/expectations/fit.py", "")).size() == 1);
  CHECK(breaches_of_data_only(file("configs/parts/hbm3.hpp", "")).size() == 1);
}

TEST_CASE("a_rule_over_a_folder_that_is_not_there_is_an_error") { CHECK_THROWS(files_below("sim/no-such-module")); }
