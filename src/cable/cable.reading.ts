import type { Mode } from "../kernel/mode.ts";
import { type Msisdn, parseMsisdn } from "../kernel/msisdn.ts";
import type { Fault, Refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import { ABILITIES, type AskedCard, type Kind, parseSmartcardNumber } from "./cable.ts";
import { notRenewed } from "./refused.ts";

/** Purchases as they are asked for, read. Pure. */

export interface PurchaseRequest {
  readonly provider: TvProvider;
  readonly kind: Kind;
  readonly to: string;
  readonly smartcard_number?: string;
  readonly plan_id?: string;
  readonly verification_id?: string;
}

interface ReadBasics {
  readonly phone: Msisdn;
  /** Absent where the TV provider has no cards. */
  readonly card?: AskedCard;
  readonly verificationId?: string;
}

export interface ReadRenewal extends ReadBasics {
  readonly kind: "renew";
  readonly card: AskedCard;
}

export interface ReadChange extends ReadBasics {
  readonly kind: "change";
  readonly provider: TvProvider;
  readonly planId: string;
}

/** Reads a request whole: all its faults together, or the one thing that its TV provider does not offer. */
export function readPurchase(
  request: PurchaseRequest,
  mode: Mode,
): Result<ReadRenewal | ReadChange, readonly Fault[] | Refusal> {
  const { provider, kind, to, plan_id: planId, verification_id: verificationId } = request;
  if (!ABILITIES[provider].kinds.includes(kind)) return refuse(notRenewed(provider));
  const phone = parseMsisdn(to, mode);
  const card = readCard(request);
  const faults: Fault[] = [
    ...(card.ok ? [] : card.error),
    ...(kind === "change" && planId === undefined ? [PLAN_MISSING] : []),
    ...(kind === "renew" && planId !== undefined ? [PLAN_IN_RENEWAL] : []),
    ...(phone.ok ? [] : [{ pointer: "/to", code: phone.error.code, detail: phone.error.detail }]),
  ];
  if (!card.ok || !phone.ok || faults.length > 0) return refuse(faults);
  const basics = {
    phone: phone.value,
    ...(card.value && { card: card.value }),
    ...(verificationId !== undefined && { verificationId }),
  };
  if (planId !== undefined) return ok({ kind: "change", provider, planId, ...basics });
  return ok({ kind: "renew", ...basics, card: card.value! });
}

function readCard(request: PurchaseRequest): Result<AskedCard | undefined, readonly Fault[]> {
  const { provider, smartcard_number: number, verification_id: verificationId } = request;
  const { name, hasCards } = ABILITIES[provider];
  if (!hasCards) {
    const given = { "/smartcard_number": number, "/verification_id": verificationId };
    const faults = Object.entries(given).flatMap(([pointer, value]) =>
      value === undefined ? [] : [{ pointer, code: "not_together" as const, detail: noCards(name) }],
    );
    return faults.length > 0 ? refuse(faults) : ok(undefined);
  }
  if (number === undefined) return refuse([{ pointer: "/smartcard_number", code: "required", detail: NUMBER_MISSING }]);
  const read = parseSmartcardNumber(number);
  return read.ok ? ok({ tvProvider: provider, smartcardNumber: read.value }) : refuse([read.error]);
}

const noCards = (name: string): string =>
  `${name} has no smartcards: leave this out. What is bought goes to the phone \`to\`.`;
const NUMBER_MISSING = "Say which smartcard is paid for: its 10 or 11 digits.";
const PLAN_MISSING: Fault = {
  pointer: "/plan_id",
  code: "required",
  detail: "Say which bouquet is bought: a `plan_id` of GET /cable/plans.",
};
const PLAN_IN_RENEWAL: Fault = {
  pointer: "/plan_id",
  code: "not_together",
  detail: 'A renewal pays the bouquet that the card has. For another one send kind "change".',
};
