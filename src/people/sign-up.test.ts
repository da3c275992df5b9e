import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { accountOf, GOOD_PASSWORD, makePeopleRig, newEmail, tokenOf } from "../testing/people-rig.ts";
import { EVEN_MS } from "./evenly.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const signUp = (email: string, password = GOOD_PASSWORD, browser = rig.browser()) =>
  browser.post("/sign-up/email", { name: "Ada", email, password });

test("who signs up and opens the mail's link is signed in, and owns an account with play money", async () => {
  const browser = rig.browser();
  const { email, session } = await browser.join("Ada Obi");
  assert.match(session.person!.id, /^usr_/);
  assert.match(session.accounts[0]!.id, /^acc_/);
  assert.partialDeepStrictEqual(session, {
    object: "session",
    person: { name: "Ada Obi", email, email_verified: true, two_factor: false },
    accounts: [{ name: "Ada Obi", role: "owner" }],
    gateway: { local: true, sign_up: "open" },
  });
  const { rows } = await db.query<{ kobo: bigint }>(
    "select credits_posted - debits_posted as kobo from ledger_accounts where account_id = $1 and kind = 'wallet' and mode = 'test'",
    [await accountOf(db, email)],
  );
  assert.equal(rows[0]?.kobo, 100_000n);
});

test("before the address is confirmed nobody is signed in, and only the right password says why", async () => {
  const browser = rig.browser();
  const email = newEmail();
  await signUp(email, GOOD_PASSWORD, browser);
  assert.equal((await browser.session()).person, null);
  assert.partialDeepStrictEqual((await browser.signIn(email)).body, { status: 403, code: "email_not_verified" });
  assert.partialDeepStrictEqual((await browser.signIn(email, "another password")).body, { code: "wrong_credentials" });
  assert.equal((await browser.session()).person, null);
});

test("signing up answers alike for an address that is new, confirmed or not yet confirmed: text, cookies, time", async () => {
  const [confirmed, pending] = [(await rig.browser().join()).email, newEmail()];
  await signUp(pending);
  for (const email of [newEmail(), pending, confirmed, confirmed.toUpperCase()]) {
    const beganMs = performance.now();
    const answered = await signUp(email);
    assert.ok(performance.now() - beganMs >= EVEN_MS, "it ends with a whole step of time");
    assert.equal(answered.status, 200);
    assert.deepEqual(answered.body, { object: "sign_up", status: "mail_sent" });
    assert.match(
      answered.setCookies.join(),
      /^afara\.sign-up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  }
  await rig.linkTo(confirmed, 3);
  assert.match((await rig.mailsTo(confirmed))[0]!.subject, /already have an account/);
  const before = await db.query("select 1 from auth_people where email = $1", [confirmed]);
  assert.equal(before.rowCount, 1);
});

test("a stranger's password does not become that of the owner of the address, who signs up later", async () => {
  const email = newEmail();
  const stranger = rig.browser();
  await signUp(email, "the stranger's own words", stranger);
  const strangersLink = await rig.linkTo(email);
  const owner = rig.browser();
  await signUp(email, GOOD_PASSWORD, owner);
  const link = await rig.linkTo(email, 2);
  assert.equal((await stranger.follow(strangersLink)).headers.location, "/portal/sign-in?error=link_not_valid");
  await owner.follow(link);
  assert.equal((await owner.session()).person?.email, email);
  assert.equal((await rig.browser().signIn(email, "the stranger's own words")).status, 401);
});

test("of two who sign up with one address in the same moment, both are told the same, and one person is made", async () => {
  const email = newEmail();
  const answers = await Promise.all([signUp(email), signUp(email), signUp(email)]);
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(answers[0]!.status, 200);
  assert.equal((await db.query("select 1 from auth_people where email = $1", [email])).rowCount, 1);
});

test("a link that is opened twice signs nobody in again and makes no second account", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  const link = await rig.linkTo(email);
  const again = await browser.follow(link);
  assert.equal(again.headers.location, "/portal/sign-in?verified=true");
  assert.deepEqual(again.setCookies, []);
  const { rowCount } = await db.query(
    "select 1 from account_members m join auth_people p on p.id = m.person_id where p.email = $1",
    [email],
  );
  assert.equal(rowCount, 1);
});

test("a link that was changed is refused", async () => {
  const email = newEmail();
  await signUp(email);
  const token = tokenOf(await rig.linkTo(email));
  const [head, , signature] = token.split(".");
  const payload = Buffer.from(JSON.stringify({ email, exp: 9_999_999_999 })).toString("base64url");
  for (const bad of ["x", token.slice(0, -4), `${head}.${payload}.${signature}`, `${head}.${payload}.`]) {
    const answered = await rig.browser().post("/verify-email", { token: bad, password: GOOD_PASSWORD });
    assert.partialDeepStrictEqual(answered.body, { status: 422, code: "link_not_valid" });
  }
});

test("a mail names neither the person nor what they typed in", async () => {
  const email = newEmail();
  await rig.browser().post("/sign-up/email", { name: "Buy cheap airtime", email, password: GOOD_PASSWORD });
  await rig.linkTo(email);
  assert.doesNotMatch(JSON.stringify(await rig.mailsTo(email)), /cheap/);
});

for (const [password, isTaken] of [
  ["short one", false],
  ["1234567890", false],
  ["Qwertyuiop", false],
  ["password2026!", false],
  ["!!Basketball!!", false],
  ["aaaaaaaaaaaa", false],
  ["x".repeat(129), false],
  ["correct horse battery", true],
  ["ẹ káàárọ̀ o, ẹ kú iṣẹ́", true],
  ["x1y2z3w4-".repeat(14), true],
] as const)
  test(`"${password.slice(0, 30)}" (${password.length} characters) is ${isTaken ? "taken" : "refused"} as a password`, async () => {
    const answered = await signUp(newEmail(), password, rig.browser(`10.0.0.${password.length}`));
    assert.equal(answered.status, isTaken ? 200 : 400, answered.text);
    if (!isTaken)
      assert.partialDeepStrictEqual(answered.body, { code: "validation_failed", errors: [{ pointer: "/password" }] });
  });

test("the own address is no password", async () => {
  assert.equal((await signUp("ngozi.okafor@example.com", "Ngozi.Okafor")).status, 400);
  assert.equal((await signUp("ngozi.okafor@example.com", "ngozi.okafor@example.com")).status, 400);
});

for (const more of [
  { approved: true },
  { emailVerified: true },
  { email_verified: true },
  { role: "owner" },
  { id: "x" },
])
  test(`signing up takes no field ${Object.keys(more)[0]}`, async () => {
    const body = { name: "Ada", email: newEmail(), password: GOOD_PASSWORD, ...more };
    assert.equal((await rig.browser().post("/sign-up/email", body)).status, 400);
  });
