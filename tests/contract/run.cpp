// SPDX-License-Identifier: Apache-2.0
// strata run: the fixed fields of its document, and one kernel from its generator
// and from traces of it.
#include <fstream>

#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

json::object document(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--quiet", "--json", "-"});
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

}  // namespace

SCENARIO("a_run_reports_time_levels_latency_and_host") {
  GIVEN("two kernels over 1 MiB, a read and a copy") {
    const json::object run =
        document({"run", "--gpu", "h200", "--kernel", "stream_read,bytes=1MiB", "--kernel", "copy,bytes=1MiB"});
    const json::array& kernels = run.at("kernels").as_array();
    REQUIRE(kernels.size() == 2);
    THEN("the times of the kernels add up") {
      const double sum = kernels[0].at("time_ns").to_number<double>() + kernels[1].at("time_ns").to_number<double>();
      CHECK(run.at("time_ns").to_number<double>() == Approx(sum));
      CHECK(run.at("cycles").to_number<double>() > 0);
    }
    THEN("lines and sectors are those of the arrays") {
      // 1 MiB read; then 1 MiB read and as much written: lines of 128 B, sectors of 32 B.
      CHECK(kernels[0].at("transactions") == 8192);
      CHECK(kernels[0].at("sectors") == 32768);
      CHECK(kernels[1].at("transactions") == 2 * 8192);
      CHECK(run.at("transactions") == 3 * 8192);
      CHECK(run.at("sectors") == 3 * 32768);
      CHECK(run.at("dram").at("bytes_read") == 2 << 20);
    }
    THEN("levels stand from core to memory with their fixed fields") {
      const json::array& levels = run.at("levels").as_array();
      CHECK(levels.front().at("name").as_string() == "L1");
      CHECK(levels.back().at("name").as_string() == "DRAM");
      for (const json::value& level : levels)
        for (const char* field : {"requests", "sectors", "hits", "misses", "hit_rate", "bytes_read", "bytes_written",
                                  "bandwidth_bytes_per_second", "busy_fraction"})
          CHECK(level.as_object().contains(field));
    }
    THEN("stages share out the latency, stalls the time of warps") {
      const json::object& latency = run.at("latency").as_object();
      CHECK(latency.at("p50_ns").to_number<double>() <= latency.at("p99_ns").to_number<double>());
      double shares = 0;
      for (const json::value& stage : latency.at("breakdown").as_array())
        shares += stage.at("share").to_number<double>();
      CHECK(shares == Approx(1));
      for (const json::value& kernel : kernels) {
        double waits = 0;
        for (const json::value& stall : kernel.at("stalls").as_array()) waits += stall.at("share").to_number<double>();
        CHECK(waits == Approx(1));
      }
    }
    THEN("the host is reported") {
      const json::object& host = run.at("host").as_object();
      CHECK(host.at("seconds").to_number<double>() > 0);
      CHECK(host.at("transactions_per_second").to_number<double>() > 0);
      CHECK(host.at("peak_rss_bytes").to_number<std::uint64_t>() > 0);
    }
  }
}

SCENARIO("every_kernel_that_repeats_nothing_takes_the_same_cycles_from_generator_and_traces") {
  const char* const kernel =
      GENERATE("vecadd,n=10000", "sgemm_tiled,n=64", "sgemm_naive,n=64", "spmv_csr,n=500", "stencil7,n=32",
               "scatter,n=5000", "histogram,n=10000", "atomic_add,n=3000,returns=true", "transpose_naive,n=64");
  GIVEN(std::string(kernel) + ", recorded and converted") {
    const Scratch scratch;
    const std::string native = scratch.path("k.strata");
    const std::string traceg = scratch.path("k.traceg");
    REQUIRE(run({"trace", "record", kernel, native}).exit_code == 0);
    REQUIRE(run({"trace", "convert", native, traceg}).exit_code == 0);
    const double generated = document({"run", "--gpu", "h200", "--kernel", kernel}).at("cycles").to_number<double>();
    CHECK(document({"run", "--gpu", "h200", "--trace", native}).at("cycles").to_number<double>() == generated);
    CHECK(document({"run", "--gpu", "h200", "--trace", traceg}).at("cycles").to_number<double>() == generated);
  }
}

SCENARIO("a_trace_from_far_addresses_runs_in_the_memory_of_any_gpu") {
  const char* const gpu = GENERATE("h200", "b580", "mi300x");
  GIVEN(std::string("the sample of Accel-Sim's form on ") + gpu) {
    const std::string trace = std::string(STRATA_SOURCE_DIR) + "/traces/accel-sim";
    const json::object once = document({"run", "--gpu", gpu, "--trace", trace});
    THEN("its lines come from DRAM, each time alike") {
      CHECK(once.at("dram").at("bytes_read").to_number<std::uint64_t>() > 0);
      const json::object again = document({"run", "--gpu", gpu, "--trace", trace});
      CHECK(again.at("fingerprint") == once.at("fingerprint"));
    }
  }
}

