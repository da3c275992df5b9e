import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY_MS, HOUR_MS } from "../kernel/duration.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, makePeopleRig } from "../testing/people-rig.ts";
import { forgetEnded } from "./people.repo.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const NEW_PASSWORD = "eleven grey parrots";

/** A second browser with the same cookies: whoever copied them. */
function thief(jar: ReadonlyMap<string, string>) {
  const browser = rig.browser();
  for (const [name, value] of jar) browser.jar.set(name, value);
  return browser;
}

test("what has ended is deleted, and nothing else", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  await rig.browser().post("/sign-up/email", { name: "A", email: "never@example.com", password: GOOD_PASSWORD });
  await browser.post("/request-password-reset", { email });
  const count = async (table: string) => (await db.query(`select 1 from ${table}`)).rowCount!;
  await forgetEnded(db, rig.clock.now());
  const before = { people: await count("auth_people"), verifications: await count("auth_verifications") };
  assert.ok((await browser.session()).person);
  await forgetEnded(db, new Date(rig.clock.now().getTime() + 8 * DAY_MS));
  assert.equal(await count("auth_people"), before.people - 1);
  assert.equal(await count("auth_sessions"), 0);
  assert.ok(before.verifications > 0);
  assert.equal(await count("auth_verifications"), 0);
});

test("an unused session ends after twelve hours, and use moves its end on", async () => {
  const browser = rig.browser();
  await browser.join();
  rig.clock.advance(11 * HOUR_MS);
  assert.ok((await browser.session()).person);
  rig.clock.advance(11 * HOUR_MS);
  assert.ok((await browser.session()).person);
  rig.clock.advance(12 * HOUR_MS + 1_000);
  assert.equal((await browser.session()).person, null);
});

test("a session ends after thirty days, however much it is used", async () => {
  const browser = rig.browser();
  await browser.join();
  const keepInUse = () =>
    db.query("update auth_sessions set expires_at = $1", [new Date(rig.clock.now().getTime() + HOUR_MS)]);
  for (let half = 0; half < 59; half++) {
    rig.clock.advance(DAY_MS / 2);
    await keepInUse();
    assert.ok((await browser.session()).person, `half day ${half}`);
  }
  rig.clock.advance(DAY_MS / 2 + 1_000);
  await keepInUse();
  assert.equal((await browser.session()).person, null);
});

test("the cookie of whoever signed out is worth nothing any more", async () => {
  const browser = rig.browser();
  await browser.join();
  const copied = thief(browser.jar);
  const answered = await browser.post("/sign-out", {});
  assert.equal(answered.status, 200);
  assert.equal(browser.jar.has("afara.session"), false);
  assert.equal((await copied.session()).person, null);
});

test("a change of the password ends all sessions, the stolen one too, but the one that a new cookie is for", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  const [copied, elsewhere] = [thief(browser.jar), rig.browser()];
  await elsewhere.signIn(email);
  const change = { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD };
  assert.equal((await browser.post("/change-password", { ...change, currentPassword: "not this one" })).status, 401);
  assert.ok((await elsewhere.session()).person);
  assert.equal((await browser.post("/change-password", { ...change, newPassword: "1234567890" })).status, 400);

  assert.equal((await browser.post("/change-password", change)).status, 200);
  assert.equal((await browser.session()).person?.email, email);
  for (const ended of [copied, elsewhere]) assert.equal((await ended.session()).person, null);
  assert.equal((await elsewhere.signIn(email)).status, 401);
  assert.equal((await elsewhere.signIn(email, NEW_PASSWORD)).status, 200);
  await rig.linkTo(email, 2);
  assert.match((await rig.mailsTo(email))[0]!.subject, /was changed/);
});

test("sessions are listed without what they could be taken over with, and ended one by one or all others at once", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  const [second, third] = [rig.browser("10.1.2.3"), rig.browser()];
  await second.signIn(email);
  await third.signIn(email);
  type Listed = { data: readonly { id: string; current: boolean; ip_address: string; user_agent: string }[] };
  const { body, text } = await browser.get<Listed>("/list-sessions");
  assert.equal(body.data.length, 3);
  assert.deepEqual(
    body.data.map(({ current }) => current),
    [false, false, true],
  );
  assert.partialDeepStrictEqual(body.data[1], { ip_address: "10.1.2.3", user_agent: "Firefox of the tests" });
  for (const { jar } of [browser, second, third])
    assert.ok(!text.includes(decodeURIComponent(jar.get("afara.session")!).split(".")[0]!));

  assert.equal((await browser.post("/revoke-session", { id: body.data[1]!.id })).status, 200);
  assert.equal((await second.session()).person, null);
  assert.ok((await third.session()).person);
  assert.equal((await browser.post("/revoke-other-sessions", {})).status, 200);
  assert.equal((await third.session()).person, null);
  assert.ok((await browser.session()).person);
});

test("nobody ends another person's session", async () => {
  const [mine, theirs] = [rig.browser(), rig.browser()];
  await mine.join();
  await theirs.join();
  const { body } = await theirs.get<{ data: readonly { id: string }[] }>("/list-sessions");
  assert.equal((await mine.post("/revoke-session", { id: body.data[0]!.id })).status, 404);
  assert.ok((await theirs.session()).person);
});
