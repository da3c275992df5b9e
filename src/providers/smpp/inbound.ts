import { createHash } from "node:crypto";
import { addressKey } from "../../kernel/address.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type Deadline, deadline } from "../../kernel/deadline.ts";
import type { InboundMessage, ProviderSink } from "../provider.ts";
import { addressOf } from "./report.ts";
import type { Delivery } from "./session.ts";
import { type DefaultAlphabet, decodeParts } from "./text.ts";
import { userDataOf } from "./user-data.ts";
import { type ConcatPart, parseSar, type UserData } from "./wire/concat.ts";

interface InboundPart {
  readonly delivery: Delivery;
  readonly userData: UserData;
  readonly concat: ConcatPart | undefined;
}

/** Parts of one long message. All their promises settle together, after the commit of what they carry. */
interface Assembly {
  readonly total: number;
  readonly parts: Map<number, InboundPart>;
  readonly committed: PromiseWithResolvers<void>;
  readonly limit: Deadline;
}

/** Messages being put together; above it parts are recorded alone, so that a peer which never finishes one fills no memory. */
const ASSEMBLIES_MAX = 500;

/**
 * How long the SMSC may take to repeat what it thinks was not acknowledged and still be recognised. Within it a handset's own
 * repetition of the same words counts as one message too; longer would swallow real answers ("1", then "1" again).
 */
const REPEAT_MS = 60_000;

/**
 * Mobile-originated messages. A part of a long one is acknowledged after the commit of the whole, never before: held parts are
 * therefore repeated by the SMSC when the process dies. Parts wait for each other only for a moment, because an SMSC with a
 * window of one does not send the second before the first is acknowledged: then each is recorded alone, with `facts.part`.
 */
export class InboundAssembler {
  readonly #sink: Pick<ProviderSink, "inbound">;
  readonly #clock: Clock;
  readonly #alphabet: DefaultAlphabet;
  readonly #joinMs: number;
  readonly #assemblies = new Map<string, Assembly>();

  constructor(sink: Pick<ProviderSink, "inbound">, clock: Clock, alphabet: DefaultAlphabet, joinMs: number) {
    this.#sink = sink;
    this.#clock = clock;
    this.#alphabet = alphabet;
    this.#joinMs = joinMs;
  }

  /** Settles after the commit of what the delivery carries; rejects when that failed. */
  receive(delivery: Delivery): Promise<void> {
    const part = readPart(delivery);
    const { concat } = part;
    if (concat === undefined || concat.total === 1 || this.#joinMs === 0) return this.#record([part]);
    const key = JSON.stringify([
      ...addressesOf(delivery).map(addressKey),
      concat.referenceBits,
      concat.reference,
      concat.total,
    ]);
    const assembly = this.#assemblies.get(key) ?? this.#begin(key, concat.total);
    if (assembly === undefined) return this.#record([part]);
    assembly.parts.set(concat.part, part);
    if (assembly.parts.size === assembly.total) this.#finish(key, assembly);
    return assembly.committed.promise;
  }

  /** Records what is held, each part alone. */
  async stop(): Promise<void> {
    const held = [...this.#assemblies];
    for (const [key, assembly] of held) this.#finish(key, assembly);
    await Promise.allSettled(held.map(([, assembly]) => assembly.committed.promise));
  }

  #begin(key: string, total: number): Assembly | undefined {
    if (this.#assemblies.size >= ASSEMBLIES_MAX) return undefined;
    const limit = deadline(this.#joinMs, () => this.#finish(key, assembly));
    const assembly: Assembly = { total, parts: new Map(), committed: Promise.withResolvers(), limit };
    this.#assemblies.set(key, assembly);
    return assembly;
  }

  #finish(key: string, assembly: Assembly): void {
    assembly.limit.cancel();
    this.#assemblies.delete(key);
    const parts = [...assembly.parts.entries()].sort(([a], [b]) => a - b).map(([, part]) => part);
    const recorded =
      parts.length === assembly.total
        ? this.#record(parts)
        : Promise.all(parts.map((part) => this.#record([part]))).then(() => undefined);
    recorded.then(assembly.committed.resolve, assembly.committed.reject);
  }

  #record(parts: readonly InboundPart[]): Promise<void> {
    return this.#sink.inbound(this.#messageOf(parts));
  }

  #messageOf(parts: readonly InboundPart[]): InboundMessage {
    const [first] = parts as readonly [InboundPart, ...InboundPart[]];
    const at = this.#clock.now();
    const octets = Buffer.concat(parts.map((part) => part.userData.body));
    const text = decodeParts(
      parts.map(({ delivery, userData: { body, shift } }) => ({ body, shift, dataCoding: delivery.data_coding })),
      this.#alphabet,
    );
    const { concat, delivery } = first;
    const [from, to] = addressesOf(delivery);
    const alone = parts.length === 1 && concat !== undefined && concat.total > 1;
    return {
      providerReference: digestOf(delivery, concat, alone, octets, at),
      from,
      to,
      text,
      at,
      facts: {
        parts: concat?.total ?? 1,
        ...(alone ? { part: concat.part, reference: concat.reference, reference_bits: concat.referenceBits } : {}),
      },
    };
  }
}

function readPart(delivery: Delivery): InboundPart {
  const userData = userDataOf(delivery);
  return { delivery, userData, concat: userData.concat ?? parseSar(delivery.tlvs) };
}

const addressesOf = (delivery: Delivery): readonly [from: string, to: string] => [
  addressOf(delivery.source_addr, delivery.source_addr_ton),
  addressOf(delivery.destination_addr, delivery.dest_addr_ton),
];

/** SMPP gives a handset's message no id: repeats are known by content and time. */
function digestOf(
  delivery: Delivery,
  concat: ConcatPart | undefined,
  alone: boolean,
  octets: Buffer,
  at: Date,
): string {
  const addresses = addressesOf(delivery).map(addressKey);
  const head = [...addresses, delivery.data_coding, concat?.reference, alone ? concat?.part : 0];
  const bucket = Math.floor(at.getTime() / REPEAT_MS);
  return createHash("sha256")
    .update(JSON.stringify([...head, bucket]))
    .update(octets)
    .digest("hex")
    .slice(0, 32);
}
