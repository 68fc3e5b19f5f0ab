// SPDX-License-Identifier: Apache-2.0
#include "machine/described/die_links.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "machine/described/sections.hpp"

namespace strata::machine {

using config::Value;

namespace {

constexpr std::string_view of_all = "die ";
constexpr std::string_view of_memory = "memory die ";
constexpr std::string_view of_compute = "compute die ";

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

DieLinks::DieLinks(const Value& tree)
    : apart_(memory_is_apart(tree)), memory_dies_(number(text_of(tree, "dies.memory")).value_or(1)) {}

std::optional<std::uint64_t> DieLinks::node(std::string_view name) const {
  const auto numbered = [name](std::string_view prefix, std::uint64_t first) -> std::optional<std::uint64_t> {
    if (!name.starts_with(prefix)) return std::nullopt;
    const std::optional<std::uint64_t> die = number(name.substr(prefix.size()));
    return die ? std::optional(*die + first) : std::nullopt;
  };
  if (!apart_) return numbered(of_all, 0);
  const std::optional<std::uint64_t> memory = numbered(of_memory, 0);
  return memory ? memory : numbered(of_compute, memory_dies_);
}

std::string DieLinks::name(std::uint64_t node) const {
  if (!apart_) return fmt::format("{}{}", of_all, node);
  return node < memory_dies_ ? fmt::format("{}{}", of_memory, node)
                             : fmt::format("{}{}", of_compute, node - memory_dies_);
}

bool DieLinks::take(const Value& from, const Value& to, Value& edge, std::vector<Diagnostic>& diagnostics) {
  const std::optional<std::uint64_t> first = node(from.text);
  const std::optional<std::uint64_t> second = node(to.text);
  if (!first && !second) return false;
  if (!first || !second) {
    const Value& other = first ? to : from;
    diagnostics.push_back(
        other.where.diagnostic(fmt::format("a link joins two dies, and '{}' is none", other.text),
                               apart_ ? "dies are 'memory die N' and 'compute die N'" : "dies are 'die N'"));
    return true;
  }
  Value link = empty_map(edge.where);
  place(link, "from") = scalar(fmt::format("{}", *first), from.where);
  place(link, "to") = scalar(fmt::format("{}", *second), to.where);
  for (config::Entry& entry : edge.entries) link.entries.push_back(std::move(entry));
  links_.push_back(std::move(link));
  return true;
}

void DieLinks::put(Value& tree, std::vector<Diagnostic>& diagnostics) const {
  if (links_.empty()) return;
  Value& links = place(tree, "network.links");
  if (links.shape == config::Shape::list && links.where.file_name() == links_.front().where.file_name())
    diagnostics.push_back(links_.front().where.diagnostic(
        fmt::format("the links between dies are set in the same file at {} already", links.where.text()),
        "remove one of them"));
  links = empty_map(links_.front().where);
  links.shape = config::Shape::list;
  links.items = links_;
}

}  // namespace strata::machine
