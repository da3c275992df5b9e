import type { FailureCode } from "../../kernel/failures.ts";
import { type Fields, fieldsOf, textOf } from "../../vendor-text/fields.ts";

/** What an answer means for an attempt. */
export type Meaning =
  /** Vended; for a prepaid meter its token may still be missing. */
  | { readonly kind: "delivered" }
  | { readonly kind: "pending" }
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      readonly alarm?: string;
    }
  | { readonly kind: "not_found" }
  /** `isKnown`: whatever became of it, the vendor has it. */
  | { readonly kind: "unknown"; readonly isKnown?: true };

export interface Status {
  readonly says: string;
  /** As the answer to `POST /vend`, and as the answer to `GET /transaction/{orderId}`. */
  readonly vend: Meaning;
  readonly requery: Meaning;
}

const UNKNOWN: Meaning = { kind: "unknown" };
const KNOWN: Meaning = { kind: "unknown", isKnown: true };
const PENDING: Meaning = { kind: "pending" };
const DELIVERED: Meaning = { kind: "delivered" };
const FAILED: Meaning = { kind: "rejected", scope: "route", code: "vendor_failed" };
const NOT_FOUND: Meaning = { kind: "not_found" };
const MIGRATED: Meaning = { kind: "rejected", scope: "order", code: "vendor_failed" };
const alarm = (alarm: string): Meaning => ({ kind: "rejected", scope: "route", code: "no_route", alarm });
const FLOAT_LOW = alarm("BuyPower: our wallet there is too low for a purchase");

const both = (says: string, meaning: Meaning): Status => ({ says, vend: meaning, requery: meaning });
/** On requery this would be about the question, not about the purchase: it proves nothing. */
const onVend = (says: string, vend: Meaning): Status => ({ says, vend, requery: UNKNOWN });
const onRequery = (says: string, requery: Meaning): Status => ({ says, vend: UNKNOWN, requery });

/**
 * HTTP status and `responseCode` together, as one code means several things: 202 is “in progress” under HTTP 202, “failed” under
 * HTTP 400 and “wallet too low” under HTTP 422. Without a code: any, or none. Matched by these, never by text. What is not listed
 * is unknown.
 * Source: the vendor's published collection and samples of its answers; docs/providers/buypower.md.
 */
export const STATUSES: Readonly<Record<string, Status>> = {
  "200/100": both("vended", DELIVERED),
  "200/200": both("vended", DELIVERED),
  "200/201": { says: "still processing", vend: KNOWN, requery: PENDING },
  "200/202": onRequery("failed", FAILED),
  "202/202": both("in progress, with the seconds between requeries", PENDING),
  "400/201": onRequery("still processing", PENDING),
  "400/202": onRequery("failed", FAILED),
  "400/203": both("not initiated", UNKNOWN),
  "400/400": both("request not valid", UNKNOWN),
  "401": onVend("unauthorized", alarm("BuyPower answers 401: is the token right?")),
  "403": onVend("forbidden", alarm("BuyPower answers 403: may our account and IP address sell this?")),
  "404/20": onRequery("no transaction with this orderId", NOT_FOUND),
  "409/201": both("orderId already received", KNOWN),
  "422/202": both("wallet balance insufficient", FLOAT_LOW),
  "500/500": both("unexpected error, requery", UNKNOWN),
  "501/501": both("the meter's account is moving to another system", MIGRATED),
  "502/503": both("unexpected error, requery", UNKNOWN),
  "503/502": both("unexpected error, requery", UNKNOWN),
};

/** The `responseCode` of an envelope, or in its data. */
export const codeOf = (envelope: Fields): string | undefined =>
  textOf(envelope, ["responseCode"]) ?? textOf(fieldsOf(envelope.data), ["responseCode"]);

/** Why the vendor does not let us in, by an answer to a call that buys nothing; undefined when it says nothing of the kind. */
export function refusalOfAccess(httpStatus: number): string | undefined {
  const status = httpStatus === 401 || httpStatus === 403 ? STATUSES[httpStatus]?.vend : undefined;
  return status?.kind === "rejected" ? status.alarm : undefined;
}
