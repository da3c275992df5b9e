import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import {
  type ChatMessage,
  chat,
  chatReached,
  chatRefused,
  chatStatus,
  handsetWrites,
  type ReceivedMessage,
  received,
  template,
} from "./chats.ts";
import { templatesListed } from "./meta.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
await templatesListed(rig);
const account = (balance = "1000.00") => rig.subscriber({ also: { chat: "scale" }, balance });
const messagesAt = async () => (await rig.vendors.calls("whatsapp")).filter(({ path }) => path.endsWith("/messages"));
const KOBO = (amount: string) => BigInt(amount.replace(".", ""));

test("a text needs the recipient's word first: 409 with the window, then delivered and read on the handset", async () => {
  const who = await account();
  const to = phone(1);
  const refused = await chatRefused(who, "text", { to, message: "Your order is ready" });
  assert.equal(refused.status, 409);
  assert.equal(refused.code, "chat_window_closed");
  assert.deepEqual(refused.window, { last_inbound_at: null, closed_at: null });

  await handsetWrites(who, to, "Is it ready?");
  const sent = await chat(who, "text", { to, message: "Your order is ready" });
  assert.equal(sent.status, "queued");
  assert.equal(sent.charge, "held");
  const read = await chatReached(who, sent.id, "read");
  assert.equal(read.charge, "charged");
  // Statuses come each by a webhook of its own and may overtake each other: what a later one has passed is no step then.
  const steps = read.timeline.map(({ status }) => status);
  assert.deepEqual(
    steps,
    ["queued", "sending", "sent", "delivered", "read"].filter((status) => steps.includes(status)),
  );
  assert.deepEqual([steps[0], steps.at(-1)], ["queued", "read"]);
  const [shown] = (await who.handset(to)) as unknown as { text: string; message_id: string; channel: string }[];
  assert.equal(shown?.channel, "chat");
  assert.equal(shown?.text, "Your order is ready");
  assert.equal(shown?.message_id, sent.id);
  assert.equal((await who.wallet()).balance, KOBO("1000.00") - KOBO("1.00"));
});

test("POST /chat/send is the same as /chat/send/text, down to a repeat", async () => {
  const who = await account();
  await handsetWrites(who, phone(2));
  const body = { to: phone(2), message: "Once" };
  const first = await who.post<ChatMessage>("/chat/send", body, { "idempotency-key": "same" });
  const again = await who.post<ChatMessage>("/chat/send/text", body, { "idempotency-key": "same" });
  assert.equal(first.status, 202);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal(again.body.id, first.body.id);
});

test("a template is sent at any time, and reads as the recipient sees it", async () => {
  const who = await account();
  const sent = await chat(who, "template", template(phone(3)));
  await chatReached(who, sent.id, "read");
  const [shown] = await who.handset(phone(3));
  assert.equal(shown?.text, "Hello Ada, your order 4471 is ready.");
});

test("templates that can't be sent are refused before anything leaves", async () => {
  const who = await account();
  const before = (await messagesAt()).length;
  for (const [body, code, place] of [
    [template(phone(4), ["Ada"]), "template_variables_mismatch", "/variables/body"],
    [template(phone(4), ["Ada", "a\nb"]), "template_variables_mismatch", "/variables/body/1"],
    [{ ...template(phone(4)), language: "fr" }, "template_not_found", "/language"],
    [{ ...template(phone(4)), template: "nothing" }, "template_not_found", "/template"],
    [{ ...template(phone(4), ["Ada"]), template: "old_offer" }, "template_not_found", "/template"],
  ] as const) {
    const refused = await chatRefused(who, "template", body);
    assert.equal(refused.status, 422);
    assert.equal(refused.code, code);
    assert.equal(refused.errors?.[0]?.pointer, place);
  }
  assert.equal((await messagesAt()).length, before);
  assert.equal((await who.wallet()).held, 0n);
});

