import { createServer, type Server } from "node:net";
import type { Clock } from "../../kernel/clock.ts";
import { invariant } from "../../kernel/result.ts";
import type { PduDraft, PduOf } from "../../providers/smpp/wire/pdu.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { type Delivery, MESSAGE_STATE, makeDelivery, moPdus, receiptPdu, wireId } from "./delivery.ts";
import { changeFaults, NO_FAULTS, type SmscFaults } from "./faults.ts";
import { Handsets } from "./handset.ts";
import { type LogLine, type MoLine, type ReceiptStat, readSmscLogInBlocks, SmscLog, type SubmitLine } from "./log.ts";
import { Mailbox } from "./mailbox.ts";
import { Recent } from "./recent.ts";
import { scenarioOf, Tries } from "./scenarios.ts";
import { type BindPdu, Session, type SessionHost, type SessionTiming, type SubmitPdu } from "./session.ts";
import { readSubmission, type Submission } from "./submission.ts";
import { TimerWheel } from "./wheel.ts";

export interface SmscOptions {
  readonly clock: Clock;
  /** Where the log is. */
  readonly dataDir: string;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Passwords by system id; without any, every system id may bind. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly timing?: Partial<SmscTiming>;
  /** Size from which the log begins its next file. */
  readonly logFileBytesMax?: number;
}

/** Milliseconds. */
export interface SmscTiming extends SessionTiming {
  /** Until a deliver_sm that failed is given again; doubled each time, up to `redeliverMaxMs`. */
  readonly redeliverMs: number;
  readonly redeliverMaxMs: number;
  /** How often is looked at what waits too long. */
  readonly sweepMs: number;
}

const TIMING: SmscTiming = {
  deliverTimeoutMs: 5_000,
  idleMs: 30_000,
  enquireTimeoutMs: 10_000,
  redeliverMs: 1_000,
  redeliverMaxMs: 30_000,
  sweepMs: 500,
};

const LOG_FILE_BYTES_MAX = 256 * 1024 * 1024;
/** What `submissions` and query_sm look back on; with the handsets' bound this is what the process's memory depends on. */
const SUBMISSIONS_MAX = 100_000;
/** An ESME that is owed more than this gets RMSGQFUL until it has read some. */
const OWED_MAX = 500_000;
/** How long a held answer stays behind its receipt: longer than any ESME takes to read one. */
const RESPONSE_HELD_MS = 200;
const UNBIND_WAIT_MS = 500;
const UNKNOWN_STATE = 7;

export interface SmscStats {
  /** submit_sm and data_sm that came in on bound sessions. */
  readonly submits: number;
  readonly taken: number;
  readonly answered: number;
  readonly receiptsSent: number;
  readonly receiptsAcknowledged: number;
  /** deliver_sm that no ESME has acknowledged yet. */
  readonly owed: number;
  /** Bound ones. */
  readonly sessions: number;
}

/** A submission with whether its message has come to its end, which query_sm asks for. */
interface Kept {
  readonly line: SubmitLine;
  ended: boolean;
}

type Taken = SubmitLine & { readonly messageId: string; readonly outcome: ReceiptStat };

/**
 * An SMSC that speaks SMPP 3.4. Everything that comes in is in the log before anything about it goes out: octets collect
 * in the sessions while one turn of the event loop reads, and at its end the log is written, then the sockets.
 */
export class Smsc implements SessionHost {
  readonly timing: SmscTiming;
  readonly handsets = new Handsets();
  readonly #options: SmscOptions;
  readonly #clock: Clock;
  readonly #log: SmscLog;
  readonly #wheel: TimerWheel;
  readonly #server: Server;
  readonly #tries = new Tries();
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #sessions = new Set<Session>();
  readonly #submissions = new Recent<Kept>(SUBMISSIONS_MAX);
  readonly #unwritten = new Set<Session>();
  readonly #counts = { submits: 0, taken: 0, answered: 0, receiptsSent: 0, receiptsAcknowledged: 0 };
  #faults: SmscFaults = NO_FAULTS;
  #nextMessageId: number;
  #flushScheduled = false;
  #sweeper: NodeJS.Timeout | null = null;
  #stopped: Promise<void> | null = null;

  /** Opens the log, creating the directory. `start` reads it. */
  constructor(options: SmscOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.timing = { ...TIMING, ...options.timing };
    this.#log = new SmscLog(options.dataDir, options.logFileBytesMax ?? LOG_FILE_BYTES_MAX);
    this.#wheel = new TimerWheel(options.clock);
    this.#server = createServer((socket) => this.#sessions.add(new Session(socket, this)));
    // A new log must not begin where an older, deleted one did: references of both may be in one gateway's books.
    this.#nextMessageId = options.clock.now().getTime() * 1000;
  }

