import { type Kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import { statusAndCode } from "../../kernel/logged-code.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { MeterAnswer, MeterQuery } from "../../ports/meter.ts";
import { type Fields, factIn, readFields, textOf } from "../../vendor-text/fields.ts";
import { shortWords } from "../../vendor-text/words.ts";

const FOUND = ["100", "200"];

/** Reads the answer of `GET /check/meter`. What the vendor refuses as not valid is no meter; all else says nothing of the meter. */
export function readVerification(query: MeterQuery, status: number, text: string): MeterAnswer {
  const body = readFields(text);
  if (!body) return { kind: "unavailable", detail: `HTTP ${status} without a readable answer` };
  const words = shortWords(textOf(body, ["message"]) ?? `HTTP ${status}`);
  if (status === 400 || status === 404) return { kind: "not_found", detail: words };
  const name = factIn(body, ["name"]);
  if (status !== 200 || !FOUND.includes(textOf(body, ["responseCode"]) ?? "") || name === undefined)
    return { kind: "unavailable", detail: statusAndCode(status, textOf(body, ["responseCode"])) };
  const meter = textOf(body, ["meterNo"]);
  if (meter !== undefined && meter !== query.meterNumber)
    return { kind: "unavailable", detail: "The answer is about another meter." };
  const tariff = factIn(body, ["tariffClass", "tariffDesc"]);
  const kind = textOf(body, ["vendType"]);
  const meterType = kind === undefined ? query.meterType : typeOf(kind);
  // A kind of meter that is new to us may not take tokens.
  if (!meterType) return { kind: "unavailable", detail: "The disco names a type of meter that is not listed." };
  return {
    kind: "found",
    meterType,
    customer: { name, address: factIn(body, ["address"]) ?? null },
    ...(tariff === undefined ? {} : { tariff }),
    ...amount("arrearsKobo", body, "outstanding"),
    ...amount("minimumKobo", body, "minVendAmount"),
    ...amount("maximumKobo", body, "maxVendAmount"),
  };
}

const typeOf = (word: string | undefined): MeterQuery["meterType"] | undefined =>
  word === "PREPAID" ? "prepaid" : word === "POSTPAID" ? "postpaid" : undefined;

/** Nothing, zero and what is no amount are all the same: the disco does not say. */
function amount<Key extends string>(key: Key, body: Fields, field: string): { [K in Key]?: Kobo } {
  const value = readVendorNaira(body[field]);
  return value === undefined || value <= ZERO_KOBO ? {} : ({ [key]: value } as { [K in Key]?: Kobo });
}
