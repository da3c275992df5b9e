import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { insertAccount } from "../../src/accounts/accounts.repo.ts";
import { ROLES, type Role } from "../../src/accounts/roles.ts";
import { subscribe, waiveFees } from "../../src/accounts/subscriptions.repo.ts";
import { buildApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { encodeId, newUuid, type Uuid } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { MIGRATIONS_DIR, makeTestDatabase, SILENT } from "../../src/testing/database.ts";
import { makeDataDir } from "../../src/testing/gateway.ts";
import { signInPerson } from "../../src/testing/signed-in-person.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";

/** Every route of the real gateway that takes a key, asked by people with sessions. */

const SECRET = "secret of the tests, which is long enough";
const data = await makeDataDir();
const database = await makeTestDatabase();
const db = database.open();
const { config, faults } = await readConfig(
  {
    AFARA_DATA_DIR: data.dir,
    AFARA_CONFIG: (await writeTestConfig(data.dir)).path,
    DATABASE_URL: database.url,
    AFARA_PORT: "0",
    AFARA_ADMIN_PORT: "off",
    AFARA_ROLE: "api",
  },
  join(import.meta.dirname, "..", ".."),
);
assert.deepEqual(faults, []);
const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const app = await buildApp(config, {
  clock,
  log: SILENT,
  fetch,
  connection: database.connection,
  secret: SECRET,
  migrationsDir: MIGRATIONS_DIR,
});
const { port } = await app.start();
after(async () => {
  await app.stop({ drainSeconds: 0 });
  await data.remove();
});

const ROUTES = app.routes.filter(({ auth, method }) => auth !== "public" && method !== "HEAD");
const MODES = ["test", "live"] as const;
type Route = (typeof ROUTES)[number];
const nameOf = ({ method, url }: Route): string => `${method} ${url}`;

/** An account with every service. */
async function newAccount(): Promise<Uuid> {
  const id = newUuid();
  await insertAccount(db, { id, name: `Account ${id}` });
  await waiveFees(db, id);
  for (const [service, { plans }] of Object.entries(config.file.services))
    await subscribe(db, id, service, plans[0]!.id, new Date());
  return id;
}

const personIn = (accountId: Uuid, role: Role) => signInPerson(db, SECRET, accountId, role);
type Somebody = Awaited<ReturnType<typeof personIn>>;

/** What comes back: the code of a refusal, or else the status. */
async function ask(route: Route, who: Somebody, account: Uuid, mode: Mode, more: Record<string, string> = {}) {
  const url = route.url.replace(/:\w+/g, "x").replace("*", "x");
  const gone = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: route.method,
    headers: { ...who.headers, "afara-account": encodeId("acc", account), "afara-mode": mode, ...more },
    signal: gone.signal,
  });
  const isProblem = answer.headers.get("content-type")?.startsWith("application/problem+json");
  const code = isProblem ? ((await answer.json()) as { code: string }).code : String(answer.status);
  gone.abort(); // a stream would go on
  assert.ok(answer.status < 500, `${nameOf(route)}: ${answer.status}`);
  assert.notEqual(code, "not_subscribed", nameOf(route)); // it would stand before the role
  return code;
}

const A = await newAccount();
const B = await newAccount();
const people = new Map(await Promise.all(ROLES.map(async (role) => [role, await personIn(A, role)] as const)));
const stranger = await personIn(B, "owner");

