import { createServer, type Server } from "node:net";
import type { Clock } from "../../kernel/clock.ts";
import { invariant, type Result } from "../../kernel/result.ts";
import type { PduDraft, PduOf } from "../../providers/smpp/wire/pdu.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { formatAbsoluteTime } from "../../providers/smpp/wire/time.ts";
import { type Delivery, MESSAGE_STATE, wireId } from "./delivery.ts";
import type { SmscFaults } from "./faults.ts";
import { Handsets } from "./handset.ts";
import { Intake } from "./intake.ts";
import { type MoLine, SmscLog, type SubmitLine } from "./log.ts";
import type { OddDelivery } from "./odd-delivery.ts";
import { Outbound, type OutboundTiming } from "./outbound.ts";
import { Recent } from "./recent.ts";
import { type BindPdu, Session, type SessionHost, type SessionTiming, type SubmitPdu } from "./session.ts";
import { isTaken, readBack, type Taken } from "./unacknowledged.ts";
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
export interface SmscTiming extends SessionTiming, OutboundTiming {
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
const SUBMISSIONS_MAX = 50_000;
/** How long a held answer stays behind its receipt: longer than any ESME takes to read one. */
const RESPONSE_HELD_MS = 200;
const UNBIND_WAIT_MS = 500;
const UNKNOWN_STATE = 7;
/** 16 octets with the NUL: SMPP 3.4, section 4.1.1. Passwords may be longer than the 8 of the specification: SMSCs issue such. */
const SYSTEM_ID_MAX = 15;

export interface SmscStats {
  /** submit_sm and data_sm that came in on bound sessions. */
  readonly submits: number;
  readonly taken: number;
  readonly answered: number;
  readonly receiptsSent: number;
  readonly receiptsAcknowledged: number;
  /** deliver_sm that no ESME has acknowledged yet. */
  readonly owed: number;
  /** TCP connections, bound or not. */
  readonly connections: number;
  /** Bound ones. */
  readonly sessions: number;
}

/** A submission with whether its message has come to its end, which query_sm asks for. */
interface Kept {
  readonly line: SubmitLine;
  /** Null: it is on its way. */
  endedAt: Date | null;
}

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
  readonly #intake: Intake;
  readonly #outbound: Outbound;
  readonly #sessions = new Set<Session>();
  readonly #submissions = new Recent<Kept>(SUBMISSIONS_MAX);
  readonly #unwritten = new Set<Session>();
  readonly #counts = { submits: 0, taken: 0, answered: 0 };
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
    this.#intake = new Intake(options.clock);
    this.#outbound = new Outbound({
      clock: options.clock,
      wheel: this.#wheel,
      timing: this.timing,
      faults: () => this.faults,
      log: (line) => this.#log.append(line),
      flushLater: () => this.#flushLater(),
    });
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
    return this.#intake.faults;
  }

  /** Sets the faults that `change` names and gives all; or what is wrong with it, and then nothing has changed. */
  setFaults(change: unknown): Result<SmscFaults, readonly string[]> {
    const wasFrozen = this.faults.frozen;
    const result = this.#intake.setFaults(change);
    if (wasFrozen !== this.faults.frozen) for (const session of this.#sessions) session.freezeOrThaw();
    this.#flushLater();
    return result;
  }

  /** Forgets every bind, as an SMSC does that was restarted behind a proxy: the connections stay up. */
  forgetBinds(): void {
    for (const session of this.#sessions) {
      session.forget();
      this.#outbound.detach(session.systemId, session);
    }
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
    const systemId = message.systemId ?? this.#receivingSystemId();
    if (systemId === undefined) return null;
    const line: MoLine = {
      kind: "mo",
      at: this.#now(),
      messageId: this.#intake.newMessageId(),
      systemId,
      source: message.from,
      destination: message.to,
      text: message.text,
    };
    this.#log.append(line);
    this.#outbound.addMessage(line);
    return line.messageId;
  }

  /** Owes the ESME this deliver_sm; false when none receives. */
  deliver(odd: OddDelivery): boolean {
    const systemId = odd.systemId ?? this.#receivingSystemId();
    if (systemId === undefined) return false;
    this.#outbound.addOdd(systemId, odd);
    return true;
  }

  #receivingSystemId(): string | undefined {
    return [...this.#sessions].findLast((session) => session.receives)?.systemId;
  }

  get stats(): SmscStats {
    const sessions = [...this.#sessions].filter((session) => session.isBound).length;
    const connections = this.#sessions.size;
    return { ...this.#counts, ...this.#outbound.counts, owed: this.#outbound.owed, connections, sessions };
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
    if (this.faults.bindsRefused) return COMMAND_STATUS.RBINDFAIL.code;
    const { accounts } = this.#options;
    const password = accounts && new Map(Object.entries(accounts)).get(pdu.system_id);
    if (pdu.system_id.length > SYSTEM_ID_MAX) return COMMAND_STATUS.RINVSYSID.code;
    if (pdu.system_id === "" || (accounts && password === undefined)) return COMMAND_STATUS.RINVSYSID.code;
    if (accounts && password !== pdu.password) return COMMAND_STATUS.RINVPASWD.code;
    if (pdu.command !== "bind_transmitter") this.#outbound.attach(pdu.system_id, session);
    return COMMAND_STATUS.ROK.code;
  }

  submit(session: Session, pdu: SubmitPdu): void {
    this.#counts.submits += 1;
    const { systemId } = session;
    const { line, cuts } = this.#intake.take(systemId, pdu, this.#outbound.isFull(systemId));
    this.#log.append(line);
    const kept: Kept = { line, endedAt: null };
    this.#submissions.add(kept);
    if (isTaken(line)) {
      this.#counts.taken += 1;
      if (this.faults.receiptBeforeResponse) this.#end(kept, line);
      else this.#wheel.after(this.faults.receiptDelayMs, () => this.#end(kept, line));
    }
    if (cuts) this.#cutAfterLog(session);
    else if (line.status !== null) this.#answer(session, pdu, line.status, line.messageId);
    else this.#flushLater();
  }

  query({ message_id }: PduOf<"query_sm">): Omit<PduDraft<"query_sm_resp">, "command" | "sequence"> {
    const kept = this.#submissions.findLast(
      ({ line }) => line.messageId !== null && wireId(line.messageId, this.faults.responseIds) === message_id,
    );
    if (!kept) return { status: COMMAND_STATUS.RINVMSGID.code };
    const { line, endedAt } = kept;
    const stat = endedAt ? line.outcome : "ENROUTE";
    return {
      message_id,
      // Empty until there is a final state (3.4, section 4.8.2).
      final_date: endedAt ? formatAbsoluteTime(endedAt) : "",
      message_state: stat ? MESSAGE_STATE[stat] : UNKNOWN_STATE,
      error_code: endedAt ? (line.networkError ?? 0) : 0,
    };
  }

  answered(session: Session, delivery: Delivery, status: number): void {
    if (status === 0) this.#outbound.acknowledged(session.systemId, delivery);
    else this.#outbound.failed(session.systemId, delivery);
  }

  unanswered(session: Session, delivery: Delivery): void {
    if (session.isBound) this.#outbound.failed(session.systemId, delivery);
    else this.#outbound.returned(session.systemId, delivery);
  }

  flushSoon(session: Session): void {
    this.#unwritten.add(session);
    this.#flushLater();
  }

  closed(session: Session): void {
    this.#sessions.delete(session);
    this.#unwritten.delete(session);
    this.#outbound.detach(session.systemId, session);
  }

  #answer(session: Session, pdu: SubmitPdu, status: number, messageId: string | null): void {
    const id = messageId === null ? "" : wireId(messageId, this.faults.responseIds);
    const answer = () => {
      this.#counts.answered += 1;
      session.answerSubmit(pdu, status, id);
    };
    if (this.faults.receiptBeforeResponse && status === 0) this.#wheel.after(RESPONSE_HELD_MS, answer);
    else answer();
  }

  /** The message reaches its end: the handset has it or never will, and the receipts are due. */
  #end(kept: Kept, line: Taken): void {
    kept.endedAt = this.#clock.now();
    if (line.outcome === "DELIVRD") this.handsets.receive(line, this.#now());
    this.#outbound.addReceipts(line);
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
    this.#outbound.pump();
    this.#log.flush();
    for (const session of this.#unwritten) session.write();
    this.#unwritten.clear();
  }

  #sweep(): void {
    for (const session of this.#sessions) session.sweep();
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }

  /** Handsets, tries, ids and what is still owed, from the log. */
  async #restore(): Promise<void> {
    const owed = await readBack(this.#options.dataDir, (line) => {
      this.#intake.recall(line);
      if (line.kind !== "submit") return;
      this.#submissions.add({ line, endedAt: new Date(line.at) });
      if (line.outcome === "DELIVRD") this.handsets.receive(line, line.at);
    });
    for (const item of owed) this.#outbound.takeUp(item);
  }
}
