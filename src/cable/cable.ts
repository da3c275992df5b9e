import { MINUTE_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { CablePayload, TvProvider } from "../ports/cable-payload.ts";
import type { CablePlan } from "./cable.settings.ts";

/** TV providers, smartcards and prices of cable TV. Pure. */

export type Kind = CablePayload["kind"];
export const KINDS = ["renew", "change"] as const satisfies readonly Kind[];

/** What can be done at a TV provider. Source: docs/providers/vtpass.md. */
export interface Abilities {
  readonly name: string;
  /** It has smartcards, whose customer is verified. Otherwise it sells to a phone. */
  readonly hasCards: boolean;
  readonly kinds: readonly Kind[];
  /** A purchase yields a voucher. */
  readonly givesVoucher: boolean;
}

const MULTICHOICE = { hasCards: true, kinds: KINDS, givesVoucher: false } as const;

export const ABILITIES: Readonly<Record<TvProvider, Abilities>> = {
  dstv: { name: "DStv", ...MULTICHOICE },
  gotv: { name: "GOtv", ...MULTICHOICE },
  startimes: { name: "StarTimes", hasCards: true, kinds: ["change"], givesVoucher: false },
  showmax: { name: "Showmax", hasCards: false, kinds: ["change"], givesVoucher: true },
};

export interface AskedCard {
  readonly tvProvider: TvProvider;
  readonly smartcardNumber: string;
}

/** A smartcard as a vendor described it. */
export interface Verification {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly tvProvider: TvProvider;
  readonly smartcardNumber: string;
  readonly customerName: string;
  readonly currentPlan: string | null;
  /** Null: there is nothing to renew. */
  readonly renewalKobo: Kobo | null;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly provider: string;
  readonly verifiedAt: Date;
}

const FRESH_MS = 15 * MINUTE_MS;

/** Until then a change of bouquet takes the vendor's word without a new verification. */
export const expiresAt = ({ verifiedAt }: Pick<Verification, "verifiedAt">): Date =>
  new Date(verifiedAt.getTime() + FRESH_MS);

/** 10 digits on most cards, 11 on some of StarTimes. */
const SMARTCARD_NUMBER = /^\d{10,11}$/;

/** The digits, without the spaces and dashes that people read them in. */
export function parseSmartcardNumber(text: string): Result<string, Fault> {
  const digits = text.replaceAll(/[\s-]/g, "");
  return SMARTCARD_NUMBER.test(digits)
    ? ok(digits)
    : refuse({
        pointer: "/smartcard_number",
        code: "wrong_format",
        detail: "A smartcard number (IUC number) has 10 or 11 digits, as they stand on the card or the decoder.",
      });
}

/** The amount and the plan's fee for the purchase. */
export const cablePrice = ({ prices }: CablePlan, amountKobo: Kobo): Kobo => kobo(amountKobo + parseKobo(prices.fee));
