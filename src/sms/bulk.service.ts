import { type CountedDestinations, sendWithinCaps } from "../counters/destination-caps.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, sumKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Msisdn, parseMsisdn, storedMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { type Fault, type FaultCode, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { type InSlices, type Steps, unsliced } from "../kernel/slices.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import { listGroup, type OrderGroup } from "../orders/groups.repo.ts";
import { type Order, queueOf } from "../orders/order.ts";
import { type Cost, noRoute, whyNot } from "../orders/refusals.ts";
import { earlierTarget, keysOf, type RequestKeys } from "../orders/repeats.ts";
import { shownRecipient } from "./bulk-items.ts";
import { ItemChooser, type ParsedNumber } from "./item-chooser.ts";
import { acceptedState, leavesAt, SMS } from "./sms.definition.ts";
import type { SmsItem, SmsServiceOptions } from "./sms.service.ts";
import type { PreparedText } from "./sms.ts";
import { optedOut } from "./suppressions.ts";
import { orderFor, readTerms, type SmsCaller, type SmsOptions } from "./terms.ts";

export interface RejectedItem {
  readonly index: number;
  readonly to: string;
  readonly code: FaultCode;
  readonly detail: string;
}

export interface SentBulk {
  readonly groupId: Uuid;
  readonly messages: readonly { readonly id: Uuid; readonly to: string; readonly status: string }[];
  readonly rejected: readonly RejectedItem[];
  readonly priceKobo: Kobo;
  readonly taxKobo: Kobo;
  /** When it leaves, if it was accepted for later: all its messages at the same time. */
  readonly leavesAt: Date | undefined;
  readonly replayed: boolean;
}

/** The parts of its acceptance that a bulk stores, so that a repeat gets the same answer. */
interface BulkMemory {
  /** The bulk's own, as distinct from its items'. */
  readonly reference?: string;
  /** Items that were refused before anything was stored. */
  readonly rejected: readonly RejectedItem[];
  /** Items with a reference of their own: one that is not among the bulk's orders was refused because another order has it. */
  readonly referenced: readonly { readonly index: number; readonly recipient: string; readonly reference: string }[];
}

/** The JSON pointer of an item's field: `/to/3` or `/messages/3/to`. Only items of `messages` have a reference. */
export type PointerTo = (index: number, field: "to" | "message" | "reference") => string;

/** Both do their work in slices, and throw `CallerGone` when `gone` is aborted before anything is stored. */
export interface Bulks {
  /** Checks the items; `sendBulk` accepts the sound ones. Two calls, because the recipients count against a limit in between. */
  prepareBulk(
    caller: SmsCaller,
    items: readonly SmsItem[],
    options: SmsOptions,
    pointerTo: PointerTo,
    gone?: AbortSignal,
  ): Promise<Result<PreparedBulk>>;
  sendBulk(
    caller: SmsCaller,
    bulk: PreparedBulk,
    options: SmsOptions,
    keys: RequestKeys,
    gone?: AbortSignal,
  ): Promise<Result<SentBulk>>;
  /** Whether the same request was accepted before: its recipients were counted then. */
  isRepeatedBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<boolean>;
  /** The bulk that the same request made before: a repeat is answered with it even when it could not be accepted today. */
  earlierBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<SentBulk | undefined>;
}

/** An item without a fault, as an order. */
interface AcceptableItem {
  readonly index: number;
  readonly order: NewOrder;
}

export interface PreparedBulk {
  readonly orders: readonly AcceptableItem[];
  readonly rejected: readonly RejectedItem[];
  /** The same as `rejected`, by JSON pointer. */
  readonly faults: readonly Fault[];
  readonly pointerTo: PointerTo;
}

export interface BulksOptions extends SmsServiceOptions {
  readonly inSlices?: InSlices;
}

