import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { MEDIA_ID } from "../../src/chat/chat.examples.ts";
import { openApiFaults } from "../../src/testing/openapi-check.ts";
import { Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { EVENT_ID } from "../../src/webhooks/webhooks.examples.ts";
import { chat, handsetWrites, received } from "./chats.ts";
import { buy } from "./purchases.ts";
import { type Bulk, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { local } = rig;

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

const { body: document } = await local.get<Document>("/openapi.json");

/** Ids of real objects for the paths. */
const message = await local.send({ to: phone(1), message: "For the examples" });
const { body: bulk } = await local.post<Bulk>("/sms/bulk", { to: [phone(2)], message: "For the examples" });
await local.reached(message.id, "delivered");
const { body: topUp } = await buy(local, "/airtime/topup", { to: phone(4), amount: 100 });
const meter = "11111111111";
const { body: power } = await buy(local, "/electricity/purchase", {
  meter_number: meter,
  disco: "eko-electric",
  amount: 1_000,
  to: phone(5),
});
const { body: renewal } = await buy(local, "/cable/purchase", {
  smartcard_number: "1212121299",
  provider: "dstv",
  kind: "renew",
  to: phone(7),
});
await waitFor("the data plans", async () => {
  const { body } = await local.get<{ as_of: string | null }>("/airtime/data/plans");
  return body.as_of;
});

/** People of the examples have just written, so that they may be answered; one sent a file. */
for (const to of ["+2348031234567", phone(6)]) await handsetWrites(local, to);
const chatMessage = await chat(local, "text", { to: phone(6), message: "For the examples" });
await rig.vendors.chatReply("whatsapp", phone(6).slice(1), { to: chatMessage.from.slice(1), media: { kind: "image" } });
const withFile = await waitFor("the file", async () =>
  (await received(local, phone(6))).find(({ media }) => media?.status === "kept"),
);
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { media_id: mediaId } = (await (await upload(PIXEL)).json()) as { media_id: string };

/** Stands for the address of the examples. */
const receiver = await Receiver.start();
const { body: feed } = await local.get<{ data: readonly { id: string }[] }>("/events?limit=1");

/** Plans are changed with live keys; the local account keeps its own for the other examples. */
const liveCustomer = await rig.subscriber({ mode: "live", plan: "free" });

/** Section by section, the endpoints that the contract promises and that exist so far. */
const ENDPOINTS: readonly (readonly [method: string, path: string])[] = [
  ["post", "/sms/send"],
  ["post", "/sms/bulk"],
  ["get", "/sms/bulk/{bulk_id}"],
  ["post", "/sms/bulk/{bulk_id}/cancel"],
  ["get", "/sms/status/{message_id}"],
  ["post", "/sms/preview"],
  ["post", "/sms/cancel/{message_id}"],
  ["get", "/sms/messages"],
  ["get", "/sms/senders"],
  ["post", "/sms/senders"],
  ["get", "/sms/suppressions"],
  ["post", "/sms/suppressions"],
  ["delete", "/sms/suppressions/{phone}"],
  ["post", "/airtime/topup"],
  ["post", "/airtime/data"],
  ["get", "/airtime/data/plans"],
  ["get", "/airtime/status/{purchase_id}"],
  ["get", "/airtime/purchases"],
  ["get", "/airtime/receipt/{purchase_id}"],
  ["post", "/electricity/verify"],
  ["post", "/electricity/purchase"],
  ["get", "/electricity/discos"],
  ["get", "/electricity/status/{purchase_id}"],
  ["get", "/electricity/purchases"],
  ["get", "/electricity/receipt/{purchase_id}"],
  ["post", "/electricity/resend/{purchase_id}"],
  ["get", "/cable/providers"],
  ["get", "/cable/plans"],
  ["post", "/cable/verify"],
  ["post", "/cable/purchase"],
  ["get", "/cable/status/{purchase_id}"],
  ["get", "/cable/purchases"],
  ["get", "/cable/receipt/{purchase_id}"],
  ["post", "/chat/send"],
  ["post", "/chat/send/text"],
  ["post", "/chat/send/template"],
  ["post", "/chat/send/media"],
  ["post", "/chat/send/interactive"],
  ["post", "/chat/media"],
  ["get", "/chat/media/{message_id}"],
  ["get", "/chat/status/{message_id}"],
  ["get", "/chat/window/{phone}"],
  ["get", "/chat/templates"],
  ["get", "/chat/messages"],
  ["get", "/wallet"],
  ["post", "/wallet/topups"],
  ["get", "/wallet/topups"],
  ["get", "/wallet/topups/{topup_id}"],
  ["get", "/limits"],
  ["get", "/services"],
  ["get", "/subscriptions"],
  ["get", "/subscriptions/{service}"],
  ["put", "/subscriptions/{service}"],
  ["delete", "/subscriptions/{service}"],
  ["get", "/test/handsets/{phone}"],
  ["post", "/test/handsets/{phone}/messages"],
  ["get", "/test/meters/{meter_number}"],
];

for (const [method, path] of ENDPOINTS) {
  test(`the OpenAPI document describes ${method.toUpperCase()} ${path}`, () => {
    assert.ok(document.paths[path]?.[method], Object.keys(document.paths).join(" "));
  });
}

test("the running program's OpenAPI document is whole, with an example of every request and every outcome", () => {
  assert.deepEqual(openApiFaults(document), []);
});

const laterAt = new Date(Date.now() + 3_600_000).toISOString();
const PARAMETERS: Readonly<Record<string, (path: string) => Promise<string>>> = {
  bulk_id: async () => bulk.id,
  phone: async () => {
    await local.post("/sms/suppressions", { phone: phone(1) }); // for the endpoint that takes it back
    return encodeURIComponent(phone(1));
  },
  service: async () => "sms",
  order_id: async () => topUp.id,
  purchase_id: async (path) =>
    path.startsWith("/electricity") ? power.id : path.startsWith("/cable") ? renewal.id : topUp.id,
  meter_number: async () => meter,
  webhook_id: async () => {
    const { body } = await local.post<{ id: string }>("/webhooks", { url: receiver.url });
    return waitFor("an active webhook", async () => {
      const { status } = (await local.get<{ status: string }>(`/webhooks/${body.id}`)).body;
      return status === "active" && body.id;
    });
  },
  topup_id: async () =>
    (await local.post<{ id: string }>("/wallet/topups", { amount: "100.00", method: "link" })).body.id,
  message_id: async (path) => {
    if (path.startsWith("/chat")) return path.includes("/media/") ? withFile.id : chatMessage.id;
    return cancellable();
  },
};

const cancellable = async (): Promise<string> =>
  (await local.send({ to: phone(3), message: "To cancel", send_at: laterAt })).id;

/** The file of a form: what stands for it in the example is no file. */
function upload(bytes: Buffer): Promise<Response> {
  const form = new FormData();
  form.set("file", new Blob([Buffer.from(bytes)], { type: "image/png" }), "receipt.png");
  return fetch(`${rig.gateway.base}/chat/media`, { method: "POST", body: form, headers: { "x-api-key": local.key } });
}

/** An example's ids are nobody's: where one has to exist, a real one is put in its place. */
const withRealIds = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value)
          .replaceAll(MEDIA_ID, mediaId)
          .replaceAll(EVENT_ID, feed.data[0]!.id)
          .replaceAll(/https:\/\/example\.ng\/hooks\/\w+/g, receiver.url),
      );

