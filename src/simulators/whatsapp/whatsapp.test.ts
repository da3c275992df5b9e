import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { waitFor } from "../../testing/wait-for.ts";
import { VendorControlError } from "../vendors/client.ts";
import { testVendors } from "../vendors/rig.ts";
import { MAGIC_PHONES } from "./magic.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const time = { aheadMs: 0 };
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) }, { clock: time });

interface Webhook {
  readonly raw: string;
  readonly signature: string;
  readonly statuses: readonly {
    readonly id: string;
    readonly status: string;
    readonly errors?: readonly { code: number }[];
  }[];
}
const webhooks: Webhook[] = [];
const receiver = createServer(async (request, response) => {
  let raw = "";
  for await (const chunk of request.setEncoding("utf8")) raw += chunk;
  const { entry } = JSON.parse(raw) as { entry: { changes: { value: Partial<Webhook> }[] }[] };
  const { statuses = [] } = entry[0]?.changes[0]?.value ?? {};
  webhooks.push({ raw, signature: String(request.headers["x-hub-signature-256"]), statuses });
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
teardown.push(() => {
  receiver.close();
  receiver.closeAllConnections();
});
const address = receiver.address();
assert.ok(typeof address === "object" && address);
await client.callbackUrl("whatsapp", `http://127.0.0.1:${address.port}/`);
await client.settings("whatsapp", { sentMs: 10, deliveredMs: 60, readMs: 110 });

interface Answer {
  readonly status: number;
  readonly body: {
    readonly messages?: readonly { readonly id: string }[];
    readonly error?: { readonly code: number; readonly error_data: { readonly details: string } };
    readonly contacts?: readonly { readonly wa_id: string }[];
  };
}

async function post(
  body: object,
  options: { number?: string; token?: string; timeoutMs?: number } = {},
): Promise<Answer> {
  const { number = "200000000000001", token = "simulated-access-token", timeoutMs = 5_000 } = options;
  const response = await fetch(`http://127.0.0.1:${ports.whatsapp}/v24.0/${number}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ messaging_product: "whatsapp", ...body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

let phones = 0;
const nextPhone = (): string => `23480313${String(++phones).padStart(5, "0")}`;
const text = (to: string) => ({ to: `+${to}`, type: "text", text: { body: "Hello" } });
const template = (name: string, components: readonly object[] = [], language = "en_US") => ({
  to: `+${nextPhone()}`,
  type: "template",
  template: { name, language: { code: language }, components },
});
const texts = (...values: readonly string[]) => values.map((value) => ({ type: "text", text: value }));
const hello = (to: string) => ({ ...template("hello_world"), to: `+${to}` });

const idOf = ({ body }: Answer): string => body.messages?.[0]?.id ?? "";
const codeOf = ({ body }: Answer): number | undefined => body.error?.code;
const words = (id: string): readonly string[] =>
  webhooks.flatMap(({ statuses }) =>
    statuses
      .filter((one) => one.id === id)
      .map(({ status, errors }) => `${status}${errors ? ` ${errors[0]?.code}` : ""}`),
  );
const told = (id: string, expected: readonly string[]) =>
  waitFor(expected.join(", "), () => words(id).length >= expected.length && words(id));

test("free text is taken at any time, and fails with 131047 unless the person wrote in the last 24 hours", async () => {
  const phone = nextPhone();
  assert.deepEqual(await told(idOf(await post(text(phone))), ["failed 131047"]), ["failed 131047"]);
  await client.chatReply("whatsapp", phone, { text: "Hi" });
  assert.deepEqual(await told(idOf(await post(text(phone))), ["sent", "delivered", "read"]), [
    "sent",
    "delivered",
    "read",
  ]);
  time.aheadMs += 86_400_000;
  assert.deepEqual(await told(idOf(await post(text(phone))), ["failed 131047"]), ["failed 131047"]);
  assert.deepEqual(await told(idOf(await post(hello(phone))), ["sent", "delivered", "read"]), [
    "sent",
    "delivered",
    "read",
  ]);
});

test("the window can be set for a phone and a number, and is open for that number alone", async () => {
  const phone = nextPhone();
  await client.chatWindow("whatsapp", phone, 86_390, "2347000000002");
  assert.deepEqual(await told(idOf(await post(text(phone))), ["failed 131047"]), ["failed 131047"]);
  const other = await post(text(phone), { number: "200000000000002" });
  await told(idOf(other), ["sent", "delivered", "read"]);
  await client.chatWindow("whatsapp", phone, null, "2347000000002");
  const closed = await post(text(phone), { number: "200000000000002" });
  assert.deepEqual(await told(idOf(closed), ["failed 131047"]), ["failed 131047"]);
});

const REFUSED: readonly (readonly [name: string, body: object, code: number])[] = [
  ["too few variables", template("order_update", [{ type: "body", parameters: texts("Ada") }]), 132000],
  ["no variables at all", template("order_update"), 132000],
  ["a template that there is not", template("no_such"), 132001],
  [
    "another language than the template's",
    template("order_update", [{ type: "body", parameters: texts("Ada", "1") }], "ha"),
    132001,
  ],
  ["one that is not approved yet", template("new_offer", [{ type: "body", parameters: texts("Ada") }]), 132001],
  ["a paused one", template("old_offer", [{ type: "body", parameters: texts("Ada") }]), 132015],
  ["a header without its picture", template("weekend_offer", [{ type: "body", parameters: texts("Ada") }]), 132012],
  [
    "names where there are none",
    template("order_update", [
      { type: "body", parameters: [{ type: "text", text: "a", parameter_name: "x" }, ...texts("b")] },
    ]),
    132018,
  ],
  [
    "no names where there are some",
    template("delivery_day", [{ type: "body", parameters: texts("a", "b", "c") }]),
    132018,
  ],
  ["a new line in a variable", template("order_update", [{ type: "body", parameters: texts("Ada", "1\n2") }]), 132018],
  [
    "a text too long once it is filled",
    template("order_update", [{ type: "body", parameters: texts("Ada", "x".repeat(1_100)) }]),
    132005,
  ],
  [
    "the value of a link among the body's",
    template("receipt_link", [
      { type: "header", parameters: texts("R-1") },
      { type: "body", parameters: texts("1", "r1") },
    ]),
    132000,
  ],
  [
    "a link without its value",
    template("receipt_link", [
      { type: "header", parameters: texts("R-1") },
      { type: "body", parameters: texts("1") },
    ]),
    131008,
  ],
  ["a text of 4,097 characters", { to: "+2348031300000", type: "text", text: { body: "x".repeat(4_097) } }, 100],
  ["an unknown file", { to: "+2348031300000", type: "image", image: { id: "1" } }, 131009],
  [
    "both file and link",
    { to: "+2348031300000", type: "image", image: { id: "1", link: "https://a.example.ng" } },
    100,
  ],
  ["itself", { to: "+2347000000001", type: "text", text: { body: "x" } }, 131021],
  ["nobody", { type: "text", text: { body: "x" } }, 131008],
];
for (const [name, body, code] of REFUSED)
  test(`${name} is refused at once with ${code}`, async () => assert.equal(codeOf(await post(body)), code));

test("without the plus a number is taken for one of the sender's own country", async () => {
  const { body } = await post({ ...hello("x"), to: "08030000001" });
  assert.equal(body.contacts?.[0]?.wa_id, "23408030000001");
});

test("another token is 190, another number is not there", async () => {
  assert.equal(codeOf(await post(hello(nextPhone()), { token: "x" })), 190);
  assert.equal(codeOf(await post(hello(nextPhone()), { number: "7" })), 100);
});

test("webhooks are escaped as Meta does, and signed over just these bytes", async () => {
  await client.chatReply("whatsapp", nextPhone(), { text: "ẹ / @" });
  const webhook = await waitFor("it", () => webhooks.find(({ raw }) => raw.includes("\\u1eb9 \\/ \\u0040")));
  const expected = createHmac("sha256", "simulated-app-secret").update(webhook.raw).digest("hex");
  assert.equal(webhook.signature, `sha256=${expected}`);
});

test("what a number and a pair may is steered", async () => {
  const phone = nextPhone();
  await client.settings("whatsapp", { pairEveryMs: 6_000, pairBurst: 2 });
  assert.deepEqual([codeOf(await post(hello(phone))), codeOf(await post(hello(phone)))], [undefined, undefined]);
  assert.equal(codeOf(await post(hello(phone))), 131056);
  time.aheadMs += 6_000;
  assert.deepEqual([codeOf(await post(hello(phone))), codeOf(await post(hello(phone)))], [undefined, 131056]);
  await client.settings("whatsapp", { pairEveryMs: 0, perNumberPerSecond: 2 });
  const codes = await Promise.all(Array.from({ length: 10 }, async () => codeOf(await post(hello(nextPhone())))));
  assert.ok(codes.includes(130429));
  await client.settings("whatsapp", { perNumberPerSecond: 100_000 });
});

const MAGIC: Readonly<Record<string, (phone: string) => Promise<void>>> = {
  "01": async (phone) => assert.equal(codeOf(await post(hello(phone))), 131026),
  "02": async (phone) => void (await told(idOf(await post(hello(phone))), ["sent", "failed 131036"])),
  "03": async (phone) => assert.equal(codeOf(await post(hello(phone))), 131050),
  "04": async (phone) => {
    await assert.rejects(post(hello(phone), { timeoutMs: 100 }), { name: "TimeoutError" });
    const second = idOf(await post(hello(phone)));
    await told(second, ["sent", "delivered", "read"]);
    const arrived = (await client.chatMessages("whatsapp", phone)).map(({ id }) => id);
    assert.deepEqual(arrived, [second]);
  },
  "05": async (phone) => {
    for (let one = 0; one < 3; one++)
      await assert.rejects(post(hello(phone), { timeoutMs: 100 }), { name: "TimeoutError" });
    assert.deepEqual(await client.chatMessages("whatsapp", phone), []);
  },
  "06": async (phone) => {
    const expected = ["delivered", "sent", "delivered", "sent", "delivered"];
    assert.deepEqual([...(await told(idOf(await post(hello(phone))), expected))].sort(), [...expected].sort());
  },
  "07": async (phone) => {
    for (let one = 0; one < 3; one++) assert.equal(codeOf(await post(hello(phone))), 130429);
    await told(idOf(await post(hello(phone))), ["sent", "delivered", "read"]);
  },
  "08": async (phone) => {
    await client.chatReply("whatsapp", phone, { text: "Hi" });
    await told(idOf(await post(text(phone))), ["failed 131047"]);
  },
  "09": async (phone) => {
    const id = idOf(await post(hello(phone)));
    await told(id, ["sent"]);
    assert.deepEqual(await client.chatMessages("whatsapp", phone), []);
  },
};
for (const [digits, { meaning }] of Object.entries(MAGIC_PHONES))
  test(`the magic phone ${digits}: ${meaning}`, async () => {
    const run = MAGIC[digits];
    assert.ok(run);
    await run(`23480000000${digits}`);
  });

test("a handset shows what arrived and whether it was read, and nothing before its time", async () => {
  const phone = nextPhone();
  await client.settings("whatsapp", { reads: false });
  await post(hello(phone));
  await waitFor("it", async () => (await client.chatMessages("whatsapp", phone)).length === 1);
  assert.equal((await client.chatMessages("whatsapp", phone))[0]?.read, false);
  await client.settings("whatsapp", { reads: true });
});

test("what the control API can't do it says, and nothing is told of it", async () => {
  const isRefused = (error: VendorControlError) => error instanceof VendorControlError && error.status === 400;
  const phone = nextPhone();
  for (const does of [{}, { press: { messageId: "x", id: "y" } }, { to: "2348000000000", text: "x" }])
    await assert.rejects(client.chatReply("whatsapp", phone, does), isRefused);
  await assert.rejects(client.chatError("whatsapp", { code: 1.5 }), isRefused);
  await assert.rejects(client.chatError("whatsapp", { code: 1, times: 0 }), isRefused);
  await assert.rejects(client.chatWindow("whatsapp", phone, -1), isRefused);
  await assert.rejects(client.chatMessages("vtpass", phone), (error: VendorControlError) => error.status === 404);
});
