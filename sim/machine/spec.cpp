// SPDX-License-Identifier: Apache-2.0
#include "machine/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compute/placement.hpp"
#include "machine/levels.hpp"
#include "machine/names_of.hpp"
#include "translation/page_table.hpp"

namespace strata::machine {

using config::choices;
using config::entries;
using config::one_of;
using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<ClocksSpec> ClocksSpec::schema() {
  return Schema<ClocksSpec>("clocks", "the clock domains; the memory clock follows from the data rate")
      .required("core", &ClocksSpec::core, "cores and first-level caches", range(1_MHz, 10_GHz))
      .required("l2", &ClocksSpec::l2, "crossbar and L2 slices", range(1_MHz, 10_GHz))
      .required("fabric", &ClocksSpec::fabric, "die-to-die links and the memory-side cache", range(1_MHz, 10_GHz));
}

Schema<DiesSpec> DiesSpec::schema() {
  return Schema<DiesSpec>("dies", "how many dies, and how cores are grouped on them")
      .optional("compute", &DiesSpec::compute, "dies (or L2 sides) with cores and an L2", range(1, 64))
      .optional("memory", &DiesSpec::memory, "dies with memory channels; a power of two", range(1, 64),
                config::power_of_two())
      .required("cores_per_die", &DiesSpec::cores_per_die, "cores of one compute die", range(1, 4096))
      .optional("cores_per_group", &DiesSpec::cores_per_group, "cores of one GPC, shader engine or slice",
                range(1, 4096))
      .optional("group_sizes", &DiesSpec::group_sizes,
                "cores of each group of a die, if groups differ; their sum is cores_per_die", entries(0, 256))
      .optional("cores_per_cluster", &DiesSpec::cores_per_cluster,
                "cores of one cluster within a group that share a write path, or turns at full slices; 0: no clusters",
                range(0, 4096))
      .optional("cluster_run", &DiesSpec::cluster_run,
                "consecutive cores that belong to one cluster before the next cluster of the group has as many, "
                "round-robin; 0: a whole cluster",
                range(0, 4096))
      .optional("logical_gpus", &DiesSpec::logical_gpus,
                "logical GPUs that programs see, each of consecutive compute dies; 1: one of all dies (AMD: SPX); as "
                "many as dies: one for each die (CPX)",
                range(1, 64))
      .optional("memory_apart", &DiesSpec::memory_apart,
                "memory dies are separate nodes, numbered before the compute dies; if not set: true if the numbers of "
                "dies differ")
      .check("cores_per_die", [](const DiesSpec& dies) -> std::string {
        constexpr std::uint64_t most = 65536;
        return dies.compute * dies.cores_per_die <= most
                   ? ""
                   : fmt::format("times {} compute dies are more than {} cores", dies.compute, most);
      });
}

Schema<LaunchSpec> LaunchSpec::schema() {
  return Schema<LaunchSpec>("launch", "cost of a kernel launch, in addition to its work")
      .optional("before", &LaunchSpec::before, "from the launch until the first block is dispatched",
                range(0_ns, 1e9_ns))
      .optional("before_next", &LaunchSpec::before_next,
                "the same for a launch that follows another; if not set: before", range(0_ns, 1e9_ns))
      .optional("after", &LaunchSpec::after, "from the end of the last block to the end of the kernel",
                range(0_ns, 1e9_ns))
      .optional("dispatcher_per_die", &LaunchSpec::dispatcher_per_die,
                "each compute die has a dispatcher, which dispatches every n-th block to the cores of its die, "
                "n being the number of compute dies; otherwise one dispatches all")
      .optional("per_block", &LaunchSpec::per_block, "between blocks that a dispatcher dispatches", range(0_ns, 1e6_ns))
      .optional(
          "per_warp", &LaunchSpec::per_warp,
          "between the warps of a block; the dispatcher is busy for the longer of this for each warp and per_block",
          range(0_ns, 1e6_ns))
      .optional("block_start", &LaunchSpec::block_start, "from the dispatch of a block to its first instruction",
                range(0_clk, 100000_clk))
      .optional("cold_start", &LaunchSpec::cold_start,
                "from the start of a core's first block of a kernel until the first instructions and arguments of the "
                "kernel are in the caches of that core; no block of the core begins before",
                range(0_clk, 100000_clk))
      .optional("flushes_l2", &LaunchSpec::flushes_l2,
                "at the end of a kernel the L2s, and the levels behind them in their compute dies, write back dirty "
                "lines and are invalidated: for L2s that do not see each other's stores")
      .optional("apart", &LaunchSpec::apart,
                "number of cores, the first in placement order, that get blocks in separate turns while the machine "
                "fills; 0: all cores in the same turns",
                range(0, 16383))
      .optional("apart_turn", &LaunchSpec::apart_turn, "blocks that the other cores get between these turns",
                range(1, 1 << 20))
      .optional("spread", &LaunchSpec::spread,
                "cores that are a unit: of a grid that does not fill the machine, groups of cores get equal numbers of "
                "blocks, one core of each unit before the others; 0: the first cores in placement order get them",
                range(0, 64))
      .check("apart", [](const LaunchSpec& launch) -> std::string {
        return launch.apart == 0 || !launch.dispatcher_per_die
                   ? ""
                   : "needs one dispatcher for the cores of all dies: set launch.dispatcher_per_die = false, or 0 here";
      });
}

Schema<PagesSpec> PagesSpec::schema() {
  return Schema<PagesSpec>("pages", "virtual memory as the driver allocates it")
      .optional("page", &PagesSpec::page, "allocation unit of the driver", range(4_KiB, 1_GiB), config::power_of_two())
      .optional("placement", &PagesSpec::placement, "placement of pages in physical memory",
                one_of(names_of(translation::placements)))
      .optional("run", &PagesSpec::run, "pages that stay together when scattered", range(1, 1 << 30))
      .optional("seed", &PagesSpec::seed, "of the random order");
}

Schema<EventOrderSpec> EventOrderSpec::schema() {
  return Schema<EventOrderSpec>("event order", "the order of events of one instant")
      .optional("seed", &EventOrderSpec::seed, "of a random order; 0: the order in which they were caused");
}

Schema<MemorySpec> MemorySpec::schema() {
  return Schema<MemorySpec>("memory", "the DRAM of the machine")
      .required("size", &MemorySpec::size, "of the whole machine", range(1_MiB, 65536_GiB))
      .optional(
          "interleave", &MemorySpec::interleave, "how addresses are spread over memory dies",
          choices<Interleave>({{"all_dies", Interleave::all_dies, "one pool (NPS1)"},
                               {"per_die", Interleave::per_die, "one part of the address space for each die (NPS4)"}}))
      .required("channels_per_die", &MemorySpec::channels_per_die, "channels of one memory die", range(1, 4096))
      .optional("latency", &MemorySpec::latency, "from the last cache to a channel's queue", range(0_ns, 100'000_ns))
      .optional("bandwidth", &MemorySpec::bandwidth,
                "all channels together at their peak: determines channel.timing.data_rate and removes published_peak; "
                "if not set, computed from them",
                range(BytesPerSecond{1e6}, BytesPerSecond{1e15}))
      .optional("published_peak", &MemorySpec::published_peak,
                "bandwidth of the data sheet; that of the channels must agree within 1 %")
      .required("channel", &MemorySpec::channel, "one channel");
}

Schema<HostSpec> HostSpec::schema() {
  return Schema<HostSpec>("host", "the link to the host and the memory behind it")
      .optional("name", &HostSpec::name, "name of the link in reports")
      .optional("size", &HostSpec::size, "of the host's memory", range(1_MiB, 65536_GiB))
      .required("bandwidth", &HostSpec::bandwidth, "each way, headers of packets included",
                range(BytesPerSecond{1e6}, BytesPerSecond{1e15}))
      .required("latency", &HostSpec::latency, "latency of a packet, each way", range(0_ns, 100'000_ns))
      .required("memory_latency", &HostSpec::memory_latency, "of the host's memory", range(0_ns, 100'000_ns))
      .optional("request_header", &HostSpec::request_header, "header of a request, in addition to its data",
                range(0_B, 256_B))
      .optional("response_header", &HostSpec::response_header, "header of a response, in addition to its data",
                range(0_B, 256_B));
}

Schema<MachineSpec> MachineSpec::schema() {
  return Schema<MachineSpec>("machine", "a GPU")
      .required("name", &MachineSpec::name, "name in reports")
      .required("vendor", &MachineSpec::vendor, "the vendor")
      .required("clocks", &MachineSpec::clocks, "the clock domains")
      .required("dies", &MachineSpec::dies, "dies and cores")
      .optional("placement", &MachineSpec::placement, "the order in which blocks fill cores",
                one_of(names_of(compute::placement_policies())))
      .optional("launch", &MachineSpec::launch, "cost of a kernel launch, in addition to its work")
      .required("core", &MachineSpec::core, "an SM, CU or Xe core")
      .required("l1", &MachineSpec::l1, "the first-level data cache")
      .optional("scalar_cache", &MachineSpec::scalar_cache, "the scalar or constant cache of a core")
      .optional("second_scalar_cache", &MachineSpec::second_scalar_cache,
                "a cache of a core behind scalar_cache, which only its misses pass (NVIDIA: constants, L1.5)")
      .optional("texture_cache", &MachineSpec::texture_cache, "the texture cache of a core")
      .optional("instruction_cache", &MachineSpec::instruction_cache,
                "the instruction cache of a core, or of several; none: every instruction is available")
      .optional("pages", &MachineSpec::pages, "virtual memory")
      .optional("translation", &MachineSpec::translation, "TLBs and page walkers")
      .optional("translate_before_l1", &MachineSpec::translate_before_l1,
                "every access is translated; otherwise only misses of the L1")
      .required("crossbar", &MachineSpec::crossbar, "between the cores of a die and its L2 slices")
      .required("l2", &MachineSpec::l2, "the L2")
      .optional("network", &MachineSpec::network, "the links between dies")
      .optional("levels", &MachineSpec::levels, "further levels of caches, from the cores to memory", entries(0, 8))
      .optional("memory_side_cache", &MachineSpec::memory_side_cache, "a cache at the memory channels")
      .required("memory", &MachineSpec::memory, "the DRAM")
      .optional("host", &MachineSpec::host, "the link to the host's memory")
      .optional("event_order", &MachineSpec::event_order, "how ties between events are broken");
}

}  // namespace strata::machine
