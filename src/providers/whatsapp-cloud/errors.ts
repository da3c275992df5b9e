import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/duration.ts";
import type { FailureCode } from "../../kernel/failures.ts";

/** What an error code of the Graph API means for a message. */
export type Meaning =
  | { readonly kind: "rejected"; readonly scope: "order"; readonly code: FailureCode }
  /** Our own trouble: the operator hears of it, the subscriber does not. */
  | { readonly kind: "rejected"; readonly scope: "route"; readonly code: FailureCode; readonly alarm: true }
  | {
      readonly kind: "throttled";
      readonly retryAfterMs: number;
      /** It says so of every message of the number, or of the account. */
      readonly of?: "number" | "account";
      /** The operator must mend it; until then messages wait. */
      readonly alarm?: true;
    }
  | { readonly kind: "unknown" };

export interface GraphError {
  /** In few words of our own. */
  readonly says: string;
  readonly meaning: Meaning;
}

const order = (says: string, code: FailureCode): GraphError => ({
  says,
  meaning: { kind: "rejected", scope: "order", code },
});
/** Nothing is wrong with the message: it waits until our trouble with the vendor is mended. */
const closed =
  (of: "number" | "account") =>
  (says: string): GraphError => ({
    says,
    meaning: { kind: "throttled", retryAfterMs: MINUTE_MS, of, alarm: true },
  });
const account = closed("account");
const number = closed("number");
const forbidden = (says: string): GraphError => ({
  says,
  meaning: { kind: "rejected", scope: "route", code: "no_route", alarm: true },
});
const request = (says: string): GraphError => ({
  says,
  meaning: { kind: "rejected", scope: "route", code: "route_misconfigured", alarm: true },
});
const wait = (says: string, retryAfterMs: number, of?: "number" | "account"): GraphError => ({
  says,
  meaning: { kind: "throttled", retryAfterMs, ...(of && { of }) },
});
const unknown = (says: string): GraphError => ({ says, meaning: { kind: "unknown" } });

/**
 * Error codes, in the answer to a message and in a `failed` status alike. The code decides, never the HTTP status, which
 * differs between Meta's own pages, nor a text. What is not here is unknown.
 * Source: Meta, WhatsApp Cloud API, “Error codes”; docs/providers/whatsapp-cloud.md.
 */
export const ERRORS: Readonly<Record<string, GraphError>> = {
  // Our access
  "0": account("the access token is not valid"),
  "3": account("the app lacks the capability"),
  "10": account("a permission is missing"),
  "190": account("the access token has expired"),
  "200-299": account("a permission is missing"),
  "131005": account("access denied"),

  // Our account and its numbers
  "33": number("the number was deleted"),
  "368": account("the account is restricted for a breach of policy"),
  "130497": forbidden("the account may not write to this country"),
  "131030": forbidden("a test number may not write to this recipient"),
  "131031": account("the account is locked"),
  "131037": number("the number's display name is not approved"),
  "131042": account("there is a problem with payment"),
  "131045": number("the number's registration failed"),
  "131063": forbidden("marketing templates are off for the account"),
  "133010": number("the number is not registered"),
  "133016": number("the number was registered too often"),

  // Not now
  "2": wait("the service is down or overloaded", 5 * SECOND_MS, "account"),
  "4": wait("the app's rate of calls is exceeded", MINUTE_MS, "account"),
  "80007": wait("the account's rate is exceeded", MINUTE_MS, "account"),
  "130429": wait("the number's throughput is exceeded", SECOND_MS, "number"),
  "131016": wait("a service is away for a moment", 5 * SECOND_MS, "account"),
  "131048": wait("the number is restricted, as messages were flagged as spam", HOUR_MS, "number"),
  "131056": wait("too many messages to one recipient", 6 * SECOND_MS),
  "131057": wait("the number is in maintenance", MINUTE_MS, "number"),
  "131064": wait("limited, as templates were of a wrong category", HOUR_MS),
  "132069": wait("the flow is throttled", 10 * MINUTE_MS),
  "133004": wait("the registration server is away", 10 * SECOND_MS, "number"),
  "134101": wait("the template is not everywhere yet", MINUTE_MS),

  // The recipient
  "130472": order("the recipient is part of an experiment", "marketing_withheld"),
  "131021": order("sender and recipient are the same", "invalid_number"),
  "131026": order("the recipient is not on the network", "invalid_number"),
  "131036": order("the phone was not reached in time", "absent_subscriber"),
  "131047": order("the recipient last wrote more than 24 hours ago", "chat_window_closed"),
  "131049": order("the recipient gets enough marketing", "marketing_withheld"),
  "131050": order("the recipient stopped this business's marketing", "dnd"),

  // What is sent
  "131009": order("a value is not valid", "content_refused"),
  "131062": order("the message can't go to an id of a user", "invalid_number"),
  "131051": order("the type of message is not supported", "content_refused"),
  "131053": order("the media can't be had, or is of a wrong kind", "media_refused"),
  "132000": order("the template has another number of variables", "template_variables_mismatch"),
  "132001": order("no such template in this language, or not approved", "template_not_found"),
  "132005": order("too long once the variables are filled in", "content_refused"),
  "132007": order("the content breaks a policy", "content_refused"),
  "132012": order("a variable has a wrong format", "template_variables_mismatch"),
  "132015": order("the template is paused", "template_paused"),
  "132016": order("the template is disabled", "template_paused"),
  "132018": order("something is wrong with the variables", "template_variables_mismatch"),
  "132068": order("the flow is blocked", "content_refused"),

  // Our request
  "100": request("a parameter is unknown or malformed"),
  "131008": request("a parameter is missing"),
  "131055": request("only marketing templates are taken here"),
  "134100": request("only marketing templates are taken here"),
  "135000": request("the parameters are not right"),

  // It may have been taken
  "1": unknown("invalid request or server error"),
  "131000": unknown("an unknown failure"),
};

/** Undefined: not listed. */
export function errorOf(code: string): GraphError | undefined {
  if (Object.hasOwn(ERRORS, code)) return ERRORS[code];
  return /^2\d\d$/.test(code) ? ERRORS["200-299"] : undefined;
}

/** Of our own troubles a subscriber hears no more than this. */
export const NEUTRAL = "The vendor could not take it.";
