import { envelope, refused } from "./views.ts";
import type { Reply } from "./world.ts";

/** A call to the vendor's API. */
export interface VendorCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
}

export const ok = (message: string, data: unknown): Reply => ({ status: 200, body: envelope(message, data) });
export const no = (status: number, message: string, code: string): Reply => ({ status, body: refused(message, code) });
