// SPDX-License-Identifier: Apache-2.0
// The module in Node against the native program: the same answers, to the last bit.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { rows_of, strata } from '../native.mjs';
import { machine_controls } from '../page/controls.mjs';
import { coarse_to_fine, fingerprint_of, footprints } from '../page/curve.mjs';
import { machines } from '../page/machines.mjs';
import { explain } from '../page/walk.mjs';
import { configuration, Model, question } from '../page/wasi.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const module = await WebAssembly.compile(fs.readFileSync(path.join(root, 'build-playground/strata.wasm')));
const model = await Model.start(module);
const KiB = 1024, MiB = 1024 * KiB;

/// Configures the model and returns what it says of the machine.
function machine(gpu, changes = {}) {
  const answer = model.ask(configuration(rows_of(gpu), changes));
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors));
  return answer;
}

function curve(from, to, per_octave, options = {}) {
  return footprints(from, to, per_octave, options.stride ?? 128).map((footprint) => model.ask(question('latency', { ...options, footprint })));
}

const curve_of_program = (gpu, from, to, per_octave, ...options) =>
  strata('latency', '--gpu', gpu, '--from', `${from} B`, '--to', `${to} B`, '--points-per-octave', String(per_octave), '--jobs', '1', ...options);

for (const { id } of machines) {
  test(`${id}: the curve has the program's fingerprint`, () => {
    machine(id);
    const [from, to] = id.startsWith('lesson') ? [128, 64 * KiB] : [16 * KiB, 64 * MiB];
    const points = curve(from, to, 1);
    const native = curve_of_program(id, from, to, 1);
    assert.equal(fingerprint_of(points), native.fingerprint);
    assert.deepEqual(points.map((point) => point.cycles), native.points.map((point) => point.latency_cycles));
  });
}

test('changed settings, strides and threads have the fingerprint of --set', () => {
  const cases = [
    ['b200', { 'l2.capacity': '64515 KiB', 'l1.cache.hit_latency': '40 clk' }, { stride: 256, threads: 4 }],
    ['mi300x', { 'memory_side_cache.capacity': '128 MiB', 'network.links[0].latency': '24 ns' }, { stride: 128, threads: 1 }],
    ['b580', { 'l1.capacity': '48 KiB', 'crossbar.request_latency': '42.5 clk' }, { stride: 64, threads: 2 }],
    ['lesson-small', { 'l2.capacity': '8 KiB', 'l1.cache.ways': '4' }, { stride: 32, threads: 1 }],
  ];
  for (const [gpu, changes, options] of cases) {
    machine(gpu, changes);
    const to = gpu.startsWith('lesson') ? 16 * KiB : 8 * MiB;
    const sets = Object.entries(changes).flatMap(([setting, value]) => ['--set', `${setting}=${value}`]);
    const native = curve_of_program(gpu, to / 8, to, 1, ...sets, '--stride', `${options.stride} B`, '--threads', String(options.threads));
    assert.equal(fingerprint_of(curve(to / 8, to, 1, options)), native.fingerprint, gpu);
  }
});

test('a journey has the stages of explain', () => {
  for (const [gpu, footprint] of [['b200', 4 * MiB], ['mi300x', 64 * MiB], ['lesson-tlb', 64 * KiB]]) {
    machine(gpu);
    const mine = model.ask(question('journey', { footprint, step: 3 }));
    const native = strata('explain', '--gpu', gpu, '--address', String(mine.address), '--after', `${footprint} B`);
    assert.equal(mine.fingerprint, native.fingerprint);
    assert.ok(Math.abs(mine.stages.reduce((sum, stage) => sum + stage.cycles, 0) - mine.cycles) < 1e-6);
  }
});

