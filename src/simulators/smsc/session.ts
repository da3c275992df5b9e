import type { Socket } from "node:net";
import { responseTo } from "../../providers/smpp/wire/commands.ts";
import {
  encodePdu,
  type Pdu,
  type PduDraft,
  type PduFault,
  type PduOf,
  PduReader,
} from "../../providers/smpp/wire/pdu.ts";
import { COMMAND_STATUS, type StatusName } from "../../providers/smpp/wire/status.ts";
import { TAG, tlvU8 } from "../../providers/smpp/wire/tlv.ts";
import type { Delivery } from "./delivery.ts";
import type { SmscFaults } from "./faults.ts";
import type { Receiver } from "./mailbox.ts";

export type BindPdu = PduOf<"bind_transceiver"> | PduOf<"bind_transmitter"> | PduOf<"bind_receiver">;
export type SubmitPdu = PduOf<"submit_sm"> | PduOf<"data_sm">;

/** What a session asks of its SMSC. */
export interface SessionHost {
  readonly faults: SmscFaults;
  readonly timing: SessionTiming;
  monotonicMs(): number;
  /** `command_status` of the answer; with 0 the session is bound. */
  bind(session: Session, pdu: BindPdu): number;
  submit(session: Session, pdu: SubmitPdu): void;
  query(pdu: PduOf<"query_sm">): Omit<PduDraft<"query_sm_resp">, "command" | "sequence">;
  /** The ESME has answered a deliver_sm. */
  answered(session: Session, delivery: Delivery, status: number): void;
  /** It has not, and the time for it is over or the session is. */
  unanswered(session: Session, delivery: Delivery): void;
  /** There are octets to be written, after the log has been. */
  flushSoon(session: Session): void;
  closed(session: Session): void;
}

/** Milliseconds. */
export interface SessionTiming {
  /** Without an answer for so long a deliver_sm is given again. */
  readonly deliverTimeoutMs: number;
  /** Without a PDU for so long the ESME is asked by enquire_link … */
  readonly idleMs: number;
  /** … and without an answer to that for so long the connection is cut. */
  readonly enquireTimeoutMs: number;
}

/** deliver_sm without an answer on one session. Enough for thousands a second, and a bound on what a cut repeats. */
const DELIVER_WINDOW = 500;
/** Above this many unsent octets the ESME isn't reading: it gets no more deliver_sm until it does. */
const UNSENT_OCTETS_MAX = 1024 * 1024;
/** … and above this many it is cut: answers to what it asks can't wait, and would fill the memory. */
const UNREAD_OCTETS_MAX = 4 * UNSENT_OCTETS_MAX;
const SEQUENCE_MAX = 0x7fff_ffff;
const SMPP_3_4 = 0x34;

interface Outstanding {
  readonly delivery: Delivery;
  readonly deadlineMs: number;
}

/** One connection of an ESME. Writes nothing by itself: octets collect until the SMSC, its log written, says `write`. */
export class Session implements Receiver {
  readonly #host: SessionHost;
  readonly #socket: Socket;
  readonly #reader = new PduReader();
  readonly #outstanding = new Map<number, Outstanding>();
  #unwritten: Buffer[] = [];
  #unwrittenOctets = 0;
  #bind: BindPdu["command"] | null = null;
  #systemId = "";
  #sequence = 0;
  #lastHeardMs: number;
  #enquiredMs: number | null = null;
  #endsAfterWrite = false;
  /** It was bound, and the SMSC has lost track of that. */
  #isForgotten = false;

