// SPDX-License-Identifier: Apache-2.0
// What can be changed: a control is a list of values, one of which is the machine's own. From each
// value follow the settings (path to text) that it stands for, exactly as --set would take them.
import { bytes_of, exact_size, quantity, size_text } from './units.mjs';

const coarse = [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8];
const fine = [0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4];
const own = { label: '', sets: {} };

/// A value times each factor, in the value's own unit.
function scaled(settings, paths, factors) {
  const base = quantity(settings[paths[0]]);
  if (!base || base.number === 0) return null;
  return factors.map((factor) => {
    const times = (path) => {
      const { number, unit } = quantity(settings[path]);
      return `${Number((number * factor).toPrecision(6))} ${unit}`.trim();
    };
    if (factor === 1) return { ...own, label: times(paths[0]) };
    return { label: times(paths[0]), sets: Object.fromEntries(paths.map((path) => [path, times(path)])) };
  });
}

/// Sets of tags enough for so many bytes, where data are pooled apart from their tags: {} if those there are will do.
function enough_tags(settings, part, bytes) {
  const tag_sets = Number(settings[part.tag_sets] ?? 0);
  if (!(tag_sets > 0)) return {};
  const needed = 2 ** Math.ceil(Math.log2(bytes / bytes_of(settings[part.line]) / Number(settings[part.ways])));
  return needed > tag_sets ? { [part.tag_sets]: String(needed) } : {};
}

/// A capacity, kept a whole number of sets of every part that it is made of; tags grow with it where they are apart.
function capacity(settings, path, part) {
  const base = bytes_of(settings[path]);
  // A carve-out of an L1 is one part, whatever its size without it.
  const size = path === 'l1.capacity' ? base : bytes_of(settings[part.size]);
  if (!(base > 0) || !(size > 0)) return null;
  const set = Number(settings[part.ways]) * bytes_of(settings[part.line]);
  const parts = base / size;
  const seen = new Map();
  for (const factor of coarse) {
    const sets = Math.max(1, Math.round((size * factor) / set));
    const bytes = factor === 1 ? base : sets * set * parts;
    const sets_of_it = factor === 1 ? {} : { [path]: exact_size(bytes), ...enough_tags(settings, part, bytes / parts) };
    seen.set(bytes, { label: size_text(bytes), sets: sets_of_it });
  }
  return [...seen].sort(([a], [b]) => a - b).map(([, value]) => value);
}

/// As many tags in half as many sets, and so on both ways, where data are pooled apart from their tags.
function ways_of_tags(settings, part) {
  const own_ways = Number(settings[part.ways]);
  const tags = Number(settings[part.tag_sets]) * own_ways;
  const values = [];
  for (let n = 1; n <= Math.min(tags, 128); n++) {
    const steps = Math.log2(n / own_ways);
    if (tags % n !== 0 || !Number.isInteger(steps)) continue;
    values.push({ label: `${n}-way`, sets: n === own_ways ? {} : { [part.ways]: String(n), [part.tag_sets]: String(tags / n) } });
  }
  return values;
}

/// Ways that divide the lines of the cache into whole sets, around those it has.
function ways(settings, part) {
  if (Number(settings[part.tag_sets] ?? 0) > 0) return ways_of_tags(settings, part);
  const lines = bytes_of(settings[part.size]) / bytes_of(settings[part.line]);
  const own_ways = Number(settings[part.ways]);
  if (!(lines > 0) || !(own_ways > 0)) return null;
  const values = [];
  for (let n = 1; n <= Math.min(lines, 128); n++) {
    if (lines % n !== 0) continue;
    values.push({ label: `${n}-way`, sets: n === own_ways ? {} : { [part.ways]: String(n) } });
  }
  return values;
}

function all_links(settings, what) {
  return Object.keys(settings).filter((path) => path.startsWith('network.links[') && path.endsWith(`.${what}`));
}

