import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Msisdn } from "../kernel/msisdn.ts";
import { NETWORKS } from "../kernel/networks.ts";
import type { Fault } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { SmsPayload } from "./sms-payload.ts";

/** An SMS that stands in for a message of another channel: the port between the service that sells that and the SMS service. */

/** What its routes are chosen by, as those of any SMS. */
export interface RoutedSms extends SmsPayload {
  readonly network_guess: string | null;
}

export const smsLabels = ({ network_guess: network, route }: RoutedSms) => ({
  channel: "sms",
  network: network ?? undefined,
  route,
});

/** The values that these labels may have. */
export const SMS_LABEL_VALUES = {
  network: NETWORKS,
  route: ["transactional", "promotional"],
  channel: ["sms"],
} as const satisfies Record<keyof ReturnType<typeof smsLabels>, readonly string[]>;

/** Who sends it, as its key says. */
export interface SmsSubscriber {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** The account's SMS plan; undefined when it has none that this key may use. */
  readonly smsPlan?: string;
  readonly defaultSender?: string;
}

export interface WantedSms {
  readonly to: Msisdn;
  readonly message: string;
  readonly from?: string;
  readonly route: SmsPayload["route"];
}

/**
 * Makes it, and says what it costs. Errors, each with its place in `{message, from}`: no plan, its quota used up, a text or
 * sender that can't be sent. Nothing is counted or charged.
 */
export type MakeFallbackSms = (
  owner: SmsSubscriber,
  wanted: WantedSms,
) => Promise<Result<MadeFallbackSms, readonly Fault[]>>;

export interface MadeFallbackSms {
  readonly sms: RoutedSms;
  readonly priceKobo: Kobo;
  /** Of the account's SMS plan, if it has one: it is counted there once it is what is sent. */
  readonly quota?: { readonly limit: number; readonly period: string };
}
