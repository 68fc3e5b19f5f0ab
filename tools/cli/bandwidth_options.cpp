// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "base/diagnostic.hpp"
#include "config/schema/scalar.hpp"
#include "load_options.hpp"
#include "machine/levels.hpp"
#include "report/text/text.hpp"

namespace strata::cli {

namespace {

// In the order of the enumerations.
const std::vector<std::string> operations{"read", "write", "copy", "scale", "add", "triad"};
const std::vector<std::string> sharings{"split", "each", "turns"};
const std::vector<std::string> homes{"any", "near", "far", "host"};

std::vector<std::string> items(const std::string& option, const std::string& text) {
  std::vector<std::string> all;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    if (item.find_first_not_of(' ') == std::string::npos)
      refuse_option(option, fmt::format("'{}' has an empty entry in its list", text));
    all.push_back(std::move(item));
    at = end + 1;
  }
  return all;
}

std::vector<std::uint32_t> dies(const std::string& text) {
  std::vector<std::uint32_t> all;
  for (const std::string& item : items("dies", text)) {
    std::uint32_t die = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), die);
    if (error != std::errc{} || end != item.data() + item.size())
      refuse_option("dies", fmt::format("'{}' is not a list of compute dies; write it as 0,1", text));
    if (std::find(all.begin(), all.end(), die) == all.end()) all.push_back(die);
  }
  return all;
}

std::uint64_t arrays_of(const study::BandwidthQuestion& question) {
  return trace::loads_of(question.operation) + trace::stores_of(question.operation);
}

std::uint64_t lanes_of(const study::BandwidthQuestion& question, const machine::MachineSpec& spec) {
  return question.lanes == 0 ? spec.core.warp_width : question.lanes;
}

// As far as it divides the footprint: in shared space each core has its own.
bool shares_out(const study::BandwidthQuestion& question) {
  return question.sharing == study::Sharing::split && !trace::within_cores(question.space);
}

std::uint64_t dies_of(const study::BandwidthQuestion& question, const machine::MachineSpec& spec) {
  return question.dies.empty() ? spec.dies.compute : question.dies.size();
}

std::uint64_t cores_of(const study::BandwidthQuestion& question, const machine::MachineSpec& spec) {
  return question.cores > 0 ? question.cores : dies_of(question, spec) * spec.dies.cores_per_die;
}

}  // namespace

void describe_stream(po::options_description& description) {
  const auto text = [](const char* shown, const char* standard) {
    return po::value<std::string>()->value_name(shown)->default_value(standard);
  };
  const auto none = [](const char* shown) { return po::value<std::string>()->value_name(shown); };
  description.add_options()("op", text("read|write|copy|scale|add|triad", "read"), "operation on the arrays")(
      "cores", none("N"),
      "active cores: those that a grid of N blocks gets; with --placement the first in that order; default: all")(
      "dies", none("D,D"), "active compute dies, such as 0,1; default: all")(
      "placement", none("P"), "order of the cores, a name of `strata list policies`; default: the machine's")(
      "sharing", text("split|each|turns", "split"),
      "split: the cores share the footprint; each: every core sweeps all of it; turns: blocks of 32 warps take parts "
      "of 512 KiB in turn")(
      "home", text("any|near|far|host", "any"),
      "any; only the lines of the near or of the far side, if the L2 has sides; or the host's memory")(
      "warps", none("N"), "warps on each core; default: as many as fit")(
      "lanes", none("N"), "lanes of each warp; default: all")("width", text("BYTES", "16"),
                                                              "bytes of a lane's access: 1, 2, 4, 8 or 16")(
      "lane-stride", none("SIZE"), "distance between lanes; default: the width of an access")(
      "unroll", text("N", "4"), "outstanding accesses of a warp")(
      "in-flight", none("SIZE"), "outstanding bytes of each core; sets warps, and unroll if warps are not enough")(
      "batch", "all accesses of an unrolled loop complete before the next are issued")(
      "work-per-access", none("CLK"), "arithmetic of a warp before each access, in core clocks")(
      "work-per-batch", none("CLK"), "arithmetic of a warp before each batch, in core clocks")(
      "blocked", "each warp sweeps a separate contiguous part; default: warps interleave")(
      "lockstep", "time one pass from its start to its last response, not the steady state")(
      "whole", "time all passes from their start to the last response, as a kernel is timed")("seed", text("N", "1"),
                                                                                              "seed of random choices")(
      "timed", none("SIZE"),
      "bytes of the timed window, doubled until the rate is steady; default: enough for a steady state")(
      "fixed-window", "time exactly --timed bytes, steady or not");
  describe_path(description);
}

