// SPDX-License-Identifier: Apache-2.0
#include "formats/native/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/diagnostic.hpp"
#include "formats/import/import.hpp"
#include "formats/native/index.hpp"
#include "formats/native/record.hpp"
#include "formats/native/writer.hpp"

namespace strata::formats {

namespace {

// The file with the chunks of it in use, and a few more.
class File {
 public:
  explicit File(std::shared_ptr<ByteSource> source) : source_(std::move(source)), reader_(*source_) {}

  const ChunkReader& reader() const { return reader_; }

  std::shared_ptr<const BlockChunk> blocks(std::uint64_t offset) {
    const auto found = alive_.find(offset);
    if (found != alive_.end())
      if (auto chunk = found->second.lock()) return chunk;
    auto chunk = std::make_shared<const BlockChunk>(read_blocks(reader_, offset));
    if (alive_.size() >= sweep_at_) {
      std::erase_if(alive_, [](const auto& entry) { return entry.second.expired(); });
      sweep_at_ = 2 * alive_.size() + 64;
    }
    alive_[offset] = chunk;
    recent_.push_back(chunk);
    if (recent_.size() > window) recent_.pop_front();
    return chunk;
  }

 private:
  static constexpr std::size_t window = 16;  ///< chunks kept for blocks to come
  std::shared_ptr<ByteSource> source_;
  ChunkReader reader_;
  std::map<std::uint64_t, std::weak_ptr<const BlockChunk>> alive_;
  std::deque<std::shared_ptr<const BlockChunk>> recent_;
  std::size_t sweep_at_ = 64;
};

// Where the chunks of a block are, and which of its warps each holds.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint32_t first_warp = 0;
  std::uint32_t last_warp = 0;
};

class TracedBlock final : public trace::BlockStreams {
 public:
  TracedBlock(File& file, const trace::KernelInfo& info, std::uint64_t block, std::vector<ChunkPlace> places)
      : file_(file), width_(info.warp_width), block_(block), places_(std::move(places)) {
    streams_.reserve(info.warps_per_block());
    for (std::uint32_t w = 0; w < info.warps_per_block(); ++w) streams_.emplace_back(*this, w);
  }
  trace::WarpStream& warp(std::uint32_t warp) override { return streams_[warp]; }

 private:
  class Stream final : public trace::WarpStream {
   public:
    Stream(TracedBlock& block, std::uint32_t warp) : block_(block), warp_(warp) {}
    bool next(trace::Instruction& instruction) override {
      while (left_ == 0)
        if (!next_segment()) return false;
      --left_;
      try {
        read_record(cursor_, state_, instruction);
        if (left_ == 0 && !cursor_.at_end()) cursor_.fail("a segment continues after its last instruction");
      } catch (const Malformed& error) {
        block_.file_.reader().fail(chunk_->offset, chunk_->header,
                                   fmt::format("byte {} of its content: {}", error.at, error.what()));
      }
      return true;
    }

   private:
    bool next_segment() {
      const std::vector<ChunkPlace>& places = block_.places_;
      while (place_ < places.size() && places[place_].last_warp < warp_) ++place_;
      if (place_ == places.size() || places[place_].first_warp > warp_) {
        chunk_.reset();
        return false;
      }
      chunk_ = block_.file_.blocks(places[place_++].offset);
      const Segment* const segment = chunk_->find(block_.block_, warp_);
      if (segment == nullptr) return places.size() > 1 && next_segment();
      left_ = segment->instructions;
      cursor_ = Cursor(std::span(chunk_->payload).subspan(segment->begin, segment->bytes), segment->begin);
      state_ = RecordState(block_.width_);
      return true;
    }

    TracedBlock& block_;
    std::uint32_t warp_;
    std::size_t place_ = 0;
    std::uint64_t left_ = 0;
    std::shared_ptr<const BlockChunk> chunk_;
    Cursor cursor_{{}};
    RecordState state_{32};
  };

  File& file_;
  std::uint32_t width_;
  std::uint64_t block_;
  std::vector<ChunkPlace> places_;
  std::vector<Stream> streams_;
};

class TracedKernel final : public trace::Kernel {
 public:
  TracedKernel(std::shared_ptr<File> file, KernelIndex index) : file_(std::move(file)), index_(std::move(index)) {}

  const trace::KernelInfo& info() const override { return index_.info; }
  std::unique_ptr<trace::BlockStreams> open(std::uint64_t number) override {
    return std::make_unique<TracedBlock>(*file_, index_.info, number, places_of(number));
  }

