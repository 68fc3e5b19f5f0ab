// SPDX-License-Identifier: Apache-2.0
// Parts of the page that know nothing of its state: sliders, tables, messages.
import { exact_size } from './units.mjs';

/// A slider over a control's values that stands at one of them. moved: called with the value's index.
export function slider(control, at, moved) {
  const row = document.createElement('div');
  row.className = 'control';
  const id = `control-${control.id}`;
  const label = Object.assign(document.createElement('label'), { htmlFor: id, textContent: control.label });
  const output = document.createElement('output');
  output.htmlFor = id;
  const input = Object.assign(document.createElement('input'), { type: 'range', id, min: 0, max: control.values.length - 1, step: 1 });
  const show = () => {
    const value = control.values[input.value];
    output.textContent = value.label;
    input.setAttribute('aria-valuetext', value.label);
    row.classList.toggle('changed', Number(input.value) !== control.own);
  };
  input.value = at;
  show();
  input.addEventListener('input', () => {
    show();
    moved(Number(input.value));
  });
  row.append(label, output, input);
  return row;
}

/// Sliders in a frame for each group; slider_of makes one.
export function grouped(controls, slider_of) {
  const groups = new Map();
  for (const control of controls) groups.set(control.group, [...(groups.get(control.group) ?? []), control]);
  return [...groups].map(([name, members]) => {
    const frame = document.createElement('fieldset');
    frame.append(Object.assign(document.createElement('legend'), { textContent: name }), ...members.map(slider_of));
    return frame;
  });
}

/// A row of a table, its first cell a heading.
export function cells(texts) {
  const row = document.createElement('tr');
  texts.forEach((text, i) => row.append(Object.assign(document.createElement(i === 0 ? 'th' : 'td'), { textContent: text })));
  return row;
}

export function tell_errors(box, errors) {
  box.hidden = errors.length === 0;
  box.replaceChildren('This machine or question cannot be simulated:');
  const list = document.createElement('ul');
  for (const { message, hint } of errors) list.append(Object.assign(document.createElement('li'), { textContent: hint ? `${message} (${hint})` : message }));
  box.append(list);
}

/// The command line that asks the program for the same curve.
export function command_text(gpu, sets, { from, to, per_octave, stride, threads }) {
  const options = [`--gpu ${gpu}`, ...Object.entries(sets).map(([path, value]) => `--set '${path}=${value}'`),
    `--from '${exact_size(from)}' --to '${exact_size(to)}' --points-per-octave ${per_octave}`, `--stride ${stride}B`, `--threads ${threads}`];
  return `strata latency ${options.join(' \\\n    ')}`;
}

/// The newest curve's line first, then the older one's, then a colour for each level that serves.
export function legend_of(lines, levels) {
  const entries = lines.map((text, i) => Object.assign(document.createElement('span'), { textContent: text, className: i > 0 ? 'old' : '' }));
  for (const { level, i } of levels) {
    const entry = document.createElement('b');
    entry.append(Object.assign(document.createElement('i'), { className: `level-${i}` }), level);
    entries.push(entry);
  }
  return entries;
}

/// The machines as options, in their groups.
export function menu(all) {
  return [...new Set(all.map((one) => one.group))].map((label) => {
    const group = Object.assign(document.createElement('optgroup'), { label });
    group.append(...all.filter((one) => one.group === label).map((one) => new Option(one.label, one.id)));
    return group;
  });
}

/// Points at one row of the stages after the other.
let playing = 0;
export function play(body_rows, ended) {
  clearInterval(playing);
  const rows = [...body_rows];
  let i = 0;
  const next = () => {
    rows.forEach((row, n) => row.classList.toggle('pointed', n === i));
    rows[i]?.dispatchEvent(new Event('mouseenter'));
    if (i++ < rows.length) return;
    clearInterval(playing);
    ended();
  };
  next();
  playing = setInterval(next, 700);
}

/// Light or dark; the button offers the other.
export function dress(button, dark) {
  document.documentElement.classList.toggle('dark', dark);
  button.textContent = dark ? 'Light' : 'Dark';
}
