import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { firstSpanOf, spanIdOf, traceIdOf } from "../kernel/trace.ts";
import { NO_TRACING } from "../ports/tracing.ts";
import { makeRig, StandingClock } from "../testing/http-rig.ts";
import { ToldSpans } from "../testing/told-spans.ts";
import { requestUuid } from "./idempotency.ts";
import { makeRequestSpans } from "./request-spans.ts";

const accountId = newUuid();

async function makeTracedRig() {
  const told = new ToldSpans();
  const rig = await makeRig({ key: { accountId }, options: { tracing: told } });
  const call = (method: "GET" | "POST", url: string, headers: Readonly<Record<string, string>> = {}) =>
    rig.app.inject({ method, url, headers: { host: "localhost", "x-api-key": rig.key, ...headers } });
  return { ...rig, told, call };
}

test("a request that made nothing has a trace with its own id", async () => {
  const { told, call } = await makeTracedRig();
  const answer = await call("GET", "/sms/messages?limit=5");
  const id = String(answer.headers["request-id"]);
  const uuid = requestUuid({ id });
  assert.equal(told.spans.length, 1);
  assert.partialDeepStrictEqual(told.spans[0], {
    traceId: traceIdOf(uuid),
    spanId: spanIdOf(uuid),
    kind: "server",
    name: "GET /sms/messages",
    links: [],
    attributes: {
      "http.request.method": "GET",
      "http.route": "/sms/messages",
      "url.scheme": "http",
      "http.response.status_code": 200,
      "afara.request": id,
      "afara.account": encodeId("acc", accountId),
      "afara.code": undefined,
    },
    error: undefined,
  });
});

test("a parameter of the path stands in no span, and its template does", async () => {
  const { told, call } = await makeTracedRig();
  await call("POST", "/sms/cancel/2348031234567");
  assert.equal(told.spans[0]?.name, "POST /sms/cancel/{message_id}");
  assert.ok(!JSON.stringify(told.spans).includes("2348031234567"));
});

test("a request that made an order belongs to its trace", async () => {
  const { app, told, call } = await makeTracedRig();
  const order = newUuid();
  app.addHook("preHandler", (request, _reply, done) => {
    told.made(requestUuid(request), order);
    request.orderId = encodeId("msg", order);
    done();
  });
  await call("GET", "/sms/messages");
  assert.equal(told.spans[0]?.traceId, traceIdOf(order));
  assert.deepEqual(told.spans[0]?.links, [], "it needs no link to its own trace");
});

test("a request about an order that is there points at it", async () => {
  for (const [prefix, is] of [
    ["msg", true],
    ["pur", true],
    ["blk", true],
    ["trf", false],
  ] as const) {
    const { app, told, call } = await makeTracedRig();
    const order = newUuid();
    app.addHook("preHandler", (request, _reply, done) => {
      request.orderId = encodeId(prefix, order);
      done();
    });
    await call("GET", "/sms/messages");
    assert.deepEqual(told.spans[0]?.links, is ? [firstSpanOf(order)] : [], prefix);
  }
});

test("only a fault of the gateway is an error, by its code", async () => {
  const { told, call } = await makeTracedRig();
  await call("POST", "/broken");
  await call("POST", "/unavailable");
  await call("GET", "/sms/messages?limit=x");
  await call("GET", "/wallet"); // out of the key's scope
  assert.deepEqual(
    told.spans.map(({ attributes, error }) => [
      attributes["http.response.status_code"],
      attributes["afara.code"],
      error,
    ]),
    [
      [500, "internal_error", "internal_error"],
      [503, "provider_unavailable", "provider_unavailable"],
      [400, "validation_failed", undefined],
      [403, "scope_missing", undefined],
    ],
  );
  assert.ok(!JSON.stringify(told.spans).includes("a secret of the inside"));
});

test("strangers and health checks make no spans", async () => {
  const { told, call } = await makeTracedRig();
  await call("GET", "/sms/messages", { "x-api-key": "afara_test_none" });
  await call("GET", "/services");
  await call("GET", "/livez");
  assert.deepEqual(told.spans, []);
});

test("a known caller's request to no route is named by its method alone, so that no path stands in a span", async () => {
  const { told, call } = await makeTracedRig();
  await call("GET", "/nowhere/2348031234567");
  assert.equal(told.spans[0]?.name, "GET");
  assert.ok(!JSON.stringify(told.spans).includes("2348031234567"));
});

test("a trace that is not kept has no span of its request", async () => {
  const { app, told, call } = await makeTracedRig();
  app.addHook("onRequest", (request, _reply, done) => {
    told.left.add(traceIdOf(requestUuid(request)));
    done();
  });
  await call("GET", "/sms/messages");
  assert.deepEqual(told.spans, []);
});

test("without tracing there is nothing to call", () => {
  assert.equal(makeRequestSpans(NO_TRACING, new StandingClock()), undefined);
});