test("buttons and rows come back as what was pressed, with the message that they stood under", async () => {
  const who = await account();
  const to = phone(5);
  await handsetWrites(who, to);
  const sent = await chat(who, "interactive", {
    to,
    type: "list",
    body: "Pick a plan",
    list: { button: "Plans", sections: [{ rows: [{ id: "p1", title: "10 GB" }] }] },
  });
  await chatReached(who, sent.id, "read");
  const [shown] = await rig.vendors.chatMessages("whatsapp", to.slice(1));
  assert.ok(shown);
  const press = (id: string) =>
    who.post<Problem>(`/test/handsets/${to}/messages`, { channel: "chat", press: { message_id: sent.id, id } });
  assert.equal((await press("p2")).body.code, "invalid_state");
  assert.equal((await press("p1")).status, 202);
  const pressed = await waitFor("what was pressed", async () => (await received(who, to)).find(({ choice }) => choice));
  assert.deepEqual(pressed.choice, { id: "p1", title: "10 GB" });
  assert.equal(pressed.reply_to, sent.id);

  await rig.vendors.chatReply("whatsapp", to.slice(1), { reaction: { messageId: shown.id, emoji: "👍" } });
  const reacted = await waitFor("the reaction", async () => (await received(who, to)).find(({ reaction }) => reaction));
  assert.deepEqual(reacted.reaction, { message_id: sent.id, emoji: "👍" });

  const answer = await chat(who, "text", { to, message: "Thanks", reply_to: pressed.id });
  await chatReached(who, answer.id, "read");
  const quoting = (await rig.vendors.chatMessages("whatsapp", to.slice(1))).at(-1);
  assert.ok(quoting?.inReplyTo);
});

test("a file that a person sends is fetched and can be had, by its own account alone", async () => {
  const who = await account();
  const to = phone(6);
  await handsetWrites(who, to);
  const number = (await received(who, to))[0]!.to.slice(1);
  const bytes = Buffer.from("a small voice");
  await rig.vendors.chatReply("whatsapp", to.slice(1), {
    to: number,
    media: { kind: "audio", base64: bytes.toString("base64") },
  });
  const kept = await waitFor("the file", async () =>
    (await received(who, to)).find(({ media }) => media?.status === "kept"),
  );
  assert.equal(kept.media?.sha256, hash("sha256", bytes, "hex"));
  const get = (key: string) => fetch(`${rig.gateway.base}/chat/media/${kept.id}`, { headers: { "x-api-key": key } });
  const file = await get(who.key);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get("content-type"), "audio/ogg");
  assert.equal(file.headers.get("content-disposition"), "attachment");
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
  assert.equal((await get((await account()).key)).status, 404);

  await rig.vendors.chatReply("whatsapp", to.slice(1), { to: number, location: { latitude: 6.6, longitude: 3.35 } });
  const place = await waitFor("the place", async () => (await received(who, to)).find(({ location }) => location));
  assert.deepEqual(place.location, { latitude: 6.6, longitude: 3.35 });
});

test("an upload is sent by its id, and only by the account that made it", async () => {
  const who = await account();
  const other = await account();
  const to = phone(7);
  await handsetWrites(who, to);
  await handsetWrites(other, to);
  const form = new FormData();
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  form.set("file", new Blob([Buffer.from(png, "base64")], { type: "image/png" }), "receipt.png");
  const stored = await fetch(`${rig.gateway.base}/chat/media`, {
    method: "POST",
    headers: { "x-api-key": who.key },
    body: form,
  });
  assert.equal(stored.status, 201);
  const { media_id } = (await stored.json()) as { media_id: string };
  const sent = await chat(who, "media", { to, type: "image", media_id, caption: "Yours" });
  await chatReached(who, sent.id, "read");
  const shown = (await rig.vendors.chatMessages("whatsapp", to.slice(1))).at(-1);
  assert.equal(shown?.media?.caption, "Yours");
  const refused = await chatRefused(other, "media", { to, type: "image", media_id });
  assert.equal(refused.code, "media_refused");
});

test("a link to the inside is refused at its place, and nobody is called", async () => {
  const who = await account();
  await handsetWrites(who, phone(8));
  for (const url of [
    `${rig.gateway.base}/livez`,
    "https://127.0.0.1/a.png",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/a.png",
    "https://[::1]/a.png",
  ]) {
    const refused = await chatRefused(who, "media", { to: phone(8), type: "image", url });
    assert.equal(refused.code, "media_refused");
    assert.equal(refused.errors?.[0]?.pointer, "/url");
  }
});

