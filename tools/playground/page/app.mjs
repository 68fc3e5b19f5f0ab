// SPDX-License-Identifier: Apache-2.0
// The page: controls to a machine and a question, answers of the workers to pictures.
import { latency_chart } from './chart.mjs';
import { machine_controls, question_controls } from './controls.mjs';
import { coarse_to_fine, fingerprint_of, footprints } from './curve.mjs';
import { cells, command_text, dress, grouped, legend_of, menu, play, slider, tell_errors } from './form.mjs';
import { blocks_of, machine_picture, stage_table } from './journey.mjs';
import { unpack } from './load.mjs';
import { machines } from './machines.mjs';
import { Team } from './team.mjs';
import { cycles_text, percent, rate_text, short, size_text } from './units.mjs';
import { show_walk } from './walk.mjs';
import { configuration, question } from './wasi.mjs';

const $ = (id) => document.getElementById(id);
const configurations = JSON.parse($('configurations').textContent);
const narrow = matchMedia('(max-width: 820px)');
const per_octave = 2;

let team;            // of workers
let chosen = {};     // control id to label, where it is not the machine's own; the machine under `gpu`
let plain;           // what the machine as configured says of itself
let described;       // what the machine as changed says of itself
let controls = [];
let asked = [];      // controls of the question
let range = [1024, 2048];
let plan = [];
const curves = new Map(); // text of machine and question to {points}
let key = '';
let own_key = '';
let journey = null;
let step = 0;
let turn = 0;        // counts what was asked for, so that late answers are known
let began = 0;

// State and address

function read_address() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!configurations[given.gpu]) given.gpu = machines[0].id;
  return given;
}

function write_address() {
  history.replaceState(null, '', `#${new URLSearchParams(chosen)}`);
}

function value_of(control) {
  const at = control.values.findIndex((value) => value.label === chosen[control.id]);
  return control.values[at < 0 ? control.own : at];
}

function number_of(id) {
  const control = asked.find((one) => one.id === id);
  return control ? value_of(control).number : 1;
}

// Values that no control offers (an old link) are the machine's own.
function forget_unknown() {
  for (const { id, values } of [...controls, ...asked])
    if (!values.some((value) => value.label === chosen[id])) delete chosen[id];
}

// Controls

function slider_of(control) {
  return slider(control, control.values.indexOf(value_of(control)), (at) => {
    if (at === control.own) delete chosen[control.id];
    else chosen[control.id] = control.values[at].label;
    soon();
  });
}

function show_controls() {
  $('controls').replaceChildren(...grouped(controls, slider_of));
  const legend = $('question').firstElementChild;
  $('question').replaceChildren(legend, ...asked.map(slider_of));
}

// A dragged slider asks once it rests.
let timer;
function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => update(), 120);
}

// Pictures

const points_now = () => curves.get(key)?.points ?? [];

function selected() {
  const points = points_now();
  if (points.length === 0) return null;
  const wanted = Number(chosen.at);
  return points.reduce((best, point) =>
    Math.abs(Math.log(point.footprint_bytes / wanted)) < Math.abs(Math.log(best.footprint_bytes / wanted)) ? point : best);
}

function labelled_capacities() {
  return described.capacities.map(({ level, bytes }) => ({ level, bytes, text: size_text(bytes) }));
}

let to_footprint = () => 1;
let drawing = false;
function redraw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    show_curve();
    show_machine();
  });
}

