import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, LOCAL_ORIGIN, makePeopleRig } from "../testing/people-rig.ts";
import { codeOf, fromBase32, nextCodeOf } from "../testing/totp.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

interface Enrolled {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

async function enrolled() {
  const browser = rig.browser();
  const { email } = await browser.join();
  const { body } = await browser.post<Enrolled>("/two-factor/enable", { password: GOOD_PASSWORD });
  const enrolledBy = codeOf(body.totpURI);
  const confirmed = await browser.post("/two-factor/verify-totp", { code: enrolledBy });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { browser, email, enrolledBy, ...body };
}

test("a second factor is on once a code of it was entered, and its seed is sealed", async () => {
  const browser = rig.browser();
  await browser.join();
  assert.equal((await browser.post("/two-factor/enable", { password: "not this one" })).status, 401);
  const { body } = await browser.post<Enrolled>("/two-factor/enable", { password: GOOD_PASSWORD });
  assert.match(body.totpURI, /^otpauth:\/\/totp\/Afara/);
  assert.equal(body.backupCodes.length, 10);
  assert.partialDeepStrictEqual(await browser.session(), { person: { two_factor: false } });
  await browser.post("/two-factor/verify-totp", { code: codeOf(body.totpURI) });
  assert.partialDeepStrictEqual(await browser.session(), { person: { two_factor: true } });

  const seed = new URL(body.totpURI).searchParams.get("secret")!;
  const { rows } = await db.query<{ secret: string; backup_codes: string }>("select * from auth_second_factors");
  for (const { secret, backup_codes } of rows) {
    assert.ok(!secret.includes(seed) && !secret.includes(fromBase32(seed).toString()));
    for (const code of body.backupCodes) assert.ok(!backup_codes.includes(code));
  }
});

test("with a second factor the password alone opens no session, and a wrong code none either", async () => {
  const { email, totpURI } = await enrolled();
  const browser = rig.browser();
  const answered = await browser.signIn(email);
  assert.deepEqual(answered.body, { object: "sign_in", twoFactorRedirect: true });
  assert.equal((await browser.session()).person, null);
  const wrong = codeOf(totpURI, 0);
  assert.partialDeepStrictEqual((await browser.post("/two-factor/verify-totp", { code: wrong })).body, {
    status: 401,
    code: "wrong_code",
  });
  assert.equal((await browser.session()).person, null);
  assert.equal((await browser.post("/two-factor/verify-totp", { code: nextCodeOf(totpURI) })).status, 200);
  assert.equal((await browser.session()).person?.email, email);
});

test("a code opens one session: whoever saw it typed in gets none", async () => {
  const { email, totpURI } = await enrolled();
  const code = nextCodeOf(totpURI);
  for (const expected of [200, 401]) {
    const browser = rig.browser();
    await browser.signIn(email);
    assert.equal((await browser.post("/two-factor/verify-totp", { code })).status, expected);
    assert.equal((await browser.session()).person?.email, expected === 200 ? email : undefined);
  }
});

test("a code that is still good is not taken again after a newer one was", async () => {
  const { email, totpURI, enrolledBy } = await enrolled();
  const enter = async (code: string) => {
    const browser = rig.browser();
    await browser.signIn(email);
    return (await browser.post("/two-factor/verify-totp", { code })).status;
  };
  assert.equal(await enter(nextCodeOf(totpURI)), 200);
  assert.equal(await enter(enrolledBy), 401);
});

test("a code alone opens nothing", async () => {
  const { totpURI } = await enrolled();
  const answered = await rig.browser().post("/two-factor/verify-totp", { code: codeOf(totpURI) });
  assert.equal(answered.status, 401);
});

test("a code for a lost phone works once", async () => {
  const { email, backupCodes } = await enrolled();
  for (const expected of [200, 401]) {
    const browser = rig.browser();
    await browser.signIn(email);
    const answered = await browser.post("/two-factor/verify-backup-code", { code: backupCodes[0]! });
    assert.equal(answered.status, expected);
  }
});

test("codes can't be tried without end", async () => {
  const { email, totpURI } = await enrolled();
  const browser = rig.browser();
  await browser.signIn(email);
  let tried = 0;
  for (; tried < 30; tried++) {
    const { body } = await browser.post("/two-factor/verify-totp", { code: codeOf(totpURI, 0) });
    if (body.code !== "wrong_code") break;
  }
  assert.ok(tried < 30, `${tried} wrong codes were taken`);
  assert.notEqual((await browser.post("/two-factor/verify-totp", { code: codeOf(totpURI) })).status, 200);
});

test("no browser is trusted without a code, and turning it off takes the password", async () => {
  const { browser, email } = await enrolled();
  const trusting = { code: "123456", trustDevice: true };
  assert.equal((await browser.post("/two-factor/verify-totp", trusting)).status, 400);
  await browser.session();
  assert.equal((await browser.post("/two-factor/disable", { password: "not this one" })).status, 401);
  assert.equal((await browser.post("/two-factor/disable", { password: GOOD_PASSWORD })).status, 200);
  assert.partialDeepStrictEqual((await rig.browser().signIn(email)).body, { twoFactorRedirect: false });
});

test("whoever has a password must give it to turn a second factor on; the owner of a local account has none", async () => {
  const browser = rig.browser();
  await browser.join();
  assert.equal((await browser.post("/two-factor/enable", {})).status, 401);

  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  const owner = rig.browser();
  await owner.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  await owner.session();
  const { body } = await owner.post<Enrolled>("/two-factor/enable", {});
  assert.equal((await owner.post("/two-factor/verify-totp", { code: codeOf(body.totpURI) })).status, 200);
  assert.partialDeepStrictEqual(await owner.session(), { person: { two_factor: true } });
});
