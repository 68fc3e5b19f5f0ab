// SPDX-License-Identifier: Apache-2.0
#include "fabric/address_map.hpp"
#include "fabric/crossbar_spec.hpp"
#include "fabric/die_network_spec.hpp"

#include <fmt/format.h>

namespace strata::fabric {

using config::range;
using config::Schema;
using config::zero_or;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

namespace {

// Of a wire. The longest message takes 10^6 clocks at the least of them, which the time of a run can hold.
constexpr auto widths = zero_or(range(BytesPerClock{0.001}, BytesPerClock{65536}));

}  // namespace

Schema<CoalescerSpec> CoalescerSpec::schema() {
  return Schema<CoalescerSpec>("request coalescer",
                               "reads of the same sectors as a pending read of another core wait for that read")
      .optional("scope", &CoalescerSpec::scope, "the cores that share one",
                config::choices<CoalescerScope>({{"cluster", CoalescerScope::cluster, "those of a cluster"},
                                                 {"group", CoalescerScope::group, "those of a group"}}))
      .optional("entries", &CoalescerSpec::entries, "pending reads that others may join", range(1, 1 << 20))
      .optional("merges", &CoalescerSpec::merges, "reads that may join one", range(1, 1 << 20));
}

Schema<StopNetworkSpec> StopNetworkSpec::schema() {
  return Schema<StopNetworkSpec>("stops", "a ring or a mesh of stops, each with as many cores and slices")
      .optional("shape", &StopNetworkSpec::shape, "how stops are joined",
                config::choices<StopShape>(
                    {{"ring", StopShape::ring, "a loop of `columns` stops; messages take the shorter direction"},
                     {"mesh", StopShape::mesh, "`columns` by `rows` stops; along the row first"}}))
      .optional("columns", &StopNetworkSpec::columns, "of a mesh; of a ring, its stops", range(1, 256))
      .optional("rows", &StopNetworkSpec::rows, "of a mesh", range(1, 256))
      .optional("hop_latency", &StopNetworkSpec::hop_latency, "from one stop to the next", range(0_clk, 1000_clk))
      .optional("link_width", &StopNetworkSpec::link_width,
                "of a link, each way, for requests and responses separately; 0: no limit", widths)
      .check("rows", [](const StopNetworkSpec& spec) -> std::string {
        const std::uint32_t stops = spec.columns * spec.rows;
        return stops <= 1024 ? ""
                             : fmt::format("times `columns` = {} are {} stops, more than 1024", spec.columns, stops);
      });
}

Schema<CrossbarSpec> CrossbarSpec::schema() {
  return Schema<CrossbarSpec>("crossbar", "the network between cores and cache slices")
      .required("request_latency", &CrossbarSpec::request_latency, "latency of a request, mean over the slices",
                range(0_clk, 10000_clk))
      .required("response_latency", &CrossbarSpec::response_latency, "latency of a response, mean over the slices",
                range(0_clk, 10000_clk))
      .optional("span", &CrossbarSpec::span,
                "difference in latency between the farthest and the nearest slice, each way", range(0_clk, 10000_clk))
      .optional("source_request_width", &CrossbarSpec::source_request_width,
                "out of a core, per core clock; 0: no limit", widths)
      .optional("source_write_width", &CrossbarSpec::source_write_width,
                "out of a core for the data of stores only, per core clock; 0: they share the request's", widths)
      .optional("source_response_width", &CrossbarSpec::source_response_width,
                "into a core, per core clock; 0: no limit", widths)
      .optional("cluster_write_width", &CrossbarSpec::cluster_write_width,
                "out of a cluster of cores for the data of stores, per core clock; 0: no limit", widths)
      .optional("group_request_width", &CrossbarSpec::group_request_width,
                "out of a group of cores, per core clock; 0: no limit", widths)
      .optional("group_write_width", &CrossbarSpec::group_write_width,
                "out of a group for the data of stores only, per core clock; 0: they share the request's", widths)
      .optional("group_response_width", &CrossbarSpec::group_response_width,
                "into a group of cores, per core clock; 0: no limit", widths)
      .optional("destination_request_width", &CrossbarSpec::destination_request_width, "into a slice; 0: no limit",
                widths)
      .optional("destination_response_width", &CrossbarSpec::destination_response_width, "out of a slice; 0: no limit",
                widths)
      .optional("depth", &CrossbarSpec::depth,
                "requests in flight to a slice and in its buffer; 0: enough for one per clock", range(0, 65536))
      .optional("stand_aside", &CrossbarSpec::stand_aside,
                "requests of a core that wait for full slices before its port stalls", range(0, 65536))
      .optional(
          "arbitration", &CrossbarSpec::arbitration,
          "what a full slice takes next of what waits and is no load; loads come in order of arrival",
          config::choices<Arbitration>({{"first_come", Arbitration::first_come, "in the order in which they came"},
                                        {"core", Arbitration::core, "those of each core in turn"},
                                        {"cluster", Arbitration::cluster,
                                         "those of each cluster of cores in turn; without clusters, of each core"},
                                        {"group", Arbitration::group, "those of each group of cores in turn"}}))
      .optional("grants", &CrossbarSpec::grants, "requests of a core, cluster or group in a round of arbitration",
                range(1, 64))
      .optional("request_header", &CrossbarSpec::request_header, "header of a request, in addition to its data",
                range(0_B, 256_B))
      .optional("request_packet", &CrossbarSpec::request_packet,
                "requests enter a slice in whole packets of this size that have their header beside them: one without "
                "data is one packet; 0: by bytes of header and data",
                config::zero_or(range(32_B, 256_B)))
      .optional("response_header", &CrossbarSpec::response_header, "header of a response, in addition to its data",
                range(0_B, 256_B))
      .optional("coalescer", &CrossbarSpec::coalescer,
                "between cores and slices; none: every read is sent to the slices")
      .optional("stops", &CrossbarSpec::stops,
                "a ring or a mesh between cores and slices, whose hops are added to the latencies; none: direct wires")
      .check("span", [](const CrossbarSpec& spec) -> std::string {
        const bool fits =
            spec.span.value <= spec.request_latency.value && spec.span.value <= spec.response_latency.value;
        return fits ? ""
                    : fmt::format(
                          "is {}, longer than a mean latency: 'request_latency' is {}, 'response_latency' {}; they "
                          "must be as long at least",
                          config::show_number(spec.span), config::show_number(spec.request_latency),
                          config::show_number(spec.response_latency));
      });
}

Schema<LinkSpec> LinkSpec::schema() {
  return Schema<LinkSpec>("link", "a link between two dies, the same in both directions")
      .optional("name", &LinkSpec::name, "name in reports")
      .required("from", &LinkSpec::from, "a die", range(0, 63))
      .required("to", &LinkSpec::to, "another die", range(0, 63))
      .optional(
          "bandwidth", &LinkSpec::bandwidth,
          "each way; messages wait for those before them, and one alone takes only the latency. 0: given by width",
          zero_or(range(BytesPerSecond{1e6}, BytesPerSecond{1e15})))
      .optional("width", &LinkSpec::width, "each way, if bandwidth is 0; 0: no limit", widths)
      .required("latency", &LinkSpec::latency, "latency of a message, each way", range(0_ns, 100000_ns))
      .optional("depth", &LinkSpec::depth,
                "requests in flight and in the buffer at the far end, each way; 0: enough for its "
                "width",
                range(0, 65536))
      .check("to", [](const LinkSpec& spec) -> std::string {
        return spec.from != spec.to ? "" : "is the die that the link starts from";
      });
}

Schema<DieNetworkSpec> DieNetworkSpec::schema() {
  return Schema<DieNetworkSpec>("die network", "the links between dies")
      .optional("links", &DieNetworkSpec::links,
                "each link once; of routes of equal length the one listed first is used")
      .optional("routing", &DieNetworkSpec::routing, "which of several shortest routes is used",
                config::choices<RouteRule>(
                    {{"first_listed", RouteRule::first_listed,
                      "always that of the links listed first; in a mesh, one dimension, then the other"},
                     {"balanced", RouteRule::balanced,
                      "of the two orders of dimensions the one whose links the sender has used less"}}))
      .optional("request_header", &DieNetworkSpec::request_header, "header of a request, in addition to its data",
                range(0_B, 256_B))
      .optional("response_header", &DieNetworkSpec::response_header, "header of a response, in addition to its data",
                range(0_B, 256_B))
      .optional("requests_apart", &DieNetworkSpec::requests_apart,
                "requests without data use separate wires without a limit");
}

Schema<HomeBitSpec> HomeBitSpec::schema() {
  return Schema<HomeBitSpec>("home bit", "a bit of the home die's number: a parity of address bits")
      .required("address_bits", &HomeBitSpec::address_bits, "the bits of the byte address", range(7, 47),
                config::entries(1, 41));
}

Schema<AddressMapSpec> AddressMapSpec::schema() {
  std::vector<std::string> names;
  for (const IndexPolicy& policy : index_policies) names.emplace_back(policy.name);
  return Schema<AddressMapSpec>("address map", "how addresses are spread over dies and slices")
      .optional("home_bits", &AddressMapSpec::home_bits, "bits of the home die's number, lowest first; none: one die",
                config::entries(0, 6))
      .required("slices", &AddressMapSpec::slices, "slices of one die", range(1, 4096))
      .required("sets", &AddressMapSpec::sets, "sets of one slice", range(1, 1048576))
      .optional("channels", &AddressMapSpec::channels, "DRAM channels of one die", range(1, 4096))
      .optional("page", &AddressMapSpec::page, "lines are spread evenly within pages of this size", range(128_B, 8_MiB),
                config::power_of_two())
      .optional("unit_bits", &AddressMapSpec::unit_bits, "address bits within the page that do not select a slice",
                range(7, 22), config::entries(0, 8))
      .optional("index", &AddressMapSpec::index, "mapping of lines to slices and sets",
                config::one_of(std::move(names)))
      .optional("row_stride", &AddressMapSpec::row_stride, "folded: which units of a slice are pairs in DRAM",
                range<std::uint64_t>(1, 1024), config::power_of_two())
      .optional("seed", &AddressMapSpec::seed, "of the hash")
      .check("channels", [](const AddressMapSpec& spec) -> std::string {
        return spec.slices % spec.channels != 0 ? "does not divide the slices of a die evenly" : "";
      });
}

}  // namespace strata::fabric
