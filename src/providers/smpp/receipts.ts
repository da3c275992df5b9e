import type { Clock } from "../../kernel/clock.ts";
import type { RareWarning } from "../../kernel/rare-warnings.ts";
import type { ProviderSink } from "../../ports/provider.ts";
import { type Gathered, type Part, PartJoiner, partOf } from "./part-joiner.ts";
import { readReceipt, reportOf } from "./report.ts";
import type { Delivery } from "./session.ts";
import type { SmppSettings } from "./settings.ts";
import { receiptDataOf } from "./user-data.ts";
import { ESM_CLASS_UDHI } from "./wire/concat.ts";
import { TAG, tlvOctets } from "./wire/tlv.ts";

export interface ReceiptsOptions {
  readonly sink: Pick<ProviderSink, "report">;
  readonly clock: Clock;
  readonly settings: SmppSettings;
  readonly warn: RareWarning;
}

/**
 * Receipts, the long ones put together first: 120 characters in UTF-16 don't fit one PDU. A part that says of which message and
 * what became of it counts at once: many SMSCs copy the header of the message that a receipt is about.
 */
export class Receipts {
  readonly #options: ReceiptsOptions;
  readonly #joiner: PartJoiner;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
    this.#joiner = new PartJoiner({
      clock: options.clock,
      joinMs: options.settings.joinInboundMs,
      record: (gathered) => this.#record(gathered),
      standsAlone: ({ delivery }) => readReceipt(delivery).isCertain,
    });
  }

  /** Resolves after the delivery's commit; rejects if it failed. */
  receive(delivery: Delivery): Promise<void> {
    return this.#joiner.receive(partOf(delivery, receiptDataOf(delivery)));
  }

  stop(): Promise<void> {
    return this.#joiner.stop();
  }

  async #record(gathered: Gathered): Promise<void> {
    await Promise.all(wholesOf(gathered).map((parts) => this.#report(parts)));
  }

  async #report(parts: readonly Part[]): Promise<void> {
    const { sink, clock, settings, warn } = this.#options;
    const delivery = joinDeliveries(parts);
    const isPart = parts.length < (parts[0]?.concat?.total ?? 1);
    // A part may end within its id, and half an id names another message.
    const report =
      isPart && !readReceipt(delivery).hasState ? undefined : reportOf(delivery, settings, clock.now(), warn);
    if (report !== undefined) return sink.report(report);
    // It would be as useless the next time, so it is acknowledged.
    warn(
      "unnamed",
      { esmClass: delivery.esm_class },
      isPart ? "a part of a receipt came without the others" : "a receipt names no message",
    );
  }
}

/**
 * The parts that make one receipt each. Where one is a receipt by itself, two name different messages, or one has come in two
 * versions, they may be of different receipts and are read alone: to put them together would credit one message with another's state.
 */
function wholesOf({ parts, earlier, displaced }: Gathered): readonly (readonly Part[])[] {
  const known = [...earlier, ...parts].sort((a, b) => placeOf(a) - placeOf(b));
  if (known.length === 1 && displaced.length === 0) return [known];
  const extents = new Map([...known, ...displaced].map((part) => [part, readReceipt(part.delivery)] as const));
  const ids = new Set(known.map((part) => extents.get(part)?.id).filter((id) => id !== undefined));
  const alone = [...displaced, ...parts];
  if ([...extents.values()].some(({ isCertain }) => isCertain)) {
    // What says nothing by itself is the end of one that does: the words of the message.
    return alone.filter((part) => extents.get(part)?.id ?? extents.get(part)?.hasState).map((part) => [part]);
  }
  if (displaced.length > 0 || ids.size > 1) return alone.map((part) => [part]);
  const runs: Part[][] = [];
  for (const part of known) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && placeOf(last) + 1 === placeOf(part)) run.push(part);
    else runs.push([part]);
  }
  return runs.filter((run) => run.some((part) => parts.includes(part)));
}

const placeOf = ({ concat }: Part): number => concat?.part ?? 1;

/** One delivery with the text of all parts in `message_payload`, and the parameters of all. */
function joinDeliveries(parts: readonly Part[]): Delivery {
  const [first] = parts as readonly [Part, ...Part[]];
  if (parts.length === 1) return first.delivery;
  const text = tlvOctets(TAG.message_payload, Buffer.concat(parts.map(({ userData }) => userData.body)));
  const joined = {
    esm_class: parts.reduce((bits, { delivery }) => bits | delivery.esm_class, 0) & ~ESM_CLASS_UDHI,
    tlvs: [text, ...parts.flatMap(({ delivery }) => delivery.tlvs)],
  };
  return first.delivery.command === "deliver_sm"
    ? { ...first.delivery, ...joined, short_message: Buffer.alloc(0) }
    : { ...first.delivery, ...joined };
}
