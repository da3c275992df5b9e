import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { traceIdOf } from "../../src/kernel/trace.ts";
import { Collector } from "../../src/testing/collector.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone, startRig } from "../e2e/rig.ts";

/**
 * Values that are nobody's business but a customer's, searched for in everything that leaves the gateway besides the answers to that
 * customer: its log at the lowest level, its metrics, traces and problems. What else may carry one gets a line in `seen`.
 */
const TEXT = "canary of a message 7291";
const METER = "14200077291";
const PHONE = phone(77_291);
const REFERENCE = "canary-reference-7291";

/** Webhooks' addresses often have a secret in them. */
const HOOK = "canary-hook-7291";
const ANSWER = "canary of an answer 7291";

const adminPort = await freePort();
const collector = await Collector.start();
const receiver = await Receiver.start();
receiver.answer = (_received, response) => {
  response.writeHead(500, { "content-type": "text/plain" }).end(ANSWER);
  return undefined;
};
const rig = await startRig(undefined, {
  AFARA_ADMIN_PORT: String(adminPort),
  AFARA_LOG_LEVEL: "debug",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
});
const customer = await rig.subscriber({ balance: "100000.00", also: { electricity: "scale", airtime: "scale" } });

/** Where a text stands in the request log, which shows an account what it said, and no secret. */
async function keptWith(text: string): Promise<readonly object[]> {
  const { rows } = await rig.db.query(
    "select method, path from request_log t where strpos(concat_ws(' ', path, headers, request_body, answer_body), $1) > 0",
    [text],
  );
  return rows;
}

const problems: string[] = [];
const refused = async (path: string, body: unknown, headers?: Record<string, string>) => {
  const answer = await customer.post(path, body, headers);
  assert.ok(answer.status >= 400, `${path} is refused`);
  problems.push(JSON.stringify(answer.body));
};

test("no key, secret, text, phone, meter, token or reference is in a log line, metric, trace or problem of a run", async () => {
  const webhook = await customer.post<{ readonly secret: string }>("/webhooks", { url: `${receiver.url}/${HOOK}` });
  assert.equal(webhook.status, 201, JSON.stringify(webhook.body));
  const message = await customer.send({ to: PHONE, message: TEXT, reference: REFERENCE, metadata: { note: TEXT } });
  await customer.ended(message.id);
  const failing = await customer.send({ to: "+2348000000001", message: TEXT });
  await customer.ended(failing.id);
  const meter = { meter_number: METER, disco: "ikeja-electric" };
  const bought = await customer.post<{ readonly id: string; readonly tokens?: readonly { readonly value: string }[] }>(
    "/electricity/purchase",
    { ...meter, amount: 2_000, to: PHONE },
    { "idempotency-key": REFERENCE },
  );
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  const token = bought.body.tokens?.[0]?.value ?? "";
  assert.match(token, /^[\d ]{20,}$/);

  await refused("/sms/send", { to: PHONE, message: TEXT, sender: TEXT });
  await refused("/sms/send", { to: `${PHONE}${METER}`, message: "x" });
  await refused("/sms/send", { to: PHONE, message: "another", reference: REFERENCE });
  await refused("/electricity/purchase", { ...meter, amount: 1, to: PHONE }, { "idempotency-key": "canary" });
  await refused(`/sms/cancel/${message.id}`, undefined);
  const stranger = await fetch(`${rig.gateway.base}/sms/send?message=${encodeURIComponent(TEXT)}`, {
    method: "POST",
    headers: { "x-api-key": customer.key.slice(0, -1), authorization: `Bearer ${customer.key}` },
  });
  problems.push(await stranger.text());

  await refused("/webhooks", { url: `ftp://${HOOK}`, types: ["nothing.here"] });
  await waitFor("failed deliveries", () => receiver.all.length > 1);

  const last = stranger.headers.get("request-id");
  await waitFor("the trace of a delivery", () => /"webhook"/.test(collector.text));
  await waitFor("the last line of the log", () => rig.gateway.output().includes(String(last)));
  const seen = {
    log: rig.gateway.output(),
    metrics: await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    traces: collector.text,
    problems: problems.join("\n"),
  };
  assert.ok(seen.log.includes(message.id), "the log speaks of these orders");
  const trace = traceIdOf(decodeId("msg", message.id)!);
  assert.ok(seen.traces.includes(trace) && /"webhook"/.test(seen.traces), "there are traces of them, and of webhooks");
  const digits = token.replaceAll(" ", "");
  const { secret } = webhook.body;
  const ours = [secret, secret.replace("whsec_", ""), HOOK, ANSWER];
  const canaries = [
    ...ours,
    customer.key,
    TEXT,
    PHONE.slice(1),
    `0${PHONE.slice(4)}`,
    METER,
    token,
    digits,
    rig.secret,
  ];
  const found = Object.entries(seen).flatMap(([where, text]) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${canary} in the ${where}`),
  );
  assert.deepEqual(found, []);
  assert.ok(!seen.log.includes(REFERENCE), "a reference names a customer's own order");

  await waitFor("the last of them in the request log", async () => (await keptWith("nothing.here")).length > 0);
  assert.ok((await keptWith(TEXT)).length > 0, "an account's own texts are shown to it");
  for (const secret of [...ours, customer.key, customer.key.slice(0, -1), token, digits, rig.secret])
    assert.deepEqual(await keptWith(secret), [], `${secret} in the request log`);
});

rig.provesItsLedger();
