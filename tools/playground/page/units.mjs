// SPDX-License-Identifier: Apache-2.0
// Sizes and other quantities as a configuration writes them, and as people read them.

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/// `129030 KiB` to {number, unit}; null where it is no number.
export function quantity(text) {
  const match = /^(-?[0-9.]+(?:e[+-]?[0-9]+)?)\s*(.*)$/.exec(text ?? '');
  return match ? { number: Number(match[1]), unit: match[2] } : null;
}

/// Bytes of `129030 KiB`; NaN where it is no size.
export function bytes_of(text) {
  const { number, unit } = quantity(text) ?? { number: NaN, unit: '' };
  const power = sizes.indexOf(unit);
  return power < 0 ? NaN : number * 1024 ** power;
}

/// The largest unit in which the size has a few digits: `126.0 MiB`.
export function size_text(bytes) {
  let power = 0;
  while (bytes >= 1024 && power < sizes.length - 1) {
    bytes /= 1024;
    power++;
  }
  return `${short(bytes)} ${sizes[power]}`;
}

/// A size that reads back exactly: `129030 KiB`.
export function exact_size(bytes) {
  let power = 0;
  while (bytes % 1024 === 0 && bytes > 0 && power < sizes.length - 1) {
    bytes /= 1024;
    power++;
  }
  return `${bytes} ${sizes[power]}`;
}

/// Three digits, as many as a figure's accuracy bears.
export function short(number) {
  if (!Number.isFinite(number)) return '-';
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
  return String(Number(number.toFixed(digits)));
}

export function rate_text(bytes_per_second) {
  return bytes_per_second >= 1e12 ? `${short(bytes_per_second / 1e12)} TB/s` : `${short(bytes_per_second / 1e9)} GB/s`;
}

export function percent(share) {
  if (share === null || !Number.isFinite(share)) return '-';
  return `${short(share * 100)} %`;
}

export function cycles_text(cycles) {
  return `${short(cycles)} ${short(cycles) === '1' ? 'cycle' : 'cycles'}`;
}
