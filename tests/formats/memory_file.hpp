// SPDX-License-Identifier: Apache-2.0
// Files of traces held in memory, and the error that a reading ends with.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "base/diagnostic.hpp"
#include "formats/import/import.hpp"
#include "formats/native/reader.hpp"
#include "formats/native/record.hpp"
#include "formats/native/writer.hpp"
#include "formats/text/text.hpp"
#include "kernels/catalogue.hpp"

namespace strata::test {

struct MemorySink final : formats::ByteSink {
  formats::Buffer bytes;
  void write(std::span<const unsigned char> more) override { bytes.insert(bytes.end(), more.begin(), more.end()); }
};

struct MemorySpill final : formats::SpillFile {
  formats::Buffer bytes;
  void write(std::span<const unsigned char> more) override { bytes.insert(bytes.end(), more.begin(), more.end()); }
  void read(std::uint64_t offset, std::span<unsigned char> into) override {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  }
};

class MemorySource final : public formats::ByteSource {
 public:
  explicit MemorySource(formats::Buffer bytes) : bytes_(std::move(bytes)) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<unsigned char> into) override {
    read_ += into.size();
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  }
  std::uint64_t bytes_read() const { return read_; }

 private:
  formats::Buffer bytes_;
  std::string name_ = "t.strace";
  std::uint64_t read_ = 0;
};

class MemoryText final : public formats::TextSource {
 public:
  explicit MemoryText(std::string text, std::size_t piece = 1000, std::string name = "t.txt")
      : text_(std::move(text)), piece_(piece), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), piece_, text_.size() - at_});
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), count, into.begin());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::string name_;
  std::size_t at_ = 0;
};

inline std::shared_ptr<MemorySource> source_of(formats::Buffer bytes) {
  return std::make_shared<MemorySource>(std::move(bytes));
}

/// The native trace of these kernels.
inline formats::Buffer traced(std::initializer_list<const char*> kernels) {
  MemorySink sink;
  formats::TraceWriter writer(sink);
  for (const char* text : kernels) formats::copy_kernel(*kernels::make_kernel(text, {}), writer);
  writer.finish();
  return sink.bytes;
}
inline std::string text_of(const formats::Buffer& native) {
  MemorySink sink;
  formats::TextWriter writer(sink);
  for (const auto& kernel : formats::open_trace(source_of(native))) formats::copy_kernel(*kernel, writer);
  writer.finish();
  return {sink.bytes.begin(), sink.bytes.end()};
}
inline formats::Buffer native_of(const std::string& text, std::size_t piece = 1000) {
  MemorySink sink;
  formats::TraceWriter writer(sink);
  MemoryText source(text, piece);
  formats::read_text(source, writer);
  writer.finish();
  return sink.bytes;
}

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Whether two kernels issue the same, warp by warp.
inline bool same_streams(trace::Kernel& one, trace::Kernel& other) {
  if (one.info().blocks() != other.info().blocks()) return false;
  trace::Instruction a, b;
  for (std::uint64_t block = 0; block < one.info().blocks(); ++block) {
    const auto first = one.open(block);
    const auto second = other.open(block);
    for (std::uint32_t w = 0; w < one.info().warps_per_block(); ++w) {
      bool more = true;
      while (more) {
        more = first->warp(w).next(a);
        if (second->warp(w).next(b) != more) return false;
        if (more && !formats::same(a, b)) return false;
      }
    }
  }
  return true;
}

}  // namespace strata::test
