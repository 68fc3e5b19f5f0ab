// SPDX-License-Identifier: Apache-2.0
// The fetches under way that complete sectors written in part, and the blocks that
// they are for.
#pragma once
#include <cstdint>
#include <vector>

#include <boost/intrusive/unordered_set.hpp>

#include "engine/pool.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

class Completions {
 public:
  std::size_t alive() const { return pool_.alive(); }
  /// A transaction for these sectors of a block, which are missing from now on.
  memory::Transaction& take(std::uint64_t block, memory::SectorMask sectors) {
    Completion& completion = pool_.take();
    completion.block = completion.virtual_block = block;
    completion.fetched = sectors;
    under_way_.insert(completion);
    missing_ += memory::sector_count(sectors);
    return completion;
  }
  /// What was missing has come.
  void arrived(memory::Transaction& transaction) {
    missing_ -= memory::sector_count(transaction.fetched);
    under_way_.erase(under_way_.iterator_to(static_cast<Completion&>(transaction)));
  }
  void give_back(memory::Transaction& transaction) { pool_.give_back(static_cast<Completion&>(transaction)); }
  /// Sectors that are missing still.
  std::uint64_t sectors_missing() const { return missing_; }
  /// Something of the block is missing still.
  bool under_way(std::uint64_t block) const { return pool_.alive() != 0 && under_way_.find(block) != under_way_.end(); }

 private:
  using Links = boost::intrusive::link_mode<boost::intrusive::normal_link>;
  struct Completion : memory::Transaction, boost::intrusive::unordered_set_base_hook<Links> {};
  struct BlockOf {
    using type = std::uint64_t;
    const std::uint64_t& operator()(const Completion& completion) const { return completion.block; }
  };
  struct Scattered {
    std::size_t operator()(std::uint64_t block) const {
      return static_cast<std::size_t>(block * 0x9E37'79B9'7F4A'7C15U >> 32U);
    }
  };
  using UnderWay =
      boost::intrusive::unordered_multiset<Completion, boost::intrusive::key_of_value<BlockOf>,
                                           boost::intrusive::hash<Scattered>, boost::intrusive::power_2_buckets<true>,
                                           boost::intrusive::constant_time_size<false>>;
  static constexpr std::size_t buckets = 256;

  engine::Pool<Completion> pool_;
  std::uint64_t missing_ = 0;
  std::vector<UnderWay::bucket_type> buckets_{buckets};
  UnderWay under_way_{UnderWay::bucket_traits(buckets_.data(), buckets)};
};

}  // namespace strata::cache
