import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chat, chatReached, chatRefused, chatStatus } from "./chats.ts";
import { digits, inbound, metaAccount, nextId, templatesListed } from "./meta.ts";
import { phone, startRig } from "./rig.ts";

/** Who people are and what they write, in Meta's own words. */
const rig = await startRig();
const account = () => metaAccount(rig);

test("a person is answered and found by the user id, whole, and no two become one", async () => {
  const { who, says } = await account();
  const long = `NG.${"a1".repeat(63)}X`;
  const other = `${long}2`;
  await says({ from: "", from_user_id: long }, "Is it there?");
  await says({ from: "", from_user_id: other }, "And mine?");
  const [received] = await inbound(who, long);
  assert.deepEqual([received?.from, received?.user_id, received?.message], [long, long, "Is it there?"]);
  assert.equal((await inbound(who, long)).length, 1);
  const window = await who.get<{ open: boolean }>(`/chat/window/${long}`);
  assert.equal(window.body.open, true);
  const sent = await chat(who, "text", { to: long, message: "Yes", reply_to: received?.id });
  assert.equal(sent.to, long);
  const { body } = await who.get<{ data: readonly { id: string }[] }>(
    `/chat/messages?direction=outbound&phone=${long}`,
  );
  assert.deepEqual(
    body.data.map(({ id }) => id),
    [sent.id],
  );
  const bySms = await chatRefused(who, "text", { to: long, message: "Yes", fallback: { sms: { message: "Yes" } } });
  assert.deepEqual([bySms.status, bySms.errors?.[0]?.pointer], [422, "/fallback/sms"]);
  await templatesListed(rig);
  const code = await chatRefused(who, "template", {
    to: long,
    template: "login_code",
    language: "en_US",
    variables: { body: ["123456"] },
  });
  assert.deepEqual([code.status, code.errors?.[0]?.pointer], [422, "/to"]);
});

test("a text to the user id of a simulated phone that wrote with it hidden arrives there", async () => {
  const { who, number } = await account();
  const to = phone(70);
  await rig.vendors.chatReply("whatsapp", digits(to), { to: number, text: "Hello", hidesPhone: true });
  const user = `NG.1349120${digits(to)}`;
  await waitFor("the message", async () => (await inbound(who, user)).length === 1 || undefined);
  const { id } = await chat(who, "text", { to: user, message: "Hello yourself" });
  await chatReached(who, id, "read");
  const { messages } = (
    await who.get<{ messages: readonly { message_id: string; text: string }[] }>(
      `/test/handsets/${encodeURIComponent(to)}`,
    )
  ).body;
  assert.ok(messages.some((message) => message.message_id === id && message.text === "Hello yourself"));
  assert.equal((await chatStatus(who, id)).to, user);
});

test("all that people write is kept: orders, flows, contacts, where they came from", async () => {
  const { who, write } = await account();
  const to = phone(80);
  const items = Array.from({ length: 60 }, (_, index) => ({
    product_retailer_id: `sku-${index}`,
    quantity: "2",
    item_price: 1_500,
    currency: "NGN",
    note: "x".repeat(100),
  }));
  const order = { catalog_id: "194836987003835", text: "please", product_items: items };
  const flow = { name: "flow", body: "Sent", response_json: JSON.stringify({ q1: "long\tanswer ".repeat(2_000) }) };
  const referral = { source_url: "https://fb.me/3cr4Wqqkv", source_type: "ad", ctwa_clid: "ARAkLkA8rmlFeiCktEJQ" };
  await write({ from: digits(to), type: "order", order });
  await write({ from: digits(to), type: "interactive", interactive: { type: "nfm_reply", nfm_reply: flow } });
  await write({ from: digits(to), type: "text", text: { body: "x".repeat(60_000) }, referral, group_id: "group" });
  const [text, answer, ordered] = await inbound(who, to);
  const rawOf = (message: typeof text) => message?.raw as Record<string, { readonly nfm_reply?: unknown }> | undefined;
  assert.deepEqual([ordered?.message, rawOf(ordered)?.order], ["please", order]);
  assert.deepEqual(rawOf(answer)?.interactive?.nfm_reply, flow);
  assert.equal(text?.message?.length, 60_000);
  assert.deepEqual([text?.referral, text?.group_id], [referral, "group"]);
});

const WINDOWS: readonly (readonly [name: string, message: object, opens: boolean])[] = [
  ["a text", { type: "text", text: { body: "Hi" } }, true],
  ["a picture", { type: "image", image: { id: "1", mime_type: "image/png" } }, true],
  ["a place", { type: "location", location: { latitude: 6.5, longitude: 3.3 } }, true],
  ["contacts", { type: "contacts", contacts: [] }, true],
  ["an order", { type: "order", order: {} }, true],
  ["an answer to a flow", { type: "interactive", interactive: { type: "nfm_reply", nfm_reply: {} } }, true],
  ["a kind that Meta does not bring", { type: "unsupported", errors: [{ code: 131_051 }] }, true],
  ["a reaction", { type: "reaction", reaction: { message_id: "wamid.X", emoji: "👍" } }, true],
  ["a reaction taken back", { type: "reaction", reaction: { message_id: "wamid.X" } }, false],
  [
    "a change of a message",
    { type: "edit", edit: { original_message_id: "wamid.X", message: { type: "text" } } },
    false,
  ],
  ["taking a message back", { type: "revoke", revoke: { original_message_id: "wamid.X" } }, false],
  ["a notice of the system", { type: "system", system: { type: "user_identity_changed", body: "changed" } }, false],
  ["a kind of later", { type: "hologram", hologram: {} }, false],
  ["a text in a group", { type: "text", text: { body: "Hi" }, group_id: "group" }, false],
];
test("the window is opened by what people say, and by nothing else", async () => {
  const { who, write, tell } = await account();
  const isOpen = async (to: string) =>
    (await who.get<{ open: boolean }>(`/chat/window/${encodeURIComponent(to)}`)).body.open;
  for (const [index, [name, message, opens]] of WINDOWS.entries()) {
    const to = phone(100 + index);
    await write({ from: digits(to), ...message });
    assert.equal(await isOpen(to), opens, name);
  }
  const call = (from: string, direction: string) => ({
    calls: [{ id: nextId(), from, event: "connect", direction, timestamp: String(Math.floor(Date.now() / 1_000)) }],
  });
  await tell("calls", call(digits(phone(130)), "USER_INITIATED"));
  await tell("calls", call(digits(phone(131)), "BUSINESS_INITIATED"));
  assert.deepEqual([await isOpen(phone(130)), await isOpen(phone(131))], [true, false]);
});

test("a changed message has its new words, and names the one that it was", async () => {
  const { who, says, write } = await account();
  const to = phone(140);
  const original = await says({ from: digits(to) }, "Two bags");
  const text = { type: "text", text: { body: "Three bags" } };
  await write({ from: digits(to), type: "edit", edit: { original_message_id: original, message: text } });
  await write({ from: digits(to), type: "revoke", revoke: { original_message_id: original } });
  const [revoked, edited, first] = await inbound(who, to);
  assert.deepEqual([edited?.message, edited?.edits, revoked?.revokes], ["Three bags", first?.id, first?.id]);
});

rig.provesItsLedger();