const cache_at = (map) => ({
  size: `${map}.cache.size`, ways: `${map}.cache.ways`, line: `${map}.cache.line`, tag_sets: `${map}.cache.data_pool.tag_sets`,
});

/// The controls of a machine by its settings. Those that it has no part for are left out.
export function machine_controls(settings) {
  const l1 = settings['l1.cache.name'] ?? 'L1';
  const l2 = settings['l2.cache.name'] ?? 'L2';
  const side = settings['memory_side_cache.cache.name'];
  const has_side = side !== undefined;
  const all = [
    { id: 'l1', group: l1, label: 'capacity', values: capacity(settings, 'l1.capacity', cache_at('l1')) },
    { id: 'l1ways', group: l1, label: 'associativity', values: ways(settings, cache_at('l1')) },
    { id: 'l1hit', group: l1, label: 'hit latency', values: scaled(settings, ['l1.cache.hit_latency'], fine) },
    { id: 'tlb', group: 'TLB', label: 'entries', values: scaled(settings, ['translation.levels[0].entries'], [0.25, 0.5, 1, 2, 4]) },
    { id: 'l2', group: l2, label: 'capacity', values: capacity(settings, 'l2.capacity', cache_at('l2')) },
    { id: 'l2ways', group: l2, label: 'associativity', values: ways(settings, cache_at('l2')) },
    { id: 'l2hit', group: l2, label: 'hit latency', values: scaled(settings, ['l2.cache.hit_latency'], fine) },
    { id: 'xbar', group: 'Links', label: 'crossbar latency, each way', values: scaled(settings, ['crossbar.request_latency', 'crossbar.response_latency'], fine) },
    { id: 'link', group: 'Links', label: 'latency between dies', values: scaled(settings, all_links(settings, 'latency'), fine) },
    { id: 'linkbw', group: 'Links', label: 'bandwidth between dies', values: scaled(settings, all_links(settings, 'bandwidth'), coarse) },
    { id: 'side', group: side, label: 'capacity', values: has_side ? capacity(settings, 'memory_side_cache.capacity', cache_at('memory_side_cache')) : null },
    { id: 'sidehit', group: side, label: 'hit latency', values: has_side ? scaled(settings, ['memory_side_cache.cache.hit_latency'], fine) : null },
    { id: 'dram', group: 'DRAM', label: 'controller latency', values: scaled(settings, ['memory.channel.controller.latency'], fine) },
  ];
  return all
    .filter((control) => control.values && control.values.length > 1)
    .map((control) => ({ ...control, own: control.values.findIndex((value) => Object.keys(value.sets).length === 0) }));
}

const power_steps = (from, to, step = 1) => {
  const values = [];
  for (let power = from; power <= to; power += step) values.push(2 ** power);
  return values;
};

/// The controls of the question. limits: bytes of memory, the largest capacity of a cache, cores.
export function question_controls({ memory, capacity, cores }) {
  const end = Math.min(memory, 2 ** Math.ceil(Math.log2(capacity * 2)));
  const first = capacity < 1 << 20 ? 7 : 12;
  const plain = (values, text) => values.map((number) => ({ number, label: text(number) }));
  const stride = plain(power_steps(5, 12), size_text);
  const from = plain(power_steps(first, Math.max(first, Math.log2(end) - 4)), size_text);
  const to = plain(power_steps(first + 3, Math.log2(Math.min(memory, 2 ** 32))), size_text);
  const threads = plain(power_steps(0, Math.max(0, Math.floor(Math.log2(Math.min(cores, 64))))), String);
  return [
    { id: 'stride', label: 'stride', values: stride, own: stride.findIndex((value) => value.number === 128) },
    { id: 'from', label: 'smallest footprint', values: from, own: 0 },
    { id: 'to', label: 'largest footprint', values: to, own: to.findIndex((value) => value.number === end) },
    { id: 'threads', label: 'threads', values: threads, own: 0 },
  ].filter((control) => control.values.length > 1);
}
