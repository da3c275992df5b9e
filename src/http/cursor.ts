import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { KeyRecord } from "../accounts/key-record.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { callerOf } from "./authenticate.ts";

/** The request for a page, as a cursor needs it. */
export interface PageRequest {
  readonly caller: KeyRecord | null;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly server: { readonly edge: { readonly cursorKey: Buffer } };
}

/** A list's filters, without paging: a cursor is valid for the same filters only. */
export type Filters = Readonly<Record<string, unknown>>;

const UUID_BYTES = 16;
const SIGNATURE_BYTES = 12;

/** The key that signs cursors, derived for this purpose and equal on all nodes. */
export const cursorKeyOf = (secret: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", "list cursors", 32));

/**
 * An opaque position in a list: the ID of the last item seen, signed with the list, the account, the mode and the
 * filters; base64url.
 */
export function encodeCursor(request: PageRequest, last: Uuid, filters: Filters): string {
  const id = Buffer.from(last.replaceAll("-", ""), "hex");
  return Buffer.concat([id, signatureOf(request, id, filters)]).toString("base64url");
}

/** The ID after which to continue. Errors: `invalid_cursor` for a cursor not issued by this list for these filters. */
export function decodeCursor(request: PageRequest, cursor: string, filters: Filters): Result<Uuid, Refusal> {
  const bytes = Buffer.from(cursor, "base64url");
  const id = bytes.subarray(0, UUID_BYTES);
  const isOurs =
    bytes.length === UUID_BYTES + SIGNATURE_BYTES &&
    bytes.toString("base64url") === cursor &&
    timingSafeEqual(bytes.subarray(UUID_BYTES), signatureOf(request, id, filters));
  if (!isOurs) return refuse(NOT_OURS);
  return ok(id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as Uuid);
}

const NOT_OURS = refusal(
  "invalid_cursor",
  "`after` is not a `next_cursor` of this list with these filters. Pass it on exactly as it came, or begin again without `after`.",
);

function signatureOf(request: PageRequest, id: Buffer, filters: Filters): Buffer {
  const { accountId, mode } = callerOf(request);
  const list = { url: request.routeOptions.url, accountId, mode, filters };
  return createHmac("sha256", request.server.edge.cursorKey)
    .update(id)
    .update(canonicalJson(list))
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
