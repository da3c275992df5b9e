import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type Creation, type Odd, type Request, TestPasskey } from "../testing/passkey.ts";
import { GOOD_PASSWORD, LOCAL_ORIGIN, makePeopleRig, type PeopleRig } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

type Browser = ReturnType<PeopleRig["browser"]>;
interface Offered<Options> {
  readonly options: Options;
}

const offered = async (browser: Browser) =>
  (await browser.post<Offered<Creation & Record<string, unknown>>>("/passkey/generate-register-options")).body.options;
const asked = async (browser: Browser) =>
  (await browser.post<Offered<Request & Record<string, unknown>>>("/passkey/generate-authenticate-options")).body
    .options;

async function add(browser: Browser, passkey: TestPasskey, odd: Odd = {}) {
  const made = passkey.made(await offered(browser), odd);
  return browser.post<{ id: string; code?: string }>("/passkey/verify-registration", { name: "Phone", ...made });
}

const enter = async (browser: Browser, passkey: TestPasskey, odd: Odd = {}) =>
  browser.post("/passkey/verify-authentication", passkey.answer(await asked(browser), odd));

let places = 0;
/** Somebody with a passkey. */
async function withPasskey() {
  const browser = rig.browser(`10.8.0.${++places}`); // mails are counted by place
  const { email, session } = await browser.join();
  const passkey = new TestPasskey(LOCAL_ORIGIN);
  const added = await add(browser, passkey);
  assert.equal(added.status, 201, added.text);
  return { browser, email, passkey, id: added.body.id, personId: session.person!.id };
}

test("a passkey opens a session like any other, without a password or a code", async () => {
  const { email, passkey } = await withPasskey();
  const browser = rig.browser("10.1.2.3");
  const entered = await enter(browser, passkey);
  assert.deepEqual([entered.status, entered.body], [200, { object: "sign_in", twoFactorRedirect: false }]);
  assert.partialDeepStrictEqual(await browser.session(), { person: { email, passkeys: 1 } });
  const { body } = await browser.get<{ data: object[] }>("/list-sessions");
  assert.partialDeepStrictEqual(body.data[0], { current: true, ip_address: "10.1.2.3" });
  assert.equal((await browser.post("/sign-out", {})).status, 200, "the library ends it, too");
  assert.equal((await browser.session()).person, null);
});

