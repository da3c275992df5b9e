import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundChat } from "../../kernel/chat-payload.ts";
import { CHAT_CONTENTS, chatTask } from "../../testing/chat-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { whatsappRig } from "../../testing/whatsapp-rig.ts";
import { inboundOf } from "./inbound.ts";

const { client, provider, sink, nextPhone } = await whatsappRig();

const NOW = new Date("2026-11-27T09:00:00Z");
const VALUE = {
  metadata: { display_phone_number: "2347000000001", phone_number_id: "200000000000001" },
  contacts: [{ profile: { name: "Ada" }, wa_id: "2348030000001" }],
};
const NUMBERS = [
  { phoneNumberId: "200000000000001", number: "2347000000001" },
  { phoneNumberId: "200000000000002", number: "2347000000002" },
];
const FROM = { from: "2348030000001", id: "wamid.IN", timestamp: "1790000000" };
const read = (message: object) => inboundOf({ ...FROM, ...message }, VALUE, NUMBERS, NOW);

/** Shapes of Meta's pages that the simulator has no handset for. */
const SHAPES: readonly (readonly [
  name: string,
  message: object,
  text: string,
  facts: Partial<InboundChat> & { raw?: unknown },
])[] = [
  ["a text with white space, which stays", { type: "text", text: { body: " null " } }, " null ", {}],
  ["the text “n/a”", { type: "text", text: { body: "n/a" } }, "n/a", {}],
  [
    "an answer to a message",
    { type: "text", text: { body: "Yes" }, context: { from: "2347000000001", id: "wamid.OUT" } },
    "Yes",
    { in_reply_to: "wamid.OUT" },
  ],
  [
    "a reaction taken back",
    { type: "reaction", reaction: { message_id: "wamid.OUT" } },
    "",
    { reaction: { message_id: "wamid.OUT" } },
  ],
  [
    "a place whose numbers are texts",
    { type: "location", location: { latitude: "6.6018", longitude: "3.3515", name: "Depot" } },
    "",
    { location: { latitude: 6.6018, longitude: 3.3515, name: "Depot" } },
  ],
];
for (const [name, message, text, facts] of SHAPES)
  test(`${name} is read`, () => {
    const inbound = read(message);
    assert.ok(inbound);
    assert.equal(inbound.text, text);
    const { type } = message as { type: string };
    assert.deepEqual(inbound.facts, { type, profile_name: "Ada", ...facts });
    assert.deepEqual([inbound.at, inbound.to], [new Date(1_790_000_000_000), "2347000000001"]);
  });

const KEPT: readonly (readonly [name: string, message: object, text: string])[] = [
  ["a type of later", { type: "hologram", hologram: { depth: 3 } }, ""],
  ["no type at all", {}, ""],
  ["contacts", { type: "contacts", contacts: [{ name: { formatted_name: "Test Person" } }] }, ""],
  [
    "an order from a catalogue",
    { type: "order", order: { catalog_id: "1", text: "Soon please", product_items: [] } },
    "Soon please",
  ],
  ["an answer to a flow", { type: "interactive", interactive: { type: "nfm_reply", nfm_reply: { body: "Sent" } } }, ""],
  ["unsupported, with its error", { type: "unsupported", errors: [{ code: 131051, title: "Unsupported" }] }, ""],
  ["a picture that Meta could not fetch", { type: "image", errors: [{ code: 131052 }] }, ""],
  ["a picture without an id", { type: "image", image: { mime_type: "image/png" } }, ""],
  ["a place without numbers", { type: "location", location: { name: "Somewhere" } }, ""],
];
for (const [name, message, text] of KEPT)
  test(`what we have no words for is kept as it came: ${name}`, () => {
    const inbound = read(message);
    assert.equal(inbound?.text, text);
    assert.deepEqual((inbound?.facts as InboundChat | undefined)?.raw, { ...FROM, ...message });
  });

test("what is too long to keep whole is recorded all the same", () => {
  const inbound = read({ type: "contacts", contacts: [{ name: "x".repeat(5_000) }] });
  assert.deepEqual(inbound?.facts, { type: "contacts", profile_name: "Ada" });
});

