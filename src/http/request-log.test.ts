import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { refusal } from "../kernel/refusal.ts";
import type { KeepRequest } from "../ports/answered-request.ts";
import { type LogLine, makeRig, type Rig, StandingClock } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { sendRefusal } from "./refuse.ts";
import { makeRequestLog } from "./request-log.ts";

const ACCOUNT = newUuid();
const PHONE = "08031234567";
const GOOD = { to: PHONE, message: "Your code is 4471", reference: "invoice-7" };
const ORDER = "msg_01kb3v9q4ze1xb8m6t2r5y7w0n";

interface Line {
  readonly request_id: string;
  readonly account?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status: number;
  readonly code?: string;
  readonly duration_ms?: number;
  readonly order?: string;
}

/** As they are written: what is undefined is not there. */
const linesOf = ({ lines }: { readonly lines: readonly LogLine[] }): Line[] =>
  lines.filter(({ message }) => message === "request").map(({ fields }) => JSON.parse(JSON.stringify(fields)) as Line);

const rigOf = (key: object = {}) => makeRig({ key: { accountId: ACCOUNT, ...key } });

const call = (rig: Rig, request: object) => rig.app.inject({ headers: { "x-api-key": rig.key }, ...request } as never);

test("an answered request is one line with its id, account, route, status and time", async () => {
  const rig = await rigOf();
  const answer = await call(rig, { method: "POST", url: "/sms/send", payload: GOOD });
  const [line, ...others] = linesOf(rig);
  assert.deepEqual(others, []);
  assert.deepEqual(line, {
    request_id: answer.headers["request-id"],
    account: encodeId("acc", ACCOUNT),
    method: "POST",
    route: "/sms/send",
    status: 202,
    duration_ms: line?.duration_ms,
  });
  assert.equal(typeof line?.duration_ms, "number");
});

test("the time in the line is what passed between the request's head and its answer", async () => {
  const rig = await rigOf();
  rig.app.get("/slow", { config: { auth: "public" }, schema: { hide: true } }, async () => {
    rig.clock.advance(12.34);
    return {};
  });
  await call(rig, { method: "GET", url: "/slow" });
  assert.deepEqual(
    linesOf(rig).map(({ duration_ms }) => duration_ms),
    [12.3],
  );
});

test("an order that the path names is in the line, and the route is the pattern", async () => {
  const rig = await rigOf();
  await call(rig, { method: "POST", url: `/sms/cancel/${ORDER}` });
  assert.partialDeepStrictEqual(linesOf(rig), [{ route: "/sms/cancel/{message_id}", order: ORDER, status: 200 }]);
});

/** Whose account a refusal is of is told if the key is known, be it of no use any more, or not what it was refused for. */
const ANONYMOUS = undefined;
const OWN = encodeId("acc", ACCOUNT);
for (const [why, code, account, request, key] of [
  ["without a key", "missing_api_key", ANONYMOUS, { headers: {} }],
  ["with something else for a key", "invalid_api_key", ANONYMOUS, { headers: { "x-api-key": "afara_live_x" } }],
  [
    "with the key in the address",
    "use_x_api_key_header",
    ANONYMOUS,
    { url: "/sms/send?api_key=afara_live_x", headers: {} },
  ],
  ["with a key that was revoked", "invalid_api_key", OWN, {}, { revokedAt: new Date(0) }],
  ["with a key that has expired", "api_key_expired", OWN, {}, { expiresAt: new Date(0) }],
  ["of a suspended account", "account_suspended", OWN, {}, { accountSuspended: true }],
  ["without a subscription", "not_subscribed", OWN, {}, { subscriptions: {} }],
  ["without the scope", "scope_missing", OWN, {}, { scopes: [] }],
  ["with a body that is no JSON", "invalid_json", OWN, { payload: `{"to":"${PHONE}` }],
  ["with a body that has faults", "validation_failed", OWN, { payload: { ...GOOD, to: 7, secret: PHONE } }],
  ["to a path that no route has", "unknown_endpoint", OWN, { url: `/sms/${PHONE}` }],
  ["by a method that the path does not take", "method_not_allowed", OWN, { method: "DELETE" }],
  ["with a path that can't be read", "malformed_request", OWN, { url: `/sms/${PHONE}%zz` }],
  ["with a path that is too long", "uri_too_long", OWN, { url: `/sms/cancel/${PHONE.repeat(60)}` }],
  ["of a version that there is not", "unknown_version", ANONYMOUS, { headers: { "afara-version": "2020-01-01" } }],
] as const) {
  test(`a request ${why} is one line with its code, and nothing of what was sent`, async () => {
    const rig = await rigOf(key ?? {});
    const headers = { "x-api-key": rig.key, "content-type": "application/json" };
    const answer = await call(rig, { method: "POST", url: "/sms/send", payload: GOOD, headers, ...request });
    const lines = linesOf(rig);
    assert.equal(lines.length, 1);
    const { duration_ms, method, route, ...line } = lines[0]!;
    assert.deepEqual(line, {
      request_id: answer.headers["request-id"],
      ...(account !== undefined && { account }),
      status: answer.statusCode,
      code,
    });
    const written = JSON.stringify(rig.lines);
    for (const said of [PHONE, GOOD.message, "afara_", rig.key]) assert.ok(!written.includes(said), said);
  });
}