test("who writes STOP by chat gets no marketing template any more, and everything else", async () => {
  const who = await account();
  const to = phone(9);
  const offer = { to, template: "news", language: "en_US", variables: { body: ["Ada"] } };
  await rig.vendors.chatTemplate("whatsapp", {
    name: "news",
    language: "en_US",
    category: "MARKETING",
    components: [{ type: "BODY", text: "Hi {{1}}, there is news." }],
  });
  // It is new: the list is asked for again, though not more than once a minute.
  await rig.db.query("update chat_template_lists set fetched_at = fetched_at - interval '2 minutes'");
  await chat(who, "template", offer);
  await handsetWrites(who, to, "Stop!");
  const refused = await chatRefused(who, "template", offer);
  assert.equal(refused.code, "recipient_opted_out");
  const { body } = await who.get<{ data: { phone: string }[] }>("/sms/suppressions");
  assert.deepEqual(
    body.data.map((entry) => entry.phone),
    [to],
  );
  await chat(who, "template", template(to));
  await handsetWrites(who, to, "START");
  await waitFor("the list is empty", async () => {
    const now = await who.get<{ data: unknown[] }>("/sms/suppressions");
    return now.body.data.length === 0 || undefined;
  });
});

test("a template with a part that can't be filled in is refused before anything is held, as a message and as a fallback", async () => {
  const who = await account();
  const to = phone(90);
  await rig.vendors.chatTemplate("whatsapp", {
    name: "cards",
    language: "en_US",
    category: "MARKETING",
    components: [
      { type: "BODY", text: "Look at these." },
      { type: "CAROUSEL", cards: [{ components: [{ type: "BODY", text: "One" }] }] },
    ],
  } as never);
  await rig.db.query("update chat_template_lists set fetched_at = fetched_at - interval '2 minutes'");
  const cards = { template: "cards", language: "en_US" };
  const refused = await chatRefused(who, "template", { to, ...cards });
  assert.deepEqual(
    [refused.status, refused.code, refused.errors?.[0]?.pointer],
    [422, "template_variables_mismatch", "/template"],
  );
  assert.match(refused.errors?.[0]?.detail ?? "", /carousel/);
  const fallback = { template: { name: "cards", language: "en_US" } };
  const instead = await chatRefused(who, "text", { to, message: "Hi", fallback });
  assert.equal(instead.errors?.[0]?.pointer, "/fallback/template/name");
  assert.equal((await who.wallet()).held, 0n);
  const { body } = await who.get<{ data: { name: string; unknown_parts?: string[] }[] }>("/chat/templates");
  assert.deepEqual(body.data.find(({ name }) => name === "cards")?.unknown_parts, ["carousel"]);
});

test("another account's messages, windows and numbers are not there", async () => {
  const who = await account();
  const other = await account();
  const to = phone(10);
  await handsetWrites(who, to);
  const sent = await chat(who, "text", { to, message: "Private" });
  const seen = await other.get<Problem>(`/chat/status/${sent.id}`);
  assertProblem(seen);
  assert.equal(seen.status, 404);
  assert.deepEqual((await other.get<{ open: boolean }>(`/chat/window/${to}`)).body.open, false);
  const window = await other.get<Problem>(`/chat/window/${to}?from=${encodeURIComponent(sent.from)}`);
  assert.equal(window.body.code, "sender_not_approved");
  assert.equal((await chatRefused(other, "text", { to, from: sent.from, message: "x" })).code, "sender_not_approved");
  const { body } = await other.get<{ data: unknown[] }>("/chat/messages");
  assert.deepEqual(body.data, []);
  await chatReached(who, sent.id, "read");
  const shown = (await other.get<{ messages: { channel: string }[] }>(`/test/handsets/${to}`)).body.messages;
  assert.deepEqual(shown, []);
});

test("the list has both directions, newest first, by pages, and its filters narrow it", async () => {
  const who = await account();
  const to = phone(11);
  await handsetWrites(who, to, "One");
  const sent = await chat(who, "text", { to, message: "Two", reference: "two" });
  await handsetWrites(who, phone(12), "Three");
  type Page = { data: (ChatMessage | ReceivedMessage)[]; has_more: boolean; next_cursor?: string };
  const list = async (query: string) => (await who.get<Page>(`/chat/messages?${query}`)).body;
  await waitFor("all three", async () => (await list("")).data.length === 3 || undefined);
  const directions = (page: Page) => page.data.map(({ direction }) => direction);
  assert.deepEqual(directions(await list("")), ["inbound", "outbound", "inbound"]);
  const first = await list("limit=2");
  assert.ok(first.has_more);
  const rest = await list(`limit=2&after=${first.next_cursor}`);
  assert.deepEqual(directions(rest), ["inbound"]);
  assert.equal((await list("reference=two")).data[0]?.id, sent.id);
  assert.deepEqual(directions(await list("direction=inbound")), ["inbound", "inbound"]);
  assert.deepEqual(directions(await list(`phone=${encodeURIComponent(to)}`)), ["outbound", "inbound"]);
});