function show_curve() {
  const points = points_now();
  const before = key === own_key ? [] : (curves.get(own_key)?.points ?? []);
  const inside = (all) => all.filter((point) => point.footprint_bytes >= range[0] && point.footprint_bytes <= range[1]);
  const levels = (points[0] ?? before[0])?.served_by.map((one) => one.level) ?? [];
  const at = selected();
  to_footprint = latency_chart($('curve'), {
    curves: [{ points: inside(before), style: 'before' }, { points, style: 'now' }],
    capacities: described.capacities, levels, range, selected: at, compact: narrow.matches,
  });
  const served = levels.map((level, i) => ({ level, i })).filter(({ i }) => points.some((point) => point.served_by[i]?.share > 0.0005));
  const legend = legend_of(key === own_key ? ['as configured'] : ['as changed', ...(before.length > 0 ? ['as configured'] : [])], served);
  $('legend').replaceChildren(...legend);
  const slider_at = $('at');
  slider_at.max = plan.length - 1;
  if (at) {
    slider_at.value = plan.indexOf(at.footprint_bytes);
    slider_at.setAttribute('aria-valuetext', size_text(at.footprint_bytes));
    $('at-text').textContent = `${size_text(at.footprint_bytes)}: ${short(at.cycles)} cycles`;
  }
  $('points').tBodies[0].replaceChildren(...points.map((point) => cells([
    size_text(point.footprint_bytes), short(point.cycles), short(point.ns), shares_text(point)])));
}

const shares_text = (point) => point.served_by.filter((one) => one.share > 0).map((one) => `${one.level} ${percent(one.share)}`).join(', ');

function point_at(block) {
  for (const group of $('picture').querySelectorAll('.block')) group.classList.toggle('pointed', group.dataset.block === block);
}

