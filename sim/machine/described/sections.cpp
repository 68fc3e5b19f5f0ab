// SPDX-License-Identifier: Apache-2.0
#include "machine/described/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "machine/described/edge_settings.hpp"
#include "machine/layout/setting_tree.hpp"

namespace strata::machine {

using config::Shape;
using config::Value;

namespace {

void rename(Value& map, std::string_view from, std::string_view to) {
  const auto entry = std::ranges::find(map.entries, from, &config::Entry::key);
  if (entry != map.entries.end()) entry->key = to;
}

/// A section that is a map; one that is not stays for the schema to refuse, and one that is `none` is gone.
bool take_section(Value& tree, std::string_view path, Value& taken) {
  const Value* const section = at(tree, path);
  return section != nullptr && section->shape == Shape::map && take(tree, path, taken);
}

/// Another list stays for the schema to refuse.
bool of_maps(const Value& list) {
  return list.shape == Shape::list &&
         std::ranges::all_of(list.items, [](const Value& item) { return item.shape == Shape::map; });
}

class Taking {
 public:
  explicit Taking(Value& tree) : tree_(tree) {}

  Description blocks() {
    constexpr std::array needed{"core", "l1", "crossbar", "l2", "memory"};
    whole_ = std::ranges::all_of(needed, [this](const char* path) {
      const Value* const section = tree_.find(path);
      return section != nullptr && section->shape == Shape::map;
    });
    const bool apart = memory_is_apart(tree_);
    Value levels;
    if (const Value* there = tree_.find("levels"); there != nullptr && of_maps(*there)) take(tree_, "levels", levels);
    Value victims;
    const bool has_victims = take_section(tree_, "l1.victim_cache", victims);
    section(BlockKind::core, "core", "core");
    section(BlockKind::cache, "l1", "L1");
    if (has_victims) add(BlockKind::victim_cache, "", std::move(victims));
    further(levels, "core");
    further(levels, "group");
    section(BlockKind::crossbar, "crossbar", "");
    l2();
    further(levels, "die");
    if (apart) section(BlockKind::network, "network", "");
    further(levels, "memory_die");
    section(BlockKind::memory_side_cache, "memory_side_cache", "memory-side cache");
    section(BlockKind::memory, "memory", "");
    // Beside the path of a load.
    beside(BlockKind::texture_cache);
    beside(BlockKind::scalar_cache);
    behind_scalar_cache();
    beside(BlockKind::instruction_cache);
    if (!apart) section(BlockKind::network, "network", "");
    host();
    translation();
    return std::move(made_);
  }

 private:
  Block& add(BlockKind kind, std::string_view otherwise, Value settings) {
    const BlockKindInfo& about = info(kind);
    std::string name(about.node);
    if (name.empty()) name = text_of(settings, about.named);
    if (name.empty()) name = otherwise;
    made_.blocks.push_back({std::move(name), kind, std::move(settings)});
    Block& block = made_.blocks.back();
    const bool leads = kind != BlockKind::network || memory_is_apart(tree_);
    if (leads && on_path(kind)) {
      if (!last_.empty()) connect(last_, block.name);
      last_ = block.name;
    }
    return block;
  }

  void connect(const std::string& from, const std::string& to) {
    if (whole_) made_.connections.push_back({from, to, empty_map({}), true});
  }

  void section(BlockKind kind, std::string_view path, std::string_view otherwise) {
    Value settings;
    if (!take_section(tree_, path, settings)) return;
    rename(settings, "slices_per_die", "slices");
    add(kind, otherwise, std::move(settings));
  }

  void further(Value& levels, std::string_view shared_by) {
    for (Value& level : levels.items) {
      std::string_view of_level = text_of(level, "shared_by");
      if (of_level != "core" && of_level != "group" && of_level != "memory_die") of_level = "die";
      if (of_level == shared_by && !level.entries.empty())
        add(BlockKind::cache, "level", std::exchange(level, Value{}));
    }
  }

  void l2() {
    Value settings;
    if (!take_section(tree_, "l2", settings)) return;
    rename(settings, "slices_per_die", "slices");
    Value bypass;
    const bool none = take(settings, "bypass", bypass) && bypass.text == "true";
    add(none ? BlockKind::output : BlockKind::cache, "L2", std::move(settings));
  }

  void beside(BlockKind kind) {
    Value settings;
    if (!take_section(tree_, info(kind).section, settings)) return;
    const std::string name = add(kind, info(kind).name, std::move(settings)).name;
    connect(of(BlockKind::core), name);
    connect(name, of(BlockKind::crossbar));
  }

  void behind_scalar_cache() {
    constexpr BlockKind kind = BlockKind::second_scalar_cache;
    Value settings;
    if (!take_section(tree_, info(kind).section, settings)) return;
    const std::string name = add(kind, info(kind).name, std::move(settings)).name;
    const std::string crossbar = of(BlockKind::crossbar);
    for (Connection& way : made_.connections)
      if (way.from == of(BlockKind::scalar_cache) && way.to == crossbar) way.to = name;
    connect(name, crossbar);
  }

