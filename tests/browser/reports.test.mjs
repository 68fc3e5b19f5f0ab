// SPDX-License-Identifier: Apache-2.0
// The HTML reports as they are seen: at 1200 px in light and dark, on a phone of 390 px, and in print.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { Pages } from './pages.mjs';

const axe = fs.readFileSync(process.env.AXE, 'utf8');

const reports = {
  latency: 'latency --gpu lesson-small --from 128B --to 16KiB --compare measured.csv',
  bandwidth: 'bandwidth --gpu lesson-small --from 512B --to 64KiB',
  loaded: 'bandwidth --gpu b580 --loaded --footprint 2MiB --inject 0,100GB/s,max',
  handoff: 'handoff --gpu mi300x --pairs 4',
  run: 'run --gpu b580 --kernel vecadd,n=4096 --kernel sgemm_tiled,n=64',
  sweep: 'sweep latency --gpu lesson-small --vary l2.cache.hit_latency=15clk..35clk:+10clk --vary footprint=512B..4KiB:x2 --timed-loads 64',
  litmus: 'litmus --gpu lesson-sides --runs 16',
  'sweep-of-names': 'sweep run --vary gpu=h200,b580 --vary kernel=vecadd,n=1024,sgemm_tiled,n=64',
  sensitivity: 'sensitivity latency --gpu lesson-small --footprint 4KiB --timed-loads 64',
  compare: 'compare latency --gpu lesson-small --footprint 4KiB --change l2.cache.hit_latency=50clk',
  validate: 'validate --gpu b580 --kind spec --kind fitted --set l2.cache.hit_latency=300clk',
  explain: 'explain --gpu lesson-small --address 0x0',
};

let pages;
let chromium;
before(async () => {
  pages = await Pages.open(reports, { 'measured.csv': 'footprint_bytes,latency_cycles\n512,10\n4096,44\n' });
  chromium = pages.chromium;
});
after(() => pages?.close());

const open = (name, look) => pages.show(name, look);

/// What sticks out of its card, or out of the page; what scrolls within a card does not.
const outside = `[document.documentElement, ...document.querySelectorAll('.card, .tile, details')].flatMap((card) => {
  const { left, right } = card.getBoundingClientRect();
  return [...card.querySelectorAll('svg, table, p, h1, h2, .name, .figure, .remark')].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && !part.closest('.scroll') && (box.left < left - 1 || box.right > right + 1);
  }).map((part) => part.outerHTML.slice(0, 80));
}).concat(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page is wider than its window'] : [])`;

const looks = [{ width: 1200 }, { width: 1200, dark: true }, { width: 390 }, { width: 390, dark: true }, { width: 800, print: true }];

for (const name of Object.keys(reports)) {
  test(`${name}: nothing for axe-core to find, no message, nothing outside its card`, async () => {
    for (const look of looks) {
      await open(name, look);
      const words = JSON.stringify(look);
      assert.deepEqual(await chromium.value(outside), [], words);
      assert.deepEqual(chromium.messages, [], words);
      if (process.env.PICTURES) await chromium.picture(path.join(process.env.PICTURES, `${name}-${look.width}${look.dark ? '-dark' : ''}${look.print ? '-print' : ''}.png`));
      await chromium.value("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
      assert.deepEqual(await chromium.value(outside), [], `${words}, all opened`);
      await chromium.value(`${axe};0`);
      const found = await chromium.value('axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 100)}`)))');
      assert.deepEqual(found, [], words);
    }
  });

  test(`${name}: stands alone, runs nothing`, async () => {
    const page = pages.read(`${name}.html`);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
    assert.doesNotMatch(page, /<script|<link|\bsrc=|\bon[a-z]+=|https?:\/\/(?!www\.w3\.org)/);
  });
}

test('validate: what failed comes first, worst first, and links to its row', async () => {
  await open('validate');
  const first = "document.getElementById('failures').nextElementSibling";
  const errors = await chromium.value(`[...${first}.querySelectorAll('tbody tr')].map((row) => Math.abs(parseFloat(row.cells[3].textContent)))`);
  assert.ok(errors.length > 0);
  assert.deepEqual(errors, [...errors].sort((a, b) => b - a));
  const missing = await chromium.value("[...document.querySelectorAll('a')].filter((link) => !document.getElementById(decodeURIComponent(link.hash.slice(1)))).length");
  assert.equal(missing, 0);
});

test('validate: rows are filtered by result and kind, by keyboard as well', async () => {
  await open('validate');
  const seen = (rows) => chromium.value(`[...document.querySelectorAll('${rows}')].filter((row) => row.getBoundingClientRect().height > 0).length`);
  const all = await seen('tr[id]');
  const failed = await seen('tr[id].failed');
  assert.ok(failed > 0 && failed < all);
  await chromium.value("document.getElementById('only-failed').focus()");
  await chromium.key(' ');
  await chromium.until("document.getElementById('only-failed').checked");
  assert.equal(await seen('tr[id]'), failed);
  await chromium.key(' ');
  await chromium.value("document.getElementById('show-fitted').click()");
  assert.equal(await seen('tr.fitted'), 0);
  assert.ok(await seen('tr.spec') > 0);
});
