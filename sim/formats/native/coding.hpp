// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes: little-endian words, and variable-length ones of seven bits
// a byte, the lowest first (LEB128); signed numbers are folded so that small
// ones of either sign are short (zigzag). Reading never passes the end.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata::formats {

using Buffer = std::vector<unsigned char>;

inline void put_u32(Buffer& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<unsigned char>(value >> shift & 0xFFU));
}
inline void put_u64(Buffer& out, std::uint64_t value) {
  put_u32(out, static_cast<std::uint32_t>(value));
  put_u32(out, static_cast<std::uint32_t>(value >> 32U));
}
inline void put_varint(Buffer& out, std::uint64_t value) {
  while (value >= 0x80U) {
    out.push_back(static_cast<unsigned char>(value | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<unsigned char>(value));
}
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}
/// From one address to another, wrapping around.
inline void put_step(Buffer& out, std::uint64_t from, std::uint64_t to) {
  put_varint(out, zigzag(static_cast<std::int64_t>(to - from)));
}

/// What is wrong with the bytes being read, without saying where they lie.
class Malformed : public std::runtime_error {
 public:
  explicit Malformed(const std::string& what, std::size_t offset) : std::runtime_error(what), at(offset) {}
  std::size_t at;
};

class Cursor {
 public:
  explicit Cursor(std::span<const unsigned char> bytes, std::size_t base = 0) : bytes_(bytes), base_(base) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t left() const { return bytes_.size() - at_; }
  std::size_t position() const { return base_ + at_; }
  [[noreturn]] void fail(const std::string& what) const { throw Malformed(what, position()); }

  std::uint8_t u8() {
    if (at_ == bytes_.size()) fail("ends within a number");
    return bytes_[at_++];
  }
  std::uint32_t u32() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) value |= std::uint32_t{u8()} << shift;
    return value;
  }
  std::uint64_t u64() {
    const std::uint64_t low = u32();
    return low | std::uint64_t{u32()} << 32U;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = u8();
      if (shift == 63 && byte > 1) fail("a number of more than 64 bits");
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) return value;
    }
    fail("a number of more than ten bytes");
  }
  /// At most `most`, or an error that names the thing.
  std::uint64_t varint(std::uint64_t most, const char* thing) {
    const std::uint64_t value = varint();
    if (value > most) fail(std::string(thing) + " is " + std::to_string(value) + ", more than " + std::to_string(most));
    return value;
  }
  std::uint64_t step(std::uint64_t from) { return from + static_cast<std::uint64_t>(unzigzag(varint())); }
  std::span<const unsigned char> take(std::size_t count) {
    if (count > left()) fail("ends early");
    const auto part = bytes_.subspan(at_, count);
    at_ += count;
    return part;
  }

 private:
  std::span<const unsigned char> bytes_;
  std::size_t base_;
  std::size_t at_ = 0;
};

}  // namespace strata::formats
