import type { Attempt } from "./attempt-match.ts";

/** A whole answer to a call about an attempt. */
export interface Answered extends Attempt {
  readonly call: "vend" | "requery";
  readonly status: number;
  readonly text: string;
}
