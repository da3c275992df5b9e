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
  "/events?types=order.completed,order.failed&type=sms": "/events?types=order.completed,order.failed&type=sms",
  "/airtime/plans?network=mtn&product=mtn-1gb-30d": "/airtime/plans?network=mtn&product=mtn-1gb-30d",
  "/portal/api/requests?status=4xx&by=programs": "/portal/api/requests?status=4xx&by=programs",
};

for (const [url, shown] of Object.entries(SHOWN))
  test(`${url} is shown as ${shown}`, () => assert.equal(shownPath(url), shown));

/** A secret in the place of a word of ours, as a program with its variables mixed up sends it. */
const KEY = "afara_test_0123456789ABCDEFGHIJabcdefghij29pf72";
for (const name of ["status", "type", "types", "mode", "service", "product", "limit", "by", "method"]) {
  for (const secret of [
    KEY,
    `x${KEY}`,
    KEY.toLowerCase(),
    KEY.replace("_", "%5f"),
    KEY.replaceAll("_", "%5F"),
    `failed,${KEY}`,
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_abcdefgh",
    "1234-5678-9012-3456-7890",
    "1234.5678.9012.3456",
    "0803-123-4567",
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "deadbeef0123456789abcdef",
  ])
    test(`${name}=${secret} is masked`, () =>
      assert.equal(shownPath(`/orders?${name}=${secret}`), `/orders?${name}=*`));
}

test("a path of any length is short", () => {
  assert.ok(shownPath(`/${"a/".repeat(8_000)}?${"limit=1&".repeat(2_000)}`).length <= 300);
});
