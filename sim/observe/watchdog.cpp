// SPDX-License-Identifier: Apache-2.0
#include "observe/watchdog.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace strata::observe {

namespace {

using Ports = std::span<const engine::Port* const>;

constexpr std::size_t nowhere = ~std::size_t{0};

template <class Visit>
void for_each_waiting(const engine::Port& port, Visit visit) {
  if (port.waiting().empty()) return;
  for (const engine::Message* message = &port.waiting().front(); message != nullptr; message = message->next) {
    visit(*message);
  }
}

std::size_t index_of(Ports ports, const engine::Port* port) {
  const auto found = std::find(ports.begin(), ports.end(), port);
  return found == ports.end() ? nowhere : static_cast<std::size_t>(found - ports.begin());
}

// waits[p]: the ports at which messages in the buffer of p wait.
std::vector<std::vector<std::size_t>> waits_between(Ports ports) {
  std::vector<std::vector<std::size_t>> waits(ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p) {
    for_each_waiting(*ports[p], [&](const engine::Message& message) {
      const std::size_t holder = index_of(ports, message.holds);
      if (holder == nowhere) return;
      std::vector<std::size_t>& list = waits[holder];
      if (std::find(list.begin(), list.end(), p) == list.end()) list.push_back(p);
    });
  }
  return waits;
}

// Depth first; path holds the ports of the current search path.
bool closes_circle(const std::vector<std::vector<std::size_t>>& waits, std::size_t at, std::vector<std::size_t>& path,
                   std::vector<bool>& done) {
  const auto again = std::find(path.begin(), path.end(), at);
  if (again != path.end()) {
    path.erase(path.begin(), again);
    path.push_back(at);
    return true;
  }
  if (done[at]) return false;
  path.push_back(at);
  for (const std::size_t next : waits[at]) {
    if (closes_circle(waits, next, path, done)) return true;
  }
  path.pop_back();
  done[at] = true;
  return false;
}

std::string describe_port(const engine::Port& port) {
  std::vector<std::pair<std::string, std::uint64_t>> holders;
  for_each_waiting(port, [&](const engine::Message& message) {
    std::string name = message.holds == nullptr ? "a place outside" : "'" + message.holds->name() + "'";
    const auto known =
        std::find_if(holders.begin(), holders.end(), [&](const auto& holder) { return holder.first == name; });
    if (known == holders.end())
      holders.emplace_back(std::move(name), 1);
    else
      ++known->second;
  });
  std::string text = fmt::format("  '{}': {} of {} credits left, {} waiting", port.name(), port.credits(), port.depth(),
                                 port.waiting().size());
  std::string_view lead = "; they occupy ";
  for (const auto& [name, count] : holders) {
    text += fmt::format("{}{} of {}", lead, count, name);
    lead = ", ";
  }
  return text + "\n";
}

}  // namespace

std::string describe_waits(Ports ports, std::uint64_t outstanding) {
  std::string text = fmt::format("no events are left, but transactions are outstanding: {}\n", outstanding);
  bool any = false;
  for (const engine::Port* port : ports) {
    if (port->waiting().empty() && port->credits() == port->depth()) continue;
    text += describe_port(*port);
    any = true;
  }
  if (!any) return text + "  no buffer is occupied: a block holds them and does not respond\n";

  const auto waits = waits_between(ports);
  std::vector<bool> done(ports.size(), false);
  for (std::size_t p = 0; p < ports.size(); ++p) {
    std::vector<std::size_t> path;
    if (!closes_circle(waits, p, path, done)) continue;
    text += "  the circle: ";
    for (std::size_t i = 0; i < path.size(); ++i) {
      text += fmt::format("{}'{}'", i == 0 ? "" : " waits for ", ports[path[i]]->name());
    }
    return text + "\n";
  }
  return text + "  no cycle: a block holds its buffer and does not respond\n";
}

void require_drained(Ports ports, std::uint64_t outstanding) {
  if (outstanding > 0) throw Deadlock(describe_waits(ports, outstanding));
}

}  // namespace strata::observe
