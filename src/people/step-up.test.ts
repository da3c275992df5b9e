import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type Creation, type Request, TestPasskey } from "../testing/passkey.ts";
import { GOOD_PASSWORD, LOCAL_ORIGIN, makePeopleRig, newEmail, type PeopleRig } from "../testing/people-rig.ts";
import { codeOf, nextCodeOf } from "../testing/totp.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

type Browser = ReturnType<PeopleRig["browser"]>;

let places = 0;
/** An owner; mails and attempts are counted by place. */
async function owner() {
  const browser = rig.browser(`10.7.0.${++places}`);
  const { email, session } = await browser.join();
  return { browser, email, personId: session.person!.id, account: session.accounts[0]!.id };
}

/** Sessions are asked again after ten minutes. */
const later = () => rig.clock.advance(10 * MINUTE_MS);

/** What opens an account, or one's own sign-in, to others. */
const acts = (account: string, memberId: string): Readonly<Record<string, object>> => ({
  "/organization/update-member-role": { organizationId: account, memberId, role: "owner" },
  "/organization/invite-member": { organizationId: account, email: newEmail(), role: "viewer" },
  "/two-factor/enable": {},
  "/two-factor/disable": {},
  "/two-factor/generate-backup-codes": {},
  "/passkey/generate-register-options": {},
  "/set-password": { newPassword: GOOD_PASSWORD },
});

const codeFrom = async (browser: Browser, path: string, body: object): Promise<string> => {
  const answered = await browser.post(path, path.endsWith("options") ? undefined : body);
  return answered.status < 300 ? "done" : String(answered.body.code);
};

test("who signed in within ten minutes does what opens an account to others; afterwards a confirmation is asked for", async () => {
  const { browser, account, personId } = await owner();
  for (const [path, body] of Object.entries(acts(account, personId)))
    assert.notEqual(await codeFrom(browser, path, body), "confirmation_required", path);
  later();
  for (const [path, body] of Object.entries(acts(account, personId)))
    assert.equal(await codeFrom(browser, path, body), "confirmation_required", path);
  for (const role of ["owner", "developer", "finance"]) {
    const guest = { organizationId: account, email: newEmail(), role };
    assert.equal(await codeFrom(browser, "/organization/invite-member", guest), "confirmation_required", role);
  }
});

test("a password confirms the session for ten minutes, a wrong one does not, and no other session", async () => {
  const { browser, email, account, personId } = await owner();
  const other = rig.browser();
  await other.signIn(email);
  later();
  const act = () =>
    codeFrom(browser, "/organization/update-member-role", {
      organizationId: account,
      memberId: personId,
      role: "owner",
    });
  assert.partialDeepStrictEqual((await browser.post("/confirm", { password: "not this one" })).body, {
    status: 401,
    code: "wrong_credentials",
  });
  assert.equal(await act(), "confirmation_required");
  assert.equal((await browser.post("/confirm", { password: GOOD_PASSWORD })).status, 200);
  assert.equal(await act(), "done");
  assert.equal(await codeFrom(other, "/passkey/generate-register-options", {}), "confirmation_required");
  later();
  assert.equal(await act(), "confirmation_required");
});

test("a password that is given with the act itself is confirmation enough", async () => {
  const { browser } = await owner();
  later();
  assert.partialDeepStrictEqual((await browser.post("/two-factor/enable", { password: "not this one" })).body, {
    code: "wrong_credentials",
  });
  assert.equal((await browser.post("/two-factor/enable", { password: GOOD_PASSWORD })).status, 200);
});

test("a code of the second factor confirms, once, and turns on nothing that is not on", async () => {
  const { browser } = await owner();
  const { body } = await browser.post<{ totpURI: string }>("/two-factor/enable", { password: GOOD_PASSWORD });
  assert.equal((await browser.post("/confirm", { code: codeOf(body.totpURI) })).body.code, "invalid_state");
  assert.partialDeepStrictEqual(await browser.session(), { person: { two_factor: false } });
  await browser.post("/two-factor/verify-totp", { code: codeOf(body.totpURI) });
  await browser.session();
  later();
  const code = nextCodeOf(body.totpURI);
  assert.equal((await browser.post("/confirm", { code: codeOf(body.totpURI, 0) })).body.code, "wrong_code");
  assert.equal((await browser.post("/confirm", { code })).status, 200);
  assert.equal(await codeFrom(browser, "/passkey/generate-register-options", {}), "done");
  assert.equal((await browser.post("/confirm", { code })).body.code, "wrong_code");
});

