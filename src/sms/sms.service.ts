import { type DestinationCaps, mayBeNew } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import { type Order, queueOf } from "../orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import { NO_ROUTE, refusalOf, whyNot } from "../orders/refusals.ts";
import { earlierTarget, forgetIfOver, keysOf, type RequestKeys, repeated } from "../orders/repeats.ts";
import type { SmsSeal } from "./sealed-sms.ts";
import type { Senders } from "./senders.service.ts";
import { storedSms } from "./sms.definition.ts";
import { prepareText } from "./sms.ts";
import type { Suppressions } from "./suppressions.service.ts";
import { optedOut } from "./suppressions.ts";
import { orderFor, readTerms, type SmsCaller, type SmsDefaults, type SmsOptions } from "./terms.ts";

export interface SmsItem {
  readonly to: string;
  readonly message: string;
  readonly reference?: string;
}

export interface SmsMessage extends SmsItem {
  /** Chosen beforehand by whoever may try the same message several times. */
  readonly id?: Uuid;
  /** What is stored and shown in the place of the text, which is a secret. */
  readonly shownAs?: string;
}

export interface Sent {
  readonly order: Order | NewOrder;
  readonly replayed: boolean;
}

export interface SmsServiceOptions extends SmsDefaults {
  readonly db: Database;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly senders: Pick<Senders, "ruleFor">;
  readonly suppressions: Pick<Suppressions, "isSuppressed" | "suppressedAmong">;
  readonly destinationCaps: DestinationCaps;
  readonly seal: Pick<SmsSeal, "seal">;
}

export interface Sms {
  send(caller: SmsCaller, item: SmsMessage, options: SmsOptions, keys: RequestKeys): Promise<Result<Sent>>;
}

export function makeSms(options: SmsServiceOptions): Sms {
  const { db, orders, clock, senders, suppressions, destinationCaps, seal, ...defaults } = options;

  return {
    async send(caller, item, options, keys) {
      const now = clock.now();
      const to = parseMsisdn(item.to, caller.mode);
      const text = prepareText(item.message, options.smart_encoding ?? false);
      const terms = readTerms(caller, options, defaults, now);
      const faults: Fault[] = [
        ...(to.ok ? [] : [{ pointer: "/to", code: to.error.code, detail: to.error.detail }]),
        ...(text.ok ? [] : [text.error]),
        ...(terms.ok ? [] : terms.error),
      ];
      if (to.ok && terms.ok) {
        const { from, route } = terms.value;
        const unapproved = (await senders.ruleFor(caller))(from, route, guessNetwork(to.value));
        if (unapproved) faults.push(unapproved);
        const { accountId, mode } = caller;
        const recipient = { accountId, mode, address: to.value, channel: "sms" as const };
        if (route === "promotional" && (await suppressions.isSuppressed(recipient)))
          faults.push(optedOut(to.value, "/to"));
      }
      if (!to.ok || !text.ok || !terms.ok || faults.length > 0) {
        // A repeat is answered from its order even when, say, its `send_at` has passed meanwhile, or its recipient opted out.
        const earlier = (await earlierTarget(db, caller, keysOf(keys, item.reference), now))?.order;
        return earlier ? ok({ order: earlier, replayed: true }) : refuse(refusalOf(faults));
      }
      if (!orders.serves(queueOf("sms", caller.mode))) return refuse(NO_ROUTE);
      const base = orderFor(caller, to.value, text.value, terms.value, options, defaults, false);
      const id = item.id ?? base.id;
      const order: NewOrder = {
        ...base,
        id,
        payload: item.shownAs === undefined ? base.payload : seal.seal(id, storedSms(base), item.shownAs),
        reference: item.reference ?? null,
        keys: keysOf(keys, item.reference),
        requestId: keys.requestId,
      };

      const counted = await destinationCaps.count(caller, [to.value]);
      const tooMany = counted.refused.get(0);
      if (tooMany) {
        const earlier = (await earlierTarget(db, caller, order.keys, now))?.order;
        return earlier ? ok({ order: earlier, replayed: true }) : refuse(tooMany);
      }
      const sent = await accept(caller, order, keys, now);
      if (!mayBeNew(sent)) await counted.giveAllBack();
      return sent;
    },
  };

  /** Accepts the order, or finds the one that the same key or reference made before. */
  async function accept(caller: SmsCaller, order: NewOrder, keys: RequestKeys, now: Date): Promise<Result<Sent>> {
    for (let forgotten = false; ; forgotten = true) {
      const answer = await orders.accept(order);
      if (!answer.ok) return answer;
      if (answer.value.kind === "accepted") return ok({ order, replayed: false });
      const { why } = answer.value;
      if (why.kind !== "taken") return refuse(whyNot(why, order, caller.plan, defaults.plans));
      if (!forgotten && (await forgetIfOver(db, caller, why, keys, now))) continue;
      const repeat = await repeated(db, caller, why, keys.fingerprint);
      if (!repeat.ok) return repeat;
      if (repeat.value.order) return ok({ order: repeat.value.order, replayed: true });
      return refuse(
        refusal(
          "idempotency_key_reused",
          "This Idempotency-Key was used for a bulk. Use a new key for each new message.",
        ),
      );
    }
  }
}
