import type { VendorAnswer } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";

/** Error codes with HTTP status and text. Source: the vendor's documentation; texts are only for people. */
const ERRORS = {
  CUSTOM_IDENTIFIER_ALREADY_USED: [400, "The custom identifier provided is already used by another transaction"],
  COUNTRY_NOT_SUPPORTED: [404, "Country not found and/or not currently supported"],
  COULD_NOT_AUTO_DETECT_OPERATOR: [404, "Could not auto detect operator for the given phone number"],
  INSUFFICIENT_BALANCE: [400, "You do not have sufficient wallet balance to process this topup"],
  INVALID_AMOUNT_FOR_OPERATOR: [400, "Invalid amount provided for the operator"],
  INVALID_CREDENTIALS: [401, "Access Denied"],
  INVALID_INPUT_PROVIDED: [400, "Invalid input provided"],
  INVALID_RECIPIENT_PHONE: [400, "Recipient phone number is not valid"],
  INVALID_TOKEN: [401, "Full authentication is required to access this resource"],
  JSON_SYNTAX_ERROR: [400, "The JSON request body could not be read"],
  OPERATOR_NOT_FOUND: [404, "Operator not found"],
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: [400, "Operator is unavailable or currently inactive"],
  PHONE_RECENTLY_RECHARGED: [400, "The phone was recharged less than 2 minutes ago, try again later"],
  PROVIDER_INTERNAL_ERROR: [500, "Internal error on the provider"],
  TOKEN_EXPIRED: [401, "The token provided has expired, request a new one"],
  TRANSACTION_NOT_FOUND: [404, "Transaction not found"],
  UNEXPECTED_CONDITION: [400, "An unexpected condition was encountered"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

export function failure(world: VendorWorld, path: string, code: ErrorCode): VendorAnswer {
  const [status, message] = ERRORS[code];
  return errorAnswer(world, path, status, code, message);
}

/** With any code, as only a steered simulator says it. */
export const steeredFailure = (world: VendorWorld, path: string, code: string): VendorAnswer =>
  errorAnswer(world, path, 400, code, "This is what the simulator was told to say");

/** The vendor's error body. Its auth host writes the time as a text of milliseconds. */
function errorAnswer(world: VendorWorld, path: string, status: number, code: string, message: string): VendorAnswer {
  const timeStamp = path.startsWith("/oauth") ? String(world.now) : stamp(world.now);
  return { status, body: { timeStamp, message, path, errorCode: code, infoLink: null, details: [] } };
}

/** What its framework says, which knows no codes. */
export const unrouted = (world: VendorWorld, path: string, status: 404 | 406): VendorAnswer => ({
  status,
  body: {
    timeStamp: stamp(world.now),
    status,
    error: status === 404 ? "Not Found" : "Not Acceptable",
    message: "No message available",
    path,
  },
});

const stamp = (ms: number): string => new Date(ms).toISOString().replace("Z", "+0000");
