import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { afterLagosDay, lagosDay } from "../kernel/lagos.ts";
import { type PhoneFault, parseMsisdn } from "../kernel/msisdn.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { type Result, refuse } from "../kernel/result.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import type { Order } from "../orders/order.ts";
import { purgedOf } from "../orders/personal-data.ts";
import { earlierTarget, keysOf, type RequestKeys } from "../orders/repeats.ts";
import type { CustomerChannel, SendToCustomer, SentCustomerMessage } from "../ports/customer-message.ts";
import { purchaseStatus } from "../purchases/purchase.steps.ts";
import type { TokenSeal } from "../purchases/tokens.ts";
import { electricityNotice } from "./notice.ts";
import { countResend, uncountResend } from "./resends.repo.ts";
import { storedElectricity } from "./stored.ts";

/** Sends a purchase's tokens once more. Whoever has them can type them in first, so each time is written down and they are few. */
export interface Resends {
  /**
   * A message order of its own, at the message's price. A repeat under the same key is answered from the first and counts for
   * nothing. Errors: `invalid_state`, `quota_exceeded`, those of a send.
   */
  resend(asked: Resend): Promise<Result<SentCustomerMessage>>;
}

export interface Resend {
  readonly order: Order;
  readonly actor: Actor;
  /** What the key may spend, if it has a cap. */
  readonly spendCap?: SpendCap;
  readonly channel: CustomerChannel;
  /** Undefined: the customer's phone, as the purchase has it. */
  readonly to: string | undefined;
  readonly keys: RequestKeys;
}

export interface ResendsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: TokenSeal;
  readonly send: SendToCustomer;
}

export const RESENDS_A_DAY = 5;

export function makeResends({ db, clock, seal, send }: ResendsOptions): Resends {
  /** Resends of this node that are under way, by their keys: a repeat waits for the first, and is its repeat then. */
  const underWay = new Map<string, Promise<unknown>>();
  const inTurn = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    for (let first = underWay.get(name); first; first = underWay.get(name)) await first;
    const done = act();
    underWay.set(
      name,
      done.catch(() => undefined),
    );
    try {
      return await done;
    } finally {
      underWay.delete(name);
    }
  };

  return {
    resend: (ask) =>
      ask.keys.idempotencyKey === undefined
        ? resendOnce(ask)
        : inTurn(`${ask.order.accountId} ${ask.order.mode} ${ask.keys.idempotencyKey}`, () => resendOnce(ask)),
  };

  async function resendOnce({ order, actor, spendCap, channel, to, keys }: Resend): ReturnType<Resends["resend"]> {
    const { accountId, mode, id: orderId } = order;
    if (order.state !== "successful") return refuse(notSuccessful(purchaseStatus(order.state)));
    const tokens = seal.open(order);
    if (tokens.length === 0) return refuse(purgedOf(order).tokens === undefined ? WITHOUT_TOKEN : PURGED_TOKEN);
    const phone = parseMsisdn(to ?? `+${storedElectricity(order).phone}`, mode);
    if (!phone.ok) return refuse(atTo(phone.error));
    const text = electricityNotice(order, tokens);
    const message = {
      channel,
      id: newUuid(),
      accountId,
      mode,
      to: phone.value,
      keys,
      ...(spendCap && { spendCap }),
      ...text,
    };
    const isRepeat = () => earlierTarget(db, { accountId, mode }, keysOf(keys, undefined), clock.now());
    if (await isRepeat()) return send(message);

    const counted = { accountId, orderId, day: lagosDay(clock.now()) };
    const entry = { actor, subject: encodeId("pur", orderId) };
    const details = {
      message: encodeId("msg", message.id),
      channel,
      to_another_phone: phone.value !== storedElectricity(order).phone,
    };
    // Before it is sent, so that none leaves unwritten.
    const isAllowed = await db.transaction(async (tx) => {
      if (!(await countResend(tx, { ...counted, max: RESENDS_A_DAY }))) return false;
      await audit(tx, { ...entry, action: "electricity.resend", details });
      return true;
    });
    // Its own repeats may have been counted while they were under way.
    if (!isAllowed) return (await isRepeat()) ? send(message) : refuse(tooMany(counted.day));
    const sent = await send(message);
    const why = sent.ok ? (sent.value.replayed ? "replayed" : undefined) : sent.error.code;
    if (why === undefined || why === "acceptance_unknown") return sent;
    await db.transaction(async (tx) => {
      await uncountResend(tx, counted);
      await audit(tx, { ...entry, action: "electricity.resend_refused", details: { ...details, code: why } });
    });
    return sent;
  }
}

const notSuccessful = (status: string): Refusal =>
  refusal("invalid_state", `The purchase is ${status}: only a successful one has tokens to send again.`, {
    members: { order_status: status },
  });

const WITHOUT_TOKEN = refusal(
  "invalid_state",
  "The purchase is successful and has no token: the meter was credited without one, so there is nothing to type in or to send again.",
  { members: { order_status: "successful" } },
);

const PURGED_TOKEN = refusal(
  "invalid_state",
  "The purchase's tokens are no longer kept: they were purged when their time was over.",
  { members: { order_status: "successful" } },
);

const atTo = ({ code, detail }: PhoneFault): Refusal =>
  refusal(code, detail, { errors: [{ pointer: "/to", code, detail }] });

function tooMany(day: string): Refusal {
  const renewsAt = afterLagosDay(day).toISOString();
  return refusal(
    "quota_exceeded",
    `A purchase's tokens are sent again at most ${RESENDS_A_DAY} times a day. GET /electricity/status shows them at any time.`,
    { members: { quota: "token-resends", limit: RESENDS_A_DAY, renews_at: renewsAt } },
  );
}
