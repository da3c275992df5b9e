import { type DestinationCaps, sendWithinCaps } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import type { Fault } from "../kernel/refusal.ts";
import { type Result, refuse } from "../kernel/result.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { AcceptedOnce } from "../orders/accept-once.ts";
import { queueOf } from "../orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import { noRoute, whyNot } from "../orders/refusals.ts";
import { keysOf, type RequestKeys } from "../orders/repeats.ts";
import type { SmsSeal } from "./sealed-sms.ts";
import type { Senders } from "./senders.service.ts";
import { SMS, storedSms } from "./sms.definition.ts";
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
  /** Chosen by a caller that may try the same message several times. */
  readonly id?: Uuid;
  /** Stored and shown in place of the text, which is a secret. */
  readonly shownAs?: string;
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
  send(caller: SmsCaller, item: SmsMessage, options: SmsOptions, keys: RequestKeys): Promise<Result<AcceptedOnce>>;
}

export function makeSms(options: SmsServiceOptions): Sms {
  const { orders, clock, senders, suppressions, destinationCaps, seal, ...defaults } = options;

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
        // A repeat is answered with its order even when its `send_at` has passed since, or its recipient has opted out.
        return orders.repeatOr(caller, keysOf(keys, item.reference), orders.refusalOf(faults));
      }
      if (!orders.serves(queueOf("sms", caller.mode))) return refuse(noRoute(SMS));
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

      return sendWithinCaps(destinationCaps, caller, [to.value], (refused) => {
        const overCap = refused.get(0);
        if (overCap) return orders.repeatOr(caller, order.keys, overCap);
        return orders.acceptOnce(order, keys, (why) =>
          refuse(whyNot(why, { service: SMS, cost: order, plan: caller.plan, plans: defaults.plans })),
        );
      });
    },
  };
}
