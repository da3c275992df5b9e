import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, makePeopleRig, newEmail, tokenOf } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const STRANGERS = "the stranger's own words";

async function signUp(email: string, password = GOOD_PASSWORD) {
  const browser = rig.browser();
  await browser.post("/sign-up/email", { name: "Ada", email, password });
  return browser;
}

test("of two who signed up with an address, its owner's click opens no way in for the other", async () => {
  const email = newEmail();
  const owner = await signUp(email);
  const link = await rig.linkTo(email);
  const stranger = await signUp(email, STRANGERS);
  for (const one of [link, await rig.linkTo(email, 2)]) await owner.follow(one);
  assert.equal((await owner.session()).person, null);
  assert.equal((await stranger.signIn(email, STRANGERS)).body.code, "email_not_verified");
});

test("a link that only a scanner of mails, or the owner of the address, opens confirms no stranger's sign-up", async () => {
  const email = newEmail();
  const stranger = await signUp(email, STRANGERS);
  const link = await rig.linkTo(email);
  const elsewhere = rig.browser();
  const answered = await elsewhere.follow(link);
  assert.equal(answered.headers.location, `/portal/verify?token=${tokenOf(link)}`);
  assert.deepEqual(answered.setCookies, []);
  for (const password of [undefined, GOOD_PASSWORD]) {
    const body = { token: tokenOf(link), ...(password && { password }) };
    const refused = await elsewhere.post("/verify-email", body);
    assert.partialDeepStrictEqual(refused.body, { status: 401, code: "wrong_credentials" });
  }
  assert.equal((await stranger.signIn(email, STRANGERS)).body.code, "email_not_verified");
});

test("elsewhere than in the browser of the sign-up, the link takes the password that was chosen there", async () => {
  const email = newEmail();
  await signUp(email);
  const token = tokenOf(await rig.linkTo(email));
  const elsewhere = rig.browser();
  const answered = await elsewhere.post("/verify-email", { token, password: GOOD_PASSWORD });
  assert.deepEqual(answered.body, { object: "verification", signed_in: true });
  assert.equal((await elsewhere.session()).person?.email, email);
  const again = await rig.browser().post("/verify-email", { token, password: GOOD_PASSWORD });
  assert.partialDeepStrictEqual(again.body, { code: "link_not_valid" });
  assert.deepEqual(again.setCookies, []);
});