test("what was no request is a line with the id that its answer has", async () => {
  const rig = await rigOf();
  await rig.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = rig.app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.write(`${PHONE} nonsense\r\n\r\n`);
  await waitFor("the answer", () => answer.includes("malformed_request"));
  const [, id] = /"request_id":"(req_\w+)"/.exec(answer)!;
  assert.deepEqual(linesOf(rig), [{ request_id: id, status: 400, code: "malformed_request" }]);
  socket.destroy();
  await rig.app.close();
});

test("what is no fault of the caller is a warning with the reason, and a mistake of ours an error with its stack", async () => {
  const rig = await rigOf();
  rig.app.get("/away", { config: { auth: "public" }, schema: { hide: true } }, (_request, reply) =>
    sendRefusal(reply, refusal("database_unavailable", "Storage is not reachable.", { internal: "ECONNREFUSED" })),
  );
  await call(rig, { method: "GET", url: "/away" });
  await call(rig, { method: "POST", url: "/broken" });
  const [away, broken] = rig.lines.filter(({ message }) => message === "request");
  assert.equal(away?.level, "warn");
  assert.partialDeepStrictEqual(away?.fields, { status: 503, code: "database_unavailable", internal: "ECONNREFUSED" });
  assert.equal(broken?.level, "error");
  assert.partialDeepStrictEqual(broken?.fields, { status: 500, code: "internal_error", route: "/broken" });
  assert.ok(broken && "err" in broken.fields && broken.fields.err instanceof Error);
});

test("a probe of the health is a line only for who asks for them", async () => {
  const rig = await rigOf();
  await call(rig, { method: "GET", url: "/livez", headers: {} });
  const [line] = rig.lines.filter(({ message }) => message === "request");
  assert.equal(line?.level, "debug");
});

/** A log whose clock and timer the test moves. */
function flood() {
  const clock = new StandingClock();
  const lines: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log: Log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const timers: (() => void)[] = [];
  const kept: string[] = [];
  const requestLog = makeRequestLog({
    log,
    clock,
    keep: ({ accountId }) => void kept.push(accountId),
    later: (act) => void timers.push(act),
  });
  let number = 0;
  const request = (status: number, account: string | null, code?: string) => {
    const reply = { statusCode: status, getHeader: () => undefined };
    const asked = {
      id: `req_${number++}`,
      begunAtMs: 0,
      account,
      record: account && { accountId: account },
      raw: { url: "/sms/send", headers: {} },
      orderId: null,
      method: "POST",
      params: null,
      routeOptions: {},
    };
    requestLog.answered({ ...asked, refused: code ? { code } : null, thrown: null } as never, reply as never);
  };
  const written = () => lines.filter(({ message }) => message === "request").length;
  const passTenSeconds = () => {
    clock.advance(10_000);
    for (const act of timers.splice(0)) act();
  };
  const summaries = () => lines.filter(({ message }) => message === "requests without a line");
  return { request, written, summaries, passTenSeconds, timers, kept };
}