SCENARIO("a_kernel_that_never_ends_is_an_error_and_no_result") {
  // The error in a trace in text form with one block.
  const auto refusal = [](const std::string& kernel, const std::string& instruction) {
    const Scratch scratch;
    const std::string text = scratch.path("k.txt");
    std::ofstream(text) << "strata-trace 1\nkernel " << kernel << "\nblock 0\nwarp 0\n  " << instruction << "\nend\n";
    const Outcome outcome = run({"run", "--gpu", "h200", "--trace", text, "--quiet"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  GIVEN("a barrier for two warps to which one comes") {
    CHECK(refusal("\"stuck\" grid 2 1 1 block 64 1 1", "barrier number=1 warps=2")
              .find("kernel 'stuck' does not end: 1 of 2 blocks are done") != std::string::npos);
  }
  GIVEN("a load beyond all memory") {
    CHECK(refusal("\"far\" grid 1 1 1 block 32 1 1", "load global ca 4 d1 @0xfffffffffffffff0+0")
              .find("memory has no addresses from 2^63 on") != std::string::npos);
  }
}

SCENARIO("generator_native_trace_and_accel_sim_trace_take_the_same_cycles") {
  GIVEN("a reduction, recorded and converted") {
    const Scratch scratch;
    const std::string native = scratch.path("r.strata");
    const std::string traceg = scratch.path("r.traceg");
    REQUIRE(run({"trace", "record", "reduction,n=65536", native}).exit_code == 0);
    REQUIRE(run({"trace", "convert", native, traceg}).exit_code == 0);
    const json::object generated = document({"run", "--gpu", "b580", "--kernel", "reduction,n=65536"});
    for (const std::string& file : {native, traceg}) {
      const json::object replayed = document({"run", "--gpu", "b580", "--trace", file});
      THEN("the replay of " + file.substr(file.rfind('.')) + " has its fingerprint") {
        CHECK(replayed.at("cycles") == generated.at("cycles"));
        CHECK(replayed.at("fingerprint") == generated.at("fingerprint"));
      }
    }
  }
}

SCENARIO("warm_caches_serve_the_data_of_the_previous_kernel") {
  const auto read = [](const char* caches) {
    return document(
        {"run", "--gpu", "h200", "--kernel", "stream_read,bytes=4MiB", "--repeat", "2", "--caches", caches});
  };
  CHECK(read("cold").at("dram").at("bytes_read") == 8 << 20);
  CHECK(read("warm").at("dram").at("bytes_read") == 4 << 20);
}

SCENARIO("a_list_of_kernels_and_traces_is_repeated_as_a_whole") {
  const Scratch scratch;
  const std::string trace = scratch.path("t.strace");
  REQUIRE(run({"trace", "record", "vecadd,n=1024", trace}).exit_code == 0);
  const auto kernels =
      document({"run", "--gpu", "b580", "--kernel", "stream_read,bytes=64KiB", "--trace", trace, "--repeat", "2"})
          .at("kernels")
          .as_array();
  std::vector<std::string> names;
  for (const auto& kernel : kernels) names.emplace_back(kernel.at("name").as_string());
  CHECK(names == std::vector<std::string>{"stream_read", "vecadd", "stream_read", "vecadd"});
}

SCENARIO("a_launch_that_cannot_be_is_refused") {
  GIVEN("a block that no core has registers for") {
    const Outcome outcome =
        run({"run", "--gpu", "h200", "--kernel", "vecadd,n=1024", "--set", "core.residency.registers=1024"});
    THEN("it is reported which bound and by how much") {
      CHECK(outcome.exit_code == 2);
      CHECK(outcome.err.find("no block fits on a SM") != std::string::npos);
      CHECK(outcome.err.find("more than the 1024 available") != std::string::npos);
    }
  }
}

// A partition of a B200 makes 1024 multiplications and additions of 16 bits a clock, an SM has four.
SCENARIO("the_roof_of_a_tensor_pipe_is_that_of_the_hardware") {
  const Outcome outcome =
      run({"run", "--gpu", "b200", "--kernel", "tmem_mma,n=256,depth=64", "--quiet", "--json", "-"});
  REQUIRE(outcome.exit_code == 0);
  const auto kernel = boost::json::parse(outcome.out).at("kernels").at(0);
  const auto tensor = kernel.at("pipes").at(0);
  CHECK(tensor.at("pipe") == "tensor");
  const double clock = 1.965e9;
  CHECK(tensor.at("flops_per_second_at_peak").to_number<double>() == Approx(2 * 2 * 4 * 1024 * clock).epsilon(0.001));
}
