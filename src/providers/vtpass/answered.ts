import type { Attempt } from "./products.ts";

/** A whole answer to a call about an attempt. */
export interface Answered extends Attempt {
  readonly call: "pay" | "requery";
  readonly status: number;
  readonly text: string;
  readonly duplicateWaitMs: number;
}
