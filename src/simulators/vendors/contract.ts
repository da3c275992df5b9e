import type { Product } from "./products.ts";
import type { ScenarioName } from "./scenarios.ts";

/** What a vendor sells here, and where it departs from the others: the contract tests (test/contract) read it. */
export interface Contract {
  /** Settings under which an adapter reaches this simulator as it is at first, with short waits. `baseUrl` is added. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly products: readonly Product[];
  /** Of each product that it sells by plans: the vendor's code of one at 500 naira. */
  readonly planCodes?: Partial<Record<Product, string>>;
  /** The path of the call that vends. */
  readonly vendPath: RegExp;
  /** Where a scenario ends otherwise than in the common matrix, for one product or for all. */
  readonly ends?: Partial<Record<ScenarioName | `${ScenarioName} ${Product}`, End | Gap>>;
}

/** How an order ends. */
export interface End {
  /** The order's state when nothing is left to happen. */
  readonly state: "successful" | "failed" | "reversed" | "processing" | "token_pending";
  /** Code of the failure, when it failed. */
  readonly failure?: string;
  /** References under which the vendor was called; default one. */
  readonly attempts?: number;
  /** Kinds of the tokens, in the order in which they are typed in. */
  readonly tokens?: readonly string[];
  /** The vendor reported it delivered before it had the token. */
  readonly tokenLate?: true;
  /** The vendor's books, where they differ from what the order's state says. */
  readonly vendor?: "delivered" | "delivered twice" | "reversed" | "nothing";
  /** The vendor acknowledged it and does not find it: held until it does, or a person knows. */
  readonly denied?: true;
  /** It was delivered after the money had gone back: our loss is booked. */
  readonly loss?: true;
  /** The order itself is refused, so no other vendor is asked. */
  readonly final?: true;
}

/** A scenario that is not run, and why. */
export interface Gap {
  readonly gap: string;
}

export const SUCCESSFUL: End = { state: "successful" };
/** Held until the vendor finds it, or a person knows. */
export const DENIED: End = { state: "processing", denied: true };
export const failed = (failure: string, more: Partial<End> = {}): End => ({ state: "failed", failure, ...more });
export const gap = (why: string): Gap => ({ gap: why });
