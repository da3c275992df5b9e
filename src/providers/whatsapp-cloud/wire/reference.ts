import { createHmac } from "node:crypto";
import type { Uuid } from "../../../kernel/ids.ts";

const MAC_BYTES = 16;

/**
 * What `biz_opaque_callback_data` carries: order, attempt, and a code that nobody can make without the app secret, so that no
 * stranger who writes through the same number can name an order of ours. 61 characters and more of the 512 that Meta takes.
 */
export function makeReference(
  appSecret: string,
  { orderId, attempt }: { readonly orderId: Uuid; readonly attempt: number },
): string {
  const named = `${orderId}.${attempt}`;
  const mac = createHmac("sha256", appSecret).update(named).digest().subarray(0, MAC_BYTES);
  return `${named}.${mac.toString("base64url")}`;
}

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.[\w-]{22}$/;

/** Whether a status may name this: all else is somebody else's. */
export const isReference = (value: unknown): value is string => typeof value === "string" && FORM.test(value);

/** Undefined when it is no reference of ours. */
export const orderIn = (reference: string): string | undefined => FORM.exec(reference)?.[1];
