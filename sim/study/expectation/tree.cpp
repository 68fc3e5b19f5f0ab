// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/tree.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace strata::study::written {

namespace {

using config::Shape;
using config::Value;

// [footprint, figure]: a map of the two.
void name_the_pair(Value& point, const char* figure) {
  if (point.shape != Shape::list || point.items.size() != 2) return;
  point.shape = Shape::map;
  point.entries.push_back({"footprint", point.items[0].where, std::move(point.items[0])});
  point.entries.push_back({figure, point.items[1].where, std::move(point.items[1])});
  point.items.clear();
}

std::string text_of(const Value& value) {
  if (value.shape == Shape::scalar) return value.text;
  std::string all;
  for (const Value& item : value.items) all += (all.empty() ? "" : " ") + text_of(item);
  return all;
}

// "warps 8, unroll 4": the options that are the point's own.
std::string label_of(const Value& point) {
  std::string label;
  for (const config::Entry& entry : point.entries) {
    if (entry.key == "expect") continue;
    if (!label.empty()) label += ", ";
    label += entry.key == "footprint" ? entry.value.text : fmt::format("{} {}", entry.key, text_of(entry.value));
  }
  return label;
}

void spread_the_options(Value& curve) {
  Value* points = curve.find("points");
  if (points == nullptr) return;
  for (Value& point : points->items) {
    name_the_pair(point, "expect");
    if (point.shape != Shape::map) continue;
    if (point.find("label") == nullptr) {
      Value label;
      label.where = point.where;
      label.text = label_of(point);
      label.quoted = true;
      point.entries.push_back({"label", point.where, std::move(label)});
    }
    for (const config::Entry& option : curve.entries)
      if (option.key != "points" && point.find(option.key) == nullptr) point.entries.push_back(option);
  }
  std::erase_if(curve.entries, [](const config::Entry& entry) { return entry.key != "points"; });
}

}  // namespace

void spell_out_the_points(Value& file) {
  Value* entries = file.find("expectations");
  if (entries == nullptr) return;
  for (Value& entry : entries->items) {
    Value* measure = entry.find("measure");
    if (measure == nullptr) continue;
    if (Value* curve = measure->find("curve")) {
      if (Value* points = curve->find("points"))
        for (Value& point : points->items) name_the_pair(point, "latency");
    }
    if (Value* curve = measure->find("bandwidth_curve")) spread_the_options(*curve);
  }
}

}  // namespace strata::study::written