const SPENDS = { test: ["owner", "developer"], live: ["owner"] } as const;
const BUILDS = { test: ["owner", "developer"], live: ["owner", "developer"] } as const;
const PAYS = { test: ["owner", "finance"], live: ["owner", "finance"] } as const;
const EVERYONE = { test: ROLES, live: ROLES } as const;
/** Who may do what changes something. A new route stands here once somebody has decided about it. */
const WRITES: Readonly<Record<string, Readonly<Record<Mode, readonly Role[]>>>> = {
  "DELETE /sms/suppressions/:phone": SPENDS,
  "POST /airtime/data": SPENDS,
  "POST /airtime/topup": SPENDS,
  "POST /cable/purchase": SPENDS,
  "POST /cable/verify": EVERYONE,
  "POST /chat/media": SPENDS,
  "POST /chat/send": SPENDS,
  "POST /chat/send/interactive": SPENDS,
  "POST /chat/send/media": SPENDS,
  "POST /chat/send/template": SPENDS,
  "POST /chat/send/text": SPENDS,
  "POST /electricity/purchase": SPENDS,
  "POST /electricity/resend/:purchase_id": SPENDS,
  "POST /electricity/verify": EVERYONE,
  "POST /sms/bulk": SPENDS,
  "POST /sms/bulk/:bulk_id/cancel": SPENDS,
  "POST /portal/api/sms/:message_id/again": SPENDS,
  "POST /sms/cancel/:message_id": SPENDS,
  "POST /sms/send": SPENDS,
  "POST /sms/suppressions": SPENDS,
  "POST /test/handsets/:phone/messages": SPENDS,
  "DELETE /portal/api/keys/:key_id": BUILDS,
  "DELETE /webhooks/:webhook_id": BUILDS,
  "PATCH /webhooks/:webhook_id": BUILDS,
  "POST /portal/api/keys": BUILDS,
  "POST /portal/api/keys/:key_id/roll": BUILDS,
  "POST /sms/senders": BUILDS,
  "POST /webhooks": BUILDS,
  "POST /webhooks/:webhook_id/replay": BUILDS,
  "POST /webhooks/:webhook_id/rotate": BUILDS,
  "POST /webhooks/:webhook_id/test": BUILDS,
  "DELETE /subscriptions/:service": PAYS,
  "POST /wallet/topups": PAYS,
  "PUT /subscriptions/:service": PAYS,
  "POST /sms/preview": EVERYONE,
  "DELETE /portal/api/views/:view_id": EVERYONE,
  "POST /portal/api/views": EVERYONE,
};

/** Keys and webhooks show to whom to send, and a meter the tokens that were bought for it. */
function readersOf({ url }: Route) {
  if (url.startsWith("/test/meters")) return SPENDS;
  return /^\/(?:portal\/api\/(?:keys|deliveries)|webhooks)/.test(url) ? BUILDS : EVERYONE;
}

test("of every route that changes something it is decided which role may", () => {
  const writes = ROUTES.filter(({ method }) => method !== "GET").map(nameOf);
  assert.deepEqual(writes.toSorted(), Object.keys(WRITES).toSorted());
});

for (const mode of MODES)
  for (const role of ROLES)
    test(`a ${role} may call in ${mode} mode what the role says, and nothing else`, async () => {
      for (const route of ROUTES) {
        const may: readonly Role[] = (route.method === "GET" ? readersOf(route) : WRITES[nameOf(route)])?.[mode] ?? [];
        const code = await ask(route, people.get(role)!, A, mode);
        assert.equal(code !== "scope_missing", may.includes(role), `${nameOf(route)}: ${code}`);
      }
    });

/** What a person confirms first, once their session is ten minutes old. A route that opens an account to others stands here. */
const CONFIRMED: readonly string[] = [
  "PATCH /webhooks/:webhook_id",
  "POST /portal/api/auth/operator/accept",
  "POST /portal/api/auth/organization/invite-member",
  "POST /portal/api/auth/organization/update-member-role",
  "POST /portal/api/auth/passkey/delete-passkey",
  "POST /portal/api/auth/passkey/generate-register-options",
  "POST /portal/api/auth/passkey/verify-registration",
  "POST /portal/api/auth/set-password",
  "POST /portal/api/auth/two-factor/disable",
  "POST /portal/api/auth/two-factor/enable",
  "POST /portal/api/auth/two-factor/generate-backup-codes",
  "POST /portal/api/keys",
  "POST /portal/api/keys/:key_id/roll",
  "POST /webhooks",
  "POST /webhooks/:webhook_id/rotate",
];

