import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { openApiFaults } from "../../src/testing/openapi-check.ts";
import { type Bulk, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { local } = rig;

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly "application/json": Media } };
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
const PARAMETERS: Readonly<Record<string, () => Promise<string>>> = {
  bulk_id: async () => bulk.id,
  phone: async () => {
    await local.post("/sms/suppressions", { phone: phone(1) }); // for the endpoint that takes it back
    return encodeURIComponent(phone(1));
  },
  service: async () => "sms",
  topup_id: async () =>
    (await local.post<{ id: string }>("/wallet/topups", { amount: "100.00", method: "link" })).body.id,
  message_id: async () => (await local.send({ to: phone(3), message: "To cancel", send_at: laterAt })).id,
};

async function filled(path: string): Promise<string> {
  let result = path;
  for (const [whole, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const value = PARAMETERS[name];
    assert.ok(value, `${path} has a parameter that this test does not know`);
    result = result.replace(whole, await value());
  }
  return result;
}

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const examples = Object.values(operation.requestBody?.content["application/json"].examples ?? {});
    for (const { summary, value } of examples.length > 0
      ? examples
      : [{ summary: "without a body", value: undefined }]) {
      test(`${method.toUpperCase()} ${path} works as its example says (${summary}), and answers as documented`, async () => {
        const at = await filled(path);
        const headers = path.startsWith("/subscriptions") ? { "x-api-key": liveCustomer.key } : {};
        const answer = await rig.gateway.call<unknown>(method.toUpperCase(), at, value, headers);
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
        if (answer.status === 204) return;
        const schema = operation.responses[answer.status]?.content?.["application/json"]?.schema;
        assert.ok(schema, `${answer.status} is documented`);
        const ajv = new Ajv({ strict: false, formats: { "date-time": true } });
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
