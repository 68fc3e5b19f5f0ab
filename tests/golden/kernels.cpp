// SPDX-License-Identifier: Apache-2.0
// Whole kernels that saturate some part of a machine: streams in both directions,
// write-backs of a small L2, atomics, tiles in shared memory, irregular accesses, and
// memory that belongs to single dies.
#include <fmt/format.h>

#include "catch.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "golden/table.hpp"
#include "study/run/run.hpp"

namespace {

constexpr const char* columns = "gpu,settings,kernel,cycles,transactions,fingerprint";

struct Machine {
  const char* gpu;
  std::string small_l2;  ///< an eighth of the L2 or less: a stream of 2 MiB is evicted from it
};

const std::vector<Machine> machines = {
    {"b200", "l2.cache.size=4352B"}, {"h200", "l2.cache.size=10KiB"}, {"mi300x", "l2.cache.size=16KiB"},
    {"b580", "l2.cache.size=24KiB"}, {"pvc", "l2.cache.size=32KiB"},
};

const std::vector<std::string> kernels = {
    "stream_read,bytes=2MiB",
    "stream_write,bytes=2MiB",
    "copy,bytes=2MiB",
    "atomic_add,n=65536,addresses=4096,repeats=2",
    "atomic_add,n=8192,addresses=1,repeats=2",
    "sgemm_tiled,n=128",
    "spmv_csr,n=2048",
    "gather,n=65536,table=16MiB",
    "scatter,n=65536,table=16MiB",
};

std::string row(const std::string& gpu, const std::string& settings, const std::string& kernel) {
  const strata::tools::Library library(STRATA_SOURCE_DIR);
  std::vector<std::string> overrides;
  if (!settings.empty()) overrides.push_back(settings);
  const auto loaded =
      strata::config::load<strata::machine::MachineSpec>(library.gpu(gpu), library.configurations(), overrides);
  strata::trace::LaunchList launches;
  launches.push_back(strata::kernels::make_kernel(kernel, strata::study::target_of(loaded.spec)));
  const strata::study::RunResult result = strata::study::measure_run(loaded.spec, launches, {});
  return fmt::format("{},{},{},{},{},0x{:016x}", gpu, settings, fmt::format("\"{}\"", kernel), result.cycles,
                     result.transactions, result.fingerprint);
}

}  // namespace

TEST_CASE("every_build_gives_the_same_fingerprints_of_kernels") {
  std::vector<std::string> rows;
  for (const Machine& machine : machines) {
    for (const std::string& kernel : kernels) rows.push_back(row(machine.gpu, "", kernel));
    rows.push_back(row(machine.gpu, machine.small_l2, "copy,bytes=2MiB"));
  }
  rows.push_back(row("mi300x", "memory.interleave=per_die", "copy,bytes=2MiB"));
  rows.push_back(row("mi300x", "dies.logical_gpus=8", "stream_read,bytes=2MiB"));
  strata::golden::compare("kernels.csv", columns, rows);
}
