import type { Uuid } from "./ids.ts";
import type { Kobo } from "./kobo.ts";

/** What a key may spend in a day in Lagos, whatever it buys. */
export interface SpendCap {
  /** The key under which the spending is counted: keys that took one another's place share one cap. */
  readonly keyId: Uuid;
  readonly limitKobo: Kobo;
}