test("a form that is none, has strange parts or ends too early is told what to send", async () => {
  const who = await account();
  const send = async (type: string, body: string) => {
    const headers = { "x-api-key": who.key, "content-type": type };
    const answer = await fetch(`${rig.gateway.base}/chat/media`, { method: "POST", headers, body });
    return [answer.status, ((await answer.json()) as Problem).code];
  };
  const part = (name: string, end: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\nhello${end}`;
  const form = "multipart/form-data; boundary=B";
  assert.deepEqual(await send("image/png", "PNG"), [415, "unsupported_media_type"]);
  assert.deepEqual(await send("application/json", "{}"), [415, "unsupported_media_type"]);
  assert.deepEqual(await send(form, part("picture", "\r\n--B--")), [400, "validation_failed"]);
  assert.deepEqual(await send(form, part("file", "")), [400, "malformed_request"]);
});

interface Row {
  readonly number: string;
  readonly end: string;
  readonly failure?: string;
  readonly charge: "charged" | "returned" | "held";
  readonly onAmbiguous?: "retry" | "fail";
  /** How often the vendor was called. */
  readonly calls: number;
}

/** The contract's table of test mode, for chat. */
const ROWS: readonly Row[] = [
  { number: "01", end: "failed", failure: "invalid_number", charge: "returned", calls: 1 },
  { number: "02", end: "failed", failure: "absent_subscriber", charge: "returned", calls: 1 },
  { number: "03", end: "failed", failure: "dnd", charge: "returned", calls: 1 },
  { number: "04", end: "read", charge: "charged", onAmbiguous: "retry", calls: 2 },
  { number: "04", end: "failed", failure: "outcome_unknown", charge: "returned", onAmbiguous: "fail", calls: 1 },
  { number: "05", end: "failed", failure: "outcome_unknown", charge: "returned", calls: 3 },
  { number: "06", end: "delivered", charge: "charged", calls: 1 },
  { number: "07", end: "read", charge: "charged", calls: 4 },
  // Nobody waits for 30 days here: 20 seconds stand for them.
  { number: "09", end: "failed", failure: "not_delivered", charge: "returned", calls: 1 },
];
test("every magic number ends as the contract says", { concurrency: true }, async (t) => {
  await Promise.all(
    ROWS.map(({ number, end, failure, charge, onAmbiguous, calls }) =>
      t.test(`…${number} ${onAmbiguous ?? ""} ends ${end}, ${failure ?? "well"}, ${charge}`, async () => {
        const who = await account();
        const to = `+23480000000${number}`;
        const sent = await chat(
          who,
          "template",
          template(to, ["Ada", "1"], onAmbiguous && { on_ambiguous: onAmbiguous }),
        );
        const ended = await chatReached(who, sent.id, end);
        assert.equal(ended.failure?.code, failure);
        assert.equal(ended.charge, charge);
        const own = (await messagesAt()).filter(({ body }) => body.includes(orderOf(sent.id)));
        assert.equal(own.length, calls);
      }),
    ),
  );
});

test("…08: the vendor takes a text in an open window and then says that it is closed: unpaid, and the window is corrected", async () => {
  const who = await account();
  const to = "+2348000000008";
  await handsetWrites(who, to);
  const sent = await chat(who, "text", { to, message: "Hello" });
  const failed = await chatReached(who, sent.id, "failed");
  assert.equal(failed.failure?.code, "chat_window_closed");
  assert.equal(failed.charge, "returned");
  const { body } = await who.get<{ open: boolean }>(`/chat/window/${encodeURIComponent(to)}`);
  assert.equal(body.open, false);
  assert.equal((await chatRefused(who, "text", { to, message: "Again" })).code, "chat_window_closed");
});

test("an answer that was lost is found again by the first status, and nothing is sent twice", async () => {
  const who = await account();
  const to = phone(13);
  await rig.vendors.scenario("whatsapp", "timeout_then_delivered", { recipient: to.slice(1) });
  const sent = await chat(who, "template", template(to, ["Ada", "1"], { on_ambiguous: "fail" }));
  const read = await chatReached(who, sent.id, "read");
  assert.equal(read.charge, "charged");
  const own = (await messagesAt()).filter(({ body }) => body.includes(orderOf(sent.id)));
  assert.equal(own.length, 1);
  assert.equal((await chatStatus(who, sent.id)).status, "read");
});

/** The order's id as it stands in `biz_opaque_callback_data`. */
const orderOf = (id: string): string => decodeId("msg", id) ?? assert.fail("an id of ours");

rig.provesItsLedger();
