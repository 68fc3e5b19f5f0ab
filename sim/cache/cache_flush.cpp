// SPDX-License-Identifier: Apache-2.0
// Writing back all that is dirty, set by set, as fast as the write-back buffer empties.
#include "cache/cache_requests.hpp"

namespace strata::cache {

void Cache::write_back_all() {
  flushing_ = true;
  flush_set_ = 0;
  std::visit([this](auto& tags) { go_on_writing_back(tags); }, tags_);
}

bool Cache::write_back(std::uint64_t block) {
  bool gone = true;
  for (LineNumber part = 0; part < LineNumber{1} << design_.line_shift; ++part) {
    const LineNumber line = block << design_.line_shift | part;
    std::visit([&](auto& tags) { gone = clean_before_drop(tags, index(line), line) == stall_kinds && gone; }, tags_);
  }
  return gone;
}

void Cache::go_on_writing_back() {
  flushed_ = simulation_.now();
  if (flush_set_ != no_set) std::visit([this](auto& tags) { go_on_writing_back(tags); }, tags_);
}

template <class Tags>
void Cache::go_on_writing_back(Tags& tags) {
  for (; flush_set_ < tags.sets(); ++flush_set_) {
    for (std::uint32_t way = 0; way < tags.ways(); ++way) {
      const std::uint64_t word = tags.word(flush_set_, way);
      if (LineWord::empty(word) || LineWord::pending(word)) continue;
      const SectorMask masked = holds_incomplete_ ? incomplete_->masked(LineWord::line(word)) : SectorMask{0};
      if (joined(masked, LineWord::dirty(word)) == 0) continue;
      Needs needs;
      needs.add(masked, LineWord::dirty(word));
      if (lacking(needs) != stall_kinds) return;  // until a write-back is answered
      ++statistics_.lines_flushed;
      clean(tags, LineWord::line(word));
    }
  }
  flush_set_ = no_set;
}

}  // namespace strata::cache