test("a passkey is asked for by the host's name alone, and may be used without an address typed in", async () => {
  const { browser, passkey } = await withPasskey();
  const creation = await offered(browser);
  assert.partialDeepStrictEqual(creation, {
    rp: { id: "localhost" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [{ id: passkey.id, transports: ["internal"] }],
  });
  const request = await asked(rig.browser());
  assert.partialDeepStrictEqual(request, { rpId: "localhost", userVerification: "required" });
  assert.deepEqual(request.allowCredentials ?? [], [], "nobody is told whose passkeys there are");
});

test("several are added, listed with their last use, and removed one by one", async () => {
  const { browser, passkey, id } = await withPasskey();
  const second = new TestPasskey(LOCAL_ORIGIN);
  assert.equal((await add(browser, second)).status, 201);
  await enter(rig.browser(), passkey);
  const list = async () =>
    (
      await browser.get<{ data: { id: string; name: string; last_used_at: string | null }[] }>(
        "/passkey/list-user-passkeys",
      )
    ).body.data;
  const [first, other] = await list();
  assert.partialDeepStrictEqual(first, { id, name: "Phone" });
  assert.match(String(first?.last_used_at), /^\d{4}-/);
  assert.equal(other?.last_used_at, null);
  assert.equal((await browser.post("/passkey/delete-passkey", { id })).status, 204);
  assert.equal((await browser.post("/passkey/delete-passkey", { id })).status, 404);
  assert.equal((await enter(rig.browser(), passkey)).status, 401);
  assert.equal((await enter(rig.browser(), second)).status, 200);
  assert.deepEqual(
    (await list()).map((one) => one.id),
    [other?.id],
  );
});

test("the audit log has who added and removed one", async () => {
  const { browser, id, personId } = await withPasskey();
  await browser.post("/passkey/delete-passkey", { id });
  const { rows } = await db.query(
    "select action, actor_kind, details from audit_log where subject = $1 and action like 'passkey.%' order by number",
    [personId],
  );
  assert.deepEqual(rows, [
    { action: "passkey.add", actor_kind: "person", details: { passkey: id } },
    { action: "passkey.remove", actor_kind: "person", details: { passkey: id } },
  ]);
});

test("an answer is taken once", async () => {
  const { passkey } = await withPasskey();
  const browser = rig.browser();
  const answer = passkey.answer(await asked(browser));
  assert.equal((await browser.post("/passkey/verify-authentication", answer)).status, 200);
  const again = rig.browser();
  for (const [name, value] of browser.jar) if (name === "afara.passkey") again.jar.set(name, value);
  assert.partialDeepStrictEqual((await again.post("/passkey/verify-authentication", answer)).body, {
    code: "wrong_passkey",
  });
  assert.equal((await again.session()).person, null);
});

test("a challenge is good in the browser that asked for it, for ten minutes, and for what it was asked for", async () => {
  const { browser, passkey } = await withPasskey();
  const refused = async (who: Browser, answer: object, why: string) =>
    assert.partialDeepStrictEqual(
      (await who.post("/passkey/verify-authentication", answer)).body,
      { status: 401, code: "wrong_passkey" },
      why,
    );
  await refused(rig.browser(), passkey.answer(await asked(rig.browser())), "no cookie");
  const other = rig.browser();
  await asked(other);
  await refused(other, passkey.answer(await asked(rig.browser())), "another browser's");
  const slow = rig.browser();
  const late = passkey.answer(await asked(slow));
  rig.clock.advance(10 * MINUTE_MS);
  await refused(slow, late, "too late");
  await browser.post("/confirm", { password: GOOD_PASSWORD });
  const { challenge } = await offered(browser);
  await refused(browser, passkey.answer({ challenge, rpId: "localhost" }), "asked for to add one");
  const made = passkey.answer({ challenge: Buffer.alloc(56, 7).toString("base64url"), rpId: "localhost" });
  await refused(other, made, "none of ours");
});

test("with two pages of the sign-in open in a browser, either may be answered", async () => {
  const { passkey } = await withPasskey();
  const browser = rig.browser();
  const [first, second] = [await asked(browser), await asked(browser)];
  for (const page of [first, second])
    assert.equal((await browser.post("/passkey/verify-authentication", passkey.answer(page))).status, 200);
});

const ODD: Readonly<Record<string, Odd>> = {
  "was given to another site": { origin: "http://localhost.evil.example:8080" },
  "was given to another port": { origin: "http://localhost:9090" },
  "is of another site's passkey": { rpId: "evil.example" },
  "comes from a device that did not ask who holds it": { isVerified: false },
  "names another person": { userHandle: Buffer.alloc(16, 1).toString("base64url") },
  "is of another kind": { type: "webauthn.create" },
};
for (const [what, odd] of Object.entries(ODD))
  test(`an answer that ${what} opens nothing`, async () => {
    const { passkey } = await withPasskey();
    const browser = rig.browser();
    const { body, text } = await enter(browser, passkey, odd);
    assert.partialDeepStrictEqual(body, { status: 401, code: "wrong_passkey" }, text);
    assert.equal((await browser.session()).person, null);
  });

for (const what of ["was given to another site", "comes from a device that did not ask who holds it"])
  test(`a passkey is not added when the answer ${what}`, async () => {
    const browser = rig.browser();
    await browser.join();
    const refused = await add(browser, new TestPasskey(LOCAL_ORIGIN), ODD[what]);
    assert.partialDeepStrictEqual(refused.body, { status: 401, code: "wrong_passkey" });
  });

test("a signature of another key opens nothing, and a passkey that nobody added none either", async () => {
  const { passkey } = await withPasskey();
  const stranger = new TestPasskey(LOCAL_ORIGIN);
  const browser = rig.browser();
  const { user_handle } = passkey.answer(await asked(browser));
  const forged = { ...stranger.answer(await asked(browser)), id: passkey.id, user_handle };
  assert.equal((await browser.post("/passkey/verify-authentication", forged)).status, 401);
  assert.equal((await enter(browser, stranger, { userHandle: user_handle })).status, 401);
  assert.equal((await browser.session()).person, null);
});

test("a passkey belongs to one person, whoever else tries to add it", async () => {
  const { passkey, email } = await withPasskey();
  const browser = rig.browser();
  await browser.join();
  assert.partialDeepStrictEqual((await add(browser, passkey)).body, { status: 409, code: "invalid_state" });
  const entering = rig.browser();
  const { personId } = (
    await db.query('select person_id as "personId" from auth_passkeys where credential_id = $1', [
      Buffer.from(passkey.id, "base64url"),
    ])
  ).rows[0] as { personId: string };
  await enter(entering, passkey, {
    userHandle: Buffer.from(personId.replaceAll("-", ""), "hex").toString("base64url"),
  });
  assert.equal((await entering.session()).person?.email, email);
});

test("nobody removes another person's passkey", async () => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()];
  assert.equal((await mine.browser.post("/passkey/delete-passkey", { id: theirs.id })).status, 404);
  assert.equal((await enter(rig.browser(), theirs.passkey)).status, 200);
});

