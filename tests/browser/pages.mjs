// SPDX-License-Identifier: Apache-2.0
// Reports written by the program into a folder of temporaries, shown in one headless Chromium.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Chromium } from '../../tools/playground/tests/chromium.mjs';
import { Region } from './region.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const program = process.env.STRATA ?? path.join(root, 'build/strata');

export class Pages {
  /// reports: by name the words of a command line without --html; files: by name what they read. A
  /// validation whose rows fail exits with 1.
  static async open(reports, files = {}) {
    const pages = new Pages();
    pages.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-reports-'));
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(pages.folder, name), text);
    for (const [name, words] of Object.entries(reports)) {
      const { status, stderr } = spawnSync(program, [...words.split(' '), '--html', `${name}.html`], { cwd: pages.folder, encoding: 'utf8' });
      assert.ok(status === 0 || (name === 'validate' && status === 1), `${words}: ${stderr}`);
    }
    pages.chromium = await Chromium.open('about:blank');
    return pages;
  }

  async close() {
    await this.chromium?.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  read(file) {
    return fs.readFileSync(path.join(this.folder, file), 'utf8');
  }

  async show(name, { width = 1200, dark = false, print = false } = {}) {
    const { chromium } = this;
    await chromium.size(width, 900);
    await chromium.send('Emulation.setEmulatedMedia',
      { media: print ? 'print' : '', features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    await chromium.send('Page.navigate', { url: 'about:blank' });
    await chromium.until("location.href === 'about:blank'");
    chromium.messages.length = 0;
    await chromium.send('Page.navigate', { url: pathToFileURL(path.join(this.folder, `${name}.html`)).href });
    await chromium.until(`document.readyState === 'complete' && location.href.endsWith('${name}.html')`);
  }

  /// The rectangle, in pixels of the page, of what the expression gives: an element or a DOMRect.
  rectangle(expression) {
    return this.chromium.value(`(() => {
      const found = ${expression};
      const { left, top, width, height } = found.getBoundingClientRect ? found.getBoundingClientRect() : found;
      return { x: left + scrollX, y: top + scrollY, width, height };
    })()`);
  }

  /// A picture of a part of the page.
  async region({ x, y, width, height }) {
    const left = Math.round(x);
    const top = Math.round(y);
    const clip = { x: left, y: top, width: Math.max(Math.round(x + width) - left, 1), height: Math.max(Math.round(y + height) - top, 1), scale: 1 };
    const { data } = await this.chromium.send('Page.captureScreenshot', { captureBeyondViewport: true, clip });
    return new Region(Buffer.from(data, 'base64'));
  }
}
