import { type Kobo, ZERO_KOBO } from "../../../kernel/kobo.ts";
import { readVendorNaira } from "../../../kernel/naira.ts";
import type { MeterAnswer, MeterQuery } from "../../../ports/meter.ts";
import { type Fields, factIn, textOf } from "../../../vendor-text/fields.ts";
import { readCustomer, type Verification } from "../verification.ts";
import { isDiscoService } from "./electricity.ts";

const ARREARS_KEYS = ["Customer_Arrears", "CustomerArrears", "Outstanding"];
const MINIMUM_KEYS = ["Min_Purchase_Amount", "Minimum_Purchase_Amount", "Minimum_Amount"];
const MAXIMUM_KEYS = ["MAX_Purchase_Amount", "Max_Purchase_Amount"];

export const METER: Verification<MeterQuery, MeterAnswer> = {
  body: ({ disco, meterNumber, meterType }) =>
    isDiscoService(disco) ? { billersCode: meterNumber, serviceID: disco, type: meterType } : undefined,
  notSold: "This vendor does not sell for the disco.",
  read: readMeter,
};

/** Each disco tells a different part of it, under names of its own. */
export function readMeter(query: MeterQuery, status: number, text: string): MeterAnswer {
  const customer = readCustomer(status, text, {
    unknown: "The disco does not know this meter.",
    nameless: "The disco gave no customer name.",
  });
  if (customer.kind !== "found") return customer;
  const { name, content } = customer;
  if (/^no$/i.test(textOf(content, ["Can_Vend"]) ?? ""))
    return { kind: "unavailable", detail: "The disco does not let this meter buy just now." };
  const band = factIn(content, ["Service_Band"]);
  const kind = textOf(content, ["Meter_Type"]);
  const meterType = kind === undefined ? query.meterType : typeOf(kind);
  // A kind of meter that is new to us may not take tokens.
  if (!meterType) return { kind: "unavailable", detail: "The disco names a type of meter that is not listed." };
  return {
    kind: "found",
    meterType,
    customer: { name, address: factIn(content, ["Address"]) ?? null },
    ...(band === undefined ? {} : { tariff: band }),
    ...amount("arrearsKobo", content, ARREARS_KEYS),
    ...amount("minimumKobo", content, MINIMUM_KEYS),
    ...amount("maximumKobo", content, MAXIMUM_KEYS),
  };
}

const typeOf = (word: string | undefined): MeterQuery["meterType"] | undefined =>
  /^prepaid$/i.test(word ?? "") ? "prepaid" : /^postpaid$/i.test(word ?? "") ? "postpaid" : undefined;

/** Nothing, zero and what is no amount are all the same: the disco does not say. */
function amount<Key extends string>(key: Key, content: Fields, keys: readonly string[]): { [K in Key]?: Kobo } {
  const values = keys.map((name) => readVendorNaira(textOf(content, [name])));
  const value = values.find((one) => one !== undefined && one > ZERO_KOBO);
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Kobo });
}
