// SPDX-License-Identifier: Apache-2.0
#include "machine/described/block.hpp"

#include <algorithm>
#include <utility>

#include "config/schema/path.hpp"
#include "machine/layout/setting_tree.hpp"

namespace strata::machine {

using config::Value;

const std::vector<BlockKindInfo>& block_kinds() {
  static const std::vector<BlockKindInfo> kinds{
      {BlockKind::core, "core", "", "core", "name"},
      {BlockKind::cache, "cache", "", "", "cache.name"},
      {BlockKind::texture_cache, "texture cache", "", "texture_cache", "name"},
      {BlockKind::scalar_cache, "scalar cache", "", "scalar_cache", "name"},
      {BlockKind::second_scalar_cache, "second scalar cache", "", "second_scalar_cache", "name"},
      {BlockKind::instruction_cache, "instruction cache", "", "instruction_cache", "cache.name"},
      {BlockKind::victim_cache, "victim cache", "victim cache", "l1.victim_cache", ""},
      {BlockKind::crossbar, "crossbar", "crossbar", "crossbar", ""},
      {BlockKind::output, "crossbar output", "crossbar output", "l2", ""},
      {BlockKind::network, "network", "network", "network", ""},
      {BlockKind::memory_side_cache, "memory-side cache", "", "memory_side_cache", "cache.name"},
      {BlockKind::memory, "memory", "DRAM", "memory", ""},
      {BlockKind::host_memory, "host memory", "host memory", "host", ""},
      {BlockKind::tlb, "TLB", "", "", "name"},
      {BlockKind::page_walker, "page walker", "page walker", "translation.walker", ""}};
  return kinds;
}

const BlockKindInfo& info(BlockKind kind) { return *std::ranges::find(block_kinds(), kind, &BlockKindInfo::kind); }

std::string_view Block::shared_by() const { return text_of(settings, "shared_by"); }

Block* Description::find(std::string_view name) {
  const auto found = std::ranges::find(blocks, name, &Block::name);
  return found == blocks.end() ? nullptr : &*found;
}

std::string_view text_of(const Value& map, std::string_view path) {
  const Value* value = at(const_cast<Value&>(map), path);
  return value != nullptr && value->shape == config::Shape::scalar ? std::string_view(value->text) : std::string_view();
}

Value& place(Value& map, std::string_view path) {
  Value* value = &map;
  for (const config::Segment& segment : config::split_path(path)) {
    value->shape = config::Shape::map;
    if (Value* there = value->find(segment.text)) {
      value = there;
      continue;
    }
    value->entries.push_back({segment.text, value->where, empty_map(value->where)});
    value = &value->entries.back().value;
  }
  return *value;
}

bool take(Value& map, std::string_view path, Value& taken) {
  const std::size_t dot = path.rfind('.');
  Value* const parent = dot == std::string_view::npos ? &map : at(map, path.substr(0, dot));
  if (parent == nullptr) return false;
  const auto entry = std::ranges::find(parent->entries, path.substr(dot + 1), &config::Entry::key);
  if (entry == parent->entries.end()) return false;
  taken = std::move(entry->value);
  parent->entries.erase(entry);
  return true;
}

Value empty_map(const config::Position& where) {
  Value map;
  map.shape = config::Shape::map;
  map.where = where;
  return map;
}

Value scalar(std::string text, const config::Position& where) {
  Value value;
  value.where = where;
  value.text = std::move(text);
  return value;
}

}  // namespace strata::machine