  constructor(socket: Socket, host: SessionHost) {
    this.#socket = socket;
    this.#host = host;
    this.#lastHeardMs = host.monotonicMs();
    socket.setNoDelay(true);
    // Strings come only from a socket with an encoding, which this one has not.
    socket.on("data", (chunk) => typeof chunk !== "string" && this.#read(chunk));
    socket.on("drain", () => host.flushSoon(this));
    // What goes wrong with a socket ends it: "close" follows and does all that is to be done.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#closed());
    if (host.faults.frozen) socket.pause();
  }

  get systemId(): string {
    return this.#systemId;
  }

  get isBound(): boolean {
    return this.#bind !== null;
  }

  get receives(): boolean {
    return this.#bind === "bind_transceiver" || this.#bind === "bind_receiver";
  }

  hasRoom(): boolean {
    return (
      this.#outstanding.size < DELIVER_WINDOW &&
      this.#socket.writableLength < UNSENT_OCTETS_MAX &&
      !this.#endsAfterWrite &&
      !this.#socket.destroyed
    );
  }

  deliver(delivery: Delivery): void {
    const sequence = this.#nextSequence();
    const deadlineMs = this.#host.monotonicMs() + this.#host.timing.deliverTimeoutMs;
    this.#outstanding.set(sequence, { delivery, deadlineMs });
    this.#send(delivery.encode(sequence));
  }

  answerSubmit(pdu: SubmitPdu, status: number, messageId: string): void {
    const command = pdu.command === "submit_sm" ? "submit_sm_resp" : "data_sm_resp";
    this.#send(encodePdu({ command, sequence: pdu.sequence, status, message_id: messageId }));
  }

  /** Hands the collected octets to the socket. */
  write(): void {
    if (this.#host.faults.frozen || this.#socket.destroyed) return;
    const octets = this.#unwritten;
    this.#unwritten = [];
    this.#unwrittenOctets = 0;
    if (octets.length > 0) this.#socket.write(octets.length === 1 ? octets[0]! : Buffer.concat(octets));
    if (this.#endsAfterWrite) this.#socket.end();
  }

  /** Reading follows the `frozen` fault. */
  freezeOrThaw(): void {
    if (this.#host.faults.frozen) this.#socket.pause();
    else this.#socket.resume();
    this.#host.flushSoon(this);
  }

  /** Ends the connection without another octet. */
  cut(): void {
    this.#unwritten = [];
    this.#socket.destroy();
  }

  /** The connection stays, the bind is none any more, and nobody tells the ESME. */
  forget(): void {
    if (!this.isBound) return;
    this.#bind = null;
    this.#isForgotten = true;
  }

  /** Tells the ESME that it ends; it is cut when its answer stays out. */
  unbind(): void {
    this.#send(encodePdu({ command: "unbind", sequence: this.#nextSequence() }));
  }

  /** Looks at everything that may have waited too long. */
  sweep(): void {
    const { timing, faults } = this.#host;
    const now = this.#host.monotonicMs();
    if (faults.frozen) return;
    for (const [sequence, { delivery, deadlineMs }] of this.#outstanding) {
      if (deadlineMs > now) break;
      this.#outstanding.delete(sequence);
      this.#host.unanswered(this, delivery);
    }
    if (this.#enquiredMs !== null && now - this.#enquiredMs > timing.enquireTimeoutMs) this.cut();
    else if (this.#enquiredMs === null && now - this.#lastHeardMs > timing.idleMs) {
      this.#enquiredMs = now;
      this.#send(encodePdu({ command: "enquire_link", sequence: this.#nextSequence() }));
    }
  }

  #send(octets: Buffer): void {
    if (this.#socket.destroyed) return;
    if (this.#socket.writableLength + this.#unwrittenOctets > UNREAD_OCTETS_MAX) {
      this.cut();
      return;
    }
    this.#unwritten.push(octets);
    this.#unwrittenOctets += octets.length;
    this.#host.flushSoon(this);
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence === SEQUENCE_MAX ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #read(chunk: Buffer): void {
    this.#lastHeardMs = this.#host.monotonicMs();
    this.#enquiredMs = null;
    for (const item of this.#reader.push(chunk)) {
      if (this.#socket.destroyed) return;
      if ("fault" in item) this.#nack(item);
      else this.#handle(item);
    }
  }

  #handle(pdu: Pdu): void {
    switch (pdu.command) {
      case "submit_sm":
      case "data_sm":
        if (this.#bind !== "bind_transceiver" && this.#bind !== "bind_transmitter") this.#refuse(pdu, "RINVBNDSTS");
        else if (this.#host.faults.optionalParameters === "refused" && pdu.tlvs.length > 0)
          this.#refuse(pdu, "ROPTPARNOTALLWD");
        else this.#host.submit(this, pdu);
        return;
      case "deliver_sm_resp":
      case "generic_nack":
        this.#deliverAnswered(pdu);
        return;
      case "enquire_link":
        if (this.#host.faults.enquireLinksIgnored) return;
        if (this.#isForgotten) this.#refuse(pdu, "RINVBNDSTS");
        else this.#send(encodePdu({ command: "enquire_link_resp", sequence: pdu.sequence }));
        return;
      case "bind_transceiver":
      case "bind_transmitter":
      case "bind_receiver":
        this.#answerBind(pdu);
        return;
      case "query_sm":
        if (this.isBound)
          this.#send(encodePdu({ ...this.#host.query(pdu), command: "query_sm_resp", sequence: pdu.sequence }));
        else this.#refuse(pdu, "RINVBNDSTS");
        return;
      case "cancel_sm":
        // Messages leave for the handset at once: there is never one left to cancel or replace.
        this.#refuse(pdu, "RCANCELFAIL");
        return;
      case "replace_sm":
        this.#refuse(pdu, "RREPLACEFAIL");
        return;
      case "unbind":
        // What the ESME sends after it is in no session any more (3.4, section 2.2).
        this.#bind = null;
        this.#endsAfterWrite = true;
        this.#send(encodePdu({ command: "unbind_resp", sequence: pdu.sequence }));
        return;
      case "unbind_resp":
        this.#endsAfterWrite = true;
        this.#host.flushSoon(this);
        return;
      case "enquire_link_resp":
        return;
      default:
        // PDUs that only an SMSC sends, and answers to questions that were not asked.
        this.#send(
          encodePdu({ command: "generic_nack", sequence: pdu.sequence, status: COMMAND_STATUS.RINVCMDID.code }),
        );
    }
  }

  #answerBind(pdu: BindPdu): void {
    const status = this.isBound ? COMMAND_STATUS.RALYBND.code : this.#host.bind(this, pdu);
    if (status === 0) {
      this.#bind = pdu.command;
      this.#isForgotten = false;
      this.#systemId = pdu.system_id;
    } else if (!this.isBound) this.#endsAfterWrite = true;
    this.#send(
      encodePdu({
        command: `${pdu.command}_resp`,
        sequence: pdu.sequence,
        status,
        system_id: "afara-smsc",
        tlvs: this.#host.faults.optionalParameters === "taken" ? [tlvU8(TAG.sc_interface_version, SMPP_3_4)] : [],
      }),
    );
  }

  #deliverAnswered({ sequence, status }: Pdu): void {
    const outstanding = this.#outstanding.get(sequence);
    // Too late: it has been given again, and its second answer will count.
    if (!outstanding) return;
    this.#outstanding.delete(sequence);
    this.#host.answered(this, outstanding.delivery, status);
  }

  #refuse(pdu: Pdu, status: StatusName): void {
    const command = responseTo(pdu.command) ?? "generic_nack";
    this.#send(encodePdu({ command, sequence: pdu.sequence, status: COMMAND_STATUS[status].code }));
  }

  #nack(fault: PduFault): void {
    switch (fault.fault) {
      case "bad_length":
        this.#endsAfterWrite = true;
        this.#send(encodePdu({ command: "generic_nack", sequence: 0, status: COMMAND_STATUS.RINVCMDLEN.code }));
        return;
      case "unknown_command":
        this.#send(
          encodePdu({ command: "generic_nack", sequence: fault.sequence, status: COMMAND_STATUS.RINVCMDID.code }),
        );
        return;
      case "bad_body":
        this.#send(
          encodePdu({
            command: responseTo(fault.command) ?? "generic_nack",
            sequence: fault.sequence,
            status: COMMAND_STATUS.RINVCMDLEN.code,
          }),
        );
    }
  }

  #closed(): void {
    this.#bind = null;
    this.#host.closed(this);
    for (const { delivery } of this.#outstanding.values()) this.#host.unanswered(this, delivery);
    this.#outstanding.clear();
  }
}
