// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>

#include "catch.hpp"
#include "config/inherit.hpp"

using strata::InputError;
using namespace strata::config;  // NOLINT(google-build-using-namespace)

namespace {

/// Files in memory: `NAME` for bases, `part/NAME` for parts.
struct Shelf {
  std::map<std::string, std::string> files;

  Library library() const {
    Library library;
    library.find = [this](SourceKind kind, std::string_view name) -> std::optional<Source> {
      const std::string key = (kind == SourceKind::part ? "part/" : "") + std::string(name);
      const auto found = files.find(key);
      if (found == files.end()) return std::nullopt;
      return Source{found->second, key + ".yaml"};
    };
    for (const auto& [name, text] : files) {
      const bool part = name.starts_with("part/");
      (part ? library.parts : library.bases).push_back(part ? name.substr(5) : name);
    }
    return library;
  }
  Value load(const std::string& name) const { return load_tree({files.at(name), name + ".yaml"}, library()); }
  std::string error(const std::string& name) const {
    try {
      load(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

}  // namespace

SCENARIO("a_file_names_only_what_differs_from_its_base") {
  GIVEN("a configuration on a base that is itself on a base") {
    const Shelf shelf{{{"a", "x: 1\nm: {p: 1, q: 1}\nl: [1, 2]\n"},
                       {"b", "base: a\nm: {q: 2}\n"},
                       {"c", "base: b\nl: [9]\nm: {r: 3}\n"}}};
    const Value tree = shelf.load("c");
    THEN("maps merge key by key, lists replace, and each value keeps the place that set it") {
      CHECK(tree.find("base") == nullptr);
      CHECK(tree.find("x")->where.text() == "a.yaml:1:4");
      CHECK(tree.find("m")->find("p")->text == "1");
      CHECK(tree.find("m")->find("q")->text == "2");
      CHECK(tree.find("m")->find("q")->where.text() == "b.yaml:2:8");
      CHECK(tree.find("m")->find("r")->where.text() == "c.yaml:3:8");
      CHECK(tree.find("l")->items.size() == 1);
    }
  }
}

SCENARIO("parts_lie_beneath_the_keys_of_the_map_that_uses_them") {
  GIVEN("a nested map and a list entry that use parts") {
    const Shelf shelf{{{"part/hbm3", "rate: 6400 MT/s\nbanks: 16\n"},
                       {"part/wide", "banks: 64\nuse: deep\n"},
                       {"part/deep", "queue: 8\n"},
                       {"gpu", "dram:\n  rate: 5200 MT/s\n  use: [hbm3, wide]\nl:\n- {use: hbm3, name: x}\n"}}};
    const Value tree = shelf.load("gpu");
    THEN("own keys win over parts and later parts over earlier ones") {
      const Value& dram = *tree.find("dram");
      CHECK(dram.find("use") == nullptr);
      CHECK(dram.find("rate")->text == "5200 MT/s");
      CHECK(dram.find("banks")->text == "64");
      CHECK(dram.find("banks")->where.text() == "part/wide.yaml:1:8");
      CHECK(dram.find("queue")->text == "8");
      CHECK(tree.find("l")->items[0].find("rate")->text == "6400 MT/s");
    }
  }
}

SCENARIO("a_map_laid_on_a_list_changes_single_entries") {
  const std::string levels = "levels:\n- {name: L1, size: 1}\n- {name: L2, size: 2}\n";
  GIVEN("entries named by name and by index") {
    const Shelf shelf{{{"a", levels}, {"b", "base: a\nlevels:\n  L2: {size: 50}\n  0: {size: 7}\n"}}};
    const Value tree = shelf.load("b");
    THEN("only those change") {
      const Value& list = *tree.find("levels");
      REQUIRE(list.shape == Shape::list);
      CHECK(list.items[0].find("size")->text == "7");
      CHECK(list.items[1].find("size")->text == "50");
      CHECK(list.items[1].find("name")->text == "L2");
    }
  }
  GIVEN("a name that no entry has") {
    const Shelf shelf{{{"a", levels}, {"b", "base: a\nlevels: {LL2: {size: 50}}\n"}}};
    THEN("it is refused") {
      CHECK(shelf.error("b") == "b.yaml:2:10: no entry of the list at a.yaml:1:1 is named 'LL2' (did you mean 'L2'?)");
    }
  }
}

SCENARIO("wrong_names_and_circular_bases_are_reported_with_their_position") {
  const Shelf shelf{{{"h200", "base: h10\nx: {use: hbm4}\n"},
                     {"h100", "a: 1\n"},
                     {"one", "base: two\n"},
                     {"two", "base: three\n"},
                     {"three", "base: one\n"},
                     {"self", "base: self\n"},
                     {"part/hbm3", "a: 1\n"},
                     {"part/round", "x: {use: round}\n"},
                     {"uses", "use: round\n"},
                     {"broken", "a: 1\na: 2\n"},
                     {"on_broken", "base: broken\nuse: nothing_like_it\n"},
                     {"listed", "base: [a, b]\nx: {use: {a: 1}}\n"}}};
  CHECK(shelf.error("h200") ==
        "h200.yaml:2:10: there is no part 'hbm4' (did you mean 'hbm3'?)\n"
        "h200.yaml:1:7: there is no configuration 'h10' (did you mean 'h100'?)");
  CHECK(shelf.error("one") ==
        "three.yaml:1:7: 'base: one' is circular (one.yaml -> two.yaml -> three.yaml -> one.yaml)");
  CHECK(shelf.error("self") == "self.yaml:1:7: 'base: self' is circular (self.yaml -> self.yaml)");
  CHECK(shelf.error("uses") == "part/round.yaml:1:10: 'use: round' is circular (part/round.yaml -> part/round.yaml)");
  CHECK(shelf.error("on_broken") ==
        "on_broken.yaml:2:6: there is no part 'nothing_like_it' (there are hbm3, round)\n"
        "broken.yaml:2:1: 'a' is given twice (first at line 1)");
  CHECK(shelf.error("listed") ==
        "listed.yaml:2:5: 'use' must be the name of a part or a list of names\n"
        "listed.yaml:1:1: 'base' must be one name, not a list (to take several, use 'use:')");
}

SCENARIO("parts_that_double_at_every_step_are_refused") {
  GIVEN("twenty-five parts, each using the next twice") {
    Shelf shelf;
    const int steps = 25;
    for (int i = 0; i < steps; ++i) {
      const std::string next = "{use: p" + std::to_string(i + 1) + "}";
      shelf.files["part/p" + std::to_string(i)] = "a: " + next + "\nb: " + next + "\n";
    }
    shelf.files["part/p" + std::to_string(steps)] = "x: 1\n";
    shelf.files["top"] = "use: p0\n";
    THEN("memory stays bounded and the error reports the limit") {
      CHECK(shelf.error("top").find("more than 1000000 values in all (do parts use each other repeatedly?)") !=
            std::string::npos);
    }
  }
}

SCENARIO("a_chain_of_bases_is_bounded") {
  GIVEN("forty files, each on the next") {
    Shelf shelf;
    for (int i = 0; i < 40; ++i) shelf.files["c" + std::to_string(i)] = "base: c" + std::to_string(i + 1) + "\n";
    shelf.files["c40"] = "x: 1\n";
    THEN("it is refused at the bound") {
      CHECK(shelf.error("c0") ==
            "c31.yaml:1:7: more than 32 files inherit from one another (put what some of them set into one file)");
    }
  }
}

SCENARIO("a_base_may_be_a_file_by_its_path") {
  GIVEN("files that name one another from their folders") {
    std::map<std::string, std::string> files{{"rig/mine.yaml", "base: ../common/base.yaml\ny: 2\n"},
                                             {"common/base.yaml", "base: ./ground.yaml\nx: 1\n"},
                                             {"common/ground.yaml", "x: 0\nz: 3\n"},
                                             {"rig/round.yaml", "base: ./other.yaml\n"},
                                             {"rig/other.yaml", "base: ../rig/round.yaml\n"},
                                             {"rig/gone.yaml", "base: ../missing.yaml\n"}};
    Library library;
    library.find = [&](SourceKind, std::string_view name) -> std::optional<Source> {
      const auto found = files.find(std::string(name));
      return found == files.end() ? std::nullopt : std::optional(Source{found->second, found->first});
    };
    library.path_from = [](std::string_view file, std::string_view base) {
      return (std::filesystem::path(file).parent_path() / base).lexically_normal().generic_string();
    };
    const auto load = [&](const std::string& file) { return load_tree({files.at(file), file}, library); };
    THEN("paths count from the folder of the file that names them") {
      const Value tree = load("rig/mine.yaml");
      CHECK(tree.find("x")->where.text() == "common/base.yaml:2:4");
      CHECK(tree.find("y")->text == "2");
      CHECK(tree.find("z")->where.text() == "common/ground.yaml:2:4");
    }
    THEN("circles and files that are not there are refused") {
      CHECK_THROWS_WITH(load("rig/round.yaml"),
                        "rig/other.yaml:1:7: 'base: ../rig/round.yaml' is circular "
                        "(rig/round.yaml -> rig/other.yaml -> rig/round.yaml)");
      CHECK_THROWS_WITH(
          load("rig/gone.yaml"),
          "rig/gone.yaml:1:7: there is no file 'missing.yaml' (a path is relative to the folder of this file)");
    }
  }
}