test("what opens an account to others is refused in an old session until it is confirmed, and the role counts before", async () => {
  const confirmed = app.routes.filter(({ config: { confirmed } }) => confirmed).map((route) => nameOf(route));
  assert.deepEqual(confirmed.toSorted(), CONFIRMED.toSorted());
  const [owner, viewer] = [await personIn(A, "owner"), await personIn(A, "viewer")];
  for (const { personId } of [owner, viewer]) {
    await db.query("update auth_people set two_factor_enabled = true where id = $1", [personId]);
    await db.query("update auth_sessions set created_at = now() - interval '11 minutes' where person_id = $1", [
      personId,
    ]);
  }
  for (const route of ROUTES) {
    const isOld = CONFIRMED.includes(nameOf(route));
    assert.equal((await ask(route, owner, A, "live")) === "confirmation_required", isOld, nameOf(route));
    if (isOld) assert.equal(await ask(route, viewer, A, "live"), "scope_missing", nameOf(route));
  }
});

test("another account is closed to them on every route, whatever their role in their own", async () => {
  for (const route of ROUTES)
    for (const mode of MODES) {
      assert.equal(await ask(route, stranger, A, mode), "not_a_member", nameOf(route));
      assert.equal(await ask(route, people.get("owner")!, B, mode), "not_a_member", nameOf(route));
    }
});

test("no route is open to another site, and none that changes something without the session's token", async () => {
  const owner = people.get("owner")!;
  for (const route of ROUTES) {
    assert.equal(await ask(route, owner, A, "live", { "sec-fetch-site": "cross-site" }), "cross_site_request");
    if (route.method !== "GET")
      assert.equal(await ask(route, owner, A, "live", { "afara-csrf": "x" }), "cross_site_request", nameOf(route));
  }
});

test("whoever was removed from the account, or signed out, is out on every route with the next request", async () => {
  const [removed, gone] = [await personIn(A, "owner"), await personIn(A, "owner")];
  await db.query("delete from account_members where person_id = $1", [removed.personId]);
  await db.query("delete from auth_sessions where person_id = $1", [gone.personId]);
  for (const route of ROUTES) {
    assert.equal(await ask(route, removed, A, "test"), "not_a_member", nameOf(route));
    assert.equal(await ask(route, gone, A, "test"), "session_ended", nameOf(route));
  }
});

test("a role that was taken away is gone with the next request", async () => {
  const demoted = await personIn(A, "owner");
  await db.query("update account_members set role = 'viewer' where person_id = $1", [demoted.personId]);
  for (const route of ROUTES)
    if (WRITES[nameOf(route)] && WRITES[nameOf(route)] !== EVERYONE)
      assert.equal(await ask(route, demoted, A, "live"), "scope_missing", nameOf(route));
});

test("odd cookies are refused, whatever they are, on every route of people, and nothing breaks", async () => {
  const owner = people.get("owner")!;
  const names = ["afara.session", "afara.two_factor", "afara.sign-up", "afara.trust_device", "afara.session_data"];
  const values = [
    "%",
    "%E0%A4%A",
    "a.b",
    "a.b.c",
    "%00",
    "=",
    "__proto__",
    '"x"',
    "é",
    `${"x".repeat(9_000)}.y`,
    "a.=",
  ];
  const [base, origin] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}`];
  const routes = app.routes.filter(({ url, method }) => url.startsWith("/portal/api/") && method !== "HEAD");
  for (const { method, url } of routes)
    for (const value of values) {
      const cookie = names.map((name) => `${name}=${value.slice(0, 1_500 * (name === names[0] ? 6 : 1))}`).join("; ");
      const answer = await fetch(`${base}${url.replace(/:\w+/g, "x")}`, {
        method,
        redirect: "manual",
        headers: {
          ...owner.headers,
          origin,
          cookie: Buffer.from(cookie).toString("latin1"),
          "content-type": "application/json",
        },
        ...(method !== "GET" && { body: JSON.stringify({ code: "123456" }) }),
      });
      await answer.arrayBuffer();
      assert.ok(answer.status < 500, `${method} ${url} with ${value.slice(0, 20)}: ${answer.status}`);
    }
  const twice = await fetch(`${base}/portal/api/keys`, {
    headers: { ...owner.headers, cookie: `${owner.headers.cookie}; ${stranger.headers.cookie}` },
  });
  assert.equal(twice.status, 401, "of two sessions none is meant");
});
