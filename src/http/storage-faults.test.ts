import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerLost, DatabaseAway } from "../db/database.ts";
import { makeRig } from "../testing/http-rig.ts";

/** A server whose routes and key look-up end in the error, one by one. */
async function makeAway(error: Error) {
  const rig = await makeRig({ limit: 10 });
  const fail = async () => {
    throw error;
  };
  const auth = { scope: "send", policy: "sms-send" } as const;
  rig.app.get("/away", { config: { auth } }, fail);
  rig.app.post("/away", { config: { auth } }, fail);
  rig.app.get("/away/public", { config: { auth: "public" } }, fail);
  return rig;
}

for (const [what, error] of [
  ["can't be reached", new DatabaseAway("connect ECONNREFUSED /run/postgresql")],
  ["went away before it answered", new AnswerLost("Connection terminated unexpectedly")],
] as const) {
  for (const [method, url] of [
    ["GET", "/away"],
    ["POST", "/away"],
    ["GET", "/away/public"],
  ] as const) {
    test(`when storage ${what}, ${method} ${url} is 503 with one warning, and tells nothing of the inside`, async () => {
      const { app, key, lines } = await makeAway(error);
      const answer = await app.inject({ method, url, headers: { "x-api-key": key } });
      assert.equal(answer.statusCode, 503);
      assert.equal(answer.headers["retry-after"], "1");
      assert.partialDeepStrictEqual(answer.json(), { code: "database_unavailable", retryable: true });
      assert.ok(!answer.body.includes(error.message));
      assert.deepEqual(
        lines.map(({ level, fields }) => [level, "internal" in fields && fields.internal]),
        [["warn", error.message]],
      );
      if (url === "/away") assert.equal(answer.headers["x-ratelimit-remaining"], "10", "it costs the caller nothing");
    });
  }
}

test("a change whose answer was lost is never told as not made", async () => {
  const { app, key } = await makeAway(new AnswerLost("x"));
  const answer = await app.inject({ method: "POST", url: "/away", headers: { "x-api-key": key } });
  assert.match(answer.json().detail, /may have been made/);
});

test("a key look-up that fails by a mistake of ours is 500, as storage is not to blame", async () => {
  const lookup = { find: () => Promise.reject(new TypeError("a mistake")) };
  const keys = { lookup, hash: () => Buffer.alloc(32), used: () => undefined };
  const { app, key, lines } = await makeRig({ options: { keys } });
  const answer = await app.inject({ url: "/limits", headers: { "x-api-key": key } });
  assert.equal(answer.json().code, "internal_error");
  assert.deepEqual(
    lines.map(({ level }) => level),
    ["error"],
  );
});
