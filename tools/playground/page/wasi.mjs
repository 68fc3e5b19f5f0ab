// SPDX-License-Identifier: Apache-2.0
// The model as an object. The module asks its host for nothing but a place to write complaints to.

export class Model {
  static async start(module) {
    let exports;
    const wasi = {
      fd_write(descriptor, vectors, count, written) {
        const view = new DataView(exports.memory.buffer);
        let bytes = 0;
        for (let i = 0; i < count; i++) bytes += view.getUint32(vectors + 8 * i + 4, true);
        view.setUint32(written, bytes, true);
        return 0;
      },
      fd_close: () => 0,
      fd_seek: () => 70, // not seekable
      fd_fdstat_get: () => 8, // no such descriptor
      environ_get: () => 0,
      environ_sizes_get(count, bytes) {
        const view = new DataView(exports.memory.buffer);
        view.setUint32(count, 0, true);
        view.setUint32(bytes, 0, true);
        return 0;
      },
      proc_exit(code) {
        throw new Error(`the model ended with ${code}`);
      },
    };
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
    exports = instance.exports;
    exports._initialize();
    return new Model(exports);
  }

  constructor(exports) {
    this.exports = exports;
  }

  /// What the model answers to the lines of a request; see wasm/answers.hpp.
  ask(text) {
    const bytes = new TextEncoder().encode(text);
    const room = this.exports.request(bytes.length);
    new Uint8Array(this.exports.memory.buffer, room, bytes.length).set(bytes);
    const length = this.exports.answer();
    const at = this.exports.answer_text();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, length)));
  }
}

/// A request's text: the verb and its numbers.
export function question(verb, values) {
  return [verb, ...Object.entries(values).map(([name, value]) => `${name} ${value}`)].join('\n');
}

/// The request that makes a machine of its rows ([path, value]) and of changes (path to value).
export function configuration(rows, changes) {
  const lines = rows.map(([path, value]) => `row ${path}=${value}`);
  for (const [path, value] of Object.entries(changes)) lines.push(`set ${path}=${value}`);
  return ['configure', ...lines].join('\n');
}
