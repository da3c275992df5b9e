import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { whatsappRig } from "../../testing/whatsapp-rig.ts";

const { client, provider, build } = await whatsappRig();

test("templates are listed with all that a message must know of them", async () => {
  const templates = await provider.templates?.();
  const named = (name: string) => templates?.find((template) => template.name === name);
  assert.deepEqual(named("receipt_link"), {
    name: "receipt_link",
    language: "en_US",
    category: "utility",
    status: "approved",
    header: { kind: "text", text: "Receipt {{1}}" },
    body: "Your receipt of {{1}} is ready.",
    buttons: [{ index: 0, kind: "url", text: "Open", url: "https://portal.example.ng/r/{{1}}" }],
    isNamed: false,
  });
  assert.deepEqual(named("weekend_offer")?.header, { kind: "image" });
  assert.deepEqual([named("delivery_day")?.isNamed, named("meter_reminder")?.language], [true, "ha"]);
  assert.deepEqual(
    ["old_offer", "new_offer", "login_code"].map((name) => named(name)?.status),
    ["paused", "pending", "approved"],
  );
});

test("all pages are read, however many there are", async () => {
  for (let index = 0; index < 230; index++)
    await client.chatTemplate("whatsapp", { name: `many_${index}`, language: "en_US" });
  const before = (await client.calls("whatsapp")).length;
  const templates = await provider.templates?.();
  assert.equal(templates?.filter(({ name }) => name.startsWith("many_")).length, 230);
  assert.equal(new Set(templates?.map(({ name }) => name)).size, templates?.length);
  assert.equal((await client.calls("whatsapp")).length - before, 3);
});

/** A Graph API that answers every list with this. */
async function listing(t: TestContext, page: (asked: number) => object | string) {
  let asked = 0;
  const server = createServer((_request, response) => {
    const body = page(asked++);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return { templates: () => build({ baseUrl: `http://127.0.0.1:${address.port}` }).templates?.(), asked: () => asked };
}

const TEMPLATE = {
  name: "one",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hello" }],
};

const BODY = TEMPLATE.components[0]!;
const button = (type: string) => ({ type: "BUTTONS", buttons: [{ type, text: "Go" }] });
const PARTS: readonly (readonly [what: string, parts: readonly object[], unknown: readonly string[] | undefined])[] = [
  ["a footer", [{ type: "FOOTER", text: "Bye" }], undefined],
  ["a picture", [{ type: "HEADER", format: "IMAGE" }], undefined],
  ["a reply", [button("QUICK_REPLY")], undefined],
  ["a phone to call", [button("PHONE_NUMBER")], undefined],
  ["a call over WhatsApp", [button("VOICE_CALL")], undefined],
  ["a button that asks for the phone", [button("REQUEST_CONTACT_INFO")], undefined],
  ["a question for calls", [{ type: "call_permission_request" }], undefined],
  ["a carousel", [{ type: "CAROUSEL", cards: [{ components: [BODY] }] }], ["carousel"]],
  [
    "a limited-time offer with its coupon",
    [
      { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Soon over", has_expiration: true } },
      button("COPY_CODE"),
    ],
    ["limited_time_offer", "copy_code button"],
  ],
  ["a GIF", [{ type: "HEADER", format: "GIF" }], ["gif header"]],
  ["a place on the map", [{ type: "HEADER", format: "LOCATION" }], ["location header"]],
  ["a product", [{ type: "HEADER", format: "PRODUCT" }], ["product header"]],
  ["a header without a format", [{ type: "HEADER" }], ["header"]],
  ["a catalogue", [button("CATALOG")], ["catalog button"]],
  ["several products", [button("MPM")], ["mpm button"]],
  ["one product", [button("SPM")], ["spm button"]],
  ["a flow", [button("FLOW")], ["flow button"]],
  ["an order to pay", [button("ORDER_DETAILS")], ["order_details button"]],
  ["a code's button outside of authentication", [button("OTP")], ["otp button"]],
  ["a part of later", [{ type: "HOLOGRAM" }], ["hologram"]],
  ["a button of later", [button("TELEPORT")], ["teleport button"]],
];
for (const [what, parts, unknown] of PARTS)
  test(`a template with ${what} ${unknown ? "has what we can't fill in" : "can be sent"}`, async (t) => {
    const data = [{ ...TEMPLATE, components: [BODY, ...parts] }];
    const { templates } = await listing(t, () => ({ data, paging: { cursors: { after: "a" } } }));
    const [listed] = (await templates()) ?? [];
    assert.deepEqual([listed?.unknownParts, listed?.isBodyOnly], [unknown, undefined]);
  });

test("a template of authentication has a button that takes its code, and one with a body alone is known as that", async (t) => {
  const data = [
    { ...TEMPLATE, category: "AUTHENTICATION", components: [BODY, button("OTP")] },
    { ...TEMPLATE, name: "two" },
  ];
  const { templates } = await listing(t, () => ({ data, paging: { cursors: { after: "a" } } }));
  assert.deepEqual(
    (await templates())?.map(({ unknownParts, isBodyOnly }) => [unknownParts, isBodyOnly]),
    [
      [undefined, undefined],
      [undefined, true],
    ],
  );
});

test("a page that is missing is no list at all: what was on it would look like templates that are gone", async (t) => {
  const { templates } = await listing(t, (asked) =>
    asked === 0 ? { data: [TEMPLATE], paging: { cursors: { after: "a" }, next: "x" } } : "<html>",
  );
  assert.equal(await templates(), undefined);
});

test("cursors that lead in a circle, or on without an end, are given up", async (t) => {
  const circle = await listing(t, () => ({ data: [], paging: { cursors: { after: "a" }, next: "x" } }));
  assert.equal(await circle.templates(), undefined);
  assert.equal(circle.asked(), 2);
  const endless = await listing(t, (asked) => ({ data: [], paging: { cursors: { after: `a${asked}` }, next: "x" } }));
  assert.equal(await endless.templates(), undefined);
  assert.equal(endless.asked(), 200);
});

test("a template in a form that we don't know, or that can't be stored, is left out, the others stay", async (t) => {
  const odd = (text: string) => ({ ...TEMPLATE, name: "odd", components: [{ type: "BODY", text }] });
  const data = [
    { ...TEMPLATE, category: "CARRIER_PIGEON" },
    { name: "x" },
    7,
    odd("a\0"),
    odd("half \ud83d"),
    { ...TEMPLATE, name: "n".repeat(5_000) },
    TEMPLATE,
  ];
  const { templates } = await listing(t, () => ({ data, paging: { cursors: { after: "a" } } }));
  assert.deepEqual(
    (await templates())?.map(({ name }) => name),
    ["one"],
  );
});
