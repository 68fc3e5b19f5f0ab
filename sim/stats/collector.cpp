// SPDX-License-Identifier: Apache-2.0
#include "stats/collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace strata::stats {

namespace {

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Calls use with the parts of the name of the path's family, one after the other, while it returns true.
template <class Use>
bool each_part(std::string_view path, Use use) {
  while (!path.empty()) {
    std::size_t end = 0;
    while (end < path.size() && path[end] != ' ' && path[end] != '/') ++end;
    const std::string_view word = path.substr(0, end);
    if (!use(is_number(word) ? std::string_view("*") : word)) return false;
    if (end == path.size()) break;
    if (!use(path.substr(end, 1))) return false;
    path.remove_prefix(end + 1);
  }
  return true;
}

bool is_of_family(std::string_view path, std::string_view name) {
  return each_part(path,
                   [&name](std::string_view part) {
                     if (!name.starts_with(part)) return false;
                     name.remove_prefix(part.size());
                     return true;
                   }) &&
         name.empty();
}

}  // namespace

std::string family(std::string_view path) {
  std::string name;
  name.reserve(path.size());
  each_part(path, [&name](std::string_view part) {
    name += part;
    return true;
  });
  return name;
}

const Figure* Snapshot::find(std::string_view path) const {
  for (const Figure& figure : figures_)
    if (figure.path == path) return &figure;
  return nullptr;
}

std::uint64_t Snapshot::sum(std::string_view family_name) const {
  std::uint64_t total = 0;
  for (const Figure& figure : figures_)
    if (is_of_family(figure.path, family_name)) total += figure.value;
  return total;
}

std::vector<Figure> families(const Snapshot& snapshot) {
  std::vector<Figure> all;
  std::unordered_map<std::string, std::size_t> places;
  for (const Figure& figure : snapshot.figures()) {
    const auto [found, is_new] = places.emplace(family(figure.path), all.size());
    if (is_new) {
      all.push_back(figure);
      all.back().path = found->first;
    } else {
      Figure& sum = all[found->second];
      sum.value = figure.kind == Kind::highest ? std::max(sum.value, figure.value) : sum.value + figure.value;
      sum.served += figure.served;
      sum.instances += figure.instances;
    }
  }
  return all;
}

std::vector<Statistic> statistics(const Snapshot& snapshot, Detail detail, double ns_per_tick) {
  std::vector<Statistic> all;
  if (detail == Detail::none) return all;
  for (const Figure& figure : detail == Detail::kinds ? families(snapshot) : snapshot.figures()) {
    Statistic& row = all.emplace_back(Statistic{figure.path, std::string(figure.unit), std::string(figure.meaning),
                                                static_cast<double>(figure.value), figure.instances});
    if (const std::size_t at = row.unit.find("ticks"); at != std::string::npos) {
      row.unit.replace(at, std::string_view("ticks").size(), "ns");
      row.value *= ns_per_tick;
    }
    if (figure.kind != Kind::resource) continue;
    row.meaning = fmt::format("time busy: {}", figure.meaning);
    all.push_back({figure.path + "/served", "times", fmt::format("times used: {}", figure.meaning),
                   static_cast<double>(figure.served), figure.instances});
  }
  return all;
}

Collector::Scope::Scope(Collector& collector, std::string_view path)
    : collector_(collector), outer_path_(collector.scope_.size()), outer_origin_(collector.origin_) {
  collector.scope_ += path;
  collector.scope_ += '/';
}
Collector::Scope::Scope(Collector& collector, std::string_view path, Owner owner) : Scope(collector, path) {
  collector.origin_.owner = owner;
}
Collector::Scope::Scope(Collector& collector, std::string_view path, Block block, std::string_view name)
    : Scope(collector, path) {
  collector.origin_.block = block;
  collector.origin_.name = name;
}
Collector::Scope::Scope(Collector& collector, Block block, std::string_view name)
    : collector_(collector), outer_path_(collector.scope_.size()), outer_origin_(collector.origin_) {
  collector.origin_.block = block;
  collector.origin_.name = name;
}
Collector::Scope::~Scope() {
  collector_.scope_.resize(outer_path_);
  collector_.origin_ = std::move(outer_origin_);
}

std::string Collector::path(std::string_view name) const {
  std::string all;
  all.reserve(scope_.size() + name.size());
  return all.append(scope_).append(name);
}

void Collector::count(std::string_view name, StaticText unit, StaticText meaning, std::uint64_t value) {
  snapshot_.add({path(name), unit, meaning, Kind::counter, value, 0, 1, origin_});
}

void Collector::highest(std::string_view name, StaticText unit, StaticText meaning, std::uint64_t value) {
  snapshot_.add({path(name), unit, meaning, Kind::highest, value, 0, 1, origin_});
}

void Collector::resource(std::string_view name, StaticText meaning, Duration busy, std::uint64_t served,
                         Duration ahead) {
  snapshot_.add({path(name), "ticks", meaning, Kind::resource,
                 static_cast<std::uint64_t>(longer(busy - ahead, Duration{}).ticks), served, 1, origin_, ahead.ticks});
}

}  // namespace strata::stats
