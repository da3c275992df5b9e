import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import type { Contact, ProviderDefinition } from "../ports/provider.ts";
import { PURCHASES, purchaseTask, RecordingSink, TEST_DEPS } from "../testing/purchase-task.ts";
import { waitFor } from "../testing/wait-for.ts";
import { WHATSAPP_SETTINGS } from "../testing/whatsapp-rig.ts";
import { buypower } from "./buypower/index.ts";
import { paystack } from "./paystack/index.ts";
import { reloadly } from "./reloadly/index.ts";
import { vtpass } from "./vtpass/index.ts";
import { whatsappCloud } from "./whatsapp-cloud/index.ts";

/** What each vendor's own answers, and those of whoever else may stand there, show of our access. No question may buy anything. */

/** Status, body (an object as JSON) and headers, by what the URL ends with. */
type Script = Readonly<
  Record<string, readonly [status: number, body: object | string, headers?: Record<string, string>]>
>;

type Asked = Readonly<Record<"method" | "url" | "body", string>>;

function scripted(script: Script) {
  const asked: Asked[] = [];
  const fetchIt = (async (input: string | URL, init: RequestInit = {}) => {
    asked.push({
      method: init.method ?? "GET",
      url: String(input),
      body: typeof init.body === "string" ? init.body : "",
    });
    const [, answer] = Object.entries(script).find(([part]) => String(input).includes(part)) ?? [];
    assert.ok(answer, `nobody answers ${String(input)}`);
    const [status, body, headers = {}] = answer;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = { "content-type": typeof body === "string" ? "text/plain" : "application/json" };
    return new Response(status === 204 ? null : text, { status, headers: { ...type, ...headers } });
  }) as typeof fetch;
  return { fetchIt, asked };
}

const KEYS = { apiKey: "key", publicKey: "PK_public", secretKey: "SK_secret", baseUrl: "http://127.0.0.1:1" };
const SETTINGS: Readonly<Record<string, object>> = {
  vtpass: KEYS,
  reloadly: { clientId: "id", clientSecret: "hush", baseUrl: "https://topups-sandbox.reloadly.com" },
  buypower: { token: "hush", baseUrl: "http://127.0.0.1:1", checkSignature: false },
  "whatsapp-cloud": { ...WHATSAPP_SETTINGS, baseUrl: "http://127.0.0.1:1" },
};

interface Connection {
  start(): unknown;
  contact(): Contact | undefined;
  ready(): boolean | undefined;
  stop(): unknown;
}

function connectionTo(vendor: string, fetchIt: typeof fetch): Connection {
  if (vendor === "paystack") {
    const settings = { secretKey: "sk_test_hush", sandbox: true, customerEmail: "a+{account}@example.ng" };
    const built = paystack.build(settings, { ...TEST_DEPS, fetch: fetchIt });
    assert.ok(built.ok, JSON.stringify(built));
    const { value } = built;
    const { start, contact, stop } = value;
    return {
      start: start!.bind(value),
      contact: contact!.bind(value),
      ready: () => undefined,
      stop: stop!.bind(value),
    };
  }
  const definition = ([vtpass, reloadly, buypower, whatsappCloud] as readonly ProviderDefinition[]).find(
    ({ adapter }) => adapter === vendor,
  );
  const built = definition!.build("vendor", SETTINGS[vendor], { ...TEST_DEPS, fetch: fetchIt });
  assert.ok(built.ok, JSON.stringify(built));
  const { value } = built;
  return {
    start: () => value.start(new RecordingSink()),
    contact: () => value.contact?.(),
    ready: () => value.ready(),
    stop: () => value.stop(),
  };
}

async function contactWith(t: TestContext, vendor: string, script: Script) {
  const { fetchIt, asked } = scripted(script);
  const connection = connectionTo(vendor, fetchIt);
  t.after(() => connection.stop());
  assert.equal(connection.contact()?.state, "asking");
  connection.start();
  const contact = await waitFor("an answer", () => {
    const said = connection.contact();
    return said?.state === "asking" ? undefined : said;
  });
  return { contact, ready: connection.ready(), asked };
}