export function makeBulks(options: BulksOptions): Bulks {
  const { db, orders, clock, senders, suppressions, destinationCaps, inSlices = unsliced, ...defaults } = options;

  return {
    async prepareBulk(caller, items, options, pointerTo, gone) {
      const now = clock.now();
      const terms = readTerms(caller, options, defaults, now);
      if (!terms.ok) return refuse(orders.refusalOf(terms.error));
      if (!orders.serves(queueOf("sms", caller.mode))) return refuse(noRoute(SMS));
      const { from, route } = terms.value;
      const mayLeaveAs = await senders.ruleFor(caller);
      const unapproved = mayLeaveAs(from, route, null);
      if (unapproved) return refuse(orders.refusalOf([unapproved]));
      const numbers = await inSlices(readNumbers(items, caller.mode), gone);
      const suppressed: ReadonlySet<string> =
        route === "promotional"
          ? await suppressions.suppressedAmong(caller.accountId, caller.mode, numbers.flatMap(whereRead))
          : new Set();
      const whyNot = (to: Msisdn) =>
        mayLeaveAs(from, route, guessNetwork(to)) ?? (suppressed.has(to) ? optedOut(to, "/to") : undefined);
      const make = (to: Msisdn, text: PreparedText) => orderFor(caller, to, text, terms.value, options, defaults, true);
      return inSlices(chooseItems(items, numbers, new ItemChooser({ options, whyNot, make }), pointerTo), gone);
    },

    sendBulk(caller, bulk, options, keys, gone) {
      const numbers = bulk.orders.map(({ order }) => storedMsisdn(order.recipient));
      return sendWithinCaps(
        destinationCaps,
        caller,
        numbers,
        (refused) => acceptWithinCaps(caller, bulk, refused, options, keys, gone),
        ({ messages }) => {
          const made = new Set(messages.map(({ id }) => id));
          return [...bulk.orders.keys()].filter((position) => !made.has(bulk.orders[position]!.order.id));
        },
      );
    },

    async isRepeatedBulk(caller, options, keys) {
      return (await earlierTarget(db, caller, keysOf(keys, options.reference), clock.now()))?.group !== undefined;
    },

    earlierBulk,
  };

  /** `refused`: by position among the bulk's orders, those to numbers over a cap. */
  async function acceptWithinCaps(
    caller: SmsCaller,
    bulk: PreparedBulk,
    refused: CountedDestinations["refused"],
    options: SmsOptions,
    keys: RequestKeys,
    gone: AbortSignal | undefined,
  ): Promise<Result<SentBulk>> {
    const capped = [...refused].map(([position, { code, detail }]) => {
      const { index, order } = bulk.orders[position]!;
      return { index, to: `+${order.recipient}`, code, detail };
    });
    const [first, ...others] = bulk.orders.filter((_, position) => !refused.has(position));
    if (first) {
      const rejected = [...bulk.rejected, ...capped].sort(byIndex);
      return acceptBulk(caller, [first, ...others], rejected, options, keys, gone);
    }
    const earlier = await earlierBulk(caller, options, keys);
    if (earlier) return ok(earlier);
    const faults = capped.map(({ index, code, detail }) => ({ pointer: bulk.pointerTo(index, "to"), code, detail }));
    return refuse(noneAcceptable([...bulk.faults, ...faults]));
  }

  async function acceptBulk(
    caller: SmsCaller,
    items: readonly [AcceptableItem, ...AcceptableItem[]],
    rejected: readonly RejectedItem[],
    options: SmsOptions,
    keys: RequestKeys,
    gone: AbortSignal | undefined,
  ): Promise<Result<SentBulk>> {
    const group = {
      id: newUuid(),
      payload: memoryOf(items, rejected, options.reference),
      completionEvent: "bulk.completed",
      keys: keysOf(keys, options.reference),
      requestId: keys.requestId,
    };
    const [first, ...others] = items.map(({ order }) => withOwnKey(order, keys.fingerprint));
    const all = [first!, ...others] as const;
    const answer = await orders.acceptGroupOnce(
      group,
      all,
      keys,
      (why) =>
        whyNot(why, {
          service: SMS,
          cost: costOf(all),
          plan: caller.plan,
          plans: defaults.plans,
          recipients: all.length,
        }),
      gone,
    );
    if (!answer.ok) return answer;
    if ("earlier" in answer.value)
      return ok({ ...(await recallBulk(caller.accountId, answer.value.earlier)), replayed: true });
    return acceptedBulk(group.id, items, answer.value.items, rejected);
  }

  async function earlierBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<SentBulk | undefined> {
    const group = (await earlierTarget(db, caller, keysOf(keys, options.reference), clock.now()))?.group;
    return group && { ...(await recallBulk(caller.accountId, group)), replayed: true };
  }

  /** The bulk as it was accepted, from its rows. */
  async function recallBulk(accountId: Uuid, group: OrderGroup): Promise<Omit<SentBulk, "replayed">> {
    const messages = await listGroup(db, accountId, group.id);
    const { rejected, referenced } = group.payload as BulkMemory;
    const kept = new Set(messages.map((order) => order.reference));
    const clashes = referenced
      .filter(({ reference }) => !kept.has(reference))
      .map(({ index, recipient }) => ofAnother(index, recipient));
    return {
      groupId: group.id,
      messages: messages.map((order) => ({ id: order.id, to: order.recipient, status: acceptedState(order) })),
      rejected: [...rejected, ...clashes].sort(byIndex),
      ...costOf(messages),
      leavesAt: messages[0] && acceptedForLater(messages[0]),
    };
  }
}

