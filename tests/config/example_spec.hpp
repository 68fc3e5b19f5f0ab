// SPDX-License-Identifier: Apache-2.0
// A small machine, described like the specs of sim/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/schema/schema.hpp"

namespace example {

using namespace strata;            // NOLINT(google-build-using-namespace): a test's vocabulary
using namespace strata::literals;  // NOLINT(google-build-using-namespace)

enum class WritePolicy { write_back, write_through };

struct CacheSpec {
  std::string name;
  Bytes size;
  Bytes line = 128_B;
  std::uint32_t ways = 16;
  Cycles hit_latency;
  BytesPerClock width = {64};
  WritePolicy write_policy = WritePolicy::write_back;
  std::string replacement = "lru";
  std::optional<std::uint32_t> mshrs;

  static config::Schema<CacheSpec> schema() {
    return config::Schema<CacheSpec>("cache", "a set-associative cache")
        .optional("name", &CacheSpec::name, "name in reports")
        .required("size", &CacheSpec::size, "capacity of one instance", config::range(1_KiB, 4_GiB))
        .optional("line", &CacheSpec::line, "bytes of a line", config::range(32_B, 256_B), config::power_of_two())
        .optional("ways", &CacheSpec::ways, "lines of a set", config::range(1, 1024))
        .required("hit_latency", &CacheSpec::hit_latency, "cycles from request to data")
        .optional("width", &CacheSpec::width, "bytes a clock that one instance delivers")
        .optional("write_policy", &CacheSpec::write_policy, "what a store does",
                  config::choices<WritePolicy>({{"write_back", WritePolicy::write_back, "keeps dirty lines"},
                                                {"write_through", WritePolicy::write_through, "passes stores on"}}))
        .optional("replacement", &CacheSpec::replacement, "which line leaves",
                  config::one_of({"lru", "tree_plru", "random"}))
        .optional("mshrs", &CacheSpec::mshrs, "misses in flight; none: no limit", config::at_least(1))
        .check("size", [](const CacheSpec& cache) -> std::string {
          if (cache.size % (cache.line * cache.ways) == 0_B) return {};
          return "is not a whole number of sets of " + std::to_string(cache.ways) + " lines of " +
                 std::to_string(cache.line.value) + " B";
        });
  }
};

struct DramSpec {
  DataRate data_rate;
  std::vector<Nanoseconds> timings = {{14.0}, {14.0}};
  Ratio refresh_share = {0.05};

  static config::Schema<DramSpec> schema() {
    return config::Schema<DramSpec>("dram", "one memory channel")
        .required("data_rate", &DramSpec::data_rate, "transfers a second on a pin")
        .optional("timings", &DramSpec::timings, "row to column, precharge", config::entries(1, 4))
        .optional("refresh_share", &DramSpec::refresh_share, "share of time spent refreshing",
                  config::range(Ratio{0.0}, Ratio{1.0}));
  }
};

struct MachineSpec {
  std::string name;
  Frequency clock;
  bool coherent = true;
  CacheSpec l2;
  std::vector<CacheSpec> levels;
  std::optional<DramSpec> dram;

  static config::Schema<MachineSpec> schema() {
    return config::Schema<MachineSpec>("machine", "a whole GPU")
        .required("name", &MachineSpec::name, "name in reports")
        .required("clock", &MachineSpec::clock, "core clock", config::range(1_MHz, 10_GHz))
        .optional("coherent", &MachineSpec::coherent, "whether stores are seen by all cores")
        .required("l2", &MachineSpec::l2, "the last level before memory")
        .optional("levels", &MachineSpec::levels, "levels between core and L2", config::entries(0, 4))
        .optional("dram", &MachineSpec::dram, "memory; none: no memory");
  }
};

}  // namespace example
