import { type Kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import { statusAndCode } from "../../kernel/logged-code.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { MeterAnswer, MeterQuery } from "../../ports/provider.ts";
import { type Fields, factIn, fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { shortWords } from "../../vendor-text/words.ts";
import { wordsOf } from "./answer.ts";

/** `020` is in the vendor's table, `000` in its samples. */
const CONFIRMED = ["000", "020"];
const NO_SUCH_METER = ["011", "012"];

const ARREARS_KEYS = ["Customer_Arrears", "CustomerArrears", "Outstanding"];
const MINIMUM_KEYS = ["Min_Purchase_Amount", "Minimum_Purchase_Amount", "Minimum_Amount"];
const MAXIMUM_KEYS = ["MAX_Purchase_Amount", "Max_Purchase_Amount"];

/** Reads the answer of `merchant-verify`. Each disco tells a different part of it, under names of its own. */
export function readVerification(query: MeterQuery, status: number, text: string): MeterAnswer {
  const body = status < 500 ? readFields(text) : undefined;
  const code = body && textOf(body, ["code"]);
  if (!body || code === undefined) return { kind: "unavailable", detail: `HTTP ${status} without a readable answer` };
  if (NO_SUCH_METER.includes(code)) return { kind: "not_found", detail: wordsOf(body) };
  if (!CONFIRMED.includes(code)) return { kind: "unavailable", detail: statusAndCode(status, code) };
  const content = fieldsOf(body.content);
  if (isTrue(content.WrongBillersCode)) return { kind: "not_found", detail: "The disco does not know this meter." };
  const name = factIn(content, ["Customer_Name"]);
  if (name === undefined) {
    const error = textOf(content, ["error"]);
    return error === undefined
      ? { kind: "unavailable", detail: "The disco gave no customer name." }
      : { kind: "not_found", detail: shortWords(error) };
  }
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

const isTrue = (value: unknown): boolean => value === true || (typeof value === "string" && /^true$/i.test(value));

const typeOf = (word: string | undefined): MeterQuery["meterType"] | undefined =>
  /^prepaid$/i.test(word ?? "") ? "prepaid" : /^postpaid$/i.test(word ?? "") ? "postpaid" : undefined;

/** Nothing, zero and what is no amount are all the same: the disco does not say. */
function amount<Key extends string>(key: Key, content: Fields, keys: readonly string[]): { [K in Key]?: Kobo } {
  const values = keys.map((name) => readVendorNaira(textOf(content, [name])));
  const value = values.find((one) => one !== undefined && one > ZERO_KOBO);
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Kobo });
}
