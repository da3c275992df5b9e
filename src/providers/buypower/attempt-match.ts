import { type Kobo, kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { ElectricityPayload } from "../../ports/purchase-payload.ts";
import { type Fields, fieldsOf, isFields, type Member, membersIn } from "../../vendor-text/fields.ts";
import { isSameMeter } from "../../vendor-text/meter-number.ts";
import { isAnotherDisco } from "./discos.ts";
import type { Meaning } from "./statuses.ts";

/** What was asked for. */
export interface Attempt {
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly meter: string;
  /** The vendor's code; undefined when it is sold there no more. */
  readonly disco: string | undefined;
  readonly payload: Pick<ElectricityPayload, "amount_kobo">;
}

/** Why an answer is not about our attempt; undefined when nothing in it says so. */
export function attemptMismatch(body: Fields, attempt: Attempt, meaning: Meaning): string | undefined {
  const ours = kobo(attempt.payload.amount_kobo);
  const isOurs = (data: Fields) => (meaning.kind !== "delivered" && isNothing(data)) || isOurAmount(data, ours);
  return (
    membersIn(body)
      .map((member) => whyAnothers(member, attempt))
      .find((why) => why !== undefined) ??
    (dataOf(body).every(isOurs) ? undefined : "the answer is about another amount")
  );
}

export const ORDER_ID_NAME = /^order_?id$/i;
const METER_NAME = /^meter_?(?:number|no)?$/i;
const DISCO_NAME = /^disco(?:_?code)?$/i;

export function whyAnothers({ name, text }: Member, { reference, meter, disco }: Attempt): string | undefined {
  if (ORDER_ID_NAME.test(name) && text !== reference) return "the answer is about another orderId";
  const digits = text.replaceAll(/\D/g, "");
  if (METER_NAME.test(name) && digits !== "" && !isSameMeter(digits, meter)) return "the answer is about another meter";
  return DISCO_NAME.test(name) && isAnotherDisco(text, disco) ? "the answer is about another disco" : undefined;
}

/** The sale's data, in the envelope and in the one around it: one object, or a list of them. */
const dataOf = (body: Fields): readonly Fields[] =>
  [body.data, fieldsOf(body.result).data].flat().filter((data) => isFields(data));

/** A failed sale has no amounts. */
const isNothing = ({ vendAmount, totalAmountPaid }: Fields): boolean =>
  [vendAmount, totalAmountPaid].every((amount) => (readVendorNaira(amount) ?? ZERO_KOBO) === ZERO_KOBO);

/**
 * The documents don't say whether debts and charges are in `vendAmount`, and charges in `totalAmountPaid`, nor whether a commission
 * is taken off that: either way it is ours. Both must be, so that 5 vended of 2000 paid is not. Public samples of Abuja's have a
 * `vendAmount` of 0 beside what was paid: that says nothing.
 */
function isOurAmount(data: Fields, ours: Kobo): boolean {
  const debt = readVendorNaira(data.debtAmount) ?? ZERO_KOBO;
  const charges = readVendorNaira(data.charges) ?? ZERO_KOBO;
  const vended = readVendorNaira(data.vendAmount);
  const paid = readVendorNaira(data.totalAmountPaid);
  if (vended === undefined || (vended === ZERO_KOBO && paid !== undefined))
    return paid === undefined || paid === ours || paid === ours + charges;
  const isVended = [ours, ours - debt, ours - charges, ours - debt - charges].some((one) => one === vended);
  return isVended && (paid === undefined || isPaid(paid, ours, charges));
}

/** Commissions that are taken off, and charges that are not named, are less than this. */
const MARGIN_PERCENT = 10n;
const isPaid = (paid: Kobo, ours: Kobo, charges: Kobo): boolean =>
  paid === ours + charges ||
  (paid * 100n >= ours * (100n - MARGIN_PERCENT) && paid * 100n <= ours * (100n + MARGIN_PERCENT));
