// SPDX-License-Identifier: Apache-2.0
#include "stats/baseline.hpp"

#include <algorithm>
#include <cmath>

namespace strata::stats {

namespace {

// FNV-1a of the path.
std::uint64_t hash_of(const Figure& figure) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : figure.path) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

// Reservations of a resource may grow by an idle span more than the completed work.
void subtract(Kind kind, std::uint64_t& value, std::uint64_t& served, const Baseline::Values& before) {
  value -= kind == Kind::resource ? std::min(value, before.value) : before.value;
  served -= before.served;
}

}  // namespace

Baseline::Baseline(const Snapshot& snapshot) {
  all_.reserve(snapshot.figures().size());
  for (const Figure& figure : snapshot.figures())
    all_.push_back({hash_of(figure), figure.value, figure.served, figure.ahead});
}

const Baseline::Values* Baseline::Finder::find(const Figure& figure, std::size_t place) {
  const std::uint64_t path = hash_of(figure);
  if (place < all_.size() && all_[place].path == path) return &all_[place];
  if (!places_) {
    places_.emplace();
    for (std::size_t i = 0; i < all_.size(); ++i) places_->emplace(all_[i].path, i);
  }
  const auto found = places_->find(path);
  return found == places_->end() ? nullptr : &all_[found->second];
}

Snapshot operator-(Snapshot after, const Baseline& before) {
  Baseline::Finder earlier(before);
  after.change([&](Figure& figure, std::size_t place) {
    if (figure.kind == Kind::highest) return;
    if (const Baseline::Values* const values = earlier.find(figure, place))
      subtract(figure.kind, figure.value, figure.served, *values);
  });
  return after;
}

Snapshot repeated(Snapshot between, const Baseline& begin, const Baseline& end, double times) {
  Baseline::Finder earlier(begin);
  Baseline::Finder later(end);
  const auto more = [times](std::uint64_t value) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * times));
  };
  between.change([&](Figure& figure, std::size_t place) {
    if (figure.kind == Kind::highest) return;
    const Baseline::Values* const after = later.find(figure, place);
    if (after == nullptr) return;
    Baseline::Values window = *after;
    if (const Baseline::Values* const before = earlier.find(figure, place))
      subtract(figure.kind, window.value, window.served, *before);
    figure.value += more(window.value);
    figure.served += more(window.served);
  });
  return between;
}

}  // namespace strata::stats
