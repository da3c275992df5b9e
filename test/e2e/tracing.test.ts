import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId, type IdPrefix } from "../../src/kernel/ids.ts";
import { spanIdOf, traceIdOf } from "../../src/kernel/trace.ts";
import { type CollectedSpan, Collector } from "../../src/testing/collector.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { freePort, makeDataDir, startGateway } from "../../src/testing/gateway.ts";

import { Receiver } from "../../src/testing/receiver.ts";
import { startStopwatch } from "../../src/testing/stopwatch.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { buy, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Bulk, phone, startRig } from "./rig.ts";

/** A gateway and its collector, as an operator puts them together. */
const collector = await Collector.start();
const rig = await startRig(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });

/** What OTLP calls them. */
const [INTERNAL, SERVER, CLIENT, ERROR] = [1, 2, 3, 2];

/** How long the exporter tries. */
const EXPORT_GIVEN_UP_MS = 10_000;

const uuidOf = (id: string) => decodeId(id.slice(0, 3) as IdPrefix, id)!;
/** The trace of what has this public id. */
const traceOf = (id: string) => traceIdOf(uuidOf(id));

/** The one span of this name in the trace, as soon as it is there. */
async function span(traceId: string, name: string): Promise<CollectedSpan> {
  await waitFor(`${name} in ${traceId}`, () => collector.trace(traceId).some((one) => one.name === name));
  const found = collector.trace(traceId).filter((one) => one.name === name);
  assert.equal(found.length, 1, `${name} is there once`);
  return found[0]!;
}

const said = async (traceId: string, name: string, is: (one: CollectedSpan) => boolean) =>
  waitFor(`${name} in ${traceId} as told`, () => collector.trace(traceId).find((one) => one.name === name && is(one)));

/** Times are of one machine, so a child does not begin before its parent. */
const isAfter = (late: CollectedSpan, early: CollectedSpan) =>
  assert.ok(BigInt(late.startTimeUnixNano) >= BigInt(early.startTimeUnixNano), `${early.name} before ${late.name}`);

function assertGood({ name, status, startTimeUnixNano: since, endTimeUnixNano: until }: CollectedSpan): void {
  assert.notEqual(status.code, ERROR, `${name} has no error`);
  assert.ok(BigInt(until) >= BigInt(since), `${name} ends after it begins`);
}

test("an SMS is one trace: request, accept, dispatch, vendor and report, under the id of the message", async () => {
  const { id } = await rig.local.send({ to: phone(1), message: "Hello" });
  await rig.local.ended(id);
  const traceId = traceOf(id);
  const [accept, dispatch, vendor, request] = [
    await span(traceId, "accept"),
    await span(traceId, "dispatch"),
    await span(traceId, "send smsc-simulator"),
    await span(traceId, "POST /sms/send"),
  ];
  const report = await said(traceId, "report", ({ attributes }) => attributes["afara.state"] === "delivered");
  const all = collector.trace(traceId);
  for (const one of all) assertGood(one);
  assert.deepEqual(
    [request, accept, dispatch, vendor, report].map(({ kind, parentSpanId = "" }) => [kind, parentSpanId]),
    [
      [SERVER, ""],
      [INTERNAL, request.spanId],
      [INTERNAL, accept.spanId],
      [CLIENT, dispatch.spanId],
      [INTERNAL, accept.spanId],
    ],
  );
  assert.equal(accept.spanId, spanIdOf(uuidOf(id)), "every node can name it");
  assert.equal(new Set(all.map(({ spanId }) => spanId)).size, all.length, "each span has a name of its own");
  isAfter(accept, request);
  isAfter(dispatch, accept);
  isAfter(vendor, dispatch);
  assert.partialDeepStrictEqual(request.attributes, {
    "http.request.method": "POST",
    "http.route": "/sms/send",
    "http.response.status_code": 202,
    "url.scheme": "http",
  });
  assert.deepEqual(vendor.attributes, {
    "afara.provider": "smsc-simulator",
    "afara.operation": "send",
    "afara.outcome": "accepted",
  });
  assert.partialDeepStrictEqual(dispatch.attributes, { "afara.service": "sms", "afara.attempt": 1 });
  assert.partialDeepStrictEqual(request.resource, { "service.name": "afara", "telemetry.sdk.name": "opentelemetry" });
});

