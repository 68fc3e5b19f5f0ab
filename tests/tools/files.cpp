// SPDX-License-Identifier: Apache-2.0
// Reading that is bounded and writing that is whole.
#include "files/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/diagnostic.hpp"
#include "catch.hpp"
#include "program.hpp"

namespace {

namespace fs = std::filesystem;
using strata::InputError;
using strata::test::Scratch;
using strata::tools::check_writable;
using strata::tools::read_file;
using strata::tools::write_file;

}  // namespace

SCENARIO("written_text_is_read_back") {
  const Scratch folder;
  std::string text(200'000, 'x');
  text[100'000] = '\0';
  write_file(folder.path("a").string(), text);
  CHECK(read_file(folder.path("a")) == text);
  CHECK(folder.names() == std::vector<std::string>{"a"});
}

SCENARIO("reading_is_bounded") {
  const Scratch folder;
  folder.write("ten", "0123456789");
  CHECK(read_file(folder.path("ten"), 10) == "0123456789");
  CHECK_THROWS_WITH(read_file(folder.path("ten"), 9), folder.path("ten").string() + ": is larger than 9 bytes");
}

SCENARIO("a_write_that_fails_leaves_the_old_file") {
  GIVEN("a file in a folder that lets nothing new in") {
    const Scratch folder;
    folder.write("sub/a", "old");
    fs::permissions(folder.path("sub"), fs::perms::owner_read | fs::perms::owner_exec);
    const bool above_permissions = ::access(folder.path("sub").c_str(), W_OK) == 0;
    THEN("it is refused, and the file is as it was") {
      if (above_permissions) {
        WARN("skipped: this user may write everywhere");
      } else {
        CHECK_THROWS_AS(write_file(folder.path("sub/a").string(), "new"), InputError);
        CHECK(folder.read("sub/a") == "old");
      }
    }
    fs::permissions(folder.path("sub"), fs::perms::owner_all);
  }
  GIVEN("a name that its temporary makes too long") {
    const Scratch folder;
    const std::string name(252, 'n');  // file systems allow 255
    folder.write(name, "old");
    THEN("it is refused, the file is as it was, and nothing lies beside it") {
      CHECK_THROWS_WITH(write_file(folder.path(name).string(), "new"),
                        Catch::Contains("cannot be written: File name too long"));
      CHECK(folder.read(name) == "old");
      CHECK(folder.names() == std::vector<std::string>{name});
    }
  }
}

SCENARIO("a_link_stays_a_link_and_its_target_is_written") {
  const Scratch folder;
  folder.write("there/real", "old");
  fs::create_symlink("there/real", folder.path("link"));
  write_file(folder.path("link").string(), "new");
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(folder.read("there/real") == "new");
}

SCENARIO("a_device_is_written_and_stays_one") {
  write_file("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(write_file("/dev/full", "text"), "/dev/full: cannot be written: No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
}

SCENARIO("unwritable_outputs_are_detected_beforehand") {
  const Scratch folder;
  fs::create_directory(folder.path("sub"));
  CHECK_NOTHROW(check_writable("-"));
  CHECK_NOTHROW(check_writable(folder.path("new").string()));
  CHECK_THROWS_WITH(check_writable(folder.path("sub").string()),
                    folder.path("sub").string() + ": is a directory; name a file to write");
  CHECK_THROWS_WITH(check_writable(folder.path("none/new").string()),
                    folder.path("none/new").string() + ": there is no folder " + folder.path("none").string());
  CHECK_THROWS_WITH(check_writable(""), "'': an empty name; name a file to write");
  CHECK(folder.names() == std::vector<std::string>{"sub"});
}
