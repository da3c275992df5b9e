import type { Clock } from "../../kernel/clock.ts";
import { type Delivery, makeDelivery, moPdus, receiptPdu } from "./delivery.ts";
import type { SmscFaults } from "./faults.ts";
import type { LogLine, MoLine } from "./log.ts";
import { Mailbox, type Receiver } from "./mailbox.ts";
import { encodeOddDelivery, type OddDelivery } from "./odd-delivery.ts";
import type { Owed, Taken } from "./unacknowledged.ts";
import type { TimerWheel } from "./wheel.ts";

/** Milliseconds. */
export interface OutboundTiming {
  /** Until a deliver_sm that failed is given again; doubled each time, up to `redeliverMaxMs`. */
  readonly redeliverMs: number;
  readonly redeliverMaxMs: number;
}

/** What the way out needs of its SMSC. */
export interface OutboundHost {
  readonly clock: Clock;
  readonly wheel: TimerWheel;
  readonly timing: OutboundTiming;
  faults(): SmscFaults;
  log(line: LogLine): void;
  /** There is something to be given out. */
  flushLater(): void;
}

/** An ESME that is owed more than this gets RMSGQFUL until it has read some: what is owed is kept in memory. */
const OWED_MAX = 200_000;

/** The way out: receipts and handsets' messages, a mailbox for each system id, until each is acknowledged. */
export class Outbound {
  readonly counts = { receiptsSent: 0, receiptsAcknowledged: 0 };
  readonly #host: OutboundHost;
  readonly #mailboxes = new Map<string, Mailbox>();

  constructor(host: OutboundHost) {
    this.#host = host;
  }

  attach(systemId: string, receiver: Receiver): void {
    this.#mailboxOf(systemId).attach(receiver);
    this.#host.flushLater();
  }

  detach(systemId: string, receiver: Receiver): void {
    this.#mailboxes.get(systemId)?.detach(receiver);
  }

  isFull(systemId: string): boolean {
    return this.#mailboxOf(systemId).owed >= OWED_MAX;
  }

  /** deliver_sm that no ESME has acknowledged yet. */
  get owed(): number {
    let owed = 0;
    for (const mailbox of this.#mailboxes.values()) owed += mailbox.owed;
    return owed;
  }

  /** What an earlier process has left unacknowledged. */
  takeUp({ line, acknowledged }: Owed): void {
    if (line.kind === "mo") this.addMessage(line, acknowledged);
    else this.addReceipts(line, acknowledged);
  }

  addReceipts(line: Taken, acknowledged: ReadonlySet<number> = NONE): void {
    const doneAt = this.#host.clock.now();
    for (const [index, stat] of line.receipts.entries()) {
      if (acknowledged.has(index)) continue;
      const pdu = () => {
        this.counts.receiptsSent += 1;
        return receiptPdu(line, stat, doneAt, this.#host.faults());
      };
      const done = () => {
        this.counts.receiptsAcknowledged += 1;
        this.#host.log({ kind: "receipt", at: this.#now(), messageId: line.messageId, index, stat });
      };
      this.#mailboxOf(line.systemId).add(makeDelivery(pdu, done));
    }
    this.#host.flushLater();
  }

  addMessage(line: MoLine, acknowledged: ReadonlySet<number> = NONE): void {
    for (const [index, pdu] of moPdus(line).entries()) {
      if (acknowledged.has(index)) continue;
      const done = () => this.#host.log({ kind: "mo_part", at: this.#now(), messageId: line.messageId, index });
      this.#mailboxOf(line.systemId).add(makeDelivery(() => pdu, done));
    }
    this.#host.flushLater();
  }

  addOdd(systemId: string, odd: OddDelivery): void {
    const encode = (sequence: number) => encodeOddDelivery(odd, sequence);
    this.#mailboxOf(systemId).add({ encode, acknowledged: () => undefined, failures: 0 });
    this.#host.flushLater();
  }

  acknowledged(systemId: string, delivery: Delivery): void {
    this.#mailboxOf(systemId).acknowledged(delivery);
    this.#host.flushLater();
  }

  /** The ESME has refused it or left it unanswered: it comes again, each time later. */
  failed(systemId: string, delivery: Delivery): void {
    const { redeliverMs, redeliverMaxMs } = this.#host.timing;
    const wait = Math.min(redeliverMaxMs, redeliverMs * 2 ** delivery.failures);
    delivery.failures += 1;
    this.#host.wheel.after(wait, () => this.returned(systemId, delivery));
  }

  /** Its session is gone, which is not the delivery's fault: the next session gets it at once. */
  returned(systemId: string, delivery: Delivery): void {
    this.#mailboxOf(systemId).putBack(delivery);
    this.#host.flushLater();
  }

  /** Gives out as much as the sessions have room for. */
  pump(): void {
    if (this.#host.faults().receiptsPaused) return;
    for (const mailbox of this.#mailboxes.values()) mailbox.pump();
  }

  #mailboxOf(systemId: string): Mailbox {
    let mailbox = this.#mailboxes.get(systemId);
    if (!mailbox) {
      mailbox = new Mailbox();
      this.#mailboxes.set(systemId, mailbox);
    }
    return mailbox;
  }

  #now(): string {
    return this.#host.clock.now().toISOString();
  }
}

const NONE: ReadonlySet<number> = new Set();
