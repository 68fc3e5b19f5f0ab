// SPDX-License-Identifier: Apache-2.0
// The page in headless Chromium, opened from disk as a student opens it. PICTURES names a folder for screenshots.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { strata } from '../native.mjs';
import { Chromium } from './chromium.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const file = path.join(root, 'build-playground/playground.html');
const address = pathToFileURL(file).href;
const text = (id) => `document.getElementById('${id}').textContent`;
const done = "document.body.dataset.state === 'done'";

let chromium;
before(async () => {
  chromium = await Chromium.open(`${address}#gpu=lesson-small`);
});
after(() => chromium.close());

async function open(hash) {
  await chromium.send('Page.navigate', { url: 'about:blank' });
  await chromium.until("location.href === 'about:blank'");
  await chromium.send('Page.navigate', { url: `${address}${hash}` });
}

async function picture(name) {
  if (process.env.PICTURES) await chromium.picture(path.join(process.env.PICTURES, `${name}.png`));
}

/// Moves a slider by so many steps, as a pointer would.
const move = (id, steps) => chromium.value(`{ const input = document.getElementById('control-${id}'); input.value = Number(input.value) + ${steps}; input.dispatchEvent(new Event('input')); }`);

test('the page is one file of less than 5 MB that fetches nothing', () => {
  const html = fs.readFileSync(file, 'utf8');
  assert.ok(html.length < 5e6);
  assert.match(html, /default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; worker-src blob:/);
  assert.doesNotMatch(html, /unsafe-inline|<link|\bsrc=|https?:\/\/(?!www\.w3\.org)/);
});

test('a lesson machine: curve, journey, bandwidth, and the fingerprint of the program', async () => {
  await chromium.until(done);
  const native = strata('latency', '--gpu', 'lesson-small', '--from', '128B', '--to', '8KiB', '--points-per-octave', '2');
  assert.match(await chromium.value(text('fingerprint')), new RegExp(native.fingerprint));
  assert.match(await chromium.value(text('journey-text')), /takes 40 cycles \(40 ns\)\. Served by: L2/);
  assert.deepEqual(await chromium.value("[...document.querySelectorAll('#stages tbody th')].map((cell) => cell.textContent)"),
    ['core address and issue', 'L1 tag', 'crossbar request', 'L2 tag', 'L2 data', 'crossbar response', 'L1 fill']);
  await chromium.until("!document.getElementById('bandwidth').hidden");
  await picture('lesson-small');
});

test('a moved slider changes the curve, keeps the old one beside it, and is shared by the address', async () => {
  await move('l1', 2);
  await chromium.until(`location.hash.includes('l1=') && ${done}`);
  assert.equal(await chromium.value("document.querySelectorAll('.curve').length"), 2);
  assert.match(await chromium.value(text('command')), /--set 'l1\.capacity=2 KiB'|--set 'l1\.capacity=4 KiB'/);
  const hash = await chromium.value('location.hash');
  const fingerprint = await chromium.value(text('fingerprint'));
  await open(hash);
  await chromium.until(done);
  assert.equal(await chromium.value(text('fingerprint')), fingerprint);
  assert.equal(await chromium.value('location.hash'), hash);
  // The machine as configured has been asked as well, to compare with.
  assert.equal(await chromium.value("document.querySelectorAll('.curve').length"), 2);
});

test('the keyboard moves a slider and reads the stages', async () => {
  await open('#gpu=lesson-small');
  await chromium.until(done);
  await chromium.value("document.getElementById('control-l2hit').focus()");
  await chromium.key('ArrowRight');
  await chromium.until(`location.hash.includes('l2hit=') && ${done}`);
  // Rows are made anew with each answer, so the focus is set until it stays.
  await chromium.until("document.querySelector('#stages tbody tr').focus(), document.querySelector('.block.pointed')?.dataset.block === 'core'");
});

