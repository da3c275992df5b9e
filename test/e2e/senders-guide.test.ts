import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { openGuide } from "./guide.ts";
import { startRig } from "./rig.ts";

const rig = await startRig();
const guide = await openGuide("senders-and-replies.md", rig);
const shown = guide.blocks("json").map((text) => JSON.parse(text) as Record<string, unknown>);

test("the guide's request registers a sender, which is listed and may be used", async () => {
  const registered = JSON.parse(await guide.following('"evidence"')) as Record<string, unknown>;
  const [example] = shown;
  const { reasons: _, ...fields } = example!;
  assert.deepEqual(Object.keys(registered).sort(), Object.keys(fields).sort());
  assert.deepEqual(
    [registered.sender, registered.class, registered.evidence],
    [fields.sender, fields.class, fields.evidence],
  );
  const listed = JSON.parse(await guide.following('/sms/senders -H "X-API-Key: $KEY"\n')) as {
    data: { sender: string }[];
  };
  assert.deepEqual(
    listed.data.map(({ sender }) => sender),
    ["Acme"],
  );
  const sent = JSON.parse(await guide.following('"from":"Acme"')) as { id: string; from: string };
  assert.equal(sent.from, "Acme");
  await rig.local.reached(sent.id, "delivered");
});

test("the guide's handset writes, and the guide's list has it in the form that it shows", async () => {
  await guide.following('"Please bring it"');
  const message = await waitFor("the message", async () => {
    const { data } = JSON.parse(await guide.following("direction=inbound")) as { data: Record<string, unknown>[] };
    return data[0];
  });
  const example = shown[1]!;
  assert.deepEqual({ ...message, id: example.id, received_at: example.received_at }, example);
});

rig.provesItsLedger();
