// SPDX-License-Identifier: Apache-2.0
// Makes one static page: assemble.mjs MODULE.wasm PAGE.html. Modules are joined in the order in which
// they import each other; all their names are different, so that nothing has to be renamed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rows_of } from './native.mjs';
import { machines } from './page/machines.mjs';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'page');
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

function joined(name, seen = new Set()) {
  if (seen.has(name)) return '';
  seen.add(name);
  let before = '';
  const text = read(name).replace(/^import .* from '\.\/(.*)';\n/gm, (_, other) => {
    before += joined(other, seen);
    return '';
  });
  return before + text.replace(/^export /gm, '').replace(/^\/\/ SPDX.*\n/, '');
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const [module_file, page_file] = process.argv.slice(2);
const script = joined('app.mjs');
const style = read('style.css');
const parts = {
  script, style,
  worker: joined('worker.mjs'),
  configurations: JSON.stringify(Object.fromEntries(machines.map(({ id }) => [id, rows_of(id)]))).replaceAll('<', '\\u003c'),
  model: gzipSync(fs.readFileSync(module_file), { level: 9 }).toString('base64'),
  // Nothing is fetched, from nowhere; the model is compiled, in workers that come from the page itself.
  policy: `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; worker-src blob:; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
};
for (const code of [script, parts.worker]) if (code.includes('</script')) throw new Error("a module contains '</script'");
const page = read('index.html').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
fs.writeFileSync(page_file, page);
console.log(`${page_file}: ${(page.length / 2 ** 20).toFixed(2)} MiB`);