test('the loads of a chase are stepped through forward and back', async () => {
  await open('#gpu=lesson-small&walk=12 ascending 7');
  await chromium.until(`${done} && document.getElementById('walk').dataset.step === '7'`);
  await chromium.value("document.getElementById('walk-on').click()");
  await chromium.until("document.getElementById('walk').dataset.step === '8'");
  assert.match(await chromium.value(text('walk-text')), /Load 9 reads address 0x400.*L1 fills line 8 and evicts line 0/);
  assert.deepEqual(await chromium.value("[...document.querySelectorAll('td.gone, td.new')].map((cell) => cell.className + cell.textContent)"),
    ['gone0', 'new wideline 8: 1 of 8', 'new8', 'new wideline 8: 1 of 32', 'new8', 'gone0', 'new1']);
  await chromium.value("document.getElementById('walk-back').click()");
  await chromium.until("document.getElementById('walk').dataset.step === '7'");
  assert.match(await chromium.value('location.hash'), /walk=12\+ascending\+7/);
});

test('the journey is played stage by stage', async () => {
  await open('#gpu=lesson-small');
  await chromium.until(done);
  // Each block is marked for a moment only, so the page itself notes which were.
  await chromium.value(`{
    window.marked = [];
    new MutationObserver((changes) => changes.forEach(({ target }) => target.classList.contains('pointed') && window.marked.push(target.dataset.block)))
      .observe(document.getElementById('picture'), { subtree: true, attributeFilter: ['class'] });
    document.getElementById('play').click();
  }`);
  await chromium.until("window.marked.includes('core') && window.marked.lastIndexOf('crossbar') > window.marked.indexOf('core')");
});

test('B200: a first point within 3 s, points as they come, and stop ends them at once', async (t) => {
  await open('#gpu=b200');
  await chromium.until("document.body.dataset.first && document.querySelectorAll('.dot').length >= 3");
  t.diagnostic(`first point after ${await chromium.value('document.body.dataset.first')} ms`);
  assert.equal(await chromium.value('document.body.dataset.state'), 'busy');
  await chromium.value("document.getElementById('stop').click()");
  assert.match(await chromium.value(text('status')), /stopped at \d+ of 33 points/);
  const points = await chromium.value("document.querySelectorAll('.dot').length");
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(await chromium.value("document.querySelectorAll('.dot').length"), points);
  // And goes on with another question.
  await chromium.value("document.getElementById('control-to').value = 3, document.getElementById('control-to').dispatchEvent(new Event('input'))");
  await chromium.until(done);
  const [, from, to] = /--from '(.*)' --to '(.*)' --points/.exec(await chromium.value(text('command')));
  const native = strata('latency', '--gpu', 'b200', '--from', from, '--to', to, '--points-per-octave', '2');
  assert.match(await chromium.value(text('fingerprint')), new RegExp(native.fingerprint));
  await picture('b200');
});

test('a machine that cannot be says why and keeps the page alive', async () => {
  await open('#gpu=lesson-small&l1hit=2.25 clk');
  await chromium.until("!document.getElementById('errors').hidden || document.body.dataset.state === 'done'");
  await chromium.value("document.getElementById('reset').click()");
  await chromium.until(`${done} && document.getElementById('errors').hidden`);
});

test('nothing lies beside the page at 1200 px and on a phone, in light and dark', async () => {
  for (const [width, gpu] of [[1200, 'lesson-chiplets'], [390, 'lesson-tlb'], [390, 'lesson-chiplets']]) {
    await chromium.size(width, 860);
    await open(`#gpu=${gpu}`);
    await chromium.until(done);
    assert.equal(await chromium.value('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0, `${gpu} at ${width} px`);
    await picture(`${gpu}-${width}`);
  }
  const paper = 'getComputedStyle(document.body).backgroundColor';
  const light = await chromium.value(paper);
  await chromium.value("document.getElementById('theme').click()");
  assert.notEqual(await chromium.value(paper), light);
  await chromium.size(1200, 860);
  await picture('dark');
});

test('the console stays empty', () => {
  assert.deepEqual(chromium.messages, []);
});
