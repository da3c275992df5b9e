import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { makePeopleRig, newEmail, tokenOf } from "../testing/people-rig.ts";
import { EVEN_MS } from "./evenly.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const NEW_PASSWORD = "eleven grey parrots";

async function askedFor() {
  const browser = rig.browser();
  const { email } = await browser.join();
  await rig.browser().post("/request-password-reset", { email, redirectTo: "https://evil.example/" });
  const link = await rig.linkTo(email, 2);
  return { browser, email, link, token: tokenOf(link) };
}
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  rig.browser().post("/reset-password", { token, newPassword });

test("asking for a new password is answered alike for known and unknown addresses: status, text, time", async () => {
  const { email } = await rig.browser().join();
  const unknown = newEmail();
  for (const who of [email, unknown])
    for (const path of ["/request-password-reset", "/send-verification-email"]) {
      const beganMs = performance.now();
      const answered = await rig.browser().post(path, { email: who });
      assert.ok(performance.now() - beganMs >= EVEN_MS, "it ends with a whole step of time");
      assert.equal(answered.status, 200);
      assert.deepEqual(answered.body, { object: "mail_request", status: "mail_sent" });
      assert.deepEqual(answered.setCookies, []);
    }
  await rig.linkTo(email, 2);
  assert.deepEqual(await rig.mailsTo(unknown), []);
});

test("a link for a new password works once, and ends every session, that of a stolen cookie too", async () => {
  const { browser, email, token } = await askedFor();
  assert.equal((await reset(token)).status, 200);
  assert.equal((await browser.session()).person, null);
  assert.partialDeepStrictEqual((await reset(token, "another good password")).body, {
    status: 422,
    code: "link_not_valid",
  });
  assert.equal((await rig.browser().signIn(email)).status, 401);
  assert.equal((await rig.browser().signIn(email, NEW_PASSWORD)).status, 200);
});

test("a new password, by link or by hand, makes earlier links for one worthless", async () => {
  const { email, token } = await askedFor();
  await rig.browser().post("/request-password-reset", { email });
  assert.equal((await reset(tokenOf(await rig.linkTo(email, 3)))).status, 200);
  assert.equal((await reset(token, "whoever read the older mail")).body.code, "link_not_valid");

  await rig.browser().post("/request-password-reset", { email });
  const third = tokenOf(await rig.linkTo(email, 5)); // the fourth says that the password was changed
  const browser = rig.browser();
  await browser.signIn(email, NEW_PASSWORD);
  const change = { currentPassword: NEW_PASSWORD, newPassword: "seven quiet rivers bend" };
  assert.equal((await browser.post("/change-password", change)).status, 200);
  assert.equal((await reset(third, "whoever read the older mail")).body.code, "link_not_valid");
});

test("of two who use a link in the same moment, one chooses the password", async () => {
  const { token } = await askedFor();
  const answers = await Promise.all([
    reset(token, "the first of two choices"),
    reset(token, "the second of two choices"),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
});

test("a link for a new password is good for an hour", async () => {
  const { token } = await askedFor();
  const { rows } = await db.query<{ seconds: number }>(
    "select max(extract(epoch from expires_at - now()))::float as seconds from auth_verifications",
  );
  assert.ok(rows[0]!.seconds > 3_500 && rows[0]!.seconds <= 3_600);
  await db.query("update auth_verifications set expires_at = now() - interval '1 second'");
  assert.equal((await reset(token)).status, 422);
});

test("the link leads to our own page, whatever the request says, and its token is nowhere in the database", async () => {
  const { link, token } = await askedFor();
  assert.ok(link.startsWith("http://localhost:8080/portal/reset-password?token="));
  const { rows } = await db.query<{ text: string }>("select to_jsonb(v)::text as text from auth_verifications v");
  assert.ok(rows.length > 0);
  for (const { text } of rows) assert.ok(!text.includes(token));
});

test("a password that is among the first to be tried is refused, and the link stays good", async () => {
  const { token } = await askedFor();
  assert.partialDeepStrictEqual((await reset(token, "1234567890")).body, { code: "validation_failed" });
  assert.equal((await reset(token)).status, 200);
});

test("a new password confirms no address", async () => {
  const email = newEmail();
  // Of its own address: the tests before have used up most of the mails of theirs.
  const browser = rig.browser("10.0.0.9");
  await browser.post("/sign-up/email", { name: "Ada", email, password: "the first good password" });
  await rig.linkTo(email);
  await browser.post("/request-password-reset", { email });
  assert.equal((await reset(tokenOf(await rig.linkTo(email, 2)))).status, 200);
  assert.partialDeepStrictEqual((await browser.signIn(email, NEW_PASSWORD)).body, { code: "email_not_verified" });
});