function* readNumbers(items: readonly SmsItem[], mode: Mode): Steps<ReturnType<typeof parseMsisdn>[]> {
  const numbers = [];
  for (const { to } of items) {
    numbers.push(parseMsisdn(to, mode));
    yield;
  }
  return numbers;
}

/**
 * Which items are accepted, as orders. A faulty item is rejected by itself; the others are sent. Errors: `no_acceptable_recipient`
 * with every fault.
 */
function* chooseItems(
  items: readonly SmsItem[],
  numbers: readonly ParsedNumber[],
  chooser: ItemChooser,
  pointerTo: PointerTo,
): Steps<Result<PreparedBulk>> {
  const accepted: { index: number; order: NewOrder }[] = [];
  const rejected: RejectedItem[] = [];
  const faults = new Map<string, Fault>();
  for (const [index, item] of items.entries()) {
    yield;
    const chosen = chooser.choose(index, item, numbers[index]!);
    if (chosen.ok) {
      accepted.push({ index, order: chosen.value });
      continue;
    }
    const { field, code, detail } = chosen.error;
    rejected.push({ index, to: shownRecipient(item.to), code, detail });
    const pointer = pointerTo(index, field);
    faults.set(pointer, { pointer, code, detail });
  }
  const all = [...faults.values()];
  return accepted.length === 0
    ? refuse(noneAcceptable(all))
    : ok({ orders: accepted, rejected, faults: all, pointerTo });
}

const costOf = (orders: readonly Cost[]): Cost => ({
  priceKobo: sumKobo(orders.map(({ priceKobo }) => priceKobo)),
  taxKobo: sumKobo(orders.map(({ taxKobo }) => taxKobo)),
});

/** An item of a bulk is named by its reference alone: the idempotency key is the bulk's. */
const withOwnKey = (order: NewOrder, fingerprint: Buffer): NewOrder => ({
  ...order,
  keys: order.reference === null ? [] : [{ kind: "reference", key: order.reference, fingerprint }],
});

const memoryOf = (
  items: readonly AcceptableItem[],
  rejected: readonly RejectedItem[],
  reference: string | undefined,
): BulkMemory => ({
  ...(reference !== undefined && { reference }),
  rejected,
  referenced: items.flatMap(({ index, order: { recipient, reference } }) =>
    reference === null ? [] : [{ index, recipient, reference }],
  ),
});

/** The answer to a new bulk. `taken`: by position, items whose reference another order has. */
function acceptedBulk(
  groupId: Uuid,
  items: readonly AcceptableItem[],
  taken: ReadonlyMap<number, unknown>,
  rejected: readonly RejectedItem[],
): Result<SentBulk> {
  const clashes = items
    .filter((_, position) => taken.has(position))
    .map(({ index, order }) => ofAnother(index, order.recipient));
  const kept = items.filter((_, position) => !taken.has(position)).map(({ order }) => order);
  const [first] = kept;
  if (!first)
    return refuse(
      refusal("no_acceptable_recipient", "None of the recipients is acceptable: all references are used already.", {
        errors: clashes.map(({ index, code, detail }) => ({ pointer: `/messages/${index}/reference`, code, detail })),
      }),
    );
  return ok({
    groupId,
    messages: kept.map(({ id, recipient, state }) => ({ id, to: recipient, status: state })),
    rejected: [...rejected, ...clashes].sort(byIndex),
    ...costOf(kept),
    leavesAt: acceptedForLater(first),
    replayed: false,
  });
}

const acceptedForLater = (order: Order | NewOrder): Date | undefined =>
  acceptedState(order) === "scheduled" ? leavesAt(order, order.createdAt) : undefined;

/** The reference that the bulk as a whole was given. */
export const bulkReference = (group: OrderGroup): string | undefined => (group.payload as BulkMemory).reference;

const ofAnother = (index: number, recipient: string): RejectedItem => ({
  index,
  to: `+${recipient}`,
  code: "reference_already_used",
  detail: "The reference belongs to another message.",
});

const noneAcceptable = (errors: readonly Fault[]) =>
  refusal("no_acceptable_recipient", "None of the recipients is acceptable; see errors for each.", { errors });

const whereRead = (number: Result<Msisdn, unknown>): readonly Msisdn[] => (number.ok ? [number.value] : []);

const byIndex = (a: RejectedItem, b: RejectedItem): number => a.index - b.index;