StreamOptions read_stream(const Options& options) {
  StreamOptions stream;
  study::BandwidthQuestion& q = stream.question;
  const auto count = [&](const char* name, std::uint64_t most) {
    return options.has(name) ? options.count(name, 1, most) : 0;
  };
  q.operation = static_cast<trace::StreamOperation>(options.choice("op", operations));
  q.cores = count("cores", 1U << 20U);
  if (const auto text = options.text("dies")) q.dies = dies(*text);
  q.placement = options.text("placement").value_or("");
  q.space = space_of(options);
  q.cache_operator = cache_operator_of(options);
  q.sharing = static_cast<study::Sharing>(options.choice("sharing", sharings));
  q.home = static_cast<study::Home>(options.choice("home", homes));
  q.warps = count("warps", 1U << 16U);
  q.lanes = count("lanes", trace::most_lanes);
  q.bytes_per_lane = width_of(options, q.space == trace::Space::bulk ? trace::most_bytes_per_lane : 16);
  // A register for each outstanding load, and a warp has 255.
  q.unroll = options.count("unroll", 1, 255 / std::max(trace::loads_of(q.operation), 1U));
  q.batch = options.has("batch");
  if (options.has("work-per-access")) q.work_per_access = Cycles{options.real("work-per-access", 0, 10'000)};
  if (options.has("work-per-batch")) q.work_per_batch = Cycles{options.real("work-per-batch", 0, 10'000)};
  q.blocked = options.has("blocked");
  q.lockstep = options.has("lockstep");
  q.whole = options.has("whole");
  if (q.lockstep && q.whole) refuse_option("whole", "is another way of timing than --lockstep; remove one of them");
  q.seed = options.count("seed", 0, ~std::uint64_t{0});
  if (options.has("lane-stride")) {
    q.lane_stride = options.size("lane-stride").value;
    if (q.lane_stride < q.bytes_per_lane || q.lane_stride > (1U << 30U))
      refuse_option("lane-stride",
                    fmt::format("{} bytes is not from the {} of an access to 1GiB", q.lane_stride, q.bytes_per_lane));
  }
  if (options.has("timed")) q.timed_bytes = options.size("timed").value;
  stream.warps_given = options.has("warps");
  stream.unroll_given = options.has("unroll");
  if (options.has("in-flight")) {
    stream.in_flight = options.size("in-flight");
    if (stream.warps_given && stream.unroll_given)
      refuse_option("in-flight", "follows from --warps and --unroll together; remove one of the three");
    if (trace::loads_of(q.operation) == 0)
      refuse_option("in-flight", "counts loads, and write has none; give --warps instead");
  }
  return stream;
}

study::BandwidthQuestion StreamOptions::on(const machine::MachineSpec& spec) const {
  study::BandwidthQuestion q = question;
  if (!in_flight) return q;
  const std::uint64_t loads = trace::loads_of(q.operation);
  const std::uint64_t access = lanes_of(q, spec) * q.bytes_per_lane * loads;
  const std::uint64_t places = in_flight->value / access;
  if (places == 0)
    refuse_option(
        "in-flight",
        fmt::format("{} bytes are less than the {} of one access of a warp; give more, or fewer or narrower lanes",
                    in_flight->value, access));
  if (unroll_given) {
    q.warps = std::max<std::uint64_t>(places / q.unroll, 1);
    if (places < q.unroll) q.unroll = places;
  } else {
    const std::uint64_t warps = warps_given ? q.warps : std::min(places, spec.core.warps);
    q.unroll = (places + warps - 1) / warps;
    if (warps_given && places % warps != 0) {
      const std::uint64_t more = q.unroll * warps * access;
      const std::string fitting =
          places < warps ? fmt::format("{}", more) : fmt::format("{} or {}", places / warps * warps * access, more);
      refuse_option(
          "in-flight",
          fmt::format("{} bytes are {} accesses of {} bytes, which cannot be divided evenly among --warps {}: "
                      "use {} bytes, or remove --warps",
                      in_flight->value, places, access, warps, fitting));
    }
    q.warps = std::max<std::uint64_t>(places / q.unroll, 1);
  }
  const std::uint64_t most = std::min(spec.core.warps, std::uint64_t{1} << 16U) * (255 / loads) * access;
  if (q.warps > spec.core.warps || q.unroll > 255 / loads)
    refuse_option(
        "in-flight",
        fmt::format("{} bytes take {} warps with {} outstanding accesses each; a core of {} holds {} warps of "
                    "at most {}, {} bytes",
                    in_flight->value, q.warps, q.unroll, spec.name, spec.core.warps, 255 / loads, most));
  return q;
}

std::vector<report::Setting> StreamOptions::notes(const machine::MachineSpec& spec) const {
  if (!in_flight) return {};
  const study::BandwidthQuestion q = on(spec);
  const std::uint64_t access = lanes_of(q, spec) * q.bytes_per_lane * trace::loads_of(q.operation);
  const std::uint64_t bytes = q.warps * q.unroll * access;
  if (bytes == in_flight->value) return {};
  report::Setting rounded{"--in-flight", fmt::format("{}B", in_flight->value), "the command line", true};
  rounded.caveat = fmt::format("{} warps with {} accesses of {} B each are {} B", q.warps, q.unroll, access, bytes);
  return {rounded};
}

std::string name(trace::StreamOperation operation) { return operations.at(static_cast<std::size_t>(operation)); }

std::string in_words(const study::BandwidthQuestion& question, const machine::MachineSpec& spec) {
  std::string words = name(question.operation);
  words += question.cores == 0 ? " by all cores"
                               : fmt::format(" by {} core{}", question.cores, question.cores == 1 ? "" : "s");
  if (!question.dies.empty())
    words += fmt::format(" of die{} {}", question.dies.size() == 1 ? "" : "s", fmt::join(question.dies, ", "));
  words += question.sharing == study::Sharing::turns ? ", parts in turn"
           : shares_out(question)                    ? ", split among them"
                                                     : ", each all of it";
  if (question.home != study::Home::any)
    words += fmt::format(", {} lines", homes.at(static_cast<std::size_t>(question.home)));
  if (question.warps > 0)
    words += fmt::format(", {} warp{}", question.warps, question.warps == 1 ? "" : "s");
  else
    words += ", warps";
  words += fmt::format(" of {} lanes of {} B", lanes_of(question, spec), question.bytes_per_lane);
  words += fmt::format(", {} under way{}", question.unroll, question.batch ? " in batches" : "");
  if (question.work_per_access.value > 0 || question.work_per_batch.value > 0)
    words += fmt::format(", arithmetic of {} clk an access and {} a batch", question.work_per_access.value,
                         question.work_per_batch.value);
  if (question.lane_stride > 0) words += fmt::format(", {} B apart", question.lane_stride);
  if (question.blocked) words += ", blocked";
  if (question.lockstep) words += ", one pass in lockstep";
  if (question.whole) words += ", start and end included";
  return words + ", " + in_words(question.space, question.cache_operator);
}

std::uint64_t least_footprint(const machine::MachineSpec& spec, const study::BandwidthQuestion& question) {
  const std::uint64_t stride = std::max(question.lane_stride, question.bytes_per_lane);
  const std::uint64_t access = lanes_of(question, spec) * stride;
  return arrays_of(question) * access * (shares_out(question) ? cores_of(question, spec) : 1);
}

FootprintRange telling_footprints(const machine::MachineSpec& spec, const study::BandwidthQuestion& question) {
  if (trace::within_cores(question.space)) {
    const Bytes all = spec.core.shared_memory.size;
    return {all, all};
  }
  // Some warps a core, so that it has something to hide latency with.
  const std::uint64_t from = std::bit_ceil(8 * least_footprint(spec, question));
  std::uint64_t largest = 0;
  for (const report::CapacityMarker& capacity : capacities(spec, question))
    largest = std::max(largest, static_cast<std::uint64_t>(capacity.x));
  const std::uint64_t to = std::max(from, std::bit_ceil(2 * largest + 1));
  const std::uint64_t room = spec.memory.size.value;
  return {Bytes{std::min(from, room)}, Bytes{std::min(to, room)}};
}

std::vector<report::CapacityMarker> capacities(const machine::MachineSpec& spec,
                                               const study::BandwidthQuestion& question) {
  std::vector<report::CapacityMarker> markers;
  const auto mark = [&](std::uint64_t bytes, const std::string& level) {
    markers.push_back({static_cast<double>(bytes), level});
  };
  const bool split = shares_out(question);
  if (trace::within_cores(question.space)) return markers;
  if (question.space == trace::Space::global && question.cache_operator == memory::CacheOperator::ca) {
    const std::uint64_t cores = split ? cores_of(question, spec) : 1;
    mark(spec.l1.chosen().size.value * cores, cores == 1 ? spec.l1.cache.name : "all " + spec.l1.cache.name);
  }
  for (const machine::Capacity& capacity : machine::capacities(spec)) {
    if (capacity.level == spec.l1.cache.name) continue;
    const bool of_one_die = capacity.level == spec.l2.cache.name && !spec.l2.partitioned;
    const std::uint64_t dies = split && of_one_die ? dies_of(question, spec) : 1;
    mark(capacity.bytes * dies, capacity.level);
  }
  return markers;
}

std::vector<std::uint64_t> sizes(const std::string& option, const std::string& text) {
  std::vector<std::uint64_t> all;
  for (const std::string& item : items(option, text)) {
    const config::Reading<Bytes> bytes = config::read_number<Bytes>(item);
    if (!bytes.error.empty() || bytes.value.value == 0)
      refuse_option(option, fmt::format("'{}' is not a size; write it as 64KiB, 4 MiB or 1GiB", item));
    all.push_back(bytes.value.value);
  }
  return all;
}

std::vector<double> rates(const std::string& option, const std::string& text) {
  std::vector<double> all;
  for (const std::string& item : items(option, text)) {
    if (item == "max" || item == "0") {
      all.push_back(item == "max" ? std::numeric_limits<double>::infinity() : 0);
      continue;
    }
    const config::Reading<BytesPerSecond> rate = config::read_number<BytesPerSecond>(item);
    if (!rate.error.empty())
      refuse_option(option, fmt::format("'{}' is not a rate; write it as 0, 500GB/s, 1.2TB/s or max", item));
    all.push_back(rate.value.value);
  }
  return all;
}

}  // namespace strata::cli
