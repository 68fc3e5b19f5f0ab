// SPDX-License-Identifier: Apache-2.0
// The tags of a cache whose organisation is chosen when it is built: a variant
// over TagArray of every policy in the table, and over the tags that share a
// pool of data. std::visit on it is a switch, not a virtual call, and the code
// behind each case knows its policy.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "cache/compression/compressed_tags.hpp"
#include "cache/spec/cache_spec.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "cache/tags/tag_array.hpp"
#include "cache/tags/wide_lines.hpp"
#include "replacement/table.hpp"

namespace strata::cache {

template <class... Policy>
using TagVariant =
    std::variant<TagArray<Policy>..., PooledTagArray, PooledTagsByName, CompressedTags, WideTags, WidePooledTags>;
using TagStore = replacement::ReplacementTable::into<TagVariant>;

template <class... Policy>
struct TagStoreFactory {
  static TagStore make(std::string_view name, std::uint64_t sets, std::uint32_t ways, std::uint64_t seed) {
    std::variant<std::monostate, TagArray<Policy>...> made;
    ((name == Policy::name ? void(made.template emplace<TagArray<Policy>>(sets, ways, seed)) : void()), ...);
    return std::visit(
        [name](auto&& tags) -> TagStore {
          if constexpr (std::is_same_v<std::decay_t<decltype(tags)>, std::monostate>) {
            throw std::invalid_argument("no replacement policy is called '" + std::string(name) + "'");
          } else {
            return std::forward<decltype(tags)>(tags);
          }
        },
        std::move(made));
  }
};

/// policy: a name of ReplacementTable (std::invalid_argument).
inline TagStore make_tag_store(std::string_view policy, std::uint64_t sets, std::uint32_t ways, std::uint64_t seed) {
  return replacement::ReplacementTable::into<TagStoreFactory>::make(policy, sets, ways, seed);
}
/// The tags that a spec, which has passed its schema, describes.
inline TagStore make_tag_store(const CacheSpec& spec, std::uint64_t seed) {
  const auto ways = static_cast<std::uint32_t>(spec.ways);
  const bool wide = spec.line.value > memory::block_bytes;
  if (spec.data_pool && wide) return WidePooledTags(*spec.data_pool, ways, spec.lines(), seed, spec.replacement);
  if (spec.data_pool) {
    if (spec.replacement == replacement::TrueLru::name) return PooledTagArray(*spec.data_pool, ways, spec.lines());
    return PooledTagsByName(*spec.data_pool, ways, spec.lines(), seed, spec.replacement);
  }
  if (spec.compression != no_compression) {
    const auto line_sectors = static_cast<unsigned>(spec.line.value / memory::sector_bytes);
    const CompressionShape sizes{line_sectors, static_cast<unsigned>(spec.compressed_sectors), spec.compression_seed};
    return CompressedTags({spec.sets(), static_cast<std::uint32_t>(spec.tags_of_set()), ways * line_sectors},
                          CompressionTable::make("compression policy", spec.compression, sizes), seed,
                          spec.replacement);
  }
  if (wide) return WideTags(spec.sets(), ways, seed, spec.replacement);
  return make_tag_store(spec.replacement, spec.sets(), ways, seed);
}

}  // namespace strata::cache
