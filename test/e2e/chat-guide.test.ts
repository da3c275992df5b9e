import assert from "node:assert/strict";
import { test } from "node:test";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type ChatMessage, chat, chatReached, handsetWrites, received, template } from "./chats.ts";
import { openGuide } from "./guide.ts";
import { type Problem, startRig } from "./rig.ts";

const rig = await startRig();
const guide = await openGuide("chat.md", rig);
const { text, following } = guide;

test("the guide's commands show what it says, in its order", { skip: needs("curl") }, async () => {
  const refused = JSON.parse(await following("Your order 4471 is ready.")) as Problem;
  assert.equal(refused.code, "chat_window_closed");
  await following("Is my order ready?");
  await waitFor("the window", async () => (await following("/chat/window/")).includes('"open":true') || undefined);
  const sent = JSON.parse(await following("come by until six")) as ChatMessage;
  await chatReached(rig.local, sent.id, "read");
  const list = await following("/chat/messages?limit=2");
  assert.match(list, /"direction":"outbound".*"direction":"inbound"/);
  assert.match(
    await following('/test/handsets/08031234567 -H "X-API-Key: $KEY"\n'),
    /"text":"Yes: come by until six\."/,
  );

  assert.match(await following("/chat/templates"), /"name":"order_update"/);
  assert.match(await following('"variables":{"body":["Ada","4471"]}'), /"status":"queued"/);
  const mismatches = (await following('"44\\n71"')).match(/"code":"template_variables_mismatch"/g);
  assert.ok((mismatches ?? []).length >= 2, "both are refused");

  const picture = JSON.parse(await following("-F file=@")) as ChatMessage;
  await chatReached(rig.local, picture.id, "read");
  assert.match(await following("https://127.0.0.1/receipt.png"), /"code":"media_refused"/);
  const buttons = JSON.parse(await following('"type":"buttons"')) as ChatMessage;
  await chatReached(rig.local, buttons.id, "read");
  await following("press");
  await waitFor("what was pressed", async () =>
    (await received(rig.local, "+2348031234567")).some(({ choice }) => choice?.id === "again"),
  );
  assert.match(await following('"type":"list"'), /"type":"cta_url"/);
  const instead = JSON.parse(await following('"fallback":{"sms"')) as ChatMessage;
  await chatReached(rig.local, instead.id, "delivered");
  const shown = await rig.local.handset("08051234567");
  assert.deepEqual(
    shown.map((message) => message.text),
    ["Your parcel has come."],
  );
  const failing = JSON.parse(await following("+2348000000001")) as ChatMessage;
  assert.equal((await chatReached(rig.local, failing.id, "failed")).failure?.code, "invalid_number");
});

test("every command of the guide that calls the gateway is run here", () => {
  const commands = guide.blocks("sh").filter((command) => command.includes("curl"));
  assert.equal(commands.length, 16);
});

test("the guide's numbers end as its table says", async () => {
  const rows = [...text.matchAll(/^\| `(\+2348000000\d{3})` \| (.*?) \| (.*?) \|$/gm)];
  assert.equal(rows.length, 7);
  await Promise.all(
    rows.map(async ([, to = "", words = "", charged = ""]) => {
      if (to.endsWith("04")) return; // either way, by what is asked for: the magic numbers' own test
      if (to.endsWith("08")) {
        await handsetWrites(rig.local, to);
        const { id } = await chat(rig.local, "text", { to, message: "Hello" });
        assert.equal((await chatReached(rig.local, id, "failed")).charge, "returned");
        return;
      }
      const { id } = await chat(rig.local, "template", template(to));
      const ended = await chatReached(rig.local, id, "failed");
      assert.ok(words.includes(`\`${ended.failure?.code}\``), `${to}: ${ended.failure?.code}`);
      assert.equal(ended.charge, charged === "no" ? "returned" : "charged");
    }),
  );
});

rig.provesItsLedger();
