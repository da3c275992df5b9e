import assert from "node:assert/strict";
import { after, test } from "node:test";
import { HOUR_MS } from "../kernel/duration.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, makePeopleRig, newEmail } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

/** Counts begin anew on the hour: none of these tests may meet one. */
const toNextHour = () => rig.clock.advance(HOUR_MS - (rig.clock.now().getTime() % HOUR_MS));

test("passwords of an address are guessed ten times in a quarter of an hour from one place, known address or not", async () => {
  const { email } = await rig.browser("10.0.0.1").join();
  for (const who of [email, newEmail()]) {
    toNextHour();
    const statuses = [];
    for (let tried = 0; tried < 11; tried++)
      statuses.push((await rig.browser("10.0.0.2").signIn(who, "a wrong password")).status);
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429]);
    const { body, headers } = await rig.browser("10.0.0.2").signIn(who);
    assert.partialDeepStrictEqual(body, { code: "rate_limited", policy: "sign-in", limit: 10, window_seconds: 900 });
    assert.match(String(headers["retry-after"]), /^\d+$/);
  }
  assert.equal((await rig.browser("10.0.0.3").signIn(email)).status, 200, "the person elsewhere is not shut out");
});

test("an address whose letters are in upper case is the same address", async () => {
  toNextHour();
  const email = newEmail();
  for (let tried = 0; tried < 10; tried++) await rig.browser("10.0.1.1").signIn(email.toUpperCase(), "wrong password");
  assert.equal((await rig.browser("10.0.1.1").signIn(email, "wrong password")).status, 429);
});

test("from one place sixty passwords, codes and links are tried in a quarter of an hour, whatever a header says", async () => {
  toNextHour();
  const statuses = new Set<number>();
  for (let tried = 0; tried < 61; tried++) {
    const browser = rig.browser("2001:db8:1:2::5");
    const forwarded = { "x-forwarded-for": `10.5.5.${tried}`, "x-afara-address": `10.6.6.${tried}` };
    statuses.add((await browser.post("/reset-password", { token: "x", newPassword: GOOD_PASSWORD }, forwarded)).status);
  }
  assert.deepEqual([...statuses], [422, 429]);
  const neighbour = await rig.browser("2001:db8:1:2:ffff::9").signIn(newEmail());
  assert.equal(neighbour.status, 429, "an IPv6 network is one place");
  assert.equal((await rig.browser("2001:db8:1:3::5").signIn(newEmail())).status, 401);
});

test("five mails an hour go to an address from one place, however they are brought about", async () => {
  toNextHour();
  const { email } = await rig.browser("10.0.2.1").join();
  const statuses = [];
  for (const path of [
    "/request-password-reset",
    "/sign-up/email",
    "/send-verification-email",
    "/request-password-reset",
    "/request-password-reset",
    "/request-password-reset",
  ])
    statuses.push(
      (
        await rig
          .browser("10.0.2.2")
          .post(path, { email, ...(path === "/sign-up/email" && { name: "A", password: GOOD_PASSWORD }) })
      ).status,
    );
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  const own = await rig.browser("10.0.2.3").post("/request-password-reset", { email });
  assert.equal(own.status, 200, "the person elsewhere still gets theirs");
});

test("fifteen mails an hour go to an address, from however many places", async () => {
  toNextHour();
  const { email } = await rig.browser("10.0.3.1").join();
  const statuses = [];
  for (let place = 2; place < 17; place++)
    statuses.push((await rig.browser(`10.0.3.${place}`).post("/request-password-reset", { email })).status);
  assert.deepEqual(statuses, [...Array<number>(14).fill(200), 429]);
});
