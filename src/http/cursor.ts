import { hash } from "node:crypto";
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";

/** What a list was asked for, paging apart: a cursor is good for the same filters only. */
export type Filters = Readonly<Record<string, unknown>>;

const UUID_BYTES = 16;
const FILTER_BYTES = 6; // enough to tell a mistake; it protects nothing, as a list shows only the caller's own account

/** An opaque place in a list: the id of the last item seen and a hash of the list's filters, base64url. */
export function encodeCursor(last: Uuid, filters: Filters): string {
  return Buffer.concat([Buffer.from(last.replaceAll("-", ""), "hex"), filterHash(filters)]).toString("base64url");
}

/** The id to go on after. Errors: `invalid_cursor` for one that is damaged or from a list with other filters. */
export function decodeCursor(cursor: string, filters: Filters): Result<Uuid, Refusal> {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length !== UUID_BYTES + FILTER_BYTES || bytes.toString("base64url") !== cursor) {
    return refuse(refusal("invalid_cursor", "This is no `next_cursor` of ours. Begin again without `after`."));
  }
  if (!bytes.subarray(UUID_BYTES).equals(filterHash(filters))) {
    return refuse(
      refusal("invalid_cursor", "This cursor is of a list with other filters. Keep the filters, or begin again."),
    );
  }
  const hex = bytes.toString("hex", 0, UUID_BYTES);
  return ok(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as Uuid);
}

const filterHash = (filters: Filters): Buffer =>
  hash("sha256", canonicalJson(filters), "buffer").subarray(0, FILTER_BYTES);
