// SPDX-License-Identifier: Apache-2.0
#include "compute/execution_spec.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "trace/instruction.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<PipeSpec> PipeSpec::schema() {
  return Schema<PipeSpec>("pipe", "a pipe of the core for classes of arithmetic")
      .required("name", &PipeSpec::name, "the vendor's name")
      .required("classes", &PipeSpec::classes,
                "classes of instructions that use it, separated by blanks: fp32, integer, ...")
      .required("lanes_per_clock", &PipeSpec::lanes_per_clock,
                "lanes per clock of the whole core; schedulers have equal shares", range(1, 4096))
      .optional("latency", &PipeSpec::latency, "from issue until a dependent instruction may be issued",
                range(1_clk, 1000_clk))
      .check("classes", [](const PipeSpec& pipe) -> std::string {
        std::istringstream words(pipe.classes);
        for (std::string word; words >> word;)
          if (!trace::op_class_of(word)) return fmt::format("names '{}', which is not a class of instructions", word);
        return "";
      });
}

namespace {

// A class of instructions or a space of accesses.
bool issued_by_name(const std::string& word) {
  // Loads of other cores' shared memory use the same port as those of their own.
  const auto space = trace::space_of(word);
  return (space && space != trace::Space::cluster && space != trace::Space::tensor) ||
         (trace::op_class_of(word) && trace::op_class_of(word) != trace::OpClass::access);
}

std::string named_once(const std::vector<IssuePortSpec>& ports) {
  std::set<std::string> seen;
  for (const IssuePortSpec& port : ports) {
    std::istringstream words(port.classes);
    for (std::string word; words >> word;)
      if (!seen.insert(word).second)
        return fmt::format("name '{}' twice: an instruction takes one port, name each class once", word);
  }
  return "";
}

}  // namespace

Schema<IssuePortSpec> IssuePortSpec::schema() {
  return Schema<IssuePortSpec>("issue port", "a port by which a scheduler issues classes of instructions")
      .required("name", &IssuePortSpec::name, "the vendor's name")
      .required("classes", &IssuePortSpec::classes,
                "classes of instructions that use it, separated by blanks: fp32, integer, ...; and "
                "spaces of accesses: global, shared, scalar, texture")
      .optional("width", &IssuePortSpec::width, "instructions per interval, each from a different warp", range(1, 8))
      .check("classes", [](const IssuePortSpec& port) -> std::string {
        std::istringstream words(port.classes);
        for (std::string word; words >> word;)
          if (!issued_by_name(word))
            return fmt::format("names '{}', which is neither a class of instructions nor a space of accesses", word);
        return "";
      });
}

Schema<ExecutionSpec> ExecutionSpec::schema() {
  return Schema<ExecutionSpec>("execution", "timing of instructions other than accesses")
      .optional("pipes", &ExecutionSpec::pipes, "pipes for classes of arithmetic", config::entries(0, 32))
      .optional("issue_ports", &ExecutionSpec::issue_ports,
                "ports of a scheduler, which issue in parallel from different warps; instructions that no port names "
                "use one additional port; none: one port for all",
                config::entries(0, 15))
      .check("issue_ports", [](const ExecutionSpec& e) { return named_once(e.issue_ports); })
      .optional("latency", &ExecutionSpec::latency, "of classes without a pipe", range(1_clk, 1000_clk))
      .optional("barrier", &ExecutionSpec::barrier, "from the last arrival at a barrier until its warps may continue",
                range(0_clk, 10000_clk))
      .optional("barrier_arrival", &ExecutionSpec::barrier_arrival,
                "interval between the arrivals of warps of a core at barriers", range(0_clk, 1000_clk));
}

Schema<ResidencySpec> ResidencySpec::schema() {
  return Schema<ResidencySpec>("residency", "bounds on the resident blocks of a core")
      .optional("blocks", &ResidencySpec::blocks, "maximum number of blocks", range(1, 256))
      .optional("registers", &ResidencySpec::registers, "registers of 32 bits, for all lanes of all warps",
                range(256, 1 << 24))
      .optional("register_unit", &ResidencySpec::register_unit, "allocation unit of the registers of a warp",
                range(1, 65536))
      .optional("shared_unit", &ResidencySpec::shared_unit, "allocation unit of the shared memory of a block",
                range(1_B, 64_KiB))
      .optional("shared_reserved", &ResidencySpec::shared_reserved,
                "shared memory reserved for each block in addition to its own", range(0_B, 64_KiB));
}

}  // namespace strata::compute