test("a purchase is one trace, under the id of the purchase", async () => {
  const buyer = await rig.subscriber({ balance: "10000.00", also: { airtime: "scale" } });
  const bought = purchaseIn(await buy(buyer, "/airtime/topup", { to: phone(2), amount: 100 }));
  await purchaseBecomes(buyer, bought, "successful");
  const traceId = traceOf(bought.id);
  const request = await span(traceId, "POST /airtime/topup");
  const accept = await span(traceId, "accept");
  const dispatch = await span(traceId, "dispatch");
  const vendor = await waitFor("the vendor's span", () => collector.trace(traceId).find(({ kind }) => kind === CLIENT));
  assert.deepEqual(
    [request, accept, dispatch, vendor].map(({ parentSpanId = "" }) => parentSpanId),
    ["", request.spanId, accept.spanId, dispatch.spanId],
  );
  assert.partialDeepStrictEqual(dispatch.attributes, { "afara.service": "airtime", "afara.state": "successful" });
});

test("the question about a purchase whose answer was lost is in its trace", async () => {
  const buyer = await rig.subscriber({ balance: "10000.00", also: { airtime: "scale" } });
  const headers = { prefer: "respond-async" };
  const bought = purchaseIn(await buy(buyer, "/airtime/topup", { to: "+2348000000004", amount: 100 }, headers));
  await purchaseBecomes(buyer, bought, "successful");
  const traceId = traceOf(bought.id);
  const lost = await said(traceId, "dispatch", ({ attributes }) => attributes["error.type"] === "unknown");
  const asked = await waitFor("the question's span", () =>
    collector.trace(traceId).find(({ attributes }) => attributes["afara.operation"] === "requery"),
  );
  assert.deepEqual([lost.status.code, asked.kind, asked.parentSpanId], [ERROR, CLIENT, spanIdOf(uuidOf(bought.id))]);
});

test("a failed message is one trace with an error by its name", async () => {
  const { id } = await rig.local.send({ to: "+2348000000001", message: "Hello" });
  const { status } = await rig.local.ended(id);
  assert.equal(status, "rejected");
  for (const name of ["dispatch", "send smsc-simulator"]) {
    const failed = await span(traceOf(id), name);
    assert.deepEqual([failed.status.code, failed.attributes["error.type"]], [ERROR, "rejected"]);
  }
});

test("a bulk is a trace, and each of its messages has its own, which points at it", async () => {
  const sender = await rig.subscriber({ balance: "1000.00" });
  const { status, body } = await sender.post<Bulk>("/sms/bulk", { to: [phone(11), phone(12)], message: "Hello" });
  assert.equal(status, 202, JSON.stringify(body));
  const request = await span(traceOf(body.id), "POST /sms/bulk");
  const accept = await span(traceOf(body.id), "accept");
  assert.equal(accept.parentSpanId, request.spanId);
  assert.equal(accept.attributes["afara.orders"], 2);
  const ids = body.messages.map(({ id }) => id);
  assert.equal(ids.length, 2);
  for (const id of ids) {
    await sender.ended(id);
    const own = await span(traceOf(id), "accept");
    assert.equal(own.parentSpanId ?? "", "");
    assert.deepEqual(
      own.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      [{ traceId: accept.traceId, spanId: accept.spanId }],
    );
    assert.equal((await span(traceOf(id), "dispatch")).parentSpanId, own.spanId);
  }
});

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

