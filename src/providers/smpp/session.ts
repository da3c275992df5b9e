import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Deadline, deadline } from "../../kernel/deadline.ts";
import type { Log } from "../../kernel/log.ts";
import { LateAnswers } from "./late-answers.ts";
import { refusesTlvs, saysNotBound, type VendorStatus } from "./outcomes.ts";
import type { AnsweredLate, SubmitAnswer } from "./submit-answer.ts";
import { isResponseId, type RequestCommand, responseTo } from "./wire/commands.ts";
import {
  encodePdu,
  isFault,
  type Pdu,
  type PduDraft,
  type PduFault,
  type PduOf,
  PduReader,
  sequenceAfter,
} from "./wire/pdu.ts";
import { COMMAND_STATUS, describeStatus } from "./wire/status.ts";
import { readTlvInteger, TAG, type Tlv } from "./wire/tlv.ts";

/** One session's settings, a part of the adapter's. */
export interface SessionSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings | null;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** Submits without an answer; enquire_link is not counted. */
  readonly windowSize: number;
  readonly responseTimeoutMs: number;
  readonly enquireLinkSeconds: number;
  /** For connecting, TLS and the answer to the bind together. */
  readonly bindTimeoutMs: number;
  /** `auto`: whether submits carry any is what the answer to the bind says. */
  readonly optionalParameters: OptionalParameters;
  /** Statuses with a vendor-specific meaning: they say nothing about the bind or parameters. */
  readonly statusMap: ReadonlyMap<number, VendorStatus>;
}

export type OptionalParameters = "auto" | "always" | "never";

export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

export type BindKind = "transceiver" | "transmitter" | "receiver";
export type Delivery = PduOf<"deliver_sm"> | PduOf<"data_sm">;
export type SubmitDraft = Omit<PduDraft<"submit_sm">, "sequence">;

export type CloseReason =
  /** The SMSC answered the bind with this command_status. */
  { readonly kind: "refused"; readonly status: number } | { readonly kind: "lost"; readonly detail: string };

export interface SessionEvents {
  bound(): void;
  /** Once, whatever happened; every submit has been answered `lost` by then. */
  closed(reason: CloseReason): void;
  /** A window slot, or room in the socket's buffer, may have become free. */
  roomChanged(): void;
  /** Settles after what it carries is committed. The command_status of the answer; a rejection asks for redelivery. */
  delivered(delivery: Delivery): Promise<number>;
  /** A protocol violation of the SMSC, which may repeat it a thousand times. */
  odd(what: OddPdu): void;
}

/** A PDU's fault for the log, without its sender and text. */
export interface OddPdu {
  /** The command's name, or the id of one that nobody knows. */
  readonly command: string;
  readonly detail: string;
}

const INTERFACE_VERSION = 0x34;
/** Deliveries being committed. Above it the SMSC is asked to come again: a slow database must not fill our memory. */
const DELIVERIES_MAX = 1_000;
/**
 * Octets that the SMSC has not read. Submits stop far below it, at the socket's own mark; answers to what it asks can't wait, and
 * one that asks without reading would fill our memory. A few seconds of answers at the highest rates fit.
 */
const UNREAD_OCTETS_MAX = 4 * 1024 * 1024;
/**
 * Submits without an answer in time whose answer is still listened for, and for how long: an SMSC that answers at all does so within
 * minutes. The oldest is forgotten first.
 */
const LATE_MAX = 10_000;
const LATE_MS = 10 * 60_000;
/** SMPP allows 65 octets (3.4, section 5.2.23); an SMSC may send 64 kB, which no log needs. */
const LOGGED_ID_MAX = 65;

interface PendingSubmit {
  readonly resolve: (answer: SubmitAnswer) => void;
  readonly limit: Deadline;
  /** Changes when it is sent again without optional parameters; the time limit does not. */
  sequence: number;
  /** What was written, and what to write instead should its optional parameters be refused. */
  readonly draft: SubmitDraft;
  readonly plain: PlainDraft;
  readonly mayStillSend: () => boolean;
  /** Optional parameters were refused; this is the same submit without. */
  isPlain: boolean;
}

