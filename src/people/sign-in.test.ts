import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, LOCAL_ORIGIN, makePeopleRig, newEmail } from "../testing/people-rig.ts";
import { EVEN_MS } from "./evenly.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
const secure = await makePeopleRig(database, db, { publicUrl: "https://portal.example.ng" });
after(() => Promise.all([rig.part.close(), secure.part.close()]));

const cookieOf = (browser: { jar: Map<string, string> }, name = "afara.session") => browser.jar.get(name)!;

test("a wrong password and an unknown address are answered alike: status, text, time", async () => {
  const { email } = await rig.browser().join();
  const answers = [];
  for (const who of [email, newEmail()]) {
    const beganMs = performance.now();
    const answered = await rig.browser().signIn(who, "a password of nobody");
    assert.ok(performance.now() - beganMs >= EVEN_MS, "it ends with a whole step of time");
    const { request_id, ...problem } = answered.body;
    assert.match(String(request_id), /^req_/);
    answers.push({ status: answered.status, problem, cookies: answered.setCookies });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.partialDeepStrictEqual(answers[0], { status: 401, problem: { code: "wrong_credentials" }, cookies: [] });
});

test("on HTTPS the cookie is bound to this host, and on no network that can be read", async () => {
  const browser = secure.browser();
  const { email } = await browser.join();
  const { setCookies } = await secure.browser().signIn(email);
  assert.equal(setCookies.length, 1);
  assert.match(
    setCookies[0]!,
    /^__Host-afara\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("on a plain localhost the cookie is one that browsers take there", async () => {
  const { email } = await rig.browser().join();
  const { setCookies, text } = await rig.browser().signIn(email);
  assert.match(setCookies.join(), /^afara\.session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.deepEqual(JSON.parse(text), { object: "sign_in", twoFactorRedirect: false }, "no token is in the body");
});

test("signing in makes a new session, whatever cookie the browser had before", async () => {
  const { email } = await rig.browser().join();
  const first = rig.browser();
  await first.signIn(email);
  const planted = cookieOf(first);
  const victim = rig.browser();
  victim.jar.set("afara.session", planted);
  await victim.signIn(email);
  assert.notEqual(cookieOf(victim), planted);

  const unsigned = rig.browser();
  unsigned.jar.set("afara.session", "chosen-by-somebody-else");
  await unsigned.signIn(email);
  assert.doesNotMatch(cookieOf(unsigned), /chosen/);
});

test("a session is found by the whole cookie alone, and by one of the name", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  const value = cookieOf(browser);
  const [token, signature] = decodeURIComponent(value).split(".") as [string, string];
  const found = async (cookies: string) => (await rig.part.find(cookies))?.person.email;
  assert.equal(await found(`theme=dark; afara.session=${value}`), email);
  for (const cookies of [
    "",
    `afara.session=${token}`,
    `afara.session=${token}.`,
    `afara.session=${token}.${Buffer.from(signature, "base64").reverse().toString("base64")}`,
    `afara.session=${encodeURIComponent(`x${token}.${signature}`)}`,
    `xafara.session=${value}`,
    `__Host-afara.session=${value}`,
    `afara.session=${value}; afara.session=${value}`,
    "afara.session=%E0%A4%A",
  ])
    assert.equal(await found(cookies), undefined, cookies);
});

test("a session says who, in which accounts, with which role", async () => {
  const browser = rig.browser();
  const { email, session } = await browser.join("Bola");
  const found = await rig.part.find(`afara.session=${cookieOf(browser)}`);
  assert.partialDeepStrictEqual(found, {
    person: { name: "Bola", email, emailVerified: true, twoFactor: false },
    csrfToken: session.csrf_token,
    memberships: [{ accountName: "Bola", role: "owner" }],
  });
  assert.equal(rig.part.isNamed(`afara.session=${cookieOf(browser)}`), true);
  assert.equal(rig.part.isNamed("theme=dark"), false);
});

test("a token against forged requests belongs to one session", async () => {
  const { email } = await rig.browser().join();
  const [one, other] = [rig.browser(), rig.browser()];
  await one.signIn(email);
  await other.signIn(email);
  const theirs = (await other.session()).csrf_token!;
  assert.notEqual((await one.session()).csrf_token, theirs);
  for (const token of [theirs, "", undefined])
    assert.partialDeepStrictEqual((await one.post("/sign-out", {}, { "afara-csrf": token })).body, {
      status: 403,
      code: "cross_site_request",
    });
  assert.equal((await one.post("/sign-out", {})).status, 200);
});

for (const [what, headers, isTaken] of [
  ["our own origin", {}, true],
  ["our own origin, from a browser that says no more", { "sec-fetch-site": undefined }, true],
  ["no origin, but a browser that says it is our page", { origin: undefined }, true],
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
  ["another site that a browser calls ours", { origin: "https://evil.example" }, false],
  ["another port of this machine", { origin: "http://localhost:3000", "sec-fetch-site": "same-site" }, false],
  ["an origin that begins like ours", { origin: `${LOCAL_ORIGIN}.evil.example` }, false],
  ["no origin that could be told", { origin: "null" }, false],
  ["no word of where it comes from", { origin: undefined, "sec-fetch-site": undefined }, false],
  ["our origin, but across sites", { "sec-fetch-site": "cross-site" }, false],
  ["a name that leads here for a moment", { origin: "http://evil.example", host: "evil.example" }, false],
  ["a forwarded host that nobody vouches for", { "x-forwarded-host": "evil.example" }, true],
] as const)
  test(`a request from ${what} is ${isTaken ? "taken" : "refused"}`, async () => {
    const body = { email: newEmail(), password: GOOD_PASSWORD };
    const { status } = await rig.browser().post("/sign-in/email", body, headers);
    assert.equal(status, isTaken ? 401 : 403);
  });

test("the outbox of a local gateway is not read through a name that leads here for a moment", async () => {
  const outbox = (host: string) => rig.app.inject({ url: "/portal/api/outbox", headers: { host } });
  assert.equal((await outbox("evil.example")).statusCode, 403);
  const { email } = await rig.browser().join();
  const answered = await outbox("localhost:8080");
  const [newest] = answered.json<{ data: readonly object[] }>().data;
  assert.partialDeepStrictEqual(newest, { to: email, subject: "Confirm your address for Afara" });
});

test("a gateway in production has no outbox, and without a way to send mails no sign-in", async () => {
  const bare = await makePeopleRig(database, db, { isLocal: false });
  assert.equal((await bare.browser().ask("GET", "/portal/api/outbox")).status, 404);
  assert.equal((await bare.browser().signIn(newEmail())).status, 404);
  assert.partialDeepStrictEqual(await bare.browser().session(), {
    person: null,
    gateway: { local: false, sign_up: "invitation" },
  });
});
