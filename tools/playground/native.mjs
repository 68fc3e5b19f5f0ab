// SPDX-License-Identifier: Apache-2.0
// What the native program says: the configuration of a machine as rows, and answers to compare with.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const program = process.env.STRATA ?? path.join(root, 'build/strata');

/// The JSON that a command prints.
export function strata(...options) {
  return JSON.parse(execFileSync(program, [...options, '--json', '-'], { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'] }));
}

/// [path, value] of all that a configuration sets; what it leaves to the defaults is left out.
export function rows_of(gpu) {
  const all = strata('explain', '--gpu', gpu, '--settings').settings;
  return all.filter((row) => row.set_by !== 'default').map((row) => [row.path, row.value]);
}
