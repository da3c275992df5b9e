import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testVendors } from "../vendors/rig.ts";

/** What the vendor's clients send and ask for, besides what Afara does itself. */
const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const { ports } = await testVendors({ after: (end: () => void) => void teardown.push(end) });

/** The members of a Graph API answer that are looked at; each path has some of them. */
interface GraphAnswer {
  readonly id?: string;
  readonly name?: string;
  readonly success?: boolean;
  readonly error?: { readonly code: number };
  readonly contacts?: readonly { readonly wa_id: string }[];
  readonly components?: readonly { readonly text?: string }[];
  readonly data?: readonly GraphItem[];
  readonly paging?: { readonly next?: string };
}

interface GraphItem {
  readonly id?: string;
  readonly name?: string;
  readonly whatsapp_business_api_data?: { readonly name: string };
}

async function graph(method: string, path: string, body?: object | URLSearchParams | FormData) {
  const isRaw = body instanceof URLSearchParams || body instanceof FormData;
  const response = await fetch(`http://127.0.0.1:${ports.whatsapp}${path}`, {
    method,
    headers: { authorization: "Bearer simulated-access-token" },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as GraphAnswer };
}
const WABA = "/v24.0/100000000000001";
const NUMBER = "/v24.0/200000000000001";

const post = (body: object) => graph("POST", `${NUMBER}/messages`, { messaging_product: "whatsapp", ...body });
const template = (name: string) => ({
  to: "+2348031399000",
  type: "template",
  template: { name, language: { code: "en_US" }, components: [] },
});
const hello = (to: unknown) => ({ ...template("hello_world"), to });

for (const [to, waId] of [
  ["2348031399001", "2348031399001"],
  ["+2348031399001", "2348031399001"],
  ["234 803 139-9001", "2348031399001"],
  ["16505551234", "16505551234"],
  ["8031399001", "2348031399001"],
  [2_348_031_399_001, "2348031399001"],
] as const)
  test(`${JSON.stringify(to)} is ${waId}`, async () => {
    const { body } = await post(hello(to));
    assert.equal(body.contacts?.[0]?.wa_id, waId);
  });

const interactive = (type: string, action: object, more: object = { body: { text: "Look" } }) => ({
  to: "+2348031399002",
  type: "interactive",
  interactive: { type, action, ...more },
});
const products = (count: number) => [
  { title: "New", product_items: Array.from({ length: count }, (_, index) => ({ product_retailer_id: `p${index}` })) },
];
const WITH_HEADER = { header: { type: "text", text: "Shop" }, body: { text: "Look" } };

const TAKEN: readonly (readonly [name: string, body: object])[] = [
  ["a product", interactive("product", { catalog_id: "c1", product_retailer_id: "p1" })],
  ["a product without a text", interactive("product", { catalog_id: "c1", product_retailer_id: "p1" }, {})],
  ["a list of products", interactive("product_list", { catalog_id: "c1", sections: products(30) }, WITH_HEADER)],
  ["a catalogue", interactive("catalog_message", { name: "catalog_message" })],
  ["a request for a location", interactive("location_request_message", { name: "send_location" })],
  ["a request for an address", interactive("address_message", { name: "address_message", parameters: {} })],
  [
    "a flow",
    interactive("flow", { name: "flow", parameters: { flow_message_version: "3", flow_id: "1", flow_cta: "Open" } }),
  ],
];
for (const [name, body] of TAKEN) test(`${name} is taken`, async () => assert.equal((await post(body)).status, 200));

const NOT_TAKEN: readonly (readonly [name: string, body: object])[] = [
  ["a product of no catalogue", interactive("product", { product_retailer_id: "p1" })],
  ["31 products", interactive("product_list", { catalog_id: "c1", sections: products(31) }, WITH_HEADER)],
  ["products without a header", interactive("product_list", { catalog_id: "c1", sections: products(1) })],
  ["a request for a location by another name", interactive("location_request_message", { name: "location" })],
  ["a request for a location without a text", interactive("location_request_message", { name: "send_location" }, {})],
  ["a kind that there is not", interactive("constructor", {})],
];
for (const [name, body] of NOT_TAKEN)
  test(`${name} is refused`, async () => assert.equal((await post(body)).status, 400));

test("a form with its objects as JSON is a message too, without a version and with the token in the query", async () => {
  const form = new URLSearchParams({
    messaging_product: "whatsapp",
    to: "2348031399003",
    type: "template",
    template: JSON.stringify({ name: "hello_world", language: { code: "en_US" } }),
    biz_opaque_callback_data: "plain",
  });
  assert.equal((await graph("POST", `${NUMBER}/messages`, form)).status, 200);
  const url = `http://127.0.0.1:${ports.whatsapp}/200000000000001/messages?access_token=simulated-access-token`;
  assert.equal((await fetch(url, { method: "POST", body: form })).status, 200);
});

test("what a message says along is a text, though it look like JSON", async () => {
  const answer = await post({ ...hello("2348031399004"), biz_opaque_callback_data: '{"a":1}' });
  assert.equal(answer.status, 200);
});

test("a file's id is below 2^53, and may be written as a number", async () => {
  const form = new FormData();
  form.set("file", new Blob(["a"], { type: "application/octet-stream" }), "a.png");
  form.set("type", "image/png");
  const { body } = await graph("POST", `${NUMBER}/media?messaging_product=whatsapp`, form);
  assert.ok(Number.isSafeInteger(Number(body.id)) && String(Number(body.id)) === body.id, String(body.id));
  const to = "+2348031399005";
  assert.equal((await post({ to, type: "image", image: { id: Number(body.id) } })).status, 200);
});

const namesIn = ({ body }: { readonly body: GraphAnswer }) => (body.data ?? []).map(({ name }) => name);

test("templates are found by status, category, language, name and text", async () => {
  const find = async (query: string) => namesIn(await graph("GET", `${WABA}/message_templates?${query}`));
  assert.deepEqual(await find("status=PAUSED"), ["old_offer"]);
  assert.deepEqual((await find("category=AUTHENTICATION")).toSorted(), ["login_code"]);
  assert.deepEqual(await find("language=ha"), ["meter_reminder"]);
  assert.deepEqual(await find("content=verification"), ["login_code"]);
  assert.deepEqual(await find("name_or_content=statement"), ["monthly_statement"]);
  assert.deepEqual(await find("name=order_update&fields=name,status"), ["order_update"]);
  assert.deepEqual(await find('status=["PAUSED","PENDING"]'), ["old_offer", "new_offer"]);
  assert.deepEqual(await find("status=REJECTED"), []);
});

test("a template is made, read by its id, changed and deleted", async () => {
  const made = {
    name: "made_here",
    language: "en_US",
    category: "UTILITY",
    components: [{ type: "BODY", text: "Hi" }],
  };
  const { body } = await graph("POST", `${WABA}/message_templates`, made);
  for (const path of [`/v24.0/${body.id}`, `${WABA}/message_templates/${body.id}`])
    assert.equal((await graph("GET", `${path}?fields=name`)).body.name, "made_here");
  await graph("POST", `/v24.0/${body.id}`, { components: [{ type: "BODY", text: "Hello" }] });
  assert.equal((await graph("GET", `/v24.0/${body.id}`)).body.components?.[0]?.text, "Hello");
  assert.equal((await graph("DELETE", `${WABA}/message_templates?name=made_here`)).body.success, true);
  assert.deepEqual(namesIn(await graph("GET", `${WABA}/message_templates?name=made_here`)), []);
  assert.equal((await graph("DELETE", `${WABA}/message_templates?name=made_here`)).status, 400);
  assert.equal((await post(template("made_here"))).body.error?.code, 132001);
});

test("an account, its numbers, their profiles and its webhooks are set up as at the vendor", async () => {
  assert.equal((await graph("GET", `${WABA}?fields=id,name`)).body.id, "100000000000001");
  const { body: numbers } = await graph("GET", `${WABA}/phone_numbers?limit=2`);
  assert.deepEqual(
    numbers.data?.map(({ id }) => id),
    ["200000000000001", "200000000000002"],
  );
  const next = await fetch(numbers.paging?.next ?? "", { headers: { authorization: "Bearer simulated-access-token" } });
  const { data } = (await next.json()) as { data: { id: string; display_phone_number: string }[] };
  assert.deepEqual([data[0]?.id, data[0]?.display_phone_number], ["200000000000003", "+234 700 000 0003"]);
  const { body: one } = await graph("GET", `${NUMBER}?fields=quality_rating,throughput`);
  assert.deepEqual(one, { quality_rating: "GREEN", throughput: { level: "STANDARD" }, id: "200000000000001" });

  assert.deepEqual((await graph("GET", `${WABA}/subscribed_apps`)).body.data, []);
  assert.equal((await graph("POST", `${WABA}/subscribed_apps`)).body.success, true);
  const { body: apps } = await graph("GET", `${WABA}/subscribed_apps`);
  assert.equal(apps.data?.[0]?.whatsapp_business_api_data?.name, "Simulated app");
  assert.equal((await graph("DELETE", `${WABA}/subscribed_apps`)).body.success, true);
  assert.deepEqual((await graph("GET", `${WABA}/subscribed_apps`)).body.data, []);

  const profile = { messaging_product: "whatsapp", about: "Open", websites: ["https://a.example.ng"] };
  assert.equal((await graph("POST", `${NUMBER}/whatsapp_business_profile`, profile)).body.success, true);
  const read = await graph("GET", `${NUMBER}/whatsapp_business_profile?fields=about`);
  assert.deepEqual(read.body.data, [{ about: "Open", messaging_product: "whatsapp" }]);
  for (const edge of ["register", "request_code", "verify_code", "deregister", "settings"])
    assert.equal((await graph("POST", `${NUMBER}/${edge}`, { pin: "123456" })).body.success, true);
  assert.equal((await graph("GET", `${NUMBER}/phone_numbers`)).status, 400);
  assert.equal((await graph("GET", `${WABA}/messages`)).status, 400);
});
