import { createHash } from "node:crypto";
import { addressKey } from "../../kernel/address.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { InboundMessage, ProviderSink } from "../../ports/provider.ts";
import { addressOf } from "./address-of.ts";
import { type Gathered, type Part, PartJoiner, partOf } from "./part-joiner.ts";
import type { Delivery } from "./session.ts";
import { type CodedText, type DefaultAlphabet, decodeParts } from "./text.ts";
import { userDataOf } from "./user-data.ts";
import type { ConcatPart } from "./wire/concat.ts";

/**
 * How long the SMSC may take to repeat what it thinks was not acknowledged and still be recognised. Within it a handset's own
 * repetition of the same words counts as one message too; longer would swallow real answers ("1", then "1" again).
 */
const REPEAT_MS = 60_000;

/** Mobile-originated messages. Parts whose others don't come in time are recorded each alone, with `facts.part`. */
export class InboundAssembler {
  readonly #sink: Pick<ProviderSink, "inbound">;
  readonly #clock: Clock;
  readonly #alphabet: DefaultAlphabet;
  readonly #joiner: PartJoiner;

  constructor(sink: Pick<ProviderSink, "inbound">, clock: Clock, alphabet: DefaultAlphabet, joinMs: number) {
    this.#sink = sink;
    this.#clock = clock;
    this.#alphabet = alphabet;
    this.#joiner = new PartJoiner({ clock, joinMs, record: (gathered) => this.#record(gathered) });
  }

  /** Resolves after the delivery's commit; rejects if it failed. */
  receive(delivery: Delivery): Promise<void> {
    return this.#joiner.receive(partOf(delivery, userDataOf(delivery)));
  }

  /** Records held parts separately. */
  stop(): Promise<void> {
    return this.#joiner.stop();
  }

  async #record({ parts, earlier, displaced, isWhole }: Gathered): Promise<void> {
    const messages =
      isWhole && earlier.length === 0
        ? [this.#messageOf(parts)]
        : parts.map((part) =>
            this.#messageOf(
              [part],
              [...earlier, ...parts].filter((other) => isBefore(other, part)),
            ),
          );
    const others = displaced.map((part) => this.#messageOf([part]));
    await Promise.all([...messages, ...others].map((message) => this.#sink.inbound(message)));
  }

  #messageOf(parts: readonly Part[], before: readonly Part[] = []): InboundMessage {
    const [first] = parts as readonly [Part, ...Part[]];
    const at = this.#clock.now();
    const octets = Buffer.concat(parts.map((part) => part.userData.body));
    const text = decodeParts(parts.map(codedText), this.#alphabet, before.map(codedText));
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

const isBefore = (one: Part, other: Part): boolean => (one.concat?.part ?? 1) < (other.concat?.part ?? 1);

const codedText = ({ delivery, userData: { body, shift } }: Part): CodedText => ({
  body,
  shift,
  dataCoding: delivery.data_coding,
});

const addressesOf = (delivery: Delivery): readonly [from: string, to: string] => [
  addressOf(delivery.source_addr, delivery.source_addr_ton),
  addressOf(delivery.destination_addr, delivery.dest_addr_ton),
];

/** SMPP has no ID for a handset's message: repeats are recognised by content and time. */
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