test("a caller's traceparent is a link of the request's span, and not its parent", async () => {
  const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-00`;
  const { id } = await rig.local.send({ to: phone(3), message: "Hello" }, { traceparent });
  const request = await span(traceOf(id), "POST /sms/send");
  assert.equal(request.parentSpanId ?? "", "");
  assert.deepEqual(
    request.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    [CALLER],
  );
  assert.deepEqual(collector.trace(CALLER.traceId), []);
});

test("a malformed traceparent is none", async () => {
  const { id } = await rig.local.send({ to: phone(4), message: "Hello" }, { traceparent: `00-${CALLER.traceId}-1-00` });
  assert.deepEqual((await span(traceOf(id), "POST /sms/send")).links, []);
});

test("an attempt to deliver a webhook is in the trace of the order that it is about", async () => {
  const receiver = await Receiver.start();
  const owner = await rig.subscriber({ balance: "1000.00" });
  const made = await owner.post("/webhooks", { url: receiver.url, types: ["sms.delivered"] });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = await owner.send({ to: phone(14), message: "Hello" });
  const webhook = await span(traceOf(id), "webhook");
  assert.deepEqual([webhook.kind, webhook.parentSpanId], [CLIENT, spanIdOf(uuidOf(id))]);
  assert.partialDeepStrictEqual(webhook.attributes, {
    "afara.event_type": "sms.delivered",
    "afara.event": receiver.events[0]?.id,
    "http.response.status_code": 204,
  });
});

test("a repeated request has a trace of its own, which points at the order that is there", async () => {
  const headers = { "idempotency-key": "traced-once" };
  const body = { to: phone(5), message: "Hello" };
  const { id } = await rig.local.send(body, headers);
  await span(traceOf(id), "POST /sms/send");
  const again = await rig.local.post("/sms/send", body, headers);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  const requestId = String(again.headers.get("request-id"));
  const request = await span(traceOf(requestId), "POST /sms/send");
  assert.deepEqual(
    request.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    [{ traceId: traceOf(id), spanId: spanIdOf(uuidOf(id)) }],
  );
  const refused = await span(traceOf(requestId), "accept");
  assert.equal(refused.attributes["afara.refused"], "taken");
  assert.equal(collector.trace(traceOf(id)).filter(({ name }) => name === "accept").length, 1);
});

test("a refused request has a trace with its id and error code, and a stranger's has none", async () => {
  const refused = await rig.local.refused({ to: "x", message: "Hello" });
  const request = await span(traceOf(refused.request_id), "POST /sms/send");
  assert.partialDeepStrictEqual(request.attributes, {
    "http.response.status_code": refused.status,
    "afara.code": refused.code,
    "afara.request": refused.request_id,
  });
  const stranger = await fetch(`${rig.gateway.base}/sms/send`, { method: "POST" });
  assert.equal(stranger.status, 401);
  const next = await rig.local.get("/wallet");
  await span(traceOf(String(next.headers.get("request-id"))), "GET /wallet");
  assert.deepEqual(collector.trace(traceOf(String(stranger.headers.get("request-id")))), []);
});

test("an order accepted by one process and sent and reported by a later one is one trace", async () => {
  const data = await makeDataDir();
  const database = await makeTestDatabase();
  const config = await writeTestConfig(data.dir);
  const environment = {
    DATABASE_URL: database.url,
    AFARA_CONFIG: config.path,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: "afara-of-two",
  };
  const first = await startGateway({ dataDir: data.dir, environment: { ...environment, AFARA_ROLE: "api" } });
  const { status, body } = await first.call<{ id: string }>("POST", "/sms/send", { to: phone(6), message: "Hello" });
  assert.equal(status, 202);
  assert.equal(await first.stop(), 0);
  const accept = await span(traceOf(body.id), "accept");
  assert.deepEqual(
    collector
      .trace(traceOf(body.id))
      .map(({ name }) => name)
      .sort(),
    ["POST /sms/send", "accept"],
  );

  const second = await startGateway({ dataDir: data.dir, environment });
  const report = await said(traceOf(body.id), "report", ({ attributes }) => attributes["afara.state"] === "delivered");
  const dispatch = await span(traceOf(body.id), "dispatch");
  assert.equal(await second.stop(), 0);
  assert.deepEqual([dispatch.parentSpanId, report.parentSpanId], [accept.spanId, accept.spanId]);
  assert.notEqual(accept.resource["service.instance.id"], report.resource["service.instance.id"]);
  assert.equal(report.resource["service.name"], "afara-of-two");
  await data.remove();
});

/** A gateway of its own, with what it prints, until it is stopped. */
async function startAlone(more: Readonly<Record<string, string>>) {
  const data = await makeDataDir();
  const database = await makeTestDatabase();
  const config = await writeTestConfig(data.dir);
  const environment = { DATABASE_URL: database.url, AFARA_CONFIG: config.path, ...more };
  return { gateway: await startGateway({ dataDir: data.dir, environment }), remove: () => data.remove() };
}

test("with a share of 0 nothing is exported", async () => {
  const silent = await Collector.start();
  const alone = await startAlone({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, OTEL_TRACES_SAMPLER_ARG: "0" });
  const { status } = await alone.gateway.call("POST", "/sms/send", { to: phone(7), message: "Hello" });
  assert.equal(status, 202);
  assert.equal(await alone.gateway.stop(), 0);
  assert.equal(silent.requests, 0);
  await alone.remove();
});

test("a collector that takes spans and never answers delays no answer and no stop", async () => {
  const hanging = await Collector.start();
  hanging.hangs = true;
  const alone = await startAlone({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url });
  const send = () => alone.gateway.call("POST", "/sms/send", { to: phone(8), message: "Hello" });
  await send();
  await waitFor("spans at the collector", () => hanging.requests > 0);
  const answerMs = startStopwatch();
  for (let sent = 0; sent < 20; sent += 1) assert.equal((await send()).status, 202);
  assert.ok(answerMs() < EXPORT_GIVEN_UP_MS, `20 answers in ${answerMs()} ms`);
  const stopMs = startStopwatch();
  assert.equal(await alone.gateway.stop(), 0);
  assert.ok(stopMs() < EXPORT_GIVEN_UP_MS / 2, `stopped in ${stopMs()} ms`);
  await alone.remove();
});

test("a collector that is not there is told in the log, and delays no stop", async () => {
  const port = await freePort();
  const alone = await startAlone({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const send = () => alone.gateway.call("POST", "/sms/send", { to: phone(9), message: "Hello" });
  assert.equal((await send()).status, 202);
  await waitFor("the log's line", () => alone.gateway.output().includes("did not take all spans"));
  assert.equal((await send()).status, 202, "and there are spans to lose at the stop");
  const stopMs = startStopwatch();
  assert.equal(await alone.gateway.stop(), 0);
  assert.ok(stopMs() < EXPORT_GIVEN_UP_MS / 2, `stopped in ${stopMs()} ms`);
  assert.match(alone.gateway.output(), /"error":"ECONNREFUSED"/);
  await alone.remove();
});

test("no phone, text, meter, token, reference or key is in any span", async () => {
  const TEXT = "canary of a message 8264";
  const [PHONE, METER, REFERENCE] = [phone(78_264), "14200078264", "canary-reference-8264"];
  const customer = await rig.subscriber({ balance: "100000.00", also: { electricity: "scale" } });
  const message = await customer.send({ to: PHONE, message: TEXT, reference: REFERENCE, metadata: { note: TEXT } });
  await customer.ended(message.id);
  const bought = purchaseIn(
    await buy(customer, "/electricity/purchase", {
      meter_number: METER,
      disco: "ikeja-electric",
      amount: 2_000,
      to: PHONE,
      reference: `${REFERENCE}-2`,
    }),
  );
  const token = bought.tokens?.[0]?.value ?? "";
  assert.match(token, /^[\d ]{20,}$/);
  await customer.handset(PHONE);
  await customer.refused({ to: PHONE, message: TEXT, sender: TEXT });
  const asked = await customer.get(`/sms/messages?to=${encodeURIComponent(PHONE)}`);
  await span(traceOf(bought.id), "dispatch");
  await span(traceOf(String(asked.headers.get("request-id"))), "GET /sms/messages");
  assert.ok(collector.text.includes(traceOf(message.id)), "the spans are about these orders");
  const canaries = [
    ...[customer.key, rig.gateway.key, rig.secret, TEXT, METER, REFERENCE, token, token.replaceAll(" ", "")],
    ...[PHONE, PHONE.slice(1), `0${PHONE.slice(4)}`, encodeURIComponent(PHONE)],
  ];
  assert.deepEqual(
    canaries.filter((canary) => collector.text.includes(canary)),
    [],
  );
});

rig.provesItsLedger();
