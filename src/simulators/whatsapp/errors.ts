import { randomBytes } from "node:crypto";
import type { VendorAnswer } from "../vendors/vendor.ts";

/** Codes with HTTP status and title. Source: Meta, “Error codes”; titles are only for people. */
const ERRORS: Readonly<Record<number, readonly [status: number, title: string]>> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  3: [500, "API Method"],
  4: [429, "API Too Many Calls"],
  10: [403, "Permission Denied"],
  33: [400, "Parameter value is not valid"],
  100: [400, "Invalid parameter"],
  190: [401, "Access token has expired"],
  368: [403, "Temporarily blocked for policies violations"],
  80007: [429, "Rate limit issues"],
  130429: [429, "Rate limit hit"],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, "Business account is restricted from messaging users in this country"],
  131000: [500, "Something went wrong"],
  131005: [403, "Access denied"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131016: [503, "Service unavailable"],
  131021: [400, "Recipient cannot be sender"],
  131026: [400, "Message undeliverable"],
  131030: [400, "Recipient phone number not in allowed list"],
  131031: [403, "Account has been locked"],
  131036: [400, "Message undeliverable: the phone was not reached in time"],
  131037: [400, "Display name approval needed"],
  131042: [400, "Business eligibility payment issue"],
  131045: [500, "Incorrect certificate"],
  131047: [400, "Re-engagement message"],
  131048: [429, "Spam rate limit hit"],
  131049: [400, "This message was not delivered to maintain healthy ecosystem engagement"],
  131050: [400, "User has stopped marketing messages"],
  131062: [400, "Business-scoped user id recipients are not supported for this message"],
  131051: [400, "Unsupported message type"],
  131053: [400, "Media upload error"],
  131056: [429, "Pair rate limit hit"],
  131057: [500, "Account in maintenance mode"],
  132000: [400, "Template param count mismatch"],
  132001: [404, "Template does not exist"],
  132005: [400, "Template hydrated text too long"],
  132007: [400, "Template format character policy violated"],
  132012: [400, "Template parameter format mismatch"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  132018: [400, "Template parameters issue"],
  133004: [503, "Server temporarily unavailable"],
  133010: [400, "Phone number not registered"],
};

/** A code that is not listed is said all the same, as a steered simulator must. */
const listed = (code: number): readonly [number, string] => ERRORS[code] ?? [400, "This is what it was told to say"];

/** The error body of the Graph API. */
export function failure(code: number, details = listed(code)[1]): VendorAnswer {
  const [status, title] = listed(code);
  return {
    status,
    body: {
      error: {
        message: `(#${code}) ${title}`,
        type: "OAuthException",
        code,
        error_data: { messaging_product: "whatsapp", details },
        fbtrace_id: `A${randomBytes(9).toString("base64url")}`,
      },
    },
  };
}

/** The same in a `failed` status. */
export function errorInStatus(code: number): object {
  const [, title] = listed(code);
  return {
    code,
    title,
    message: title,
    error_data: { details: title },
    href: "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes/",
  };
}