  void host() {
    Value settings;
    if (!take_section(tree_, "host", settings)) return;
    add(BlockKind::host_memory, "", std::move(settings));
    // From the last block before the memory dies.
    std::string from;
    for (const Block& block : made_.blocks) {
      if (block.kind == BlockKind::memory_side_cache || block.kind == BlockKind::memory ||
          block.shared_by() == "memory_die")
        break;
      from = block.name;
    }
    connect(from, std::string(info(BlockKind::host_memory).node));
  }

  void translation() {
    Value levels;
    const Value* const there = at(tree_, "translation.levels");
    if (there == nullptr || !of_maps(*there) || there->items.empty() || !take(tree_, "translation.levels", levels))
      return;
    std::string from = text_of(tree_, "translate_before_l1") == "true" ? of(BlockKind::core) : of(BlockKind::cache);
    for (Value& level : levels.items) {
      const std::string name = add(BlockKind::tlb, "TLB", std::move(level)).name;
      connect(from, name);
      from = name;
    }
    Value walker;
    if (!take_section(tree_, "translation.walker", walker)) walker = empty_map(levels.where);
    connect(from, add(BlockKind::page_walker, "", std::move(walker)).name);
  }

  /// The first of a kind.
  std::string of(BlockKind kind) const {
    const auto found = std::ranges::find(made_.blocks, kind, &Block::kind);
    return found == made_.blocks.end() ? std::string() : found->name;
  }

  Value& tree_;
  bool whole_ = false;
  Description made_;
  std::string last_;  ///< of the path of a load so far
};

/// The settings of a cache as its section has them.
Value in_section(Block& block, std::string_view section) {
  Value settings = std::move(block.settings);
  const config::Position where = settings.where;
  Value gone;
  // Of the L1 and the L2 it was compared with the position; elsewhere there is no such setting.
  const bool told_by_position = section == "l1" || section == "l2" ||
                                (section == "memory_side_cache" && text_of(settings, "shared_by") == "memory_die");
  if (told_by_position) take(settings, "shared_by", gone);
  if (section == "l2" || section == "memory_side_cache") rename(settings, "slices", "slices_per_die");
  if (block.kind == BlockKind::output) {
    place(settings, "bypass") = scalar("true", where);
    // Nothing of a cache that is not there is read, but every L2 has one.
    if (at(settings, "cache") == nullptr) {
      place(settings, "cache.name") = scalar("L2", where);
      place(settings, "cache.size") = scalar("64 KiB", where);
      place(settings, "cache.hit_latency") = scalar("1 clk", where);
      place(settings, "cache.data_width") = scalar("32 B/clk", where);
    }
  }
  if (section == "l1" && at(settings, "carve_outs") == nullptr && at(settings, "cache.size") != nullptr) {
    Value whole = empty_map(where);
    place(whole, "name") = scalar("whole", where);
    Value& size = *at(settings, "cache.size");
    place(whole, "size") = size;
    size.where = {std::make_shared<const std::string>("l1.carve_outs[0].size"), 0, 0};  // it is read there
    Value& carve_outs = place(settings, "carve_outs");
    carve_outs.shape = Shape::list;
    carve_outs.items.push_back(std::move(whole));
    place(settings, "carve_out") = scalar("whole", where);
  }
  return settings;
}

}  // namespace

bool memory_is_apart(const Value& tree) {
  if (const std::string_view given = text_of(tree, "dies.memory_apart"); !given.empty()) return given == "true";
  const auto number = [&tree](std::string_view path) {
    const std::string_view text = text_of(tree, path);
    return text.empty() ? std::string_view("1") : text;
  };
  return number("dies.compute") != number("dies.memory");
}

Description take_blocks(Value& tree) { return Taking(tree).blocks(); }

void put_blocks(Value& tree, const std::vector<Placed>& blocks, std::vector<Diagnostic>& diagnostics) {
  for (const auto& [block, section] : blocks) {
    const BlockKindInfo& about = info(block->kind);
    if (!about.named.empty()) {
      Value& name = place(block->settings, about.named);
      if (name.text != block->name) name = scalar(block->name, block->settings.where);
    }
    Value settings = in_section(*block, section);
    const std::string_view first = section.substr(0, section.find('.'));
    if (const Value* there = tree.find(first);
        there != nullptr && there->shape == Shape::scalar && !there->text.empty() && there->text != "none") {
      diagnostics.push_back(there->where.diagnostic(
          fmt::format("'{}' is '{}', but node '{}' of 'graph' describes it", first, there->text, block->name),
          "remove one of them"));
      continue;
    }
    Value& target = place(tree, section);
    if (section == "levels" || section == "translation.levels") {
      if (target.shape != Shape::list) target = empty_map(settings.where);
      target.shape = Shape::list;
      target.items.push_back(std::move(settings));
    } else if (section == "l1") {
      Value victims;
      const bool has_victims = take(target, "victim_cache", victims);
      target = std::move(settings);
      if (has_victims) place(target, "victim_cache") = std::move(victims);
    } else {
      target = std::move(settings);
    }
  }
}

}  // namespace strata::machine
