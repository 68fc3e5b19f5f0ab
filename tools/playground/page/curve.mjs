// SPDX-License-Identifier: Apache-2.0
// Which points a curve has and in which order they are asked; the same points as `strata latency`.

function whole_strides(bytes, stride) {
  return Math.max(Math.floor((bytes + Math.floor(stride / 2)) / stride), 1) * stride;
}

/// Footprints from `from` to `to`, both included, so many an octave, each a whole number of strides.
export function footprints(from, to, per_octave, stride) {
  const all = [];
  for (let i = 0; ; i++) {
    const exact = from * 2 ** (i / per_octave);
    if (exact > to * (1 + 1e-9)) break;
    const footprint = whole_strides(Math.floor(exact + 0.5), stride);
    if (all.at(-1) !== footprint) all.push(footprint);
  }
  const last = whole_strides(to, stride);
  if (all.length === 0 || all.at(-1) < last) all.push(last);
  return all;
}

/// The same coarse to fine, so that the whole curve shows early: every fourth, then what lies between.
export function coarse_to_fine(all) {
  const order = [];
  for (const step of [4, 2, 1])
    for (let i = 0; i < all.length; i += step) if (!order.includes(all[i])) order.push(all[i]);
  return order;
}

const mask = (1n << 64n) - 1n;

// The mixing function of SplitMix64, as sim/base/random.hpp has it.
function mixed(x) {
  x = (x + 0x9e3779b97f4a7c15n) & mask;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & mask;
  return x ^ (x >> 31n);
}

/// The fingerprint of a curve, from those of its points in the order of the curve.
export function fingerprint_of(points) {
  const all = points.reduce((sum, point) => mixed(sum ^ mixed(BigInt(point.fingerprint))), 0n);
  return `0x${all.toString(16).padStart(16, '0')}`;
}
