// SPDX-License-Identifier: Apache-2.0
#include "stats/collector.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace strata::stats {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool parts_words(char c) { return c == ' ' || c == '/'; }

}  // namespace

std::string family(std::string_view path) {
  std::string name;
  for (std::size_t i = 0; i < path.size();) {
    const bool begins = i == 0 || parts_words(path[i - 1]);
    std::size_t end = i;
    while (begins && end < path.size() && digit(path[end])) ++end;
    if (end > i && (end == path.size() || parts_words(path[end]))) {
      name += '*';
      i = end;
    } else {
      name += path[i++];
    }
  }
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
    if (family(figure.path) == family_name) total += figure.value;
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

Snapshot operator-(const Snapshot& after, const Snapshot& before) {
  std::unordered_map<std::string_view, const Figure*> earlier;
  for (const Figure& figure : before.figures()) earlier.emplace(figure.path, &figure);
  Snapshot between;
  for (Figure figure : after.figures()) {
    if (const auto found = earlier.find(figure.path); found != earlier.end() && figure.kind != Kind::highest) {
      // Reservations may grow by an idle span more than the completed work.
      const bool resource = figure.kind == Kind::resource;
      figure.value -= resource ? std::min(figure.value, found->second->value) : found->second->value;
      figure.served -= found->second->served;
    }
    between.add(std::move(figure));
  }
  return between;
}

Snapshot repeated(const Snapshot& between, const Snapshot& window, double times) {
  std::unordered_map<std::string_view, const Figure*> again;
  for (const Figure& figure : window.figures()) again.emplace(figure.path, &figure);
  const auto more = [times](std::uint64_t value) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * times));
  };
  Snapshot all;
  for (Figure figure : between.figures()) {
    if (const auto found = again.find(figure.path); found != again.end() && figure.kind != Kind::highest) {
      figure.value += more(found->second->value);
      figure.served += more(found->second->served);
    }
    all.add(std::move(figure));
  }
  return all;
}

std::vector<Statistic> statistics(const Snapshot& snapshot, Detail detail, double ns_per_tick) {
  std::vector<Statistic> all;
  if (detail == Detail::none) return all;
  for (const Figure& figure : detail == Detail::kinds ? families(snapshot) : snapshot.figures()) {
    Statistic& row = all.emplace_back(
        Statistic{figure.path, figure.unit, figure.meaning, static_cast<double>(figure.value), figure.instances});
    if (const std::size_t at = row.unit.find("ticks"); at != std::string::npos) {
      row.unit.replace(at, std::string_view("ticks").size(), "ns");
      row.value *= ns_per_tick;
    }
    if (figure.kind != Kind::resource) continue;
    row.meaning = "time busy: " + figure.meaning;
    all.push_back({figure.path + "/served", "times", "times used: " + figure.meaning,
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

std::string Collector::path(std::string_view name) const { return scope_ + std::string(name); }

void Collector::count(std::string_view name, std::string_view unit, std::string_view meaning, std::uint64_t value) {
  snapshot_.add({path(name), std::string(unit), std::string(meaning), Kind::counter, value, 0, 1, origin_});
}

void Collector::highest(std::string_view name, std::string_view unit, std::string_view meaning, std::uint64_t value) {
  snapshot_.add({path(name), std::string(unit), std::string(meaning), Kind::highest, value, 0, 1, origin_});
}

void Collector::resource(std::string_view name, std::string_view meaning, Duration busy, std::uint64_t served,
                         Duration ahead) {
  snapshot_.add({path(name), "ticks", std::string(meaning), Kind::resource,
                 static_cast<std::uint64_t>(longer(busy - ahead, Duration{}).ticks), served, 1, origin_});
}

}  // namespace strata::stats