 private:
  std::vector<ChunkPlace> places_of(std::uint64_t block) {
    auto page = std::upper_bound(index_.pages.begin(), index_.pages.end(), block,
                                 [](std::uint64_t b, const PageEntry& entry) { return b < entry.first_block; });
    if (page == index_.pages.begin()) return {};
    --page;
    if (page_ != page->first_block || entries_.empty()) {
      entries_ = read_page(file_->reader(), index_, *page);
      page_ = page->first_block;
    }
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), block,
                                        [](const BlockEntry& e, std::uint64_t b) { return e.block < b; });
    if (entry == entries_.end() || entry->block != block) return {};
    constexpr std::uint32_t all = 0xFFFFFFFFU;
    if (entry->chunks == 1) return {{entry->offset, 0, all}};
    std::vector<ChunkPlace> places;
    std::uint64_t offset = entry->offset;
    for (std::uint64_t i = 0; i < entry->chunks; ++i) {
      const ChunkHeader header = file_->reader().header(offset);
      places.push_back({offset, header.first_warp, header.last_warp});
      offset = ChunkReader::after(offset, header);
    }
    return places;
  }

  std::shared_ptr<File> file_;
  KernelIndex index_;
  std::uint64_t page_ = 0;  ///< first block of the page in entries_
  std::vector<BlockEntry> entries_;
};

}  // namespace

trace::LaunchList open_trace(std::shared_ptr<ByteSource> source) {
  const auto file = std::make_shared<File>(std::move(source));
  trace::LaunchList list;
  for (const std::uint64_t offset : read_launch_list(file->reader()))
    list.push_back(std::make_unique<TracedKernel>(file, read_kernel(file->reader(), offset)));
  return list;
}

TraceSummary summarise(ByteSource& source) {
  const ChunkReader reader(source);
  TraceSummary summary;
  summary.bytes = source.size();
  summary.version = trace_version;
  for (const std::uint64_t offset : read_launch_list(reader)) {
    const KernelIndex index = read_kernel(reader, offset);
    TraceSummary::Kernel kernel{index.info, index.instructions, 0};
    for (const PageEntry& page : index.pages) kernel.blocks_with_instructions += read_page(reader, index, page).size();
    summary.kernels.push_back(std::move(kernel));
  }
  return summary;
}

namespace {
// A lane of the access reads or writes past what its kernel says that a block has.
bool beyond_shared_memory(const trace::Instruction& instruction, std::uint32_t shared_bytes) {
  if (!instruction.is_access() || instruction.space != trace::Space::shared) return false;
  for (unsigned lane = 0; lane < instruction.lanes; ++lane)
    if (instruction.address(lane) + instruction.bytes_per_lane > shared_bytes) return true;
  return false;
}
}  // namespace

std::uint64_t verify_trace(std::shared_ptr<ByteSource> source, ImportReport* report) {
  ByteSource& bytes = *source;
  const TraceSummary summary = summarise(bytes);
  const trace::LaunchList list = open_trace(std::move(source));
  const ChunkReader reader(bytes);
  const std::vector<std::uint64_t> offsets = read_launch_list(reader);
  std::uint64_t total = 0;
  std::uint64_t chunks = 0;
  trace::Instruction instruction;
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::uint64_t read = 0;
    const trace::KernelInfo& info = list[k]->info();
    const KernelIndex index = read_kernel(reader, offsets[k]);
    for (const PageEntry& page : index.pages)
      for (const BlockEntry& entry : read_page(reader, index, page)) {
        // Only the first chunk of a block may be shared, so the chunks of all blocks
        // are no more than there are chunks and blocks.
        chunks += entry.chunks - 1;
        if (chunks > bytes.size() / chunk_header_bytes)
          reader.fail(page.offset, "blocks state more chunks than the file has");
        const auto block = list[k]->open(entry.block);
        for (std::uint32_t w = 0; w < info.warps_per_block(); ++w)
          while (block->warp(w).next(instruction)) {
            read += instruction.repeat;
            if (report != nullptr && beyond_shared_memory(instruction, info.shared_bytes))
              report->count("an access lies beyond the shared memory that its kernel says a block has");
          }
      }
    if (read != summary.kernels[k].instructions)
      throw InputError(Diagnostic{bytes.name(),
                                  0,
                                  0,
                                  fmt::format("kernel {} ('{}') has {} instructions, its index says {}", k, info.name,
                                              read, summary.kernels[k].instructions),
                                  {}});
    total += read;
  }
  return total;
}

}  // namespace strata::formats
