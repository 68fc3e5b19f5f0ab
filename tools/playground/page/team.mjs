// SPDX-License-Identifier: Apache-2.0
// Workers that answer requests side by side. What is asked first is answered first; stop() ends all
// that is under way by ending the workers, since a simulation cannot be interrupted from outside.

export class Team {
  constructor(module, address, size) {
    this.module = module;
    this.address = address;
    this.size = size;
    this.members = [];
    this.waiting = [];
    this.machine = '';
  }

  /// The machine that further requests are about unless they name another: the text of a `configure`.
  configure(machine) {
    this.stop();
    this.machine = machine;
  }

  /// Resolves to the answer, or to null where stop() came first. Another machine may be asked as well.
  ask(request, machine = this.machine) {
    return new Promise((resolve) => {
      this.waiting.push({ request, machine, resolve });
      this.hand_out();
    });
  }

  stop() {
    for (const task of this.waiting.splice(0)) task.resolve(null);
    for (const member of this.members) {
      if (!member.task) continue;
      member.worker.terminate();
      member.task.resolve(null);
    }
    this.members = this.members.filter((member) => !member.task); // an idle one is used again
  }

  busy() {
    return this.waiting.length > 0 || this.members.some((member) => member.task);
  }

  hand_out() {
    while (this.waiting.length > 0) {
      let member = this.members.find((one) => !one.task);
      if (!member && this.members.length < this.size) member = this.hire();
      if (!member) return;
      member.task = this.waiting.shift();
      if (member.machine !== member.task.machine) {
        member.machine = member.task.machine;
        member.worker.postMessage({ id: -1, request: member.machine });
      }
      member.worker.postMessage({ id: 0, request: member.task.request });
    }
  }

  hire() {
    const member = { worker: new Worker(this.address), task: null, machine: '' };
    member.worker.postMessage({ module: this.module });
    member.worker.onmessage = ({ data }) => {
      if (data.id < 0) return;
      const { task } = member;
      member.task = null;
      task.resolve(data.answer);
      this.hand_out();
    };
    this.members.push(member);
    return member;
  }
}
