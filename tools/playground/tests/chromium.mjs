// SPDX-License-Identifier: Apache-2.0
// A headless Chromium, driven through the pipe that it offers for that (DevTools protocol).
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export class Chromium {
  static async open(address, { width = 1200, height = 900, dark = false } = {}) {
    const chromium = new Chromium();
    chromium.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'playground-'));
    chromium.process = spawn(process.env.CHROMIUM ?? 'chromium',
      ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-dev-shm-usage',
        `--user-data-dir=${chromium.profile}`, '--remote-debugging-pipe', 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    chromium.replies = new Map();
    chromium.messages = [];
    let rest = '';
    chromium.process.stdio[4].on('data', (data) => {
      const parts = (rest + data).split('\0');
      rest = parts.pop();
      parts.forEach((part) => chromium.take(JSON.parse(part)));
    });
    const { targetInfos } = await chromium.send('Target.getTargets');
    const { sessionId } = await chromium.send('Target.attachToTarget', { targetId: targetInfos.find((one) => one.type === 'page').targetId, flatten: true });
    chromium.session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Log']) await chromium.send(`${domain}.enable`);
    await chromium.size(width, height);
    await chromium.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    chromium.opened = performance.now();
    await chromium.send('Page.navigate', { url: address });
    return chromium;
  }

  take(message) {
    if (message.id) {
      const { resolve, reject } = this.replies.get(message.id);
      this.replies.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else if (['Runtime.exceptionThrown', 'Runtime.consoleAPICalled', 'Log.entryAdded'].includes(message.method)) {
      this.messages.push(JSON.stringify(message.params));
    }
  }

  send(method, params = {}) {
    this.last = (this.last ?? 0) + 1;
    const id = this.last;
    const reply = new Promise((resolve, reject) => this.replies.set(id, { resolve, reject }));
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return reply;
  }

  size(width, height) {
    return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }

  /// The value of a JavaScript expression in the page.
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /// Waits until the expression is true.
  async until(expression, seconds = 60) {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      if (await this.value(expression).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not within ${seconds} s: ${expression}`);
  }

  async key(key) {
    const codes = { Tab: 9, Enter: 13, ' ': 32, ArrowRight: 39, ArrowLeft: 37 };
    const event = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key] };
    await this.send('Input.dispatchKeyEvent', key === ' ' ? { type: 'keyDown', text: ' ', ...event } : { type: 'rawKeyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async picture(file) {
    const height = await this.value('Math.ceil(document.documentElement.scrollHeight)');
    const width = await this.value('document.documentElement.clientWidth');
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale: 1 } });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill();
    await ended;
    // Its own processes may still write to the profile; what is left of one in the folder of temporaries harms nobody.
    try {
      fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch (error) {
      if (error.code !== 'ENOTEMPTY') throw error;
    }
  }
}