const BALANCE = { code: 1, contents: { balance: 1081.8199999998 } };
const UNKNOWN_REFERENCE = { code: "015", response_description: "INVALID REQUEST ID", requestId: "x" };
const vtpassSays = (balance: Script[string], requery: Script[string] = balance): Script => ({
  "/api/balance": balance,
  "/api/requery": requery,
});
const TOKEN: Script = { "/oauth/token": [200, { access_token: "t", expires_in: 86_400, token_type: "Bearer" }] };
const OPERATORS: Script = { "/operators/": [200, []] };
const reloadlySays = (balance: Script[string], token: Script = TOKEN): Script => ({
  ...token,
  ...OPERATORS,
  "/accounts/balance": balance,
});
const buypowerSays = (answer: Script[string]): Script => ({ "/v2/wallet/balance": answer });
const metaSays = (answer: Script[string]): Script => ({ "/phone_numbers": answer });
const graphError = (code: number, message: string) => ({
  error: { message, type: "OAuthException", code, fbtrace_id: "A1" },
});
const paystackSays = (answer: Script[string]): Script => ({ "/balance": answer });
const NUMBERS = WHATSAPP_SETTINGS.numbers.map(({ phoneNumberId }) => ({ id: phoneNumberId }));
const PAGE = "<!DOCTYPE html><html><title>Sign in</title></html>";

const vendors: Readonly<Record<string, (answer: Script[string]) => Script>> = {
  vtpass: vtpassSays,
  reloadly: reloadlySays,
  buypower: buypowerSays,
  "whatsapp-cloud": metaSays,
  paystack: paystackSays,
};

type Row = readonly [vendor: string, what: string, script: Script, state: string, words: RegExp];

