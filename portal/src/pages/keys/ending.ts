import type { Key } from "../../api/keys.ts";

/** How a key is to end. */
export interface Ending {
  readonly key: Key;
  readonly how: "roll" | "revoke";
}
