import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundChat } from "../../ports/chat-payload.ts";
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
const factsIn = (message: object) => read(message)?.facts as unknown as InboundChat;

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

test("what is long is kept whole: an order of 24 items, an answer to a flow, contacts", () => {
  const items = Array.from({ length: 24 }, (_, index) => ({
    product_retailer_id: `sku-${index}-${"x".repeat(60)}`,
    quantity: index + 1,
    item_price: 1_500.5,
    currency: "NGN",
  }));
  const order = { type: "order", order: { catalog_id: "1", text: "please", product_items: items } };
  const flow = { name: "flow", body: "Sent", response_json: JSON.stringify({ answer: "ẹ".repeat(5_000) }) };
  for (const message of [
    order,
    { type: "interactive", interactive: { type: "nfm_reply", nfm_reply: flow } },
    { type: "contacts", contacts: [{ name: { formatted_name: "x".repeat(50_000) } }] },
  ])
    assert.deepEqual((read(message)?.facts as InboundChat | undefined)?.raw, { ...FROM, ...message });
});

const REFERRAL = { source_type: "ad", source_id: "120210", ctwa_clid: "ARAkLkA8rmlFeiCktEJQ", headline: "Data plans" };
const PRODUCT = { catalog_id: "1", product_retailer_id: "sku-1" };
const AROUND: readonly (readonly [name: string, message: object, facts: Partial<InboundChat>])[] = [
  ["the advertisement that it came from", { referral: REFERRAL }, { referral: REFERRAL }],
  ["the product that it asks about", { context: { referred_product: PRODUCT } }, { referred_product: PRODUCT }],
  ["that it was passed on", { context: { forwarded: true } }, { forwarded: true }],
  [
    "that it was passed on often",
    { context: { frequently_forwarded: true, forwarded: false } },
    { frequently_forwarded: true },
  ],
  ["the group that it was written in", { group_id: "Y2FwaV9ncm91cDo" }, { group_id: "Y2FwaV9ncm91cDo" }],
];
for (const [name, message, facts] of AROUND)
  test(`a message tells ${name}`, () => {
    const inbound = read({ type: "text", text: { body: "Hi" }, ...message });
    assert.deepEqual(inbound?.facts, { type: "text", profile_name: "Ada", ...facts });
  });

test("what there is besides what we read is kept as it came", () => {
  for (const message of [
    { type: "text", text: { body: "Hi", of_later: 1 } },
    { type: "text", text: { body: "Hi" }, of_later: {} },
    { type: "text", text: { body: "Hi" }, context: { of_later: true } },
    { type: "interactive", interactive: { list_reply: { id: "p1", title: "10 GB", description: "30 days" } } },
    { type: "audio", audio: { id: "1", mime_type: "audio/ogg", voice: true } },
  ])
    assert.deepEqual(factsIn(message).raw, { ...FROM, ...message }, JSON.stringify(message));
});

/** Source: Meta, webhooks, “Edit messages” and “Revoke messages”. */
test("a message that was changed has its new words and says which it was; one that was taken back is named", () => {
  const was = "wamid.WAS";
  const text = { type: "text", text: { body: "Two bags" } };
  const changed = read({
    type: "edit",
    edit: { original_message_id: was, message: { context: { id: "M0" }, ...text } },
  });
  const facts = changed?.facts as unknown as InboundChat;
  assert.deepEqual([changed?.text, facts.type, facts.edits], ["Two bags", "edit", was]);
  const image = { type: "image", image: { id: "17", mime_type: "image/jpeg", caption: "The blue one" } };
  const captioned = read({ type: "edit", edit: { original_message_id: was, message: image } });
  assert.equal(captioned?.text, "The blue one");
  assert.equal(factsIn({ type: "edit", edit: { original_message_id: was, message: image } }).media?.id, "17");
  const back = factsIn({ type: "revoke", revoke: { original_message_id: was } });
  assert.deepEqual([back.revokes, back.type], [was, "revoke"]);
});

const [USER, NEXT] = ["NG.13491208655302741918", "NG.99991208655302741919"];
/** Source: Meta, “Business-scoped user IDs” and webhooks, “System messages”. */
const IDENTITIES: readonly (readonly [
  name: string,
  message: object,
  from: string,
  facts: Pick<InboundChat, "user_id" | "known_as" | "formerly">,
])[] = [
  ["phone and id", { from_user_id: USER }, FROM.from, { user_id: USER, known_as: [FROM.from, USER] }],
  ["an id with an empty phone", { from: "", from_user_id: USER }, USER, { user_id: USER }],
  [
    "an id of a parent",
    { from: "", from_user_id: "NG.ENT.11815799212886844830" },
    "NG.ENT.11815799212886844830",
    {
      user_id: "NG.ENT.11815799212886844830",
    },
  ],
  [
    "a phone that was asked for",
    {
      from: "",
      from_user_id: USER,
      type: "contacts",
      contacts: [{ origin: "contact_request", phones: [{ phone: "+234 803 000 0009", wa_id: "2348030000009" }] }],
    },
    USER,
    { user_id: USER, known_as: ["2348030000009", USER] },
  ],
  [
    "somebody else's contact",
    {
      from: "",
      from_user_id: USER,
      type: "contacts",
      contacts: [{ origin: "other", phones: [{ wa_id: "2348030000009" }] }],
    },
    USER,
    { user_id: USER },
  ],
  [
    "a change of number",
    { type: "system", system: { type: "user_changed_number", wa_id: "2348090000001", body: "changed" } },
    FROM.from,
    { known_as: ["2348090000001"], formerly: [FROM.from] },
  ],
  [
    "a change of number and id",
    {
      from_user_id: USER,
      type: "system",
      system: { type: "user_changed_number", wa_id: "2348090000001", user_id: NEXT },
    },
    FROM.from,
    { user_id: NEXT, known_as: ["2348090000001", NEXT], formerly: [FROM.from, USER] },
  ],
  [
    "a change of number as it was told before",
    { type: "system", system: { type: "customer_changed_number", new_wa_id: "2348090000001" } },
    FROM.from,
    { known_as: ["2348090000001"], formerly: [FROM.from] },
  ],
  [
    "a change of id that its words alone tell",
    {
      from: undefined,
      type: "system",
      system: { type: "user_changed_user_id", user_id: NEXT, body: `User Ada Obi changed from ${USER} to ${NEXT}` },
    },
    NEXT,
    { user_id: NEXT, known_as: [NEXT], formerly: [USER] },
  ],
];
for (const [name, message, from, facts] of IDENTITIES)
  test(`who wrote is told by ${name}`, () => {
    const inbound = read(message);
    assert.ok(inbound);
    const { user_id, known_as, formerly } = factsIn(message);
    assert.equal(inbound.from, from);
    assert.deepEqual(JSON.parse(JSON.stringify({ user_id, known_as, formerly })), facts);
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