async function filled(path: string): Promise<string> {
  let result = path;
  for (const [whole, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const value = PARAMETERS[name];
    assert.ok(value, `${path} has a parameter that this test does not know`);
    result = result.replace(whole, await value(path));
  }
  return result;
}

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const { "application/json": json, "multipart/form-data": form } = operation.requestBody?.content ?? {};
    const examples = Object.values((json ?? form)?.examples ?? {});
    for (const { summary, value } of examples.length > 0
      ? examples
      : [{ summary: "without a body", value: undefined }]) {
      test(`${method.toUpperCase()} ${path} works as its example says (${summary}), and answers as documented`, async () => {
        const at = await filled(path);
        const headers = path.startsWith("/subscriptions") ? { "x-api-key": liveCustomer.key } : {};
        if (form) {
          assert.equal((await upload(PIXEL)).status, 201);
          return;
        }
        const written = operation.responses[200]?.content?.["application/octet-stream"];
        if (written) {
          assert.equal((await fetch(`${rig.gateway.base}${at}`, { headers: { "x-api-key": local.key } })).status, 200);
          return;
        }
        if (operation.responses[200]?.content?.["text/event-stream"]) {
          const endless = await fetch(`${rig.gateway.base}${at}`, { headers: { "x-api-key": local.key } });
          assert.equal(endless.status, 200);
          await endless.body?.cancel();
          return;
        }
        const answer = await rig.gateway.call<unknown>(method.toUpperCase(), at, withRealIds(value), headers);
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
        if (answer.status === 204) return;
        const schema = operation.responses[answer.status]?.content?.["application/json"]?.schema;
        assert.ok(schema, `${answer.status} is documented`);
        const ajv = new Ajv({ strict: false, formats: { date: true, "date-time": true } });
        const fits = ajv.compile({ ...schema, components: document.components });
        assert.ok(fits(answer.body), ajv.errorsText(fits.errors));
      });
    }
  }
}

test("a message that everything happened to shows every field that the contract promises", async () => {
  // The serialiser drops what the schema does not name, so a field that was forgotten there would be missed in silence.
  const full = await local.send({
    to: "+2348000000010",
    message: "a".repeat(200),
    reference: "full",
    metadata: { a: "b" },
  });
  const ended = await local.ended(full.id);
  for (const field of ["reference", "metadata", "parts", "failure", "timeline", "network_guess", "price", "charge"])
    assert.ok(field in ended, field);
});

rig.provesItsLedger();
