// SPDX-License-Identifier: Apache-2.0
// Write-back of all dirty lines, set by set, as fast as the write-back buffer empties.
#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

void Cache::write_back_all(const engine::Handler& done) {
  flush_.asked = true;
  flush_.set = 0;
  flush_.done = done;
  std::visit([this](auto& tags) { go_on_writing_back(tags); }, tags_);
  end_flush();
}

bool Cache::write_back(std::uint64_t block) {
  bool gone = true;
  for (LineNumber line = design_.first_line(block); line <= design_.last_line(block); ++line) {
    std::visit([&](auto& tags) { gone = clean_before_drop(tags, index(line), line) == stall_kinds && gone; }, tags_);
  }
  return gone;
}

void Cache::go_on_writing_back() {
  flush_.reached = simulation_.now();
  if (flush_.set != Flush::past_all) std::visit([this](auto& tags) { go_on_writing_back(tags); }, tags_);
  end_flush();
}

// It is complete when no dirty line is left and all write-backs are answered.
void Cache::end_flush() {
  if (flush_.set != Flush::past_all || writebacks_.alive() + completions_.alive() != 0) return;
  flush_.asked = false;
  if (flush_.done.function != nullptr) flush_.done.function(flush_.done.self, nullptr);
}

template <class Tags>
void Cache::go_on_writing_back(Tags& tags) {
  for (; flush_.set < tags.sets(); ++flush_.set) {
    for (std::uint32_t way = 0; way < tags.ways(); ++way) {
      const std::uint64_t word = tags.word(flush_.set, way);
      if (LineWord::empty(word) || LineWord::pending(word)) continue;
      const SectorMask masked = incomplete_.masked(LineWord::line(word));
      if (joined(masked, LineWord::dirty(word)) == 0) continue;
      Needs needs;
      needs.add(masked, LineWord::dirty(word), blocks_in<Tags>(LineWord::dirty(word)));
      if (lacking(needs) != stall_kinds) return;  // until a write-back is answered
      ++statistics_.lines_flushed;
      clean(tags, LineWord::line(word));
    }
  }
  flush_.set = Flush::past_all;
}

}  // namespace strata::cache