function show_machine() {
  const blocks = blocks_of(described.settings, labelled_capacities());
  const shares = selected()?.served_by.map((one) => [one.level, one.share]) ?? [];
  machine_picture($('picture'), { blocks, stages: journey?.stages ?? [], shares, compact: narrow.matches });
  if (!journey) return;
  stage_table($('stages').tBodies[0], { stages: journey.stages, blocks, total: journey.cycles, point_at });
  $('journey-text').textContent = `After a chase over ${size_text(journey.footprint)}, the load of address 0x${journey.address.toString(16)} takes ${cycles_text(journey.cycles)} (${short(journey.ns)} ns). Served by: ${journey.served_by}.`;
  $('whereabouts').replaceChildren(...journey.whereabouts.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
}

const show_errors = (errors) => tell_errors($('errors'), errors);

function status() {
  const points = points_now().length;
  const seconds = short((performance.now() - began) / 1000);
  const busy = team.busy();
  $('stop').disabled = !busy;
  $('status').textContent = busy ? `${points} of ${plan.length} points, ${seconds} s` : points < plan.length ? `stopped at ${points} of ${plan.length} points` : `${points} points in ${seconds} s`;
  const done = points === plan.length && points > 0;
  $('fingerprint').textContent = done ? `Fingerprint of this curve: ${fingerprint_of(points_now())}. The program prints the same in its JSON.` : '';
  document.body.dataset.state = busy ? 'busy' : done ? 'done' : 'stopped';
}

// Questions

async function update() {
  const mine = ++turn;
  began = performance.now();
  document.body.dataset.state = 'busy';
  const sets = Object.assign({}, ...controls.map((control) => value_of(control).sets));
  const rows = configurations[chosen.gpu];
  const machine = configuration(rows, sets);
  write_address();
  $('command').textContent = command_text(chosen.gpu, sets, {
    from: number_of('from'), to: number_of('to'), per_octave, stride: number_of('stride'), threads: number_of('threads') });
  team.configure(machine);
  const answer = await team.ask(machine);
  if (!answer || mine !== turn) return;
  show_errors(answer.errors ?? []);
  if (answer.errors) return status();
  described = answer;

  const ask = { stride: number_of('stride'), threads: number_of('threads') };
  range = [number_of('from'), Math.max(number_of('to'), number_of('from') * 2)];
  plan = footprints(...range, per_octave, ask.stride);
  const about = JSON.stringify([ask, range]);
  key = machine + about;
  const own = configuration(rows, {});
  own_key = own + about;
  for (const one of [key, own_key]) if (!curves.has(one)) curves.set(one, { points: [] });
  const { points } = curves.get(key);
  if (!(Number(chosen.at) >= range[0] && Number(chosen.at) <= range[1])) chosen.at = plan.find((one) => one > Math.max(...answer.capacities.map((one) => one.bytes)) * 0.9) ?? plan.at(-1);
  clear_bandwidth();
  redraw();
  // The journey is asked for once the coarse curve stands.
  const order = coarse_to_fine(plan).filter((one) => !points.some((point) => point.footprint_bytes === one));
  const coarse = Math.ceil(plan.length / 4);
  order.slice(0, coarse).forEach((footprint) => ask_point(mine, points, footprint, ask));
  ask_journey();
  ask_walk();
  if (small()) measure_bandwidth();
  order.slice(coarse).forEach((footprint) => ask_point(mine, points, footprint, ask));
  // The machine as configured, to compare with, where an address brought the changed one first.
  const before = curves.get(own_key).points;
  for (const footprint of key === own_key ? [] : coarse_to_fine(plan))
    if (!before.some((point) => point.footprint_bytes === footprint)) ask_point(mine, before, footprint, ask, own);
  status();
}

async function ask_point(mine, points, footprint, ask, machine = team.machine) {
  const point = await team.ask(question('latency', { ...ask, footprint }), machine);
  if (!point || mine !== turn) return;
  if (point.errors) {
    team.stop();
    show_errors(point.errors);
  } else {
    points.push(point);
    points.sort((a, b) => a.footprint_bytes - b.footprint_bytes);
    document.body.dataset.first ??= performance.now().toFixed(0);
  }
  redraw();
  status();
}

async function ask_journey() {
  const mine = turn;
  const footprint = Number(chosen.at);
  const answer = await team.ask(question('journey', { footprint, stride: number_of('stride'), step }));
  if (!answer || mine !== turn || footprint !== Number(chosen.at)) return;
  if (answer.errors) return show_errors(answer.errors);
  journey = { ...answer, footprint };
  redraw();
  status();
}

// A machine of a few cores answers at once; a whole GPU takes seconds, so that it is asked for.
const small = () => asked.cores <= 8;

// The walk: how many nodes, which load.
const walk = { nodes: 12, order: 'ascending', step: 0 };

async function ask_walk() {
  const mine = turn;
  const { step: number } = walk;
  $('walk-back').disabled = $('walk-first').disabled = number === 0;
  const stride = number_of('stride');
  const answer = await team.ask(question('walk', { stride, footprint: walk.nodes * stride, step: number, ascending: Number(walk.order === 'ascending') }));
  if (mine === turn) status();
  if (!answer || mine !== turn || number !== walk.step) return;
  if (answer.errors) return show_errors(answer.errors);
  show_walk({ text: $('walk-text'), addresses: $('walk-address').tBodies[0], stages: $('walk-stages'), pictures: $('walk-sets') },
    { answer, step: number, early: described.settings.translate_before_l1 === 'true' });
  $('walk').dataset.step = number;
}

function walk_to(number) {
  walk.step = Math.min(Math.max(number, 0), 511);
  chosen.walk = [walk.nodes, walk.order, walk.step].join(' ');
  write_address();
  ask_walk();
  status();
}

/// The walk that an address names: `12 ascending 7`.
function read_walk() {
  const [, nodes, order, number] = /^(\d{1,2}) (ascending|random) (\d{1,3})$/.exec(chosen.walk ?? '') ?? [null, 12, 'ascending', 0];
  Object.assign(walk, { nodes: Math.min(Math.max(Number(nodes), 2), 64), order, step: Math.min(Number(number), 511) });
  $('walk-nodes').value = walk.nodes;
  $('walk-order').value = order;
}

function clear_bandwidth() {
  $('bandwidth').hidden = true;
  $('measure').hidden = small();
  $('bandwidth-text').textContent = small() ? '' : 'Every core reads at once. On a whole GPU that takes the page some seconds to half a minute.';
}

async function measure_bandwidth() {
  const mine = turn;
  const footprint = Number(chosen.at);
  $('bandwidth-text').textContent = `Measuring at ${size_text(footprint)}.`;
  const reply = team.ask(question('bandwidth', { footprint }));
  status();
  const answer = await reply;
  if (mine === turn) status();
  if (!answer || mine !== turn) return clear_bandwidth();
  if (answer.errors) {
    clear_bandwidth();
    return show_errors(answer.errors);
  }
  const bound = answer.resources[0];
  $('bandwidth-text').textContent = `${rate_text(answer.bytes_per_second)} over ${size_text(answer.footprint_bytes)}.${bound ? ` The busiest resource is ${bound.family}, busy ${percent(bound.busy)}.` : ''}`;
  $('bandwidth').tBodies[0].replaceChildren(...answer.levels.map((level) => cells([level.level, rate_text(level.bytes_per_second), percent(level.hit_rate), percent(level.busy)])));
  $('bandwidth').hidden = false;
}

async function choose_machine() {
  const mine = ++turn;
  journey = null;
  step = 0;
  const machine = configuration(configurations[chosen.gpu], {});
  team.configure(machine);
  plain = await team.ask(machine);
  if (!plain || mine !== turn) return;
  described = plain;
  controls = machine_controls(plain.settings);
  const cores = Number(plain.settings['dies.cores_per_die']) * Number(plain.settings['dies.compute']);
  asked = question_controls({ memory: plain.memory_bytes, capacity: Math.max(...plain.capacities.map((one) => one.bytes)), cores });
  asked.cores = cores;
  forget_unknown();
  $('machine').value = chosen.gpu;
  show_controls();
  read_walk();
  await update();
}

function look_at(footprint) {
  const nearest = plan.reduce((best, one) => (Math.abs(Math.log(one / footprint)) < Math.abs(Math.log(best / footprint)) ? one : best));
  if (nearest === Number(chosen.at)) return;
  chosen.at = nearest;
  write_address();
  redraw();
  clear_bandwidth();
  clearTimeout(timer);
  timer = setTimeout(() => {
    ask_journey();
    if (small()) measure_bandwidth();
    status();
  }, 150);
}

async function start() {
  dress($('theme'), matchMedia('(prefers-color-scheme: dark)').matches);
  $('machine').append(...menu(machines));
  const module = await WebAssembly.compile(await unpack($('model').textContent));
  const worker = URL.createObjectURL(new Blob([$('worker-code').textContent], { type: 'text/javascript' }));
  team = new Team(module, worker, Math.min(Math.max(navigator.hardwareConcurrency ?? 2, 2), 4));

  $('machine').addEventListener('change', () => {
    chosen = { gpu: $('machine').value };
    choose_machine();
  });
  $('stop').addEventListener('click', () => {
    turn++;
    team.stop();
    clear_bandwidth();
    status();
  });
  $('reset').addEventListener('click', () => {
    chosen = { gpu: chosen.gpu };
    read_walk();
    show_controls();
    update();
  });
  $('share').addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      $('status').textContent = 'link copied';
    } catch {
      $('status').textContent = 'copy the link from the address bar';
    }
  });
  $('theme').addEventListener('click', () => dress($('theme'), !document.documentElement.classList.contains('dark')));
  $('at').addEventListener('input', () => look_at(plan[$('at').value]));
  $('curve').addEventListener('click', (event) => look_at(to_footprint(event.clientX)));
  $('play').addEventListener('click', () => play($('stages').tBodies[0].rows, () => point_at(null)));
  $('another').addEventListener('click', () => {
    step++;
    ask_journey();
    status();
  });
  for (const nodes of [2, 4, 6, 8, 10, 12, 16, 24, 32, 33, 40, 48, 64]) $('walk-nodes').append(new Option(nodes, nodes));
  $('walk-first').addEventListener('click', () => walk_to(0));
  $('walk-back').addEventListener('click', () => walk_to(walk.step - 1));
  $('walk-on').addEventListener('click', () => walk_to(walk.step + 1));
  for (const id of ['walk-nodes', 'walk-order'])
    $(id).addEventListener('change', () => {
      walk.nodes = Number($('walk-nodes').value);
      walk.order = $('walk-order').value;
      walk_to(0);
    });
  $('measure').addEventListener('click', measure_bandwidth);
  narrow.addEventListener('change', redraw);
  addEventListener('hashchange', () => {
    chosen = read_address();
    choose_machine();
  });
  chosen = read_address();
  await choose_machine();
}

start().catch((error) => {
  $('status').textContent = `The model could not be started: ${error.message}`;
});