test("a stranger who is refused a million times leaves some hundred lines, and the number of the others by their code", () => {
  const { request, written, summaries, passTenSeconds } = flood();
  for (let count = 0; count < 1_000_000; count += 1)
    request(401, null, count % 2 ? "missing_api_key" : "invalid_api_key");
  assert.equal(written(), 200);
  passTenSeconds();
  assert.deepEqual(summaries(), [
    {
      level: "warn",
      fields: { left_out: 999_800, codes: { missing_api_key: 499_900, invalid_api_key: 499_900 } },
      message: "requests without a line",
    },
  ]);
  for (let count = 0; count < 1_000; count += 1) request(401, null, "missing_api_key");
  assert.equal(written(), 300);
});

test("an account whose program sends on against its limit leaves no more lines, keeps nobody else's out, and its orders have theirs", () => {
  const { request, written, summaries, passTenSeconds, timers } = flood();
  const [one, other] = [newUuid(), newUuid()];
  for (let count = 0; count < 5_000; count += 1) request(429, one, "rate_limited");
  assert.equal(written(), 200);
  for (let count = 0; count < 5_000; count += 1) request(202, one);
  assert.equal(written(), 5_200);
  request(429, other, "rate_limited");
  request(401, null, "missing_api_key");
  assert.equal(written(), 5_202);
  passTenSeconds();
  const fields = { account: encodeId("acc", one), left_out: 4_800, codes: { rate_limited: 4_800 } };
  assert.deepEqual(summaries(), [{ level: "warn", fields, message: "requests without a line" }]);
  // Once it is quiet again nothing is kept, and no timer goes on.
  passTenSeconds();
  passTenSeconds();
  assert.equal(summaries().length, 1);
  assert.equal(timers.length, 0);
});

test("an account's request log has those of its requests that have a line: a flood fills neither", () => {
  const { request, kept } = flood();
  const [one, other] = [newUuid(), newUuid()];
  for (let count = 0; count < 5_000; count += 1) request(429, one, "rate_limited");
  request(422, other, "invalid_phone_number");
  request(202, one);
  request(401, null, "missing_api_key");
  assert.equal(kept.filter((account) => account === one).length, 201);
  assert.deepEqual(kept.slice(-2), [other, one]);
});

for (const [what, url, status] of [
  ["half a percent sign", "/%", 400],
  ["bytes that are no UTF-8", "/docs/%F0%28", 400],
  ["a step that is too long", `/sms/cancel/${"x".repeat(700)}`, 414],
] as const) {
  for (const withKey of [false, true]) {
    test(`an address with ${what} ${withKey ? "and a key is kept" : "and no key is kept for nobody"}, and ends nothing`, async () => {
      const kept: unknown[] = [];
      const keepRequest: KeepRequest = ({ accountId, durationMs }) => void kept.push([accountId, durationMs]);
      const options = { keepRequest };
      const rig = await makeRig({ key: { accountId: ACCOUNT }, options });
      const unhandled: unknown[] = [];
      const note = (error: unknown) => void unhandled.push(error);
      process.on("unhandledRejection", note);
      const answer = await call(rig, { method: "POST", url, ...(!withKey && { headers: {} }) });
      await waitFor("its line", () => linesOf(rig).length > 0 || unhandled.length > 0);
      process.off("unhandledRejection", note);
      assert.deepEqual(unhandled, []);
      assert.equal(answer.statusCode, status);
      assert.deepEqual(kept, withKey ? [[ACCOUNT, 0]] : []);
    });
  }
}

test("a log that fails costs no answer, no line and not the gateway", async () => {
  const broken = () => {
    throw new Error("broken");
  };
  const rig = await makeRig({ key: { accountId: ACCOUNT }, options: { keepRequest: broken } });
  const sent = await call(rig, { method: "POST", url: "/sms/send", payload: GOOD });
  assert.equal(sent.statusCode, 202);
  assert.equal((await call(rig, { method: "GET", url: "/%" })).statusCode, 400);
  await waitFor("both lines", () => linesOf(rig).length === 2);
  assert.equal(rig.lines.filter(({ message }) => message === "a request could not be kept").length, 2);
});
