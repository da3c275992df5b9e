import assert from "node:assert/strict";
import { test } from "node:test";
import { shownPath } from "./shown-path.ts";

const ID = "msg_01kb3v9q4ze1xb8m6t2r5y7w0n";

const SHOWN: Readonly<Record<string, string>> = {
  "/sms/send": "/sms/send",
  [`/sms/status/${ID}`]: `/sms/status/${ID}`,
  "/v1/sms/send": "/v1/sms/send",
  "/sms/suppressions/%2B2348031234567": "/sms/suppressions/*",
  "/test/handsets/+2348031234567/messages": "/test/handsets/*/messages",
  "/test/meters/14200077291": "/test/meters/*",
  "/customers/Ada%20Obi": "/customers/*",
  "/sms/messages?to=%2B2348031234567&limit=10&status=failed": "/sms/messages?to=*&limit=10&status=failed",
  "/sms/messages?from=0803%20123%204567": "/sms/messages?from=*",
  "/usage?from=2026-11-01&to=2026-11-29&by=day": "/usage?from=2026-11-01&to=2026-11-29&by=day",
  "/orders?created_after=2026-11-29T09%3A00%3A00.000Z": "/orders?created_after=2026-11-29T09%3A00%3A00.000Z",
  "/sms/messages?api_key=afara_test_0123456789ABCDEFGHIJabcdefghij29pf72": "/sms/messages?api_key=*",
  "/afara_test_0123456789ABCDEFGHIJabcdefghij29pf72/sms": "/*/sms",
  "/sms/messages?08031234567": "/sms/messages?*",
  "/sms/messages?reference=Ada.Obi": "/sms/messages?reference=*",
  "/sms/messages?pin=4829": "/sms/messages?pin=*",
  "/sms/messages?status=08031234567": "/sms/messages?status=*",
  "/orders?reference=%E0%A4%A": "/orders?reference=*",
};

for (const [url, shown] of Object.entries(SHOWN))
  test(`${url} is shown as ${shown}`, () => assert.equal(shownPath(url), shown));

test("a path of any length is short", () => {
  assert.ok(shownPath(`/${"a/".repeat(8_000)}?${"limit=1&".repeat(2_000)}`).length <= 300);
});
