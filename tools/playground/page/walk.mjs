// SPDX-License-Identifier: Apache-2.0
// One load of a chase that began cold: its address cut into the fields of each cache, what it met, and
// the lines of the caches before and after it.
import { block_of } from './journey.mjs';
import { bytes_of, cycles_text, short } from './units.mjs';

const hexadecimal = (number) => `0x${number.toString(16)}`;

/// The geometry of L1 and L2, as far as the walk draws it. L2 is left out where it has several slices.
export function caches_of(settings) {
  const cache = (map, size) => {
    const line = bytes_of(settings[`${map}.cache.line`]);
    const ways = Number(settings[`${map}.cache.ways`]);
    return { name: settings[`${map}.cache.name`], line_bytes: line, ways, sets: size / (line * ways) };
  };
  const all = [cache('l1', bytes_of(settings['l1.capacity']))];
  if (settings['l2.slices_per_die'] === '1' && settings['l2.bypass'] !== 'true') all.push(cache('l2', bytes_of(settings['l2.cache.size'])));
  return all;
}

/// Set and held lines of a cache: Map of set to lines, from what a walk says before or after a load.
function held(cache, first, contents) {
  const sets = new Map();
  for (const one of contents) {
    const line = Math.floor(one.address / cache.line_bytes);
    const set = first ? line % cache.sets : one.l2_set;
    const lines = sets.get(set) ?? sets.set(set, new Set()).get(set);
    if ((first ? one.served_by : one.past_l1) === cache.name) lines.add(line);
  }
  return sets;
}

/// What happened, in sentences, and per cache what its tables show.
export function explain(answer, step, settings, blocks) {
  const caches = caches_of(settings).map((cache, i) => {
    const before = held(cache, i === 0, answer.before);
    const after = held(cache, i === 0, answer.after);
    const line = Math.floor(answer.address / cache.line_bytes);
    const set = i === 0 ? line % cache.sets : answer.before.find((one) => one.address === answer.address).l2_set;
    const gone = [...before].flatMap(([at, lines]) => [...lines].filter((one) => !after.get(at).has(one)));
    const asked = i === 0 || answer.stages.some(({ stage }) => stage === `${cache.name} tag`);
    return { ...cache, before, after, line, set, gone, asked, entered: !before.get(set).has(line) && after.get(set).has(line) };
  });
  const sentences = [`Load ${step + 1} reads address ${hexadecimal(answer.address)}.`];
  const walks = answer.stages.filter(({ stage, cycles }) => block_of(stage, blocks) === 'tlb' && cycles > 0);
  for (const cache of caches) {
    if (!cache.asked) continue;
    const hit = answer.served_by === cache.name;
    const there = cache.before.get(cache.set).has(cache.line);
    sentences.push(hit ? `Set ${cache.set} of ${cache.name} holds line ${cache.line}: a hit.`
      : there ? `Set ${cache.set} of ${cache.name} has line ${cache.line}, but not this sector: a miss.`
        : `Set ${cache.set} of ${cache.name} does not hold line ${cache.line}: a miss.`);
    if (hit) break;
  }
  if (walks.length > 0) sentences.push(`The TLB does not know the page; the translation takes ${cycles_text(walks.reduce((sum, one) => sum + one.cycles, 0))}.`);
  if (!caches.some((cache) => cache.name === answer.served_by)) sentences.push(`${answer.served_by} serves it.`);
  if (answer.served_by === 'DRAM') {
    const bank = answer.stages.find(({ stage }) => stage === 'DRAM bank')?.cycles ?? 0;
    sentences.push(bank > 0 ? `The bank takes ${cycles_text(bank)} to open the row.` : 'Its row is open already.');
  }
  for (const cache of caches) {
    if (cache.entered) sentences.push(`Line ${cache.line} enters ${cache.name}${cache.gone.length > 0 ? ` and line ${cache.gone.join(', ')} leaves it` : ''}.`);
  }
  sentences.push(`The load takes ${cycles_text(answer.cycles)}.`);
  return { sentences, caches };
}

function element(name, text, kind = '') {
  return Object.assign(document.createElement(name), { textContent: text, className: kind });
}

/// The address as the cache reads it.
function fields(cache, address) {
  const row = document.createElement('tr');
  const tag = Math.floor(cache.line / cache.sets);
  row.append(element('th', cache.name), element('td', hexadecimal(tag)), element('td', String(cache.set)), element('td', String(address % cache.line_bytes)));
  return row;
}

function sets_table(cache, contents, title, mark) {
  const table = document.createElement('table');
  table.className = 'sets';
  table.append(element('caption', title));
  for (const set of [...contents.keys()].sort((a, b) => a - b)) {
    const row = document.createElement('tr');
    row.append(element('th', `set ${set}`));
    const lines = [...contents.get(set)].sort((a, b) => a - b);
    for (let way = 0; way < Math.max(cache.ways, lines.length); way++) {
      if (way >= 16) break;
      row.append(way < lines.length ? element('td', String(lines[way]), mark(lines[way])) : element('td', '', 'empty'));
    }
    if (set === cache.set && cache.asked) row.className = 'chosen';
    table.append(row);
  }
  return table;
}

export function show_walk({ text, addresses, stages, pictures }, { answer, step, settings, blocks }) {
  const { sentences, caches } = explain(answer, step, settings, blocks);
  text.textContent = sentences.join(' ');
  addresses.replaceChildren(...caches.map((cache) => fields(cache, answer.address)));
  stages.textContent = answer.stages.map(({ stage, cycles }) => `${stage} ${short(cycles)}`).join(' + ');
  pictures.replaceChildren(...caches.map((cache) => {
    const pair = document.createElement('div');
    pair.className = 'pair';
    pair.append(
      sets_table(cache, cache.before, `${cache.name} before`, (line) => (line === cache.line ? 'hit' : cache.gone.includes(line) ? 'gone' : '')),
      sets_table(cache, cache.after, `${cache.name} after`, (line) => (line === cache.line ? (cache.entered ? 'new' : 'hit') : '')));
    return pair;
  }));
}
