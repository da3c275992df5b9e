import { mayBeNew } from "../counters/destination-caps.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, sumKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Msisdn, parseMsisdn, storedMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { type Fault, type FaultCode, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { CallerGone, type InSlices, type Steps, unsliced } from "../kernel/slices.ts";
import type { NewOrder, OrderKey } from "../orders/accept.repo.ts";
import { listGroup, type OrderGroup } from "../orders/groups.repo.ts";
import { type Order, queueOf } from "../orders/order.ts";
import { NO_ROUTE, refusalOf, whyNot } from "../orders/refusals.ts";
import { earlierTarget, forgetIfOver, keysOf, type RequestKeys, repeated } from "../orders/repeats.ts";
import { shownRecipient, textFault } from "./bulk-items.ts";
import { acceptedState, leavesAt } from "./sms.definition.ts";
import type { SmsItem, SmsServiceOptions } from "./sms.service.ts";
import { type PreparedText, prepareText } from "./sms.ts";
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

/** What a bulk remembers of its acceptance, so that a repeat gets the same answer. */
interface BulkMemory {
  /** The bulk's own, as distinct from its items'. */
  readonly reference?: string;
  /** What was refused before anything was stored. */
  readonly rejected: readonly RejectedItem[];
  /** Items with a reference of their own: one that is not among the bulk's orders was refused because another order has it. */
  readonly referenced: readonly { readonly index: number; readonly recipient: string; readonly reference: string }[];
}

/** Where an item's field is in the body: `/to/3` or `/messages/3/to`. Only items of `messages` have a reference. */
export type PointerTo = (index: number, field: "to" | "message" | "reference") => string;

/** Both do their work in slices, and throw `CallerGone` when `gone` is aborted before anything is stored. */
export interface Bulks {
  /** Checks the items; `sendBulk` accepts what is left. Apart, because the recipients count against a limit in between. */
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
  /** Whether the very same request was accepted before: its recipients were counted then. */
  isRepeatedBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<boolean>;
  /** The bulk that the very same request made before: it is answered from that even when it could not be accepted today. */
  earlierBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<SentBulk | undefined>;
}

