// SPDX-License-Identifier: Apache-2.0
// Outputs that cannot be written are refused before the run, not after it.
#include <unistd.h>

#include <filesystem>

#include "refusal.hpp"

namespace fs = std::filesystem;
using namespace strata::test;

namespace {

std::vector<std::string> writing(std::vector<std::string> more) {
  more.insert(more.begin(), {"latency", "--gpu", "h200", "--from", "64KiB", "--to", "64KiB", "--timed-loads", "256"});
  return more;
}

}  // namespace

TEST_CASE("a_folder_that_is_not_there_is_refused_and_no_other_output_is_written") {
  const Scratch folder;
  check_refused(folder, writing({"--json", "fine.json", "--csv", "none/out.csv"}),
                "none/out.csv: there is no folder none");
}

TEST_CASE("a_file_is_no_folder") {
  const Scratch folder;
  folder.write("file", "text");
  check_refused(folder, writing({"--svg", "file/out.svg"}), "file/out.svg: there is no folder file");
}

TEST_CASE("a_directory_is_no_output") {
  const Scratch folder;
  fs::create_directory(folder.path("page.html"));
  check_refused(folder, writing({"--html", "page.html"}), "page.html: is a directory; name a file to write");
}

TEST_CASE("an_empty_name_is_no_output") {
  const Scratch folder;
  check_refused(folder, writing({"--csv", ""}), "'': an empty name; name a file to write");
}

TEST_CASE("a_folder_that_may_not_be_written_is_refused") {
  const Scratch folder;
  fs::create_directory(folder.path("locked"));
  fs::permissions(folder.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  if (::access(folder.path("locked").c_str(), W_OK) == 0) {
    WARN("skipped: this user may write everywhere");
    return;
  }
  check_refused(folder, writing({"--json", "locked/out.json"}),
                "locked/out.json: cannot be written: Permission denied");
}

TEST_CASE("a_full_device_is_reported_and_stays_a_device") {
  const Scratch folder;
  check_refused(folder, writing({"--csv", "/dev/full"}), "/dev/full: cannot be written: No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("every_verb_that_writes_refuses_in_the_same_way") {
  const Scratch folder;
  const std::string message = "none/out.json: there is no folder none";
  check_refused(folder, {"validate", "--kind", "spec", "--json", "none/out.json"}, message);
  check_refused(folder, {"explain", "--gpu", "h200", "--address", "0", "--json", "none/out.json"}, message);
}
