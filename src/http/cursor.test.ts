import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { KeyRecord } from "../accounts/key-record.ts";
import { newUuid } from "../kernel/ids.ts";
import { cursorKeyOf, decodeCursor, encodeCursor, type PageRequest } from "./cursor.ts";

function request({ url = "/sms/messages", accountId = "acc_1", mode = "test", secret = "a secret" } = {}): PageRequest {
  return {
    caller: { accountId, mode } as KeyRecord,
    routeOptions: { url },
    server: { edge: { cursorKey: cursorKeyOf(secret) } },
  };
}

function assertRefused(cursor: string, ask: PageRequest, filters: object = {}): void {
  const result = decodeCursor(ask, cursor, { ...filters });
  assert.ok(!result.ok, cursor);
  assert.equal(result.error.code, "invalid_cursor");
}

test("a cursor leads back to its item, on any node, with the same filters in any order", () => {
  const id = newUuid();
  const cursor = encodeCursor(request(), id, { status: "sent", to: "1" });
  assert.match(cursor, /^[\w-]+$/);
  assert.deepEqual(decodeCursor(request(), cursor, { to: "1", status: "sent" }), { ok: true, value: id });
});

test("a cursor of a list with other filters is refused", () => {
  const cursor = encodeCursor(request(), newUuid(), { status: "sent" });
  assertRefused(cursor, request(), { status: "failed" });
  assertRefused(cursor, request());
});

test("a cursor of another list, account, mode or gateway is refused", () => {
  const cursor = encodeCursor(request(), newUuid(), {});
  for (const other of [{ url: "/chat/messages" }, { accountId: "acc_2" }, { mode: "live" }, { secret: "another" }])
    assertRefused(cursor, request(other));
});

test("a cursor with any one character changed, added or left out is refused", () => {
  const cursor = encodeCursor(request(), newUuid(), {});
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = cursor[at] === "A" ? "B" : "A";
    assertRefused(cursor.slice(0, at) + changed + cursor.slice(at + 1), request());
    assertRefused(cursor.slice(0, at) + cursor.slice(at + 1), request());
    assertRefused(cursor.slice(0, at) + changed + cursor.slice(at), request());
  }
});

test("no text that we did not make is taken for a cursor", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary" })), (text) =>
      assertRefused(text, request()),
    ),
  );
});
