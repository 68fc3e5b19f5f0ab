// SPDX-License-Identifier: Apache-2.0
// Pictures of the reports, region by region: against the figures beside them, against one another, and as seen
// without colour. Fonts differ between machines, so no picture is kept to compare with.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Pages } from './pages.mjs';

const reports = {
  latency: 'latency --gpu lesson-small --from 128B --to 16KiB --compare measured.csv',
  run: 'run --gpu h200 --kernel vecadd,n=65536 --json run.json',
  bandwidth: 'bandwidth --gpu mi300x --timed 1MiB --from 32MiB --to 64MiB --points-per-octave 1',
  explain: 'explain --gpu h200 --address 0x40000000',
};
const looks = [{ width: 1200 }, { width: 1200, dark: true }, { width: 390 }, { width: 390, dark: true }, { width: 800, print: true }];

let pages;
let chromium;
before(async () => {
  // The L1 of the model has 10 cycles: errors of -20 %, 0 and +25 %, and some at 4 KiB.
  pages = await Pages.open(reports, { 'measured.csv': 'footprint_bytes,latency_cycles\n256,12.5\n512,10\n768,8\n4096,44\n' });
  chromium = pages.chromium;
});
after(() => pages?.close());

const every = (selector) => `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
const near = (a, b, within, words) => assert.ok(Math.abs(a - b) <= within, `${words}: ${a} and ${b}`);
/// Rectangles of all that the selector finds.
const boxes = (selector) => chromium.value(`${every(selector)}.map((part) => {
  const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
  return { left, top: top + scrollY, right, bottom: bottom + scrollY, width, height };
})`);
/// Cells of the rows as text, by table row.
const cells = (selector) => chromium.value(`${every(selector)}.map((row) => [...row.cells].map((cell) => cell.textContent))`);

const panel = `(() => {
  const inside = ${every('.stem, .zero')}.map((part) => part.getBoundingClientRect());
  const left = Math.min(...inside.map((part) => part.left)), right = Math.max(...inside.map((part) => part.right));
  const top = Math.min(...inside.map((part) => part.top)) - 6, bottom = Math.max(...inside.map((part) => part.bottom)) + 6;
  return new DOMRect(left, top, right - left, bottom - top);
})()`;
const pictures = {
  'residual panel': ['latency', panel],
  waterfall: ['latency', "document.querySelector('.journey').closest('table')"],
  'waterfall of one load': ['explain', "document.querySelector('.journey').closest('table')"],
  'map of a run': ['run', "document.querySelector('svg.map')"],
  'map of a bandwidth': ['bandwidth', "document.querySelector('svg.map')"],
};

for (const [name, [page, element]] of Object.entries(pictures)) {
  test(`${name}: drawn, in its card, light and dark, on a phone and in print`, async () => {
    const grounds = {};
    for (const look of looks) {
      const words = JSON.stringify(look);
      await pages.show(page, look);
      const { x, width, ...rest } = await pages.rectangle(element);
      const card = await pages.rectangle(`((found) => found.closest('.card'))(${element.startsWith('(') ? "document.querySelector('.zero')" : element})`);
      // What scrolls within its card is cut at the card's edge.
      if (!element.includes('table')) assert.ok(x >= card.x - 1 && x + width <= card.x + card.width + 1, `${words}: ${x}, ${width} in ${JSON.stringify(card)}`);
      const right = Math.min(x + width, card.x + card.width);
      const region = await pages.region({ x, width: right - x, ...rest });
      const inked = region.inked();
      assert.ok(inked > 0.005 && inked < 0.6, `${words}: ${inked} of it is drawn`);
      grounds[words] = region.background();
    }
    for (const [words, ground] of Object.entries(grounds)) {
      if (words.includes('dark')) assert.ok(ground < 60, `${words}: ${ground}`);
      else assert.ok(ground > 220, `${words}: ${ground}`);
    }
  });
}

test('residual panel: each mark is as far from the zero line as its error, above it where the model is slower', async () => {
  await pages.show('latency');
  const errors = await chromium.value(`(() => {
    const table = ${every('table')}.find((one) => one.tHead.textContent.includes('Error [%]'));
    return [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[3].textContent));
  })()`);
  assert.deepEqual(errors.slice(0, 3), [-20, 0, 25]);
  const [zero] = await boxes('.zero');
  const offsets = await chromium.value(`(() => {
    const marks = ${every('.stem')}.map((stem) => stem.nextElementSibling.getBoundingClientRect());
    return marks.map((mark) => (mark.top + mark.bottom) / 2 + scrollY);
  })()`);
  assert.equal(offsets.length, errors.length);
  const middle = (zero.top + zero.bottom) / 2;
  const scale = (middle - offsets[2]) / errors[2];
  assert.ok(scale > 0);
  // Errors in the table have one decimal.
  offsets.forEach((offset, i) => near(middle - offset, errors[i] * scale, 1 + 0.05 * scale, `error of ${errors[i]} %`));
});

test('residual panel: marks are seen without colour', async () => {
  for (const look of looks.filter(({ width }) => width > 390)) {
    await pages.show('latency', look);
    const mark = await pages.region(await pages.rectangle(`${every('.stem')}[0].nextElementSibling`));
    const panelGround = (await pages.region(await pages.rectangle(panel))).background();
    assert.ok(Math.abs(mark.at(mark.width / 2, mark.height / 2) - panelGround) > 60, JSON.stringify(look));
  }
});

for (const page of ['latency', 'explain']) {
  test(`waterfall of ${page}: each bar begins where the one before ended and is as long as its cycles`, async () => {
    for (const width of [1200, 390]) {
      await pages.show(page, { width });
      const tables = await chromium.value(`[...new Set(${every('.journey')}.map((bar) => bar.closest('table')))].map((table) => ({
        rows: [...table.querySelectorAll('tbody tr')].map((row) => {
          const [track, bar] = ['.journey', '.journey span'].map((part) => row.querySelector(part)?.getBoundingClientRect().toJSON());
          return { cycles: parseFloat(row.cells[1].textContent), track, bar };
        }),
      }))`);
      assert.ok(tables.length > 0);
      for (const { rows } of tables) {
        const total = rows.pop().cycles;
        near(rows.reduce((sum, { cycles }) => sum + cycles, 0), total, 0.005 * (rows.length + 1), 'sum of the stages');
        let end = rows[0].track.left;
        for (const { cycles, track, bar } of rows) {
          const exact = (track.width * cycles) / total;
          near(bar.left, end, 1, 'begin');
          near(bar.width, Math.max(exact, 2), 1, `${cycles} of ${total} cycles`);  // never thinner than two pixels
          end = bar.left + exact;
        }
        near(end, rows[0].track.right, 1.5, 'the last bar ends with the load');
      }
    }
  });
}

test('waterfall: the pixels of a bar are those of its box', async () => {
  for (const dark of [false, true]) {
    await pages.show('latency', { dark });
    const [bar] = await boxes('tr:nth-child(2) .journey span');
    const box = await pages.rectangle("document.querySelector('tr:nth-child(2) .journey')");
    const track = await pages.region(box);
    const middle = Math.floor(track.height / 2);
    // The track beside the bar, where it is longest.
    const ground = track.at(bar.left - box.x > box.x + box.width - bar.right ? 8 : track.width - 8, middle);
    near(track.inkedInRow(middle, ground), bar.width, 3, `dark ${dark}`);
  }
});

for (const page of ['run', 'bandwidth']) {
  test(`map of ${page}: lines are as wide as the rates and bars as long as the busy shares of its table`, async () => {
    await pages.show(page);
    // The first map that is drawn, and its own figures.
    const title = await chromium.value("document.querySelector('svg.map').getAttribute('aria-label')");
    const table = await chromium.value(`(() => {
      const all = ${every('details')}.find((part) => part.querySelector('tr.edge') && part.querySelector('summary').textContent.includes(${JSON.stringify(title.replace('Footprint of ', ''))}));
      return [...all.querySelectorAll('tr.edge, tr.box')].map((row) => ({ kind: row.className, cells: [...row.cells].map((cell) => cell.textContent) }));
    })()`);
    const svg = await pages.rectangle("document.querySelector('svg.map')");
    const picture = await pages.region(svg);
    const ground = picture.at(picture.width - 3, picture.height / 2);
    const scale = svg.width / 420;
    const lines = await chromium.value("[...document.querySelector('svg.map').querySelectorAll('.edge')].map((line) => (+line.getAttribute('y1') + +line.getAttribute('y2')) / 2)");
    const edges = table.filter(({ kind }) => kind === 'edge');
    assert.equal(lines.length, edges.length);
    const rates = edges.map((edge) => parseFloat(edge.cells[2]));
    const fastest = Math.max(...rates);
    lines.forEach((y, i) => {
      // Left of the words, which begin 24 units to the right of the line's middle.
      near(picture.inkedInRow(y * scale, ground, { to: 60 * scale, contrast: 60 }), Math.max((20 * rates[i]) / fastest, 1) * scale, 2, `${edges[i].cells[0]} at ${rates[i]} GB/s`);
    });
    const drawn = await chromium.value(`[...document.querySelector('svg.map').querySelectorAll('.track')].map((track) => {
      const bar = track.nextElementSibling?.matches('.busy') ? track.nextElementSibling.getBoundingClientRect().width : 0;
      return bar / track.getBoundingClientRect().width;
    })`);
    const shares = table.filter(({ kind }) => kind === 'box').map((box) => parseFloat(box.cells[4]) || 0);
    assert.equal(drawn.length, shares.length);
    drawn.forEach((share, i) => near(100 * share, shares[i], 0.4, `busy share of box ${i}`));
  });

  test(`map of ${page}: all words are inside, and none lies on another`, async () => {
    for (const width of [1200, 390]) {
      await pages.show(page, { width });
      const svg = await pages.rectangle("document.querySelector('svg.map')");
      const words = await boxes('svg.map text');
      const shown = words.filter((word) => word.width > 0 && word.top >= svg.y && word.bottom <= svg.y + svg.height + 1);
      assert.ok(shown.length > 10);
      for (const word of shown) assert.ok(word.left >= svg.x && word.right <= svg.x + svg.width + 1, JSON.stringify(word));
      for (const one of shown)
        for (const other of shown)
          if (one !== other)
            assert.ok(one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 4 || other.bottom <= one.top + 4, JSON.stringify([one, other]));
    }
  });

  test(`map of ${page}: the busiest box is another one without colour, too`, async () => {
    for (const look of looks) {
      await pages.show(page, look);
      const frames = await chromium.value("[...document.querySelector('svg.map').querySelectorAll('.box')].map((box) => box.matches('.busiest'))");
      assert.equal(frames.filter((busiest) => busiest).length, 1);
      const inked = [];
      for (let i = 0; i < frames.length; ++i) {
        const { x, y, width, height } = await pages.rectangle(`document.querySelector('svg.map').querySelectorAll('.box')[${i}]`);
        // The right edge, where nothing but the frame is.
        inked.push((await pages.region({ x: x + width - 4, y: y + height * 0.3, width: 8, height: height * 0.4 })).inked(100));
      }
      const marked = inked[frames.indexOf(true)];
      const others = inked.filter((_, i) => !frames[i]);
      for (const other of others) assert.ok(marked > other + 0.15, `${JSON.stringify(look)}: ${marked} and ${other}`);
      assert.match(await chromium.value("document.querySelector('svg.map').textContent"), /\(busiest\)/);
    }
  });
}

test('map of run: its table has the figures of the JSON document', async () => {
  await pages.show('run');
  const [kernel] = JSON.parse(pages.read('run.json')).kernels;
  const rows = await cells('tr.edge');
  const boxesOf = await cells('tr.box');
  for (const level of kernel.levels) {
    const row = rows.find(([where]) => where.endsWith(` to ${level.name}`));
    near(parseFloat(row[2]), level.bandwidth_bytes_per_second / 1e9, 0.051, `rate of ${level.name}`);
    near(parseFloat(row[4]), level.busy_fraction * 100, 0.051, `busy share of ${level.name}`);
  }
  const links = kernel.resources.filter(({ resource }) => resource.startsWith('network/'));
  assert.equal(links.length, 2);
  const moved = links.reduce((sum, { bytes }) => sum + bytes, 0);
  near(parseFloat(rows.find(([where]) => where.endsWith(' to Links between dies'))[2]), moved / kernel.watched_ns, 0.051, 'rate of the links');
  const busiest = boxesOf.find(([name]) => name.endsWith(' (busiest)'));
  near(parseFloat(busiest[4]), kernel.resources[0].busy_fraction * 100, 0.051, 'the busiest');
});