test('a walk of the small machine is what the lesson computes', () => {
  machine('lesson-small');
  const step = (number) => model.ask(question('walk', { footprint: 12 * 128, stride: 128, ascending: 1, step: number }));
  // Eight lines a row: the first load opens it, the ninth closes it for another.
  assert.deepEqual([...Array(12).keys()].map((number) => step(number).cycles), [110, ...Array(7).fill(100), 130, 100, 100, 100]);
  // The second lap: twelve lines in four L1 sets of two ways; three lines a set, the oldest is always the next.
  assert.deepEqual([12, 13, 23].map((number) => [step(number).served_by, step(number).cycles]), Array(3).fill(['L2', 40]));
  const { sentences, caches } = explain(step(8), 8, false);
  assert.deepEqual(caches.map((cache) => [cache.name, cache.sets, cache.set, cache.line, cache.gone, cache.entered]),
    [['L1', 4, 0, 8, [0], true], ['L2', 8, 0, 8, [], true]]);
  const held = (moment, set) => moment.sets.find((one) => one.set === set).lines.map(({ line }) => line).sort((a, b) => a - b);
  assert.deepEqual(held(caches[0].before, 0), [0, 4]);
  assert.deepEqual(held(caches[0].after, 0), [4, 8]);
  assert.deepEqual(caches.map(({ before, waiting, after }) => [before, waiting, after].map(({ fetching }) => fetching)), Array(2).fill([[], [8], []]));
  assert.match(sentences.join(' '), /does not hold line 8: a miss\. It takes an MSHR \(1 of \d+ in use\)\. Set 0 of L2/);
  assert.match(sentences.join(' '), /Bank 0 has row 0 open: it closes that and opens row 1, which takes 30 cycles\. L1 fills line 8 and evicts line 0\. L2 fills line 8\./);
  assert.match(explain(step(0), 0, false).sentences.join(' '), /Bank 0 has no row open: it opens row 0, which takes 10 cycles\./);
  assert.match(explain(step(1), 1, false).sentences.join(' '), /Row 0 of bank 0 is open: a row hit\./);
  for (const number of [0, 8, 12]) {
    const { stages, cycles, caches: now, bank } = step(number), next = step(number + 1);
    assert.equal(stages.reduce((sum, stage) => sum + stage.cycles, 0), cycles);
    now.forEach(({ set, after }, i) => next.caches[i].before.sets.filter((one) => one.set === set).forEach((one) => assert.deepEqual(one, after.sets.find((mine) => mine.set === set))));
    assert.equal(bank.after, next.bank.before);
  }
  assert.equal(step(0).cycles, strata('explain', '--gpu', 'lesson-small', '--address', '0').total_cycles);
  assert.match(model.ask(question('walk', { footprint: 1 << 20, stride: 128, step: 0 })).errors[0].message, /1 to 64 nodes/);
});

test('a walk shows the entries of TLBs', () => {
  const { settings } = machine('lesson-tlb');
  const reach = 4 * KiB;
  const step = (number) => model.ask(question('walk', { footprint: 3 * reach, stride: reach, ascending: 1, step: number }));
  const { tlbs } = step(2);
  assert.deepEqual([tlbs[0].page, tlbs[0].before, tlbs[0].after], [2, [1, 0], [2, 1, 0]]);
  assert.match(explain(step(2), 2, settings.translate_before_l1 === 'true').sentences.join(' '), /TLB does not hold page 2\..*The translation takes \d+ cycles, a page walk included\./);
});

test('a whole GPU is stepped through as a small machine is', () => {
  const { settings } = machine('b200');
  const step = (number) => model.ask(question('walk', { footprint: 12 * 128, stride: 128, ascending: 1, step: number }));
  const cold = step(0), again = step(12);
  assert.equal(cold.served_by, 'DRAM');
  assert.deepEqual([again.served_by, again.caches[0].name], ['L1', 'L1']);
  assert.deepEqual(cold.caches.map(({ name }) => name).slice(0, 2), ['L1', 'L2']);
  for (const { line, waiting, mshrs } of cold.caches) {
    assert.deepEqual(waiting.fetching, [line]);
    assert.ok(mshrs > 1);
  }
  assert.equal(cold.physical % 128, 0);
  assert.equal(settings['memory.channel.controller.page_policy'], 'closed');
  assert.deepEqual([cold.bank.before, cold.bank.after], [-1, -1]);
  assert.match(explain(cold, 0, false).sentences.join(' '), /it opens row \d+, which takes [\d.]+ cycles, and closes it after the read\./);
  assert.ok(cold.tlbs.length > 0 && cold.tlbs.every(({ before, after, page }) => before.length === 0 && after[0] === page));
});