/** The same submit without optional parameters; undefined where one submit can't carry it so. */
export type PlainDraft = () => SubmitDraft | undefined;

/**
 * One connection to an SMSC, from connecting to closing, bound once. It is never reopened: a new session starts with a new
 * reader, new sequence numbers and an empty window (`BindLink` makes it).
 */
export class Session {
  readonly #settings: SessionSettings;
  readonly #kind: BindKind;
  readonly #events: SessionEvents;
  readonly #log: Log;
  readonly #reader = new PduReader();
  readonly #pending = new Map<number, PendingSubmit>();
  readonly #late = new LateAnswers(LATE_MAX, LATE_MS);
  readonly #socket: Socket;
  readonly #bindLimit: Deadline;
  #state: "connecting" | "binding" | "bound" | "ending" | "closed" = "connecting";
  #closeReason: CloseReason | null = null;
  #sequence = 0;
  #bindSequence = 0;
  /** Sequence and deadline of the enquire_link that has no answer yet. */
  #enquiry: { readonly sequence: number; readonly limit: Deadline } | null = null;
  #enquireTimer: NodeJS.Timeout | undefined;
  #deliveriesUnderWay = 0;
  #corked = false;
  #takesTlvs = true;
  #whenClosed = Promise.withResolvers<void>();
  #whenUnbound: (() => void) | undefined;
  /** While it is ending: what to do once no submit is without an answer. */
  #whenEmpty: (() => void) | undefined;

  constructor(settings: SessionSettings, kind: BindKind, events: SessionEvents, log: Log) {
    this.#settings = settings;
    this.#kind = kind;
    this.#events = events;
    this.#log = log;
    const { host, port, tls, bindTimeoutMs } = settings;
    this.#socket =
      tls === null ? connectTcp({ host, port, noDelay: true, keepAlive: true }) : connectTls({ host, port, ...tls });
    this.#bindLimit = deadline(bindTimeoutMs, () => this.destroy("the bind was not answered in time"));
    this.#socket.setNoDelay(true);
    this.#socket.on(tls === null ? "connect" : "secureConnect", () => this.#bind());
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("drain", () => this.#events.roomChanged());
    this.#socket.on("error", (error) => this.#because({ kind: "lost", detail: messageOf(error) }));
    this.#socket.on("close", () => this.#closed());
  }

  get isBound(): boolean {
    return this.#state === "bound";
  }

  /** Whether submits carry optional parameters: what the bind was answered with, until the SMSC refuses one. */
  get takesTlvs(): boolean {
    return this.#takesTlvs;
  }

  /** Why it is ending; undefined otherwise. */
  get trouble(): string | undefined {
    return this.#closeReason?.kind === "lost" ? this.#closeReason.detail : undefined;
  }

  /** Whether a submit can be written now. */
  hasRoom(): boolean {
    const { writable, writableNeedDrain } = this.#socket;
    return this.isBound && writable && !writableNeedDrain && this.#pending.size < this.#settings.windowSize;
  }

  /**
   * Writes one submit and waits for its answer. Never rejects; settles within the response timeout.
   * `mayStillSend` is asked with nothing between it and the write. The octets leave at the end of the current turn of the
   * event loop: what is written in one turn goes to the kernel in one call. An answer after the time limit goes to `answeredLate`.
   * An SMSC without optional parameters gets `plain`; one that refuses them gets it as a second try, within the same time limit.
   */
  submit(
    draft: SubmitDraft,
    mayStillSend: () => boolean,
    answeredLate: AnsweredLate = () => {},
    plain: PlainDraft = () => ({ ...draft, tlvs: NO_TLVS }),
  ): Promise<SubmitAnswer> {
    if (!this.hasRoom()) return notSent("no free window slot", false);
    const chosen = this.#takesTlvs || isWithoutTlvs(draft) ? draft : plain();
    if (chosen === undefined) return Promise.resolve(NEEDS_PARTS);
    const sequence = this.#nextSequence();
    let octets: Buffer;
    try {
      octets = encodePdu({ ...chosen, sequence });
    } catch (error) {
      return Promise.resolve({ kind: "unwritable", detail: messageOf(error) });
    }
    if (!mayStillSend()) return notSent("the order's lease may have passed on", true);
    this.#write(octets);
    return new Promise((resolve) => {
      const limit = deadline(this.#settings.responseTimeoutMs, () => {
        this.#late.expect(pending.sequence, answeredLate);
        this.#settle(pending.sequence, { kind: "lost", detail: "the SMSC did not answer in time" });
      });
      const pending: PendingSubmit = { resolve, limit, sequence, draft: chosen, plain, mayStillSend, isPlain: false };
      this.#pending.set(sequence, pending);
    });
  }

