import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRig } from "../../src/testing/http-rig.ts";

const rig = await makeRig();
const headers = { "x-api-key": rig.key, "content-type": "application/json" };
const send = (body: object) =>
  rig.app.inject({ method: "POST", url: "/sms/send", headers, payload: JSON.stringify(body) });
const get = (url: string) => rig.app.inject({ method: "GET", url, headers: { "x-api-key": rig.key } });
const GOOD = { to: "+2348031234567", message: "x" };

for (const [what, metadata] of [
  ["a name of 100,000 characters", { ["k".repeat(100_000)]: "v" }],
  ["a name of 41 characters", { ["k".repeat(41)]: "v" }],
  ["an empty name", { "": "v" }],
  ["a value of 201 characters", { k: "v".repeat(201) }],
  ["11 fields", Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, "v"]))],
] as const) {
  test(`metadata with ${what} is refused: it would be copied into each message of a bulk`, async () => {
    const answer = await send({ ...GOOD, metadata });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().code, "validation_failed");
    assert.equal(answer.json().errors[0].pointer.startsWith("/metadata"), true);
  });
}

test("metadata at its bounds passes", async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`${index}`.padEnd(40, "k"), "v".repeat(200)]),
  );
  assert.equal((await send({ ...GOOD, metadata })).statusCode, 202);
});

for (const url of [
  "/sms/messages?reference=%00",
  "/sms/messages?a%00b=1",
  "/sms/cancel/%00",
  "/%00",
  "/docs/errors/%00",
]) {
  test(`${url} is refused for its U+0000, whoever would read it`, async () => {
    const answer = await get(url);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().code, "invalid_character");
  });
}

for (const url of [
  "/docs/static/../../package.json",
  "/docs/static/%2e%2e/%2e%2e/package.json",
  "/docs/static/..%2f..%2fpackage.json",
]) {
  test(`${url} leads nowhere, and is no error of ours`, async () => {
    const before = rig.lines.filter(({ level }) => level === "error").length;
    const answer = await get(url);
    assert.ok(answer.statusCode === 404 || answer.statusCode === 400, `${answer.statusCode}`);
    assert.equal(rig.lines.filter(({ level }) => level === "error").length, before);
  });
}

test("an hour that does not exist is no time", async () => {
  for (const time of ["24:00:00Z", "23:60:00Z", "23:59:61Z", "12:00:00+24:00", "12:00:00+01:60"]) {
    const answer = await send({ ...GOOD, send_at: `2026-11-28T${time}` });
    assert.equal(answer.statusCode, 400, time);
  }
  assert.equal((await send({ ...GOOD, send_at: "2026-11-28T23:59:59.999-11:30" })).statusCode, 202);
});

test("a day that does not exist is no time", async () => {
  for (const day of ["2026-02-30", "2026-04-31", "2025-02-29", "2026-13-01"]) {
    const answer = await send({ ...GOOD, send_at: `${day}T00:00:00Z` });
    assert.equal(answer.statusCode, 400, day);
  }
  assert.equal((await send({ ...GOOD, send_at: "2028-02-29T00:00:00+01:00" })).statusCode, 202);
});
