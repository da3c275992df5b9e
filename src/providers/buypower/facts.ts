import { type Kobo, koboToNaira } from "../../kernel/kobo.ts";
import type { PurchaseFacts, TokenParcel } from "../../kernel/purchase-payload.ts";
import { readToken, readUnits } from "../../kernel/sts.ts";
import { type Fields, fieldsOf, textOf } from "../../kernel/vendor-fields.ts";
import { readVendorNaira } from "../../kernel/vendor-naira.ts";

/** In the order of entering, whatever order the vendor has them in. */
const KINDS: readonly (readonly [type: string, kind: TokenParcel["kind"]])[] = [
  ["KCT1", "kct1"],
  ["KCT2", "kct2"],
  ["TOKEN", "credit"],
  ["BONUS", "bonus"],
];

/**
 * The tokens of a delivered purchase. Empty without an energy token: then it has not come yet, and a key change alone is of no
 * use. `units` and `freeUnits` belong to the energy and the bonus; which of several they belong to can't be told.
 */
export function readTokens(data: Fields): readonly TokenParcel[] {
  const parcels = Array.isArray(data.parcels) ? data.parcels.map(fieldsOf) : [];
  const found = KINDS.flatMap(([type, kind]): TokenParcel[] => {
    const contents = parcels.filter((parcel) => textOf(parcel, ["type"])?.toUpperCase() === type);
    const values = new Set(contents.flatMap((parcel) => readToken(textOf(parcel, ["content"])) ?? []));
    if (kind === "credit" && values.size === 0) {
      const token = readToken(textOf(data, ["token"]));
      if (token !== undefined) values.add(token);
    }
    const units = values.size === 1 ? unitsOf(kind, data) : undefined;
    return [...values].map((value) => ({ kind, value, ...(units === undefined ? {} : { units_kwh: units }) }));
  });
  return found.some(({ kind }) => kind === "credit") ? found : [];
}

/**
 * Of a key change there is one token of each kind, and `token` is one of the energy tokens, of which there may be several: else
 * nobody knows which is right. Undefined: so it is.
 */
export function whyNotOneToken(data: Fields): string | undefined {
  const tokens = readTokens(data);
  const valuesOf = (kind: TokenParcel["kind"]) => tokens.flatMap((one) => (one.kind === kind ? one.value : []));
  const named = readToken(textOf(data, ["token"]));
  const isTwo = (["kct1", "kct2"] as const).some((kind) => valuesOf(kind).length > 1);
  const isOther = named !== undefined && tokens.length > 0 && !valuesOf("credit").includes(named);
  return isTwo || isOther ? "it is said to be vended, and has two tokens of one kind" : undefined;
}

function unitsOf(kind: TokenParcel["kind"], data: Fields): string | undefined {
  if (kind === "credit") return readUnits(textOf(data, ["units"]));
  const free = kind === "bonus" ? readUnits(textOf(data, ["freeUnits"])) : undefined;
  return free === undefined || /^[0.]+$/.test(free) ? undefined : free;
}

/** What the answer to a delivered purchase teaches. */
export function factsOf(data: Fields): PurchaseFacts {
  const tokens = readTokens(data);
  const units = readUnits(textOf(data, ["units"]));
  const receipt = textOf(data, ["receiptNo"]);
  const tariff = textOf(data, ["tariffClass", "tariff", "tariffIndex"]);
  const breakdown = {
    ...naira("energy", data.amountGenerated),
    ...naira("vat", data.tax),
    ...naira("arrears", data.debtAmount),
  };
  return {
    ...(tokens.length > 0 ? { tokens } : {}),
    ...(Object.keys(breakdown).length > 0 ? { breakdown } : {}),
    ...(units === undefined ? {} : { units_kwh: units }),
    ...(receipt === undefined ? {} : { receipt_number: receipt }),
    ...(tariff === undefined ? {} : { tariff }),
    ...naira("cost", data.totalAmountPaid),
  };
}

function naira<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  const amount: Kobo | undefined = readVendorNaira(value);
  return amount === undefined || amount < 0n ? {} : ({ [key]: koboToNaira(amount) } as { [K in Key]?: string });
}
