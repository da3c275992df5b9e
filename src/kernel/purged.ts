import type { Msisdn } from "./msisdn.ts";

/**
 * What stands in the place of a phone number that was purged: of the form of a Nigerian mobile number, so that whoever reads one can
 * read it, and no network has such numbers.
 */
export const PURGED_PHONE = "2340000000000" as Msisdn;

/** The same for numbers of things, such as meters. */
export const PURGED_NUMBER = "00000000000";

/** Kinds of personal data in an order, each kept for a time of its own. `numbers` takes all that the others have left. */
export const PERSONAL_KINDS = ["texts", "tokens", "numbers"] as const;
export type PersonalKind = (typeof PERSONAL_KINDS)[number];
