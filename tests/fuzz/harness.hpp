// SPDX-License-Identifier: Apache-2.0
// Shared by the fuzzers: input bytes as a file, and the only exception by which a reader may
// refuse them. Any other exception, a hang, a crash or memory beyond the bound of libFuzzer
// ends the run.
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "base/diagnostic.hpp"
#include "formats/import/import.hpp"
#include "formats/native/reader.hpp"
#include "formats/native/writer.hpp"

namespace strata::fuzz {

class Text final : public formats::TextSource {
 public:
  Text(const unsigned char* data, std::size_t size) : left_(reinterpret_cast<const char*>(data), size) {}
  const std::string& name() const override { return name_; }
  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), left_.size(), std::size_t{61}});
    std::copy_n(left_.begin(), count, into.begin());
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
  std::string name_ = "input";
};

class Bytes final : public formats::ByteSource, public formats::ByteSink {
 public:
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes.size(); }
  void read(std::uint64_t offset, std::span<unsigned char> into) override {
    if (offset > bytes.size() || bytes.size() - offset < into.size()) __builtin_trap();
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  }
  void write(std::span<const unsigned char> more) override { bytes.insert(bytes.end(), more.begin(), more.end()); }
  formats::Buffer bytes;

 private:
  std::string name_ = "input";
};

class Spill final : public formats::SpillFile {
 public:
  void write(std::span<const unsigned char> more) override { file_.write(more); }
  void read(std::uint64_t offset, std::span<unsigned char> into) override { file_.read(offset, into); }

 private:
  Bytes file_;
};

/// Whether the reader took the input.
template <class Reading>
bool takes(Reading reading) {
  try {
    reading();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// An importer whose events are in order of time and are stored to be regrouped.
using Import = void (*)(formats::TextSource& text, formats::SpillFile& spill, formats::KernelSink& sink,
                        formats::ImportReport& report);

inline void fuzz_import(const unsigned char* data, std::size_t size, Import import) {
  const auto file = std::make_shared<Bytes>();
  const bool taken = takes([&] {
    Text text(data, size);
    formats::TraceWriter writer(*file);
    formats::ImportReport report;
    Spill spill;
    import(text, spill, writer, report);
    writer.finish();
  });
  // The native reader must accept all that a reader accepted: a refusal ends the run.
  if (taken) formats::verify_trace(file);
}

}  // namespace strata::fuzz
