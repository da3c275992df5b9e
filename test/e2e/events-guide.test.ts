import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICES } from "../../src/app/services.ts";
import type { FeedPage } from "./event-feed.ts";
import { openGuide } from "./guide.ts";
import { startRig } from "./rig.ts";

const rig = await startRig();
const { text, following } = await openGuide("events.md", rig);

test("the guide's message is in the feed with its two events, and its cursor goes on", async () => {
  const page = JSON.parse(await following("code is 123456")) as FeedPage;
  assert.deepEqual(
    page.data.map(({ type }) => type),
    ["sms.sent", "sms.delivered"],
  );
  const rest = JSON.parse(await following("AFTER=")) as FeedPage;
  assert.deepEqual(
    rest.data.map(({ type }) => type),
    ["sms.delivered"],
  );
});

test("the guide's stream shows the message that is sent meanwhile", async () => {
  const printed = await following("stream.txt");
  assert.match(printed, /retry: 2000\nid: \S+\n\nid: \S+\ndata: \{"id":"evt_[^\n]*"type":"sms\.sent"/);
  assert.match(printed, /"type":"sms\.delivered"/);
});

test("the guide lists every status that is an event", () => {
  const table = text.slice(text.indexOf("## The types"));
  for (const { service, table: steps } of SERVICES)
    for (const status of steps.published)
      if (status !== "token_pending")
        assert.ok(
          table.includes(`\`${service}.${status}\``) || table.includes(`\`${service}.…\``),
          `${service}.${status}`,
        );
});

rig.provesItsLedger();
