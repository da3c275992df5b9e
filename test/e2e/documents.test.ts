import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ALL_PROBLEMS } from "../../src/testing/all-problems.ts";
import { openGuide } from "./guide.ts";
import { startRig } from "./rig.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const rig = await startRig();

const guide = await openGuide("first-sms.md", rig);
const { following } = guide;

test("the guide's first message is sent, delivered and seen on the handset, by its own commands", async () => {
  const { id } = JSON.parse(await following('"message":"Hello from Afara"')) as { id: string };
  await rig.local.reached(id, "delivered");
  const [printedId, status = ""] = (await following("/sms/status/")).split("\n");
  const shown = JSON.parse(status) as { id: string; timeline: { status: string }[] };
  assert.deepEqual([printedId, shown.id], [id, id]);
  assert.deepEqual(
    shown.timeline.map(({ status }) => status),
    ["queued", "sending", "sent", "delivered"],
  );
  assert.match(await following("/test/handsets/"), /"text":"Hello from Afara"/);
  assert.deepEqual(Object.keys(JSON.parse(await following("/wallet -H"))), [
    "object",
    "mode",
    "balance",
    "held",
    "available",
  ]);
  const { data } = JSON.parse(await following("/wallet/transactions")) as {
    data: { kind: string; amount: object; order_id: string }[];
  };
  assert.deepEqual(
    data.map(({ kind, order_id }) => [kind, order_id]),
    [
      ["charge", id],
      ["hold", id],
    ],
  );
});

test("the codes of every part are the running gateway's", async () => {
  const index = await (await fetch(`${rig.gateway.base}/docs/errors`)).text();
  for (const code of ALL_PROBLEMS.codes) assert.ok(index.includes(`href="/docs/errors/${code}"`), code);
});

test("the guide's repeat is answered from the first message", async () => {
  const printed = await following("Idempotency-Key");
  assert.equal(printed.match(/HTTP\/1\.1 202/g)?.length, 2);
  assert.equal(printed.match(/^idempotent-replayed: true/gim)?.length, 1);
  assert.equal(new Set(printed.match(/msg_[0-9a-z]+/g)).size, 1);
});

test("the guide's message to nobody ends as its table says", async () => {
  const { id } = JSON.parse(await following("+2348000000001")) as { id: string };
  const { status, failure } = await rig.local.ended(id);
  assert.match(guide.text, new RegExp(`\\| \`\\+2348000000001\` \\| \`${status}\`, \`${failure?.code}\` \\|`));
});

test("the guide's faulty request is answered as the guide shows", async () => {
  const shown = JSON.parse(guide.blocks("json").find((text) => text.includes('"type"')) ?? "{}") as object;
  const answered = JSON.parse(await following('"mesage"')) as { request_id: string };
  assert.deepEqual(answered, { ...shown, request_id: answered.request_id });
});

test("the guide's preview, cancelled message and bulk do what it says", async () => {
  const preview = JSON.parse(await following("/sms/preview")) as { segments: number; suggestion: { segments: number } };
  assert.deepEqual([preview.segments, preview.suggestion.segments], [2, 1]);
  assert.match(await following("/sms/cancel/"), /"status":"cancelled"/);
  assert.match(
    await following("/sms/bulk"),
    /"accepted":2,.*"code":"invalid_phone_number".*"code":"repeated_recipient"/,
  );
});

test("running.md explains every variable that the gateway reads, and none besides", () => {
  const read = ["config.ts", "portal.ts", "tracing.ts"].flatMap((file) =>
    readFileSync(join(ROOT, "src", "config", file), "utf8").match(/(?<=")(?:AFARA|DATABASE|REDIS|OTEL)_[A-Z_]+(?=")/g),
  );
  const table = readFileSync(join(ROOT, "docs", "operations", "running.md"), "utf8").match(/^\| `[A-Z_`, ]+/gm);
  const explained = table?.flatMap((row) => row.match(/[A-Z_]{2,}/g) ?? []);
  assert.deepEqual(explained?.sort(), [...new Set(read)].sort());
});

rig.provesItsLedger();