const ROWS: readonly Row[] = [
  [
    "vtpass",
    "its balance, and that it never sold that",
    vtpassSays([200, BALANCE], [200, UNKNOWN_REFERENCE]),
    "reached",
    /^$/,
  ],
  [
    "vtpass",
    "a balance as text",
    vtpassSays([200, { code: 1, contents: { balance: "12.5" } }], [200, UNKNOWN_REFERENCE]),
    "reached",
    /^$/,
  ],
  [
    "vtpass",
    "087 with HTTP 200",
    vtpassSays([200, { code: "087", response_description: "INVALID CREDENTIALS" }]),
    "refused",
    /credentials are not valid/,
  ],
  [
    "vtpass",
    "087 of the secret key alone",
    vtpassSays([200, BALANCE], [200, { code: "087", response_description: "INVALID CREDENTIALS" }]),
    "refused",
    /credentials are not valid/,
  ],
  [
    "vtpass",
    "087 with HTTP 401",
    vtpassSays([401, { code: "087", response_description: "INVALID CREDENTIALS" }]),
    "refused",
    /credentials are not valid/,
  ],
  [
    "vtpass",
    "027",
    vtpassSays([200, { code: "027", response_description: "IP NOT WHITELISTED" }]),
    "refused",
    /IP address is not allowed/,
  ],
  ...(
    [
      ["021", "ACCOUNT LOCKED", /locked/],
      ["022", "ACCOUNT SUSPENDED", /suspended/],
      ["023", "API ACCESS NOT ENABLE FOR USER", /API access is off/],
      ["024", "ACCOUNT INACTIVE", /inactive/],
    ] as const
  ).map(
    ([code, response_description, words]): Row => [
      "vtpass",
      code,
      vtpassSays([200, { code, response_description }]),
      "refused",
      words,
    ],
  ),
  ["vtpass", "401 without a code", vtpassSays([401, { message: "Unauthenticated." }]), "refused", /401/],
  ["vtpass", "another's JSON", vtpassSays([200, { status: "ok" }]), "not_reached", /not what this vendor answers/],
  ["reloadly", "its balance", reloadlySays([200, { balance: 12.5, currencyCode: "NGN" }]), "reached", /^$/],
  [
    "reloadly",
    "wrong credentials",
    reloadlySays([200, {}], { "/oauth/token": [401, { errorCode: "INVALID_CREDENTIALS", message: "Access denied" }] }),
    "refused",
    /refuses our client id or secret.*401/,
  ],
  [
    "reloadly",
    "Auth0's own refusal",
    reloadlySays([200, {}], { "/oauth/token": [401, { error: "access_denied", error_description: "Unauthorized" }] }),
    "refused",
    /refuses our client id or secret/,
  ],
  [
    "reloadly",
    "a token of another environment",
    reloadlySays([403, { errorCode: "FORBIDDEN", message: "not allowed" }]),
    "refused",
    /refuses our token.*403.*environment/,
  ],
  [
    "reloadly",
    "a page where tokens should be",
    reloadlySays([200, {}], { "/oauth/token": [200, PAGE] }),
    "not_reached",
    /no access token.*HTML page/,
  ],
  ["buypower", "its balance", buypowerSays([200, { balance: "12.50" }]), "reached", /^$/],
  [
    "buypower",
    "its balance in the other place",
    buypowerSays([200, { status: "ok", data: { balance: 12.5 } }]),
    "reached",
    /^$/,
  ],
  [
    "buypower",
    "401",
    buypowerSays([401, { status: "error", message: "Unauthenticated" }]),
    "refused",
    /401: is the token right/,
  ],
  ["buypower", "403", buypowerSays([403, { status: "error", message: "Forbidden" }]), "refused", /403/],
  ["whatsapp-cloud", "our numbers", metaSays([200, { data: NUMBERS, paging: {} }]), "reached", /^$/],
  [
    "whatsapp-cloud",
    "190",
    metaSays([401, graphError(190, "Error validating access token")]),
    "refused",
    /access token has expired \(#190\)/,
  ],
  [
    "whatsapp-cloud",
    "190 with HTTP 400",
    metaSays([400, graphError(190, "Invalid OAuth access token")]),
    "refused",
    /#190/,
  ],
  ["whatsapp-cloud", "0", metaSays([401, graphError(0, "AuthException")]), "refused", /not valid \(#0\)/],
  [
    "whatsapp-cloud",
    "10",
    metaSays([403, graphError(10, "(#10) Permission denied")]),
    "refused",
    /permission is missing \(#10\)/,
  ],
  [
    "whatsapp-cloud",
    "200",
    metaSays([403, graphError(200, "(#200) Missing permissions")]),
    "refused",
    /permission is missing \(#200\)/,
  ],
  [
    "whatsapp-cloud",
    "another account's id",
    metaSays([400, graphError(100, "Unsupported get request")]),
    "refused",
    /wabaId/,
  ],
  ["whatsapp-cloud", "numbers without ours", metaSays([200, { data: NUMBERS.slice(1) }]), "refused", /phoneNumberId/],
  [
    "whatsapp-cloud",
    "the service is down",
    metaSays([503, graphError(2, "Service temporarily unavailable")]),
    "not_reached",
    /503/,
  ],
  [
    "paystack",
    "its balance",
    paystackSays([200, { status: true, message: "Balances retrieved", data: [{ currency: "NGN", balance: 0 }] }]),
    "reached",
    /^$/,
  ],
  [
    "paystack",
    "401",
    paystackSays([401, { status: false, message: "Invalid key" }]),
    "refused",
    /refuses our secret key \(HTTP 401\)/,
  ],
  [
    "paystack",
    "403",
    paystackSays([403, { status: false, message: "Your IP address is not allowed to make this call" }]),
    "refused",
    /IP address allowed/,
  ],
  // Whoever stands there instead of the vendor.
  ...Object.entries(vendors).flatMap(([vendor, says]) => [
    [vendor, "a proxy's page", says([200, PAGE, { "content-type": "text/html" }]), "not_reached", /HTML page/] as const,
    [
      vendor,
      "a firewall's page",
      says([403, PAGE, { "content-type": "text/html" }]),
      "refused",
      /HTML page.*IP address/,
    ] as const,
    [
      vendor,
      "a redirect",
      says([302, "", { location: "https://portal.example.ng/login?k=1" }]),
      "not_reached",
      /portal\.example\.ng/,
    ] as const,
    [vendor, "a vendor that is down", says([502, "Bad Gateway"]), "not_reached", /502/] as const,
    [vendor, "a path that is none", says([404, { message: "Not Found" }]), "not_reached", /404/] as const,
  ]),
];

for (const [vendor, what, script, state, words] of ROWS)
  test(`${vendor}: ${what} is ${state}`, async (t) => {
    const { contact, ready, asked } = await contactWith(t, vendor, script);
    assert.deepEqual([contact.state, contact.reachedAt !== null], [state, state === "reached"], contact.detail ?? "");
    assert.match(contact.detail ?? "", words);
    assert.doesNotMatch(contact.detail ?? "", /hush|SK_secret|PK_public|simulated-/);
    // A host that nobody reached may be back with the first order; keys that are refused are not.
    if (state !== "refused") assert.notEqual(ready, false);
    for (const { method, url } of asked)
      assert.ok(
        method === "GET" || url.endsWith("/oauth/token") || url.endsWith("/api/requery"),
        `${method} ${url} might buy something`,
      );
  });

test("a vendor that says we ask too often says nothing of our access", async (t) => {
  for (const [vendor, says] of Object.entries(vendors)) {
    const { fetchIt, asked } = scripted(says([429, { message: "Too Many Attempts." }]));
    const connection = connectionTo(vendor, fetchIt);
    t.after(() => connection.stop());
    connection.start();
    await waitFor("the question", () => asked.some(({ url }) => /balance|phone_numbers/.test(url)));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(connection.contact()?.state, "asking", vendor);
  }
});

test("nobody at the address: known at once by the connection, and orders may still try it", async (t) => {
  for (const vendor of ["vtpass", "buypower", "whatsapp-cloud"]) {
    const connection = connectionTo(vendor, fetch);
    t.after(() => connection.stop());
    connection.start();
    const contact = await waitFor("the failure", () => {
      const said = connection.contact();
      return said?.state === "asking" ? undefined : said;
    });
    assert.deepEqual([contact.state, connection.ready()], ["not_reached", true], vendor);
    assert.match(contact.detail ?? "", /ECONNREFUSED|bad port/, vendor);
  }
});

test("a host that takes the connection and says nothing is known by the time limit", async (t) => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const built = vtpass.build(
    "vendor",
    { ...KEYS, baseUrl: `http://127.0.0.1:${port}`, responseTimeoutMs: 200 },
    TEST_DEPS,
  );
  assert.ok(built.ok, JSON.stringify(built));
  await built.value.start(new RecordingSink());
  const contact = await waitFor("the time limit", () => {
    const said = built.value.contact?.();
    return said?.state === "asking" ? undefined : said;
  });
  assert.deepEqual([contact?.state, contact?.detail], ["not_reached", "no whole answer within 200 ms"]);
  await built.value.stop();
});

test("the reference that VTpass is asked by is none that an attempt can have", async () => {
  const built = vtpass.build("vendor", KEYS, TEST_DEPS);
  assert.ok(built.ok);
  const task = purchaseTask(built.value, PURCHASES.airtime, "2348031234567");
  const { fetchIt, asked } = scripted(vtpassSays([200, BALANCE], [200, UNKNOWN_REFERENCE]));
  const connection = connectionTo("vtpass", fetchIt);
  connection.start();
  await waitFor("both questions", () => asked.length === 2);
  await connection.stop();
  const { request_id: asked_for } = JSON.parse(asked.find(({ body }) => body !== "")!.body) as { request_id: string };
  assert.ok(asked_for.slice(0, 12) < task.reference!.slice(0, 12));
  assert.match(asked_for, /^[0-9a-z]+$/);
});
