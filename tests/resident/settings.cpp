// SPDX-License-Identifier: Apache-2.0
// Settings at the upper ends of their ranges take memory by use, not by capacity.
#include "catch.hpp"
#include "program.hpp"
#include "sanitizers.hpp"

using strata::test::Outcome;
using strata::test::run;

TEST_CASE("huge_settings_cost_memory_by_use") {
  for (const char* setting :
       {"l2.cache.mshrs=1048576", "l1.cache.mshrs=1048576", "translation.levels[0].entries=1048576",
        "dies.cores_per_die=4096", "core.load_store.queue=1024", "memory.channel.controller.read_queue=4096",
        "l2.cache.input_depth=65536", "l2.cache.writeback_buffer=65536"}) {
    CAPTURE(setting);
    const Outcome outcome = run({"latency", "--gpu", "h200", "--from", "64KiB", "--to", "64KiB", "--timed-loads", "64",
                                 "--quiet", "--set", setting, "--set", "dies.group_sizes=[]"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
#if !defined(STRATA_ADDRESS_SANITIZER)
    CHECK(outcome.peak_rss_bytes < (std::uint64_t{256} << 20U));
#endif
  }
}
