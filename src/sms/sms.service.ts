import type { PlanConfig } from "../config-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, koboForPeople, sumKobo, taxContained } from "../kernel/kobo.ts";
import { afterLagosMonth, afterQuietHours, lagosMonth } from "../kernel/lagos.ts";
import { type Msisdn, parseMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { type Fault, isErrorCode, type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant, ok, type Result, refuse } from "../kernel/result.ts";
import type { NewOrder, NotAccepted, OrderKey } from "../orders/accept.repo.ts";
import { forgetKey } from "../orders/accept.repo.ts";
import { findGroup, listGroup, type OrderGroup } from "../orders/groups.repo.ts";
import { type Order, PRIORITY } from "../orders/order.ts";
import { findSpentKeys } from "../orders/order-keys.repo.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { Orders } from "../orders/orders.ts";
import type { Mode } from "../providers/provider.ts";
import { type SmsRoute, smsPrice } from "./prices.ts";
import { acceptedState, leavesAt, type StoredSms } from "./sms.definition.ts";
import { expiresAt, type PreparedText, parseSender, prepareText, sendAtFault, VALIDITY_MINUTES } from "./sms.ts";

/** Who sends, and on which terms. */
export interface SmsCaller {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly plan: PlanConfig;
}

/** What every message of a request has in common. */
export interface SmsOptions {
  readonly from?: string;
  readonly route?: SmsRoute;
  readonly send_at?: string;
  readonly validity_minutes?: number;
  readonly smart_encoding?: boolean;
  readonly quiet_hours?: "schedule" | "fail";
  readonly on_ambiguous?: "retry" | "fail";
  readonly metadata?: Readonly<Record<string, string>>;
  readonly reference?: string;
}

export interface SmsItem {
  readonly to: string;
  readonly message: string;
  readonly reference?: string;
}

/** How the request names itself, for repeats. */
export interface RequestKeys {
  readonly idempotencyKey: string | undefined;
  readonly fingerprint: Buffer;
}

export interface Sent {
  readonly order: Order | NewOrder;
  readonly replayed: boolean;
}

export interface RejectedItem {
  readonly index: number;
  readonly to: string;
  readonly code: string;
  readonly detail: string;
}

export interface SentBulk {
  readonly groupId: Uuid;
  readonly messages: readonly { readonly id: Uuid; readonly to: string; readonly status: string }[];
  readonly rejected: readonly RejectedItem[];
  readonly priceKobo: Kobo;
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

export interface Sms {
  send(caller: SmsCaller, item: SmsItem, options: SmsOptions, keys: RequestKeys): Promise<Result<Sent>>;
  /** Checks the items; `sendBulk` accepts what is left. Apart, because the recipients count against a limit in between. */
  prepareBulk(
    caller: SmsCaller,
    items: readonly SmsItem[],
    options: SmsOptions,
    pointerTo: PointerTo,
  ): Result<PreparedBulk>;
  sendBulk(caller: SmsCaller, bulk: PreparedBulk, options: SmsOptions, keys: RequestKeys): Promise<Result<SentBulk>>;
  /** Whether the very same request was accepted before: its recipients were counted then. */
  isRepeatedBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<boolean>;
  /** The bulk that the very same request made before: it is answered from that even when it could not be accepted today. */
  earlierBulk(caller: SmsCaller, options: SmsOptions, keys: RequestKeys): Promise<SentBulk | undefined>;
}

export interface PreparedBulk {
  readonly orders: readonly { readonly index: number; readonly order: NewOrder }[];
  readonly rejected: readonly RejectedItem[];
}

export interface SmsServiceOptions {
  readonly db: Database;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly defaultSender: string;
  readonly vatBasisPoints: number;
}

/** How long an idempotency key is kept after its message's end. */
const KEY_KEPT_MS = 72 * 3_600_000;

export function makeSms({ db, orders, clock, defaultSender, vatBasisPoints }: SmsServiceOptions): Sms {
  /** Faults of what all messages of a request share, told together. */
  const readTerms = (caller: SmsCaller, options: SmsOptions, now: Date): Result<Terms, readonly Fault[]> => {
    const faults: Fault[] = [];
    const sender = parseSender(options.from ?? defaultSender);
    if (!sender.ok) faults.push(sender.error);
    const sendAt = options.send_at === undefined ? null : new Date(options.send_at);
    const late = sendAt && sendAtFault(sendAt, now, caller.mode);
    if (late) faults.push(late);
    const route = options.route ?? "transactional";
    const start = sendAt ?? now;
    const leavesAt = route === "promotional" ? afterQuietHours(start) : start;
    const quiet = options.quiet_hours ?? "schedule";
    if (quiet === "fail" && leavesAt > start)
      faults.push({
        pointer: "/quiet_hours",
        code: "outside_quiet_hours",
        detail:
          'Promotional messages leave between 08:00 and 20:00 in Lagos. Send it then, or let it wait with `"quiet_hours": "schedule"`.',
      });
    if (faults.length > 0 || !sender.ok) return refuse(faults);
    return ok({
      from: sender.value,
      route,
      quiet,
      sendAt,
      leavesAt,
      scheduled: leavesAt > now,
      expiresAt: expiresAt(start, options.validity_minutes ?? VALIDITY_MINUTES.default),
      now,
    });
  };

  const orderFor = (
    caller: SmsCaller,
    to: Msisdn,
    text: PreparedText,
    terms: Terms,
    options: SmsOptions,
    bulk: boolean,
  ): NewOrder => {
    const network = guessNetwork(to);
    const priceKobo = smsPrice(caller.plan, terms.route, network, text.segments);
    const promotional = terms.route === "promotional";
    const payload: StoredSms = {
      from: terms.from,
      text: text.text,
      encoding: text.encoding,
      segments: text.segments,
      route: terms.route,
      network_guess: network,
      quiet_hours: terms.quiet,
      ...(terms.scheduled ? { scheduled: true } : {}),
    };
    return {
      id: newUuid(),
      accountId: caller.accountId,
      mode: caller.mode,
      service: "sms",
      state: terms.scheduled ? "scheduled" : "queued",
      priority: bulk
        ? promotional
          ? PRIORITY.bulkPromotional
          : PRIORITY.bulkTransactional
        : promotional
          ? PRIORITY.singlePromotional
          : PRIORITY.singleTransactional,
      ambiguity: options.on_ambiguous ?? (bulk || promotional ? "fail" : "retry"),
      priceKobo,
      taxKobo: taxContained(priceKobo, vatBasisPoints),
      recipient: to,
      reference: null,
      metadata: options.metadata ?? null,
      payload,
      sendAt: terms.sendAt,
      expiresAt: terms.expiresAt,
      createdAt: terms.now,
      dueAt: terms.leavesAt,
      quota: caller.plan.quota === null ? null : { limit: caller.plan.quota, period: lagosMonth(terms.now) },
      keys: [],
    };
  };

  /** What a spent key or reference leads to: the order it made, or a refusal that says why not. */
  const repeated = async (
    caller: SmsCaller,
    taken: Extract<NotAccepted, { kind: "taken" }>,
    fingerprint: Buffer,
  ): Promise<Result<{ order?: Order; group?: OrderGroup }>> => {
    const order = await findOrder(db, caller.accountId, taken.targetId);
    const group = order ? undefined : await findGroup(db, caller.accountId, taken.targetId);
    if (taken.fingerprint.equals(fingerprint)) return ok({ ...(order && { order }), ...(group && { group }) });
    const id = order ? encodeId("msg", taken.targetId) : encodeId("blk", taken.targetId);
    return refuse(
      taken.by === "key"
        ? refusal(
            "idempotency_key_reused",
            "This Idempotency-Key was used for another request. Use a new key for each new message.",
            {
              members: { order_id: id },
            },
          )
        : refusal(
            "reference_already_used",
            `This reference belongs to ${id}. Use a reference of its own for each new message.`,
            {
              members: { order_id: id },
            },
          ),
    );
  };

  /** What the very same request made before, if its key is still kept. */
  const earlierTarget = async (caller: SmsCaller, keys: readonly OrderKey[], now: Date) => {
    for (const { kind, targetId } of await findSpentKeys(db, caller.accountId, caller.mode, keys)) {
      const order = await findOrder(db, caller.accountId, targetId);
      const group = order ? undefined : await findGroup(db, caller.accountId, targetId);
      const endedAt = (order ?? group)?.endedAt ?? null;
      if (!isForgettable({ by: kind, endedAt }, now)) return { order, group };
    }
    return undefined;
  };

  return {
    async send(caller, item, options, keys) {
      const now = clock.now();
      const to = parseMsisdn(item.to, caller.mode);
      const text = prepareText(item.message, options.smart_encoding ?? false);
      const terms = readTerms(caller, options, now);
      const faults = [
        ...(to.ok ? [] : [{ pointer: "/to", code: to.error.code, detail: to.error.detail }]),
        ...(text.ok ? [] : [text.error]),
        ...(terms.ok ? [] : terms.error),
      ];
      if (!to.ok || !text.ok || !terms.ok) {
        // A repeat is answered from its order even when, say, its `send_at` has passed meanwhile.
        const earlier = (await earlierTarget(caller, keysOf(keys, item.reference), now))?.order;
        return earlier ? ok({ order: earlier, replayed: true }) : refuse(refusalOf(faults));
      }
      const base = orderFor(caller, to.value, text.value, terms.value, options, false);
      const order: NewOrder = { ...base, reference: item.reference ?? null, keys: keysOf(keys, item.reference) };

      for (let forgotten = false; ; forgotten = true) {
        const answer = await orders.accept(order);
        if (!answer.ok) return answer;
        if (answer.value.kind === "accepted") return ok({ order, replayed: false });
        const { why } = answer.value;
        if (why.kind !== "taken") return refuse(whyNot(why, order.priceKobo, caller.plan));
        if (!forgotten && isForgettable(why, now) && keys.idempotencyKey !== undefined) {
          await forgetKey(db, caller.accountId, caller.mode, keys.idempotencyKey, why.targetId);
          continue;
        }
        const repeat = await repeated(caller, why, keys.fingerprint);
        if (!repeat.ok) return repeat;
        if (repeat.value.order) return ok({ order: repeat.value.order, replayed: true });
        return refuse(
          refusal(
            "idempotency_key_reused",
            "This Idempotency-Key was used for a bulk. Use a new key for each new message.",
          ),
        );
      }
    },

    prepareBulk(caller, items, options, pointerTo) {
      const now = clock.now();
      const terms = readTerms(caller, options, now);
      if (!terms.ok) return refuse(refusalOf(terms.error));
      const accepted: { index: number; order: NewOrder }[] = [];
      const rejected: RejectedItem[] = [];
      const faults = new Map<string, Fault>();
      const seen = new Map<string, number>();
      const texts = new Map<string, ReturnType<typeof prepareText>>();
      // A reference names one order in the account, be it a message or the bulk itself.
      const references = new Map<string, string>();
      if (options.reference !== undefined) references.set(options.reference, "The reference is the bulk's own.");
      for (const [index, item] of items.entries()) {
        const reject = (field: "to" | "message" | "reference", code: string, detail: string) => {
          rejected.push({ index, to: item.to, code, detail });
          const pointer = pointerTo(index, field);
          faults.set(pointer, { pointer, code, detail });
        };
        const to = parseMsisdn(item.to, caller.mode);
        if (!to.ok) {
          reject("to", to.error.code, to.error.detail);
          continue;
        }
        const first = seen.get(to.value);
        if (first !== undefined) {
          reject("to", "repeated_recipient", `The same number is at index ${first}; each is sent to once.`);
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
        const order = orderFor(caller, to.value, text.value, terms.value, options, true);
        accepted.push({ index, order: { ...order, reference: item.reference ?? null } });
      }
      if (accepted.length === 0)
        return refuse(
          refusal("no_acceptable_recipient", "None of the recipients is acceptable; see errors for each.", {
            errors: [...faults.values()],
          }),
        );
      return ok({ orders: accepted, rejected });
    },

    async sendBulk(caller, bulk, options, keys) {
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
      };

      for (let forgotten = false; ; forgotten = true) {
        const answer = await orders.acceptGroup(
          group,
          entries.map((entry) => entry.order),
        );
        if (!answer.ok) return answer;
        const { whole, items } = answer.value;
        const priceKobo = sumKobo(entries.map((entry) => entry.order.priceKobo));
        if (whole && whole.kind !== "taken") return refuse(whyNot(whole, priceKobo, caller.plan, entries.length));
        if (whole) {
          if (!forgotten && isForgettable(whole, now) && keys.idempotencyKey !== undefined) {
            await forgetKey(db, caller.accountId, caller.mode, keys.idempotencyKey, whole.targetId);
            continue;
          }
          const repeat = await repeated(caller, whole, keys.fingerprint);
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
            refusal(
              "no_acceptable_recipient",
              "None of the recipients is acceptable: all references are used already.",
              {
                errors: clashes.map(({ index, code, detail }) => ({
                  pointer: `/messages/${index}/reference`,
                  code,
                  detail,
                })),
              },
            ),
          );
        return ok({
          groupId,
          messages: kept.map(({ order }) => ({ id: order.id, to: order.recipient, status: order.state })),
          rejected: [...rejected, ...clashes].sort(byIndex),
          priceKobo: sumKobo(kept.map(({ order }) => order.priceKobo)),
          leavesAt: acceptedForLater(kept[0]!.order),
          replayed: false,
        });
      }
    },

    async isRepeatedBulk(caller, options, keys) {
      return (await earlierTarget(caller, keysOf(keys, options.reference), clock.now()))?.group !== undefined;
    },

    async earlierBulk(caller, options, keys) {
      const group = (await earlierTarget(caller, keysOf(keys, options.reference), clock.now()))?.group;
      return group && { ...(await recallBulk(caller.accountId, group)), replayed: true };
    },
  };

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
      leavesAt: messages[0] && acceptedForLater(messages[0]),
    };
  }
}

