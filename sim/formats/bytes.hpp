// SPDX-License-Identifier: Apache-2.0
// Where trace files are read from and written to. sim/ opens no file: the tools
// hand in something that reads at an offset, or that takes bytes in order.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace strata::formats {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// How it is called in messages.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  /// Fills the span from the offset on; offset + length <= size(). Throws
  /// InputError if the medium fails.
  virtual void read(std::uint64_t offset, std::span<unsigned char> into) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::span<const unsigned char> bytes) = 0;
};

/// Text that comes in pieces.
class TextSource {
 public:
  virtual ~TextSource() = default;
  virtual const std::string& name() const = 0;
  /// As many bytes as there are, at most the span's; 0 at the end. Throws
  /// InputError if the medium fails or the compressed data is damaged.
  virtual std::size_t read(std::span<char> into) = 0;
};

}  // namespace strata::formats