test("a person who writes without showing a phone is known by the user id; nobody at all is not recorded", () => {
  const { from: _phone, ...hidden } = FROM;
  const message = { ...hidden, from_user_id: "NG.13491208655302741918", type: "text", text: { body: "Hi" } };
  assert.equal(inboundOf(message, {}, NUMBERS, NOW)?.from, "NG.13491208655302741918");
  assert.equal(inboundOf({ ...hidden, type: "text" }, {}, NUMBERS, NOW), undefined);
  assert.equal(inboundOf({ from: "2348030000001", type: "text" }, {}, NUMBERS, NOW), undefined);
});

const heard = (id: string) =>
  waitFor("the message", () => sink.messages.find(({ providerReference }) => providerReference === id));
const factsOf = async (id: string): Promise<InboundChat> => (await heard(id)).facts as unknown as InboundChat;

test("what a handset does comes over the wire: text, reaction, place, picture, and a system message", async () => {
  const phone = nextPhone();
  const reply = (does: Parameters<typeof client.chatReply>[2]) => client.chatReply("whatsapp", phone, does);
  const text = await heard(await reply({ text: "ẹ ₦ @ / 🎉", secondsAgo: 3_600 }));
  assert.deepEqual([text.from, text.to, text.text], [phone, "2347000000001", "ẹ ₦ @ / 🎉"]);
  assert.ok(Math.abs(text.at.getTime() - (Date.now() - 3_600_000)) < 30_000);
  const loved = await factsOf(await reply({ reaction: { messageId: "wamid.X", emoji: "👍" } }));
  assert.deepEqual(loved.reaction, { message_id: "wamid.X", emoji: "👍" });
  const place = await factsOf(await reply({ location: { latitude: 6.5, longitude: 3.3, name: "Depot" } }));
  assert.deepEqual(place.location, { latitude: 6.5, longitude: 3.3, name: "Depot" });
  const picture = await reply({ media: { kind: "image", caption: "My meter" } });
  assert.equal((await heard(picture)).text, "My meter");
  assert.equal((await factsOf(picture)).media?.mime_type, "image/png");
  const system = await heard(
    await reply({ raw: { type: "system", system: { body: "changed", type: "user_changed_number" } } }),
  );
  assert.deepEqual([system.text, (system.facts as unknown as InboundChat).profile_name], ["changed", undefined]);
});

test("pressing a button, a row or a template's quick reply says which, and of which message", async () => {
  const phone = nextPhone();
  await client.chatWindow("whatsapp", phone, 0);
  const buttons = [{ id: "again", title: "Buy again" }];
  const rows = [{ id: "p1", title: "10 GB" }];
  const contents = [
    [
      { type: "interactive", body: "Again?", action: { kind: "buttons", buttons } },
      "again",
      "Buy again",
      "interactive",
    ],
    [
      { type: "interactive", body: "Plan?", action: { kind: "list", button: "Plans", sections: [{ rows }] } },
      "p1",
      "10 GB",
      "interactive",
    ],
    [
      {
        ...CHAT_CONTENTS.template,
        name: "weekend_offer",
        header: { kind: "image", link: "https://cdn.example.ng/h.png" },
        body: ["Ada"],
        buttons: [{ index: 1, kind: "quick_reply", value: "STOP" }],
      },
      "STOP",
      "Stop offers",
      "button",
    ],
  ] as const;
  for (const [content, id, title, type] of contents) {
    const outcome = await provider.send(chatTask(provider, phone, content), 0);
    assert.ok(outcome.kind === "accepted" && outcome.providerReference);
    const { providerReference: messageId } = outcome;
    await waitFor("it", async () =>
      (await client.chatMessages("whatsapp", phone)).some((message) => message.id === messageId),
    );
    const pressed = await client.chatReply("whatsapp", phone, { press: { messageId, id } });
    assert.equal((await heard(pressed)).text, title);
    const facts = await factsOf(pressed);
    assert.deepEqual([facts.type, facts.choice, facts.in_reply_to], [type, { id, title }, messageId]);
  }
});

test("a message belongs to the number whose id it has, however that number is displayed", () => {
  const to = (metadata: object) => inboundOf({ ...FROM, type: "text" }, { metadata }, NUMBERS, NOW)?.to;
  assert.equal(to({ phone_number_id: "200000000000002", display_phone_number: "+234 700-000-0001" }), "2347000000002");
  assert.equal(to({ phone_number_id: "9", display_phone_number: "+234 709 000 0003" }), "2347090000003");
});
