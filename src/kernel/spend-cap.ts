import type { Uuid } from "./ids.ts";
import type { Kobo } from "./kobo.ts";

/** A key's spend cap per Lagos day, over all services. */
export interface SpendCap {
  /** The key whose spending is counted: a key and its replacements share one cap. */
  readonly keyId: Uuid;
  readonly limitKobo: Kobo;
}
