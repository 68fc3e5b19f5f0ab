// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <memory>
#include <string_view>

#include "base/invalid_request.hpp"
#include "json.hpp"
#include "machine/machine.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::playground {

namespace {

struct Load {
  Duration latency{};
  unsigned served_by = 0;
  static void on_completion(void* self, std::uint32_t, Duration latency, unsigned served_by) {
    *static_cast<Load*>(self) = {latency, served_by};
  }
};

class Walk {
 public:
  Walk(const machine::MachineSpec& spec, const study::LatencyQuestion& chase, std::uint64_t footprint)
      : spec_(spec), path_(study::chase_ring(chase, 0, footprint)), bytes_(chase.bytes_per_lane) {}

  const trace::ChasePath& path() const { return path_; }

  /// A machine after so many loads of the walk.
  std::unique_ptr<machine::Machine> after(std::uint64_t loads) const {
    auto machine = std::make_unique<machine::Machine>(spec_);
    for (std::uint64_t i = 0; i < loads; ++i)
      machine->touch(0, path_.address(i), bytes_, trace::Space::global, memory::CacheOperator::ca);
    return machine;
  }

  Load load(machine::Machine& machine, std::uint64_t address, memory::Journey* journey = nullptr) const {
    trace::Instruction pattern;
    pattern.lanes = 1;
    pattern.bytes_per_lane = static_cast<std::uint8_t>(bytes_);
    trace::PointerChase stream({address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
    Load load;
    machine.start(0, stream, {&Load::on_completion, &load}, journey);
    machine.run();
    return load;
  }

  /// Of each line of the ring: who serves a load of it, and who would if the L1 were empty.
  void tell_contents(std::uint64_t loads, Json& json) const {
    json.begin('[');
    for (std::uint64_t node = 0; node < path_.nodes(); ++node) {
      const std::uint64_t address = path_.address(node);
      json.begin('{').pair("address", address);
      for (const char* const name : {"served_by", "past_l1"}) {
        const auto machine = after(loads);
        if (name == std::string_view("past_l1")) machine->forget_first_levels();
        const Load probe = load(*machine, address);
        json.pair(name, machine->levels(trace::Space::global)[probe.served_by]);
      }
      json.pair("l2_set", std::uint64_t{after(0)->whereabouts(0, address).set}).end('}');
    }
    json.end(']');
  }

 private:
  const machine::MachineSpec& spec_;
  trace::ChasePath path_;
  std::uint64_t bytes_;
};

}  // namespace

std::string walk_step(const machine::MachineSpec& spec, const study::LatencyQuestion& chase,
                      std::uint64_t footprint, std::uint64_t number) {
  if (chase.stride.value == 0 || footprint < chase.stride.value || footprint / chase.stride.value > most_walk_lines)
    throw InvalidRequest(fmt::format("a walk has 1 to {} nodes", most_walk_lines));
  if (number >= most_walk_loads) throw InvalidRequest(fmt::format("a walk has {} loads at most", most_walk_loads));
  const Walk walk(spec, chase, footprint);
  const std::uint64_t address = walk.path().address(number);
  const auto machine = walk.after(number);
  memory::Journey journey;
  const Load load = walk.load(*machine, address, &journey);

  Json json;
  json.begin('{').pair("address", address).pair("nodes", walk.path().nodes());
  json.pair("served_by", machine->levels(trace::Space::global)[load.served_by]);
  json.pair("cycles", machine->core_clock().count(load.latency)).key("stages").begin('[');
  for (const memory::Milestone& milestone : journey.milestones())
    json.begin('{').pair("stage", machine->stages()[milestone.stage])
        .pair("cycles", machine->core_clock().count(milestone.until - milestone.from)).end('}');
  json.end(']').key("before");
  walk.tell_contents(number, json);
  json.key("after");
  walk.tell_contents(number + 1, json);
  json.end('}');
  return json.text();
}

}  // namespace strata::playground
