// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/invalid_request.hpp"
#include "json.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/levels.hpp"
#include "settings.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/journey/journey.hpp"
#include "study/latency/latency.hpp"
#include "walk.hpp"

namespace strata::playground {

namespace {

struct Line {
  std::string_view name;
  std::string_view value;
};

struct Request {
  std::string_view verb;
  std::vector<Line> lines;

  explicit Request(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (verb.empty()) {
        verb = line;
        continue;
      }
      const std::size_t space = std::min(line.find(' '), line.size());
      lines.push_back({line.substr(0, space), line.substr(std::min(space + 1, line.size()))});
    }
  }
  std::uint64_t number(std::string_view name, std::uint64_t otherwise) const {
    for (const Line& line : lines) {
      if (line.name != name) continue;
      std::uint64_t value = 0;
      const char* const last = line.value.data() + line.value.size();
      const auto [end, error] = std::from_chars(line.value.data(), last, value);
      if (error != std::errc{} || end != last)
        throw InvalidRequest(fmt::format("'{}' of {} is not a whole number", line.value, name));
      return value;
    }
    return otherwise;
  }
};

std::string hexadecimal(std::uint64_t fingerprint) { return fmt::format("0x{:016x}", fingerprint); }

// The machine that was configured last.
std::optional<config::Loaded<machine::MachineSpec>> machine_now;

const machine::MachineSpec& spec() {
  if (!machine_now) throw InvalidRequest("no machine is configured");
  return machine_now->spec;
}

void add_settings(const config::Effective& node, const std::string& path, Json& json) {
  if (node.absent || node.shape == config::Shape::scalar) {
    json.pair(path, node.absent ? std::string_view("none") : std::string_view(node.text));
    return;
  }
  std::size_t index = 0;
  for (const config::Effective& child : node.children) {
    const std::string step = child.key.empty() ? fmt::format("[{}]", index) : (path.empty() ? "" : ".") + child.key;
    add_settings(child, path + step, json);
    ++index;
  }
}

std::string configure(const Request& request) {
  config::Value tree;
  std::vector<std::string> sets;
  for (const Line& line : request.lines) {
    if (line.name == "row")
      add_row(tree, line.value);
    else if (line.name == "set")
      sets.emplace_back(line.value);
  }
  machine_now.reset();
  auto loaded = bound(std::move(tree), sets);
  machine::consistent(loaded.spec);
  machine_now = std::move(loaded);

  Json json;
  json.begin('{').key("capacities").begin('[');
  for (const machine::Capacity& capacity : machine::capacities(spec()))
    json.begin('{').pair("level", capacity.level).pair("bytes", capacity.bytes).end('}');
  json.end(']').pair("core_hertz", static_cast<double>(spec().clocks.core.value));
  json.pair("memory_bytes", spec().memory.size.value);
  json.key("settings").begin('{');
  add_settings(machine_now->effective(), "", json);
  json.end('}').end('}');
  return json.text();
}

study::LatencyQuestion chase(const Request& request) {
  study::LatencyQuestion question;
  question.stride = Bytes{request.number("stride", 128)};
  question.threads = request.number("threads", 1);
  question.segmented = request.number("segmented", 0) != 0;
  question.timed_loads = request.number("loads", question.timed_loads);
  if (request.number("ascending", 0) != 0) question.order = trace::ChaseOrder::ascending;
  return question;
}

std::string latency(const Request& request) {
  const study::LatencyPoint point = study::measure_latency(spec(), chase(request), request.number("footprint", 0));
  Json json;
  json.begin('{').pair("footprint_bytes", point.footprint_bytes).pair("ns", point.latency_ns);
  json.pair("cycles", point.latency_cycles).pair("loads", point.loads).key("served_by").begin('[');
  for (const study::LevelShare& level : point.served_by)
    json.begin('{').pair("level", level.level).pair("share", level.share).end('}');
  json.end(']').pair("fingerprint", hexadecimal(point.fingerprint)).end('}');
  return json.text();
}

// The load that would follow a walk of the whole ring, or a later one.
std::string journey(const Request& request) {
  study::JourneyQuestion question;
  question.load = chase(request);
  question.after_footprint = request.number("footprint", 0);
  const std::uint64_t step = request.number("step", 0);
  if (question.load.stride.value == 0) throw InvalidRequest("a stride of 0 bytes is not allowed: it must be 1 or more");
  if (question.after_footprint >= question.load.stride.value) {
    const trace::ChasePath path(study::chase_ring(question.load, 0, question.after_footprint));
    question.address = path.address(step);
  }
  const study::JourneyAnswer answer = study::follow(spec(), question);
  Json json;
  json.begin('{').pair("address", question.address).pair("served_by", answer.served_by);
  json.pair("cycles", answer.total_cycles).pair("ns", answer.total_ns).key("stages").begin('[');
  for (const study::JourneyStage& stage : answer.stages)
    json.begin('{')
        .pair("stage", stage.stage)
        .pair("cycles", stage.cycles)
        .pair("ns", stage.ns)
        .pair("note", stage.note)
        .end('}');
  json.end(']').key("whereabouts").begin('[');
  for (const std::string& line : answer.whereabouts) json.value(line);
  json.end(']').pair("fingerprint", hexadecimal(answer.fingerprint)).end('}');
  return json.text();
}

std::string bandwidth(const Request& request) {
  study::BandwidthQuestion question;
  question.timed_bytes = request.number("bytes", 0);
  const study::BandwidthPoint point = study::measure_bandwidth(spec(), question, request.number("footprint", 0));
  Json json;
  json.begin('{').pair("footprint_bytes", point.footprint_bytes).pair("bytes_per_second", point.bytes_per_second);
  json.key("levels").begin('[');
  for (const stats::LevelUse& level : point.levels)
    json.begin('{')
        .pair("level", level.name)
        .pair("bytes_per_second", level.bytes_per_second)
        .pair("busy", level.busy_fraction)
        .pair("hit_rate", level.hit_rate())
        .end('}');
  json.end(']').key("resources").begin('[');
  for (const stats::ResourceUse& use : point.resources)
    json.begin('{').pair("family", use.family).pair("busy", use.busy_fraction).end('}');
  json.end(']').pair("fingerprint", hexadecimal(point.fingerprint)).end('}');
  return json.text();
}

void add_error(Json& json, const std::string& message, const std::string& hint,
               const std::vector<std::string>& settings) {
  json.begin('{').pair("message", message).pair("hint", hint).key("settings").begin('[');
  for (const std::string& setting : settings) json.value(setting);
  json.end(']').end('}');
}

}  // namespace

std::string answer(std::string_view text) {
  Json json;
  json.begin('{').key("errors").begin('[');
  try {
    const Request request(text);
    if (request.verb == "configure") return configure(request);
    if (request.verb == "latency") return latency(request);
    if (request.verb == "journey") return journey(request);
    if (request.verb == "bandwidth") return bandwidth(request);
    if (request.verb == "walk")
      return json_of(
          study::walk_step(spec(), chase(request), request.number("footprint", 0), request.number("step", 0)));
    add_error(json, fmt::format("'{}' is no question", request.verb), "", {});
  } catch (const InputError& error) {
    for (const Diagnostic& fault : error.diagnostics()) add_error(json, fault.message, fault.hint, {});
  } catch (const InvalidRequest& error) {
    for (const RequestFault& fault : error.faults()) add_error(json, fault.message, fault.remedy, fault.settings);
  } catch (const std::exception& error) {
    add_error(json, error.what(), "", {});
  }
  json.end(']').end('}');
  return json.text();
}

}  // namespace strata::playground
