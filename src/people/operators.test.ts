import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { HOUR_MS, MINUTE_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type Creation, TestPasskey } from "../testing/passkey.ts";
import { GOOD_PASSWORD, LOCAL_ORIGIN, makePeopleRig, newEmail, type PeopleRig } from "../testing/people-rig.ts";
import { codeOf } from "../testing/totp.ts";
import { makeOperators } from "./operators.service.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());
const operators = makeOperators({ db, clock: rig.clock });
const ADMIN = { kind: "operator", name: "ada" } as const;

type Browser = ReturnType<PeopleRig["browser"]>;

async function invited(email: string): Promise<string> {
  const made = await operators.invite(ADMIN, email);
  assert.ok(made.ok);
  return made.value.token;
}

let places = 0;
async function somebody() {
  const browser = rig.browser(`10.6.0.${++places}`);
  return { browser, ...(await browser.join()) };
}

const accept = async (browser: Browser, token: string) => (await browser.post("/operator/accept", { token })).status;
const isOperator = async (browser: Browser) => (await browser.session()).operator;

async function addPasskey(browser: Browser) {
  const { body } = await browser.post<{ options: Creation }>("/passkey/generate-register-options");
  const made = new TestPasskey(LOCAL_ORIGIN).made(body.options);
  return (await browser.post<{ id: string }>("/passkey/verify-registration", { name: "Phone", ...made })).body.id;
}

async function addCodes(browser: Browser) {
  const { body } = await browser.post<{ totpURI: string }>("/two-factor/enable", { password: GOOD_PASSWORD });
  await browser.post("/two-factor/verify-totp", { code: codeOf(body.totpURI) });
}

for (const [factor, add] of [
  ["a code", addCodes],
  ["a passkey", addPasskey],
] as const)
  test(`an invited person is an operator once ${factor} is their second factor, and no more without`, async () => {
    const { browser, email } = await somebody();
    assert.equal(await accept(browser, await invited(email)), 204);
    assert.equal(await isOperator(browser), false);
    const passkey = await add(browser);
    assert.equal(await isOperator(browser), true);
    const off =
      passkey === undefined
        ? await browser.post("/two-factor/disable", { password: GOOD_PASSWORD })
        : await browser.post("/passkey/delete-passkey", { id: passkey });
    assert.ok(off.status < 300);
    assert.equal(await isOperator(browser), false);
  });

test("a link works once, for thirty minutes, and for the invited address alone", async () => {
  const [{ browser, email }, other] = [await somebody(), await somebody()];
  const first = await invited(email);
  const token = await invited(email);
  assert.equal(await accept(browser, first), 422, "a newer one took its place");
  assert.equal(await accept(other.browser, token), 422);
  assert.equal(await accept(browser, token), 204);
  assert.equal(await accept(browser, token), 422);
  const late = await somebody();
  const old = await invited(late.email);
  rig.clock.advance(30 * MINUTE_MS);
  await late.browser.post("/confirm", { password: GOOD_PASSWORD });
  assert.equal(await accept(late.browser, old), 422);
  assert.deepEqual(await operators.invite(ADMIN, email).then((again) => again.ok), false);
});

test("whether a link is for this person is told before it is taken, and asking takes nothing", async () => {
  const [{ browser, email }, other] = [await somebody(), await somebody()];
  const token = await invited(email);
  const check = async (who: Browser, given: string) => (await who.post("/operator/check", { token: given })).status;
  assert.deepEqual([await check(browser, "no token"), await check(other.browser, token)], [422, 422]);
  assert.deepEqual([await check(browser, token), await check(browser, token)], [204, 204]);
  assert.equal(await accept(browser, token), 204);
  assert.equal(await check(browser, token), 422);
});

test("whoever is removed is no operator with the next request", async () => {
  const { browser, email } = await somebody();
  await accept(browser, await invited(email));
  await addPasskey(browser);
  assert.equal(await isOperator(browser), true);
  assert.ok((await operators.remove(ADMIN, email)).ok);
  assert.equal(await isOperator(browser), false);
  assert.equal((await operators.remove(ADMIN, email)).ok, false);
});

test("the audit log has who invited, who came and who removed", async () => {
  const { browser, email, session } = await somebody();
  await accept(browser, await invited(email));
  await operators.remove(ADMIN, email);
  const { rows } = await db.query<{ action: string; actor_kind: string; subject: string }>(
    "select action, actor_kind, subject from audit_log where action like 'operator.%' order by number desc limit 3",
  );
  assert.partialDeepStrictEqual(rows, [
    { action: "operator.remove", actor_kind: "operator", subject: session.person!.id },
    { action: "operator.join", actor_kind: "person", subject: session.person!.id },
    { action: "operator.invite", actor_kind: "operator" },
  ]);
});

test("an operator's session ends after an hour without use, and after eight hours with", async () => {
  const { browser, email } = await somebody();
  await accept(browser, await invited(email));
  const passkeyId = await addPasskey(browser);
  assert.ok(passkeyId);
  for (let part = 0; part < 10; part++) {
    rig.clock.advance(45 * MINUTE_MS);
    assert.ok((await browser.session()).person, `after ${(part + 1) * 45} minutes`);
  }
  rig.clock.advance(30 * MINUTE_MS + 1_000);
  assert.equal((await browser.session()).person, null, "eight hours");

  assert.equal((await browser.signIn(email)).status, 200);
  const { body: listed } = await browser.get<{ data: object[] }>("/list-sessions");
  assert.equal(listed.data.length, 1, "the ended one is not shown");
  rig.clock.advance(HOUR_MS + 1_000);
  assert.equal((await browser.session()).person, null, "an hour");

  const { browser: other } = await somebody();
  rig.clock.advance(11 * HOUR_MS);
  assert.ok((await other.session()).person, "anybody else's goes on");
});

test("the owner of a local account is an operator of the local gateway with a second factor, and of no other", async () => {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  const owner = rig.browser();
  await owner.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  assert.equal(await isOperator(owner), false);
  await addPasskey(owner);
  assert.equal(await isOperator(owner), true);
  const elsewhere = await makePeopleRig(database, db, {
    isLocal: false,
    publicUrl: "http://localhost:8080",
    mail: { smtpUrl: "smtp://127.0.0.1:1", from: "portal@example.ng" },
  });
  const copied = elsewhere.browser();
  for (const [name, value] of owner.jar) copied.jar.set(name, value);
  assert.partialDeepStrictEqual(await copied.session(), { person: { name: "Owner" }, operator: false });
  await elsewhere.part.close();
});

test("an invitation as operator lets a person sign up where only invited people may", async () => {
  const closed = await makePeopleRig(database, db, { file: { signUp: "invitation" } });
  const email = newEmail();
  const token = await invited(email);
  const browser = closed.browser("10.6.9.9");
  await browser.post("/sign-up/email", { name: "Obi", email, password: GOOD_PASSWORD });
  await browser.follow(await closed.linkTo(email));
  assert.deepEqual((await browser.session()).accounts, []);
  assert.equal(await accept(browser, token), 204);
  await closed.part.close();
});
