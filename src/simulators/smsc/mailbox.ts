import type { Delivery } from "./delivery.ts";

/** A session that can be given deliver_sm. */
export interface Receiver {
  /** False while its window is full or its socket is not drained. */
  hasRoom(): boolean;
  deliver(delivery: Delivery): void;
}

/**
 * What one ESME is owed: given to its receiving sessions in turn, kept while there are none, and given again until it is
 * acknowledged.
 */
export class Mailbox {
  #waiting: Delivery[] = [];
  /** Index of the first one that waits: shifting an array of many thousands for each would move them all. */
  #head = 0;
  #unacknowledged = 0;
  #receivers: Receiver[] = [];
  #turn = 0;

  /** Deliveries that wait, are on the wire, or will be tried again. */
  get owed(): number {
    return this.#unacknowledged;
  }

  add(delivery: Delivery): void {
    this.#unacknowledged += 1;
    this.#waiting.push(delivery);
  }

  /** Takes back one that was given to a session in vain. */
  putBack(delivery: Delivery): void {
    this.#waiting.push(delivery);
  }

  acknowledged(delivery: Delivery): void {
    this.#unacknowledged -= 1;
    delivery.acknowledged();
  }

  attach(receiver: Receiver): void {
    this.#receivers.push(receiver);
  }

  detach(receiver: Receiver): void {
    this.#receivers = this.#receivers.filter((other) => other !== receiver);
  }

  /** Gives out as much as the sessions have room for. */
  pump(): void {
    while (this.#head < this.#waiting.length) {
      const receiver = this.#nextWithRoom();
      const delivery = this.#waiting[this.#head];
      if (!receiver || !delivery) break;
      this.#head += 1;
      receiver.deliver(delivery);
    }
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    } else if (this.#head > 10_000) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
  }

  #nextWithRoom(): Receiver | undefined {
    for (let tried = 0; tried < this.#receivers.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#receivers.length;
      const receiver = this.#receivers[this.#turn];
      if (receiver?.hasRoom()) return receiver;
    }
    return undefined;
  }
}
