import { decodeGsm7Unpacked } from "../../kernel/gsm7.ts";
import { charsetOf } from "../../providers/smpp/wire/data-coding.ts";
import type { SubmitLine } from "./log.ts";

/** A message as the phone shows it. */
export interface HandsetMessage {
  readonly channel: "sms";
  readonly from: string;
  readonly text: string;
  /** How many parts it came in. */
  readonly parts: number;
  /** From the trace of its parts; absent when they had none. */
  readonly orderId?: string;
  /** When the last missing part arrived. */
  readonly receivedAt: string;
  /** Parts that came again after they were there; absent when none did. */
  readonly repeats?: number;
}

/** What a phone keeps: some hundreds are what a person would scroll through; the total bounds the process's memory. */
const MESSAGES_PER_PHONE = 200;
const MESSAGES_TOTAL = 50_000;

/** A message being put together or complete: the lines of its parts, by index. */
interface Assembly {
  readonly phone: string;
  readonly parts: (SubmitLine | undefined)[];
  missing: number;
  repeats: number;
  receivedAt: string;
}

/** The phones at the far end: they put parts together as real ones do, and forget the oldest messages first. */
export class Handsets {
  readonly #inboxes = new Map<string, Assembly[]>();
  /** Every assembly, oldest first, as a ring. */
  readonly #all: (Assembly | undefined)[] = new Array(MESSAGES_TOTAL);
  #next = 0;

  /** One part, or a message of one part, reaches its phone. */
  receive(part: SubmitLine, at: string): void {
    const phone = phoneOf(part.destination);
    const inbox = this.#inboxes.get(phone) ?? [];
    if (inbox.length === 0) this.#inboxes.set(phone, inbox);
    const { concatenation } = part;
    if (concatenation && concatenation.total > 1) {
      const begun = inbox.findLast((assembly) => takes(assembly, part));
      if (begun) {
        complete(begun, concatenation.index, part, at);
        return;
      }
    }
    const assembly: Assembly = { phone, parts: [], missing: concatenation?.total ?? 1, repeats: 0, receivedAt: at };
    complete(assembly, concatenation?.index ?? 1, part, at);
    inbox.push(assembly);
    if (inbox.length > MESSAGES_PER_PHONE) inbox.shift();
    this.#remember(assembly);
  }

  /** Complete messages, the newest first; of these orders only when `orderIds` are given. */
  messages(phone: string, orderIds?: ReadonlySet<string>): HandsetMessage[] {
    return (this.#inboxes.get(phoneOf(phone)) ?? [])
      .filter((assembly) => assembly.missing === 0)
      .map(shown)
      .filter(({ orderId }) => !orderIds || (orderId !== undefined && orderIds.has(orderId)))
      .reverse();
  }

  #remember(assembly: Assembly): void {
    const forgotten = this.#all[this.#next];
    this.#all[this.#next] = assembly;
    this.#next = (this.#next + 1) % MESSAGES_TOTAL;
    if (!forgotten) return;
    const inbox = this.#inboxes.get(forgotten.phone);
    // The phone's own bound may have dropped it before.
    if (inbox?.[0] === forgotten) inbox.shift();
    if (inbox?.length === 0) this.#inboxes.delete(forgotten.phone);
  }
}

/** The number without a leading `+`. */
const phoneOf = (address: string): string => (address.startsWith("+") ? address.slice(1) : address);

/**
 * Whether the part belongs to the assembly: same sender, order, reference and total, and its place is free or holds the very
 * same. Where another text has the place, the 8-bit reference has come round and a new message begins.
 */
function takes({ parts }: Assembly, { source, trace, concatenation, shortMessage }: SubmitLine): boolean {
  const known = parts.find((part) => part !== undefined);
  if (!known?.concatenation || !concatenation || known.source !== source) return false;
  if (known.trace?.orderId !== trace?.orderId) return false;
  if (known.concatenation.reference !== concatenation.reference || known.concatenation.total !== concatenation.total)
    return false;
  const there = parts[concatenation.index - 1];
  return there === undefined || there.shortMessage === shortMessage;
}

function complete(assembly: Assembly, index: number, part: SubmitLine, at: string): void {
  if (assembly.parts[index - 1]) {
    assembly.repeats += 1;
    return;
  }
  assembly.parts[index - 1] = part;
  assembly.missing -= 1;
  assembly.receivedAt = at;
}

function shown({ parts, repeats, receivedAt }: Assembly): HandsetMessage {
  const lines = parts.filter((part) => part !== undefined);
  const orderId = lines[0]?.trace?.orderId;
  return {
    channel: "sms",
    from: lines[0]?.source ?? "",
    text: lines.map(textOf).join(""),
    parts: lines.length,
    ...(orderId === undefined ? {} : { orderId }),
    receivedAt,
    ...(repeats === 0 ? {} : { repeats }),
  };
}

/** A user data header is there: SMPP 3.4, section 5.2.12. */
const ESM_CLASS_UDHI = 0x40;

/** The text of one part, its user data header left out. */
export function textOf({ shortMessage, esmClass, dataCoding }: SubmitLine): string {
  const bytes = Buffer.from(shortMessage, "hex");
  const headerBytes = esmClass & ESM_CLASS_UDHI ? (bytes[0] ?? 0) + 1 : 0;
  return decodeText(bytes.subarray(headerBytes), dataCoding);
}

/**
 * By the same table as texts from handsets, the default alphabet being GSM's with a septet in each octet. Whatever is neither that
 * nor UCS-2 is shown as Latin-1.
 */
function decodeText(bytes: Buffer, dataCoding: number): string {
  const charset = charsetOf(dataCoding);
  if (charset === "default") return decodeGsm7Unpacked(bytes);
  if (charset !== "ucs2") return bytes.toString("latin1");
  // An odd last octet is no character.
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString("utf16le");
}
