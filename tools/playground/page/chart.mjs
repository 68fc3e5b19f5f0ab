// SPDX-License-Identifier: Apache-2.0
// The latency curve over the footprint, and beneath it which level served the loads.
import { percent, short, size_text } from './units.mjs';

const space = 'http://www.w3.org/2000/svg';

export function draw(name, attributes, ...children) {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value);
  for (const child of children) node.append(child);
  return node;
}

/// A round step so that at most `most` of them make `range`.
function round_step(range, most) {
  const raw = range / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].find((step) => step * power >= raw) * power;
}

/// curves: [{points, style}] with points sorted by footprint. Draws into `svg`; returns the picture's
/// scale: x to footprint.
export function latency_chart(svg, { curves, capacities, levels, range, selected, compact }) {
  const width = compact ? 420 : 860;
  const height = compact ? 380 : 430;
  const left = 48, right = width - 30, top = 26, bottom = height - 108, strip = height - 70, strip_end = height - 14;
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const [from, to] = range.map(Math.log2);
  const x = (footprint) => left + ((Math.log2(footprint) - from) / (to - from)) * (right - left);
  const highest = Math.max(10, ...curves.flatMap((curve) => curve.points.map((point) => point.cycles)));
  const step = round_step(highest * 1.08, 6);
  const ceiling = Math.ceil((highest * 1.04) / step) * step;
  const y = (cycles) => bottom - (cycles / ceiling) * (bottom - top);

  for (let value = 0; value <= ceiling; value += step) {
    svg.append(draw('line', { class: 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }));
    svg.append(draw('text', { class: 'tick', x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, String(value)));
  }
  svg.append(draw('text', { class: 'tick', x: left - 40, y: 14 }, 'load latency, core cycles'));
  const every = Math.ceil((to - from) / (compact ? 5 : 10));
  for (let power = Math.ceil(from); power <= to; power += every) {
    svg.append(draw('line', { class: 'grid', x1: x(2 ** power), x2: x(2 ** power), y1: top, y2: bottom }));
    svg.append(draw('text', { class: 'tick', x: x(2 ** power), y: bottom + 16, 'text-anchor': 'middle' }, size_text(2 ** power)));
  }
  let last_label = -100;
  for (const { level, bytes } of capacities) {
    if (bytes <= range[0] || bytes >= range[1]) continue;
    const at = x(bytes);
    svg.append(draw('line', { class: 'capacity', x1: at, x2: at, y1: top, y2: bottom }));
    const lower = at - last_label < 78;
    svg.append(draw('text', { class: 'capacity-label', x: at + 4, y: top + (lower ? 24 : 10) }, level));
    last_label = at;
  }
  for (const { points, style } of curves) {
    if (points.length === 0) continue;
    const path = points.map((point, i) => `${i ? 'L' : 'M'}${x(point.footprint_bytes).toFixed(1)} ${y(point.cycles).toFixed(1)}`);
    svg.append(draw('path', { class: `curve ${style}`, d: path.join('') }));
    if (style !== 'now') continue;
    for (const point of points)
      svg.append(draw('circle', { class: 'dot', cx: x(point.footprint_bytes), cy: y(point.cycles), r: 2.6 }));
  }

  // Shares: one column a point, from the middle to the neighbours.
  const now = curves.find((curve) => curve.style === 'now')?.points ?? [];
  svg.append(draw('text', { class: 'tick', x: left - 40, y: strip - 6 }, 'served by'));
  svg.append(draw('rect', { class: 'strip', x: left, y: strip, width: right - left, height: strip_end - strip }));
  now.forEach((point, i) => {
    const at = x(point.footprint_bytes);
    const begin = i > 0 ? (x(now[i - 1].footprint_bytes) + at) / 2 : left;
    const end = i + 1 < now.length ? (x(now[i + 1].footprint_bytes) + at) / 2 : right;
    let base = strip_end;
    for (const { level, share } of point.served_by) {
      if (share <= 0) continue;
      const tall = share * (strip_end - strip);
      base -= tall;
      svg.append(draw('rect', { class: `level level-${levels.indexOf(level)}`, x: begin, y: base, width: Math.max(end - begin, 0.5), height: tall },
        draw('title', {}, `${size_text(point.footprint_bytes)}: ${level} ${percent(share)}`)));
    }
  });

  if (selected) {
    const at = x(selected.footprint_bytes);
    svg.append(draw('line', { class: 'selected', x1: at, x2: at, y1: top, y2: bottom }));
    svg.append(draw('line', { class: 'selected', x1: at, x2: at, y1: strip, y2: strip_end }));
    svg.append(draw('circle', { class: 'selected-dot', cx: at, cy: y(selected.cycles), r: 5 }));
    const text = `${size_text(selected.footprint_bytes)}: ${short(selected.cycles)} cycles, ${short(selected.ns)} ns`;
    const to_left = at > width * 0.55;
    svg.append(draw('text', { class: 'selected-label', x: at + (to_left ? -9 : 9), y: Math.max(y(selected.cycles) - 10, top + 40), 'text-anchor': to_left ? 'end' : 'start' }, text));
  }
  return (client_x) => {
    const box = svg.getBoundingClientRect();
    const inside = ((client_x - box.left) / box.width) * width;
    return 2 ** (from + ((inside - left) / (right - left)) * (to - from));
  };
}
