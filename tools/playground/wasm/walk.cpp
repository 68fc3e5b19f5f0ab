// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include "json.hpp"

namespace strata::playground {

namespace {

void add_numbers(Json& json, const std::vector<std::uint64_t>& numbers) {
  json.begin('[');
  for (const std::uint64_t number : numbers) json.value(number);
  json.end(']');
}

void add_sets(Json& json, const study::WalkedCache& cache) {
  json.begin('{').key("fetching");
  add_numbers(json, cache.chosen.fetching);
  json.key("sets").begin('[');
  for (const cache::HeldSet& set : cache.sets) {
    json.begin('{').pair("set", set.set).key("lines").begin('[');
    for (const cache::HeldLine& line : set.lines)
      json.begin('{')
          .pair("line", line.line)
          .pair("valid", std::uint64_t{line.valid})
          .pair("dirty", std::uint64_t{line.dirty})
          .pair("pending", std::uint64_t{line.pending})
          .end('}');
    json.end(']').end('}');
  }
  json.end(']').end('}');
}

void add_cache(Json& json, const study::WalkStep& step, std::size_t i) {
  const study::WalkedCache& cache = step.before.caches[i];
  const cache::HeldSet& set = cache.chosen;
  json.begin('{')
      .pair("name", cache.name)
      .pair("instance", cache.instance)
      .pair("line_bytes", set.line_bytes)
      .pair("sets", set.sets)
      .pair("ways", std::uint64_t{set.ways})
      .pair("line", set.line)
      .pair("set", set.set)
      .pair("mshrs", std::uint64_t{set.mshrs});
  add_sets(json.key("before"), cache);
  add_sets(json.key("waiting"), step.waiting.caches[i]);
  add_sets(json.key("after"), step.after.caches[i]);
  json.end('}');
}

void add_tlb(Json& json, const study::WalkStep& step, std::size_t i) {
  const translation::HeldPages& tlb = step.before.tlbs[i];
  json.begin('{')
      .pair("name", tlb.name)
      .pair("reach_bytes", tlb.reach_bytes)
      .pair("page", tlb.page)
      .pair("set", tlb.set)
      .pair("sets", tlb.sets)
      .pair("ways", std::uint64_t{tlb.ways});
  add_numbers(json.key("before"), tlb.pages);
  add_numbers(json.key("after"), step.after.tlbs[i].pages);
  json.end('}');
}

// -1: no row is open.
double row_of(const study::WalkMoment& moment) { return moment.row && moment.row->open ? *moment.row->open : -1.0; }

}  // namespace

std::string json_of(const study::WalkStep& step) {
  Json json;
  json.begin('{').pair("address", step.address).pair("physical", step.physical).pair("nodes", step.nodes);
  json.pair("served_by", step.served_by).pair("cycles", step.cycles).key("stages").begin('[');
  for (const study::WalkStage& stage : step.stages)
    json.begin('{').pair("stage", stage.stage).pair("cycles", stage.cycles).end('}');
  json.end(']').key("caches").begin('[');
  for (std::size_t i = 0; i < step.before.caches.size(); ++i) add_cache(json, step, i);
  json.end(']').key("tlbs").begin('[');
  for (std::size_t i = 0; i < step.before.tlbs.size(); ++i) add_tlb(json, step, i);
  json.end(']');
  if (const auto& row = step.before.row) {
    json.key("bank")
        .begin('{')
        .pair("channel", std::uint64_t{step.before.channel})
        .pair("pseudo_channel", std::uint64_t{row->pseudo_channel})
        .pair("bank", std::uint64_t{row->bank})
        .pair("row", std::uint64_t{row->row})
        .pair("before", row_of(step.before))
        .pair("after", row_of(step.after))
        .end('}');
  }
  json.end('}');
  return json.text();
}

}  // namespace strata::playground
