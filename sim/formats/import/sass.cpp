// SPDX-License-Identifier: Apache-2.0
#include "formats/import/sass.hpp"

#include <charconv>
#include <optional>

namespace strata::formats {

namespace {

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// 64x128x16 as the product of its numbers; 0: it is no shape.
std::uint64_t product_of(std::string_view shape) {
  std::uint64_t product = 1;
  unsigned factors = 0;
  while (!shape.empty()) {
    const std::size_t x = std::min(shape.find('x'), shape.size());
    const auto factor = whole(shape.substr(0, x));
    if (!factor || *factor == 0 || *factor > 1024) return 0;
    product *= *factor;
    if (++factors > 3) return 0;
    shape.remove_prefix(std::min(x + 1, shape.size()));
  }
  return factors == 3 ? product : 0;
}

struct Shape {
  std::string_view name;
  std::uint64_t products;
};
// Shapes written without a cross: m, n and k one after the other.
constexpr Shape shapes[] = {{"884", 8 * 8 * 4},     {"888", 8 * 8 * 8},       {"1684", 16 * 8 * 4},
                            {"1688", 16 * 8 * 8},   {"16816", 16 * 8 * 16},   {"8816", 8 * 8 * 16},
                            {"8832", 8 * 8 * 32},   {"16832", 16 * 8 * 32},   {"16864", 16 * 8 * 64},
                            {"88128", 8 * 8 * 128}, {"168128", 16 * 8 * 128}, {"168256", 16 * 8 * 256}};

}  // namespace

template <class Visit>
bool SassModifiers::any(Visit visit) const {
  for (std::size_t at = opcode_.find('.'); at < opcode_.size();) {
    const std::size_t end = std::min(opcode_.find('.', at + 1), opcode_.size());
    if (visit(opcode_.substr(at + 1, end - at - 1))) return true;
    at = end;
  }
  return false;
}

bool SassModifiers::has(std::string_view modifier) const {
  return any([&](std::string_view word) { return word == modifier; });
}

unsigned SassModifiers::bytes() const {
  unsigned bytes = 4;
  any([&](std::string_view word) {
    if (word.size() > 1 && (word[0] == 'U' || word[0] == 'S')) word.remove_prefix(1);
    const auto bits = whole(word);
    if (!bits || *bits % 8 != 0 || *bits < 8 || *bits > 256) return false;
    bytes = static_cast<unsigned>(*bits / 8);
    return true;
  });
  return bytes;
}

std::uint64_t SassModifiers::tensor_products() const {
  std::uint64_t products = 0;
  any([&](std::string_view word) {
    for (const Shape& shape : shapes)
      if (shape.name == word) products = shape.products;
    // A shape with crosses is that of a warpgroup of four, each of which issues it.
    if (products == 0) products = product_of(word) / 4;
    return products != 0;
  });
  return products;
}

trace::Scope SassModifiers::scope() const {
  if (has("SYS") || has("VC")) return trace::Scope::system;
  if (has("GPU") || has("IVALL")) return trace::Scope::gpu;
  return trace::Scope::block;
}

}  // namespace strata::formats
