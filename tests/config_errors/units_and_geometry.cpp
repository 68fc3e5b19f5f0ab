// SPDX-License-Identifier: Apache-2.0
// Values in units of another quantity, and impossible caches.
#include "refusal.hpp"

using namespace strata::test;

TEST_CASE("a_frequency_is_no_size") {
  check_configuration_refused(
      "base: h200\nl2:\n  cache:\n    size: 126 MHz\n",
      "mine.yaml:4:11: 'l2.cache.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126 MHz'");
}

TEST_CASE("a_size_without_a_unit_is_refused") {
  check_configuration_refused(
      "base: h200\nl2:\n  cache:\n    size: 126\n",
      "mine.yaml:4:11: 'l2.cache.size' is a size and needs a unit of B, KiB, MiB or GiB, not '126'");
}

TEST_CASE("a_size_is_no_frequency") {
  check_configuration_refused(
      "base: h200\nclocks:\n  core: 1 GiB\n",
      "mine.yaml:3:9: 'clocks.core' is a frequency and needs a unit of Hz, kHz, MHz or GHz, not '1 GiB'");
}

TEST_CASE("cycles_are_no_time") {
  check_configuration_refused(
      "base: h200\nmemory:\n  latency: 20 clk\n",
      "mine.yaml:3:12: 'memory.latency' is a time and needs a unit of ps, ns or us, not '20 clk'");
}

TEST_CASE("a_time_is_no_number_of_cycles") {
  check_configuration_refused(
      "base: h200\ncrossbar:\n  request_latency: 5 ns\n",
      "mine.yaml:3:20: 'crossbar.request_latency' is a number of cycles and needs a unit of clk, not '5 ns'");
}

TEST_CASE("sets_must_be_whole") {
  // Ten ways of 128 B are sets of 1280 B; 10,000 B are seven of them and 1040 B.
  check_configuration_refused("base: h200\nl2:\n  cache:\n    size: 10000 B\n    ways: 10\n    line: 128 B\n",
                              "mine.yaml:4:11: 'l2.cache.size' must be whole sets of 10 ways x 128 B = 1280 B, "
                              "but 10000 B leaves 1040 B over (set l2.cache.size=8960B or 10240B)");
}

TEST_CASE("there_cannot_be_more_ways_than_lines") {
  // 1 KiB is eight lines of 128 B.
  check_configuration_refused("base: h200\nl2:\n  cache:\n    size: 1 KiB\n    ways: 16\n    line: 128 B\n",
                              "mine.yaml:4:11: 'l2.cache.size' must be whole sets of 16 ways x 128 B = 2048 B, "
                              "but 1024 B leaves 1024 B over (set l2.cache.size=2048B)");
}

TEST_CASE("a_carve_out_that_is_not_there_cannot_be_chosen") {
  check_configuration_refused(
      "base: h200\nl1:\n  carve_outs:\n    - {name: all, size: 216 KiB}\n  carve_out: none_left\n",
      "mine.yaml:5:14: 'l1.carve_out' is 'none_left', which is not one of all");
}

TEST_CASE("the_number_of_memory_dies_is_a_power_of_two") {
  check_configuration_refused("base: h200\ndies:\n  memory: 3\n",
                              "mine.yaml:3:11: 'dies.memory' must be 1 to 64, a power of two, not '3'");
}

TEST_CASE("a_machine_whose_parts_do_not_fit_together_is_refused_by_every_verb") {
  // Three sides cannot each be the home of the blocks of one of two memory dies.
  const Scratch folder;
  folder.write("mine.yaml", "base: h200\ndies:\n  compute: 3\n  memory: 2\n");
  const std::string set =
      "network.links set by configs/parts/nvidia-two-sides.yaml:87:3, dies.compute set by mine.yaml:3:12, "
      "dies.memory set by mine.yaml:4:11; ";
  std::string message =
      "mine.yaml: l2.partitioned = true needs memory on the dies of the L2, but dies.compute = 3, "
      "dies.memory = 2 and dies.memory_apart = true (l2.partitioned set by "
      "configs/parts/nvidia-two-sides.yaml:49:16, dies.compute set by mine.yaml:3:12, dies.memory set by "
      "mine.yaml:4:11; set "
      "l2.partitioned=false, or change those)";
  for (const char* die : {"0 (node 2)", "1 (node 3)", "2 (node 4)"})
    message += std::string("\nmine.yaml: network.links has no route from compute die ") + die +
               " to memory die 0, but dies.compute = 3 and dies.memory = 2 (" + set + "add a link from node " +
               std::string(die).substr(8, 1) + ", or use fewer dies)";
  check_refused(folder, {"check", "mine.yaml"}, message);
  check_refused(folder, {"latency", "--gpu", "mine.yaml", "--json", "out.json"}, message);
  check_refused(folder, {"explain", "--gpu", "mine.yaml", "--address", "0", "--json", "out.json"}, message);
}

TEST_CASE("issue_ports_name_known_classes_each_once") {
  check_configuration_refused(
      "base: mi300x\ncore:\n  execution:\n    issue_ports:\n      - {name: vector, classes: fp32 nonsense}\n",
      "mine.yaml:5:33: 'core.execution.issue_ports[0].classes' names 'nonsense', which is neither a class of "
      "instructions nor a space of accesses");
  check_configuration_refused(
      "base: mi300x\ncore:\n  execution:\n    issue_ports:\n      - {name: vector, classes: fp32}\n"
      "      - {name: memory, classes: global fp32}\n",
      "mine.yaml:4:5: 'core.execution.issue_ports' name 'fp32' twice: an instruction takes one port, name "
      "each class once");
}

TEST_CASE("a_range_of_addresses_is_of_whole_pages_and_not_empty") {
  check_configuration_refused(
      "base: mi300x\nmemory_side_cache:\n  addresses: {from: 8 GiB, to: 4 GiB}\n",
      "mine.yaml:3:32: 'memory_side_cache.addresses.to' is not beyond from, so the range is empty (set "
      "memory_side_cache.addresses.to larger)");
  check_configuration_refused(
      "base: mi300x\nmemory_side_cache:\n  addresses: {from: 1 KiB, to: 4 GiB}\n",
      "mine.yaml:3:21: 'memory_side_cache.addresses.from' is not a multiple of 4 KiB, so it would divide a line");
}