test('the bandwidth of a small machine is that of the program', () => {
  machine('lesson-small');
  const mine = model.ask(question('bandwidth', { footprint: 64 * KiB }));
  const native = strata('bandwidth', '--gpu', 'lesson-small', '--from', '64KiB', '--to', '64KiB');
  assert.equal(fingerprint_of([mine]), native.fingerprint);
});

test('what cannot be is refused in words, and the model goes on', () => {
  const rows = rows_of('lesson-small');
  const unknown = model.ask(configuration(rows, { 'l2.cach.size': '1 KiB' })).errors;
  assert.match(unknown[0].hint, /l2\.cache/);
  assert.match(model.ask(configuration(rows, { 'l1.cache.ways': 'many' })).errors[0].message, /l1\.cache\.ways/);
  assert.match(model.ask(configuration(rows, { 'l1.cache.ways': '3' })).errors[0].message, /ways|sets/);
  assert.match(model.ask(question('latency', { footprint: 4096 })).errors[0].message, /no machine/);
  machine('lesson-small');
  assert.match(model.ask(question('latency', { footprint: 2 ** 40 })).errors[0].message, /does not fit/);
  assert.equal(model.ask(question('latency', { footprint: 512 })).cycles, 10);
  // Thrown and caught many times over, nothing is lost.
  for (let i = 0; i < 1000; i++) assert.equal(model.ask(question('latency', { footprint: 2 ** 40 })).errors.length, 1);
  assert.equal(model.ask(question('latency', { footprint: 512 })).cycles, 10);
});

test('each control starts at the machine\'s own value, and most of its values are accepted', () => {
  for (const { id } of machines) {
    const rows = rows_of(id);
    const controls = machine_controls(machine(id).settings);
    assert.ok(controls.length >= 6, id);
    for (const control of controls) {
      assert.deepEqual(control.values[control.own].sets, {}, `${id} ${control.id}`);
      const refused = control.values.filter((value) => model.ask(configuration(rows, value.sets)).errors);
      assert.ok(refused.length * 2 < control.values.length, `${id} ${control.id} refuses ${refused.map((value) => value.label)}`);
      if (['l1', 'l1ways', 'l2'].includes(control.id)) assert.deepEqual(refused, [], `${id} ${control.id}`);
    }
  }
});

test('points come coarse to fine, each once', () => {
  const all = footprints(1024, 64 * KiB, 2, 128);
  assert.equal(all.length, 13);
  const order = coarse_to_fine(all);
  assert.deepEqual(order.slice(0, 4), [all[0], all[4], all[8], all[12]]);
  assert.deepEqual([...order].sort((a, b) => a - b), all);
});

test('speed against the program, one thread', (t) => {
  machine('b200');
  const all = [4 * MiB, 64 * MiB];
  const timed = (run) => Math.min(...[0, 1, 2].map(() => {
    const began = performance.now();
    run();
    return performance.now() - began;
  }));
  const started = timed(() => strata('latency', '--gpu', 'b200', '--from', '4KiB', '--to', '4KiB', '--jobs', '1'));
  const native = timed(() => all.forEach((footprint) => curve_of_program('b200', footprint, footprint, 1))) - all.length * started;
  const mine = timed(() => all.forEach((footprint) => model.ask(question('latency', { footprint }))));
  t.diagnostic(`${(native / mine).toFixed(2)} of the program's speed`);
  // The aim is 0.4; a machine shared with other work measures loosely.
  assert.ok(native / mine > 0.2, `${native} ms against ${mine} ms`);
});