test("a passkey confirms its own person's session, and nobody else's", async () => {
  const { browser } = await owner();
  const passkey = new TestPasskey(LOCAL_ORIGIN);
  const { body } = await browser.post<{ options: Creation }>("/passkey/generate-register-options");
  await browser.post("/passkey/verify-registration", { name: "Phone", ...passkey.made(body.options) });
  const { browser: other } = await owner();
  later();
  const asked = async (who: Browser) =>
    (await who.post<{ options: Request & { allowCredentials: { id: string }[] } }>("/confirm/passkey-options")).body
      .options;
  const options = await asked(browser);
  assert.deepEqual(
    options.allowCredentials.map(({ id }) => id),
    [passkey.id],
  );
  const theirs = passkey.answer(await asked(other));
  assert.equal((await other.post("/confirm", { passkey: theirs })).body.code, "wrong_passkey");
  const unverified = passkey.answer(await asked(browser), { isVerified: false });
  assert.equal((await browser.post("/confirm", { passkey: unverified })).body.code, "wrong_passkey");
  const toSignIn = await browser.post<{ options: Request }>("/passkey/generate-authenticate-options");
  const meant = passkey.answer(toSignIn.body.options);
  assert.equal((await browser.post("/confirm", { passkey: meant })).body.code, "wrong_passkey");
  assert.equal(await codeFrom(browser, "/passkey/generate-register-options", {}), "confirmation_required");
  // A device need not say whose it is where one of a known person was asked for.
  const { user_handle: _, ...answer } = passkey.answer(options);
  assert.equal((await browser.post("/confirm", { passkey: answer })).status, 200);
  assert.equal(await codeFrom(browser, "/passkey/generate-register-options", {}), "done");
});

test("nothing that is given is no confirmation", async () => {
  const { browser } = await owner();
  later();
  assert.equal((await browser.post("/confirm", {})).body.code, "validation_failed");
  assert.equal(await codeFrom(browser, "/passkey/generate-register-options", {}), "confirmation_required");
});

test("whoever has copied a session can't guess the password with it, and the person gets in elsewhere meanwhile", async () => {
  const { browser, email } = await owner();
  later();
  const statuses = [];
  for (let tried = 0; tried < 11; tried++)
    statuses.push((await browser.post("/confirm", { password: `guess ${tried}` })).status);
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429]);
  assert.equal((await rig.browser("10.7.9.9").signIn(email)).status, 200);
});

test("strangers who use up the sign-ins of an address take nothing from a session of its person", async () => {
  const { browser, email } = await owner();
  const passkey = new TestPasskey(LOCAL_ORIGIN);
  const { body } = await browser.post<{ options: Creation }>("/passkey/generate-register-options");
  await browser.post("/passkey/verify-registration", { name: "Phone", ...passkey.made(body.options) });
  for (let tried = 0; tried < 50; tried++)
    await rig.browser(`10.8.${Math.floor(tried / 10)}.1`).signIn(email, "a wrong password");
  assert.equal((await rig.browser("10.8.9.1").signIn(email)).status, 429, "they are used up");
  assert.equal((await browser.post("/confirm", { password: GOOD_PASSWORD })).status, 200);
  assert.equal((await browser.post("/two-factor/enable", { password: GOOD_PASSWORD })).status, 200);
  const asked = await browser.post<{ options: Request }>("/confirm/passkey-options");
  assert.equal((await browser.post("/confirm", { passkey: passkey.answer(asked.body.options) })).status, 200);
  const change = { currentPassword: GOOD_PASSWORD, newPassword: "calm herons wade at dawn 3" };
  assert.equal((await browser.post("/change-password", change)).status, 200);
});

test("the owner of a local account is asked once there is something to ask for", async () => {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  const browser = rig.browser();
  await browser.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  await browser.session();
  later();
  assert.equal(await codeFrom(browser, "/set-password", { newPassword: GOOD_PASSWORD }), "done");
  assert.equal(await codeFrom(browser, "/passkey/generate-register-options", {}), "confirmation_required");
  const again = rig.browser();
  await again.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  await again.session();
  assert.equal(await codeFrom(again, "/passkey/generate-register-options", {}), "done", "the link is a confirmation");
});
