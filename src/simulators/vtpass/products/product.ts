import type { Product } from "../../vendors/products.ts";
import type { Vend } from "../../vendors/store.repo.ts";
import type { VendorAnswer } from "../../vendors/vendor.ts";
import type { Chosen, VendorWorld } from "../../vendors/world.ts";
import type { Service } from "../catalogue.ts";
import type { Code } from "../codes.ts";

/** How the services of one category are sold, beside what all have in common (`pay.ts`, `answers.ts`). */
export interface SoldProduct {
  readonly product: Product;
  /** Reads what is asked for, or says which code refuses it. */
  read(asked: Asked): Wanted | Code;
  /** The least and the most that is sold, or the code that refuses it; without, the service's own. */
  limits?(wanted: Wanted, chosen: Chosen, world: VendorWorld, service: Service): Limits | Code;
  /** The vendor's own notes on a vend, beside those on every one. */
  notes?(wanted: Wanted, chosen: Chosen, world: VendorWorld, service: Service): Vend["details"];
  /** Gives what is given beside the amount, such as tokens, from the stage on that delivers it. */
  give?(vend: Vend, chosen: Chosen, world: VendorWorld): void;
  /** Members at the top of an answer about a delivered vend. */
  block?(vend: Vend, world: VendorWorld, odd: boolean): Readonly<Record<string, unknown>>;
  /** `merchant-verify`: whose it is. */
  verify?(billersCode: string, asked: Pick<Asked, "service" | "body">, world: VendorWorld): VendorAnswer;
}

/** A call of `pay`, as far as it is alike for all. */
export interface Asked {
  readonly service: Service;
  readonly body: Readonly<Record<string, unknown>>;
  /** The digits of `phone`, as they are written. */
  readonly phone: string | undefined;
  readonly world: VendorWorld;
}

/** What was asked for, read and checked. */
export interface Wanted {
  /** A phone with 234, or the number of a meter or the like. */
  readonly recipient: string;
  readonly phone: string;
  readonly variation: string | null;
  readonly amountKobo: bigint;
}

export interface Limits {
  readonly minimumKobo: bigint;
  readonly maximumKobo: bigint;
}

/** Numbers are written as texts and as numbers; a phone that was one has lost its 0. */
export function digitsIn(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value))
    return /^[789]\d{9}$/.test(String(value)) ? `0${value}` : String(value);
  return typeof value === "string" ? value.trim() : undefined;
}

export function amountOf(amount: unknown): bigint | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(amount));
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")) : undefined;
}

export const isPhone = (digits: string | undefined): digits is string =>
  digits !== undefined && /^(?:0|234)\d{10}$/.test(digits);

/** A phone or an account with the biller. */
export const isBillersCode = (digits: string | undefined): digits is string =>
  digits !== undefined && /^\d{10,13}$/.test(digits);

export const international = (phone: string): string => phone.replace(/^0/, "234");
