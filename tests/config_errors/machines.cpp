// SPDX-License-Identifier: Apache-2.0
// Valid files that describe impossible machines.
#include "refusal.hpp"

using namespace strata::test;

TEST_CASE("a_die_without_a_way_to_memory_is_refused") {
  const Scratch folder;
  check_refused(
      folder, {"latency", "--gpu", "mi300x", "--set", "dies.compute=9", "--csv", "out.csv"},
      "mi300x: network.links has no route from compute die 8 (node 12) to memory die 0, but dies.compute = 9 and "
      "dies.memory = 4 (dies.compute set by --set, network.links set by " +
          line_of("configs/vendors/mi300x.yaml", "  links:") + ":3, dies.memory set by " +
          line_of("configs/vendors/mi300x.yaml", "  memory:") + ":11; add a link from node 12, or use fewer dies)");
  check_configuration_refused(
      "base: b200\nname: B200 cut in two\nnetwork: {links: []}\n",
      "mine.yaml: network.links has no route from compute die 0 (node 0) to memory die 1, but "
      "dies.compute = 2 and dies.memory = 2 (network.links set by mine.yaml:3:11, dies.compute set by "
      "configs/parts/nvidia-two-sides.yaml:6:12, dies.memory set by configs/parts/nvidia-two-sides.yaml:7:11; "
      "add a link from node 0, or use fewer dies)\n"
      "mine.yaml: network.links has no route from compute die 1 (node 1) to memory die 0, but "
      "dies.compute = 2 and dies.memory = 2 (network.links set by mine.yaml:3:11, dies.compute set by "
      "configs/parts/nvidia-two-sides.yaml:6:12, dies.memory set by configs/parts/nvidia-two-sides.yaml:7:11; "
      "add a link from node 1, or use fewer dies)");
}

TEST_CASE("more_lines_than_the_host_could_hold_are_refused") {
  // 80 slices of 4 GiB; 2^28 / 80 lines of 128 B a slice.
  const Scratch folder;
  check_refused(
      folder, {"latency", "--gpu", "a100", "--set", "l2.cache.size=4GiB", "--csv", "out.csv"},
      "note: l2.cache.size = 4 GiB is one slice; 80 slices make 320 GiB of L2, NVIDIA A100 80 GB makes 40 MiB; "
      "l2.capacity sets all of it\n"
      "a100: l2.cache.size = 4294967296 B in lines of 128 B, 80 times, has more than the 268435456 lines that a level "
      "may have (l2.cache.size set by --set, l2.slices_per_die set by configs/vendors/a100.yaml:27:19, dies.compute "
      "set by configs/parts/nvidia-two-sides.yaml:6:12; "
      "keep a slice within 429496704 B)");
}

TEST_CASE("a_second_scalar_cache_needs_a_first_one_with_shorter_lines") {
  const Scratch folder;
  const std::string place = line_of("configs/parts/hopper-sm.yaml", "second_scalar_cache:");
  check_refused(folder, {"latency", "--gpu", "h200", "--set", "scalar_cache=none"},
                "h200: second_scalar_cache is behind scalar_cache, which is none (scalar_cache set by --set, "
                "second_scalar_cache set by " +
                    place + ":1; set second_scalar_cache=none, or give scalar_cache)");
  const Outcome shorter =
      run(folder, {"latency", "--gpu", "h200", "--set", "scalar_cache.line=128B", "--set",
                   "second_scalar_cache.line=64B", "--set", "second_scalar_cache.fill_granularity=64B"});
  CHECK(shorter.exit_code == 2);
  CHECK(shorter.err.find("second_scalar_cache.line = 64 B is shorter than scalar_cache.line = 128 B") !=
        std::string::npos);
}

TEST_CASE("more_lanes_than_a_warp_has_are_refused") {
  const Scratch folder;
  check_refused(folder, {"latency", "--gpu", "b200", "--lanes", "64", "--csv", "out.csv"},
                "b200: NVIDIA B200 has warps of 32 lanes, not 64");
}

TEST_CASE("more_blocks_than_fit_at_once_are_refused") {
  // 148 SMs of 64 warps.
  const Scratch folder;
  check_refused(folder, {"latency", "--gpu", "b200", "--threads", "9473", "--csv", "out.csv"},
                "b200: 9473 blocks do not fit at once: NVIDIA B200 holds 9472 warps on all its cores");
}

TEST_CASE("a_journey_is_one_request") {
  const Scratch folder;
  check_refused(folder, {"explain", "--gpu", "b200", "--address", "124"},
                "b200: a load of 8 bytes at 124 straddles two lines; choose an address that does not");
}
