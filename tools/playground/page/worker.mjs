// SPDX-License-Identifier: Apache-2.0
// Runs in a worker: gets the compiled module once, then requests, and answers each.
import { Model } from './wasi.mjs';

let model;
self.onmessage = async ({ data }) => {
  try {
    if (data.module) {
      model = await Model.start(data.module);
      return;
    }
    self.postMessage({ id: data.id, answer: model.ask(data.request) });
  } catch (error) {
    self.postMessage({ id: data.id, answer: { errors: [{ message: String(error.message ?? error), hint: '', settings: [] }] } });
  }
};
