import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import Type from "typebox";
import { refusal } from "../kernel/refusal.ts";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { LARGE_WORK_LIMITS } from "./large-work.ts";
import { BULK_BODY_LIMIT_BYTES } from "./server.ts";

/** A route with large bodies whose answers the test lets out one by one. */
async function rig(context: TestContext, { waitingEach = 300, waitMs = 60_000 } = {}) {
  const limits = { ...LARGE_WORK_LIMITS, work: { ...LARGE_WORK_LIMITS.work, waitingEach, waitMs } };
  const { app, key, ...rest } = await makeRig({ options: { largeWork: limits } });
  const inside: (() => void)[] = [];
  const seen: unknown[] = [];
  app.post(
    "/large",
    {
      bodyLimit: BULK_BODY_LIMIT_BYTES,
      config: {
        auth: { scope: "send", policy: "sms-send" },
        large: {
          look: async (_request, bytes) =>
            bytes.includes("too many") ? refusal("rate_limited", "Too many.", { retryAfterSeconds: 7 }) : undefined,
          itemTexts: (pointer) => pointer === "/item",
        },
      },
      schema: { hide: true, body: Type.Unsafe<unknown>({}) },
    },
    async (request) => {
      seen.push(request.body);
      await new Promise<void>((resolve) => inside.push(resolve));
      return { done: true };
    },
  );
  context.after(() => app.close());
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const post = (payload: string) => app.inject({ method: "POST", url: "/large", headers, payload });
  return { ...rest, app, key, inside, seen, post };
}

test("an account's large requests are worked on one after another, and its small ones do not wait for them", async (context) => {
  const { app, key, inside, seen, post } = await rig(context);
  const answers = [post("[1]"), post("[2]"), post("[3]")];
  for (let count = 1; count <= answers.length; count += 1) {
    await waitFor("the next one's turn", () => seen.length === count);
    assert.equal(inside.length, 1, "one at a time");
    const small = await app.inject({
      method: "POST",
      url: "/sms/send",
      headers: { "x-api-key": key, "content-type": "application/json" },
      payload: JSON.stringify({ to: "+2348031234567", message: "x" }),
    });
    assert.equal(small.statusCode, 202);
    inside.shift()!();
  }
  for (const answer of answers) assert.equal((await answer).statusCode, 200);
});

test("more than may wait, and what waits too long, is 503 overloaded with the time to come back", async (context) => {
  const { inside, seen, post } = await rig(context, { waitingEach: 1, waitMs: 30 });
  const first = post("[1]");
  await waitFor("the first one's turn", () => seen.length === 1);
  for (const answer of await Promise.all([post("[2]"), post("[3]")])) {
    assert.deepEqual([answer.statusCode, answer.json().code], [503, "overloaded"]);
    assert.match(String(answer.headers["retry-after"]), /^\d+$/);
    assert.match(
      answer.json().detail,
      /This request was not carried out; if an earlier one .* was accepted, that stands/,
    );
  }
  inside.shift()!();
  assert.equal((await first).statusCode, 200);
  assert.equal(seen.length, 1);
});

test("what is refused at a look is not parsed", async (context) => {
  const { post, seen } = await rig(context);
  const answer = await post('{"too many"');
  assert.deepEqual([answer.statusCode, answer.json().code, answer.headers["retry-after"]], [429, "rate_limited", "7"]);
  assert.equal((await post('{"a"')).json().code, "invalid_json");
  assert.equal(seen.length, 0);
});

test("bad characters are the item's fault where the route says so, and the body's elsewhere", async (context) => {
  const { inside, seen, post } = await rig(context);
  const answer = post('{"item":"\\u0000 \\ud800"}');
  await waitFor("the body", () => seen.length === 1);
  assert.deepEqual(seen, [{ item: "\0 \ud800" }]);
  inside.shift()!();
  assert.equal((await answer).statusCode, 200);
  const refused = await post('{"other":"\\u0000"}');
  assert.deepEqual([refused.statusCode, refused.json().code], [400, "invalid_character"]);
});

test("a caller who has gone is not worked for, and its turn is the next one's", async (context) => {
  const { app, key, inside, seen, post } = await rig(context);
  const first = post("[1]");
  await waitFor("the first one's turn", () => seen.length === 1);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const closed = new Promise<void>((resolve) => {
    app.server.once("connection", (one) => one.once("close", () => resolve()));
  });
  const other = connect(port, "127.0.0.1");
  other.write(
    `POST /large HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[2]`,
  );
  await once(other, "connect");
  other.destroy();
  socket.destroy();
  await closed;
  inside.shift()!();
  assert.equal((await first).statusCode, 200);
  const third = post("[3]");
  await waitFor("the third one's turn", () => seen.length === 2);
  assert.deepEqual(seen.at(-1), [3]);
  inside.shift()!();
  assert.equal((await third).statusCode, 200);
});
