import { decodeId, encodeId, type Uuid } from "../../kernel/ids.ts";

/** Our `customIdentifier` of an attempt: unique for ever, and an operator finds the purchase by it in the vendor's dashboard. */
export const makeReference = ({ orderId, attempt }: { readonly orderId: Uuid; readonly attempt: number }): string =>
  `${encodeId("pur", orderId)}-${attempt}`;

/** Whether a webhook may name this: all else is not ours. */
export const isReference = (text: unknown): text is string =>
  typeof text === "string" && /-\d{1,9}$/.test(text) && decodeId("pur", text.replace(/-\d+$/, "")) !== undefined;
