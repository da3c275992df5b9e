import { ZERO_KOBO } from "../../../kernel/kobo.ts";
import { readVendorNaira } from "../../../kernel/naira.ts";
import type { SmartcardAnswer, SmartcardQuery } from "../../../ports/smartcard.ts";
import { type Fields, factIn, textOf } from "../../../vendor-text/fields.ts";
import { readCustomer, type Verification } from "../verification.ts";
import { readDueDate } from "./due-date.ts";

export const SMARTCARD: Verification<SmartcardQuery, SmartcardAnswer> = {
  // Showmax sells to phones.
  body: ({ tvProvider, smartcardNumber }) =>
    tvProvider === "showmax" ? undefined : { billersCode: smartcardNumber, serviceID: tvProvider },
  notSold: "This vendor verifies no cards of the TV provider.",
  read: readSmartcard,
};

/**
 * DStv and GOtv name the card's bouquet, its renewal amount and the due date, as far as there are any; StarTimes names the customer
 * alone. `Customer_Number` is not the card's number, so it is not compared.
 */
export function readSmartcard({ smartcardNumber }: SmartcardQuery, status: number, text: string): SmartcardAnswer {
  const customer = readCustomer(status, text, {
    unknown: "The TV provider does not know this card.",
    nameless: "The TV provider gave no customer name.",
  });
  if (customer.kind !== "found") return customer;
  const { name, content } = customer;
  if (textOf(content, ["error", "errors"]) !== undefined)
    return { kind: "unavailable", detail: "The answer has a customer and an error." };
  const card = textOf(content, ["Smartcard_Number"]);
  if (card !== undefined && !isSameCard(card, smartcardNumber))
    return { kind: "unavailable", detail: "The answer is about another card." };
  return { kind: "found", customer: { name }, ...subscriptionIn(content) };
}

function subscriptionIn(content: Fields) {
  const currentPlan = factIn(content, ["Current_Bouquet"]);
  const renewalKobo = readVendorNaira(textOf(content, ["Renewal_Amount"]));
  const dueDate = readDueDate(textOf(content, ["Due_Date", "DUE_DATE"]) ?? "");
  return {
    ...(currentPlan !== undefined && { currentPlan }),
    // Zero: nothing to renew, as for a card without a subscription.
    ...(renewalKobo !== undefined && renewalKobo > ZERO_KOBO && { renewalKobo }),
    ...(dueDate !== undefined && { dueDate }),
  };
}

/** A card number that was a JSON number has lost its leading zeros. */
export const isSameCard = (one: string, other: string): boolean => withoutZeros(one) === withoutZeros(other);
const withoutZeros = (card: string): string => card.replaceAll(/\D/g, "").replace(/^0+/, "");