  /** Waits for the answers under way, unbinds and closes. Resolves when closed; each step has its time limit. */
  async close(): Promise<void> {
    if (this.#state === "bound") {
      this.#state = "ending";
      this.#because({ kind: "lost", detail: "closed by us" });
      await this.#unbindWhenEmpty();
    }
    this.destroy("closed by us");
    await this.#whenClosed.promise;
  }

  /** Closes at once; unanswered submits are lost. */
  destroy(detail: string): void {
    if (this.#state === "closed") return;
    this.#because({ kind: "lost", detail });
    this.#socket.destroy();
  }

  async #unbindWhenEmpty(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenUnbound = resolve;
    this.#whenEmpty = () => this.#unbind();
    if (this.#pending.size === 0) this.#unbind();
    await Promise.race([promise, this.#whenClosed.promise]);
  }

  #unbind(): void {
    this.#write(encodePdu({ command: "unbind", sequence: this.#nextSequence() }));
    const limit = deadline(this.#settings.bindTimeoutMs, () => this.destroy("unbind was not answered in time"));
    void this.#whenClosed.promise.then(() => limit.cancel());
  }

  #bind(): void {
    this.#state = "binding";
    this.#bindSequence = this.#nextSequence();
    const { systemId, password, systemType } = this.#settings;
    this.#write(
      encodePdu({
        command: `bind_${this.#kind}`,
        sequence: this.#bindSequence,
        system_id: systemId,
        password,
        system_type: systemType,
        interface_version: INTERFACE_VERSION,
      }),
    );
  }

  #read(chunk: Buffer): void {
    for (const item of this.#reader.push(chunk)) {
      if (this.#state === "closed") return;
      if (isFault(item)) this.#readFault(item);
      else this.#readPdu(item);
    }
  }

  #readPdu(pdu: Pdu): void {
    if (pdu.stray !== undefined) {
      this.#events.odd({
        command: pdu.command,
        detail: `octets at the end are no whole parameter: ${pdu.stray.length}`,
      });
    }
    if (pdu.missing !== undefined && pdu.command === "deliver_sm") {
      this.#events.odd({
        command: pdu.command,
        detail: `short_message is shorter than sm_length says, by octets: ${pdu.missing}`,
      });
    }
    switch (pdu.command) {
      case "submit_sm_resp":
        this.#answered(pdu.sequence, { kind: "answered", status: pdu.status, messageId: pdu.message_id });
        return;
      case "generic_nack":
        this.#readNack(pdu);
        return;
      case "deliver_sm":
      case "data_sm":
        this.#deliver(pdu, pdu.command);
        return;
      case "enquire_link":
        this.#write(encodePdu({ command: "enquire_link_resp", sequence: pdu.sequence }));
        return;
      case "enquire_link_resp":
        this.#enquiryAnswered(pdu);
        return;
      case "bind_transceiver_resp":
      case "bind_transmitter_resp":
      case "bind_receiver_resp":
        this.#readBindAnswer(pdu);
        return;
      case "unbind":
        this.#write(encodePdu({ command: "unbind_resp", sequence: pdu.sequence }));
        this.#leave();
        return;
      case "unbind_resp":
        this.#whenUnbound?.();
        return;
      default:
        this.#readUnasked(pdu);
    }
  }

  #readBindAnswer({ sequence, status, tlvs }: Pick<Pdu, "sequence" | "status" | "tlvs">): void {
    if (this.#state !== "binding" || sequence !== this.#bindSequence) return;
    if (status !== COMMAND_STATUS.ROK.code) {
      this.#because({ kind: "refused", status });
      this.#socket.destroy();
      return;
    }
    this.#bindLimit.cancel();
    this.#state = "bound";
    this.#takesTlvs = mayHaveTlvs(this.#settings.optionalParameters, tlvs);
    const { enquireLinkSeconds } = this.#settings;
    if (enquireLinkSeconds > 0) this.#enquireTimer = setInterval(() => this.#enquire(), enquireLinkSeconds * 1_000);
    this.#events.bound();
  }

  /** A nack answers the request with its sequence; to a bind it is a refusal. With status 0 it contradicts itself and grants nothing. */
  #readNack({ sequence, status, tlvs }: PduOf<"generic_nack">): void {
    if (this.#state === "binding") {
      this.#readBindAnswer({ sequence, status: status || COMMAND_STATUS.RBINDFAIL.code, tlvs });
      return;
    }
    const said = status || COMMAND_STATUS.RUNKNOWNERR.code;
    if (this.#enquiry?.sequence === sequence) this.#enquiryAnswered({ sequence, status: said });
    else this.#answered(sequence, { kind: "answered", status: said, messageId: "" });
  }

  /** An SMSC should not send these requests, but it disconnects if they stay unanswered. */
  #readUnasked(pdu: Pdu): void {
    const response = responseTo(pdu.command);
    this.#log.debug({ command: pdu.command, status: pdu.status }, "SMSC sent a PDU that an ESME has no use for");
    if (response !== undefined) {
      this.#write(encodePdu({ command: response, status: COMMAND_STATUS.RINVCMDID.code, sequence: pdu.sequence }));
    }
  }

  #readFault(fault: PduFault): void {
    switch (fault.fault) {
      case "bad_length":
        this.#log.warn({ ...fault }, "SMSC sent something that is not a PDU");
        this.destroy(`the SMSC sent a PDU length of ${fault.length}`);
        return;
      case "unknown_command":
        this.#events.odd({ command: `0x${fault.commandId.toString(16)}`, detail: "there is no such command" });
        if (isResponseId(fault.commandId)) return;
        this.#write(
          encodePdu({ command: "generic_nack", status: COMMAND_STATUS.RINVCMDID.code, sequence: fault.sequence }),
        );
        return;
      case "bad_body":
        this.#refuseBody(fault);
    }
  }

  /** A truncated delivery stays truncated: the answer tells the SMSC not to redeliver it. */
  #refuseBody({ command, sequence, detail }: Extract<PduFault, { readonly fault: "bad_body" }>): void {
    this.#events.odd({ command, detail: `refused: ${detail}` });
    const response = responseTo(command);
    if (response === undefined) return;
    const isDelivery = command === "deliver_sm" || command === "data_sm";
    const { code } = COMMAND_STATUS[isDelivery ? "RX_P_APPN" : "RINVCMDLEN"];
    this.#write(encodePdu({ command: response, status: code, sequence }));
  }

  #deliver(delivery: Delivery, command: Extract<RequestCommand, "deliver_sm" | "data_sm">): void {
    const answer = (status: number) => {
      if (this.#state === "closed") return; // The SMSC delivers again: what was committed is recognised as a repeat.
      this.#write(encodePdu({ command: `${command}_resp`, status, sequence: delivery.sequence }));
    };
    if (this.#deliveriesUnderWay >= DELIVERIES_MAX) {
      answer(COMMAND_STATUS.RX_T_APPN.code);
      return;
    }
    this.#deliveriesUnderWay += 1;
    this.#events
      .delivered(delivery)
      .catch((error: unknown) => {
        this.#log.warn(
          { error: messageOf(error) },
          "what the SMSC delivered could not be recorded; asked to deliver again",
        );
        return COMMAND_STATUS.RX_T_APPN.code;
      })
      .then((status) => {
        this.#deliveriesUnderWay -= 1;
        answer(status);
      });
  }

  /**
   * A half-open connection looks alive until somebody asks. One question at a time; its deadline is the response timeout, and
   * whatever else arrives meanwhile does not count: an SMSC that sends receipts but no answers is out of order too.
   */
  #enquire(): void {
    if (this.#enquiry !== null) return;
    const sequence = this.#nextSequence();
    const limit = deadline(this.#settings.responseTimeoutMs, () =>
      this.destroy("enquire_link was not answered in time"),
    );
    this.#enquiry = { sequence, limit };
    this.#write(encodePdu({ command: "enquire_link", sequence }));
  }

  /** Whatever is wrong with an enquire_link is wrong with the bind, there being nothing else in it. */
  #enquiryAnswered({ sequence, status }: { readonly sequence: number; readonly status: number }): void {
    if (this.#enquiry?.sequence !== sequence) return;
    this.#enquiry.limit.cancel();
    this.#enquiry = null;
    if (status !== COMMAND_STATUS.ROK.code)
      this.#abandon(`enquire_link was answered with ${describeStatus(status)}: the SMSC may have forgotten the bind`);
  }

  /** The SMSC unbinds: nothing more is sent; answers that are still on their way are read until it closes. */
  #leave(): void {
    this.#endWhenEmpty("the SMSC unbound", () => this.#socket.end());
  }

  /** The bind is none any more, though the connection is up: as when the SMSC unbinds, but we close. */
  #abandon(detail: string): void {
    this.#endWhenEmpty(detail, () => {
      // Where the SMSC has kept half of it, this makes room for the next.
      this.#write(encodePdu({ command: "unbind", sequence: this.#nextSequence() }));
      this.#socket.destroySoon();
    });
  }

  #endWhenEmpty(detail: string, end: () => void): void {
    if (this.#state !== "bound") return;
    this.#state = "ending";
    this.#because({ kind: "lost", detail });
    this.#whenEmpty = end;
    this.#events.roomChanged();
    const limit = deadline(this.#settings.responseTimeoutMs, () => this.destroy(detail));
    void this.#whenClosed.promise.then(() => limit.cancel());
    if (this.#pending.size === 0) end();
  }

  /** Read as the submit's answer, unless what it speaks of is the bind: then nothing was looked at, and the bind has to be made anew. */
  #answered(sequence: number, answer: Extract<SubmitAnswer, { kind: "answered" }>): void {
    if (saysNotBound(answer.status, this.#settings.statusMap)) {
      const detail = `the SMSC no longer takes this bind for one: ${describeStatus(answer.status)}`;
      this.#settle(sequence, { kind: "not_sent", detail, mayRetryAtOnce: false });
      this.#late.take(sequence); // that it was not taken is no news to whoever gave it up
      this.#abandon(detail);
      return;
    }
    if (this.#pending.has(sequence)) {
      this.#settle(sequence, answer);
      return;
    }
    const answeredLate = this.#late.take(sequence);
    const said = { ...answer, messageId: answer.messageId.slice(0, LOGGED_ID_MAX) };
    this.#log.warn(
      { sequence, answer: said },
      answeredLate === undefined
        ? "SMSC answered a submit that was never sent, or was given up long ago"
        : "SMSC answered a submit after its time limit",
    );
    answeredLate?.(answer);
  }

  #settle(sequence: number, answer: SubmitAnswer): void {
    const pending = this.#pending.get(sequence);
    if (pending === undefined) return;
    this.#pending.delete(sequence);
    const settled = answer.kind === "answered" ? this.#withoutRefusedTlvs(pending, answer) : answer;
    if (settled === "sent again") return;
    pending.limit.cancel();
    pending.resolve(settled);
    if (this.#state === "ending" && this.#pending.size === 0) this.#whenEmpty?.();
    this.#events.roomChanged();
  }

  /**
   * A submit whose optional parameters are refused goes again without them: nothing was taken. If that is taken, the parameters were
   * the reason, and this bind sends no more of them.
   */
  #withoutRefusedTlvs(
    pending: PendingSubmit,
    answer: SubmitAnswer & { readonly kind: "answered" },
  ): SubmitAnswer | "sent again" {
    const { draft, plain, mayStillSend, isPlain } = pending;
    if (isPlain) {
      if (answer.status === COMMAND_STATUS.ROK.code) this.#giveUpTlvs();
      return answer;
    }
    if (isWithoutTlvs(draft) || !refusesTlvs(answer.status, draft.tlvs, this.#settings.statusMap)) return answer;
    const instead = plain();
    if (instead === undefined) {
      this.#giveUpTlvs();
      return NEEDS_PARTS;
    }
    if (!this.isBound || !this.#socket.writable || !mayStillSend())
      return { kind: "not_sent", detail: describeStatus(answer.status), mayRetryAtOnce: true };
    pending.sequence = this.#nextSequence();
    pending.isPlain = true;
    this.#pending.set(pending.sequence, pending);
    this.#write(encodePdu({ ...instead, sequence: pending.sequence }));
    return "sent again";
  }

  #giveUpTlvs(): void {
    if (!this.#takesTlvs) return;
    this.#takesTlvs = false;
    this.#log.warn(
      { host: this.#settings.host },
      'the SMSC refuses optional parameters: this bind sends none any more; set optionalParameters to "never"',
    );
  }

  #closed(): void {
    this.#state = "closed";
    this.#bindLimit.cancel();
    clearInterval(this.#enquireTimer);
    this.#enquiry?.limit.cancel();
    const reason = this.#closeReason ?? { kind: "lost", detail: "the SMSC closed the connection" };
    const detail = reason.kind === "refused" ? describeStatus(reason.status) : reason.detail;
    for (const { resolve, limit } of this.#pending.values()) {
      limit.cancel();
      resolve({ kind: "lost", detail: `the connection was lost before the answer: ${detail}` });
    }
    this.#pending.clear();
    this.#late.clear();
    this.#whenClosed.resolve();
    this.#events.closed(reason);
  }

  /** The first reason is the cause; later ones (ECONNRESET, close) follow from it. */
  #because(reason: CloseReason): void {
    this.#closeReason ??= reason;
  }

  #write(octets: Buffer): void {
    if (!this.#socket.writable) return;
    if (this.#socket.writableLength > UNREAD_OCTETS_MAX) {
      this.destroy("the SMSC asks and does not read the answers");
      return;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(octets);
  }

  #nextSequence(): number {
    do this.#sequence = sequenceAfter(this.#sequence);
    while (this.#pending.has(this.#sequence) || this.#late.has(this.#sequence));
    return this.#sequence;
  }
}

const NO_TLVS: readonly Tlv[] = [];

const isWithoutTlvs = ({ tlvs }: SubmitDraft): boolean => (tlvs?.length ?? 0) === 0;

/** An SMSC that has optional parameters says so by its version; to one that does not, none may be sent (SMPP 3.4, section 3.4). */
function mayHaveTlvs(setting: OptionalParameters, bindAnswer: readonly Tlv[]): boolean {
  if (setting !== "auto") return setting === "always";
  return (readTlvInteger(bindAnswer, TAG.sc_interface_version) ?? 0) >= INTERFACE_VERSION;
}

/** Certain: not accepted. The engine recomputes the number of parts. */
const NEEDS_PARTS: SubmitAnswer = {
  kind: "not_sent",
  detail: "the SMSC takes no message_payload: the text goes in parts",
  mayRetryAtOnce: true,
};

const notSent = (detail: string, mayRetryAtOnce: boolean): Promise<SubmitAnswer> =>
  Promise.resolve({ kind: "not_sent", detail, mayRetryAtOnce });

/** A refused connection to a name with several addresses is an AggregateError with a code and an empty message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