interface Terms {
  readonly from: string;
  readonly route: SmsRoute;
  readonly quiet: "schedule" | "fail";
  readonly sendAt: Date | null;
  /** `send_at` or now, moved out of the quiet hours. */
  readonly leavesAt: Date;
  readonly scheduled: boolean;
  readonly expiresAt: Date;
  readonly now: Date;
}

const keysOf = ({ idempotencyKey, fingerprint }: RequestKeys, reference: string | undefined): OrderKey[] => [
  ...(idempotencyKey === undefined ? [] : [{ kind: "key" as const, key: idempotencyKey, fingerprint }]),
  ...(reference === undefined ? [] : [{ kind: "reference" as const, key: reference, fingerprint }]),
];

const isForgettable = (taken: Pick<Extract<NotAccepted, { kind: "taken" }>, "by" | "endedAt">, now: Date): boolean =>
  taken.by === "key" && taken.endedAt !== null && now.getTime() - taken.endedAt.getTime() > KEY_KEPT_MS;

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

const byIndex = (a: RejectedItem, b: RejectedItem): number => a.index - b.index;

/** One refusal for all faults of a body: a malformed field outranks what is well-formed but can't be served. */
function refusalOf(faults: readonly Fault[]): Refusal {
  const [first] = faults;
  invariant(first, "a refusal has a fault");
  const isServable = faults.every(({ code }) => isErrorCode(code));
  const code = isServable && isErrorCode(first.code) ? first.code : "validation_failed";
  const detail = faults.length === 1 ? first.detail : `${faults.length} fields are wrong; see errors.`;
  return refusal(code, detail, { errors: faults });
}

function whyNot(
  why: Exclude<NotAccepted, { kind: "taken" }>,
  priceKobo: Kobo,
  plan: PlanConfig,
  recipients = 1,
): Refusal {
  if (why.kind === "funds")
    return refusal(
      "insufficient_balance",
      `This send costs ${koboForPeople(priceKobo)}; ${koboForPeople(why.availableKobo)} is available. Top up the wallet and send again.`,
    );
  const renewsAt = afterLagosMonth(why.period);
  return refusal(
    "quota_exceeded",
    `Plan ${plan.name} allows ${plan.quota} messages a month; ${why.left} are left and this takes ${recipients}. It renews at ${renewsAt.toISOString()}; a larger plan has more.`,
    { members: { limit: plan.quota, remaining: why.left, renews_at: renewsAt.toISOString() } },
  );
}
