// SPDX-License-Identifier: Apache-2.0
// One load of a chase that began cold: its address cut into the fields of each cache, what it met, and
// the sets, MSHRs, TLB entries and row buffer on its way before it, while it waits, and after it.
import { cycles_text, short } from './units.mjs';

const hexadecimal = (number) => `0x${number.toString(16)}`;
const most_ways = 16, most_pages = 6;

const lines_of = (moment, set) => moment.sets.find((one) => one.set === set)?.lines.map(({ line }) => line) ?? [];

/// A cache of the answer with what a picture of it marks.
function marked(cache, asked) {
  const had = lines_of(cache.before, cache.set);
  const gone = cache.before.sets.flatMap(({ set, lines }) => {
    const kept = lines_of(cache.after, set);
    return lines.map(({ line }) => line).filter((line) => !kept.includes(line));
  });
  return { ...cache, asked, gone, held: had.includes(cache.line), entered: !had.includes(cache.line) && lines_of(cache.after, cache.set).includes(cache.line),
    fetched: cache.waiting.fetching.includes(cache.line) && !cache.before.fetching.includes(cache.line) };
}

function translation_sentences({ tlbs, stages }, translated) {
  if (!translated || tlbs.length === 0) return [];
  const hit = tlbs.findIndex(({ before, page }) => before.includes(page));
  const missed = hit < 0 ? tlbs : tlbs.slice(0, hit);
  const time = stages.filter(({ stage }) => stage === 'page walk' || missed.some(({ name }) => stage === `${name} miss`)).reduce((sum, { cycles }) => sum + cycles, 0);
  const sentences = missed.map(({ name, page }) => `${name} does not hold page ${page}.`);
  if (hit >= 0) sentences.push(`${tlbs[hit].name} holds page ${tlbs[hit].page}.`);
  if (time > 0) sentences.push(`The translation takes ${cycles_text(time)}${hit < 0 ? ', a page walk included' : ''}.`);
  return sentences;
}

function cache_sentences(cache, hit) {
  const found = hit ? `holds line ${cache.line}: a hit.`
    : cache.held ? `has line ${cache.line}, but not this sector: a miss.` : `does not hold line ${cache.line}: a miss.`;
  const sentences = [`Set ${cache.set} of ${cache.name} ${found}`];
  if (cache.fetched) sentences.push(`It takes an MSHR (${cache.waiting.fetching.length} of ${cache.mshrs} in use).`);
  return sentences;
}

function bank_sentence({ bank, stages }) {
  const time = stages.find(({ stage }) => stage === 'DRAM bank')?.cycles ?? 0;
  const opens = `opens row ${bank.row}, which takes ${cycles_text(time)}${bank.after === bank.row ? '' : ', and closes it after the read'}`;
  if (bank.before === bank.row) return `Row ${bank.row} of bank ${bank.bank} is open: a row hit.`;
  if (bank.before < 0) return `Bank ${bank.bank} has no row open: it ${opens}.`;
  return `Bank ${bank.bank} has row ${bank.before} open: it closes that and ${opens}.`;
}

/// What happened, in sentences, and per cache what its tables show. early: translation comes before the L1.
export function explain(answer, step, early) {
  const last = answer.caches.findIndex(({ name }) => name === answer.served_by);
  const caches = answer.caches.map((cache, i) => marked(cache, last < 0 || i <= last));
  const [first, ...others] = caches.filter(({ asked }) => asked).map((cache) => cache_sentences(cache, cache.name === answer.served_by));
  const translation = translation_sentences(answer, early || last !== 0);
  const sentences = [`Load ${step + 1} reads address ${hexadecimal(answer.address)}.`,
    ...(early ? [...translation, ...first] : [...first, ...translation]), ...others.flat()];
  if (last < 0) sentences.push(`${answer.served_by} serves it.`);
  if (last < 0 && answer.bank) sentences.push(bank_sentence(answer));
  for (const { entered, line, name, gone } of caches)
    if (entered) sentences.push(`${name} fills line ${line}${gone.length > 0 ? ` and evicts line ${gone.join(', ')}` : ''}.`);
  sentences.push(`The load takes ${cycles_text(answer.cycles)}.`);
  return { sentences, caches };
}

