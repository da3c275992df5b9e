import type { FailureCode } from "../../kernel/failures.ts";

/** What a response code means for an attempt. */
export type Meaning =
  /** It is the transaction's own status that counts. */
  | { readonly kind: "by_status" }
  | { readonly kind: "pending" }
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      readonly alarm?: string;
    }
  /** The vendor tried and failed; its text may say why. */
  | { readonly kind: "failed" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "not_found" }
  | { readonly kind: "reversed" }
  /** `isKnown`: whatever became of it, the vendor has it. */
  | { readonly kind: "unknown"; readonly isKnown?: true };

export interface Status {
  readonly says: string;
  /** As the answer to `pay`, and as the answer to `requery`. */
  readonly pay: Meaning;
  readonly requery: Meaning;
}

const UNKNOWN: Meaning = { kind: "unknown" };
const KNOWN: Meaning = { kind: "unknown", isKnown: true };
const FAILED: Meaning = { kind: "failed" };
const PENDING: Meaning = { kind: "pending" };
const BY_STATUS: Meaning = { kind: "by_status" };

const both = (says: string, meaning: Meaning): Status => ({ says, pay: meaning, requery: meaning });
/** On requery these would be about the question, not about the purchase: they prove nothing. */
const onPay = (says: string, pay: Meaning): Status => ({ says, pay, requery: UNKNOWN });
const onRequery = (says: string, requery: Meaning): Status => ({ says, pay: UNKNOWN, requery });

const order = (code: FailureCode): Meaning => ({ kind: "rejected", scope: "order", code });
const route = (alarm?: string): Meaning => ({
  kind: "rejected",
  scope: "route",
  code: "no_route",
  ...(alarm === undefined ? {} : { alarm }),
});
const account = (says: string): Status => onPay(says, route(`VTpass refuses our account: ${says}`));
const ourRequestId = (says: string): Status =>
  onPay(says, route(`VTpass refuses our request_id: ${says}. Is the clock of this machine right?`));

/**
 * Response codes by place. Matched by code, never by text. The vendor says itself that what is not listed, a timeout and a
 * missing answer are pending; and that the codes of verifications (011, 012, 020, 030) on a purchase are failures, which is
 * asked for once more here before it is believed.
 * Source: the vendor's documentation, response codes; docs/providers/vtpass.md.
 */
export const STATUSES: Readonly<Record<string, Status>> = {
  "000": both("processed", BY_STATUS),
  "001": both("transaction query", BY_STATUS),
  "010": onPay("variation code does not exist", order("plan_not_found")),
  "011": onPay("invalid arguments", UNKNOWN),
  "012": onPay("product does not exist", UNKNOWN),
  "013": onPay("below minimum", order("amount_out_of_bounds")),
  "014": both("request id already used", KNOWN),
  "015": onRequery("request id unknown", { kind: "not_found" }),
  "016": both("transaction failed", FAILED),
  "017": onPay("above maximum", order("amount_out_of_bounds")),
  "018": onPay("wallet too low", route("VTpass: our float is too low for a purchase (018)")),
  "019": onPay("likely duplicate", { kind: "duplicate" }),
  "020": onPay("biller confirmed", UNKNOWN),
  "021": account("account locked"),
  "022": account("account suspended"),
  "023": account("API access is off"),
  "024": account("account inactive"),
  "027": account("our IP address is not allowed"),
  "028": account("product is not enabled"),
  "030": onPay("biller unreachable", UNKNOWN),
  "031": onPay("below minimum quantity", order("amount_out_of_bounds")),
  "032": onPay("above maximum quantity", order("amount_out_of_bounds")),
  "034": onPay("service suspended", route()),
  "035": onPay("service inactive", route()),
  "040": { says: "reversed to wallet", pay: KNOWN, requery: { kind: "reversed" } },
  "044": both("resolved; contact support", KNOWN),
  "083": both("system error", UNKNOWN),
  "085": ourRequestId("it has no date"),
  "086": ourRequestId("its date is not right"),
  "087": account("credentials are not valid"),
  "089": both("still processing", PENDING),
  "091": both("not processed, not charged", FAILED),
  "099": both("processing", PENDING),
};

/** `content.transactions.status` under 000 and 001. What is not here (`resolved` of old pages) is unknown. */
export const INNER_STATUSES: Readonly<Record<string, "delivered" | Meaning>> = {
  initiated: PENDING,
  pending: PENDING,
  delivered: "delivered",
  failed: FAILED,
  // On pay too it is asked for once more: it can follow `delivered`.
  reversed: { kind: "reversed" },
};

/** HTTP statuses of a proxy in front of the vendor, without a vendor's code: the request did not reach the vendor. */
export const HTTP_STATUSES: Readonly<Record<number, Meaning>> = {
  401: route("VTpass answers 401: are the keys right?"),
  403: route("VTpass answers 403: is our IP address allowed?"),
};

/** Why the vendor failed, where its text says so. Picks the reason only: that it failed is the code's word. */
export const REASONS: readonly (readonly [text: RegExp, code: FailureCode])[] = [
  [/not on this network|wrong network|another network|ported/i, "wrong_network"],
  [/invalid (?:phone|mobile|recipient)|(?:phone|mobile)(?: number)? is (?:not valid|invalid)/i, "invalid_number"],
];

/** Codes of any call, by which the vendor shuts us out. */
const SHUT_OUT: ReadonlySet<string> = new Set(["021", "022", "023", "024", "027", "087"]);

/** Why the vendor does not let us in, by an answer to a call that buys nothing; undefined when it says nothing of the kind. */
export function refusalOfAccess(httpStatus: number, code: string | undefined): string | undefined {
  const status = code !== undefined && SHUT_OUT.has(code) ? STATUSES[code]?.pay : HTTP_STATUSES[httpStatus];
  return status?.kind === "rejected" ? status.alarm : undefined;
}
