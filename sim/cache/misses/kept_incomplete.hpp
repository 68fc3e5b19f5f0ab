// SPDX-License-Identifier: Apache-2.0
// The incomplete lines of a cache that may track none. Where none is incomplete now, as is usual,
// each question costs one test; a cache that never has any needs no table.
#pragma once
#include <memory>

#include "cache/misses/incomplete_lines.hpp"

namespace strata::cache {

class KeptIncomplete {
 public:
  /// Sectors written in part are tracked. Without: they are not known.
  void track(std::uint64_t most, std::uint64_t masked) {
    most_ = most;
    most_masked_ = masked;
  }

  bool any() const { return any_; }
  SectorMask masked(LineNumber line) const { return any_ ? lines_->masked(line) : SectorMask{0}; }
  /// As of IncompleteLines; only where they are tracked.
  const LineNumber* one_too_many(LineNumber line, bool masked) const {
    return any_ ? lines_->one_too_many(line, masked) : nullptr;
  }
  SectorMask keep(LineNumber line, SectorMask masked, WordMask words) {
    any_ = true;
    if (lines_ == nullptr) lines_ = std::make_unique<IncompleteLines>(most_, most_masked_);
    return lines_->keep(line, masked, words);
  }

  SectorMask validate(LineNumber line, SectorMask sectors) {
    return any_ ? lines_->validate(line, sectors) : SectorMask{0};
  }
  SectorMask forget(LineNumber line) {
    if (!any_) return 0;
    const SectorMask were = lines_->forget(line);
    any_ = !lines_->empty();
    return were;
  }
  void forget_if_complete(LineNumber line, SectorMask valid) {
    if (valid == memory::all_sectors) forget(line);
  }
  void clear() {
    if (any_) lines_->clear();
    any_ = false;
  }

 private:
  std::unique_ptr<IncompleteLines> lines_;  ///< null: none was incomplete yet
  bool any_ = false;
  std::uint64_t most_ = 0, most_masked_ = 0;
};

}  // namespace strata::cache
