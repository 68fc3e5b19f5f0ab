// SPDX-License-Identifier: Apache-2.0
// sweep of run: a point equals the single run; kernels and their parameters are varied like
// settings.
#include <string>
#include <vector>
#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;

Outcome sweep(std::vector<std::string> more) {
  more.insert(more.begin(), {"sweep", "--gpu", "b580", "run", "--quiet"});
  return run(more);
}

json::array points(std::vector<std::string> more) {
  more.insert(more.end(), {"--json", "-"});
  const Outcome outcome = sweep(more);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).at("points").as_array();
}

}  // namespace

SCENARIO("a_point_of_a_sweep_of_run_equals_run") {
  GIVEN("a setting and a parameter of the kernel that are crossed") {
    const json::array all = points(
        {"--vary", "memory.latency=*1,*3", "--vary", "kernel.bytes=256KiB..1MiB:x4", "--kernel", "copy,width=4"});
    REQUIRE(all.size() == 4);
    for (const std::size_t i : {1U, 2U}) {
      const json::object& own = all[i].as_object();
      const bool far = i >= 2;
      const bool large = i % 2 == 1;
      THEN(std::string(far ? "so it is far and small" : "so it is near and large")) {
        std::vector<std::string> words{
            "run",    "--gpu", "b580",     "--quiet",
            "--json", "-",     "--kernel", large ? "copy,width=4,bytes=1MiB" : "copy,width=4,bytes=256KiB"};
        // The row has the product of the factor and the setting.
        if (far)
          words.insert(
              words.end(),
              {"--set", "memory.latency=" +
                            std::to_string(own.at("values").at("memory.latency_ns").to_number<double>()) + "ns"});
        const json::value alone = json::parse(run(words).out);
        CHECK(own.at("time_ns") == alone.at("time_ns"));
        CHECK(own.at("transactions") == alone.at("transactions"));
        CHECK(own.at("dram_bytes_read") == alone.at("dram").at("bytes_read"));
        CHECK(own.at("values").at("kernel.bytes").as_int64() == (large ? 1 << 20 : 1 << 18));
      }
    }
    THEN("memory that is further away takes longer") {
      CHECK(all[2].at("time_ns").to_number<double>() > all[0].at("time_ns").to_number<double>());
    }
  }
}

SCENARIO("parameters_without_effect_on_a_kernel_are_reported") {
  const Outcome outcome = sweep({"--vary", "core.shared_memory.latency=*1,*2", "--kernel", "copy,bytes=64KiB"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err ==
        "note: core.shared_memory.latency has no effect: the figures are the same for all its 2 values\n");
}

SCENARIO("a_sweep_around_run_that_cannot_be_is_refused_before_anything_is_run") {
  const auto refusal = [](std::vector<std::string> more) {
    const Outcome outcome = sweep(std::move(more));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(refusal({"--vary", "core.residency.registers=1024,65536", "--kernel", "vecadd,n=1024"})
            .find("--vary core.residency.registers=1024: kernel 'vecadd': no block fits on a ") == 0);
  CHECK(refusal({"--vary", "kernel.bites=1MiB", "--kernel", "copy"}).find("(did you mean 'kernel.bytes'?)") !=
        std::string::npos);
  CHECK(refusal({"--vary", "kernel.bytes=1Hz,2MiB", "--kernel", "copy"}).starts_with("--vary kernel.bytes=1Hz: "));
  CHECK(refusal({"--vary", "kernel=copi,copy"}).find("--vary kernel=copi: there is no kernel 'copi'") == 0);
  CHECK(refusal({"--vary", "l2.cache.ways=8"}).starts_with("run: nothing to run"));
}