test("a device that does not count is taken again and again; a count that goes back is a copy's, and noted", async () => {
  const { passkey, personId, id } = await withPasskey();
  const statuses = [];
  for (const counter of [0, 0, 7, 7, 3, 0, 8]) statuses.push((await enter(rig.browser(), passkey, { counter })).status);
  assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401, 200]);
  const { rows } = await db.query("select details from audit_log where subject = $1 and action = 'passkey.counter'", [
    personId,
  ]);
  assert.deepEqual(
    rows.map(({ details }) => details),
    [7, 3, 0].map((reported) => ({ passkey: id, known: 7, reported })),
  );
});

test("of one answer that is sent many times at once one opens a session", async () => {
  const { passkey } = await withPasskey();
  const browser = rig.browser();
  const answer = passkey.answer(await asked(browser));
  const all = await Promise.all([...Array(8)].map(() => browser.post("/passkey/verify-authentication", answer)));
  assert.equal(all.filter(({ status }) => status === 200).length, 1);
});

test("whoever came by the link of a local gateway keeps a way in: the last passkey goes only after a password is set", async () => {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  const owner = rig.browser();
  await owner.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  assert.partialDeepStrictEqual(await owner.session(), { person: { has_password: false, passkeys: 0 } });
  const passkey = new TestPasskey(LOCAL_ORIGIN);
  const { body } = await add(owner, passkey);
  assert.equal((await enter(rig.browser(), passkey)).status, 200);
  const refused = await owner.post("/passkey/delete-passkey", { id: body.id });
  assert.partialDeepStrictEqual(refused.body, { status: 409, code: "invalid_state" });
  assert.equal((await owner.post("/set-password", { newPassword: "1234567890" })).status, 400);
  assert.equal((await owner.post("/set-password", { newPassword: GOOD_PASSWORD })).status, 200);
  assert.equal((await owner.post("/set-password", { newPassword: GOOD_PASSWORD })).status, 409);
  assert.equal((await owner.post("/passkey/delete-passkey", { id: body.id })).status, 204);
  const again = rig.browser();
  assert.equal((await again.signIn("owner@localhost.invalid")).status, 200);
  assert.partialDeepStrictEqual(await again.session(), { person: { has_password: true, passkeys: 0 } });
});

test("on an address in place of a name it is said where passkeys work", async () => {
  const at = { host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080" };
  const { body } = await rig.browser().post("/passkey/generate-authenticate-options", undefined, at);
  assert.partialDeepStrictEqual(body, { status: 409, code: "invalid_state" });
  assert.match(String(body.detail), /http:\/\/localhost:8080\./);
});

test("behind a proxy the public address counts, with its port, whatever the request says of its host", async () => {
  const publicUrl = "https://portal.example.ng:8443";
  const proxied = await makePeopleRig(database, db, { publicUrl });
  const browser = proxied.browser();
  const host = { host: "10.0.0.7:8080" };
  const { email } = await browser.join();
  const creation = await browser.post<Offered<Creation>>("/passkey/generate-register-options", undefined, host);
  assert.equal(creation.body.options.rp.id, "portal.example.ng");
  assert.match(
    String(creation.setCookies),
    /^__Host-afara\.passkey=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const passkey = new TestPasskey(publicUrl);
  const made = { name: "Phone", ...passkey.made(creation.body.options) };
  assert.equal((await browser.post("/passkey/verify-registration", made, host)).status, 201);
  const elsewhere = proxied.browser();
  const request = await elsewhere.post<Offered<Request>>("/passkey/generate-authenticate-options", undefined, host);
  const wrong = passkey.answer(request.body.options, { origin: "https://portal.example.ng" });
  assert.equal((await elsewhere.post("/passkey/verify-authentication", wrong, host)).status, 401);
  const again = await elsewhere.post<Offered<Request>>("/passkey/generate-authenticate-options", undefined, host);
  const answer = passkey.answer(again.body.options);
  assert.equal((await elsewhere.post("/passkey/verify-authentication", answer, host)).status, 200);
  assert.equal((await elsewhere.session()).person?.email, email);
  await proxied.part.close();
});

test("passkeys are tried sixty times in a quarter of an hour from one place", async () => {
  const { passkey } = await withPasskey();
  const answer = passkey.answer({ challenge: "AAAA", rpId: "localhost" });
  const statuses = [];
  for (let tried = 0; tried < 61; tried++)
    statuses.push((await rig.browser("10.9.9.9").post("/passkey/verify-authentication", answer)).status);
  assert.deepEqual(statuses.slice(-2), [401, 429]);
});

test("a person has twenty passkeys at most", async () => {
  const { browser } = await withPasskey();
  for (let more = 1; more < 20; more++) await add(browser, new TestPasskey(LOCAL_ORIGIN));
  const refused = await browser.post("/passkey/generate-register-options");
  assert.partialDeepStrictEqual(refused.body, { status: 409, code: "invalid_state" });
});