function element(name, text, kind = '') {
  return Object.assign(document.createElement(name), { textContent: text, className: kind });
}

function row_of(heading, cells, kind = '') {
  const row = element('tr', '', kind);
  row.append(Object.assign(element('th', heading), { scope: 'row' }), ...cells);
  return row;
}

function table_of(title, rows) {
  const table = element('table', '', 'sets');
  table.append(element('caption', title), ...rows);
  return table;
}

/// The physical address as the cache reads it.
function fields(cache, physical) {
  return row_of(cache.name, [hexadecimal(Math.floor(cache.line / cache.sets)), cache.set, physical % cache.line_bytes].map((text) => element('td', String(text))));
}

function sets_table(cache, moment, title, mark) {
  const ways = Math.min(cache.ways, most_ways);
  const rows = moment.sets.map(({ set, lines }) => {
    const cells = lines.slice(0, ways).map(({ line, pending, dirty }) =>
      element('td', `${line}${dirty ? ' dirty' : ''}${pending ? ' …' : ''}`, mark(line, pending)));
    while (cells.length < ways) cells.push(element('td', '', 'empty'));
    return row_of(`set ${set}`, cells, set === cache.set && cache.asked ? 'chosen' : '');
  });
  const registers = moment.fetching.length === 0 ? [element('td', `none of ${cache.mshrs} in use`, 'empty wide')]
    : [element('td', `${moment.fetching.map((line) => `line ${line}`).join(', ')}: ${moment.fetching.length} of ${cache.mshrs}`, 'new wide')];
  registers[0].colSpan = ways;
  return table_of(title, [...rows, row_of('MSHRs', registers)]);
}

function cache_pictures(cache) {
  const pair = element('div', '', 'pair');
  const before = (line) => (line === cache.line ? 'hit' : cache.gone.includes(line) ? 'gone' : '');
  const after = (line) => (line === cache.line ? (cache.entered ? 'new' : 'hit') : '');
  const where = `${cache.name} (${cache.instance})`;
  pair.append(sets_table(cache, cache.before, `${where} before`, before));
  if (cache.fetched) pair.append(sets_table(cache, cache.waiting, 'while the load waits', (line, pending) => (pending ? 'pending' : '')));
  pair.append(sets_table(cache, cache.after, 'after', after));
  return pair;
}

function tlb_pictures({ name, page, set, ways, before, after }) {
  const pair = element('div', '', 'pair');
  const rows = (pages, marks) => {
    const cells = pages.slice(0, most_pages).map((one) => element('td', String(one), one === page ? marks : ''));
    if (pages.length > most_pages) cells.push(element('td', `and ${pages.length - most_pages}`, 'empty'));
    if (cells.length === 0) cells.push(element('td', '', 'empty'));
    return [row_of(`set ${set}`, cells)];
  };
  pair.append(table_of(`${name} (${ways} ways, latest page first) before`, rows(before, 'hit')),
    table_of('after', rows(after, before.includes(page) ? 'hit' : 'new')));
  return pair;
}

function bank_picture({ channel, pseudo_channel, bank, row, before, after }) {
  const cell = (open, mark) => element('td', open < 0 ? 'none' : String(open), open === row ? mark : open < 0 ? 'empty' : 'gone');
  return table_of(`Row buffer of bank ${bank}, pseudo-channel ${pseudo_channel}, channel ${channel}`,
    [row_of('row before', [cell(before, 'hit')]), row_of('row after', [cell(after, before === row ? 'hit' : 'new')])]);
}

export function show_walk({ text, addresses, stages, pictures }, { answer, step, early }) {
  const { sentences, caches } = explain(answer, step, early);
  text.textContent = sentences.join(' ');
  addresses.replaceChildren(...caches.map((cache) => fields(cache, answer.physical)));
  stages.textContent = answer.stages.map(({ stage, cycles }) => `${stage} ${short(cycles)}`).join(' + ');
  pictures.replaceChildren(...caches.map(cache_pictures), ...answer.tlbs.map(tlb_pictures), ...(answer.bank ? [bank_picture(answer.bank)] : []));
}