export interface PreparedBulk {
  readonly orders: readonly { readonly index: number; readonly order: NewOrder }[];
  readonly rejected: readonly RejectedItem[];
  /** The same as `rejected`, by place. */
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
      if (!terms.ok) return refuse(refusalOf(terms.error));
      if (!orders.serves(queueOf("sms", caller.mode))) return refuse(NO_ROUTE);
      const { from, route } = terms.value;
      const mayLeaveAs = await senders.ruleFor(caller);
      const unapproved = mayLeaveAs(from, route, null);
      if (unapproved) return refuse(refusalOf([unapproved]));
      const numbers = await inSlices(readNumbers(items, caller.mode), gone);
      const suppressed: ReadonlySet<string> =
        route === "promotional"
          ? await suppressions.suppressedAmong(caller.accountId, caller.mode, numbers.flatMap(whereRead))
          : new Set();
      const whyNot = (to: Msisdn) =>
        mayLeaveAs(from, route, guessNetwork(to)) ?? (suppressed.has(to) ? optedOut(to, "/to") : undefined);
      const make = (to: Msisdn, text: PreparedText) => orderFor(caller, to, text, terms.value, options, defaults, true);
      return inSlices(chooseItems(items, numbers, options, pointerTo, whyNot, make), gone);
    },

    async sendBulk(caller, bulk, options, keys, gone) {
      const numbers = bulk.orders.map(({ order }) => storedMsisdn(order.recipient));
      const counted = await destinationCaps.count(caller, numbers);
      const capped = [...counted.refused].map(([position, { code, detail }]) => {
        const { index, order } = bulk.orders[position]!;
        return { index, to: `+${order.recipient}`, code, detail };
      });
      const within = bulk.orders.filter((_, position) => !counted.refused.has(position));
      if (within.length === 0) {
        const earlier = await earlierBulk(caller, options, keys);
        if (earlier) return ok(earlier);
        const faults = capped.map(({ index, code, detail }) => ({
          pointer: bulk.pointerTo(index, "to"),
          code,
          detail,
        }));
        return refuse(noneAcceptable([...bulk.faults, ...faults]));
      }
      const rejected = [...bulk.rejected, ...capped].sort(byIndex);
      const sent = await acceptBulk(caller, { ...bulk, orders: within, rejected }, options, keys, gone).catch(
        async (error: unknown) => {
          if (error instanceof CallerGone) await counted.giveAllBack();
          throw error;
        },
      );
      if (!mayBeNew(sent)) await counted.giveAllBack();
      else if (sent.ok) {
        const made = new Set(sent.value.messages.map(({ id }) => id));
        await counted.giveBack(
          [...bulk.orders.keys()].filter((position) => !made.has(bulk.orders[position]!.order.id)),
        );
      }
      return sent;
    },

    async isRepeatedBulk(caller, options, keys) {
      return (await earlierTarget(db, caller, keysOf(keys, options.reference), clock.now()))?.group !== undefined;
    },

    earlierBulk,
  };

  async function acceptBulk(
    caller: SmsCaller,
    bulk: PreparedBulk,
    options: SmsOptions,
    keys: RequestKeys,
    gone: AbortSignal | undefined,
  ): Promise<Result<SentBulk>> {
    const now = clock.now();
    const groupId = newUuid();
    const { rejected } = bulk;
    const entries = bulk.orders.map(({ index, order }) => {
      const { reference } = order;
      const itemKeys: OrderKey[] =
        reference === null ? [] : [{ kind: "reference", key: reference, fingerprint: keys.fingerprint }];
      return { index, order: { ...order, keys: itemKeys } };
    });
    const memory: BulkMemory = {
      ...(options.reference !== undefined && { reference: options.reference }),
      rejected,
      referenced: entries.flatMap(({ index, order: { recipient, reference } }) =>
        reference === null ? [] : [{ index, recipient, reference }],
      ),
    };
    const group = {
      id: groupId,
      payload: memory,
      completionEvent: "bulk.completed",
      keys: keysOf(keys, options.reference),
      requestId: keys.requestId,
    };

    for (let forgotten = false; ; forgotten = true) {
      const answer = await orders.acceptGroup(
        group,
        entries.map((entry) => entry.order),
        gone,
      );
      if (!answer.ok) return answer;
      const { whole, items } = answer.value;
      const cost = {
        priceKobo: sumKobo(entries.map((entry) => entry.order.priceKobo)),
        taxKobo: sumKobo(entries.map((entry) => entry.order.taxKobo)),
      };
      if (whole && whole.kind !== "taken")
        return refuse(whyNot(whole, cost, caller.plan, defaults.plans, entries.length));
      if (whole) {
        if (!forgotten && (await forgetIfOver(db, caller, whole, keys, now))) continue;
        const repeat = await repeated(db, caller, whole, keys.fingerprint);
        if (!repeat.ok) return repeat;
        if (repeat.value.group)
          return ok({ ...(await recallBulk(caller.accountId, repeat.value.group)), replayed: true });
        return refuse(
          refusal(
            "idempotency_key_reused",
            "This Idempotency-Key was used for a single message. Use a new key for the bulk.",
          ),
        );
      }
      const kept = entries.filter((_, position) => !items.has(position));
      const clashes = entries
        .filter((_, position) => items.has(position))
        .map(({ index, order }) => ofAnother(index, order.recipient));
      if (kept.length === 0)
        return refuse(
          refusal("no_acceptable_recipient", "None of the recipients is acceptable: all references are used already.", {
            errors: clashes.map(({ index, code, detail }) => ({
              pointer: `/messages/${index}/reference`,
              code,
              detail,
            })),
          }),
        );
      return ok({
        groupId,
        messages: kept.map(({ order }) => ({ id: order.id, to: order.recipient, status: order.state })),
        rejected: [...rejected, ...clashes].sort(byIndex),
        priceKobo: sumKobo(kept.map(({ order }) => order.priceKobo)),
        taxKobo: sumKobo(kept.map(({ order }) => order.taxKobo)),
        leavesAt: acceptedForLater(kept[0]!.order),
        replayed: false,
      });
    }
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
      priceKobo: sumKobo(messages.map((order) => order.priceKobo)),
      taxKobo: sumKobo(messages.map((order) => order.taxKobo)),
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
 * Which items are accepted, as orders. Whatever is wrong with an item is its own fault, and keeps none of the others from being
 * sent. Errors: `no_acceptable_recipient` with every fault.
 */
function* chooseItems(
  items: readonly SmsItem[],
  numbers: readonly ReturnType<typeof parseMsisdn>[],
  options: SmsOptions,
  pointerTo: PointerTo,
  whyNot: (to: Msisdn) => Fault | undefined,
  make: (to: Msisdn, text: PreparedText) => NewOrder,
): Steps<Result<PreparedBulk>> {
  const accepted: { index: number; order: NewOrder }[] = [];
  const rejected: RejectedItem[] = [];
  const faults = new Map<string, Fault>();
  const seen = new Map<string, number>();
  const texts = new Map<string, ReturnType<typeof prepareText>>();
  // A reference names one order in the account, be it a message or the bulk itself.
  const references = new Map<string, string>();
  if (options.reference !== undefined) references.set(options.reference, "The reference is the bulk's own.");
  for (const [index, item] of items.entries()) {
    yield;
    const reject = (field: "to" | "message" | "reference", code: FaultCode, detail: string) => {
      rejected.push({ index, to: shownRecipient(item.to), code, detail });
      const pointer = pointerTo(index, field);
      faults.set(pointer, { pointer, code, detail });
    };
    const to = numbers[index]!;
    if (!to.ok) {
      reject("to", to.error.code, to.error.detail);
      continue;
    }
    const first = seen.get(to.value);
    if (first !== undefined) {
      reject("to", "repeated_recipient", `The same number is at index ${first}; each is sent to once.`);
      continue;
    }
    const fault = whyNot(to.value);
    if (fault) {
      reject("to", fault.code, fault.detail);
      continue;
    }
    const wrong = textFault(item);
    if (wrong) {
      reject(wrong.field, wrong.code, wrong.detail);
      continue;
    }
    let text = texts.get(item.message);
    if (!text) {
      text = prepareText(item.message, options.smart_encoding ?? false);
      texts.set(item.message, text);
    }
    if (!text.ok) {
      reject("message", text.error.code, text.error.detail);
      continue;
    }
    const usedBy = item.reference === undefined ? undefined : references.get(item.reference);
    if (usedBy !== undefined) {
      reject("reference", "reference_already_used", `${usedBy} Give each message one of its own.`);
      continue;
    }
    if (item.reference !== undefined) references.set(item.reference, `The reference is used at index ${index}.`);
    seen.set(to.value, index);
    accepted.push({ index, order: { ...make(to.value, text.value), reference: item.reference ?? null } });
  }
  const all = [...faults.values()];
  return accepted.length === 0
    ? refuse(noneAcceptable(all))
    : ok({ orders: accepted, rejected, faults: all, pointerTo });
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
