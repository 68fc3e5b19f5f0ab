// SPDX-License-Identifier: Apache-2.0
// Files that are not configurations.
#include <unistd.h>

#include <filesystem>

#include "refusal.hpp"

namespace fs = std::filesystem;
using namespace strata::test;

TEST_CASE("an_empty_file_is_refused") { check_configuration_refused("", "mine.yaml:1:1: the file is empty"); }

TEST_CASE("a_file_of_comments_is_empty") {
  check_configuration_refused("# nothing yet\n", "mine.yaml:1:1: the file is empty");
}

TEST_CASE("a_file_that_is_no_map_is_refused") {
  check_configuration_refused(
      "- base: h200\n", "mine.yaml:1:1: the file holds a list where a map is expected (write 'key: value' lines)");
}

TEST_CASE("a_directory_is_refused") {
  const Scratch folder;
  fs::create_directory(folder.path("mine.yaml"));
  check_refused(folder, {"check", "mine.yaml"}, "mine.yaml: is a directory, not a file");
  check_refused(folder, {"latency", "--gpu", "./mine.yaml"}, "./mine.yaml: is a directory, not a file");
}

TEST_CASE("a_file_that_is_not_there_is_reported_as_it_was_typed") {
  const Scratch folder;
  check_refused(folder, {"check", "sub/../mine.yaml"}, "sub/../mine.yaml: no such file");
  check_refused(folder, {"latency", "--gpu", "./mine.yaml"}, "./mine.yaml: no such file");
}

TEST_CASE("an_empty_name_is_reported_as_such") {
  const Scratch folder;
  check_refused(folder, {"check", ""}, "'': an empty name; name a file to read");
}

TEST_CASE("a_file_that_may_not_be_read_is_refused") {
  const Scratch folder;
  folder.write("mine.yaml", "base: h200\n");
  fs::permissions(folder.path("mine.yaml"), fs::perms::none);
  if (::access(folder.path("mine.yaml").c_str(), R_OK) == 0) {
    WARN("skipped: this user may read every file");
    return;
  }
  check_refused(folder, {"check", "mine.yaml"}, "mine.yaml: cannot be read: Permission denied");
}

TEST_CASE("a_folder_without_a_trace_is_refused_with_the_valid_inputs") {
  const Scratch folder;
  std::filesystem::create_directory(folder.path("some"));
  check_refused(
      folder, {"check", "some"},
      "some: is a folder without kernelslist.g, so not a trace of Accel-Sim (name a configuration or a kernel "
      "file (YAML), a name of `strata list gpus`, a trace file, or the folder of a trace with its "
      "kernelslist.g)");
}

TEST_CASE("a_file_of_the_wrong_kind_is_named_with_its_option") {
  const Scratch folder;
  folder.write("machine.yaml", "base: b580\n");
  folder.write("kernel.yaml", "name: k\nblocks: 1\nthreads: 32\nbody:\n- {op: exit}\n");
  const Outcome machine = run(folder, {"run", "--gpu", "b580", "--kernel", "machine.yaml"});
  CHECK(machine.exit_code == 2);
  CHECK(machine.err == "machine.yaml: is a configuration of a GPU, not a kernel (use --gpu machine.yaml)\n");
  const Outcome kernel = run(folder, {"latency", "--gpu", "kernel.yaml"});
  CHECK(kernel.exit_code == 2);
  CHECK(kernel.err == "kernel.yaml: is a kernel, not a configuration of a GPU (use --kernel kernel.yaml)\n");
}
