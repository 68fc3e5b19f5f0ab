// SPDX-License-Identifier: Apache-2.0
#include "machines.hpp"

#include <type_traits>
#include <variant>

#include "config/override.hpp"
#include "config/schema/schema.hpp"

namespace strata::mutation {

Configurations::Configurations(const tools::Library& library) {
  for (const std::string& gpu : library.gpus())
    trees_.emplace(gpu, config::load_tree(library.gpu(gpu), library.configurations(), machine::MachineSpec::expand));
}

study::Configured Configurations::with(const std::string& gpu, const std::vector<std::string>& settings) const {
  static const config::Schema<machine::MachineSpec> schema = machine::MachineSpec::schema();
  config::Value tree = trees_.at(gpu);
  std::vector<Diagnostic> diagnostics;
  for (const std::string& setting : settings) config::apply_override(tree, *schema.info(), setting, diagnostics);
  study::Configured out{config::bind_spec<machine::MachineSpec>(tree, schema, diagnostics), {}};
  throw_if_any(std::move(diagnostics));
  out.effective = schema.effective(out.spec, &tree);
  return out;
}

study::Answer measure(const machine::MachineSpec& spec, const study::Reading& any) {
  return std::visit(
      [&spec](const auto& reading) -> study::Answer {
        using Kind = std::decay_t<decltype(reading)>;
        if constexpr (std::is_same_v<Kind, study::LatencyReading>)
          return study::measure_latency(spec, reading.question, reading.footprint_bytes);
        else if constexpr (std::is_same_v<Kind, study::KernelReading>)
          return study::measure_kernel(spec, reading.question);
        else if constexpr (std::is_same_v<Kind, study::HandoffReading>)
          return study::measure_handoffs(spec, reading.question);
        else
          return study::measure_bandwidth(spec, reading.question, reading.footprint_bytes);
      },
      any);
}

}  // namespace strata::mutation