  /** Takes up from the log what was there before, then listens. Gives the port. */
  async start(): Promise<number> {
    await this.#restore();
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, resolve);
    });
    this.#sweeper = setInterval(() => this.#sweep(), this.timing.sweepMs);
    const address = this.#server.address();
    invariant(typeof address === "object" && address !== null, "a TCP server that listens has an address");
    return address.port;
  }

  /** Unbinds every session, closes, and closes the log. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.unbind();
    const cut = setTimeout(() => this.hangUp(), UNBIND_WAIT_MS);
    await closed;
    clearTimeout(cut);
    if (this.#sweeper) clearInterval(this.#sweeper);
    this.#wheel.stop();
    this.#log.close();
  }

  // What tests and the gateway's test routes ask for, over the control API.

  get faults(): SmscFaults {
    return this.#faults;
  }

  /** Sets the faults that `change` names; gives what is wrong with it, if anything, and then changes nothing. */
  setFaults(change: unknown): ReturnType<typeof changeFaults> {
    const result = changeFaults(this.#faults, change);
    if (!result.ok) return result;
    const wasFrozen = this.#faults.frozen;
    this.#faults = result.value;
    if (wasFrozen !== this.#faults.frozen) for (const session of this.#sessions) session.freezeOrThaw();
    this.#flushLater();
    return result;
  }

  /** Cuts every connection. */
  hangUp(): void {
    for (const session of this.#sessions) session.cut();
  }

  /**
   * A handset writes to `to`. The message goes to the ESME that `systemId` names, else to one that is bound for receiving.
   * Gives its id, or null when no ESME receives.
   */
  handsetWrites(message: { from: string; to: string; text: string; systemId?: string }): string | null {
    const systemId = message.systemId ?? [...this.#sessions].findLast((session) => session.receives)?.systemId;
    if (systemId === undefined) return null;
    const line: MoLine = {
      kind: "mo",
      at: this.#now(),
      messageId: String(this.#nextMessageId++),
      systemId,
      source: message.from,
      destination: message.to,
      text: message.text,
    };
    this.#log.append(line);
    this.#deliverMo(line, new Set());
    this.#flushLater();
    return line.messageId;
  }

  get stats(): SmscStats {
    let owed = 0;
    for (const mailbox of this.#mailboxes.values()) owed += mailbox.owed;
    return { ...this.#counts, owed, sessions: [...this.#sessions].filter((session) => session.isBound).length };
  }

  /** At most `limit` recent submissions from the place `after` on, and the place to go on from. */
  submissions(after: number, limit: number): { readonly submissions: readonly SubmitLine[]; readonly next: number } {
    const { items, next } = this.#submissions.from(after, limit);
    return { submissions: items.map(({ line }) => line), next };
  }

  // What sessions ask for.

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  bind(session: Session, pdu: BindPdu): number {
    if (this.#faults.bindsRefused) return COMMAND_STATUS.RBINDFAIL.code;
    const { accounts } = this.#options;
    const password = accounts && new Map(Object.entries(accounts)).get(pdu.system_id);
    if (pdu.system_id === "" || (accounts && password === undefined)) return COMMAND_STATUS.RINVSYSID.code;
    if (accounts && password !== pdu.password) return COMMAND_STATUS.RINVPASWD.code;
    if (pdu.command !== "bind_transmitter") this.#mailboxOf(pdu.system_id).attach(session);
    return COMMAND_STATUS.ROK.code;
  }

  submit(session: Session, pdu: SubmitPdu): void {
    this.#counts.submits += 1;
    const { submission, refusal } = readSubmission(pdu);
    const verdict = this.#judge(session, submission, refusal);
    const line = this.#lineOf(session.systemId, submission, verdict);
    this.#log.append(line);
    const kept = { line, ended: false };
    this.#submissions.add(kept);
    if (isTaken(line)) {
      this.#counts.taken += 1;
      if (this.#faults.receiptBeforeResponse) this.#end(kept, line);
      else this.#wheel.after(this.#faults.receiptDelayMs, () => this.#end(kept, line));
    }
    if (verdict.cuts) this.#cutAfterLog(session);
    else if (verdict.status !== null) this.#answer(session, pdu, verdict.status, line.messageId);
    else this.#flushLater();
  }

  query({ message_id }: PduOf<"query_sm">): Omit<PduDraft<"query_sm_resp">, "command" | "sequence"> {
    const kept = this.#submissions.findLast(
      ({ line }) => line.messageId !== null && wireId(line.messageId, this.#faults.responseIds) === message_id,
    );
    if (!kept) return { status: COMMAND_STATUS.RINVMSGID.code };
    const stat = kept.ended ? kept.line.outcome : "ENROUTE";
    return { message_id, message_state: stat ? MESSAGE_STATE[stat] : UNKNOWN_STATE };
  }

  answered(session: Session, delivery: Delivery, status: number): void {
    const mailbox = this.#mailboxOf(session.systemId);
    if (status === 0) mailbox.acknowledged(delivery);
    else this.#redeliverLater(mailbox, delivery);
    this.#flushLater();
  }

  unanswered(session: Session, delivery: Delivery): void {
    const mailbox = this.#mailboxOf(session.systemId);
    if (session.isBound) this.#redeliverLater(mailbox, delivery);
    // The session is gone, and that is not the delivery's fault: the next session gets it at once.
    else mailbox.putBack(delivery);
    this.#flushLater();
  }

  flushSoon(session: Session): void {
    this.#unwritten.add(session);
    this.#flushLater();
  }

  closed(session: Session): void {
    this.#sessions.delete(session);
    this.#unwritten.delete(session);
    this.#mailboxes.get(session.systemId)?.detach(session);
  }

  /** What is answered and whether the message is taken. Counting faults come first, the number's scenario last. */
  #judge(session: Session, submission: Submission, refusal: number): Verdict {
    if (refusal !== 0) return { status: refusal, isTaken: false };
    if (this.#mailboxOf(session.systemId).owed >= OWED_MAX)
      return { status: COMMAND_STATUS.RMSGQFUL.code, isTaken: false };
    const faults = this.#faults;
    if (faults.unansweredSubmits > 0) {
      this.#faults = { ...faults, unansweredSubmits: faults.unansweredSubmits - 1 };
      return { status: null, isTaken: faults.unansweredAreTaken };
    }
    if (faults.throttledSubmits > 0) {
      this.#faults = { ...faults, throttledSubmits: faults.throttledSubmits - 1 };
      return { status: COMMAND_STATUS.RTHROTTLED.code, isTaken: false };
    }
    if (faults.failedSubmits > 0) {
      this.#faults = { ...faults, failedSubmits: faults.failedSubmits - 1 };
      return { status: COMMAND_STATUS.RSYSERR.code, isTaken: false };
    }
    const scenario = scenarioOf(submission.destination);
    if (this.#tries.isNotTaken(scenario, submission))
      return { status: scenario.notTaken?.status ?? null, isTaken: false };
    if (faults.disconnectAfterSubmits > 0) {
      this.#faults = { ...faults, disconnectAfterSubmits: faults.disconnectAfterSubmits - 1 };
      return { status: null, isTaken: true, cuts: faults.disconnectAfterSubmits === 1 };
    }
    return { status: COMMAND_STATUS.ROK.code, isTaken: true };
  }

  #lineOf(systemId: string, submission: Submission, { status, isTaken }: Verdict): SubmitLine {
    const begun = { kind: "submit", at: this.#now(), systemId, status } as const;
    if (!isTaken) return { ...begun, messageId: null, ...submission, outcome: null, receipts: [] };
    const { receipts, receiptsOfPart, networkError } = scenarioOf(submission.destination);
    const { concatenation } = submission;
    const stats = (concatenation && concatenation.total > 1 && receiptsOfPart?.[concatenation.index]) || receipts;
    const outcome = stats.find((stat) => stat !== "ENROUTE") ?? "DELIVRD";
    return {
      ...begun,
      messageId: String(this.#nextMessageId++),
      ...submission,
      outcome,
      ...(outcome !== "DELIVRD" && networkError !== undefined && { networkError }),
      receipts: this.#receiptsWanted(submission.registeredDelivery, outcome, stats),
    };
  }

  /** By the two low bits of registered_delivery (SMPP 3.4, section 5.2.17; 3 is SMPP 5.0's) and the faults. */
  #receiptsWanted(
    registeredDelivery: number,
    outcome: ReceiptStat,
    stats: readonly ReceiptStat[],
  ): readonly ReceiptStat[] {
    const wanted = registeredDelivery & 0x03;
    if (wanted === 0 || (wanted === 2 && outcome === "DELIVRD") || (wanted === 3 && outcome !== "DELIVRD")) return [];
    const { unorderedReceipts, duplicateReceipts } = this.#faults;
    const sent: readonly ReceiptStat[] = unorderedReceipts ? [...stats, "ENROUTE"] : stats;
    return duplicateReceipts ? sent.flatMap((stat) => [stat, stat]) : sent;
  }

  #answer(session: Session, pdu: SubmitPdu, status: number, messageId: string | null): void {
    const id = messageId === null ? "" : wireId(messageId, this.#faults.responseIds);
    const answer = () => {
      this.#counts.answered += 1;
      session.answerSubmit(pdu, status, id);
    };
    if (this.#faults.receiptBeforeResponse && status === 0) this.#wheel.after(RESPONSE_HELD_MS, answer);
    else answer();
  }

  /** The message reaches its end: the handset has it or never will, and the receipts are due. */
  #end(kept: Kept, line: Taken): void {
    kept.ended = true;
    if (line.outcome === "DELIVRD") this.handsets.receive(line, this.#now());
    this.#deliverReceipts(line, new Set());
    this.#flushLater();
  }

  #deliverReceipts(line: Taken, acknowledged: ReadonlySet<number>): void {
    const doneAt = this.#clock.now();
    for (const [index, stat] of line.receipts.entries()) {
      if (acknowledged.has(index)) continue;
      this.#mailboxOf(line.systemId).add(
        makeDelivery(
          () => {
            this.#counts.receiptsSent += 1;
            return receiptPdu(line, stat, doneAt, this.#faults);
          },
          () => {
            this.#counts.receiptsAcknowledged += 1;
            this.#log.append({ kind: "receipt", at: this.#now(), messageId: line.messageId, index, stat });
          },
        ),
      );
    }
  }

  #deliverMo(line: MoLine, acknowledged: ReadonlySet<number>): void {
    for (const [index, pdu] of moPdus(line).entries()) {
      if (acknowledged.has(index)) continue;
      this.#mailboxOf(line.systemId).add(
        makeDelivery(
          () => pdu,
          () => this.#log.append({ kind: "mo_part", at: this.#now(), messageId: line.messageId, index }),
        ),
      );
    }
  }

  #redeliverLater(mailbox: Mailbox, delivery: Delivery): void {
    const { redeliverMs, redeliverMaxMs } = this.timing;
    const wait = Math.min(redeliverMaxMs, redeliverMs * 2 ** delivery.failures);
    delivery.failures += 1;
    this.#wheel.after(wait, () => {
      mailbox.putBack(delivery);
      this.#flushLater();
    });
  }

  #cutAfterLog(session: Session): void {
    this.#log.flush();
    session.cut();
  }

  #flushLater(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    // After all sockets that have something to read in this turn: one write to the log for all of them.
    setImmediate(() => {
      this.#flushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (!this.#faults.receiptsPaused) for (const mailbox of this.#mailboxes.values()) mailbox.pump();
    this.#log.flush();
    for (const session of this.#unwritten) session.write();
    this.#unwritten.clear();
  }

  #sweep(): void {
    for (const session of this.#sessions) session.sweep();
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
    return this.#clock.now().toISOString();
  }

  /** Handsets, tries, ids and what is still owed, from the log. */
  async #restore(): Promise<void> {
    const owed = new Map<string, { readonly line: Taken | MoLine; readonly acknowledged: Set<number> }>();
    const take = (line: LogLine): void => {
      switch (line.kind) {
        case "submit":
          this.#tries.isNotTaken(scenarioOf(line.destination), line);
          this.#submissions.add({ line, ended: true });
          if (!isTaken(line)) return;
          if (line.outcome === "DELIVRD") this.handsets.receive(line, line.at);
          if (line.receipts.length > 0) owed.set(line.messageId, { line, acknowledged: new Set() });
          break;
        case "mo":
          owed.set(line.messageId, { line, acknowledged: new Set() });
          break;
        case "receipt":
        case "mo_part": {
          const entry = owed.get(line.messageId);
          if (!entry) return;
          entry.acknowledged.add(line.index);
          if (entry.acknowledged.size === countOf(entry.line)) owed.delete(line.messageId);
          return;
        }
      }
      this.#nextMessageId = Math.max(this.#nextMessageId, Number(line.messageId) + 1);
    };
    for await (const lines of readSmscLogInBlocks(this.#options.dataDir)) for (const line of lines) take(line);
    for (const { line, acknowledged } of owed.values()) {
      if (line.kind === "mo") this.#deliverMo(line, acknowledged);
      else this.#deliverReceipts(line, acknowledged);
    }
  }
}

interface Verdict {
  /** null: no answer. */
  readonly status: number | null;
  readonly isTaken: boolean;
  /** The session is cut with this submit. */
  readonly cuts?: boolean;
}

const isTaken = (line: SubmitLine): line is Taken => line.messageId !== null && line.outcome !== null;

/** How many deliver_sm a line brings about. */
const countOf = (line: Taken | MoLine): number => (line.kind === "mo" ? moPdus(line).length : line.receipts.length);
