import { json, type VendorAnswer } from "../vendors/vendor.ts";

/** Response codes and their texts. Source: the vendor's page response-codes; texts are only for people. */
export const DESCRIPTIONS = {
  "000": "TRANSACTION SUCCESSFUL",
  "001": "TRANSACTION QUERY",
  "010": "VARIATION CODE DOES NOT EXIST",
  "011": "INVALID ARGUMENTS",
  "012": "PRODUCT DOES NOT EXIST",
  "013": "BELOW MINIMUM AMOUNT ALLOWED",
  "014": "REQUEST ID ALREADY EXIST",
  "015": "INVALID REQUEST ID",
  "016": "TRANSACTION FAILED",
  "017": "ABOVE MAXIMUM AMOUNT ALLOWED",
  "018": "LOW WALLET BALANCE",
  "019": "LIKELY DUPLICATE TRANSACTION",
  "020": "BILLER CONFIRMED",
  "021": "ACCOUNT LOCKED",
  "022": "ACCOUNT SUSPENDED",
  "023": "API ACCESS NOT ENABLED FOR USER",
  "024": "ACCOUNT INACTIVE",
  "027": "IP NOT WHITELISTED",
  "028": "PRODUCT IS NOT WHITELISTED ON YOUR ACCOUNT",
  "030": "BILLER NOT REACHABLE AT THIS POINT",
  "031": "BELOW MINIMUM QUANTITY ALLOWED",
  "032": "ABOVE MAXIMUM QUANTITY ALLOWED",
  "034": "SERVICE SUSPENDED",
  "035": "SERVICE INACTIVE",
  "040": "TRANSACTION REVERSAL TO WALLET",
  "083": "SYSTEM ERROR",
  "085": "IMPROPER REQUEST ID: DOES NOT CONTAIN DATE",
  "086": "IMPROPER REQUEST ID: NOT PROPER DATE FORMAT",
  "087": "INVALID CREDENTIALS",
  "089": "REQUEST IS PROCESSING, PLEASE WAIT BEFORE MAKING ANOTHER REQUEST",
  "091": "TRANSACTION NOT PROCESSED",
  "099": "TRANSACTION IS PROCESSING",
} as const;

export type Code = keyof typeof DESCRIPTIONS;

export const isCode = (text: unknown): text is Code => typeof text === "string" && Object.hasOwn(DESCRIPTIONS, text);

/** A refusal, or a word without a transaction. Business errors come with HTTP 200. */
export const failure = (code: Code, description: string = DESCRIPTIONS[code]): VendorAnswer =>
  json({ code, response_description: description, content: { errors: description } });
