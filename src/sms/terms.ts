import { limitsOf, type OrderCaller } from "../accounts/order-caller.ts";
import { newUuid } from "../kernel/ids.ts";
import { taxContained } from "../kernel/kobo.ts";
import { afterQuietHours } from "../kernel/lagos.ts";
import type { Msisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { ON_AMBIGUOUS_DEFAULT, type OnAmbiguous } from "../kernel/on-ambiguous.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import { PRIORITY } from "../orders/order.ts";
import { type SmsRoute, smsPrice } from "./prices.ts";
import type { StoredSms } from "./sms.definition.ts";
import type { SmsPlan } from "./sms.settings.ts";
import { expiresAt, type PreparedText, parseSender, sendAtFault, VALIDITY_MINUTES } from "./sms.ts";

/** Who sends, and on which terms. */
export interface SmsCaller extends OrderCaller<SmsPlan> {
  /** The account's own, if it has one. */
  readonly defaultSender?: string;
}

/** What every message of a request has in common. */
export interface SmsOptions {
  readonly from?: string;
  readonly route?: SmsRoute;
  readonly send_at?: string;
  readonly validity_minutes?: number;
  readonly smart_encoding?: boolean;
  readonly quiet_hours?: "schedule" | "fail";
  readonly on_ambiguous?: OnAmbiguous;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly reference?: string;
}

/** What all messages of a request have in common, read and checked. */
export interface Terms {
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

/** The operator's settings for every message. */
export interface SmsDefaults {
  readonly defaultSender: string;
  readonly vatBasisPoints: number;
  /** All plans of the service: a refusal for a used-up quota names those that would do. */
  readonly plans: readonly SmsPlan[];
}

/** Reads the options that all messages of a request share. Errors: all their faults together. */
export function readTerms(
  caller: SmsCaller,
  options: SmsOptions,
  { defaultSender }: SmsDefaults,
  now: Date,
): Result<Terms, readonly Fault[]> {
  const faults: Fault[] = [];
  const sender = parseSender(options.from ?? caller.defaultSender ?? defaultSender);
  if (!sender.ok) faults.push(sender.error);
  const sendAt = options.send_at === undefined ? null : timeOf(options.send_at);
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
}

/** The order that one message becomes. */
export function orderFor(
  caller: SmsCaller,
  to: Msisdn,
  text: PreparedText,
  terms: Terms,
  options: SmsOptions,
  { vatBasisPoints }: SmsDefaults,
  bulk: boolean,
): NewOrder {
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
    ambiguity:
      options.on_ambiguous ?? ON_AMBIGUOUS_DEFAULT[bulk ? "bulk" : promotional ? "promotional" : "transactional"],
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
    ...limitsOf(caller, terms.now),
    keys: [],
  };
}
