// SPDX-License-Identifier: Apache-2.0
// The journey of one load: the machine as a row of blocks, each with the cycles that the load spends
// there, and beneath it a bar for each stage, at its time.
import { draw } from './chart.mjs';
import { cycles_text, percent, short } from './units.mjs';

/// The block that a stage belongs to: the stage's name without its last word, or the kind of link.
export function block_of(stage, blocks) {
  const named = blocks.filter((block) => block.name && (stage.startsWith(`${block.name} `) || stage.includes(` ${block.name} `) || stage.endsWith(` ${block.name}`)));
  if (named.length > 0) return named.sort((a, b) => b.name.length - a.name.length)[0].id;
  if (stage.endsWith('address and issue')) return 'core';
  if (stage.includes('crossbar')) return 'crossbar';
  if (stage.endsWith(' miss') || stage.includes('walk')) return 'tlb';
  if (stage.startsWith('DRAM')) return 'dram';
  return 'links';
}

/// The blocks of a machine, from the core to memory.
export function blocks_of(settings, capacities) {
  const size = (name) => capacities.findLast((one) => one.level === name)?.text ?? '';
  const l1 = settings['l1.cache.name'] ?? 'L1';
  const l2 = settings['l2.cache.name'] ?? 'L2';
  const side = settings['memory_side_cache.cache.name'];
  const tlb = settings['translation.levels[0].name'];
  const each_die = Number(settings['dies.compute']) > 1 && settings['l2.partitioned'] !== 'true';
  const linked = Object.keys(settings).some((path) => path.startsWith('network.links['));
  return [
    { id: 'core', name: '', label: settings['core.name'] ?? 'core', detail: '' },
    tlb && { id: 'tlb', name: tlb, label: tlb, detail: `${settings['translation.levels[0].entries'] ?? ''} entries` },
    { id: 'l1', name: l1, label: l1, detail: size(l1) },
    { id: 'crossbar', name: '', label: 'crossbar', detail: '' },
    settings['l2.bypass'] !== 'true' && { id: 'l2', name: l2, label: l2, detail: `${size(l2)}${each_die ? ' a die' : ''}` },
    linked && { id: 'links', name: '', label: 'links', detail: 'between dies' },
    side && { id: 'side', name: side, label: side, detail: size(side) },
    { id: 'dram', name: 'DRAM', label: 'DRAM', detail: '' },
  ].filter(Boolean);
}

/// shares: level to share of the loads, at the chosen footprint.
export function machine_picture(svg, { blocks, stages, shares, compact }) {
  const columns = compact ? 4 : blocks.length;
  const wide = compact ? 96 : Math.min(112, 860 / blocks.length - 14);
  const gap = compact ? 10 : (860 - blocks.length * wide) / Math.max(blocks.length - 1, 1);
  const tall = 78, row = tall + 26;
  const rows = Math.ceil(blocks.length / columns);
  svg.setAttribute('viewBox', `0 0 ${compact ? 420 : 860} ${rows * row - 10}`);
  svg.replaceChildren();
  const spent = new Map();
  for (const { stage, cycles } of stages) {
    const id = block_of(stage, blocks);
    spent.set(id, (spent.get(id) ?? 0) + cycles);
  }
  blocks.forEach((block, i) => {
    const x = (i % columns) * (wide + gap);
    const y = Math.floor(i / columns) * row;
    const visited = spent.has(block.id);
    if (i % columns > 0)
      svg.append(draw('line', { class: visited ? 'wire visited' : 'wire', x1: x - gap, x2: x, y1: y + tall / 2, y2: y + tall / 2 }));
    const share = shares.filter(([level]) => block.name && (level === block.name || level.endsWith(` ${block.name}`))).reduce((sum, [, part]) => sum + part, 0);
    const group = draw('g', { class: `block ${visited ? 'visited' : ''}`, 'data-block': block.id });
    group.append(draw('rect', { class: 'box', x: x + 1, y: y + 1, width: wide - 2, height: tall, rx: 6 }));
    if (share > 0) group.append(draw('rect', { class: 'served', x: x + 1, y: y + 1 + tall * (1 - share), width: wide - 2, height: tall * share, rx: 6 }));
    const middle = x + wide / 2;
    const fitting = block.label.length * 7.4 > wide - 8 ? wide - 10 : null;
    group.append(draw('text', { class: 'block-name', x: middle, y: y + 19, 'text-anchor': 'middle', textLength: fitting, lengthAdjust: fitting && 'spacingAndGlyphs' }, block.label));
    group.append(draw('text', { class: 'block-detail', x: middle, y: y + 35, 'text-anchor': 'middle' }, block.detail));
    group.append(draw('text', { class: 'block-cycles', x: middle, y: y + 55, 'text-anchor': 'middle' }, visited ? cycles_text(spent.get(block.id)) : ''));
    if (share > 0) group.append(draw('text', { class: 'block-detail', x: middle, y: y + 71, 'text-anchor': 'middle' }, `serves ${percent(share)}`));
    svg.append(group);
  });
}

/// A row for each stage. `point_at(block)` is called as a row is pointed at or gets the focus.
export function stage_table(body, { stages, blocks, total, point_at }) {
  body.replaceChildren();
  let begun = 0;
  for (const { stage, cycles, ns, note } of stages) {
    const bar = draw('svg', { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      draw('rect', { x: (begun / total) * 100, y: 0, width: Math.max((cycles / total) * 100, 0.6), height: 10 }));
    begun += cycles;
    const row = document.createElement('tr');
    row.tabIndex = 0;
    const block = block_of(stage, blocks);
    for (const [kind, content] of [['th', stage], ['td', short(cycles)], ['td', short(ns)], ['td', bar], ['td', note]]) {
      const cell = document.createElement(kind);
      if (kind === 'th') cell.scope = 'row';
      cell.append(content);
      row.append(cell);
    }
    for (const event of ['mouseenter', 'focus']) row.addEventListener(event, () => point_at(block));
    for (const event of ['mouseleave', 'blur']) row.addEventListener(event, () => point_at(null));
    body.append(row);
  }
}
