// SPDX-License-Identifier: Apache-2.0
#include "load_options.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "base/diagnostic.hpp"

namespace strata::cli {

namespace {
// In the order of the enumerations.
const std::vector<std::string> spaces(trace::measured_spaces.begin(), trace::measured_spaces.end());
const std::vector<std::string> cache_operators{"ca", "cg", "cv"};
const std::vector<std::string> orders{"random", "ascending"};
}  // namespace

void describe_path(po::options_description& description) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  description.add_options()(
      "space", text("global|shared|scalar|texture|cluster|bulk", "global"),
      "address space of the loads; cluster: shared memory of the next core of the group; bulk: global memory, "
      "copied into shared memory")(
      "cache-op", text("ca|cg|cv", "ca"),
      "ca: every level caches; cg: bypasses the L1; cv: as well, and sees what coherent accesses left on any die");
}

trace::Space space_of(const Options& options) { return static_cast<trace::Space>(options.choice("space", spaces)); }

memory::CacheOperator cache_operator_of(const Options& options) {
  return static_cast<memory::CacheOperator>(options.choice("cache-op", cache_operators));
}

const std::string& operator_name(memory::CacheOperator cache_operator) {
  return cache_operators.at(static_cast<std::size_t>(cache_operator));
}

std::string in_words(trace::Space space, memory::CacheOperator cache_operator) {
  return fmt::format("{} space, {}", spaces.at(static_cast<std::size_t>(space)), operator_name(cache_operator));
}

std::uint64_t width_of(const Options& options, std::uint64_t most) {
  const std::uint64_t width = options.count("width", 1, most);
  if (!std::has_single_bit(width))
    throw InputError(Diagnostic{"--width",
                                0,
                                0,
                                fmt::format("a load of a lane cannot have {} bytes: use 1, 2, 4, 8 or 16{}", width,
                                            most > 16 ? ", or for a bulk copy also 32 or 64" : ""),
                                {}});
  return width;
}

void describe_load(po::options_description& description) {
  description.add_options()("lanes", po::value<std::string>()->value_name("N")->default_value("1"),
                            "active lanes of the loading warp; all read the same address");
  describe_path(description);
}

void read_load(const Options& options, study::LatencyQuestion& question) {
  question.lanes = options.count("lanes", 1, trace::most_lanes);
  question.space = space_of(options);
  question.cache_operator = cache_operator_of(options);
}

std::string in_words(const study::LatencyQuestion& question) {
  constexpr const char* homes[] = {"", ", near lines", ", far lines", ", the host's memory"};
  return fmt::format("{} cycle, {} B stride, {} thread{}{}{}, {}", orders.at(static_cast<std::size_t>(question.order)),
                     question.stride.value, question.threads, question.threads == 1 ? "" : "s",
                     question.segmented ? ", segmented" : "", homes[static_cast<std::size_t>(question.home)],
                     in_words(question.space, question.cache_operator));
}

}  // namespace strata::cli
