// SPDX-License-Identifier: Apache-2.0
// The folders of configurations and expectations.
#include "files/library.hpp"

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "program.hpp"

namespace {

using strata::config::SourceKind;
using strata::test::Scratch;
using strata::tools::Library;

}  // namespace

SCENARIO("names_are_those_of_the_files_sorted") {
  GIVEN("a folder of configurations, with a file that is none") {
    const Scratch folder;
    folder.write("configs/vendors/zeta.yaml", "name: Z\n");
    folder.write("configs/vendors/alpha.yaml", "name: A\n");
    folder.write("configs/vendors/notes.txt", "none\n");
    folder.write("configs/parts/hbm.yaml", "rows: 4\n");
    const Library library(folder.path(""));
    THEN("each is found by its name, and shown the same wherever the folder lies") {
      CHECK(library.gpus() == std::vector<std::string>{"alpha", "zeta"});
      CHECK(library.gpu("alpha").text == "name: A\n");
      CHECK(library.gpu("alpha").file == "configs/vendors/alpha.yaml");
    }
    THEN("a file is read as it is named") {
      folder.write("mine.yaml", "name: M\n");
      CHECK(library.gpu(folder.path("mine.yaml").string()).text == "name: M\n");
      CHECK(library.gpu(folder.path("mine.yaml").string()).file == folder.path("mine.yaml").string());
    }
    THEN("a name that is not there is refused with the nearest") {
      CHECK_THROWS_WITH(library.gpu("alfa"),
                        "--gpu: no configuration 'alfa'; there are alpha, zeta (did you mean 'alpha'?)");
    }
    THEN("bases and parts are found for files that build on them, and paths are no names") {
      const strata::config::Library found = library.configurations();
      CHECK(found.bases == std::vector<std::string>{"alpha", "zeta"});
      CHECK(found.parts == std::vector<std::string>{"hbm"});
      REQUIRE(found.find(SourceKind::part, "hbm"));
      CHECK(found.find(SourceKind::part, "hbm")->file == "configs/parts/hbm.yaml");
      CHECK_FALSE(found.find(SourceKind::base, "hbm"));
      CHECK_FALSE(found.find(SourceKind::part, "../vendors/alpha"));
    }
  }
}

SCENARIO("an_empty_library_has_nothing") {
  const Scratch folder;
  const Library library(folder.path(""));
  CHECK(library.gpus().empty());
  CHECK(library.expectations().empty());
}

SCENARIO("expectations_come_sorted_by_file") {
  const std::vector<strata::config::Source> expectations = Library(STRATA_SOURCE_DIR).expectations();
  REQUIRE_FALSE(expectations.empty());
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    CHECK(expectations[i].file.starts_with("validation/expectations/"));
    if (i > 0) CHECK(expectations[i - 1].file < expectations[i].file);
  }
}
